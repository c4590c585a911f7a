"""`scrubjay policy`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from scrubjay.transform.policy import POLICIES, find_policy, parse_policy
from tests.cli.conftest import Refusal

Shown = pytest.CaptureFixture[str]

WARD = """
default = "mask"

[kinds]
date = "safe-date"

[labels]
AGE = { operator = "redact", replacement = "-" }

[min-score]
CITY = 0.5
"""


@pytest.fixture
def ward(tmp_path: Path) -> str:
    path = tmp_path / "ward.toml"
    path.write_text(WARD)
    return str(path)


def test_the_list_names_every_policy(capsys: Shown) -> None:
    assert run(["policy", "list"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert rows[:2] == [["# Policies"], ["policy", "key", "description"]]
    assert [row[0] for row in rows[2:]] == list(POLICIES)
    assert {"hash", "surrogate"} <= {row[0] for row in rows[2:] if row[1] == "yes"}
    assert run(["policy", "list", "--json"]) == 0
    assert [entry["name"] for entry in json.loads(capsys.readouterr().out)] == list(POLICIES)


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_is_shown_as_a_file_to_begin_with(
    name: str, capsys: Shown, tmp_path: Path
) -> None:
    assert run(["policy", "show", name]) == 0
    path = tmp_path / "mine.toml"
    path.write_text(capsys.readouterr().out)
    key = bytes(32)
    assert find_policy(path, key=key) == find_policy(name, key=key)
    assert run(["policy", "check", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{name}: ")


def test_a_policy_is_shown_label_by_label(ward: str, capsys: Shown) -> None:
    assert run(["policy", "show", ward, "--label-set", "i2b2-2014"]) == 0
    rows = {line.split("\t")[0]: line.split("\t") for line in capsys.readouterr().out.splitlines()}
    assert rows["DATE"] == ["DATE", "date", "safe-date", ""]
    assert rows["AGE"] == ["AGE", "age", "redact replacement='-'", ""]
    assert rows["CITY"] == ["CITY", "city", "mask", "0.5"]
    assert run(["policy", "show", ward, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["fingerprint"] == find_policy(ward).fingerprint()
    assert facts["labels"] == {"AGE": {"operator": "redact", "replacement": "-"}}


def test_a_good_policy_passes_without_its_key(
    ward: str, tmp_path: Path, capsys: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCRUBJAY_KEY", raising=False)
    assert run(["policy", "check", ward, "--label-set", "i2b2-2014"]) == 0
    assert capsys.readouterr().out == (
        "ward: 1 labels and 1 kinds named, the default is mask; it needs no key\n"
    )
    (tmp_path / "keyed.toml").write_text('default = "hash"')
    assert run(["policy", "check", str(tmp_path / "keyed.toml")]) == 0
    assert "it needs a key" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ('default = "mask"\n[labels]\nDATES = "keep"', [], "unknown label 'DATES'. Did you mean"),
        ('default = "mask"\n[labels]\nNAME = "keep"', ["--label-set", "i2b2-2014"], "'NAME'"),
        ('default = "mask"\n[min-score]\nAGES = 0.5', [], "unknown label 'AGES'. Did you mean"),
        ('default = "mask"\n[labels]\nDATES = "keep"', [], "bad.toml, labels.DATES: the policy"),
        ('default = "mask"\n[min-score]\nAGES = 0.5', [], "bad.toml, min-score.AGES: the policy"),
        (
            'default = "mask"\n[labels]\nHOSPITL = "keep"\n[min-score]\nAGES = 0.5',
            [],
            "bad.toml: the policy 'bad' names 2 unknown labels: labels.HOSPITL: the unknown label "
            "'HOSPITL'. Did you mean 'HOSPITAL'?; min-score.AGES: the unknown label 'AGES'.",
        ),
        ('default = "mask"\n[kinds]\nzips = "keep"', [], "bad.toml, kinds.zips: the policy"),
        ('default = "maks"', [], "unknown operator 'maks'. Did you mean 'mask'"),
        ('default = { operator = "mask", fill = "x" }', [], "Did you mean 'filler'"),
        ('default = "mask"\n[kinds]\nzips = "keep"', [], "unknown kind 'zips'. Did you mean 'zip'"),
        ('default = "keep"', [], "may not be 'keep'"),
        ("default = ", [], "not valid TOML"),
        ('default = "mask"', ["--label-set", "i2b2"], "unknown label set 'i2b2'"),
        ('default = "mask"', ["--label-set", "hipaa", "--model", "en"], "not both"),
        ('default = "mask"', ["--model", "nothing-such"], "nothing-such"),
    ],
)
def test_a_bad_policy_is_an_error(
    content: str, arguments: list[str], message: str, tmp_path: Path, refusal: Refusal
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(content)
    assert message in refusal("policy", "check", str(path), *arguments)


def test_an_unknown_policy_offers_the_nearest(capsys: Shown) -> None:
    assert run(["policy", "show", "safe-harbour"]) == 2
    assert "Did you mean 'safe-harbor'" in capsys.readouterr().err


def test_a_fingerprint_tells_policies_apart_and_holds_no_key() -> None:
    one = parse_policy({"default": "hash"}, key=b"k" * 16)
    assert one.fingerprint() == parse_policy({"default": "hash"}, key=b"l" * 16).fingerprint()
    prints = {find_policy(name, key=bytes(32)).fingerprint() for name in POLICIES}
    assert len(prints) == len(POLICIES)
    assert all(len(text) == 64 for text in prints)
