"""A batch of texts cut into parts that are read side by side."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.cores import usable_threads
from scrubjay.text.tokens import Tokens

#: Tokens that a part has at least, save for the last: fewer cost more to hand out than they save.
LEAST_TOKENS = 4_096

#: Parts for each thread, where there are tokens enough: who is ready early takes another one, and
#: what is made of the first can go on while the last are read.
PARTS_A_THREAD = 3


def cut_parts(
    batch: Sequence[Tokens], *, most: int | None = None
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return where each text begins, in tokens, and the parts of a batch, as ranges of texts.

    The offsets end with the sum. A text is in one part. There are up to `most` parts, else as many
    as the threads of this process have use for, and at least one.
    """
    offsets = [0]
    for tokens in batch:
        offsets.append(offsets[-1] + len(tokens))
    whole = [(0, len(batch))]
    if most == 1 or offsets[-1] < 2 * LEAST_TOKENS:
        return offsets, whole
    if most is None:
        threads = usable_threads()
        if threads == 1:
            return offsets, whole
        most = PARTS_A_THREAD * threads
    least = max(LEAST_TOKENS, -(-offsets[-1] // most))
    parts, first = [], 0
    for number in range(1, len(batch) + 1):
        if offsets[number] - offsets[first] >= least or number == len(batch):
            parts.append((first, number))
            first = number
    return offsets, parts
