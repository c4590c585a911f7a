"""A canary in every document: no command and no failure may sing it where others can hear.

The canary stands in all documents that a command reads. It may come back in the output folder
of a command whose task is to write texts, and nowhere else: not on the screen, in logs, in the
progress, in summaries or manifests, nor in any other file, temporary ones included.
"""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from scrubjay.artifacts import save_artifact
from scrubjay.batch import proof
from scrubjay.batch import work as batch_work
from scrubjay.cli import main as cli
from scrubjay.corpora import writing
from scrubjay.document import Document, Span
from scrubjay.errors import DetectionError, SpanError
from scrubjay.learning.crf import CrfLearner
from scrubjay.learning.tbed import TbedLearner
from scrubjay.taggers import kinds
from scrubjay.text.chunks import Chunk
from scrubjay.text.entities import Meant
from scrubjay.text.spelling import Spelled
from scrubjay.transform import _vault_file, operators
from scrubjay.transform.same_person import Facts
from scrubjay.transform.surrogates._age_reading import Part
from scrubjay.transform.surrogates._date_tokens import Token
from scrubjay.transform.surrogates._person_profile import Profile
from tests.calls import run
from tests.corpus_samples import make_notes, write_notes
from tests.tiny_crf import TINY, tiny_config
from tests.tiny_tbed import tiny_rules
from tests.toys import CANARY, ship_toy_model

SUNG = "quixotebury"
"""What no listener may hear, in whatever case."""
KEY = "0123456789abcdef0123456789abcdef"
KINDS = kinds.KINDS
VAULT = ("--vault", "vaults/v", "--vault-key", "keys/key")
LIMITED = ("--deny", "deny", "--time-limit", "99")
DEID = ("deid", "notes", "--out", "out", "--model", "toy")


