"""The tokenized texts of a batch as one, so that a kernel walks all of them in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.text.signs import ByteArray, PointArray, code_points, read_signs
from scrubjay.text.tokens import IntArray, Tokens


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JoinedTexts:
    """The texts of a batch one after another, each with a line break behind it.

    No line, no key and no expression for numbers reaches over a line break, so none reaches from
    one text into the next. `points` and `signs` (c,) are the characters of `text`, `starts` and
    `ends` (n,) the tokens by their offsets in it, `bounds` (s + 1,) delimit sentences, and
    `first_tokens` and `first_characters` (d + 1,) the texts.
    """

    text: str
    points: PointArray
    signs: ByteArray
    starts: IntArray
    ends: IntArray
    bounds: IntArray
    first_tokens: IntArray
    first_characters: IntArray

    def __repr__(self) -> str:
        return f"JoinedTexts({len(self.first_tokens) - 1} texts, {len(self.starts)} tokens)"

    def words(self, tokens: IntArray) -> list[str]:
        """Return the words of some tokens."""
        bounds = zip(self.starts[tokens].tolist(), self.ends[tokens].tolist(), strict=True)
        return [self.text[start:end] for start, end in bounds]


def join_texts(batch: Sequence[Tokens]) -> JoinedTexts:
    """Return the texts of a batch, of one text at least, as one."""
    text = "\n".join([tokens.text for tokens in batch]) + "\n"
    points = code_points(text)
    sizes = np.array([len(tokens) for tokens in batch], dtype=np.int32)
    first_tokens = add_up(sizes)
    first_characters = add_up(np.array([len(tokens.text) + 1 for tokens in batch], dtype=np.int32))
    offsets = np.repeat(first_characters[:-1], sizes)
    return JoinedTexts(
        text=text,
        points=points,
        signs=read_signs(points),
        starts=np.concatenate([tokens.starts for tokens in batch]) + offsets,
        ends=np.concatenate([tokens.ends for tokens in batch]) + offsets,
        bounds=join_bounds(batch, first_tokens),
        first_tokens=first_tokens,
        first_characters=first_characters,
    )


def join_bounds(batch: Sequence[Tokens], first_tokens: IntArray) -> IntArray:
    """Return the bounds of the sentences of all texts (int32, shape `(s + 1,)`)."""
    starts = [tokens.sentence_starts for tokens in batch]
    counts = np.array([len(each) for each in starts], dtype=np.int32)
    moved = np.concatenate([*starts, first_tokens[-1:]])
    moved[:-1] += np.repeat(first_tokens[:-1], counts)
    return moved.astype(np.int32)


def add_up(sizes: IntArray) -> IntArray:
    """Return where each of some parts begins, and the end of the last."""
    return np.concatenate([np.zeros(1, dtype=np.int32), np.cumsum(sizes, dtype=np.int32)])
