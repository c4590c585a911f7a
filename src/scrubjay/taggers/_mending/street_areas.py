"""A street ends before the quarter that it is in: "Mz 14 Casa 22, barrio | Parque Industrial".

MEDDOCAN's streets have a number, a floor and a door; quarters, villages and zones behind a comma
are territories (Spanish). A word for what the place is stays outside of a name, but within
"zona 18" and "Barrio de la Estación".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from scrubjay.document import Span

STREET, AREA = "CALLE", "TERRITORIO"

_AREA = re.compile(
    r",[ ](?P<word>(?:barrio|b[º°]|poblaci[óo]n|pobl[.]|zona|sector|aldea|caser[íi]o|pedan[íi]a|"
    r"parroquia|comuna|vereda|corregimiento)(?![\w]))[ ]?(?P<name>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)


def part_areas(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans, a street and the quarter behind it, a territory, each for itself."""
    for span in spans:
        area = _AREA.search(text[span.start : span.end]) if span.label == STREET else None
        if area is None or area.start() == 0:
            yield span
            continue
        yield replace(span, end=span.start + area.start())
        if name := area["name"]:
            is_whole = name[0].isdigit() or name.startswith("de")
            start = area.start("word" if is_whole else "name")
            yield replace(span, start=span.start + start, label=AREA)
