"""Other values for the tokens of a date, written as the text writes them."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.text.numerals import english_ending
from scrubjay.transform.surrogates._date_groups import Group
from scrubjay.transform.surrogates._date_tokens import ROMAN_NUMERALS, Token, point_year
from scrubjay.transform.surrogates.calendar_words import CalendarWords, words_of


def recase_word(new: str, like: str) -> str:
    """Return a word in the case of another: upper, lower, or a capital first."""
    letters = [c for c in like if c.isalpha()]
    if len(letters) > 1 and like.isupper():
        return new.upper()
    if letters and letters[0].isupper():
        return new[:1].upper() + new[1:]
    return new.lower()


def write_year(token: Token, year: int, words: CalendarWords) -> str:
    """Return a year with as many digits as before, or in words."""
    if token.kind == "year":
        spelled = words.spell_year(year, token.word) if token.word is not None else ""
        return recase_word(spelled, token.text) if spelled else str(year)
    if len(token.text) == 2:
        return f"{year % 100:02d}"
    return point_year(f"{year:04d}") if token.pointed else f"{year:04d}"


def write_day(token: Token, day: int, words: CalendarWords, *, pad: bool) -> str:
    """Return a day as a number, with its ending if it had one, or in words."""
    if token.kind in ("ordinal", "cardinal"):
        ordinal = token.kind == "ordinal" and day <= len(words.ordinals)
        return recase_word(words.ordinals[day - 1] if ordinal else words.cardinals[day], token.text)
    number = f"{day:02d}" if pad else str(day)
    return number + _ending(token, day, words)


def write_number(token: Token, number: int, words: CalendarWords) -> str:
    """Return a small number (a week, a quarter) as wide as before, or in words."""
    if token.kind == "quarter-name":
        return recase_word(words.quarters[number - 1], token.text)
    return write_day(token, number, words, pad=token.text.startswith("0"))


def _ending(token: Token, number: int, words: CalendarWords) -> str:
    old = token.suffix
    if not old:
        return ""
    if words.language == "es" and token.value == 1:
        return old if number == 1 else ""  # only the first of a month is an ordinal
    return ordinal_ending(number, old, words.language)


def ordinal_ending(number: int, old: str, language: str) -> str:
    """Return what is glued to an ordinal in figures, in the manner and case of the old ending."""
    low = old.lower()
    if language == "en" and low in ("st", "nd", "rd", "th"):
        new = english_ending(number)
        return "".join([n.upper() if o.isupper() else n for n, o in zip(new, old, strict=True)])
    if language == "nl" and low in ("ste", "de"):
        new = "ste" if number in (1, 8) or number >= 20 else "de"
        return new.upper() if old.isupper() else new
    return old


def write_month(tokens: list[Token], index: int, month: int, *, pad: bool) -> str:
    """Return a month as the token has it: a number, roman, whole, or cut short."""
    token = tokens[index]
    if token.kind == "number":
        return f"{month:02d}" if pad else str(month)
    if token.word is None:
        numeral = ROMAN_NUMERALS[month]
        return numeral.lower() if token.text.islower() else numeral
    rows = words_of(token.word.language).months
    form = token.word.form
    if form < 0:
        return recase_word(rows[0][month - 1][: len(token.text)], token.text)
    if (
        form == 0
        and rows[0][token.value - 1] == rows[1][token.value - 1]
        and _is_tight(tokens, index)
    ):
        form = 1  # "may" between hyphens is cut short, as any month there
    return recase_word(rows[form][month - 1], token.text)


def _is_tight(tokens: list[Token], index: int) -> bool:
    """Tell whether a word is glued or hyphenated to the numbers beside it: 12-May-98, 12MAY98."""
    for place in (index - 1, index + 1):
        if 0 <= place < len(tokens):
            text = tokens[place].text
            if tokens[place].kind == "number" or text in ("-", "/", "."):
                return True
    return False


def is_whole_month(token: Token, month: int) -> bool:
    """Tell whether a month that was cut short now stands whole, as May does: no dot follows."""
    if token.word is None or token.word.form == 0:
        return False
    rows = words_of(token.word.language).months
    return rows[token.word.form][month - 1] == rows[0][month - 1]


def write_weekday(token: Token, weekday: int, words: CalendarWords) -> str:
    """Return a weekday in the form, with the ending and the case of the token."""
    if token.kind == "letter":
        return recase_word(words.letters[weekday][0], token.text)
    word = token.word
    if word is None:
        return token.text
    rows = words_of(word.language).weekdays
    if word.form < 0:
        return recase_word(rows[0][weekday][: len(token.text)], token.text)
    name, ending = rows[word.form][weekday], word.ending
    if ending == "s":
        mark = token.text[-2:-1]
        ending = "" if name.endswith("s") else f"{mark}s" if mark in ("'", "’") else "s"
    return recase_word(name + ending, token.text)


def write_season(token: Token, season: int) -> str:
    """Return a season in the row of words that the token comes from.

    Of a row of two (dry, rainy) it is the other one: it may not stay.
    """
    if token.word is None:
        return token.text
    row = words_of(token.word.language).seasons[token.word.form]
    if season != token.value and row[season] == row[token.value]:
        season = (season + 2) % 4
    return recase_word(row[season], token.text)


def write_decade(token: Token, step: int, words: CalendarWords) -> str:
    """Return a decade later (`step` 1) or earlier (-1), in digits or in words."""
    if token.kind == "number":
        value = token.value + 10 * step
        if len(token.text) == 2:
            value %= 100
        return f"{value:0{len(token.text)}d}{token.suffix}"
    names: dict[int, str] = {}
    for name, value in words.decades:
        names.setdefault(value, name)
    near = [token.value + 10 * step, token.value - 10 * step]
    if token.value < 100:
        near = [value % 100 for value in near]  # the noughties follow the nineties
    new = next((names[value] for value in near if value in names), None)
    if new is None:
        return token.text
    if token.word is not None and token.word.form == 1:  # the mark stays: "años ochenta"
        mark = token.text[: len(token.text) - len(token.text.split()[-1])]
        return mark + recase_word(new, token.text[len(mark) :])
    return recase_word(new, token.text)


def tells_padding(tokens: list[Token], group: Group) -> bool | None:
    """Tell whether the numbers of a date have leading zeros; None where nothing shows it."""
    if group.month is None:
        return None
    if not group.numeric:
        texts = [tokens[day].text for day in group.days if tokens[day].kind == "number"]
        if any(text.startswith("0") for text in texts):
            return True
        return False if any(len(text) == 1 for text in texts) else None
    texts = [tokens[n].text for n in (*group.days, group.month) if tokens[n].kind == "number"]
    if any(text.startswith("0") for text in texts):
        return True
    if any(len(text) == 1 for text in texts):
        return False
    first_year = group.year is not None and group.year < min(*group.days, group.month, 10**6)
    return True if first_year else None


def padding_key(tokens: list[Token], group: Group) -> tuple[str, bool, bool]:
    """Return what dates share that are written alike: their mark, a year, a numeric month."""
    place = group.month if group.month is not None else 0
    beside = [tokens[n].text.strip() for n in (place - 1, place + 1) if 0 <= n < len(tokens)]
    mark = next((text for text in beside if text in ("/", "-", ".")), "")
    return mark, group.year is not None, group.numeric


def gap_beside(tokens: list[Token], group: Group) -> str:
    """Return what stands between the month and the day beside it: " ", " de ", "/"."""
    if group.month is None or not group.days:
        return " "
    if group.month_first:
        between = tokens[group.month + 1 : group.days[0]]
    else:
        between = tokens[group.days[-1] + 1 : group.month]
    return "".join(token.whole for token in between) or " "


def put_together(tokens: list[Token], new: Mapping[int, str]) -> str:
    """Return the mention with its new parts, without words that nobody knows.

    Of what stands before and behind such a word one stays: rather what parts words.
    """
    if "unknown" not in [token.kind for token in tokens]:
        return "".join(new.get(index, token.whole) for index, token in enumerate(tokens))
    pieces: list[str] = []
    dropped = False
    for index, token in enumerate(tokens):
        if index in new:
            pieces.append(new[index])
        elif token.kind == "unknown":
            dropped = True
            if len(pieces) > 1 and pieces[-1] == "-" and _is_letter(tokens[index - 2]):
                del pieces[-2:]  # a letter that is one word with it: A-level
            continue
        elif dropped and token.kind == "sep":
            dropped = False
            parted = bool(pieces) and not pieces[-1][-1:].isalnum()
            if parted and token.text[-1:].isspace() and not pieces[-1][-1:].isspace():
                pieces[-1] = token.text
            elif pieces and not parted:
                pieces.append(token.text)
            continue
        else:
            pieces.append(token.whole)
        dropped = False
    return "".join(pieces).lstrip(" .,;:/-").rstrip(" ,;:/-")


def _is_letter(token: Token) -> bool:
    return len(token.text) == 1 and token.text.isalpha()
