"""What shows that a word which may be an everyday one is somebody's name where it stands.

Who is called Day, Bo or Hope is looked for elsewhere only where a title stands before the word, an
"'s" behind it, or lines begin with it as with who speaks, twice at least: "Mr. Day", "Bo's mother",
"Hope: yes". Once alone it may be a heading ("Head: normal").
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


def is_cued(text: str, start: int, end: int, language: str, *, is_common: bool) -> bool:
    """Tell whether a word is a name by what stands around it; `is_common`: it is an everyday one.

    An everyday word in small letters is one behind a title alone, and behind none in capitals
    ("MR will need").
    """
    word = text[start:end]
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


def _speaks_again(text: str, start: int, end: int) -> bool:
    said = f"{text[start:end]}:"
    return text.find(said, end + 1) >= 0 or text.rfind(said, 0, start) >= 0
