"""The texts of a character language model as streams of numbers; numpy alone."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.errors import InputError
from scrubjay.features.alphabet import BORDER, Alphabet, make_alphabet
from scrubjay.learning.charlm_config import CharLMConfig
from scrubjay.text.tokens import IntArray

LEAST_CHARACTERS = 2_000
"""With less text than this there is nothing to learn, and nothing to measure on."""

_MEASURED_AT_MOST = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class CharLMTexts:
    """Texts as numbers, split: `training` and `held_out`, each one array for each text.

    `fingerprint` is a sha256 of all texts in their order, `characters` their number.
    """

    alphabet: Alphabet
    training: tuple[IntArray, ...]
    held_out: tuple[IntArray, ...]
    fingerprint: str
    characters: int

    def reading(self, direction: str) -> tuple[tuple[IntArray, ...], IntArray]:
        """Return the training texts and the held-out stream in the order of that direction."""
        step = 1 if direction == "forward" else -1
        training = tuple(text[::step] for text in self.training)
        held_out = join([text[::step] for text in self.held_out])
        return training, held_out[: _MEASURED_AT_MOST + 1]


def prepare_texts(texts: Sequence[str], config: CharLMConfig) -> CharLMTexts:
    """Split texts by whole documents, build the alphabet of the training part, and encode all.

    A single document is cut in two. The split depends on the texts and the seed alone. Raises
    `InputError` where there is too little text.
    """
    texts = [text for text in texts if text]
    characters = sum(map(len, texts))
    if characters < LEAST_CHARACTERS:
        raise InputError(
            f"{characters} characters are too few to learn a language from",
            hint=f"Give at least {LEAST_CHARACTERS:,}; useful models need a million or more",
        )
    training, held_out = _split(texts, config.held_out, config.seed)
    least = 2 * config.batch
    if sum(map(len, training)) < least:
        raise InputError(f"too few characters for batches of {config.batch} streams")
    alphabet = make_alphabet(training, min_count=config.min_count)
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return CharLMTexts(
        alphabet,
        tuple(map(alphabet.encode, training)),
        tuple(map(alphabet.encode, held_out)),
        digest.hexdigest(),
        characters,
    )


def _split(texts: Sequence[str], share: float, seed: int) -> tuple[list[str], list[str]]:
    wanted = share * sum(map(len, texts))
    if len(texts) == 1:
        cut = len(texts[0]) - int(wanted)
        return [texts[0][:cut]], [texts[0][cut:]]
    order = np.random.default_rng((seed, 1)).permutation(len(texts)).tolist()
    taken: set[int] = set()
    size = 0
    for place in order[:-1]:
        # A text that is most of the corpus is worth more in training.
        if size < wanted and size + len(texts[place]) <= max(2 * wanted, wanted + 1_000):
            taken.add(place)
            size += len(texts[place])
    if not taken:
        taken.add(min(order, key=lambda place: (len(texts[place]), place)))
    training = [text for place, text in enumerate(texts) if place not in taken]
    return training, [texts[place] for place in sorted(taken)]


def join(texts: Sequence[IntArray]) -> IntArray:
    """Return texts as one stream with a border before each and after the last."""
    border = np.array([BORDER], dtype=np.int32)
    return np.concatenate([part for text in texts for part in (border, text)] + [border])


def epoch_stream(texts: Sequence[IntArray], *, seed: int, epoch: int) -> IntArray:
    """Return all texts as one stream, in an order of that epoch's own."""
    order = np.random.default_rng((seed, 2, epoch)).permutation(len(texts))
    return join([texts[place] for place in order])


def columns(stream: IntArray, batch: int) -> tuple[IntArray, IntArray]:
    """Cut a stream into `batch` columns: what is read and what comes next, shape `(length, batch)`.

    Up to `batch` characters at the end are left out.
    """
    batch = min(batch, len(stream) - 1)
    length = (len(stream) - 1) // batch
    read = stream[: length * batch].reshape(batch, length).T
    following = stream[1 : length * batch + 1].reshape(batch, length).T
    return read, following
