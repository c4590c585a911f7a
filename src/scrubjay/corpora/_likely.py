"""The encoding that a file most likely has which is not in the one that it is read in.

It is a guess for a message. One that would make other letters of names is worse than none: they
would not be found. So what is UTF-8 but for a few bytes is no latin-1, and where bytes stand inside
words that cp1252 has for punctuation, it is neither: they are letters of DOS or of an old Mac.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from scrubjay.corpora._mistaken import MOSTLY_UTF8, find_unicode, marked

LOOKED_AT = 1 << 24
"""The bytes around the first that does not decode that are looked at."""
UNKNOWN = ""

_LINES_TOLD = 5
_PAIR = 2
"""Characters at the head of a file whose every other byte tells UTF-16 without a mark."""
_CONTROLS = re.compile(rb"[\x80-\x9f]")  # no text of latin-1 has them
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")  # in cp1252
# Apostrophes, dashes and letters of cp1252 may stand between letters; these do not.
_LETTERS_OF_OTHERS = re.compile(
    rb"(?<=[A-Za-z])[\x80\x82\x84-\x89\x8b\x8e\x93-\x95\x98\x99\x9b\x9f](?=[a-z])"
)
_LETTERS = re.compile(rb"[\xc0-\xff]")  # of both, and of latin-9
# UTF-16 has some of them beside a space, for dashes and the like, and \x01 for letters.
_OF_NO_TEXT = re.compile(rb"(?<! )[\x02-\x06\x0e-\x19\x1c-\x1f](?! )")
_BINARY_SHARE = 0.04
_BINARY_LOOKED_AT = 1 << 16


def tell_lines(lines: Iterable[bytes]) -> str:
    """Return on which lines of a file bytes are not UTF-8, the first ones: "lines 3, 17 and 20".

    "" where all of it is. No line is read after those that are told.
    """
    found = list(islice(_not_utf8(lines), _LINES_TOLD + 1))
    if len(found) < 2:
        return "".join(f"line {number}" for number in found)
    *most, last = [str(number) for number in found[:_LINES_TOLD]]
    if len(found) > _LINES_TOLD:
        return f"lines {', '.join([*most, last])} and more"
    return f"lines {', '.join(most)} and {last}"


def _not_utf8(lines: Iterable[bytes]) -> Iterator[int]:
    for number, line in enumerate(lines, 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            yield number


def is_binary(head: bytes, around: bytes) -> bool:
    """Tell whether bytes are text in no encoding: many of them are in no text, such as NUL.

    UTF-16 and UTF-32 may have NUL, too, but at one in four places it is seldom there. `head` and
    `around` are those of `likely_encoding`.
    """
    piece = around[:_BINARY_LOOKED_AT]
    zeros = 4 * min(piece[place::4].count(0) for place in range(4))
    strange = zeros + len(_OF_NO_TEXT.findall(piece))
    return marked(head) is None and strange > _BINARY_SHARE * len(piece)


def likely_encoding(head: bytes, around: bytes) -> str:
    """Return the encoding of a file, `MOSTLY_UTF8` where it is that, or `UNKNOWN`.

    `head` are its first bytes, and `around` those around the first that does not decode; of a
    stream that cannot be read again neither is known.
    """
    if (name := marked(head)) is not None:
        return name.lower()
    pairs = head[: _PAIR * 2]
    if len(pairs) == _PAIR * 2 and not any(pairs[1::2]):
        return "utf-16-le"
    if len(pairs) == _PAIR * 2 and not any(pairs[::2]):
        return "utf-16-be"
    if (found := find_unicode((around,), "cp1252")) is not None:
        return found.lower() if found != MOSTLY_UTF8 else found
    if not _CONTROLS.search(around):
        return "latin-1" if around else "cp1252"
    strange = len(_UNDEFINED.findall(around)) + len(_LETTERS_OF_OTHERS.findall(around))
    return UNKNOWN if strange > len(_LETTERS.findall(around)) else "cp1252"
