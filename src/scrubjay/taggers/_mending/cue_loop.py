"""The compiled kernel of cues: one walk over the signs of texts finds all kinds at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.taggers._mending.cue_tables import find_table, quotes
from scrubjay.taggers._mending.people.bare_surnames import (
    BEDS,
    CREDENTIALS,
    DEEDS,
    RELATIVES,
    SAYINGS,
    SIGNS,
)
from scrubjay.taggers._mending.people.initials import KEYS as TYPISTS
from scrubjay.taggers._mending.sign_ins import sign_in_heads

KINDS = ("keys", "titles", "names", "capitals", "quotes", "beside", "pairs")
"""The kinds of cues, by the numbers that they have here."""

KEYS, TITLES, NAMES, CAPITALS, QUOTES, BESIDE, PAIRS = range(len(KINDS))

LETTER, DIGIT, CAPITAL, SMALL = (1 << bit for bit in range(4))
"""What a sign may be: a bit for each."""

KEY, DEED, SAYING, CREDENTIAL, RELATIVE, BED = range(6)
"""What a word is, which tells what has to stand around it: `bare_surnames` looks at it there, and
before all of them stands a blank or a bracket."""

_ANY_CASE = 99
_CASE, _LOW = 32, 31
_IN_A_ROW, _NEAREST, _FARTHEST = 7, 3, 7


def cue_loop(
    signs: Any, bounds: Any, roles: Any, gates: Any, firsts: Any, nexts: Any, befores: Any,
    tails: Any, thirds: Any, titles: Any, heads: Any,
    heads_of_words: Any, words: Any, letters: Any,
    places: Any, starts: Any, counts: Any,
) -> None:  # fmt: skip
    """Write where cues stand in each text, counted from its begin, to a row for each kind.

    The texts lie between `bounds`, and eight signs at least before and behind all of them. `counts`
    (kinds, texts + 1) are set to how many cues of a kind a text has, behind a column of zeros, and
    `places` hold those of one text behind those of another, a row between two of `starts`
    (kinds + 1). What has no room in its row is counted and not written. `walk_tables` tells of the
    tables.
    """
    kinds = len(counts)
    total = np.zeros(kinds, dtype=np.int64)
    for text in range(len(bounds) - 1):
        first, last = bounds[text], bounds[text + 1]
        before_text = total.copy()
        for place in range(first, last):
            sign, before, after = signs[place], signs[place - 1], signs[place + 1]
            code = np.int64(sign & _LOW) << 10 | np.int64(after & _LOW) << 5
            code |= np.int64(signs[place + 2] & _LOW)
            role_before = roles[before]
            found = 0
            if gates[code] and not role_before & LETTER:
                if titles[0, sign] & titles[1, after] & titles[2, signs[place + 2]]:
                    found |= 1 << TITLES
                is_parted = before <= ord(" ") or before == ord("(")
                for word in range(heads_of_words[code], heads_of_words[code + 1] * is_parted):
                    rule, exact_from, begin, size = words[word]
                    at = size - 1  # the first signs are known already, but for their case
                    while at >= 0 and (
                        signs[place + at] == letters[begin + at]
                        or (
                            at < exact_from
                            and signs[place + at] | _CASE == letters[begin + at] | _CASE
                        )
                    ):
                        at -= 1
                    if at >= 0:
                        continue
                    end = place + size
                    behind, then, ahead = signs[end], signs[end + 1], signs[place - 2]
                    if rule in (DEED, CREDENTIAL, RELATIVE):
                        goes_on = roles[behind] & (LETTER | DIGIT)
                        if goes_on or behind == ord("_") or behind == ord("-"):
                            continue
                    if rule == CREDENTIAL:
                        if not roles[signs[place - 3] if ahead == ord(",") else ahead] & SMALL:
                            continue
                    elif rule == RELATIVE:
                        if ahead != ord("s") and ahead != ord("'") and ahead != ord("?"):
                            continue
                    elif rule == BED:
                        is_number = roles[then] & DIGIT or then == ord("#")
                        if behind != ord("#") and (behind != ord(" ") or not is_number):
                            continue
                    elif rule == SAYING and (
                        behind != ord(" ") or then < ord("A") or then > ord("Z")
                    ):
                        continue
                    found |= 1 << BESIDE
            maybe = firsts[sign] & nexts[after] & befores[before]
            if maybe:
                third, second = signs[place + 2], np.int64(signs[place - 2])
                if maybe & 1 << NAMES and third & _CASE:
                    found |= 1 << NAMES
                if maybe & 1 << KEYS:
                    is_behind = tails[second << 8 | np.int64(before)]
                    is_behind &= thirds[np.int64(signs[place - 3]) << 8 | second]
                    if is_behind or before == ord(" ") or before == ord("\t"):
                        found |= 1 << KEYS
                found |= maybe & 1 << QUOTES
                if maybe & 1 << PAIRS:
                    for shift in range(_NEAREST, _FARTHEST + 1):
                        if signs[place - shift] == ord("\n") or signs[place - shift] == ord("\r"):
                            found |= 1 << PAIRS
                if maybe & 1 << CAPITALS:
                    at = 2
                    while at < _IN_A_ROW and roles[signs[place + at]] & CAPITAL:
                        at += 1
                    if at == _IN_A_ROW and heads[np.int64(sign) << 8 | np.int64(after)]:
                        found |= 1 << CAPITALS
            if found:
                for kind in range(kinds):
                    if found >> kind & 1:
                        slot = starts[kind] + total[kind]
                        if slot < starts[kind + 1]:
                            places[slot] = place - first
                        total[kind] += 1
        for kind in range(kinds):
            counts[kind, text + 1] = total[kind] - before_text[kind]


@cache
def compiled_cues() -> Callable[..., Any]:
    return compiled(cue_loop)


@cache
def walk_tables(language: str) -> tuple[Any, ...]:
    """Return what the kernel asks of a language between the texts and what it writes.

    That are the `roles` of signs (256); the `gates` of three signs, five bits of each (32,768); the
    kinds of cues, a bit for each, of which a sign may be one, that which follows it, and that which
    stands before it (256); the tables of `cue_tables`; and the words: those that three signs begin
    lie between `heads_of_words` (32,769). `_list_words` tells of the rest.
    """
    table = find_table(language)
    titles = np.full((3, 256), 0xFF, dtype=np.uint8)
    for row, letters in zip(titles, table.letters, strict=False):
        row[:] = np.frombuffer(letters, np.uint8)
    is_english = table.heads is not None
    heads = np.zeros(1 << 16, np.bool_) if table.heads is None else table.heads
    words, store, codes = _list_words(language)
    gates = np.zeros(1 << 15, np.bool_)
    one, two, three = np.bitwise_or.reduce(titles.reshape(3, 8, 32), axis=1)
    may_be_title = one[:, None, None] & two[None, :, None] & three[None, None, :]
    gates[may_be_title.reshape(-1) != 0] = True
    gates[codes] = True
    return (
        _find_roles(), gates, *_find_kinds(is_english), table.tails, table.thirds, titles, heads,
        np.searchsorted(codes, np.arange((1 << 15) + 1)), words, store,
    )  # fmt: skip


def _find_roles() -> Any:
    roles = np.zeros(256, dtype=np.uint8)
    for code in range(256):
        sign = chr(code)
        tells = (
            (LETTER, "a" <= chr(code | _CASE) <= "z"), (DIGIT, "0" <= sign <= "9"),
            (CAPITAL, "A" <= sign <= "Z" or (0xC0 <= code < 0xDF and code != 0xD7)),
            (SMALL, "a" <= sign <= "z"),
        )  # fmt: skip
        roles[code] = sum(role for role, is_one in tells if is_one)
    return roles


def _find_kinds(is_english: bool) -> tuple[Any, Any, Any]:
    """Return of which kinds a cue may be at each sign, before each, and behind each."""
    roles, signs = _find_roles(), np.arange(256)
    is_capital, every = roles & CAPITAL != 0, signs >= 0
    is_initial = (signs & 0x7F) - 0x40 < 0x1F
    is_initial &= (signs & 0x7F) >= 0x40

    def among(some: str) -> Any:
        return np.isin(signs, [ord(sign) for sign in some])

    known = {
        NAMES: (among(" "), is_initial, signs >= ord("a")),
        KEYS: (among(":|"), every, every),
    }
    if is_english:
        known |= {
            QUOTES: (np.frombuffer(quotes(), np.bool_), is_initial, roles & LETTER == 0),
            PAIRS: (among("/:"), roles & SMALL != 0, every),
            CAPITALS: (is_capital, is_capital, ~is_capital),
        }
    found = np.zeros((3, 256), dtype=np.int64)
    for kind, tables in known.items():
        for row, flags in zip(found, tables, strict=True):
            row |= flags.astype(np.int64) << kind
    return found[0], found[1], found[2]


def _list_words(language: str) -> tuple[Any, Any, Any]:
    """Return the words (w, 4), the letters of all, and the first three signs of each, ascending.

    Of a word there are what it is, from which letter on it has to be written as it is, and where
    its letters begin and how many they are. One of two letters stands for all that may follow it.
    """
    asked = [(word.encode(), KEY, _ANY_CASE) for word in sign_in_heads(language)]
    if language == "en":
        for rule, exact, some in (
            (KEY, _ANY_CASE, (*TYPISTS, *SIGNS)), (DEED, 0, DEEDS), (SAYING, 1, SAYINGS),
            (CREDENTIAL, 0, CREDENTIALS), (RELATIVE, 0, RELATIVES), (BED, _ANY_CASE, BEDS),
        ):  # fmt: skip
            asked += [(word.encode(), rule, exact) for word in some]
    rows, begin = [], 0
    for word, rule, exact in asked:
        first, second, *third = (sign & _LOW for sign in word[:3])
        for code in third or range(32):
            rows.append((first << 10 | second << 5 | code, (rule, exact, begin, len(word))))
        begin += len(word)
    rows.sort()
    return (
        np.array([facts for _, facts in rows], dtype=np.int64).reshape(-1, 4),
        np.frombuffer(b"".join(word for word, *_ in asked), np.uint8),
        np.array([code for code, _ in rows], dtype=np.int64),
    )
