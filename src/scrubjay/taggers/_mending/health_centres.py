"""What a place of care is called by tells that it is a health centre: "Cesfam Queule" (Spanish).

Each country has words and letters of its own for them, and a model that has seldom seen one takes
the place for a hospital or for any institution.
"""

from __future__ import annotations

import re
from dataclasses import replace

from scrubjay.document import Span

OTHERS = frozenset({"HOSPITAL", "INSTITUCION"})
CENTRE = "CENTRO_SALUD"

_CENTRE = re.compile(
    r"(?:cesfam|cecosf|caps|csmi?j?|umf|cis|eap|consultorio|ambulatorio|salita|posta[ ]rural|"
    r"(?:sub)?centro[ ]de[ ]salud|(?:posta|puesto)[ ]de[ ]salud)[ ](?=[\w\"«“])",
    re.IGNORECASE,
)


def may_be_centre(mention: str, label: str) -> bool:
    """Tell whether a hospital or an institution is called as a health centre."""
    return label in OTHERS and _CENTRE.match(mention) is not None


def label_centre(text: str, span: Span) -> Span:
    """Return such a span as a health centre, any other as it is."""
    is_centre = may_be_centre(text[span.start : span.end], span.label)
    return replace(span, label=CENTRE) if is_centre else span
