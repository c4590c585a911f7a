"""Letter case of replacements: names from lower-case lists, shaped like what they replace."""

from __future__ import annotations

import re
from functools import lru_cache

from scrubjay.text.particles import COMMON

# Words that stay lower case inside a name of several words.
SMALL_WORDS = COMMON | {
    "el", "y", "i", "e", "do", "dos", "des", "of", "the", "and", "on", "upon", "under", "in", "at",
    "by", "for", "aan", "het", "op", "bij", "te", "en", "'s", "'t", "le", "al",
}  # fmt: skip
_GAP = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*")


def display(entry: str) -> str:
    """Return a lower-case entry as it is written: "san josé de ocoa" -> "San José de Ocoa"."""
    if " " not in entry:
        return _capitalised(entry)
    words = entry.split(" ")
    return " ".join(
        word if index and word in SMALL_WORDS else _capitalised(word)
        for index, word in enumerate(words)
    )


display_known = lru_cache(maxsize=8_192)(display)  # entries of tables alone, as `_capitalised`
"""`display`, remembered."""


def restyle(replacement: str, like: str) -> str:
    """Return a lower-case replacement in the case of what it replaces.

    Upper case of two letters or more stays upper case, lower case stays lower case, and all
    else becomes the usual spelling of a name.
    """
    if like.islower():
        return replacement.lower()
    upper = like.isupper() and sum(map(str.isalpha, like)) > 1
    return replacement.upper() if upper else display(replacement)


def recase(replacement: str, like: str) -> str:
    """Return a replacement in its usual spelling as it is, or in the case of what it replaces.

    Where that is upper case (two letters or more) or lower case throughout, so is the result.
    """
    if like.islower():
        return replacement.lower()
    upper = like.isupper() and sum(c.isalpha() for c in like) > 1
    return replacement.upper() if upper else replacement


def keep_spaces(replacement: str, like: str) -> str:
    """Return the replacement with the white space of `like` between its words.

    So a mention that runs over a line end still does, where the replacement has words enough.
    """
    if " " not in replacement:
        return replacement
    gaps = _GAP.findall(like.strip())
    words = replacement.split(" ")
    if all(gap == " " for gap in gaps):
        return replacement
    gaps = sorted(gaps, key=lambda gap: gap == " ") if len(gaps) >= len(words) else gaps
    gaps += [" "] * len(words)
    return "".join(
        word + gap for word, gap in zip(words, [*gaps[: len(words) - 1], ""], strict=True)
    )


# Words of replacements, which come from tables: no text of a document is remembered.
@lru_cache(maxsize=8_192)
def _capitalised(word: str) -> str:
    if word.isalpha():
        return _capital(word)
    parts = list(_WORD.finditer(word))
    result, position = [], 0
    for index, part in enumerate(parts):
        found = part.group()
        before = word[position : part.start()]
        # "'s-hertogenbosch" and "o'brien's" keep their small letters after the apostrophe.
        small = before.endswith(("'", "’")) and len(found) == 1
        result.append(before + (found if small or _is_tail(word, index) else _capital(found)))
        position = part.end()
    return "".join(result) + word[position:]


def _is_tail(word: str, index: int) -> bool:
    pieces = word.split("-")
    return 0 < index < len(pieces) and pieces[index] in SMALL_WORDS


def _capital(word: str) -> str:
    if word.startswith("mc") and len(word) > 4:
        return "Mc" + word[2].upper() + word[3:]
    if word.startswith("ij"):
        return "IJ" + word[2:]
    return word[0].upper() + word[1:]
