"""Identifiers in forms that taggers hardly know: "r.roe [at] x [dot] org", "2023-W14", "Иванова".

Each form is one that little but an identifier has: an e-mail address whose signs are spelled, the
address of a network device, a week of a year by ISO 8601, a day with a Roman month behind the key
of a birth, a year of two figures ("in '92"), letters of weekdays ("MWF"), the day in the name of a
file, names in letters of other scripts, and the name before an e-mail address in brackets. What was
found within one becomes one with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scrubjay.document import Span
from scrubjay.features.lexicons import is_listed
from scrubjay.taggers._mending.uncovered import Found, put_joined, touched_by

SOURCE = "odd-forms"


class _Labels(NamedTuple):
    """The labels that a language gives to what the forms hold."""

    person: str
    sender: str
    date: str
    email: str
    device: str


_BY_LANGUAGE = {
    "en": _Labels("PATIENT", "DOCTOR", "DATE", "EMAIL", "DEVICE"),
    "nl": _Labels("NAME", "NAME", "DATE", "EMAIL", "ID"),
    "es": _Labels("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "FECHAS",
                  "CORREO_ELECTRONICO", "OTRO_NUMERO_IDENTIF"),
}  # fmt: skip
LABELS = {language: frozenset(labels) for language, labels in _BY_LANGUAGE.items()}
"""All labels that the forms get, by language."""


class _Form(NamedTuple):
    """A form: whose label it has, what any of it holds, itself, and how far it reaches from there.

    `near` are parts that a search of a text finds much faster than the form: those of all languages
    (""), and of some.
    """

    label: str
    near: Mapping[str, tuple[str, ...]]
    form: re.Pattern[str]
    before: int
    behind: int


_AT, _DOT = "(?:at|arroba)", "(?:dot|punto?)"
_SPELLED = _Form(
    "email",
    {"": ("[at]", "(at)"), "es": ("[arroba]", "(arroba)")},
    re.compile(
        rf"(?<![\w.+-])[\w.+-]{{1,64}}[ ]?(?:\[{_AT}\]|\({_AT}\))[ ]?[\w-]{{1,63}}"
        rf"(?:(?:\.|[ ]?(?:\[{_DOT}\]|\({_DOT}\))[ ]?)[\w-]{{1,63}}){{1,4}}",
        re.IGNORECASE,
    ),
    before=66, behind=200,
)  # fmt: skip
_HARDWARE = _Form(
    "device",
    {"": ("MAC", "mac ad")},
    re.compile(
        r"(?<![\w:-])[\da-f]{2}(?P<sign>[:-])(?:[\da-f]{2}(?P=sign)){4}[\da-f]{2}(?![\w:-])",
        re.IGNORECASE,
    ),
    before=0, behind=40,
)  # fmt: skip
_WEEK = _Form(
    "date",
    {"": ("-W",)},
    re.compile(r"(?<![\w-])(?:19|20)\d\d-W(?:0[1-9]|[1-4]\d|5[0-3])(?:-[1-7])?(?![\w-])"),
    before=4, behind=7,
)  # fmt: skip
_BORN = _Form(
    "date",
    {"en": (" b.", "born", "DOB"), "nl": ("geb",), "es": ("nac",)},
    re.compile(
        r"(?<!\w)(?:b|born|dob|geb|geboren|nac|nacid[oa])\.?[ :]{1,3}(?P<form>"
        r"(?:[12]\d|3[01]|0?[1-9])[ ./-](?:x(?:ii?)?|ix|i{1,3}|iv|vi{0,3})[ ./-]"
        r"(?:(?:19|20)\d\d|\d\d))(?!\w)",
        re.IGNORECASE,
    ),
    before=0, behind=30,
)  # fmt: skip
_YEAR = _Form(
    "date",
    {"": (" '", " ’")},
    re.compile(
        r"(?<!\w)(?:class[ ]of|in|since|until|till|from|lichting|sinds|tot|vanaf|en|desde|hasta|"
        r"(?:promoción|quinta|verano|invierno|otoño|primavera|año)(?:[ ]del?)?)"
        r"[ ](?P<form>['’]\d\d)(?![\w'’])",
        re.IGNORECASE,
    ),
    before=16, behind=5,
)  # fmt: skip
_WEEKDAYS = _Form(
    "date",
    {"en": ("MWF", "TTS", "TTh", "TTHS", "TuTh"), "es": ("LXV", "LMV", "MJS")},
    re.compile(
        r"(?:(?<![^\W_])(?=(?:MWF|TTh|TTHS|TThSa?|TuThSa?)(?![^\W_]))|"
        r"(?<![^\W_])(?i:i?hd|dialy\w{1,6}|hemodi[aá]lisis|di[aá]lisis|turno|pauta|comps?|mg)[ :]"
        r"(?=(?:TTS|LXV|LMV|MJS)(?![^\W_])))(?P<form>[^\W\d_]+)"
    ),
    before=16, behind=6,
)  # fmt: skip
_OF_A_FILE = _Form(
    "date",
    {"": ("_19", "_20")},
    re.compile(
        r"(?<=[a-z\d]_)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
        r"(?=(?:[_-][\w-]{1,40})?\.[a-z]{3,4}(?!\w))",
        re.IGNORECASE,
    ),
    before=0, behind=60,
)  # fmt: skip


def _rarest(near: str) -> str:
    """Return the sign of a part that texts have least: none of a word, or else a capital."""
    return next((s for s in near if not (s.isalnum() or s in " .-")), max(near, key=str.isupper))


_FORMS = {
    language: tuple(
        (_rarest(near), near, form)
        for form in (_SPELLED, _HARDWARE, _WEEK, _BORN, _YEAR, _WEEKDAYS, _OF_A_FILE)
        for near in (*form.near.get("", ()), *form.near.get(language, ()))
    )
    for language in _BY_LANGUAGE
}
"""What is sought in the texts of a language, and the form that it may belong to.

Before each stands a sign of it: whether a text has one is told ten times as fast.
"""

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
    for start, end, label in _forms(text, _BY_LANGUAGE[language], language):
        rows = list(spans) if rows is None else rows
        held = touched_by(rows, start, end)
        last = touched_by(rows, end - 1, end)
        if held and (held.start < start or (held.start, held.end) == (start, end)):
            continue
        if last is None or last.end == end:
            put_joined(rows, start, end, label, SOURCE)
    return spans if rows is None else tuple(rows)


def _forms(text: str, labels: _Labels, language: str) -> Iterator[Found]:
    for sign, near, form in _FORMS[language]:
        if sign in text and (place := text.find(near)) >= 0:
            yield from _found(text, place, near, form, getattr(labels, form.label))
    if _may_hold_other_scripts(text):
        yield from ((*match.span(), labels.person) for match in _FOREIGN.finditer(text))
    if "<" in text:
        yield from _senders(text, labels.sender, language)


def _found(text: str, place: int, near: str, form: _Form, label: str) -> Iterator[Found]:
    """Yield where a text has a form: around a part of it, and around each behind that place."""
    while place >= 0:
        match = form.form.search(text, max(0, place - form.before), place + form.behind)
        if match:
            yield *match.span("form" if "form" in form.form.groupindex else 0), label
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
