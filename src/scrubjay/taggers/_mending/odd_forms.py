"""Identifiers in forms that taggers hardly know: "r.roe [at] x [dot] org", "2023-W14", "Иванова".

Each form is one that little but an identifier has: an e-mail address whose signs are spelled, the
address of a network device, a week of a year by ISO 8601, a day with a Roman month behind the key
of a birth, a year of two figures ("in '92"), letters of weekdays ("MWF"), the day in the name of a
file, names in letters of other scripts, and the name before an e-mail address in brackets. What was
found within one becomes one with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.taggers._mending.odd_form_table import BY_LANGUAGE, FORMS, Form, Labels
from scrubjay.taggers._mending.uncovered import Found, put_joined, touched_by

SOURCE = "odd-forms"
LABELS = {language: frozenset(labels) for language, labels in BY_LANGUAGE.items()}
"""All labels that the forms get, by language."""


def _rarest(near: str) -> str:
    """Return the sign of a part that texts have least: none of a word, or else a capital."""
    return next((s for s in near if not (s.isalnum() or s in " .-")), max(near, key=str.isupper))


def _sought(language: str) -> Iterator[tuple[str, str, tuple[Form, ...]]]:
    """Yield what is sought in the texts of a language, and the forms that it may belong to.

    Before each stands a sign of it: whether a text has one is told ten times as fast. What holds
    another part of the form is not sought.
    """
    forms: dict[str, list[Form]] = {}
    for form in FORMS:
        parts = (*form.near.get("", ()), *form.near.get(language, ()))
        for near in parts:
            if not any(part in near for part in parts if part != near):
                forms.setdefault(near, []).append(form)
    for near, some in forms.items():
        yield _rarest(near), near, tuple(some)


_FORMS = {language: tuple(_sought(language)) for language in BY_LANGUAGE}

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


def add_odd_forms(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with what has such a form.

    What was found within a form becomes one with it; what reaches beyond it stays as it is. `spans`
    are sorted and disjoint, and so are those that are returned.
    """
    rows: list[Span] | None = None
    for start, end, label in _forms(text, BY_LANGUAGE[language], language):
        rows = list(spans) if rows is None else rows
        held = touched_by(rows, start, end)
        last = touched_by(rows, end - 1, end)
        if held and (held.start < start or (held.start, held.end) == (start, end)):
            continue
        if last is None or last.end == end:
            put_joined(rows, start, end, label, SOURCE)
    return spans if rows is None else tuple(rows)


def _forms(text: str, labels: Labels, language: str) -> Iterator[Found]:
    for sign, near, forms in _FORMS[language]:
        if sign in text and (place := text.find(near)) >= 0:
            for form in forms:
                yield from _found(text, place, near, form, getattr(labels, form.label), language)
    if _may_hold_other_scripts(text):
        yield from ((*match.span(), labels.person) for match in _FOREIGN.finditer(text))
    if "<" in text:
        yield from _senders(text, labels.sender, language)


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
