"""What shows that a word which may be an everyday one is somebody's name where it stands.

Who is called Day, Bo or Hope is looked for elsewhere only where a title stands before the word, an
"'s" behind it, or lines begin with it as with who speaks, twice at least: "Mr. Day", "Bo's mother",
"Hope: yes". Once alone it may be a heading ("Head: normal"). A legend explains initials ("KD = Kay
Dunn"), and behind a time or a bed somebody does what no thing does ("0815 Ward up to chair").
"""

from __future__ import annotations

import re

_TITLES = {
    "en": "mr|mrs|ms|mx|miss|mister|dr|prof",
    "nl": "dhr|meneer|mevr|mevrouw|mw|mej|dr|drs|prof|dokter",
    "es": "sra?|srta|señor(?:a|ita)?|don|doña|dña|dra?|doctora?|prof",
}
"""Titles that call somebody by the word behind them alone, as "family" and "heer" of other lists do
not ("family will come").
"""
_BEFORE = {
    language: re.compile(rf"(?<![\w./-])(?<!\d[ ])({titles})\.?[ ]{{1,2}}\Z", re.IGNORECASE)
    for language, titles in _TITLES.items()
}
_LONGEST = 12
"""Characters before a name in which a title is sought, or the mark that begins a line."""

_STANDS_ALONE = "nl"
"""The language in which a title alone means the patient: "mw wil naar huis"."""

_OWNS = re.compile(r"['’][sS](?!\w)")
_SAYS = re.compile(r"[ ]?:[ \t]+(?=[^\W\d_])")
_LINE = re.compile(r"(?:\A|[\n\r])[ \t]*(?:(?:[-–—*•·>]|\d{1,2}[.)])[ \t]*)?\Z")
_NUMBER = re.compile(r"[ -]?\d")

_MOST_INITIALS = 3
_EXPLAINED = re.compile(r"[ \t]{0,2}=[ \t]{0,2}(?=[^\W\d_a-zß-ÿ])")
_EXPLAINS = re.compile(r"[^\W\d_][ \t]{0,2}=[ \t]{0,2}\Z")
_AHEAD, _BACK = 32, 24
_TIMED = re.compile(
    r"(?<![\w./:-])(?:(?:[01]?\d|2[0-3])[:.]?[0-5]\d[ ]?(?:[hu]|am|pm)?\.?|"
    r"(?:bed|rm|room|kamer|kmr|cama|hab)\.?[ ]?\d{1,4}(?:-?[A-Za-z\d])?)[ ]?[-–:,]?[ ]{1,3}\Z",
    re.IGNORECASE,
)
_DOES = {
    "en": r"up[ ](?:to|in|at|ad|with|w/|x\d)|oob|back[ ](?:to|in)[ ]bed|in[ ](?:bed|chair)|c/o|"
    r"ambulat\w+|refus\w+|resting|asleep|sleeping|awake|alert|states?|stated|denie[sd]|reports?|"
    r"tolerat\w+|void(?:s|ed|ing)|ate|vomited|medicated|crying|tearful|complain\w*|walked|wants|"
    r"asks|asked|(?:assisted|helped)[ ](?:to|with|oob|up)",
    "nl": r"op[ ]stoel|in[ ](?:bed|stoel)|uit[ ]bed|zegt|weigert|slaapt|wil|klaagt|vraagt|loopt|"
    r"at|gegeten|geslapen|gemobiliseerd|huilt",
    "es": r"(?:en|al)[ ](?:sill[oó]n|cama|ba[nñ]o)|sentad[oa]|refiere|niega|duerme|dice|rechaza|"
    r"come|camina|vomita|deambula|llora|pide",
}
_DOING = {
    language: re.compile(rf"[ ](?:{does})(?!\w)", re.IGNORECASE) for language, does in _DOES.items()
}
"""What a person does, and no ward, day or thing."""


def is_cued(text: str, start: int, end: int, language: str, *, is_common: bool) -> bool:
    """Tell whether a word is a name by what stands around it; `is_common`: it is an everyday one.

    An everyday word in small letters is one behind a title alone, and behind none in capitals
    ("MR will need").
    """
    word = text[start:end]
    if is_told_at_head(text, start, end, language) or _is_legend(text, start, end):
        return True
    is_small = is_common and not word[:1].isupper()
    if not is_small:
        if _OWNS.match(text, end):
            return True
        if (
            _SAYS.match(text, end)
            and _LINE.search(text, max(0, start - _LONGEST), start)
            and _speaks_again(text, start, end)
        ):
            return True
    if is_small and language == _STANDS_ALONE:
        return False
    before = _BEFORE.get(language, _BEFORE["en"]).search(text, max(0, start - _LONGEST), start)
    if before is None or _NUMBER.match(text, end):
        return False
    return not before[1].isupper() or word.isupper()


def is_told_at_head(text: str, start: int, end: int, language: str) -> bool:
    """Tell whether a word with a capital stands behind a time or a bed, before what somebody does:
    "0815 Ward up to chair"."""
    if not text[start].isupper():
        return False
    doing = _DOING.get(language, _DOING["en"])
    return bool(
        doing.match(text, end, end + _AHEAD) and _TIMED.search(text, max(0, start - _BACK), start)
    )


def _is_legend(text: str, start: int, end: int) -> bool:
    """Tell whether a text explains initials, before or behind a name: "KD = Kay Dunn"."""
    if end - start > _MOST_INITIALS or not text[start:end].isupper():
        return False
    before = _EXPLAINS.search(text, max(0, start - _LONGEST), start)
    return before is not None or _EXPLAINED.match(text, end) is not None


def _speaks_again(text: str, start: int, end: int) -> bool:
    said = f"{text[start:end]}:"
    return text.find(said, end + 1) >= 0 or text.rfind(said, 0, start) >= 0
