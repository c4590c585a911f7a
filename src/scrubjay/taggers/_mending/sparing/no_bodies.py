"""Bodies and benefits without a name are no institution: "Centro Penitenciario", "IMV".

There is one in every town: what makes it a certain one is the name behind it (Spanish).
"""

from __future__ import annotations

import re

from scrubjay.document import Span

BODIES = frozenset({"INSTITUCION", "HOSPITAL", "CENTRO_SALUD"})

_ANY = re.compile(
    r"centro[ ]penitenciario|hospital[ ]de[ ]d[ií]a|cl[ií]nica[ ]del?[ ]dolor|"
    r"comisi[óo]n[ ]de[ ](?:docencia|tutelas?|calidad|mortalidad|farmacia|infecciones|tumores)|"
    r"comit[ée][ ]de[ ](?:[ée]tica|tumores|docencia|calidad|infecciones|trasplantes)|"
    r"escuela[ ]de[ ](?:cuidadores|espalda|pacientes|padres|familias|salud)|"
    r"banco[ ]de[ ](?:tumores|sangre|leche|ojos|tejidos|alimentos)|"
    r"unidad[ ]de[ ](?:salud[ ](?:bucodental|mental)|dolor|hemodin[áa]mica|reanimaci[óo]n|"
    r"cuidados[ ](?:paliativos|intensivos)|agudos)|"
    r"hospital[ ]day[ ]\d{1,2}|(?-i:IMV|RMI|LSE)",
    re.IGNORECASE,
)
_NAME_BEHIND = re.compile(r"[ ](?:del?[ ](?:l[ao]s?[ ])?)?(?-i:[A-ZÁÉÍÓÚÑ\"“«])")


def may_be_no_body(mention: str) -> bool:
    """Tell whether an institution is one of many, by its words."""
    return _ANY.fullmatch(mention) is not None


def is_no_body(text: str, span: Span) -> bool:
    """Tell whether no name stands behind one of many, nor a place."""
    return _NAME_BEHIND.match(text, span.end) is None
