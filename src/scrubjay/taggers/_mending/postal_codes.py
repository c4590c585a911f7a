"""Postal codes behind their keys: "Postcode: 3995", "zip: 10027-1234", "<postalCode>4000</".

A tagger takes some of them for another number, or for nothing where no town stands beside them
(English, Dutch). Behind a town, whatever it was taken for, a code of Britain in capitals needs no
key: "Paisley PA3 3SD".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.document import Span
from scrubjay.taggers._mending.uncovered import put_joined, touched_by

SOURCE = "postal-code"
LABELS = {"en": "ZIP", "nl": "ADDRESS"}
"""The label of a postal code, by language."""

_KEY = (
    r"(?:post(?:al)?[ _-]?code|(?<![\w/])(?:p[./]code|zip(?:[ -]?code)?))"
    r"[ \t]{0,3}(?:[\"']?[:#=|>][ \t]{0,3}[\"']?|(?<=[ \t]))(?:is[ ])?"
)
_FORMS = {
    "en": r"\d{5}(?:-\d{4})?|\d{4}|[A-Z]{1,2}\d[A-Z\d]?[ ]?\d[A-Z]{2}|[A-Z]\d[A-Z][ -]?\d[A-Z]\d|"
          r"[A-Z]\d[\dW][ ][A-Z\d]{4}",
    "nl": r"\d{4}(?:[ ]?[A-Z]{2})?|\d{5}",
}  # fmt: skip
"""Codes of the United States, Australia, Britain, Canada and Ireland, and of the Low Countries."""

_BEHIND = r"[\w-]|[./]\d|[ ]?(?:m[lg]|[mk]?cg|cc|units?|eenheden|iu|ie|hrs?|hours?)(?!\w)"
"""What stands behind no postal code: what goes on with it, and units ("post code 2000 ml")."""

_CODES = {
    language: re.compile(rf"{_KEY}(?P<code>(?-i:{forms}))(?!{_BEHIND})", re.IGNORECASE)
    for language, forms in _FORMS.items()
}
_OUTWARD = (
    "AB|AL|B|BA|BB|BD|BH|BL|BN|BR|BS|BT|CA|CB|CF|CH|CM|CO|CR|CT|CV|CW|DA|DD|DE|DG|DH|DL|DN|DT|DY|E|EC|"
    "EH|EN|EX|FK|FY|G|GL|GU|HA|HD|HG|HP|HR|HS|HU|HX|IG|IP|IV|KA|KT|KW|KY|L|LA|LD|LE|LL|LN|LS|LU|M|ME|"
    "MK|ML|N|NE|NG|NN|NP|NR|NW|OL|OX|PA|PE|PH|PL|PO|PR|RG|RH|RM|S|SA|SE|SG|SK|SL|SM|SN|SO|SP|SR|SS|ST|"
    "SW|SY|TA|TD|TF|TN|TQ|TR|TS|TW|UB|W|WA|WC|WD|WF|WN|WR|WS|WV|YO|ZE"
)
"""How the codes of British towns begin."""

_BRITISH = re.compile(rf"[ ](?P<code>(?:{_OUTWARD})\d[A-Z\d]?[ ]\d[ABD-HJLNP-UW-Z]{{2}})(?![\w-])")
_TOWNS = frozenset({"PATIENT", "DOCTOR", "CITY", "STATE", "HOSPITAL", "ORGANIZATION", "STREET"})
_ENGLISH = "en"
_ENDS = tuple(
    re.compile(rf"{end}[ \t:#=|>\"']{{1,8}}(?:is )?[A-Z\d]")
    for end in ("ode", "ODE", "zip", "Zip", "ZIP")
)
"""How keys end before a code, each with letters first: a text without any is passed over fast."""


def add_postal_codes(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the postal codes that stand behind a key.

    What was found within one becomes one with it; what reaches beyond it stays as it is. `spans`
    are sorted and disjoint, and so are those that are returned.
    """
    has_key = any(end.search(text) for end in _ENDS)
    behind = list(_behind_towns(text, spans)) if language == _ENGLISH else []
    if not has_key and not behind:
        return spans
    rows = list(spans)
    for found in (*behind, *(_CODES[language].finditer(text) if has_key else ())):
        start, end = found.span("code")
        held = touched_by(rows, start, end)
        last = touched_by(rows, end - 1, end)
        if (held and held.start < start) or (last and last.end > end):
            continue
        if held is None or (held.start, held.end, held.label) != (start, end, LABELS[language]):
            put_joined(rows, start, end, LABELS[language], SOURCE)
    return tuple(rows) if rows != list(spans) else spans


def _behind_towns(text: str, spans: tuple[Span, ...]) -> Iterator[re.Match[str]]:
    for span in spans:
        if span.label in _TOWNS and text[span.start].isupper():
            found = _BRITISH.match(text, span.end)
            if found is not None:
                yield found
