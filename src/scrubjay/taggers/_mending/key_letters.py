"""The first letter of a key is no initial of the name before it: "Ana Gil F. nacimiento: 3/4/1960".

In Spanish forms keys are shortened to a letter ("F. nac.", "H. clínica", "C. postal"), which looks
like an initial behind a name, or like somebody's sex. What follows tells. What was covered but the
letter and the marks before it stays covered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.taggers._mending.label_groups import PERSONS

_LABELS = PERSONS | {"SEXO_SUJETO_ASISTENCIA"}
_LAST = frozenset("FHNCTfhnct.")
_SEX_KEY = re.compile(r"sexo?[ ]?:[ ]{0,2}\Z", re.IGNORECASE)
_LETTER = re.compile(r"(?:\A|[\s.,;]{1,3})(?P<letter>[FHNCTfhnct])\.?\Z")
_KEYS = {
    "f": r"(?:de[ ])?(?:nac(?:im(?:iento)?)?|ingr(?:eso)?|alta|consulta|informe|visita|solicitud|"
    r"interv(?:enci[óo]n)?|cirug[íi]a|[ée]xitus|defunci[óo]n|emisi[óo]n|extracci[óo]n)",
    # "Juan H. Clínica: Quirón" has an initial, and the key of a clinic.
    "h": r"cl[íi]n(?:ica)?"
    r"(?![ ]?:[ ]{0,3}(?-i:[A-ZÁÉÍÓÚÑ])(?:(?-i:[a-záéíóúñü]{2,})|[^\W\d_]{4,}))",
    "n": r"(?:de[ ])?(?:hist(?:oria)?|afiliaci[óo]n|col(?:egiad[oa])?|episodio|h\.?[ ]?c)",
    "c": r"postal",
    "t": r"(?:m[óo]vil|fijo|contacto)",
}
# A key has a mark or a number behind it, or another word and a mark: "F. alta prevista: 3/4".
_REST = r"(?![^\W\d_])(?:[ ]?[.:]|[ ]{1,3}\d|[ ](?:[^\W\d_]{2,15}[ ]?){1,2}:)"
_BEHIND = {
    letter: re.compile(rf"\.?[ ]?{key}{_REST}", re.IGNORECASE) for letter, key in _KEYS.items()
}


def spare_key_letters(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans, persons and sexes without the letter of a key that they end with.

    A span that is no more than such a letter is left out, unless it tells somebody's sex.
    """
    for span in spans:
        if text[span.end - 1] not in _LAST or span.label not in _LABELS:
            yield span
            continue
        letter = _LETTER.search(text[span.start : span.end])
        if letter is None or not _BEHIND[letter["letter"].lower()].match(text, span.end):
            yield span
        elif letter.start():
            yield replace(span, end=span.start + letter.start())
        elif _SEX_KEY.search(text, max(0, span.start - 9), span.start):
            yield span  # "Sexo: F. Nacimiento: 1941"
