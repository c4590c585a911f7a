"""What is told of files that a reader passes over."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.cli import main as cli
from scrubjay.corpora.passed import PassedOver


def test_files_are_counted_by_suffix_and_no_name_is_shown() -> None:
    passed = PassedOver()
    assert passed.describe() == ""
    passed("letter.docx")
    assert passed.describe() == "1 file of another kind was not read: 1 .docx"
    for name in ("a/b.DOCX", "scan.pdf", "Mr. Tranter", "README", "x.tranter-p", "x.margaretanne"):
        passed(name)
    assert passed.describe() == (
        "7 files of other kinds were not read: 4 without a known suffix, 2 .docx, 1 .pdf"
    )
    for kind in ("bmp", "csv", "doc", "eml", "gif", "jpg", "png", "rtf", "xls", "zip"):
        passed(f"x.{kind}")
    assert passed.describe().endswith("1 .jpg, 5 others")


@pytest.mark.parametrize("name", ["j.tranter", "M.Holloway", "mrn.4455667", "notes/jan.de.vries"])
def test_what_looks_like_a_suffix_may_be_a_name_or_a_number(name: str) -> None:
    passed = PassedOver()
    passed(name)
    assert passed.describe() == "1 file of another kind was not read: 1 without a known suffix"


@pytest.mark.parametrize(
    "call",
    [
        ["convert", "IN", "--to", "jsonl", "--out", "OUT"],
        ["corpus", "stats", "IN", "--tokenizer", "whitespace"],
        ["corpus", "split", "IN", "--out", "OUT", "--by", "document", "--parts", "a=0.5,b=0.5"],
        ["corpus", "swap", "IN", "--out", "OUT"],
        ["corpus", "recase", "IN", "--out", "OUT"],
        ["implant", "IN", "--out", "OUT", "--language", "en"],
        ["project", "import", "PROJECT", "IN"],
    ],
    ids=lambda call: " ".join(call[:2]),
)
def test_commands_that_read_folders_tell_of_what_they_do_not_read(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text("Seen by Dr. Lee.\n")
        if call[0] != "implant":
            (folder / f"{name}.ann").write_text("T1\tDOCTOR 12 15\tLee\n")
        (folder / f"{name}.docx").write_text("Margaret Holloway")
    places = {"IN": folder, "OUT": tmp_path / "out", "PROJECT": tmp_path / "project"}
    if call[0] == "project":
        assert (
            cli.run(["project", "create", str(places["PROJECT"]), "--label-set", "i2b2-2014"]) == 0
        )
    assert cli.run([str(places.get(word, word)) for word in call]) == 0
    told = capsys.readouterr().err
    assert "warning: 2 files of other kinds were not read: 2 .docx\n" in told
    assert "Holloway" not in told
