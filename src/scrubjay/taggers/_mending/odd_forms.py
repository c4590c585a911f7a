"""Identifiers in forms that taggers hardly know: "r.roe [at] x [dot] org", "2023-W14", "Иванова".

Each form is one that little but an identifier has: an e-mail address whose signs are spelled, the
address of a network device, a week of a year by ISO 8601, a day with a Roman month behind the key
of a birth, a year of two figures ("in '92"), letters of weekdays ("MWF"), the day in the name of a
file, names in letters of other scripts, and the name before an e-mail address in brackets. What was
found within one becomes one with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import use_compiled
from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.taggers._mending.form_shape import Form
from scrubjay.taggers._mending.institutions import LANGUAGE as NAMED_IN
from scrubjay.taggers._mending.institutions import institution_names
from scrubjay.taggers._mending.odd_form_table import BY_LANGUAGE, FORMS, Labels
from scrubjay.taggers._mending.uncovered import Found, put_joined, touched_by

SOURCE = "odd-forms"
LABELS = {language: frozenset(labels) for language, labels in BY_LANGUAGE.items()}
"""All labels that the forms get, by language."""


EVERY = (1 << 64) - 1
"""The bits of all parts: a text may have any."""

INSTITUTED = 1 << 63
"""The bit of the names of institutions, in the language that has them; a part has it, too."""

_OFTEN = " etaoinsrhldcumfpgwybvkxjqz"
"""Signs of texts, the frequent ones first; others are rarer still."""

_KERNEL = ("taggers/_mending/odd_loop.py", "odd_loop")

_KEPT = 4096
"""Sets of parts that are remembered with their forms."""


def _sought(language: str) -> Iterator[tuple[str, tuple[Form, ...]]]:
    """Yield what is sought in the texts of a language, and the forms that it may belong to.

    What holds another part of the form is not sought.
    """
    forms: dict[str, list[Form]] = {}
    for form in FORMS:
        parts = (*form.near.get("", ()), *form.near.get(language, ()))
        for near in parts:
            if not any(part in near for part in parts if part != near):
                forms.setdefault(near, []).append(form)
    for near, some in forms.items():
        yield near, tuple(some)


_FORMS = {
    language: tuple(
        (1 << number % 64, near, forms) for number, (near, forms) in enumerate(_sought(language))
    )
    for language in BY_LANGUAGE
}
"""The bit of each part that is sought, the part, and its forms: some parts have a bit together."""


def _rarity(signs: Sequence[int]) -> int:
    """Return how rare some signs are in texts: the higher, the rarer."""
    return sum(_OFTEN.find(chr(sign)) if chr(sign) in _OFTEN else len(_OFTEN) for sign in signs)


FACTOR = 2_531
"""What the third of three signs is multiplied with, so that most have a place of their own."""


@cache
def _bits(
    language: str,
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    """Return the bits of parts of two signs, and those of others by the rarest four in a row.

    Those have a place by three of the four. Behind them are the signs of each place as one number,
    the fourth above the others; 0 stands for any, and so does a fourth that is 0.
    """
    pairs, threes = np.zeros((2, 1 << 16), np.uint64)
    known = np.zeros(1 << 16, np.uint32)
    parts = [(bit, near) for bit, near, _ in _FORMS.get(language, ())]
    if language == NAMED_IN:
        parts += [(INSTITUTED, name) for name in institution_names()]
    for bit, near in parts:
        signs = near.encode("latin-1", "replace")
        rarest = max((signs[at : at + 4] for at in range(max(1, len(signs) - 3))), key=_rarity)
        pair = rarest[0] << 8 | rarest[1]
        if len(rarest) == 2:
            pairs[pair] |= np.uint64(bit)
        else:
            place, own = pair ^ rarest[2] * FACTOR & 0xFFFF, pair << 8 | rarest[2]
            whole = own | rarest[3] << 24 if len(rarest) > 3 else own
            if threes[place] and known[place] != whole:
                whole = own if known[place] & 0xFFFFFF == own else 0
            known[place] = whole
            threes[place] |= np.uint64(bit)
    return pairs, threes, known


def find_odd_parts(joined: bytes, bounds: npt.NDArray[np.int64], language: str) -> list[int]:
    """Return the bits of the parts that each text may have, and all that it has are among them.

    `joined` are all texts in Latin 1 with a line break behind each, and more behind all of them.
    Text n begins at `bounds[n]` (texts + 1).
    """
    signs, (pairs, threes, known) = np.frombuffer(joined, np.uint8), _bits(language)
    held = np.zeros(len(bounds) - 1, np.uint64)
    if use_compiled(0, late=_KERNEL):
        from scrubjay.taggers._mending.odd_loop import odd_loop

        odd_loop(signs, bounds, pairs, threes, known, held)
    else:
        wide = signs.astype(np.uint16)
        pair, third = wide[:-3] << 8 | wide[1:-2], wide[2:-1]
        place, own = pair ^ third * np.uint16(FACTOR), pair.astype(np.uint32) << 8 | third
        told, fourth = known[place], known[place] >> 24
        is_own = (told & 0xFFFFFF == own) & ((fourth == 0) | (fourth == wide[3:])) | (told == 0)
        bits = pairs[pair] | np.where(is_own, threes[place], np.uint64(0))
        np.bitwise_or.reduceat(bits[: bounds[-1]], bounds[:-1], out=held)
    found: list[int] = held.tolist()
    return found


_WITH_CASE = r"[\u0386-\u03ab\u0400-\u042f\u0531-\u0556][\u0370-\u03ff\u0400-\u052f\u0531-\u058f]"
_WITHOUT_CASE = (
    r"[\u0590-\u08ff\u0900-\u0eff\u10a0-\u11ff\u1200-\u137f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
    r"\uac00-\ud7af]"
)
_FOREIGN = re.compile(
    rf"(?<!\w)(?:{_WITH_CASE}{{2,40}}|{_WITHOUT_CASE}{{2,40}})"
    rf"(?:[ -](?:{_WITH_CASE}{{1,40}}|{_WITHOUT_CASE}{{1,40}})){{0,4}}(?![\w:])"
)
"""Words in Greek, Cyrillic and Armenian that begin with a capital, and in scripts without capitals.

