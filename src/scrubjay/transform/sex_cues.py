"""What age and sex beside the name of a patient tell: "Reyes, Taylor, 45M", "19yo F ... Miles".

They stand right behind a name, after it as a field ("Sex: F"), or shortly before the first name of
a document, in English, Dutch and Spanish. Letters count in capitals alone,
but before an age with its unit ("Lee f 61y"). A Spanish M tells
nothing: it is "mujer" in Spain and "masculino" in America. Beside it, words of pregnancies do.
"""

from __future__ import annotations

import re

from scrubjay.transform.name_words import Gender

STAFF = frozenset(["DOCTOR", "NOMBRE_PERSONAL_SANITARIO"])
"""Labels of people whose name stands beside the age and the sex of somebody else."""

_BEHIND, _BEFORE = 80, 70
"""Characters behind and before a name that are looked at."""

_FEMALE = frozenset(
    ["f", "v", "female", "woman", "girl", "lady", "vrouw", "meisje", "dame", "mujer", "femenino"]
)
_SEX = (
    r"(?P<sex>(?<!yo\. )(?<!yr\. )(?<!jr\. )(?-i:[FMV])|(?:fe)?male|(?:wo)?man|girl|"
    r"boy|lady|gentleman|vrouw|meisje|dame|jongen|mujer|var[oó]n|hombre|femenino|masculino)(?![\w'’])"
)
_UNIT = (
    r"(?:[ -]?(?:y(?:ea)?rs?(?:[ -]old|[ -]of[ -]age)?|y[./]?o\.?|jarige|jaar|jr\.?|j\.?|a[ñn]os))?"
)
_ADJECTIVES = (
    r"(?:(?:old|oude|white|black|caucasian|hispanic|asian|african[ -]american|healthy|pleasant|"
    r"frail|elderly|obese|married|single|right-handed|left-handed)[ ,]{1,2}){0,3}"
)
_AGED = (
    rf"(?<![\d/.,-])(?<!\bT )(?<!emp )\d?\d{_UNIT}[ ,/-]{{0,2}}{_ADJECTIVES}{_SEX}"
    r"(?![ ](?:foley|french|cath|tube|drain|units?)\w*)"
)
_LINK = (
    r"(?:[ \t]*[,;:(\[/-]|[ \t]+(?:is|was))?[ \t]*(?:\r?\n[ \t]*)?(?:(?:an?|een|una?)[ ])?"
    r"(?:(?:age|sex|gender|leeftijd|geslacht|edad|sexo)[ :/.]{0,3}){0,2}"
)
_DIRECT = re.compile(_LINK + _AGED, re.IGNORECASE)
_TURNED = re.compile(
    rf"{_LINK}{_SEX}[ ,/-]{{1,2}}(?:age[ ]|van[ ]|de[ ])?\d?\d(?![\d%]|[/.,:-]\d)", re.IGNORECASE
)
_SEX_FIELD = rf"\b(?:sex|gender|geslacht|sexo)[ \t]*[:=][ \t]*{_SEX}"
_FIELD = re.compile(rf"(?:[^\n]*\n(?!\s*\n)){{0,3}}[^\n]*?{_SEX_FIELD}", re.IGNORECASE)
_FIELD_BEFORE = re.compile(_SEX_FIELD, re.IGNORECASE)
_AGED_BEFORE = re.compile(_AGED, re.IGNORECASE)
_SMALL = re.compile(
    rf"{_LINK}(?P<sex>[fmv])[ ,/-]{{1,2}}(?:age[ ])?\d?\d[ ]?"
    r"(?:y|yo|y/o|yrs?|j|jr|jaar|mo|mths?|wk)\b"
)
"""Small letters, which tell a sex before an age with its unit alone: "Lee f 61y"."""
_PREGNANT = re.compile(r"[\s,;:(-]{1,4}(?:\d\d[\s,;-]{1,3})?g[1-9]\d?[ ]?p\d", re.IGNORECASE)
_IN_LABOUR = re.compile(
    r"\b(?:in labou?r|labouring|pregnant|gravida|primip\w*|multip\w*|EDD|zwanger|aterme datum|"
    r"embarazada|gestante|parturienta|G[1-9]\d?[ ]?P\d)\b"
)
_KEY_ENDS = ("ex", "EX", "er", "ER", "ht", "HT", "xo", "XO")
_BEGINS = re.compile(
    r"[\s,;:(\[/-]{0,4}(?:(?:is|was)[ ])?(?:(?:an?|een|una?)[ ])?(?:\d|[FMV]\b|(?:fe)?male\b|age|"
    r"sex|gender|leeftijd|geslacht|edad|sexo|man\b|vrouw|mujer|var[oó]n|hombre)",
    re.IGNORECASE,
)
"""A quick look that leaves out most of what stands behind names."""


