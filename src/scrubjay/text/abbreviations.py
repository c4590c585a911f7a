"""What a period after a word means, in English, Spanish and Dutch.

The words themselves are data: `abbreviations.txt`, beside this file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

_REACH = 40  # characters looked back from a period
_OPENERS = re.compile(r""".*[:;,(\[{<>=+"“”‘«»¿¡–—-]""", re.DOTALL)
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
_ENUMERATOR = re.compile(r"\d{1,2}|[IVX]{1,4}")


@cache
def abbreviations() -> Mapping[str, str]:
    """Return each listed word, in lower case and without its final period, with its group."""
    listing = resources.files("scrubjay.text").joinpath("abbreviations.txt")
    groups: dict[str, str] = {}
    group = ""
    for line in listing.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            group = line.strip("[]").split()[0]
        elif not line.startswith("#"):
            groups.update((word, group) for word in line.split())
    return MappingProxyType(groups)


def keeps_period(word: str) -> bool:
    """Tell whether a period right after `word` always belongs to its token.

    True for the abbreviations that never end a sentence and for letters with periods between
    them (`M.D`). A single letter parts from its period: it may be an initial or the last word.
    """
    word = unicodedata.normalize("NFC", word)
    if abbreviations().get(word.casefold()) in ("title", "inner"):
        return True
    return len(word) > 1 and bool(_INITIALS.fullmatch(word))


def period_group(text: str, period: int) -> str:
    """Return what the word before the period at that offset is.

    One of "title", "inner", "number" and "closing" (the groups of the list), "initial" (a
    letter, or letters with periods between them), "item" (the number of a list item, at the
    start of a line or after a colon) or "" (an ordinary word).
    """
    before = text[max(0, period - _REACH) : period]
    if not before or before[-1].isspace():
        return ""
    if not before.isascii():
        before = unicodedata.normalize("NFC", before)
    parts = before.rsplit(None, 1)
    piece = parts[-1]
    if not piece.isalnum():
        opener = _OPENERS.match(piece)
        piece = piece[opener.end() :] if opener else piece
    group = abbreviations().get(piece.casefold(), "")
    if group and group != "lettered":
        # `0.5 ms.` and `6 ft.` are units; a title has no number before it.
        ahead = parts[0].rstrip()[-1:] if len(parts) == 2 else ""
        return "" if piece.islower() and ahead.isdigit() else group
    if len(piece) > 2 and piece.isalpha() and not piece.isupper():
        return ""
    if _INITIALS.fullmatch(piece):
        words = parts[0].split() if len(parts) == 2 else []
        lettered = bool(words) and abbreviations().get(words[-1].casefold()) == "lettered"
        return "" if lettered and len(piece) == 1 else "initial"
    if _ENUMERATOR.fullmatch(piece):
        ahead = before[: -len(piece)].rstrip(" \t(")
        return "item" if not ahead or ahead[-1] in "\n\r:" else ""
    return ""
