"""Whether the id of a document, which stands in the output as it was, tells what its text told."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.document import Document, Span
from scrubjay.labels import kind_of
from scrubjay.transform.surrogates._fresh import is_telling
from scrubjay.transform.surrogates.draw import fold, row_of_fold
from scrubjay.transform.surrogates.maker import DENSE

_NAMES = ("name", "initials")


def tells_mention(document: Document, found: Sequence[Span]) -> bool:
    """Tell whether the id of a document shows a mention found in its text.

    Of a name one word is enough ("holloway-2" of "Margaret Holloway"), if it has four letters; of
    all else the whole, but for kinds of few values (`maker.DENSE`): an age or a date tells little.
    """
    row = row_of_fold(fold(document.id))
    words = list(filter(is_telling, row.split()))
    # Most ids have no word of their text: one look at all of it is less than one at each mention.
    if not words:
        return False
    text = document.text.lower() if document.text.isascii() else fold(document.text)
    if not any(word in text for word in words):
        return False
    return any(_shown(document.text[span.start : span.end], span.label, row) for span in found)


def _shown(mention: str, label: str, row: str) -> bool:
    """Tell whether a row of words shows a mention."""
    kind = kind_of("", label)
    if kind in DENSE or not is_telling(mention):
        return False
    words = row_of_fold(fold(mention))
    if kind in _NAMES:
        return any(is_telling(word) and f" {word} " in row for word in words.split())
    return words in row
