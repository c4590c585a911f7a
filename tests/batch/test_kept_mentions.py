"""The list of mentions that a policy keeps: all of them, once each, and no text."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from scrubjay.batch.kept_mentions import KeptList, places_of
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.proof import Proved, Prover
from scrubjay.deidentifier import Deidentified, Deidentifier
from scrubjay.document import Document, Span
from scrubjay.transform.operators import Keep, Placeholder
from scrubjay.transform.policy import Policy
from tests.batch.test_proof import Terms
from tests.calls import run
from tests.cli.conftest import Refusal, place, refusal

__all__ = ["place", "refusal"]
KEEPS = 'default = "placeholder"\nlabels = { DATE = "keep" }\n'


@pytest.fixture
def notes(place: Path) -> Path:
    """Return a folder of two notes, and a policy that keeps their dates."""
    (place / "notes").mkdir()
    (place / "notes" / "a.txt").write_text("Seen 3/4/2019, again on 5/6/2019.\n")
    (place / "notes" / "b.txt").write_text("No date.\n")
    (place / "ours.toml").write_text(KEEPS)
    return place / "notes"


def test_what_the_policy_keeps_is_listed(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ("deid", notes, "--out", "out", "--model", "toy", "--policy", "ours.toml")
    assert run(*call) == 0
    told = "but for 2 mentions that the policy keeps (2 DATE; --list-kept FILE tells where); of 0"
    assert told in capsys.readouterr().err
    listed = ("--list-kept", "kept.jsonl")
    assert run(*call, *listed, "--summary", "-") == 0
    shown = capsys.readouterr()
    assert "but for 2 mentions that the policy keeps (2 DATE); of 0" in shown.err
    assert json.loads(shown.out)["kept_per_label"] == {"DATE": 2}
    lines = [json.loads(line) for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
    assert lines == [
        {"id": "a", "label": "DATE", "start": s, "end": e, "output_start": s, "output_end": e}
        for s, e in ((5, 13), (24, 32))
    ]
    assert (tmp_path / "kept.jsonl").stat().st_mode & 0o777 == 0o600
    assert run(*call, *listed, "--policy", "placeholder") == 0
    assert (tmp_path / "kept.jsonl").read_bytes() == b""
    assert "policy keeps" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("out/kept.jsonl", "the list of what is kept lies in the output folder"),
        ("notes/a.txt", "is part of the input"),
        ("nowhere/kept.jsonl", "its folder does not exist"),
    ],
)
def test_a_list_that_may_not_stand_there_is_refused(
    notes: Path, refusal: Refusal, file: str, told: str
) -> None:
    (notes.parent / "out").mkdir()
    error = refusal("deid", "notes", "--out", "out", "--model", "toy", "--list-kept", file)
    assert told in error


def test_places_are_those_of_both_texts_and_each_mention_counts_once() -> None:
    document = Document("a", "Ann Lee of Leeds works in Leeds.")
    found = (Span(0, 7, "PATIENT"), Span(11, 16, "STREET"), Span(26, 31, "CITY"))
    policy = Policy("ours", Placeholder(), {"CITY": Keep()})
    ((result,),) = Deidentifier(Terms(), policy).transform_records([[(document, found)]])
    assert isinstance(result, Deidentified)
    ((proved,),) = Prover(policy).prove([[(document, result)]])
    assert isinstance(proved, Proved)
    # The street was replaced, and its word is left in what the policy keeps.
    assert (proved.counts["kept"], proved.kept) == (1, [found[2]])
    ((label, start, end, new_start, new_end),) = places_of(result, proved.kept)
    assert (label, start, end) == ("CITY", 26, 31)
    assert result.document.text[new_start:new_end] == "Leeds"
    assert places_of(result, ()) == ()


def test_a_journal_keeps_what_is_listed(tmp_path: Path) -> None:
    kept = (("CITY", 26, 31, 30, 35),)
    outcome = Outcome("a", 40, "text", kept=kept)
    assert Outcome.from_json(json.loads(json.dumps(outcome.to_json()))).kept == kept
    assert pickle.loads(pickle.dumps(outcome)).kept == kept
    with KeptList() as gathered:
        gathered.add("b", kept)
        gathered.clear()
        gathered.add("\udc80", kept)
        gathered.publish(tmp_path / "kept.jsonl")
    (line,) = (tmp_path / "kept.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "id": "\udc80", "label": "CITY", "start": 26, "end": 31,
        "output_start": 30, "output_end": 35,
    }  # fmt: skip
