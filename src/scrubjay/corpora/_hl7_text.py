"""Escape sequences of HL7 v2: the text that they stand for, and the same sequences again.

`\\F\\ \\S\\ \\T\\ \\R\\ \\E\\` are the delimiters, `\\.br\\` is a line end, and `~` between two
repetitions a line end with a carriage return before it. What stands for no text (highlighting,
indents, control characters) becomes a character that the message does not have, so that text ->
message gives back what message -> text took, character for character: one that ends a line where
the sequence does, else a space, so that the words beside it are read as words; one for highlighting
is passed over inside a word (`scrubjay.text.entities`). Hexadecimal data that are text become that
text: nothing may hide in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.errors import FormatError
from scrubjay.text.entities import UNSEEN_MARKS

_PRIVATE = tuple(map(chr, range(0xE000, 0xF8FF)))
_LINES = ("\u2028", "\x85", "\u2029", "\x0c")
_UNSEEN = tuple(UNSEEN_MARKS)
_SPACES = tuple("\u2008\u2009\u200a\u205f\u2000\u2001\u2002\u2003")
MARKS = frozenset((*_LINES, *_UNSEEN, *_SPACES, *_PRIVATE))
"""The characters that may stand for an escape sequence, where a message does not have them."""
_HEX = re.compile(r"X((?:[0-9A-Fa-f]{2})+)")
_LAYOUT = re.compile(r"[HN]|\.(?:sp|in|ti|fi|nf|ce|sk)\s?[+-]?[0-9]*|[CM][0-9A-Fa-f]{4,6}")
_BELOW = re.compile(r"\.(?:sp|in|ti|fi|nf|ce)|X(?:[0-9A-Fa-f]{2})*0[AaDd]")  # what ends a line
BREAK = ".br"


@dataclass(slots=True, repr=False)
class Delimiters:
    """The delimiters of one message, and what stands for escapes that are no text in it."""

    separator: str
    component: str
    repetition: str
    escape: str
    subcomponent: str
    marks: dict[str, str] = field(default_factory=dict)
    """Characters of `MARKS` -> the sequences that they stand for, delimiters included."""

    def decode(self, raw: str, taken: frozenset[str]) -> str:
        """Return the text of a field without components; `taken` are characters of the message."""
        escape, repetition = self.escape, self.repetition
        if not ((escape and escape in raw) or (repetition and repetition in raw)):
            return raw
        plain = self._plain()
        text: list[str] = []
        place = 0
        while place < len(raw):
            char = raw[place]
            end = raw.find(self.escape, place + 1) if char == self.escape else -1
            body = raw[place + 1 : end] if end > 0 else ""
            if char == self.repetition:
                text.append("\r\n")
            elif char != self.escape:
                text.append(char)
            elif body in plain:
                text.append(plain[body])
            elif found := _HEX.fullmatch(body):
                text.append(_from_hex(found[1]) or self._mark(raw[place : end + 1], taken))
            elif _LAYOUT.fullmatch(body):
                text.append(self._mark(raw[place : end + 1], taken))
            else:
                # No sequence that is known: what follows is text.
                text.append(self._mark(char, taken))
                end = place
            place = end + 1 if char == self.escape else place + 1
        return "".join(text)

    def encoder(self) -> Callable[[str], str]:
        """Return what gives a text with the sequences that stand for it."""
        # Without an escape character nothing may take the place of a delimiter or a line end.
        others = (self.separator, self.component, self.repetition, self.subcomponent, "\n")
        signs = dict.fromkeys(filter(None, others), " ")
        signs |= {
            value: f"{self.escape}{name}{self.escape}" for name, value in self._plain().items()
        }
        signs |= {**self.marks, "\r": self.repetition or " "}
        table = str.maketrans(signs)
        return lambda text: text.replace("\r\n", "\r").translate(table)

    def _plain(self) -> dict[str, str]:
        if not self.escape:
            return {}
        pairs = {
            "F": self.separator, "S": self.component, "T": self.subcomponent, "R": self.repetition,
            "E": self.escape, BREAK: "\n",
        }  # fmt: skip
        return {name: value for name, value in pairs.items() if value}

    def _mark(self, sequence: str, taken: frozenset[str]) -> str:
        for mark, known in self.marks.items():
            if known == sequence:
                return mark
        # A lone escape character may stand in the middle of a word.
        first = _LINES if _BELOW.match(sequence[1:]) else _SPACES if len(sequence) > 1 else ()
        if sequence[1:2] in ("H", "N"):  # highlighting parts no words
            first = (*_UNSEEN, *_SPACES)
        for mark in (*first, *_PRIVATE):
            if mark not in taken and mark not in self.marks:
                self.marks[mark] = sequence
                return mark
        raise FormatError("more escape sequences than can be told apart")


def _from_hex(digits: str) -> str:
    """Return hexadecimal data as text, "" where they are control characters alone."""
    data = bytes.fromhex(digits)
    if all(byte < 0x20 or byte == 0x7F for byte in data):
        return ""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_delimiters(segment: str) -> Delimiters | None:
    """Return the delimiters that a header segment (MSH, FHS, BHS) declares, None for a broken one.

    Components, repetitions, escapes and subcomponents may be left out from the end.
    """
    if len(segment) < 5:
        return None
    separator = segment[3]
    declared = segment[4:].split(separator, 1)[0]
    chars = [separator, *declared[:4], *[""] * (4 - len(declared))]
    given = [char for char in chars if char]
    if (
        not 1 <= len(declared) <= 5
        or len(set(given)) < len(given)
        or any(char.isalnum() or char.isspace() for char in given)
    ):
        return None
    return Delimiters(chars[0], chars[1], chars[2], chars[3], chars[4])


def split(raw: str, delimiter: str) -> list[str]:
    """Return what a delimiter parts: all as one where the message has no such delimiter."""
    return raw.split(delimiter) if delimiter else [raw]


def render_name(family: str, given: str, middle: str) -> str:
    """Return the parts of a name as one: `FAMILY, GIVEN MIDDLE`."""
    rest = " ".join(part for part in (given, middle) if part)
    return f"{family}, {rest}" if family and rest else family or rest


def split_name(text: str, shape: Mapping[str, int]) -> tuple[str, str, str]:
    """Return family, given and middle names of what a name became.

    `shape` tells the commas of the family name, and how many words the others had; what has
    another shape, such as a placeholder, goes to the first of them that there was.
    """
    family, rest = "", text
    if shape["family"]:
        pieces = text.split(", ")
        commas = shape["commas"] + 1
        family, rest = ", ".join(pieces[:commas]), ", ".join(pieces[commas:])
    words = rest.split(" ") if rest else []
    given, middle = shape["given"], shape["middle"]
    if not (given or middle):
        return text, "", ""
    if len(words) == given + middle:
        return family, " ".join(words[:given]), " ".join(words[given:])
    return (family, rest, "") if given else (family, "", rest)


def name_shape(family: str, given: str, middle: str) -> dict[str, int]:
    """Return what `split_name` needs to take the same name apart again."""
    counts: Sequence[int] = [len(part.split(" ")) if part else 0 for part in (given, middle)]
    return {
        "family": int(bool(family)),
        "commas": family.count(", "),
        "given": counts[0],
        "middle": counts[1],
    }
