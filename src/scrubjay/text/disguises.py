"""Words in disguise: escapes, letters of a wrong encoding, and letters of other scripts.

Exports, mail and addresses of pages leave `Jos%C3%A9`, `M=C3=BCller`, `Jos\\u00e9` and `JosÃ©` in
texts, and a Cyrillic "а" looks like ours. This is a second look for what is known to be PHI: it
may read too much as a disguise, so that nobody reads a text by it alone.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from scrubjay.document import Span
from scrubjay.text.entities import Meant, read_entities
from scrubjay.text.misread import BYTE_OF, WRONG_LETTER, may_be_decoded_wrongly

_HEX = "[0-9A-Fa-f]"
_OF_MAIL = rf"[C-Fc-f]{_HEX}(?:=[89ABab]{_HEX})*|0[AaDd]|2{_HEX}|3[DdFf]|5[Ff]"
"""Bytes behind "=": plain letters and digits are not written so, and "HR=72" is none of it."""
_BYTES = re.compile(
    r"[%=\\](?:"  # the sign alone comes first, so that texts without it are passed over fast
    rf"(?<=%)(?P<percent>{_HEX}{{2}}(?:%{_HEX}{{2}})*+)"
    rf"|(?<==)(?P<mail>(?:{_OF_MAIL})(?:=(?:{_OF_MAIL}))*+)"
    r"|(?<==)(?P<soft>[ \t]*+\r?\n)"
    r"|(?<==)\?[\w.-]{1,40}\?[bB]\?(?P<base>[A-Za-z0-9+/]{2,100}={0,2})\?="
    rf"|(?<=\\)(?P<code>[uU]{_HEX}{{4}}(?:\\[uU]{_HEX}{{4}})*+|[uU]\{{{_HEX}{{1,6}}\}})"
    rf"|(?<=\\)(?P<octet>[x']{_HEX}{{2}}(?:\\[x']{_HEX}{{2}})*+)"
    r"|(?<=\\)(?P<rich>[uU]-?\d{3,5}\s?\?(?:\\[uU]-?\d{3,5}\s?\?)*+)"
    r")"
)
"""Escapes of addresses, of mail, of JSON and programs, of RTF, and whole words of mail heads."""
_SIGNS = "%=\\"
_PAIRS = re.compile(r"[0-9A-Fa-f]{2}")
_QUADS = re.compile(r"[0-9A-Fa-f]{4,6}|[0-9A-Fa-f]{1,3}(?=\})")
_NUMBERS = re.compile(r"-?\d+")

_MISREAD = re.compile(f"(?:{WRONG_LETTER})+")
"""UTF-8 of letters of Europe, and of marks, that was read as Latin-1 or as Windows does."""

_ALIKE_PAIRS = (
    ("аеорсухіјѕһԁԛԝӏкг", "aeopcyxijshdqwlkr"),
    ("АВЕКМНОРСТУХЅІЈԌԚԜҺӀ", "ABEKMHOPCTYXSIJGQWHI"),
    ("αβγηικνορτυχϲϳ", "abynikvoptuxcj"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("օոսհցզ", "onuhgq"),
    ("ɑɡɩıǀ", "agiil"),
)  # fmt: skip
_ALIKE = str.maketrans(
    {one: other for pair in _ALIKE_PAIRS for one, other in zip(*pair, strict=True)}
)
_MAY_BE_ALIKE = re.compile(f"[{''.join(map(chr, _ALIKE))}]")


@dataclass(frozen=True, slots=True, repr=False)
class Undisguised:
    """A text without its disguises, and the steps that led to it, each of which knows its places.

    Letters that look alike are changed one for one, so that they move nothing.
    """

    text: str
    steps: tuple[Meant, ...]

    def forth(self, spans: Iterable[Span]) -> list[Span]:
        """Return spans of the text that was read where they are in `text`; empty ones go."""
        moved = []
        for span in spans:
            start, end = span.start, span.end
            for step in self.steps:
                start, end = step.forth(start), step.forth(end)
            if start < end:
                moved.append(replace(span, start=start, end=end))
        return moved

    def back(self, span: Span) -> tuple[Span, ...]:
        """Return a span of `text` where it stood: in pieces where a line of a page ended."""
        spans: tuple[Span, ...] = (span,)
        for step in reversed(self.steps):
            spans = step.back(spans)
        return spans


def read_disguises(text: str) -> Undisguised | None:
    """Return a text without its disguises, None where it has none, as most have not."""
    steps: list[Meant] = []
    read = text
    for step in (read_entities, _read_bytes, _read_wrong):
        if (meant := step(read)) is not None:
            steps.append(meant)
            read = meant.text
    if not read.isascii() and _MAY_BE_ALIKE.search(read):
        read = read.translate(_ALIKE)
    return None if read == text else Undisguised(read, tuple(steps))


def _read_bytes(text: str) -> Meant | None:
    if not any(sign in text for sign in _SIGNS):
        return None
    return _read(text, _BYTES, _escaped)


def _read_wrong(text: str) -> Meant | None:
    if text.isascii() or not may_be_decoded_wrongly(text):
        return None
    return _read(text, _MISREAD, _misread)


def _read(
    text: str, pattern: re.Pattern[str], meaning: Callable[[re.Match[str]], str]
) -> Meant | None:
    pieces: list[str] = []
    places: list[tuple[int, int, int, int]] = []
    done = size = 0
    for match in pattern.finditer(text):
        meant = meaning(match)
        if meant == match[0]:
            continue
        pieces += [text[done : match.start()], meant]
        size += match.start() - done + len(meant)
        places.append((size - len(meant), size, match.start(), match.end()))
        done = match.end()
    return Meant("".join([*pieces, text[done:]]), tuple(places)) if places else None


def _escaped(match: re.Match[str]) -> str:
    """Return what an escape means, itself where it means nothing."""
    kind, found = match.lastgroup or "", match[0]
    if kind == "soft":
        return ""
    if kind in ("percent", "mail", "octet"):
        return _decoded(bytes(int(pair, 16) for pair in _PAIRS.findall(found)), found)
    if kind == "code":
        return _characters([int(digits, 16) for digits in _QUADS.findall(found)], found)
    if kind == "rich":
        return _characters([int(digits) % 65536 for digits in _NUMBERS.findall(found)], found)
    try:
        return _decoded(b64decode(match["base"]), found)
    except ValueError:
        return found


def _decoded(data: bytes, found: str) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return found


def _characters(codes: Sequence[int], found: str) -> str:
    """Return code points as text; pairs of halves are one character."""
    try:
        halves = "".join(map(chr, codes)).encode("utf-16-le", "surrogatepass")
        return halves.decode("utf-16-le")
    except (ValueError, OverflowError):
        return found


def _misread(match: re.Match[str]) -> str:
    try:
        return bytes(map(BYTE_OF.__getitem__, match[0])).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]
