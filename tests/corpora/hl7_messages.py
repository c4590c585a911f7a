"""Messages of HL7 v2 for tests, and how their documents are read and edited."""

from __future__ import annotations

import tempfile
from pathlib import Path

from scrubjay.corpora import read_corpus
from scrubjay.corpora.hl7 import read, render_message
from scrubjay.corpora.source import Source
from scrubjay.document import Document

MSH = "MSH|^~\\&|LAB|WARD 7|EHR|NORTH|20240305101500-0500||ORU^R01|M1|P|2.5.1"
MESSAGE = "\r".join(
    [
        MSH,
        "PID|1||00481516^^^HOSP^MR~77^^^^PI||TRANTER^ADA^Q^^Ms||19560304|F|||48 Marlow Street^Apt 3"
        "^Port Ellery^NY^40213||(555)010-0147",
        "NK1|1|ROE^TOM^^Jr|SPO",
        "PV1|1|I|W7^12^B||||1234^HOLLOWELL^JOHN^^^Dr",
        "OBX|1|TX|11506-3^Progress note^LN||Ms. Tranter, seen by Dr. Hollowell.\\.br\\BP 120\\S\\80"
        " \\T\\ \\H\\well\\N\\~Next \\E\\ line||||||F",
        "OBX|2|NM|2345-7^Glucose^LN||95|mg/dL|70-99||||F|||202403",
        'NTE|1||a^b & c \\X4A6F\\ \\X0D0A\\ C:\\temp|""',
        "",
    ]
)


def documents(folder: Path, text: str, **options: str) -> list[Document]:
    """Read a file of messages."""
    (folder / "m.hl7").write_bytes(text.encode())
    return list(read_corpus(folder / "m.hl7", format="hl7", **options))


def parts(document: Document) -> dict[str, list[str]]:
    """Return the texts of a document by the name of their field."""
    found: dict[str, list[str]] = {}
    for part in document.metadata["record.parts"]:
        found.setdefault(part["name"], []).append(document.text[part["start"] : part["end"]])
    return found


def edited(document: Document, **new: str) -> str:
    """Return the message with other texts in the fields of these names, `-` written as `_`."""
    separator = document.metadata["source.separator"]
    told = document.metadata["record.parts"]
    texts = [
        new.get(part["name"].replace("-", "_"), document.text[part["start"] : part["end"]])
        for part in told
    ]
    changed = Document(document.id, separator.join(texts), (), document.metadata)
    return render_message(changed)


def result(kind: str, value: str, test: str = "2345-7^Glucose^LN") -> str:
    """Return a message about Ada Tranter with one result of a type."""
    return f"{MSH}\rPID|1||00481516^^^HOSP^MR||TRANTER^ADA^Q\rOBX|1|{kind}|{test}||{value}||||||F\r"


def read_messages(text: str, **options: str) -> list[Document]:
    """Read messages as the format itself does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.hl7"
        path.write_bytes(text.encode())
        return list(read(Source(path, "m.hl7", "m"), **options))
