"""Surrogates of ages: a few years off, by the same amount for all ages of a patient.

    62 -> 64    62 jaar -> 64 jaar    sixty-one -> sixty-three    1 year -> 2 years    40s -> 50s

Ages keep what makes them plausible: children stay children, adults adults, and small units
(months, weeks, days) change by little. An age of 90 or more becomes one from 90 to 99, drawn
regardless of how far over 89 it is; of several in a document the order stays, and those one year
apart stay so. Behind "a" and "an" the next age that fits is taken ("an 83-year-old"), for all
mentions of that age in the document; near 18 none fits "an", and the next is told as about right
("an approx. 20-year-old"). A word for a decade follows an age of it in the document
(`_age_decades`). An amount gives way where its result is another original of the record. An age
that the birth and a date of the note tell is what the moved dates tell, mostly the same one
(`_told_ages`). Words that are none of ages are left out; what tells no age becomes one in figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise
from operator import ne
from types import MappingProxyType

from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates._age_decades import Decades
from scrubjay.transform.surrogates._age_reading import (
    Part,
    is_decade,
    is_denominator,
    is_small,
    known_parts,
    unit_behind,
)
from scrubjay.transform.surrogates._articles import article_before, wants_an
from scrubjay.transform.surrogates._date_writing import ordinal_ending, recase_word
from scrubjay.transform.surrogates._told_ages import is_of_relative, numbers_told
from scrubjay.transform.surrogates.calendar_words import (
    CalendarWords,
    phrase_key,
    word_key,
    words_of,
)
from scrubjay.transform.surrogates.draw import Draw, fold
from scrubjay.transform.surrogates.maker import Wanted

_ARTICLE = re.compile(r"(?<!\w)[aA]([nN]?)\s+([0-9]{1,3})(?![0-9_]|[.,][0-9])", re.ASCII)
_ARTICLE_ENDS, _BLANKS, _MOST_ZEROS = "aAnN", " \t\n\r\f\v", 2
_OLD = 90
_ADULT = 18
_OLDEST = 130
_TRIES = 60
_ABOUT = "approx. "
"""What fits behind "an" before any age."""


def make_many(wanted: Sequence[Wanted]) -> list[list[str] | Exception]:
    """Return the ages of each document (`maker.ManyMaker`)."""
    made: list[list[str] | Exception] = []
    for texts, record, draw, avoid, spans in wanted:
        try:
            made.append(make(texts, record, draw, avoid=avoid, spans=spans))
        except Exception as error:
            made.append(error)
    return made


def make(
    mention_texts: Sequence[str],
    record: Record,
    draw: Draw,
    *,
    avoid: frozenset[str],
    spans: Sequence[Span] = (),
) -> list[str]:
    """Return another age for each, in the same form and of the same stage of life (a `Maker`).

    `spans` tell where the mentions are; `Record.ages` what those become that dates tell. Raises
    `ConfigError` where the originals of the record leave no age.
    """
    words = words_of(record.language)
    refused = draw.refused(avoid)
    articles = _articles_of(mention_texts, record.text) if words.language == "en" else {}
    ordered = _in_order(mention_texts, words, draw) if len(mention_texts) > 1 else {}
    decades = Decades(mention_texts, words, record.text, refused)
    articles = {**decades.articles, **articles} if decades.articles else articles
    units = _units_behind(mention_texts, spans, record, words)
    told = _told_by_dates(mention_texts, spans, units, record, words, articles)
    done = {text: new for text, new in zip(mention_texts, told, strict=True) if new}
    draw.sound.update(done)
    stay = {text for text, new in done.items() if text == new}
    plain: dict[tuple[str, str], str] = {}

    def another(text: str, unit: str) -> str:
        return _another(text, words, draw, refused, articles, ordered, record.text, unit)

    for text, unit, new in zip(mention_texts, units, told, strict=True):
        if not new and (text, unit) not in plain and text not in decades.texts:
            plain[text, unit] = another(text, unit)
            done.setdefault(text, plain[text, unit])
    for text in decades.texts:
        near = partial(_candidates, draw=draw, small=False, ordered={})
        age = decades.age_of(text)
        if age in stay:
            done[text] = draw.sound[text] = text
            continue
        done[text] = decades.replace(text, done, near) or another(text, "")
    return [
        new or (done[text] if text in decades.texts else plain[text, unit])
        for text, unit, new in zip(mention_texts, units, told, strict=True)
    ]


def _units_behind(
    texts: Sequence[str], spans: Sequence[Span], record: Record, words: CalendarWords
) -> list[str]:
    """Return the small unit right behind each mention, "" where none is."""
    if not spans:
        return [""] * len(texts)
    return [
        unit_behind(record.text, span.end, known_parts(text, words.language), words)
        for text, span in zip(texts, spans, strict=True)
    ]


def _told_by_dates(
    texts: Sequence[str],
    spans: Sequence[Span],
    units: Sequence[str],
    record: Record,
    words: CalendarWords,
    articles: Mapping[int, bool],
) -> list[str]:
    """Return for each mention the age that the dates of the record tell, moved, else ""."""
    if not record.ages or not spans:
        return [""] * len(texts)
    found: list[str] = []
    for text, span, unit in zip(texts, spans, units, strict=True):
        parts = known_parts(text, words.language)
        numbers = numbers_told(parts, unit, record.ages, words)
        new = ""
        if numbers and not is_of_relative(record.text, span, record.language):
            new = _written(parts, words, numbers)
            is_an = _wanted(text, parts, articles, record.text) if words.language == "en" else None
            new = new if is_an in (None, wants_an(new)) else ""
        found.append(new)
    return found


def _in_order(mention_texts: Sequence[str], words: CalendarWords, draw: Draw) -> dict[int, int]:
    """Return what the ages over 89 of a document become where their own draws break the order.

    Those one year apart stay so, where there is room. As many as can keep what they become in the
    other documents of the patient.
    """
    parts = [part for text in mention_texts for part in known_parts(text, words.language)]
    if sum([part.value >= _OLD for part in parts]) < 2:  # nearly always
        return {}
    told = [part.value for part in parts if part.kind in ("number", "spelled")]
    old = sorted({value for value in told if _OLD <= value <= _OLDEST})
    own = [next(_candidates(value, draw, small=False, ordered={})) for value in old]
    free = not {*own} & {*old}
    if len(old) < 2 or (free and _in_step(own) and not _parted(old, own)):
        return {}
    rows = [
        row
        for row in combinations(range(_OLD, _OLD + 10), len(old))
        if all(map(ne, row, old))
    ]  # fmt: skip
    if not rows:
        return {}
    ranks = draw.order(len(rows), "ages over 89", *map(str, old))

    def worse(place: int) -> tuple[int, int, int, int]:
        row = rows[place]
        held = len({*row} & {*old})
        return held, _parted(old, row), sum(map(ne, row, own)), ranks[place]

    return dict(zip(old, rows[min(range(len(rows)), key=worse)], strict=True))


def _in_step(ages: Sequence[int]) -> bool:
    return all(one < other for one, other in pairwise(ages))


def _parted(old: Sequence[int], new: Sequence[int]) -> int:
    """Return how many neighbours of the old ages, one year apart, are not so in the new ones."""
    gaps = zip(pairwise(old), pairwise(new), strict=True)
    return sum(b - a == 1 and d - c != 1 for (a, b), (c, d) in gaps)


def _articles_of(mention_texts: Sequence[str], text: str) -> dict[int, bool]:
    """Return of the ages in figures that stand behind "a" or "an" in a text whether it is "an".

    Of those behind both it says nothing.
    """
    parts = [known_parts(mention, "en")[:1] for mention in mention_texts]
    numbers = {part.value for row in parts for part in row if part.kind == "number"}
    told = [(number, _article_of(number, text)) for number in numbers]
    return {number: is_an for number, is_an in told if is_an is not None}


def _article_of(number: int, text: str) -> bool | None:
    """Tell whether "an" stands before a number in a text, False for "a"; None for neither or both.

    It looks at the figures, of which a text has few, and not at each letter.
    """
    figures = str(number)
    found: bool | None = None
    place = text.find(figures)
    while place >= 0:
        match = _article_at(text, place)
        if match is not None and int(match[2]) == number:
            if found not in (None, bool(match[1])):
                return None
            found = bool(match[1])
        place = text.find(figures, place + 1)
    return found


def _article_at(text: str, place: int) -> re.Match[str] | None:
    """Return the article before the figures at a place with the number, whose zeros may lead it."""
    floor = max(0, place - _MOST_ZEROS)
    while place > floor and text[place - 1] == "0":
        place -= 1
    end = place
    while end and text[end - 1] in _BLANKS:
        end -= 1
    if not 0 < end < place or text[end - 1] not in _ARTICLE_ENDS:
        return None
    return _ARTICLE.match(text, end - 1 - (end > 1 and text[end - 1] in "nN"))


def _wanted(
    text: str, parts: Sequence[Part], articles: Mapping[int, bool], around: str
) -> bool | None:
    """Tell whether an age has to fit "an", or "a" (False); None where neither is before it."""
    if not parts:
        return None
    if parts[0].kind == "number":
        return articles.get(parts[0].value)
    return article_before(around, text) if parts[0].kind == "spelled" else None


def _another(
    text: str,
    words: CalendarWords,
    draw: Draw,
    refused: frozenset[str],
    articles: Mapping[int, bool],
    ordered: Mapping[int, int],
    around: str,
    unit: str,
) -> str:
    parts = known_parts(text, words.language)
    telling = any(part.kind in ("number", "spelled", "decade", "stage") for part in parts)
    old = fold(text)
    is_an = _wanted(text, parts, articles, around) if words.language == "en" else None
    if is_an is not None:
        for before in ("", _ABOUT) if is_an else ("",):
            for attempt in range(_TRIES // 2):
                new = before + _write(parts, words, draw, attempt, ordered, unit)
                key = draw.folds[new] = fold(new)
                if wants_an(new) == is_an and key != old and key not in refused:
                    return new
    for attempt in range(_TRIES):
        new = _write(parts, words, draw, attempt, ordered, unit) if telling else ""
        if not new or attempt >= _TRIES // 2:
            new = str(draw.whole(_ADULT, _OLD - 1, "age", old, str(attempt)))
        key = draw.folds[new] = fold(new)
        if key != old and key not in refused:
            return new
    raise ConfigError(
        "no surrogate is left for an age: the record holds too many ages",
        hint="Give the label of ages another operator, such as placeholder",
    )


def _write(
    parts: Sequence[Part],
    words: CalendarWords,
    draw: Draw,
    attempt: int,
    ordered: Mapping[int, int],
    unit: str,
) -> str:
    """Return the age with its numbers changed, as the given attempt has them.

    `ordered` has what ages over 89 become first where that is settled (`_in_order`), and `unit` is
    the small unit behind the mention.
    """
    numbers: dict[int, int] = {}
    others: dict[int, str] = {}
    for index, part in enumerate(parts):
        if part.kind in ("number", "spelled"):
            small = is_small(parts, index, words) or (unit != "" and index == len(parts) - 1)
            values = (
                _decades(part.value, draw)
                if part.kind == "number" and is_decade(parts, index)
                else _candidates(part.value, draw, small=small, ordered=ordered)
            )
            numbers[index] = _nth(values, attempt)
        elif part.kind == "decade":
            names = words.ages.decade_names
            near = [value for value in _decades(part.value, draw) if value in names]
            others[index] = names[near[attempt % len(near)]]
        elif part.kind == "stage":
            row = words.ages.rows[phrase_key(part.text)]
            place = draw.whole(0, len(row) - 1, "age word", fold(part.text))
            others[index] = row[(place + attempt) % len(row)]
    return _written(parts, words, numbers, others)


def _written(
    parts: Sequence[Part],
    words: CalendarWords,
    numbers: Mapping[int, int],
    others: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Return the age with other numbers, and words, by their places."""
    pieces: list[str] = []
    counts: tuple[int, int] | None = None  # the old and the new number before a unit
    for index, part in enumerate(parts):
        if part.kind in ("number", "spelled"):
            if is_denominator(parts, index):
                pieces.append(part.text)
                continue
            counts = (part.value, numbers[index])
            number = _number(part, numbers[index], words)
            spelled = part.kind == "spelled"
            pieces.append(_before_unit(number, parts, index, words) if spelled else number)
        elif index in others:
            pieces.append(recase_word(others[index], part.text))
        elif part.kind == "link":
            pieces.append(_unit(part, counts, words))
        elif part.kind == "ending" and counts is not None:
            pieces.append(ordinal_ending(counts[1], part.text, words.language))
        elif part.kind == "sep":
            pieces.append(part.text)
    text = "".join(pieces)
    dropped = any(part.kind == "drop" for part in parts)
    return re.sub(r"(\s)\s+", r"\1", text).strip() if dropped else text


