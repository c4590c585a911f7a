"""Standard input: its head tells what it is, and what is not one text is not read as one."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest

from scrubjay.corpora import detect_format, read_corpus
from scrubjay.errors import EncodingError, FormatError, InputError

MESSAGE = "MSH|^~\\&|LAB|W|EHR|N|||ORU^R01|M1|P|2.5\rPID|1||00481516||TRANTER^ADA\r"
PATIENT = '{"resourceType": "Patient", "id": "7", "name": [{"family": "Tranter"}]}'


class Trickle(io.RawIOBase):
    """A pipe that gives a byte at a time."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._data.read(1)
        buffer[: len(data)] = data
        return len(data)


def pipe(monkeypatch: pytest.MonkeyPatch, data: str | bytes) -> None:
    """Let standard input give some bytes, one at a time."""
    raw = data.encode() if isinstance(data, str) else data
    stdin = SimpleNamespace(buffer=io.BufferedReader(Trickle(raw)))
    monkeypatch.setattr("sys.stdin", stdin)


@pytest.mark.parametrize(
    ("data", "format", "documents"),
    [
        (MESSAGE, "hl7", 1),
        ("\ufeff\x0b" + MESSAGE + "\x1c\r", "hl7", 1),
        ("FHS|^~\\&|A\rBHS|^~\\&|A\r" + MESSAGE, "hl7", 3),
        (PATIENT, "fhir", 1),
        (f"\ufeff {PATIENT}\n{PATIENT}\n", "fhir", 2),
        (f"[{PATIENT},\n{PATIENT}]\n", "fhir", 2),
        ('{"id": "' + "7" * 3000 + '", "resourceType" : "Patient"}', "fhir", 1),
        ("Seen by Dr. Lee.\nMSH|", "text", 1),
        ("MSH: seen by Dr. Lee.", "text", 1),
        ("[Dr. Lee] {seen}", "text", 1),
        ("patient, id, date of the visit", "text", 1),
        ("<b>Dr. Lee</b>", "text", 1),
        ("PID|seen by Dr. Lee", "text", 1),
        ("", "text", 1),
    ],
)
def test_messages_and_resources_are_told_from_texts(
    data: str, format: str, documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, data)
    assert [detect_format("-"), detect_format("-")] == [format] * 2
    found = list(read_corpus("-"))
    assert len(found) == documents
    assert {each.metadata["source.format"] for each in found} == {format}
    if format == "text":
        assert found[0].text == data


def test_another_encoding_hides_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, MESSAGE.encode("utf-16-le"))
    assert detect_format("-", encoding="utf-16-le") == "hl7"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ('{"id": 1, "text": "Seen by Dr. Lee"}\n', "JSON"),
        ('[{"data": {"text": "Seen by Dr. Lee"}}]', "JSON"),
        ('<?xml version="1.0"?><deIdi2b2/>', "XML"),
        ("<NGRID_deId><TEXT>", "XML"),
        ("PID|1||77^^^HOSP^MR||LEE^ANN\rPV1|1|I\r", "HL7"),
        ("OBX|1|TX|1^Note||Seen by Dr. Lee\n", "HL7"),
        ("START_OF_RECORD=17||||3||||\nSeen\n", "nursing"),
        ("note_id,text\n1,Seen by Dr. Lee\n", "a table"),
        ('"patient_id";"note"\r\n1;Seen by Dr. Lee\r\n', "a table"),
    ],
)
def test_what_has_fields_is_no_text(data: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, data)
    with pytest.raises(FormatError, match=f"begins like .*{kind}.*--format") as caught:
        read_corpus("-")
    assert "Lee" not in str(caught.value)
    (document,) = read_corpus("-", format="text")
    assert document.text == data


def test_standard_input_that_is_closed_or_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Trickle):
        def readinto(self, buffer: Any, /) -> int:
            raise OSError(5, "Input/output error")

    stdin = SimpleNamespace(buffer=io.BufferedReader(Broken(b"")))
    monkeypatch.setattr("sys.stdin", stdin)
    with pytest.raises(InputError, match="standard input: cannot be read"):
        detect_format("-")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="standard input: is closed"):
        detect_format("-")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"PK\x03\x04\x14\0\0\0 Tranter", "a Word or Excel file, or a ZIP archive"),
        (b"%PDF-1.7\n%\xe2\xe3 Tranter", "a PDF"),
        (b"{\\rtf1\\ansi Tranter}", "an RTF file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 Tranter", "a file of an older Word or Excel"),
    ],
)
def test_files_of_office_programs_are_no_texts(
    data: bytes, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for encoding in (None, "cp1252"):
        pipe(monkeypatch, data)
        with pytest.raises(FormatError, match=f"is {what}, which is not read") as caught:
            detect_format("-", encoding=encoding)
        assert "encoding" not in str(caught.value)
        assert "Tranter" not in str(caught.value)


BINARY = (
    b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0\x90\xff\xfe\x81"
    + bytes(range(256)) * 8
)


def refusal(monkeypatch: pytest.MonkeyPatch, data: bytes, format: str, encoding: str) -> str:
    """Return the message for standard input of some bytes that do not decode."""
    stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data)))
    monkeypatch.setattr("sys.stdin", stdin)
    with pytest.raises(EncodingError) as caught:
        list(read_corpus("-", format=format, encoding=encoding))
    assert "scrubjay convert FILE" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("format", ["text", "csv", "jsonl"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_binary_on_standard_input_is_told_as_that(
    monkeypatch: pytest.MonkeyPatch, format: str, encoding: str
) -> None:
    told = refusal(monkeypatch, BINARY, format, encoding)
    assert "is binary, no text" in told
    assert "folder" not in told
    assert "cp1252" not in told


def test_the_encoding_that_failed_is_not_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    note = "Jos\xe9 caf\xe9, ".encode("cp1252") * 3
    for strange in (b"\x81", b"\x81\x93"):
        told = refusal(monkeypatch, note + strange, "text", "cp1252")
        assert "(cp1252?)" not in told
        assert "Find out in which encoding it was written" in told
    assert "(latin-1?)" in refusal(monkeypatch, note, "text", "utf-8")


def test_utf8_on_standard_input_is_to_be_read_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    told = refusal(monkeypatch, "José".encode(), "text", "latin-1")
    assert told.endswith("is UTF-8, not latin-1. Read it with --encoding utf-8")
