"""The compiled kernel of cues: one walk over the signs of texts finds all kinds at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from scrubjay.compiling import compiled
from scrubjay.taggers._mending.cue_tables import (
    age_signs,
    event_tails,
    find_table,
    irish_signs,
    quotes,
)
from scrubjay.taggers._mending.people.bare_surnames import CALLED, DEEDS, SAYINGS
from scrubjay.taggers._mending.people.named_beside import BEDS, CREDENTIALS, RELATIVES, SIGNS
from scrubjay.taggers._mending.people.talks import HEAD as TALK

KINDS = (
    "keys", "titles", "names", "capitals", "irish", "sign_ins", "talks", "quotes", "calls", "scots",
    "verbs", "beside", "typists", "pairs", "ages", "years",
)  # fmt: skip
"""The kinds of cues, by the numbers that they have here."""

(
    KEYS, TITLES, NAMES, CAPITALS, IRISH, SIGN_INS, TALKS, QUOTES, CALLS, SCOTS,
    VERBS, BESIDE, TYPISTS, PAIRS, AGES, YEARS,
) = range(len(KINDS))  # fmt: skip

(
    LETTER, DIGIT, CAPITAL, SMALL, INITIAL, BLANK, OPENING, KEY, STROKE, MARK, GAP, QUOTE,
    IRISH_HEAD,
) = (1 << bit for bit in range(13))  # fmt: skip
"""What a sign may be: a bit for each."""

(
    ANYWHERE, BEGUN, AT_END, DEED, SAYING, CREDENTIAL, RELATIVE, BED, SIGN,
) = range(9)  # fmt: skip
"""What has to stand beside a word: nothing; no letter or digit before it; nothing, and its cue is
its end; and for those of `bare_surnames` and `named_beside` what they look at around them."""

_SURNAME_WORDS = (DEED, SAYING, CREDENTIAL, RELATIVE, BED, SIGN)
_ANY_CASE = 99

BEHIND_LETTERS, BEHIND_OTHERS = 1, 2
"""Bits of three signs with which something may begin, behind a letter and behind other signs."""

_CASE, _LOW = 32, 31
_LOOKED_AT = CAPITAL | BLANK | OPENING | KEY | STROKE | QUOTE | DIGIT
_SCOT = b"mc"
_IN_A_ROW, _NEAREST, _FARTHEST = 7, 3, 7


def cue_loop(
    signs: Any, bounds: Any, roles: Any, gates: Any, is_english: bool,
    tails: Any, thirds: Any, titles: Any, heads: Any, events: Any,
    heads_of_words: Any, words: Any, letters: Any,
    places: Any, counts: Any,
) -> None:  # fmt: skip
    """Write where cues stand in each text, counted from its begin, to a row for each kind.

    The texts lie between `bounds`, and eight signs at least before and behind all of them. `counts`
    (kinds, texts + 1) are set to how many cues of a kind a text has, behind a column of zeros, and
    `places` (kinds, n) hold those of one text behind those of another. `walk_tables` tells of the
    tables.
    """
    total = np.zeros(len(places), dtype=np.int64)
    inner = IRISH_HEAD | DIGIT
    for text in range(len(bounds) - 1):
        first, last = bounds[text], bounds[text + 1]
        before_text = total.copy()
        code = np.int64(signs[first] & _LOW) << 5 | np.int64(signs[first + 1] & _LOW)
        for place in range(first, last):
            sign, before = signs[place], signs[place - 1]
            code = (code << 5 | np.int64(signs[place + 2] & _LOW)) & 0x7FFF
            role, role_before = roles[sign], roles[before]
            found = 0
            if gates[code] & (BEHIND_LETTERS if role_before & LETTER else BEHIND_OTHERS):
                if not role_before & LETTER:
                    if titles[0, sign] & titles[1, signs[place + 1]] & titles[2, signs[place + 2]]:
                        found |= 1 << TITLES
                    if (
                        is_english
                        and sign | _CASE == ord("m")
                        and signs[place + 1] | _CASE == ord("c")
                        and roles[signs[place + 2]] & roles[signs[place + 3]] & LETTER
                    ):
                        found |= 1 << SCOTS
                for word in range(heads_of_words[code], heads_of_words[code + 1]):
                    kind, rule, exact_from, begin, size = words[word]
                    end = place + size
                    if rule == BEGUN and roles[before | _CASE] & (LETTER | DIGIT):
                        continue
                    if rule >= DEED and before > ord(" ") and before != ord("("):
                        continue
                    at = 0
                    while at < size and (
                        signs[place + at] == letters[begin + at]
                        or (
                            at < exact_from
                            and signs[place + at] | _CASE == letters[begin + at] | _CASE
                        )
                    ):
                        at += 1
                    if at < size:
                        continue
                    behind, then = signs[end], signs[end + 1]
                    ahead = signs[place - 2]
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
                    elif rule == SAYING:
                        if behind != ord(" ") or then < ord("A") or then > ord("Z"):
                            continue
                    elif rule == BED:
                        is_parted = behind == ord(" ") or behind == ord("#")
                        if not is_parted or roles[then] & LETTER:
                            continue
                    if rule == AT_END:
                        places[kind, total[kind]] = end - first
                        total[kind] += 1
                    else:
                        found |= 1 << kind
            if role & _LOOKED_AT:
                after = roles[signs[place + 1]]
                if role & BLANK:
                    is_name = after & INITIAL and signs[place + 2] & _CASE and before >= ord("a")
                    found |= (1 if is_name else 0) << NAMES
                if role & (KEY | STROKE | QUOTE):
                    second = np.int64(signs[place - 2])
                    is_key = role & KEY and (
                        before == ord(" ")
                        or before == ord("\t")
                        or (
                            tails[second << 8 | np.int64(before)]
                            and thirds[np.int64(signs[place - 3]) << 8 | second]
                        )
                    )
                    if is_key:
                        found |= 1 << KEYS
                    if role & QUOTE and after & INITIAL and not role_before & LETTER:
                        found |= 1 << QUOTES
                    if is_english and role & STROKE and after & SMALL:
                        for shift in range(_NEAREST, _FARTHEST + 1):
                            far = signs[place - shift]
                            if far == ord("\n") or far == ord("\r"):
                                found |= 1 << PAIRS
                if is_english and role & CAPITAL and after & CAPITAL and not role_before & CAPITAL:
                    at = 2
                    while at < _IN_A_ROW and roles[signs[place + at]] & CAPITAL:
                        at += 1
                    pair = np.int64(sign) << 8 | np.int64(signs[place + 1])
                    if at == _IN_A_ROW and heads[pair]:
                        found |= 1 << CAPITALS
                if is_english and role & OPENING and after & DIGIT:
                    is_alone = not roles[signs[place + 3]] & (LETTER | DIGIT)
                    if is_alone and roles[signs[place + 2]] & DIGIT:
                        pair = np.int64(signs[place - 2]) << 8 | np.int64(before)
                        if events[pair] or (before == ord(" ") and sign == ord("(")):
                            found |= 1 << YEARS
                if is_english and role & DIGIT:
                    third = roles[signs[place + 2]]
                    if after & MARK or (after & GAP and third & MARK):
                        places[AGES, total[AGES]] = place + (1 if after & MARK else 2) - first
                        total[AGES] += 1
                    if after & DIGIT:
                        fourth_role = roles[signs[place + 3]]
                        is_head = role_before & IRISH_HEAD and not roles[signs[place - 2]] & inner
                        if is_head and (third & inner or (third & BLANK and fourth_role & inner)):
                            found |= 1 << IRISH
                        if signs[place + 1] == ord("8"):  # of 0818, 1800, 1850 and 1890
                            end = signs[place + 3]
                            if (sign == ord("1") and end == ord("0")) or (
                                sign == ord("0") and end == ord("8")
                            ):
                                found |= 1 << IRISH
            if found:
                for kind in range(len(places)):
                    if found >> kind & 1:
                        places[kind, total[kind]] = place - first
                        total[kind] += 1
        for kind in range(len(places)):
            counts[kind, text + 1] = total[kind] - before_text[kind]


@cache
def compiled_cues() -> Callable[..., Any]:
    return compiled(cue_loop)


@cache
def walk_tables(language: str) -> tuple[Any, ...]:
    """Return what the kernel asks of a language between the texts and what it writes.

    That are the `roles` of signs (256), the `gates` of three signs, five bits of each (32,768),
    whether it is English, the tables of `cue_tables`, and the words: those that three signs begin
    lie between `heads_of_words` (32,769). `_list_words` tells of the rest.
    """
    table = find_table(language)
    titles = np.full((3, 256), 0xFF, dtype=np.uint8)
    for row, letters in zip(titles, table.letters, strict=False):
        row[:] = np.frombuffer(letters, np.uint8)
    is_english = table.heads is not None
    heads = np.zeros(1 << 16, np.bool_) if table.heads is None else table.heads
    words, letters, codes = _list_words(table.words, is_english)
    gates = np.zeros(1 << 15, dtype=np.uint8)
    one, two, three = np.bitwise_or.reduce(titles.reshape(3, 8, 32), axis=1)
    may_be_title = one[:, None, None] & two[None, :, None] & three[None, None, :]
    gates[may_be_title.reshape(-1) != 0] = BEHIND_OTHERS
    first, second = (code & _LOW for code in _SCOT)
    gates[first << 10 | second << 5 :][:32] |= np.uint8(BEHIND_OTHERS if is_english else 0)
    gates[codes] |= BEHIND_OTHERS
    gates[codes[(words[:, 1] == ANYWHERE) | (words[:, 1] == AT_END)]] |= BEHIND_LETTERS
    return (
        _find_roles(), gates, is_english, table.tails, table.thirds, titles, heads,
        event_tails(), np.searchsorted(codes, np.arange((1 << 15) + 1)), words, letters,
    )  # fmt: skip


def _find_roles() -> Any:
    marks, gaps = age_signs()
    routing, _ = irish_signs()
    roles = np.zeros(256, dtype=np.int32)
    for code in range(256):
        sign, bare = chr(code), chr(code | _CASE)
        tells = (
            (LETTER, "a" <= bare <= "z"), (DIGIT, "0" <= sign <= "9"),
            (CAPITAL, "A" <= sign <= "Z" or (0xC0 <= code < 0xDF and code != 0xD7)),
            (SMALL, "a" <= sign <= "z"), (INITIAL, 0x40 <= code & 0x7F < 0x5F),
            (BLANK, sign == " "), (OPENING, sign in " ("), (KEY, sign in ":|"),
            (STROKE, sign in "/:"), (MARK, marks[code]), (GAP, gaps[code]),
            (QUOTE, quotes()[code]), (IRISH_HEAD, routing[code]),
        )  # fmt: skip
        roles[code] = sum(role for role, is_one in tells if is_one)
    return roles


def _list_words(words: dict[bytes, str], is_english: bool) -> tuple[Any, Any, Any]:
    """Return the words (w, 5), the letters of all, and the first three signs of each, ascending.

    Of a word there are its kind, what has to stand beside it, from which letter on it has to be
    written as it is, and where its letters begin and how many they are. One of two letters stands
    for all that may follow it.
    """
    rules = {"sign_ins": BEGUN, "typists": BEGUN, "calls": AT_END}
    asked = [(word, kind, rules.get(kind, ANYWHERE), _ANY_CASE) for word, kind in words.items()]
    asked = [
        (TALK if kind == "talks" else word, kind, rule, 0 if kind == "talks" else exact)
        for word, kind, rule, exact in asked
    ]
    if is_english:
        for kind, rule, exact, some in (
            ("verbs", DEED, 0, DEEDS), ("verbs", SAYING, 1, SAYINGS), ("verbs", SAYING, 0, CALLED),
            ("beside", CREDENTIAL, 0, CREDENTIALS), ("beside", RELATIVE, 0, RELATIVES),
            ("beside", BED, _ANY_CASE, BEDS), ("beside", SIGN, _ANY_CASE, SIGNS),
        ):  # fmt: skip
            asked += [(word.encode(), kind, rule, exact) for word in some]
    rows, begin = [], 0
    for word, kind, rule, exact in asked:
        first, second, *third = (sign & _LOW for sign in word[:3])
        for code in third or range(32):
            facts = (KINDS.index(kind), rule, exact, begin, len(word))
            rows.append((first << 10 | second << 5 | code, facts))
        begin += len(word)
    rows.sort()
    return (
        np.array([facts for _, facts in rows], dtype=np.int64),
        np.frombuffer(b"".join(word for word, *_ in asked), np.uint8),
        np.array([code for code, _ in rows], dtype=np.int64),
    )
