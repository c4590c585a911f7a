"""Letters that an export spoiled: UTF-8 read in a wrong encoding, escaped letters, lost letters.

`MuÃ±oz`, `Mu\\u00f1oz`, `Mu=C3=B1oz` and `Mu\ufffdoz` are read as the name that they were. Only
what can hardly be anything else is: letters beyond ASCII, and the marks of a page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SIGNS = {byte: bytes([byte]).decode("cp1252", "ignore") for byte in range(0x80, 0x100)}
BYTE_OF = {sign: byte for byte, sign in _SIGNS.items() if sign} | {
    chr(byte): byte for byte in range(0x80, 0x100)
}
"""The byte that each sign was, read as Latin-1 or as Windows does."""
_FOLLOWING = "".join(re.escape(sign) for sign, byte in BYTE_OF.items() if byte < 0xC0)
WRONG_LETTER = f"[\u00c2-\u00c6\u00c8][{_FOLLOWING}]|[\u00e1\u00e2][{_FOLLOWING}]{{2}}"
"""UTF-8 of a letter of Europe, or of a mark, that was read so."""
_LOST = "\ufffd"
"""What stands where a byte was none of the encoding."""
_LEADING = "\u00c3\u00c2\u00e2\u00c4\u00c5\u00c6\u00c8"
"""Signs of spoiled letters that hardly stand in others."""
_SPOILED_A = re.compile(f"\u00e1[{_FOLLOWING}]{{2}}")
"""Spoiled letters whose first sign stands in every Spanish text."""
_LETTER = r"[^\W\d_]"
_UTF8 = r"{0}[Cc][2-6]{0}[89ABab][0-9A-Fa-f]"
_ESCAPES = (
    _UTF8.format("=") + "|" + _UTF8.format("%"),
    r"\\[uU]00[A-Fa-f][0-9A-Fa-f]|\\[uU]01[0-7][0-9A-Fa-f]|\\[uU]20[01][0-9A-Fa-f]",
    r"\\[x'][A-Fa-f][0-9A-Fa-f]",
    r"\\u(?:1[6-9]\d|2\d\d|3[0-7]\d|82[01]\d) ?\?",  # of RTF, with what others may show for it
)
MISREAD = (
    rf"(?P<misread>{WRONG_LETTER}"
    rf"|\u00c3{_LOST}"
    rf"|{'|'.join(_ESCAPES)}"
    rf"|{_LOST}(?:(?<={_LETTER}{_LOST})|(?<={_LETTER}{_LOST}{_LOST})|(?=[a-zß-ÿ])))"
)
"""Finds spoiled letters, one at a time, as the group `misread`."""


def may_be_misread(text: str) -> bool:
    """Tell whether a text may hold spoiled letters; most do not, and this is a quick look."""
    if "\\" in text or "=C" in text or "%C" in text or "=c" in text or "%c" in text:
        return True
    return not text.isascii() and (_LOST in text or may_be_decoded_wrongly(text))


def may_be_decoded_wrongly(text: str) -> bool:
    """Tell whether a text may hold UTF-8 that was read in a wrong encoding, by a quick look."""
    return any(sign in text for sign in _LEADING) or _SPOILED_A.search(text) is not None


def read_misread(found: str, *, begins: bool) -> str:
    """Return what a spoiled letter was, itself where that is no letter and no mark of a page.

    A lost letter is some letter: nobody knows which; one that `begins` a word may be a capital.
    """
    if found[-1] == _LOST:
        return "\u00c1" if begins or len(found) > 1 else "\u00e9"
    if found[0] in "=%":
        return _decoded([int(found[1:3], 16), int(found[4:6], 16)], found)
    if found[0] != "\\":
        return _decoded([BYTE_OF[sign] for sign in found], found)
    if found[-1] == "?":
        return chr(int(found[2:-1]))
    code = int(found[2:], 16)
    return chr(code) if found[1] in "uU" else bytes([code]).decode("cp1252", "replace")


def _decoded(codes: Sequence[int], found: str) -> str:
    try:
        return bytes(codes).decode("utf-8")
    except UnicodeDecodeError:
        return found
