"""Tokens -> sub-tokens of a pre-trained encoder, in overlapping windows, aligned by offsets.

A sub-token belongs to our tokens by its characters: nothing is tokenized twice and nothing is
matched by its letters, so lower-casing or stripped accents cannot shift anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError, MissingExtraError, require_choice
from scrubjay.tags import IndexArray
from scrubjay.text.tokens import IntArray, Tokens

FloatArray = npt.NDArray[np.float32]

PIECES = ("first", "mean")

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class Subtokens:
    """The sub-tokens of one text with `t` tokens, and the windows in which they are read.

    `ids` (n,) are the sub-tokens, without the special ones. Token `i` is read off the sub-tokens
    `[begins[i], ends[i])`; the range is empty for a token that the encoder's tokenizer dropped.
    Window `w` reads the sub-tokens `[starts[w], stops[w])` and scores the tokens
    `[bounds[w], bounds[w + 1])`: every token is scored in exactly one window. One that reads no
    sub-token stands for tokens that nobody asked for.
    """

    ids: IntArray
    begins: IntArray
    ends: IntArray
    starts: IntArray
    stops: IntArray
    bounds: IntArray

    @property
    def windows(self) -> int:
        return len(self.starts)

    def asked(self) -> Iterator[tuple[int, slice, int]]:
        """Yield the windows that read and score something, in order.

        With the number of each come the tokens that it scores, and how many sub-tokens it reads.
        """
        for window in range(self.windows):
            first, last = self.bounds[window : window + 2].tolist()
            size = int(self.stops[window] - self.starts[window])
            if first != last and size:
                yield window, slice(first, last), size

    def pooling(self, window: int) -> npt.NDArray[np.float32]:
        """Return how much each sub-token of a window weighs in each token that it scores.

        The shape is (tokens scored, sub-tokens read). A row sums to 1, or to 0 where the token
        has no sub-token.
        """
        begins, sizes = self._taken(window)
        places = np.arange(int(self.stops[window] - self.starts[window]))
        taken = (places >= begins[:, None]) & (places < (begins + sizes)[:, None])
        weights = taken / np.maximum(sizes, 1)[:, None]
        return weights.astype(np.float32)

    def pool(self, window: int, values: FloatArray) -> FloatArray:
        """Return the mean of the values (sub-tokens read, d) of each token that a window scores.

        It is what `pooling` times the values gives, but for the rounding of sums, without a matrix
        product: the threads of a library that does those stay busy for a while after each, and
        take the cores from who works there.
        """
        begins, sizes = self._taken(window)
        if (sizes == 1).all():
            picked: FloatArray = values[begins]
            return picked
        pooled = np.zeros((len(begins), values.shape[1]), dtype=np.float32)
        for place in range(int(sizes.max())):
            rows = np.flatnonzero(sizes > place)
            pooled[rows] += values[begins[rows] + place]
        pooled /= np.maximum(sizes, 1).astype(np.float32)[:, None]
        return pooled

    def _taken(self, window: int) -> tuple[IntArray, IntArray]:
        """Return the first sub-token of each token that a window scores, and how many it has."""
        start, stop = int(self.starts[window]), int(self.stops[window])
        scored = slice(int(self.bounds[window]), int(self.bounds[window + 1]))
        begins = self.begins[scored] - start
        ends = np.minimum(self.ends[scored], stop) - start
        return begins, np.maximum(ends - begins, 0)


class SubtokenEncoder:
    """Cuts texts into the sub-tokens of a pre-trained encoder.

    `definition` is the content of a `tokenizer.json`. A window holds up to `window` sub-tokens,
    the special ones around it included, and shares `overlap` of them with the next: each token is
    scored where it stands more centrally, so that at least half the overlap is read on both of
    its sides. `pieces` says which sub-tokens of a token are read: the `first` that begins in it,
    or the `mean` of all that touch it.

    Raises `ConfigError` for a definition that cannot be read and for sizes that do not fit, and
    `MissingExtraError` without the package `tokenizers`.
    """

    def __init__(
        self, definition: str, *, window: int = 256, overlap: int = 64, pieces: str = "first"
    ) -> None:
        require_choice("pieces", pieces, PIECES)
        self.definition = definition
        self.window = window
        self.overlap = overlap
        self.pieces = pieces
        self._tokenizer = _read_tokenizer(definition)
        self.prefix, self.suffix = _special_ids(self._tokenizer)
        self._room = window - len(self.prefix) - len(self.suffix)
        if not 0 <= overlap < self._room:
            raise ConfigError(
                f"windows of {window} sub-tokens, {window - self._room} of them special, cannot "
                f"overlap by {overlap}",
                hint="Make the window larger or the overlap smaller",
            )

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(
            SubtokenEncoder, window=self.window, overlap=self.overlap, pieces=self.pieces
        )
        return make, (self.definition,)

    def encode(self, tokens: Tokens, *, ranges: IndexArray | None = None) -> Subtokens:
        """Return the sub-tokens and windows of a text.

        With `ranges` (k, 2) of its tokens, half-open, sorted and disjoint, the windows read those
        and a quarter of an overlap of sub-tokens around each.
        """
        # A lone surrogate is no character to the tokenizer; another one in its place keeps the
        # offsets.
        text = _SURROGATE.sub("\ufffd", tokens.text)
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        ids = np.array(encoding.ids, dtype=np.int32)
        offsets = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2)
        begins, ends = align_subtokens(tokens, offsets, pieces=self.pieces)
        # A token without sub-tokens is scored where the next sub-token is.
        places = np.maximum.accumulate(begins) if len(begins) else begins
        if ranges is not None:
            return Subtokens(ids, begins, ends, *self._narrow(len(ids), places, ends, ranges))
        starts, stops, cuts = cut_subtokens(len(ids), room=self._room, overlap=self.overlap)
        bounds = np.append(np.searchsorted(places, cuts), len(tokens)).astype(np.int32)
        return Subtokens(ids, begins, ends, starts, stops, bounds)

    def _narrow(
        self, size: int, places: IntArray, ends: IntArray, ranges: IndexArray
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return starts, stops and bounds of windows: over ranges, and of nothing between them."""
        starts, stops, bounds = [0], [0], [0]
        for first, last in ranges.tolist():
            low, high = 0, size
            if last - first < len(places):  # else all is read, what stands before and behind too
                low = max(0, int(places[first]) - self.overlap // 4)
                high = min(size, int(ends[first:last].max()) + self.overlap // 4)
            begun, done, cuts = cut_subtokens(
                max(0, high - low), room=self._room, overlap=self.overlap
            )
            taken = first + np.searchsorted(places[first:last], cuts[1:] + low)
            starts += [*(begun + low).tolist(), 0]
            stops += [*(done + low).tolist(), 0]
            bounds += [first, *taken.tolist(), last]
        bounds.append(len(places))
        return (
            np.array(starts, dtype=np.int32),
            np.array(stops, dtype=np.int32),
            np.array(bounds, dtype=np.int32),
        )

    def window_ids(self, subtokens: Subtokens, window: int) -> npt.NDArray[np.int64]:
        """Return the ids of a window as the encoder reads it, special sub-tokens included."""
        inner = subtokens.ids[subtokens.starts[window] : subtokens.stops[window]]
        return np.concatenate([self.prefix, inner, self.suffix]).astype(np.int64)


def align_subtokens(
    tokens: Tokens, offsets: npt.NDArray[np.int32], *, pieces: str
) -> tuple[IntArray, IntArray]:
    """Return the half-open sub-token range of each token, given the characters of each (n, 2).

    A sub-token that touches several tokens belongs to each of them; white space that it begins
    with counts for nothing. With `first` the range holds one sub-token: the first that begins in
    the token, else the first that touches it. Tokens without any have an empty range.
    """
    size = len(offsets)
    if not len(tokens) or not size:
        return np.zeros(len(tokens), dtype=np.int32), np.zeros(len(tokens), dtype=np.int32)
    # Offsets go up; of those that a tokenizer gives twice, the later never reach back.
    lasts = np.maximum.accumulate(offsets[:, 1])
    following = np.minimum(np.searchsorted(tokens.ends, offsets[:, 0], "right"), len(tokens) - 1)
    opening = np.maximum(offsets[:, 0], tokens.starts[following])
    opening = np.where(opening < offsets[:, 1], opening, offsets[:, 0])
    firsts = np.maximum.accumulate(opening)
    begins = np.searchsorted(lasts, tokens.starts, "right")
    ends = np.searchsorted(firsts, tokens.ends, "left")
    ends = np.maximum(begins, ends)
    if pieces == "first":
        inside = np.searchsorted(firsts, tokens.starts, "left")
        begins = np.where((begins < ends) & (inside < ends), np.maximum(inside, begins), begins)
        ends = np.minimum(ends, begins + 1)
    return begins.astype(np.int32), ends.astype(np.int32)


def cut_subtokens(size: int, *, room: int, overlap: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return starts and stops of the windows over `size` sub-tokens, and where each takes over.

    Windows hold up to `room` sub-tokens. From `cuts[w]` up to the next cut a sub-token is scored
    in window `w`; a cut is the middle of what two windows share. There is always one window.
    """
    count = 1 + max(0, -(-(size - room) // (room - overlap)))
    starts = np.arange(count, dtype=np.int32) * (room - overlap)
    # The last window is a full one, too: its tokens see as much as all others.
    starts[-1] = max(0, min(int(starts[-1]), size - room))
    stops = np.minimum(starts + room, size).astype(np.int32)
    cuts = np.zeros(count, dtype=np.int32)
    cuts[1:] = (starts[1:] + stops[:-1]) // 2
    return starts, stops, cuts


def _read_tokenizer(definition: str) -> Any:
    try:
        import tokenizers
    except ImportError:
        raise MissingExtraError("tokenizers", "neural") from None
    try:
        tokenizer = tokenizers.Tokenizer.from_str(definition)
    except Exception as error:  # the package raises plain exceptions of its Rust code
        raise ConfigError(
            f"the encoder's tokenizer cannot be read ({type(error).__name__})",
            hint="Give a folder with a tokenizer.json that this release of tokenizers knows",
        ) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # "[SEP]" in a note is text, not the end of a sequence.
    tokenizer.encode_special_tokens = True
    return tokenizer


def _special_ids(tokenizer: Any) -> tuple[IntArray, IntArray]:
    """Return the special sub-tokens before and after a text."""
    encoding = tokenizer.encode("a", add_special_tokens=True)
    special = np.array(encoding.special_tokens_mask, dtype=bool)
    ids = np.array(encoding.ids, dtype=np.int32)
    if special.all():
        raise ConfigError("the encoder's tokenizer makes nothing of a letter")
    inner = np.flatnonzero(~special)
    return ids[: inner[0]], ids[inner[-1] + 1 :]