_SPANISH = re.compile(r"\b(?:edad|sexo|a[ñn]os)\b", re.IGNORECASE)
_WOMAN = re.compile(
    r"\b(?:gestante|embarazada|pu[ée]rpera|(?:pre|peri|post?)?menop[áa]usi(?:a|ca)|"
    r"(?-i:G[1-9]\d?[ ]?[PA]\d|FUR\b))",
    re.IGNORECASE,
)
_SPANISH_M = re.compile(r"\bsexo[ \t]*[:=]?[ \t]*(?-i:M)\b", re.IGNORECASE)
_BORN = re.compile(r"[\s,;(-]{1,3}nacid([oa])(?![\w/(:])", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:madre|hij[oa]|hermana|espos[oa]|pareja|mujer de|mother|mum|wife|partner|daughter|sister|"
    r"moeder|vrouw|echtgenote|dochter|zus|girlfriend|vriendin)\b",
    re.IGNORECASE,
)
"""Words behind which a pregnancy may be that of somebody else."""


def sex_behind(text: str, end: int, language: str) -> Gender:
    """Return the gender that stands behind a name that ends there, or "".

    `language` may be "": Spanish words tell then that an M is Spanish.
    """
    limit, found = end + _BEHIND, None
    if _BEGINS.match(text, end, limit):
        found = _DIRECT.match(text, end, limit) or _TURNED.match(text, end, limit)
        found = found or (_SMALL.match(text, end, limit) if language in ("en", "nl") else None)
    if found is None and _PREGNANT.match(text, end, limit):
        return "female"
    if found is None:
        colon = text.find(":", end, limit)
        while colon >= 0 and found is None:
            if text.endswith(_KEY_ENDS, end, colon):
                found = _FIELD.match(text, end, limit)
                break
            colon = text.find(":", colon + 1, limit)
    return "" if found is None else _gender(found, language)


def woman_behind(text: str, end: int) -> bool:
    """Tell whether behind a name and a Spanish M a word stands that is one of women: "gestante".

    The first name tells more: the word may be one of somebody else.
    """
    limit = end + _BEHIND
    letter = _SPANISH_M.search(text, end, limit)
    if letter is None or text.find("\n\n", end, letter.start()) >= 0:
        return False
    found = _WOMAN.search(text, end, letter.end() + _BEHIND)
    return found is not None and _OTHERS.search(text, end, found.start()) is None


def pregnant_behind(text: str, end: int) -> bool:
    """Tell whether words of a pregnancy or a birth stand behind a name, in its line.

    The first name tells more: they may be of somebody else.
    """
    line = text.find("\n", end, end + _BEHIND)
    limit = line if line >= 0 else end + _BEHIND
    found = _IN_LABOUR.search(text, end, limit)
    return found is not None and _OTHERS.search(text, end, found.start()) is None


def born_behind(text: str, end: int) -> Gender:
    """Return the gender that a Spanish "nacido" or "nacida" right behind a name tells, or "".

    The first name tells more: forms write "nacido" of anybody.
    """
    found = _BORN.match(text, end, end + _BEHIND)
    return "" if found is None else "female" if found[1] in "aA" else "male"


def sex_before(text: str, start: int, language: str) -> Gender:
    """Return the gender that the last age and sex shortly before a name tell, or ""."""
    found = list(_AGED_BEFORE.finditer(text, max(0, start - _BEFORE), start))
    return _gender(found[-1], language) if found else ""


def sex_field_before(text: str, start: int, language: str) -> Gender:
    """Return the gender that a field shortly before a name tells ("Sex: F"), or ""."""
    begin = max(0, start - _BEFORE)
    if text.find(":", begin, start) < 0 and text.find("=", begin, start) < 0:
        return ""
    found = _FIELD_BEFORE.search(text, begin, start)
    return "" if found is None else _gender(found, language)


def _gender(found: re.Match[str], language: str) -> Gender:
    sex = found["sex"].lower()
    is_spanish = language == "es" or (not language and _SPANISH.search(found[0]) is not None)
    if sex == "v" and (is_spanish or "sexo" in found[0].lower()):  # "varón", and no "vrouw"
        return "male"
    if sex == "m" and is_spanish:
        return ""
    return "female" if sex in _FEMALE else "male"
