"""Dates of one document shifted by days that a test gives, without a key that tells them."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.transform.surrogates._date_mentions import read_mention
from scrubjay.transform.surrogates._date_order import DateOrder, find_order
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.dates import shift_readings
from scrubjay.transform.surrogates.draw import Draw


def shift_dates(
    texts: Sequence[str],
    language: str,
    *,
    days: int,
    draw: Draw,
    order: DateOrder | None = None,
    around: str = "",
) -> list[str]:
    """Return the mentions of one document, in their order, shifted by `days`.

    Years, months and, but for an `order`, the order of numbers that a mention leaves open are taken
    from the mentions around it. `draw` serves what cannot be shifted; `around` is the text of the
    document, for the articles before holidays.
    """
    words = words_of(language)
    order = order or find_order(texts, words)
    readings = [read_mention(text, words.language, day_first=order.day_first) for text in texts]
    return shift_readings(
        texts, readings, words, order, days=days, draw=draw, avoid=frozenset(), around=around
    )
