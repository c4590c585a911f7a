"""The tables of a sieve as arrays, and its compiled search over them.

A search that comes to what was not worked out yet leaves the place to the plain one, which works
it out; the tables then know it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from scrubjay.taggers._search.automaton import UNKNOWN
from scrubjay.taggers._search.sieve import OPENING, WORD, Sieve, Tries
from scrubjay.taggers._search.sieve_loop import DIGIT, FACTOR, LETTER, NONE, SALT, compiled_sieve
from scrubjay.taggers._search.steps import TOLD

IntArray = npt.NDArray[np.int32]

Sifted = tuple[Tries, Sequence[str]]
"""The places of a text with what may match there, and the signs that it holds."""

_TABLE_SIZE = 0x10000
_BEYOND = chr(_TABLE_SIZE)
_DIGITS = re.compile(r"\d+")
_FINAL = "Σ"  # its small letter depends on what follows
_LITTLE, _MUCH = 4_096, 1 << 20
"""Characters that are walked through in one go, where there was much that was new and where not."""

_FEW = 50  # one place in so many is not much: some lead to what is never kept


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """What the walks through some texts came to.

    `tables` are those that were walked with, and know the nodes; None where no text was walked
    through. `kept` are the numbers of those that can be walked through. `counts` tells how many of
    the `places`, counted from the begin of a text, and of the `nodes` each of these has, and `held`
    (kept, signs) which signs it holds.
    """

    tables: Tables | None
    texts: Sequence[str]
    kept: Sequence[int]
    places: IntArray
    nodes: IntArray
    counts: IntArray
    held: npt.NDArray[np.bool_]


def walk_nowhere(texts: Sequence[str]) -> Walked:
    """Return what the walks came to if no text can be walked through."""
    none = np.zeros(0, dtype=np.int32)
    return Walked(None, texts, (), none, none, none, np.zeros((0, 0), dtype=np.bool_))


class Tables:
    """Finds what a `Sieve` does, compiled, and which signs a text holds.

    The words of the sieve are in a hash table: keys as they are in small letters, and the forms
    of those of which it matters how they are written. Each leads to the node where its walks begin.
    """

    def __init__(self, sieve: Sieve, signs: Iterable[str]) -> None:
        self._sieve = sieve
        forms = sorted(
            {form for row in sieve.keys.values() for machine in row for form in machine.forms or ()}
        )
        words = [(key, False) for key in sieve.keys] + [(form, True) for form in forms]
        self._numbers = {word: number for number, word in enumerate(words)}
        self._slots, self._words, self._store = _hash_table(words)
        written = {form.lower() for form in forms}
        self._has_forms = np.array([word in written for word, _ in words], dtype=np.bool_)
        self._starts = np.full(len(words), UNKNOWN, dtype=np.int32)
        self._behind = np.full(0, UNKNOWN, dtype=np.int32)
        self._learnt = 0
        self._lock = threading.Lock()
        self._most = _LITTLE
        self._openings = _codes(OPENING)
        self._place_starts = [
            NONE if node is None else node.number
            for node in (sieve.place_start(codes=False), sieve.place_start(codes=True))
        ]
        self._signs = sorted(sign for sign in signs if ord(sign[0]) < TOLD)
        self._others = [sign for sign in signs if ord(sign[0]) >= TOLD]
        firsts = [ord(sign[0]) for sign in self._signs]
        self._heads = np.searchsorted(firsts, np.arange(TOLD + 1)).astype(np.int32)
        self._sign_bounds = _bounds(self._signs)
        self._sign_store = _codes("".join(self._signs))

    def cut(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """Return texts in parts, each to be walked in one go."""
        parts: list[Sequence[str]] = []
        first = size = 0
        for number, text in enumerate(texts):
            if number > first and size + len(text) > self._most:
                parts.append(texts[first:number])
                first, size = number, 0
            size += len(text)
        return [*parts, texts[first:]]

    def walk(self, texts: Sequence[str]) -> Walked:
        """Return where the walks from the anchors of texts lead; any thread may do so."""
        kept: Sequence[int] = range(len(texts))
        codes, chosen = _codes("".join(texts)), texts
        if len(codes) and int(codes.max()) >= _TABLE_SIZE:
            kept = [n for n, text in enumerate(texts) if not text or max(text) < _BEYOND]
            chosen = [texts[n] for n in kept]
            codes = _codes("".join(chosen))
        bounds, counts = _bounds(chosen), np.zeros(len(chosen), dtype=np.int32)
        held = np.zeros((len(chosen), len(self._signs)), dtype=np.bool_)
        kinds, lowers = _characters()
        automaton = self._sieve.automaton
        rows, ends = automaton.rows, automaton.ends  # in this order: the second may be longer
        places, nodes = compiled_sieve()(
            codes, bounds, kinds, lowers, self._openings,
            self._slots, self._words, self._store, self._has_forms, self._starts,
            *self._place_starts,
            rows, ends, self._behind,
            self._heads, self._sign_bounds, self._sign_store, held, counts,
        )  # fmt: skip
        return Walked(self, texts, kept, places, nodes, counts, held)

    def read(self, walked: Walked) -> list[Sifted | None]:
        """Return of each text where something may match; None for one of odd characters.

        What the walks came to and nobody knew is known from then on.
        """
        found: list[Sifted | None] = [None] * len(walked.texts)
        places, nodes = walked.places.tolist(), walked.nodes.tolist()
        new = sum(node < 0 for node in nodes)
        self._most = _LITTLE if new * _FEW > len(nodes) else _MUCH
        walks = zip(places, nodes, strict=True)
        for number, count, held in zip(
            walked.kept, walked.counts.tolist(), walked.held, strict=True
        ):
            tries = self._read(walked.texts[number], islice(walks, count))
            signs = [self._signs[sign] for sign in np.flatnonzero(held).tolist()]
            found[number] = tries, [*signs, *self._others]
        return found

    def _read(self, text: str, walks: Iterable[tuple[int, int]]) -> Tries:
        """Return what may match at the places of a text to whose nodes the walks led."""
        found: Tries = []
        made, sieve = self._sieve.automaton.nodes, self._sieve
        for place, node in walks:
            if node >= 0:
                found.append((place, made[node].matched))
            else:
                found += [(place, entries) for entries in sieve.find_at(text, place)]
                self._learn(text, place)
        return found

    def _learn(self, text: str, place: int) -> None:
        """Take over what the sieve has worked out at a place."""
        word = WORD.match(text, place)
        key = word.group().lower() if word else ""
        if word and key in self._sieve.keys:
            number = self._numbers.get((word.group(), True), self._numbers[key, False])
            start = self._sieve.word_start(word.group())
            self._starts[number] = NONE if start is None else start.number
        with self._lock:
            # First, since another thread may make more rows; and as a copy: that is made in one go,
            # where a list of the items gives way to other threads when the garbage is collected.
            # Nearly always there is none to be learnt.
            known = self._sieve.backs
            backs = list(known.copy().items()) if len(known) > self._learnt else []
            rows = len(self._sieve.automaton.rows)
            if len(self._behind) < rows:
                more = np.full(rows - len(self._behind), UNKNOWN, dtype=np.int32)
                self._behind = np.concatenate([self._behind, more])
            for node, back in backs[self._learnt :]:
                if node.number != UNKNOWN:
                    self._behind[node.number] = NONE if back is None else back.number
            self._learnt = max(self._learnt, len(backs))


def _hash_table(words: Sequence[tuple[str, bool]]) -> tuple[IntArray, IntArray, IntArray]:
    """Return the slots of a hash table, where each word lies in a store, and the store.

    A word has its begin, its length, and whether it is a form: forms are hashed apart from keys.
    """
    size = 1 << (2 * len(words) + 1).bit_length()
    slots = np.full(size, -1, dtype=np.int32)
    table = np.zeros((len(words), 3), dtype=np.int32)
    begin = 0
    for number, (word, is_form) in enumerate(words):
        table[number] = begin, len(word), is_form
        begin += len(word)
        key = SALT if is_form else 0
        for character in word:
            key = ((key ^ ord(character)) * FACTOR) & 0xFFFFFFFFFFFFFFFF
        slot = (key ^ (key >> 32)) & (size - 1)
        while slots[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        slots[slot] = number
    return slots, table, _codes("".join(word for word, _ in words))


def _bounds(texts: Sequence[str]) -> IntArray:
    return np.cumsum([0, *map(len, texts)]).astype(np.int32)


def _codes(text: str) -> IntArray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.int32)


@cache
def _characters() -> tuple[npt.NDArray[np.uint8], IntArray]:
    """Return of the first code points the kind, and of letters the small letter, if it is one."""
    text = "".join(map(chr, range(_TABLE_SIZE)))
    kinds = np.zeros(_TABLE_SIZE, dtype=np.uint8)
    for expression, kind in ((WORD, LETTER), (_DIGITS, DIGIT)):
        for run in expression.finditer(text):
            kinds[run.start() : run.end()] = kind
    lowers = np.zeros(_TABLE_SIZE, dtype=np.int32)
    for code in np.flatnonzero(kinds == LETTER).tolist():
        lower = chr(code).lower()
        if len(lower) == 1 and chr(code) != _FINAL:
            lowers[code] = ord(lower)
    return kinds, lowers
