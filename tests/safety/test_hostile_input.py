"""Hostile input: names, files and texts made to break out, to blow up, or to hide.

Whatever comes in, a run ends with a documented exit code, writes inside its folder alone, keeps
every character outside the replacements, and tells no text.
"""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.batch.input import Input
from scrubjay.batch.resume import WORK
from scrubjay.batch.run import annotate_corpus, deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.batch.work import AnnotateWork, DeidWork
from scrubjay.cli import main as cli
from scrubjay.corpora import output_name, read_corpus, write_corpus
from scrubjay.deidentifier import Deidentifier
from scrubjay.document import Document
from scrubjay.errors import FormatError, InputError, ScrubjayError
from scrubjay.features import vectors
from scrubjay.transform.policy import find_policy
from tests.strategies import texts
from tests.toys import CANARY, DateDetector, RaisingDetector, ship_toy_model

POSIX = pytest.mark.skipif(os.name == "nt", reason="no POSIX files")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder inside the current one, with the model `toy` and an empty `notes`."""
    ship_toy_model(monkeypatch, tmp_path / "shipped", detector=RaisingDetector())
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str, *arguments: object, source: str = "notes") -> int:
    words = [command, source, "--out", "out", "--model", "toy", *map(str, arguments)]
    return cli.run(words)


def outside(place: Path) -> set[str]:
    """Return the files of the current folder and of those above that a run must not touch."""
    own = {str(path) for path in place.rglob("*") if "out" not in path.relative_to(place).parts}
    return own | {str(path) for path in place.parent.iterdir()}


# Names that lead out of a folder, or that file systems or terminals take for something else.

NAMES = (
    "../escaped",
    "../../escaped",
    "a/../../../escaped",
    "/etc/escaped",
    "//host/escaped",
    "..",
    ".",
    "~/escaped",
    "..\\escaped",
    "C:\\escaped",
    "C:/escaped",
    "%2e%2e/escaped",
    ".hidden",
    "nul\0byte",
    "line\nbreak",
    "\x1b[31mred\x1b]0;title\x07",
    "\u202etxt.exe",
    "zero\u200bwidth",
    "-rf",
    "CON",
    "a b",
    "*",
    "$(touch escaped)",
)


def test_no_id_leads_out_of_the_output_folder(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.dumps({"id": name, "text": f"{name} 3/4/2019"}) for name in NAMES]
    (place / "notes" / "n.jsonl").write_text("\n".join(lines) + "\n")
    before = outside(place)
    assert run("deid") == 0
    assert run("annotate", "--to", "brat") == 0
    assert outside(place) == before
    inside = (place / "out").resolve()
    written = [path for path in inside.rglob("*") if path.suffix == ".txt"]
    assert len(written) == len(NAMES)
    assert all(path.resolve().is_relative_to(inside) for path in written)
    assert "\x1b[31mred" not in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_no_terminal_takes_an_id_for_a_command(
    place: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (place / "notes" / "n.jsonl").write_text(json.dumps({"id": name, "text": CANARY}))
    assert run("deid") == 1
    told = capsys.readouterr().err
    assert all(character.isprintable() or character == "\n" for character in told)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
@example("a/./b")
@example("/")
@example("..")
def test_output_names_stay_inside(name: str) -> None:
    for format in ("text", "brat", "jsonl"):
        path = output_name(Document(name, ""), format=format)
        assert not Path(path).is_absolute()
        assert ".." not in Path(path).parts
        assert not any(part.startswith(".") for part in Path(path).parts)
        assert not any(ord(character) < 32 or character == "\\" for character in path)


@POSIX
def test_names_that_are_no_unicode(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        Path(os.fsdecode(b"notes/bad\xff.txt")).write_bytes(b"3/4/2019")
    except OSError:
        pytest.skip("the file system takes no such name")
    Path("notes/worse.txt").write_text(CANARY)
    Path("notes/z.txt").write_text("3/4/2019")
    for command in ("deid", "annotate"):
        assert run(command, "--summary", "-") == 1
        told = capsys.readouterr()
        assert "failed: 'bad\\udcff' (write: FileNameError)" in told.err
        assert {failure["id"] for failure in json.loads(told.out)["failures"]} == {
            "bad\udcff",
            "worse",
        }
        assert {path.stem for path in (place / "out").iterdir()} == {"z"}
    assert cli.run(["convert", "notes", "--to", "jsonl", "--out", "other"]) == 2
    told = capsys.readouterr()
    assert "bad\\udcff.txt, character 4 of the id: an id with a lone surrogate" in told.err
    assert not (place / "other").exists()


@pytest.mark.parametrize("to", ["text", "brat", "jsonl"])
@pytest.mark.parametrize("interrupted", ["refuse", "resume"])
def test_ids_too_long_for_a_file_name(
    place: Path, to: str, interrupted: Literal["refuse", "resume"]
) -> None:
    rows = [("x" * 300, "3/4/2019"), ("y/" * 3_000 + "y", "3/4/2019"), ("z", "3/4/2019")]
    for number, (name, text) in enumerate(rows):
        line = json.dumps({"id": name, "text": text})
        (place / "notes" / f"{number}.jsonl").write_text(line)
    source = Input((str(place / "notes"),))
    plain = Deidentifier(DateDetector(), find_policy("placeholder"))
    summary = deidentify_corpus(
        source, Output(place / "out", format=to), work=DeidWork(plain), model="toy",
        interrupted=interrupted,
    )  # fmt: skip
    codes = {(failure.id, failure.stage, failure.code) for failure in summary.failures}
    long = {(name, "write", "FileNameError") for name, _ in rows[:2]}
    assert codes == (set() if to == "jsonl" else long)
    assert [each.text for each in read_corpus(place / "out", format=to)][-1] == "[DATE-1]"
    before = [path for path in (place / "out").rglob("*") if path.is_file()]
    assert len(before) == {"text": 1, "brat": 2, "jsonl": 3}[to]


@POSIX
@pytest.mark.parametrize("name", ["\x1b[31mred\x07.txt", "line\nbreak.txt", "\u202etxt.exe.txt"])
def test_no_terminal_takes_a_file_name_for_a_command(
    place: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (place / "notes" / name).write_bytes(b"\xff")
    assert run("deid") == 2
    (place / "notes" / name).write_text(CANARY)
    assert run("deid") == 1
    told = capsys.readouterr()
    shown = told.err + told.out
    assert all(character.isprintable() or character == "\n" for character in told.err)
    assert "\x1b" not in shown


@POSIX
def test_links(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "notes" / "a.txt").write_text("3/4/2019")
    (place / "out").mkdir()
    (place / "victim").write_text("mine")
    (place / "out" / "a.txt").symlink_to(place / "victim")
    assert run("deid") == 0
    assert (place / "victim").read_text() == "mine"
    assert (place / "out" / "a.txt").read_text() == "[DATE-1]"
    (place / "notes" / "again").symlink_to(place / "notes", target_is_directory=True)
    assert run("deid") == 2
    assert "links to a folder that it lies in" in capsys.readouterr().err
    (place / "notes" / "again").unlink()
    for target in ("gone.txt", "b.txt"):  # to nothing, and to itself
        (place / "notes" / "b.txt").symlink_to(target)
        assert run("deid") == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.endswith("b.txt: is a link to nothing. Remove the link")
        (place / "notes" / "b.txt").unlink()


@POSIX
@pytest.mark.parametrize("inner", ["", "journal", "lock"])
def test_a_link_in_the_place_of_the_hidden_folder(
    place: Path, capsys: pytest.CaptureFixture[str], inner: str
) -> None:
    """What it points to was emptied, and made private to whoever ran."""
    (place / "notes" / "a.txt").write_text("3/4/2019")
    victim = place / "victim"
    (victim / "folder").mkdir(parents=True)
    for name in ("journal", "folder/mine"):
        (victim / name).write_text("mine")
    hidden = place / "out" / WORK
    (hidden if inner else hidden.parent).mkdir(parents=True)
    (hidden / inner).symlink_to(victim / inner if inner else victim)
    mode = victim.stat().st_mode
    assert run("deid") == 2
    assert "error: " in capsys.readouterr().err
    assert victim.stat().st_mode == mode
    assert [(victim / name).read_text() for name in ("journal", "folder/mine")] == ["mine"] * 2
    assert not (victim / "lock").exists()


@POSIX
def test_a_link_in_the_place_of_a_folder_of_the_output(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "notes" / "ward").mkdir()
    (place / "victim").mkdir()
    (place / "out").mkdir()
    (place / "out" / "ward").symlink_to(place / "victim", target_is_directory=True)
    for text in ("3/4/2019", CANARY):  # one that is written, and one that fails
        (place / "notes" / "ward" / "a.txt").write_text(text)
        (place / "victim" / "a.txt").write_text("mine")
        assert run("deid") == 2
        assert "is a link out of the output folder" in capsys.readouterr().err
        assert (place / "victim" / "a.txt").read_text() == "mine"
    (place / "out" / "ward").unlink()
    (place / "elsewhere").mkdir()
    (place / "out").rename(place / "old")
    (place / "out").symlink_to(place / "elsewhere", target_is_directory=True)
    (place / "notes" / "ward" / "a.txt").write_text("3/4/2019")
    assert run("deid") == 0  # the folder itself may be one
    assert (place / "elsewhere" / "ward" / "a.txt").read_text() == "[DATE-1]"


@POSIX
def test_a_pipe_in_a_folder_is_no_reason_to_wait(place: Path) -> None:
    os.mkfifo(place / "notes" / "pipe.txt")
    with pytest.raises(InputError, match="neither a file nor a folder"):
        list(read_corpus(place / "notes", format="text"))


# Files that are small and become large.

ROOTS = {"i2b2": "deIdi2b2", "meddocan-xml": "MEDDOCAN", "i2b2-2006": "ROOT"}
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BOMB = f'[<!ENTITY l0 "{CANARY}">{LAUGHS}]'


@pytest.mark.parametrize("name", ROOTS)
def test_no_entity_is_ever_expanded(
    place: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    root = ROOTS[name]
    heads = (
        f"<!DOCTYPE {root} {BOMB}>",
        f"<!DOCTYPE {root} PUBLIC '>' \"><{root}>\" {BOMB}>",
        f'<!DOCTYPE {root} SYSTEM "><{root}>" {BOMB}>',
        f"<!-- {'x' * 70_000} --><!DOCTYPE {root} {BOMB}>",
        f"<?pi ><{root}>?><!DOCTYPE {root} {BOMB}>",
    )
    for head in heads:
        body = '<TEXT a="&l11;">&l11;</TEXT><RECORD ID="&l11;"><TEXT>&l11;</TEXT></RECORD>'
        for encoding in ("utf-8", "utf-16", "utf-16-le", "utf-32"):
            (place / "notes" / "a.xml").write_bytes(
                f"{head}<{root}>{body}</{root}>".encode(encoding)
            )
            with pytest.raises(FormatError):
                list(read_corpus(place / "notes", format=name))
        (place / "notes" / "a.xml").write_text(f"{head}<{root}>{body}</{root}>")
        assert run("deid", "--format", name) == 2
    assert CANARY not in capsys.readouterr().err
    assert not (place / "out").exists()


OWN = '<!DOCTYPE deIdi2b2 [<!ENTITY a "b">]>'


def _in_utf7(text: str) -> str:
    return f"+{base64.b64encode(text.encode('utf-16-be')).decode().rstrip('=')}-"


def _in_java(text: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in text)


@pytest.mark.parametrize("name", ROOTS)
@pytest.mark.parametrize(
    ("mark", "encoding", "comment"),
    [
        ("", "UTF-7", f"<!-- {_in_utf7(f'-->{OWN}<!--')} -->"),
        ("", "JAVA", f"<!-- {_in_java(f'-->{OWN}<!--')} -->"),
        ("\ufeff", "UTF-7", f"<!-- +AAA-->{OWN}<!-- -->"),
    ],
)
def test_no_encoding_hides_entities(
    place: Path, mark: str, encoding: str, comment: str, name: str
) -> None:
    """As ASCII what declares them looks like a comment, and the parser takes it for none."""
    root = ROOTS[name]
    record, tag = '<RECORD ID="1"><TEXT>&a;</TEXT></RECORD>', '<NAME start="0" end="1" TYPE="&a;"/>'
    body = record if root == "ROOT" else f"<TEXT>note</TEXT><TAGS>{tag}</TAGS>"
    head = f'{mark}<?xml version="1.0" encoding="{encoding}"?>{comment}'
    (place / "notes" / "a.xml").write_text(f"{head}<{root}>{body}</{root}>")
    with pytest.raises(FormatError, match=r"declares its own entities|declares an encoding"):
        list(read_corpus(place / "notes", format=name))
    assert run("deid", "--format", name) == 2


def test_no_file_is_fetched_by_a_document(place: Path) -> None:
    (place / "secret.txt").write_text(CANARY)
    head = '<!DOCTYPE deIdi2b2 SYSTEM "secret.dtd">'
    include = '<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="../secret.txt"/>'
    (place / "notes" / "a.xml").write_text(f"{head}<deIdi2b2><TEXT>{include}</TEXT></deIdi2b2>")
    assert run("deid") == 2
    assert not (place / "out").exists()


def test_packed_files_are_no_notes(place: Path) -> None:
    """A bomb is not unpacked: no corpus format reads packed files."""
    (place / "notes" / "a.txt").write_bytes(gzip.compress(b"3/4/2019 " * 1_000_000))
    assert run("deid") == 2
    (place / "notes" / "a.txt").rename(place / "notes" / "a.txt.gz")
    assert run("deid") == 2
    assert not (place / "out").exists()


def test_packed_vectors_have_a_limit(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = place / "vectors.txt.gz"
    bomb.write_bytes(gzip.compress(b"word " + b"0" * 2_000_000))
    monkeypatch.setattr(vectors, "_LONGEST_LINE", 1_000_000)
    with pytest.raises(FormatError, match="line 1"):
        list(vectors._text_lines(bomb))


def test_a_value_that_stands_in_every_row_is_unpacked_row_by_row(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import ParquetFile, write_table

    from scrubjay.corpora import parquet

    ids = [str(number) for number in range(50)]
    path = place / "notes" / "a.parquet"
    table = pyarrow.table({"id": ids, "text": ["3/4/2019 " * 100_000] * 50})
    write_table(table, path, compression="zstd")
    assert path.stat().st_size < 100_000
    with ParquetFile(path) as file:
        assert parquet._batch_rows(file.metadata) == 256
        monkeypatch.setattr(parquet, "_BUDGET", 2_000_000)
        assert parquet._batch_rows(file.metadata) <= 2
    assert [document.id for document in read_corpus(path)] == ids


# Texts that are long, empty, or full of what naive code stumbles over.


@pytest.mark.parametrize("unit", ["x", " ", "\n", "a ", "-", "(", "\u0301", "1/", "\u200b", "Mr. "])
def test_gigantic_lines(place: Path, unit: str) -> None:
    text = unit * (100_000 // len(unit)) + " 3/4/2019"
    (place / "notes" / "a.txt").write_bytes(text.encode())
    assert run("deid") == 0
    assert (place / "out" / "a.txt").read_bytes().decode() == text[:-8] + "[DATE-1]"


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_gigantic_fields(place: Path, name: str) -> None:
    text = "word " * 40_000 + "3/4/2019"
    rows = io.StringIO()
    csv.writer(rows).writerows([["id", "text"], ["1", text]])
    content = rows.getvalue() if name == "a.csv" else json.dumps({"id": "1", "text": text})
    (place / "notes" / name).write_text(content)
    assert run("deid") == 0
    (document,) = read_corpus(place / "out")
    assert document.text == text[:-8] + "[DATE-1]"


HIDDEN = "\0\u200b\u200d\u200e\u202e\u2066\u2069\ufeff\u00ad\u2060\U000e0041\x1b\x7f\x85\u2028"


@pytest.mark.parametrize("format", ["text", "jsonl", "csv", "tsv", "brat"])
@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_hidden_characters_come_back_as_they_were(place: Path, format: str, command: str) -> None:
    text = "".join(f"a{character}3/4/2019{character}\n" for character in HIDDEN)
    try:
        write_corpus([Document("a", text)], place / "corpus", format=format)
    except ScrubjayError:
        pytest.skip("the format cannot hold these characters, and says so")
    to = ("--to", "jsonl") if command == "annotate" else ()
    as_found = () if to else ("--no-propagate",)
    assert run(command, "--format", format, *to, *as_found, source="corpus") == 0
    (document,) = read_corpus(place / "out", format="jsonl" if to else format)
    if to:
        assert document.text == text
        assert {document.text[s.start : s.end] for s in document.spans} == {"3/4/2019"}
        assert len(document.spans) == len(HIDDEN)
    else:
        numbered = text.replace("3/4/2019", "[DATE-1]")
        assert document.text == numbered


@pytest.mark.parametrize("half", ["\\ud800", "\\udfff", "\\udc00\\ud800", "\\uD83D x"])
@pytest.mark.parametrize("key", ["text", "id"])
def test_halves_of_characters_are_refused(
    place: Path, capsys: pytest.CaptureFixture[str], half: str, key: str
) -> None:
    record = {"id": "1", "text": CANARY, key: "HALF"}
    line = json.dumps(record).replace("HALF", half)
    (place / "notes" / "a.jsonl").write_text(line)
    for command in ("deid", "annotate"):
        # A text ends the run, since the reader goes no further; an id fails its document.
        assert run(command) == (2 if key == "text" else 1)
    told = capsys.readouterr().err
    assert told.count("error: " if key == "text" else "failed: ") == 2
    assert "unexpected" not in told
    assert CANARY not in told
    assert not list((place / "out").rglob("*.txt"))


@given(
    st.lists(st.builds(lambda a, b: f"{a}3/4/2019{b}", texts(), texts()), min_size=1, max_size=3)
)
def test_any_text_comes_through(bodies: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        documents = [Document(str(number), body) for number, body in enumerate(bodies)]
        write_corpus(documents, folder / "in", format="jsonl")
        source = Input((str(folder / "in"),), format="jsonl")
        plain = Deidentifier(DateDetector(), find_policy("placeholder"))
        summary = deidentify_corpus(
            source, Output(folder / "out"), work=DeidWork(plain, "replace"), model="toy"
        )
        found = list(read_corpus(folder / "out", format="jsonl"))
        assert summary.failures == ()
        assert len(found) == len(documents)
        assert all("3/4/2019" not in document.text for document in found)
        annotate_corpus(source, Output(folder / "spans"), work=AnnotateWork(plain), model="toy")
        again = list(read_corpus(folder / "spans", format="jsonl"))
        assert [document.text for document in again] == bodies


NASTY = (
    "",
    "\0" * 50,
    "\ufeff" * 50,
    "\u202e" + "John Smith 3/4/2019" + "\u202c",
    "J\u200bo\u200bh\u200bn S\u00admith",
    "\u0301" * 500,
    "\U0001f468\u200d\u2695\ufe0f" * 100,
    "(" * 2_000,
    "a" * 5_000,
    "1" * 5_000,
    "1/1/1" * 1_000,
    "\n" * 5_000,
    "@" * 3_000,
    "a." * 3_000,
    "www." * 1_000,
    "\x85\x1c\x1d\u2028" * 200,
)


def test_the_shipped_model_reads_anything(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scrubjay import models
    from scrubjay.taggers import kinds

    monkeypatch.undo()
    monkeypatch.chdir(place)
    assert (models.SHIPPED / "en").is_dir()
    assert "crf" in kinds.KINDS
    lines = [json.dumps({"id": str(n), "text": text}) for n, text in enumerate(NASTY)]
    (place / "notes" / "n.jsonl").write_text("\n".join(lines) + "\n")
    words = ["deid", "notes", "--out", "out", "--model", "en", "--policy", "safe-harbor"]
    assert cli.run(words) == 0
    found = list(read_corpus(place / "out"))
    assert len(found) == len(NASTY)


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\u2060", "\u200e"])
def test_known_names_with_hidden_characters_inside(place: Path, hidden: str) -> None:
    (place / "known.csv").write_text("patient,given,family\n17,Adalbert,Tranterstone\n")
    (place / "notes" / "17-1.txt").write_text(f"Seen Tran{hidden}terstone today.")
    known = ("--identifiers", "known.csv", "--patient-key", "id:(.+)-[0-9]+")
    assert run("deid", *known) == 0
    assert (place / "out" / "17-1.txt").read_text() == "Seen [PATIENT-1] today."


@pytest.mark.parametrize(
    "disguised",
    [
        "Tr\u0430nterst\u043ene",
        "Jos%C3%A9%20Tranterstone",
        "Jos=C3=A9 Tranter=\nstone",
        "Jos\u00c3\u00a9 Tranterstone",
        "Jos\\u00e9 Tranterstone",
    ],
)
def test_known_names_in_disguise(place: Path, disguised: str) -> None:
    (place / "known.csv").write_text("patient,given,family\n17,Jos\u00e9,Tranterstone\n")
    (place / "notes" / "17-1.txt").write_text(f"Seen {disguised} today.")
    known = ("--identifiers", "known.csv", "--patient-key", "id:(.+)-[0-9]+")
    assert run("deid", *known) == 0
    assert (place / "out" / "17-1.txt").read_text().split() == ["Seen", "[PATIENT-1]", "today."]


def test_denied_terms_in_disguise(place: Path) -> None:
    (place / "deny.txt").write_text("Marlow Ward\n")
    (place / "notes" / "1.txt").write_text("At http://x/?w=Marlow%20Ward now.")
    assert run("deid", "--deny", "deny.txt") == 0
    assert "Marlow" not in (place / "out" / "1.txt").read_text()
