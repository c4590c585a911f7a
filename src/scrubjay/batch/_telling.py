"""What stands in an output as it was, ids and kept columns, and tells what the text told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scrubjay.document import Document, Span
from scrubjay.known.people import TITLES
from scrubjay.labels import kind_of
from scrubjay.transform.surrogates._fresh import LEAST_LETTERS, is_telling
from scrubjay.transform.surrogates.draw import fold, row_of_fold
from scrubjay.transform.surrogates.maker import DENSE

_NAMES = ("name", "initials")
_LEAST_ALONE = 3
"""Letters of a name that is all of a value."""


def telling_of(
    document: Document, found: Sequence[Span], beside: Iterable[tuple[str, str]]
) -> Iterator[str]:
    """Yield the name of each value beside a text that shows a mention found in the text.

    `beside` are names and values: the id of the document, its kept columns. Of a name of a person
    one word is enough ("holloway-2" of "Margaret Holloway"), if it has four letters; of all else
    the whole, but for kinds of few values (`maker.DENSE`): an age or a date tells little. A name of
    shorter words is shown where all of them stand, in any order ("Lee, Ann" of "Ann Lee"), or where
    the value is nothing else ("Au, S" of "S. Au").
    """
    text = ""
    for name, value in beside:
        if not _may_tell(value):
            continue
        row = row_of_fold(fold(value))
        if not text:
            text = document.text.lower() if document.text.isascii() else fold(document.text)
        if _may_show(row.split(), text) and any(
            _shown(document.text[span.start : span.end], span.label, row) for span in found
        ):
            yield name


def _may_tell(value: str) -> bool:
    """Tell whether a value may show anything: a name of three letters alone does, too."""
    return is_telling(value) or (
        len(value) >= _LEAST_ALONE and sum(map(str.isalpha, value)) >= _LEAST_ALONE
    )


def _may_show(words: Sequence[str], text: str) -> bool:
    """Tell whether a value of these words may show a mention of a folded text.

    Most values have no word of their text: one look at all of it is less than one at each mention.
    A mention that tells something has a word that does, or several words.
    """
    if len(words) == 1 and words[0] in text:
        return True
    if any(is_telling(word) and word in text for word in words):
        return True
    return sum(word in text for word in words) > 1


def _shown(mention: str, label: str, row: str) -> bool:
    """Tell whether a row of words shows a mention."""
    kind = kind_of("", label)
    if kind in DENSE:
        return False
    words = row_of_fold(fold(mention))
    if kind in _NAMES:
        return any(
            is_telling(word) and f" {word} " in row for word in words.split()
        ) or _shows_short_name(words.split(), row.split())
    return is_telling(mention) and words in row


def _shows_short_name(name: Sequence[str], row: Sequence[str]) -> bool:
    """Tell whether a row has all words of a name of short words, or no others than its own."""
    name = [word for word in name if word not in TITLES]
    if sum(map(len, name)) < _LEAST_ALONE:
        return False
    if sorted(name) == sorted(row):
        return True
    whole = [word for word in name if len(word) > 1]
    return len(whole) > 1 and sum(map(len, whole)) >= LEAST_LETTERS and set(whole).issubset(row)
