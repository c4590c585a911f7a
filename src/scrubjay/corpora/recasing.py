"""Training documents in other capitals: hurried text without any, and text that has no others.

Letters are changed one by one, and one whose other case is not exactly one character stays as
it is, so a text keeps its length and spans keep their offsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Literal, get_args

from scrubjay.corpora.metadata import annotation_free
from scrubjay.corpora.regions import without_ignored
from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.labels import LabelSet, kind_of

__all__ = ["MODES", "Mode", "recase_document", "recased_copies"]

Mode = Literal["lower", "mentions", "lines", "upper"]

MODES: Mapping[Mode, float] = {"lower": 0.5, "mentions": 0.25, "lines": 0.15, "upper": 0.1}
"""The ways to write a copy, and the share of the copies that is written so."""

_NAMED = frozenset(
    {"name", "city", "hospital", "organization", "street", "place", "country", "state",
     "profession"}
)  # fmt: skip
_LINE_LOWER, _LINE_UPPER = 0.5, 0.15


def recase_document(
    document: Document, mode: Mode, *, rng: Random, label_set: LabelSet | None = None
) -> Document:
    """Return the document with other capitals, its spans at the same offsets.

    "lower" and "upper" write the whole text so; "mentions" writes those of persons, places,
    organizations and professions in lower case (labels by their kind in `label_set`, else in
    the sets that ship); "lines" draws from `rng` for each line: lower case (0.5), upper case
    (0.15) or as it is. Metadata that describe spans of the old text go.

    Raises `ConfigError` for an unknown mode.
    """
    if mode not in get_args(Mode):
        raise ConfigError(f"unknown mode {mode!r}", hint="Known: " + ", ".join(MODES))
    text = document.text
    if mode == "lower":
        text = lower_case(text)
    elif mode == "upper":
        text = upper_case(text)
    elif mode == "mentions":
        text = _lower_mentions(document, label_set)
    else:
        text = "".join(_recase_line(line, rng) for line in text.splitlines(keepends=True))
    return replace(document, text=text, metadata=annotation_free(document.metadata))


def recased_copies(
    documents: Iterable[Document],
    copies: int = 1,
    *,
    seed: int,
    share: float = 1.0,
    label_set: LabelSet | None = None,
) -> Iterator[Document]:
    """Yield `copies` of each document in other capitals, as `ID~1`, `ID~2` ..., and not itself.

    Each copy draws one of `MODES` by its own lot. `share` (0 to 1) is the chance that a document
    is copied at all; another share leaves the copies as they are and adds or drops some. A copy
    depends on the seed, the id and the text, not on the order of the documents. What documents
    tell to ignore is cut out first (`corpora.regions`).

    Raises `ConfigError` for a share outside [0, 1].
    """
    if not 0 <= share <= 1:
        raise ConfigError(f"the share must be from 0 to 1, not {share}")
    for document in documents:
        if Random(f"{seed}:{document.id}").random() >= share:
            continue
        seen = without_ignored(document)
        for number in range(1, copies + 1):
            rng = Random(f"{seed}:{document.id}:{number}")
            (mode,) = rng.choices(list(MODES), list(MODES.values()))
            copy = recase_document(seen, mode, rng=rng, label_set=label_set)
            yield replace(copy, id=f"{document.id}~{number}")


def _lower_mentions(document: Document, label_set: LabelSet | None) -> str:
    letters = list(document.text)
    for span in document.spans:  # they may overlap
        if kind_of(label_set or "", span.label) in _NAMED:
            letters[span.start : span.end] = lower_case(document.text[span.start : span.end])
    return "".join(letters)


def _recase_line(line: str, rng: Random) -> str:
    lot = rng.random()
    if lot < _LINE_LOWER:
        return lower_case(line)
    return upper_case(line) if lot < _LINE_LOWER + _LINE_UPPER else line


def lower_case(text: str) -> str:
    """Return a text in lower case, without what would change its length."""
    return "".join(map(_lower_letter, text))


def upper_case(text: str) -> str:
    """Return a text in capitals, without those that would change its length."""
    return "".join(map(_upper_letter, text))


@cache
def _lower_letter(letter: str) -> str:
    return _changed(letter, str.lower)


@cache
def _upper_letter(letter: str) -> str:
    return _changed(letter, str.upper)


def _changed(letter: str, change: Callable[[str], str]) -> str:
    other = change(letter)
    # The dotless i of Turkish has a capital that is another letter's.
    same = len(other) == 1 and other.casefold() == letter.casefold()
    return other if same else letter
