"""Files of Word, Excel and the like, which no reader knows: what they are, and what to do.

Text is made of them by programs that know them. Nobody should be sent to name the format of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_HEAD = 16
_PLAIN = re.compile(rb"[\t\r\n -~\x80-\xff]*")
_ZIP = b"PK\x03\x04"
_RTF, _PDF, _OLD = b"{\\rtf", b"%PDF-", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_TEXT = (
    "Save it as plain text in UTF-8; LibreOffice does so for many at once (soffice, its option "
    "convert-to). Look whether headers, footers, text boxes and comments came along"
)
_PACKED = "Save it as plain text, or a sheet as CSV UTF-8, or unpack it"
_SHEET = "Save the sheet with the notes as CSV UTF-8, and give that"
_PAGES = "Make text of it, such as with pdftotext; a scan needs text recognition first"

_BY_SUFFIX: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys([".doc", ".docx", ".docm", ".dot", ".dotx"], ("a Word file", _TEXT)),
    **dict.fromkeys(
        [".odt", ".ott", ".wpd", ".wps", ".pages"], ("a file of a word processor", _TEXT)
    ),
    ".rtf": ("an RTF file", _TEXT),
    **dict.fromkeys([".xls", ".xlsx", ".xlsm", ".xlsb"], ("an Excel file", _SHEET)),
    **dict.fromkeys([".ods", ".numbers"], ("a spreadsheet", _SHEET)),
    ".pdf": ("a PDF", _PAGES),
}
_BY_HEAD: Mapping[bytes, tuple[str, str]] = {
    _RTF: ("an RTF file", _TEXT),
    _PDF: ("a PDF", _PAGES),
    _OLD: ("a file of an older Word or Excel", "Save it as plain text, or a sheet as CSV UTF-8"),
}


def office_kind(path: Path) -> tuple[str, str] | None:
    """Return what a file of an office program is, and what to do; None for all others.

    Its head tells it, whatever its name, else its suffix, but where it begins as text does: some
    programs call a note `.doc`. Raises `OSError` where it cannot be read.
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    named = None if _PLAIN.fullmatch(head) else _BY_SUFFIX.get(path.suffix.lower())
    return office_head(head) or named


def has_office_name(name: str) -> bool:
    """Tell whether a file is called like one of an office program."""
    return Path(name).suffix.lower() in _BY_SUFFIX


def office_head(head: bytes) -> tuple[str, str] | None:
    """Return what `office_kind` does, by the first bytes alone."""
    head = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    return next((kind for mark, kind in _BY_HEAD.items() if head.startswith(mark)), None)


def foreign_head(head: bytes) -> tuple[str, str] | None:
    """Return what `office_head` does, for archives too, as which newer files of Word are stored."""
    if head.startswith(_ZIP):
        return "a Word or Excel file, or a ZIP archive", _PACKED
    return office_head(head)