A single Greek letter is none ("α-blocker"), nor is what stands before a colon, which is a key.
"""
_ADDRESS = re.compile(r"<[\w.+-]{1,64}@[\w-]{1,63}\.")
_WORD = r"[^\W\d_]['’]?[^\W\d_]{0,30}(?:-[^\W\d_]{1,30})?\.?"
_SENDER = re.compile(rf"(?<![\w.-])(?P<name>{_WORD}(?:,?[ ]{_WORD}){{1,3}})[ ]\Z")
_LONGEST_NAME = 100

_LITTLE = ("latin-1", "cp1252")
"""Encodings that hold the signs of nearly all notes, and no other script; the first is faster."""


def add_odd_forms(
    text: str, spans: tuple[Span, ...], language: str, parts: int = EVERY
) -> tuple[Span, ...]:
    """Return the spans of a text with what has such a form.

    `parts` are the bits of the parts that the text may have (`find_odd_parts`).

    What was found within a form becomes one with it; what reaches beyond it stays as it is. `spans`
    are sorted and disjoint, and so are those that are returned.
    """
    rows: list[Span] | None = None
    for start, end, label in _forms(text, BY_LANGUAGE[language], language, parts):
        rows = list(spans) if rows is None else rows
        held = touched_by(rows, start, end)
        last = touched_by(rows, end - 1, end)
        if held and (held.start < start or (held.start, held.end) == (start, end)):
            continue
        if last is None or last.end == end:
            put_joined(rows, start, end, label, SOURCE)
    return spans if rows is None else tuple(rows)


def _forms(text: str, labels: Labels, language: str, parts: int) -> Iterator[Found]:
    for near, forms in _asked(language, parts):
        if (place := text.find(near)) >= 0:
            for form in forms:
                yield from _found(text, place, near, form, getattr(labels, form.label), language)
    if _may_hold_other_scripts(text):
        yield from ((*match.span(), labels.person) for match in _FOREIGN.finditer(text))
    if "<" in text:
        yield from _senders(text, labels.sender, language)


@lru_cache(_KEPT)
def _asked(language: str, parts: int) -> tuple[tuple[str, tuple[Form, ...]], ...]:
    """Return the parts of some bits, and the forms of each."""
    return tuple((near, forms) for bit, near, forms in _FORMS[language] if parts & bit)


def _found(
    text: str, place: int, near: str, form: Form, label: str, language: str
) -> Iterator[Found]:
    """Yield where a text has a form: around a part of it, and around each behind that place."""
    while place >= 0:
        match = form.form.search(text, max(0, place - form.before), place + form.behind)
        if match:
            start, end = match.span("form" if "form" in form.form.groupindex else 0)
            if form.check is None or form.check(text[start:end], language):
                yield start, end, label
        place = text.find(near, place + 1)


def _senders(text: str, label: str, language: str) -> Iterator[Found]:
    """Yield the names before addresses in angle brackets; a word of each is a first name."""
    lists = f"{language}.first-names", "world.first-names"
    for address in _ADDRESS.finditer(text):
        begin = max(0, address.start() - _LONGEST_NAME)
        match = _SENDER.search(text[begin : address.start()])
        if match and any(is_listed(word, *lists) for word in re.split(",?[ ]", match["name"])):
            yield begin + match.start("name"), begin + match.end("name"), label


def _may_hold_other_scripts(text: str) -> bool:
    """Tell whether a text has signs of no Western encoding, much faster than a search."""
    if text.isascii():
        return False
    for encoding in _LITTLE:
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            continue
        return False
    return True