def _number(part: Part, value: int, words: CalendarWords) -> str:
    if part.kind == "number":
        return (
            f"{value:0{len(part.text)}d}{part.rest}"
            if part.text[0] == "0"
            else (f"{value}{part.rest}")
        )
    cardinals = words.cardinals
    return recase_word(cardinals[value], part.text) if value < len(cardinals) else str(value)


def _before_unit(new: str, parts: Sequence[Part], index: int, words: CalendarWords) -> str:
    """Return a number in words as it stands before a unit: veintiuno -> veintiún años."""
    after = next((part for part in parts[index + 1 :] if part.kind != "sep"), None)
    if after is None or word_key(after.text) not in words.ages.units:
        return new
    for long, short in words.ages.before_unit:
        if new.lower().endswith(long):
            return new[: -len(long)] + recase_word(short, new[-len(long) :])
    return new


def _unit(part: Part, counts: tuple[int, int] | None, words: CalendarWords) -> str:
    """Return a unit in the number that its new count asks for, if it was in that of the old."""
    forms = words.ages.units.get(word_key(part.text))
    if forms is None or counts is None or (counts[0] == 1) == (counts[1] == 1):
        return part.text
    if word_key(part.text) != word_key(forms[counts[0] != 1]):
        return part.text
    return recase_word(forms[counts[1] != 1], part.text)


