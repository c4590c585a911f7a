"""Passwords behind a key are found whole, and as numbers of somebody: "clave: Naranja-22".

A tagger has seen letters, a hyphen and two figures in dates alone, and takes a password for one, or
for a town or a name (Spanish). Behind the key of a password it is what somebody signs in with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Span

_LABEL = "OTRO_NUMERO_IDENTIF"
_TAKEN_FOR = frozenset([
    "FECHAS", "TERRITORIO", "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO",
    "INSTITUCION", "ID_SUJETO_ASISTENCIA", "CALLE", "PROFESION", "HOSPITAL", "URL_WEB",
    "NUMERO_TELEFONO", "ID_CONTACTO_ASISTENCIAL", _LABEL,
])  # fmt: skip
_AROUND = 64
"""Characters before a mention in which its key begins."""

_OF = (
    r"(?:[ ](?:de|del)[ ](?:la[ ]|el[ ]|su[ ])?(?:app|aplicaci[óo]n|portal|web|correo|wifi|acceso|"
    r"paciente|usuario))?"
)
_KEY = re.compile(
    rf"(?<!\w)(?:contrase[ñn]a|password|passwd|pwd|(?<!palabras[ ])(?<!palabra[ ])clave){_OF}"
    r"(?:[ ](?:temporal|provisional|nueva|actual|inicial|antigua)){0,2}"
    r"(?:[ ]?[:=][ ]{0,3}|[ ](?:es|era|será|a)[ ]|[ ])[\"“«']?\Z",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?=[\w.$!#*-]{0,30}[^\W\d_])(?=[\w.$!#*-]{0,30}\d)[\w.$!#*-]{4,32}")
_DAY = re.compile(r"\d{1,2}[-.][^\W\d_]{3,10}[-.]\d{2,4}")


def may_be_secret(mention: str, label: str) -> bool:
    """Tell whether a mention is of one word that may be a password or a piece of one."""
    return label in _TAKEN_FOR and mention.find(" ") < 0 and _DAY.fullmatch(mention) is None


def find_secrets(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a text, passwords behind their keys whole and with the label of such.

    Spans that lie within one are a part of it. One that goes on behind ends it: spans that are
    sorted and disjoint stay so.
    """
    rows: list[Span] = []
    for number, span in enumerate(spans):
        if rows and span.end <= rows[-1].end:
            continue
        if may_be_secret(text[span.start : span.end], span.label) and (
            word := _find_word(text, span)
        ):
            end = word.end()
            while end > span.end and text[end - 1] in ".-":
                end -= 1  # of the sentence
            beyond = (after.start for after in spans[number + 1 :] if after.end > end)
            end = max(span.end, min(end, next(beyond, end)))
            span = replace(span, end=end, label=_LABEL)
        rows.append(span)
    return tuple(rows)


def _find_word(text: str, span: Span) -> re.Match[str] | None:
    """Return the password that a mention begins, none where it is something else."""
    word = _WORD.match(text, span.start)
    if word is None or word.end() < span.end:
        return None
    key = _KEY.search(text[max(0, span.start - _AROUND) : span.start])
    return word if key else None
