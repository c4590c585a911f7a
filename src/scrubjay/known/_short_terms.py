"""Terms that go by a name and that notes write short: "Merkel cell ca", "Enf. de Castleman".

The listed terms hold "Merkel cell carcinoma" and "enfermedad de Castleman". Each name has here what
stands beside it in its own terms alone, or, in Spanish, rare names behind a word that nobody owns
the way a term does ("agujero de Monro"). What a person may have or do is none: "Graves s/p RAI"
that begins a line may be a row of patients, "Tanner 4" a child's age. A listed drug counts at the
head of a line with its dose and how it is taken ("1. Stelara 90 mg sc q8wk"), a listed test with
its value and unit ("Urea   44   mg/dL").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from scrubjay.features.lexicons import normal_word
from scrubjay.features.protected import BARE_EPONYM, protected_terms
from scrubjay.transform.name_words import name_classes

_END = r"(?=[ ]*(?:[.,;:)\]/\r\n]|\Z))"
_PRAGUE = r"[ ](?-i:C)\d{1,2}(?:[.,]\d)?[ ]?(?-i:M)\d{1,2}(?:[.,]\d)?(?!\w)"
_SEGOND = r"[ ](?:fractuu?r|fract\.?|fx|fractuur|avulsie)(?!\w)"
_EXAMINED = (
    r"(?<!\w)(?:exam|physical|p\.?/?e|gu|genital(?:ia|s)?|breasts?|pubic|testes|smr|pubert(?:y|al)|"
    r"pubarche|menarche|ortolani|barlow|moro|galeazzi)(?!\w)[^\n]{0,120}"
)

_ILL = (
    r"(?<!\w)(?:dx|pmh?x?|hx|h/o|history|disease|dz|hypothyroid\w*|thyroid\w*|htn|t?[12]?dm)"
    r"(?![\w-])[^\n]{0,60}(?:[,:;][ ]|(?<=h/o)[ ])"
)


@dataclass(frozen=True, slots=True)
class _Beside:
    """What tells of a term: what follows the name and what stands before it, on its line."""

    after: re.Pattern[str]
    before: re.Pattern[str] | None = None


def _beside(after: str, before: str = "") -> _Beside:
    told = re.compile(rf"(?:{before})\Z", re.IGNORECASE) if before else None
    return _Beside(re.compile(after, re.IGNORECASE), told)


_TERMS: Mapping[str, Mapping[str, _Beside]] = {
    "en": {
        "merkel": _beside(r"[ ]cells?[ ](?:ca|cancer|carcinoma|tumou?rs?|polyomavirus)(?!\w)"),
        "mohs": _beside(
            r"[ ](?:log|micrographic|surg(?:ery|ical)|procedure|technique|defects?|layers?)(?!\w)"
        ),
        "boston": _beside(r"[ ]bowel[ ]prep\w*(?!\w)"),
        "paris": _beside(
            r"[ ]0[ -]?(?-i:I(?:sp|[sp]|I[abc]?|II)(?:[ ]?\+[ ]?I(?:s|I[abc]))?)(?!\w)"
        ),
        "montreal": _beside(r"[ ](?:classification|(?-i:A[123][ ]?,?L[1-4]))(?!\w)"),
        "prague": _beside(_PRAGUE),
        "tanner": _beside(
            r"[ ](?-i:[1-5]|I{1,3}|IV|V)(?:[ ]?[-–/][ ]?(?-i:[1-5]|I{1,3}|IV|V))?"
            r"(?=[ ]*(?:[.;)\r\n]|\Z))",
            _EXAMINED + r"(?:[.;:,][ ]|[ ])",
        ),
        "babinski": _beside(
            rf"[ ](?:(?:down|up)(?:going)?|flexor|extensor|mute|equivocal|absent|present)"
            rf"(?:[ ](?:bilat(?:eral(?:ly)?)?|b/l|r|l|right|left))?{_END}",
            r"(?<!\w)(?:hoffmann?|romberg|myerson|reflex(?:es)?|dtrs?|clonus|neuro|toes?|"
            r"plantars?|tone|gait)(?!\w)[^\n]{0,60}[.,;:][ ]",
        ),
        "graves": _beside(
            r"[ ]s/p[ ](?:RAI|I-?131|radio-?active)(?!\w)", _ILL
        ),
        "cushing": _beside(
            r"[ ](?:features|stigmata|habitus|facies|appearance)(?!\w)",
            r"(?<!\w)(?:no|without|w/o|denies|mild|subtle|some|any)[ ]",
        ),
        "stryker": _beside(
            r"[ ](?:gamma(?:[ ]?\d)?[ ]nails?|gamma(?=[ ]?\d)|im[ ]?nails?|triathlon|accolade|"
            r"trident|mako|saw)(?!\w)"
        ),
    },
    "nl": {
        "segond": _beside(_SEGOND),
        "barrett": _beside(
            r"[ ](?:met[ ](?:intestinale[ ]metaplasie|goblet\w*)|slokdarm|oesofagus|epitheel|"
            r"mucosa)(?!\w)"
        ),
        "praag": _beside(_PRAGUE),
        "hoffa": _beside(r"[ ](?:oedeem|impingement)(?!\w)"),
    },
    "es": {
        "praga": _beside(_PRAGUE),
        "segond": _beside(r"(?!\w)", r"(?<!\w)(?:fractura|fx|avulsi[oó]n)[ ](?:de[ ])?"),
        "rosa": _beside(r"[ ](?:de[ ])?bengala(?!\w)"),
    },
}  # fmt: skip

_OF_TERMS = re.compile(
    r"(?<!\w)(?:enf(?:ermedad)?|s[ií]nd(?:r(?:ome)?)?|sdme|sdr?|agujeros?|foramen|acueducto|"
    r"cisura|surco|tr[ií]ada|t[eé]trada|signos?|reflejo|c[eé]lulas|cuerpos|n[oó]dulos?|[uú]lcera|"
    r"divert[ií]culo|anillos?|es[oó]fago|esc(?:ala)?|[ií]ndice|clasif(?:icaci[oó]n)?|criterios|"
    r"pol[ií]gono|esf[ií]nter|ligamento)\.?[ ]de[ ]\Z",
    re.IGNORECASE,
)
_SPANISH = "es"
_RARE = 4
"""The class from which on a surname is rare enough for a term to be meant."""

_HEAD = re.compile(r"(?:\A|[\r\n])[ \t]*(?:\d{1,2}[.)][ ]|[-–*•·][ ])?[ ]*\Z")
_DOSE = re.compile(
    r"[ ]\d{1,4}(?:[.,]\d{1,3})?(?:[-/]\d{1,4}(?:[.,]\d{1,3})?)?[ ]?"
    r"(?:mg|mcg|µg|ug|g|gr|ml|units?|iu|ie|ui|%|tabs?|mg/ml|mg/dag)"
    r"(?=[ ]*(?:[\r\n]|\Z)|[ ](?:po|p\.o\.|sc|sq|subq|iv|im|sl|pr|inh|top(?:ical)?|od|bid|tid|qid|"
    r"q\d{1,2}\w*|qd|qhs|qam|qpm|hs|prn|daily|weekly|monthly|once|twice|otc|tabs?|caps?|"
    r"cream|gel|dd|zn|\d[ ]?dd|\d[ ]?x|vo|c/\d{1,2}h?|cada|al[ ]d[ií]a|per[ ]day|a[ ]day)(?!\w))",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"[ \t]{1,24}[<>]?\d{1,5}(?:[.,]\d{1,3})?[ \t]{0,12}(?:[HL*][ \t]{1,8})?"
    r"(?:mg|g|mcg|µg|ug|ng|pg|mEq|meq|[mµup]mol|nmol|m?UI?|IU|kU|kat|µkat)/(?:dL|dl|L|l|mL|ml)(?!\w)"
)
_AROUND, _BEHIND = 160, 48


@cache
def short_pieces(language: str) -> frozenset[str]:
    """Return the names of a language's short terms, in small letters."""
    return frozenset(_TERMS.get(language, {}))


def short_term(text: str, start: int, end: int, language: str) -> tuple[int, int] | None:
    """Return where the term begins and ends that notes write short and `text[start:end]` names.

    None where it is no such name, or a person may be meant.
    """
    word = normal_word(text[start:end])
    before = text[max(0, start - _AROUND) : start].replace("\r", "\n")
    beside = _TERMS.get(language, {}).get(word)
    if beside is not None:
        line = before.rpartition("\n")[2]
        after = beside.after.match(text, end, end + _BEHIND)
        if after is not None and (beside.before is None or beside.before.search(line)):
            return start, after.end()
    kind = protected_terms(language).get(word)
    if kind in ("drug", "test") and _HEAD.search(before):
        told = (_DOSE if kind == "drug" else _VALUE).match(text, end)
        return None if told is None else (start, told.end())
    if language == _SPANISH and kind == BARE_EPONYM and name_classes(word)[1] >= _RARE:
        lead = _OF_TERMS.search(before)
        return None if lead is None else (start - len(lead[0]), end)
    return None
