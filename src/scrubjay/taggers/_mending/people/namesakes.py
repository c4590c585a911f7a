"""A first name alone has the label of the full name that begins with it (Spanish).

A tagger labels each mention by what stands around it: "Usa 'Ander' en tercera persona" tells of
nobody, but Ander Mitxelena is the patient. Where all full names that begin with the words of a
mention have one label, so has the mention; where there is none, a name that stands alone takes the
label of most of its mentions. A surname decides nothing: families and colleagues share it. What
has a title or a word for a relative right before it is left as it was found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from scrubjay.caching import text_cache
from scrubjay.document import Span

NAMES = frozenset({
    "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "FAMILIARES_SUJETO_ASISTENCIA",
})  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_Name = tuple[str, ...]
"""The words of a name, in small letters."""

_SHORTEST, _LONGEST = 3, 60
"""Characters of a first name at least, and of a mention at most."""

_AROUND = 16
_KEPT = 8192
"""Mentions whose words are remembered."""

_OWN = re.compile(
    r"(?<!\w)(?:(?:dra?|lic|lcda?|enf|sra?|srta|prof|int|res|aux|t[ée]c|mat|psic|obst|d)[.]|D[.]ª|"
    r"do[nñ]a?|doctora?|enfermer[oa]|casad[oa] con|R\.?N\.?(?: de)?|hij[oa](?: de)?|beb[eé] de|"
    r"madre|padre|mam[áa]|pap[áa]|herman[oa]|espos[oa]|marido|mujer|t[íi][oa]|niet[oa]|prim[oa]|"
    r"abuel[oa]|sobrin[oa]|vecin[oa]|amig[oa]|pareja|novi[oa]),?[ ]\Z",
    re.IGNORECASE,
)


def agree_namesakes(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans of a Spanish text with the same label on namesakes. Borders stay."""
    names = [_name_of(text, span) for span in spans]
    labels: dict[str, set[str]] = {}
    for span, name in zip(spans, names, strict=True):
        if name:
            labels.setdefault(name[0], set()).add(span.label)
    asked = [n for n, name in enumerate(names) if name and len(labels[name[0]]) > 1]
    if not asked:
        return tuple(spans)
    same: dict[_Name, Counter[str]] = defaultdict(Counter)
    full: dict[_Name, set[str]] = defaultdict(set)
    for number in asked:
        name, label = names[number], spans[number].label
        same[name][label] += 1
        for size in range(1, len(name)):
            full[name[:size]].add(label)
    rows = list(spans)
    for number in asked:
        name, own = names[number], spans[number].label
        label = _choose(own, same[name], full.get(name, set()))
        if label != own and not _is_own(text, spans[number]):
            rows[number] = replace(spans[number], label=label)
    return tuple(rows)


def _choose(own: str, same: Counter[str], full: set[str]) -> str:
    """Return the label of a name by those of the same name and of full ones, or its own."""
    if full:
        return min(full) if len(full) == 1 else own
    return max(sorted(same), key=lambda label: (same[label], label == own))


def _is_own(text: str, span: Span) -> bool:
    return _OWN.search(text, max(0, span.start - _AROUND), span.start) is not None


def _name_of(text: str, span: Span) -> _Name:
    return _words(text[span.start : span.end]) if span.label in NAMES else ()


@text_cache(_KEPT)
def _words(mention: str) -> _Name:
    """Return the words of a name in small letters, none of a mention without a capital."""
    if len(mention) > _LONGEST or not mention[:1].isupper():
        return ()
    words = tuple(word.lower() for word in _WORD.findall(mention))
    return words if words and len(words[0]) >= _SHORTEST else ()