@dataclass(frozen=True)
class CanaryDetector:
    """Finds the canary; `fail` may raise for a document."""

    fail: Callable[[Document], None] = lambda document: None
    labels: ClassVar[tuple[str, ...]] = ("DATE",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return where the canary first stands in each document."""
        found: list[tuple[Span, ...]] = []
        for document in documents:
            self.fail(document)
            start = document.text.find(CANARY)
            found.append(() if start < 0 else (Span(start, start + len(CANARY), "DATE"),))
        return found


class Listener:
    """Hears all that a command says, and looks into all files but those it may write texts to."""

    def __init__(self, place: Path, screen: Any, log: pytest.LogCaptureFixture) -> None:
        self.place, self._screen, self._log = place, screen, log
        self._known = set(place.rglob("*"))

    def told(self) -> str:
        """Return what was said since the last call."""
        shown = self._screen.readouterr()
        return str(shown.out + shown.err + self._log.text)

    def new_files(self) -> list[Path]:
        """Return the files that were not there at first, hidden and temporary ones included."""
        return [path for path in self.place.rglob("*") if path not in self._known]

    def require_silence(self, *, texts: str = "") -> str:
        """Fail where the canary was sung outside the folder `texts`; return what was said."""
        told = self.told()
        assert SUNG not in told.casefold()
        for path in self.new_files():
            relative = path.relative_to(self.place)
            assert SUNG not in str(relative).casefold()
            if path.is_file() and (not texts or relative.parts[0] != texts):
                assert SUNG.encode() not in path.read_bytes().lower(), relative
        return told


@pytest.fixture
def listener(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> Listener:
    """Return one that listens to the current folder: `notes` to read, `keys`, and a terminal."""
    ship_toy_model(monkeypatch, tmp_path / "shipped", detector=CanaryDetector())
    monkeypatch.setattr(_vault_file, "SCRYPT_COST", 2)
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.delenv(cli.DEBUG_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    for name in ("notes", "keys", "vaults", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "keys" / "key").write_text(KEY)
    (tmp_path / "notes" / "a.txt").write_text(f"Seen by {CANARY} today.\n")
    (tmp_path / "notes" / "b.txt").write_text(f"Nothing else.\n\n{CANARY} came.\n")
    caplog.set_level(logging.DEBUG)
    return Listener(tmp_path, capfd, caplog)


def labelled(folder: Path, *, seed: int, lose: str = "") -> None:
    """Write a labelled corpus whose patients and words carry the canary, without one label."""
    documents = []
    for note in make_notes(8, seed=seed):
        text = f"{CANARY} was seen.\n" + note.text
        shift = len(text) - len(note.text)
        spans = [Span(0, len(CANARY), "PATIENT")] + [
            Span(span.start + shift, span.end + shift, span.label) for span in note.spans
        ]
        documents.append(Document(note.id, text, tuple(spans)))
    write_notes(documents, folder)


def rule_model(place: Path) -> None:
    """Save a small rule tagger, `rules`, that has never seen the canary."""
    learner = TbedLearner(tiny_rules(), language="en", label_set="i2b2-2014")
    fitted = learner.fit(make_notes(8, seed=3))
    save_artifact(place / "rules", fitted.manifest, files=fitted.files())


def crf_model(place: Path) -> None:
    """Save a small CRF, `crf`, that has never seen the canary."""
    learner = CrfLearner(tiny_config(), language="en", label_set="i2b2-2014")
    fitted = learner.fit(make_notes(8, seed=3))
    save_artifact(place / "crf", fitted.manifest, files=fitted.files())


EXPERIMENT = (
    'kind = "compare"\ntitle = "Tried"\nreference = "Patterns"\nshuffles = 9\n'
    '[[systems]]\nname = "Patterns"\nconfig = "patterns"\n'
    '[[systems]]\nname = "Again"\nconfig = "patterns"\n'
)

# Command -> the calls of it, and the folder into which it may write texts.
CALLS: dict[str, list[tuple[tuple[str, ...], str]]] = {
    "deid": [
        (DEID, ""),
        ((*DEID, "--policy", "mask", "--summary", "s.json"), ""),
        ((*DEID, "--policy", "surrogate", "--patient-key", "id:(.)"), ""),
        ((*DEID, "--policy", "hash", *VAULT), ""),
        ((*DEID, "--deny", "deny", "--no-propagate"), ""),
        (("deid", "gold", "--out", "out", "--model", "rules", *LIMITED), ""),
    ],
    "annotate": [
        (("annotate", "notes", "--out", "out", "--model", "toy", "--to", "jsonl"), "out"),
        (("annotate", "gold", "--out", "out", "--model", "rules", *LIMITED[2:]), "out"),
    ],
    "restore": [
        ((*DEID, *VAULT), ""),
        (("vault", "info", "vaults/v", "--vault-key", "keys/key"), ""),
        (("restore", "out", "--out", "back", *VAULT), "back"),
    ],
    "vault": [
        ((*DEID, *VAULT), ""),
        (
            ("vault", "rotate", "vaults/v", "--vault-key", "keys/key", "--new-key", "keys/new"),
            "",
        ),
    ],
    "project": [
        (("project", "create", "study", "--annotator", "ana"), ""),
        (("project", "import", "study", "gold"), "study"),
        (("project", "prelabel", "study", "toy"), "study"),
        (("project", "status", "study"), "study"),
        (("project", "next", "study", "ana"), "study"),
        (("project", "check", "study"), "study"),
    ],
    "implant": [
        (("implant", "notes", "--language", "en", "--out", "out", "--model", "toy"), "out"),
    ],
    "convert": [(("convert", "gold", "--to", "brat", "--out", "out"), "out")],
    "corpus": [
        (("corpus", "stats", "gold", "--json", "stats.json"), ""),
        (("corpus", "split", "gold", "--out", "out", "--by", "document"), "out"),
    ],
    "evaluate": [(("evaluate", "gold", "gold", "--json", "figures.json", "--html", "p.html"), "")],
    "errors": [(("errors", "gold", "other", "--json", "e.json", "--html", "e.html"), "")],
    "compare": [(("compare", "gold", "gold", "other", "--shuffles", "9", "--html", "c.html"), "")],
    "agreement": [(("agreement", "gold", "other", "--json", "a.json", "--html", "a.html"), "")],
    "adjudicate": [(("adjudicate", "gold", "other", "--worksheet", "w.csv"), "")],
    "risk": [(("risk", "gold", "other", "--json", "r.json", "--html", "r.html"), "")],
    "audit": [(("audit", "plan", "gold", "--out", "p.csv", "--documents", "3"), "")],
    # A model may store words, which its manifest tells; where it does is told by `models audit`.
    "train": [(("train", "gold", "--out", "model", "--config", "tiny.toml"), "model")],
    "adapt": [
        (("adapt", "crf", "gold", "--out", "model", "--folds", "2", "--dev", "dev"), "model")
    ],
    "models": [(("models", "audit", "toy", "--corpus", "gold"), "")],
    "rules": [
        (("rules", "test", "rules", "gold"), ""),
        (("rules", "explain", "rules", "notes"), ""),
    ],
    "pretrain": [
        (
            (
                *("pretrain", "vectors", "notes", "--out", "v", "--language", "en"),
                *("--dimension", "3", "--epochs", "1", "--min-count", "1"),
            ),
            "v",
        )
    ],
    "experiment": [
        (
            ("experiment", "try.toml", "--out", "out", "--train", "gold", "--dev", "dev"),
            "",
        )
    ],
}
READS_NO_DOCUMENTS = {"compile", "config", "policy", "synth"}
LISTENED_TO_IN_TESTS_OF_THE_WEB = {"serve", "token"}


def test_every_command_is_listened_to() -> None:
    known = CALLS.keys() | READS_NO_DOCUMENTS | LISTENED_TO_IN_TESTS_OF_THE_WEB
    assert set(cli.COMMANDS) == known


@pytest.mark.parametrize("command", CALLS)
def test_no_command_tells_what_it_reads(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    if command in ("train", "adapt"):
        pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    if any("--vault" in call for call, _ in CALLS[command]):
        pytest.importorskip("cryptography", reason="vaults need the extra `vault`")
    place = listener.place
    labelled(place / "gold", seed=1)
    labelled(place / "dev", seed=2)
    labelled(place / "other", seed=1, lose="PATIENT")
    if command in ("rules", "adapt"):
        monkeypatch.setattr(kinds, "KINDS", KINDS)
    if command in ("rules", "deid", "annotate"):
        rule_model(place)
    if command == "adapt":
        crf_model(place)
    (place / "tiny.toml").write_text(TINY)
    (place / "try.toml").write_text(EXPERIMENT)
    (place / "deny").write_text(f"{CANARY}\n")
    (place / "keys" / "new").write_text(KEY[::-1])
    allowed = ""
    heard = Listener(place, listener._screen, listener._log)
    for call, texts in CALLS[command]:
        assert run(*call) == 0, call
        allowed = texts or allowed
        heard.require_silence(texts=allowed)
        if allowed:
            assert (place / allowed).exists()


def leaking(text: str) -> list[BaseException]:
    """Return exceptions of many kinds that quote a text."""
    return [
        RuntimeError(text),
        KeyError(text),
        DetectionError(text),
        SpanError(text, path=text, place=text, hint=text),
        UnicodeEncodeError("ascii", text, 0, 1, text),
        ExceptionGroup(text, [ValueError(text)]),
        RecursionError(text),
        MemoryError(text),
        AssertionError(text),
        StopIteration(text),
    ]


@pytest.mark.parametrize("number", range(len(leaking(""))))
@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_a_detector_that_quotes_the_document(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, command: str, number: int
) -> None:
    def fail(document: Document) -> None:
        if document.id == "b":
            logging.getLogger("scrubjay").debug("failing")
            raise leaking(document.text)[number] from ValueError(document.text)

    ship_toy_model(monkeypatch, listener.place / "other", detector=CanaryDetector(fail))
    heard = Listener(listener.place, listener._screen, listener._log)
    assert run(command, "notes", "--out", "out", "--model", "toy", "--summary", "s.json") == 1
    told = heard.require_silence(texts="out" if command == "annotate" else "")
    code = type(leaking("")[number]).__name__
    assert f"failed: 'b' (detect: {code})" in told
    facts = json.loads((listener.place / "s.json").read_text())
    assert facts["failures"] == [{"id": "b", "stage": "detect", "code": code}]
    assert sorted({path.stem for path in (listener.place / "out").iterdir()}) == ["a"]


def quote(*arguments: Any, **named: Any) -> Any:
    """Raise with the text of whatever document or mention is among the arguments."""
    for argument in arguments:
        text = getattr(argument, "text", None)
        if isinstance(text, str):
            raise ValueError(text)
    raise ValueError(CANARY)


# Name -> (owner, attribute) of a step that quotes what it holds, and the stage of the failure;
# "" where the run as a whole ends.
STEPS: dict[str, tuple[Any, str, str]] = {
    "an operator": (operators.Mask, "replace", "transform"),
    "the writer": (writing.CorpusWriter, "write", "write"),
    "the end of the writer": (writing.CorpusWriter, "finish", ""),
    "the proof": (proof.Prover, "prove", ""),
    "the outcome": (batch_work.DeidWork, "_outcome", ""),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_quotes_the_document(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    owner, name, stage = STEPS[step]
    monkeypatch.setattr(owner, name, quote)
    code = run(*DEID, "--policy", "mask", "--summary", "s.json")
    told = listener.require_silence()
    assert not (listener.place / "out" / "a.txt").exists()
    if stage:
        assert code == 1
        facts = json.loads((listener.place / "s.json").read_text())
        assert {failure["stage"] for failure in facts["failures"]} == {stage}
    else:
        assert code == cli.EXIT_UNEXPECTED
        assert "unexpected ValueError at scrubjay." in told


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), OSError(CANARY)])
def test_a_full_disk_ends_the_run(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def full(*arguments: Any) -> None:
        raise error

    monkeypatch.setattr(Path, "write_bytes", full)
    assert run(*DEID) in (2, cli.EXIT_UNEXPECTED)
    listener.require_silence()
    assert not (listener.place / "out" / "a.txt").exists()


def test_files_of_a_run_on_its_way_hold_no_original_text(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def look(self: Any, document: Document) -> None:
        looked.append(len(listener.new_files()))
        for path in listener.new_files():
            assert path.is_dir() or SUNG.encode() not in path.read_bytes().lower()
        write(self, document)

    write = writing.CorpusWriter.write
    monkeypatch.setattr(writing.CorpusWriter, "write", look)
    assert run(*DEID) == 0
    assert len(looked) == 2
    assert looked[-1] > 0


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), SystemExit(3)])
def test_what_an_interrupted_run_leaves_holds_no_original_text(
    listener: Listener, monkeypatch: pytest.MonkeyPatch, stop: BaseException
) -> None:
    def interrupted(self: Any) -> None:
        raise stop

    monkeypatch.setattr(writing.CorpusWriter, "finish", interrupted)
    assert run(*DEID) in (cli.EXIT_INTERRUPTED, 3)
    listener.require_silence()
    assert not (listener.place / "out" / "a.txt").exists()


BAD_FILES: dict[str, bytes] = {
    "bytes.txt": CANARY.encode() + b"\xff",
    "quotes.csv": f'id,text\n1,"{CANARY}\n'.encode(),
    "no-header.csv": f"1,Seen by {CANARY} today.\n".encode(),
    "twice.csv": f"id,text\n1,{CANARY}\n1,{CANARY}\n".encode(),
    "cut.jsonl": f'{{"id": "1", "text": "{CANARY}'.encode(),
    "half.jsonl": f'{{"id": "1", "text": "{CANARY} \\ud800"}}'.encode(),
    "number.jsonl": b'{"id": "1", "text": "x", "n": ' + b"7" * 5000 + b"}",
    "deep.jsonl": b'{"id": "1", "text": ' + b"[" * 100_000,
    "cut.xml": f"<deIdi2b2><TEXT>{CANARY}".encode(),
    "element.xml": f"<deIdi2b2><TEXT><{SUNG}/></TEXT></deIdi2b2>".encode(),
    "offsets.xml": (
        f'<deIdi2b2><TEXT>{CANARY}</TEXT><TAGS><DATE start="{SUNG}" end="9"/></TAGS></deIdi2b2>'
    ).encode(),
    "cut.parquet": b"PAR1" + CANARY.encode(),
    "columns.conll": f'# newdoc id = "1"\n{CANARY}\n'.encode(),
}
"""Files that no reader can read whole."""


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_told_by_its_place(listener: Listener, name: str) -> None:
    (listener.place / "bad").mkdir()
    (listener.place / "bad" / name).write_bytes(BAD_FILES[name])
    listener._known.update(listener.place.rglob("*"))
    for command in ("deid", "annotate"):
        assert run(command, "bad", "--out", "out", "--model", "toy") == 2
    assert run("corpus", "stats", "bad") == 2
    assert run("convert", "bad", "--to", "jsonl", "--out", "out") == 2
    told = listener.require_silence()
    assert told.count("error: ") == 4
    assert "unexpected" not in told
    assert listener.new_files() == []


@pytest.mark.parametrize(
    "kind", [Meant, Chunk, Spelled, Part, Token, Facts, Profile], ids=lambda kind: kind.__name__
)
def test_pieces_of_a_text_show_nothing_where_a_tool_shows_variables(kind: type) -> None:
    assert kind.__repr__ is object.__repr__


def test_the_listener_hears(listener: Listener) -> None:
    (listener.place / "temporary" / "x").write_text(CANARY.upper())
    with pytest.raises(AssertionError):
        listener.require_silence()
    (listener.place / "temporary" / "x").unlink()
    logging.getLogger("any").warning(CANARY)
    with pytest.raises(AssertionError):
        listener.require_silence()
