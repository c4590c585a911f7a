"""Byte pair encoding over words: trained on a corpus, applied without any package.

The symbols are characters (code points). The order of the merges is their rank: the pair of
the lowest rank merges first, the leftmost of equals, as Hugging Face's `tokenizers` does.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any

from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.text.characters import MARK, kind_of

Merge = tuple[str, str]


def rank_merges(merges: Iterable[Sequence[str]]) -> dict[Merge, int]:
    """Return each pair with its rank; raises `ConfigError` for what is no list of pairs."""
    ranks: dict[Merge, int] = {}
    for number, pair in enumerate(merges):
        paired = isinstance(pair, list | tuple) and len(pair) == 2
        if not paired or not all(isinstance(part, str) and part for part in pair):
            raise ConfigError(
                f"merge {number} is not a pair of strings",
                hint="Merges are a list of [left, right], in the order of their training",
            )
        ranks.setdefault((pair[0], pair[1]), number)
    return ranks


def piece_starts(word: str, ranks: Mapping[Merge, int]) -> tuple[int, ...]:
    """Return the offsets, within the word, at which its pieces begin.

    A piece never begins with a combining mark: the mark stays with its letter. Time grows as
    n log n with the length of the word.
    """
    size = len(word)
    pieces: list[str] = list(word)
    following = list(range(1, size + 1))
    preceding = list(range(-1, size - 1))
    queue: list[tuple[int, int, str, str]] = []

    def offer(left: int) -> None:
        right = following[left] if left >= 0 else size
        if right < size:
            rank = ranks.get((pieces[left], pieces[right]))
            if rank is not None:
                heapq.heappush(queue, (rank, left, pieces[left], pieces[right]))

    for index in range(size - 1):
        offer(index)
    while queue:
        _, left, first, second = heapq.heappop(queue)
        right = following[left]
        # An entry is stale when a merge has meanwhile taken one of its two pieces.
        if right >= size or pieces[left] != first or pieces[right] != second:
            continue
        pieces[left] = first + second
        pieces[right] = ""
        following[left] = following[right]
        if following[left] < size:
            preceding[following[left]] = left
        offer(preceding[left])
        offer(left)
    return tuple(
        index
        for index, piece in enumerate(pieces)
        if piece and (index == 0 or kind_of(word[index]) != MARK)
    )


def train_merges(words: Iterable[str], size: int) -> tuple[Merge, ...]:
    """Learn up to `size` merges from words, given as often as they occur.

    Memory grows with the distinct words. The result depends on the counts of the words alone,
    not on their order. Needs the package `tokenizers`; raises `MissingExtraError` without it.
    """
    if size < 0:
        raise ConfigError(f"the number of merges must not be negative, got {size}")
    try:
        from tokenizers import Tokenizer, models, trainers
    except ImportError:
        raise MissingExtraError("tokenizers", "train") from None
    counts = Counter(words)
    # Each character is a symbol of its own and counts towards the size of the vocabulary.
    alphabet = {character for word in counts for character in word}
    tokenizer: Any = Tokenizer(models.BPE())
    trainer = trainers.BpeTrainer(
        vocab_size=len(alphabet) + size, min_frequency=2, show_progress=False
    )
    repeated = chain.from_iterable(repeat(word, counts[word]) for word in sorted(counts))
    tokenizer.train_from_iterator(repeated, trainer)
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return tuple((left, right) for left, right in merges)
