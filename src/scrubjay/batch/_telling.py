"""What stands in an output as it was, ids and kept columns, and tells what the text told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from scrubjay.document import Document, Span
from scrubjay.labels import kind_of
from scrubjay.transform.surrogates._fresh import is_telling
from scrubjay.transform.surrogates.draw import fold, row_of_fold
from scrubjay.transform.surrogates.maker import DENSE

_NAMES = ("name", "initials")


def telling_of(
    document: Document, found: Sequence[Span], beside: Iterable[tuple[str, str]]
) -> Iterator[str]:
    """Yield the name of each value beside a text that shows a mention found in the text.

    `beside` are names and values: the id of the document, its kept columns. Of a name of a person
    one word is enough ("holloway-2" of "Margaret Holloway"), if it has four letters, or all of its
    words together ("LEE, ANN" of "Ann Q. Lee"); of all else the whole, but for kinds of few values
    (`maker.DENSE`): an age or a date tells little.
    """
    text = ""
    for name, value in beside:
        if not is_telling(value):
            continue
        row = row_of_fold(fold(value))
        if not text:
            text = document.text.lower() if document.text.isascii() else fold(document.text)
        if _may_show(row.split(), text) and any(
            _shown(document.text[span.start : span.end], span.label, row) for span in found
        ):
            yield name


def _may_show(words: Sequence[str], text: str) -> bool:
    """Tell whether a value of these words may show a mention of a folded text.

    Most values have no word of their text: one look at all of it is less than one at each mention.
    A mention that tells something has a word that does, or several words.
    """
    if any(is_telling(word) and word in text for word in words):
        return True
    return any(one in text and other in text for one, other in pairwise(words))


def _shown(mention: str, label: str, row: str) -> bool:
    """Tell whether a row of words shows a mention."""
    kind = kind_of("", label)
    if kind in DENSE or not is_telling(mention):
        return False
    words = row_of_fold(fold(mention))
    if kind in _NAMES:
        parts = [word for word in words.split() if len(word) > 1]
        there = [word for word in parts if f" {word} " in row]
        return any(map(is_telling, there)) or (len(parts) > 1 and there == parts)
    return words in row
