"""Words of a mention that belong together: holidays that no table has, and what stands beside them.

St. Swithin's Day 2025    a holiday that nobody knows, and its year
Thanksgiving Monday       one holiday
August bank holiday       a month: any holiday may be called so
"""

from __future__ import annotations

from scrubjay.transform.surrogates._date_tokens import Token
from scrubjay.transform.surrogates.calendar_words import CalendarWords, word_key

FEAST = "feast"
"""The kind of a token that names a holiday which no table has."""


def join_phrases(tokens: list[Token], words: CalendarWords) -> None:
    """Join the tokens of holidays, and let general words of holidays stand beside others."""
    kinds = [token.kind for token in tokens]
    if "holiday" in kinds:
        _join_weekdays(tokens)
        _general_holidays(tokens, words)
    if "unknown" in kinds and "link" in kinds:
        _join_feasts(tokens, words)


def _join_weekdays(tokens: list[Token]) -> None:
    """Make one holiday of a holiday and a weekday behind it: Thanksgiving Monday."""
    for index in range(len(tokens) - 3, -1, -1):
        holiday, gap, weekday = tokens[index : index + 3]
        if (holiday.kind, gap.text, weekday.kind) == ("holiday", " ", "weekday"):
            text = holiday.text + gap.text + weekday.text
            tokens[index : index + 3] = [Token("holiday", text, holiday.value, holiday.word)]


def _general_holidays(tokens: list[Token], words: CalendarWords) -> None:
    """Read "bank holiday" as a small word beside a month, a season or another holiday."""
    general = [token for token in tokens if _is_general(token, words)]
    others = [t for t in tokens if t.kind in ("month", "season", "holiday") and t not in general]
    if others:
        for token in general:
            token.kind = "link"


def _is_general(token: Token, words: CalendarWords) -> bool:
    return token.kind == "holiday" and words.holidays[token.value].general


def _join_feasts(tokens: list[Token], words: CalendarWords) -> None:
    """Make one token of unknown words that name a day: St. Swithin's Day, Feast of St. John.

    Beside a month they are unknown words like others: the date tells the day.
    """
    for index, token in enumerate(tokens):
        if word_key(token.text) in words.feast_words and token.kind in ("link", "unknown"):
            first, last = _around(tokens, index)
            if first == last:
                continue
            if any(other.kind in ("month", "holiday", "season") for other in tokens):
                for other in tokens[first : last + 1]:
                    other.kind = "unknown" if other.kind == "link" else other.kind
            else:
                text = "".join(other.whole for other in tokens[first : last + 1])
                tokens[first : last + 1] = [Token(FEAST, text)]
            return


def _around(tokens: list[Token], index: int) -> tuple[int, int]:
    """Return the first and the last word of a feast: unknown ones before "Day", after "Feast"."""
    first = last = index
    if tokens[index].kind == "link":
        while first >= 2 and [t.kind for t in tokens[first - 2 : first]] == ["unknown", "sep"]:
            first -= 2
        return first, last
    for place in range(index + 1, len(tokens)):
        if tokens[place].kind == "unknown":
            last = place
        elif tokens[place].kind not in ("sep", "link"):
            break
    return first, last