def _nth(values: Iterator[int], number: int) -> int:
    """Return a value by its number, counted from the first again where they end."""
    listed: list[int] = []
    for value in values:
        if len(listed) == number:
            return value
        listed.append(value)
    return listed[number % len(listed)]


def _candidates(
    value: int, draw: Draw, *, small: bool, ordered: Mapping[int, int]
) -> Iterator[int]:
    """Yield other ages, that of the patient's own amount first."""
    amount, sign = draw.once("age", frozenset(), lambda: _shift_of(draw))
    if small:
        low, high, amount = 1, value + 3, (amount + 1) // 2
    elif value > _OLDEST:
        low, high = _ADULT, _OLD - 1
        value = draw.whole(low, high, "age", str(value))
    elif value >= _OLD:
        first = ordered.get(value, value)
        if first != value:
            yield first
        for place in draw.order(10, "age over 89", str(value)):
            if _OLD + place not in (value, first):
                yield _OLD + place
        return
    elif value < _ADULT:
        low, high, amount = (1 if value else 0), _ADULT - 1, (amount + 1) // 2
    else:
        low, high = _ADULT, _OLD - 1
    if not low <= value + sign * amount <= high:
        sign = -sign
    first = value + sign * amount
    # The nearest first, of two as near the smaller.
    for distance in range(max(abs(first - low), abs(high - first)) + 1):
        for age in (first - distance, first + distance)[: 1 + (distance > 0)]:
            if low <= age <= high and age != value:
                yield age


def _shift_of(draw: Draw) -> tuple[int, int]:
    """Return by how much the ages of the patient change, and the sign of it."""
    return draw.whole(1, 4, "age amount"), 1 if draw.whole(0, 1, "age sign") else -1


def _decades(value: int, draw: Draw) -> Iterator[int]:
    """Yield other decades of life, the nearest first; the nineties are left, never entered."""
    sign = 10 if draw.whole(0, 1, "age sign") else -10
    steps = sorted(range(20, _OLD, 10), key=lambda age: (abs(age - value - sign), age))
    yield from (age for age in steps if age != value)
