"""Consistency of one annotator: the same string marked here and not there, or with other labels.

Trienes et al. 2020 (section 3.3) check an annotated corpus so: PHI that occurs in several files
must have one label, and what is tagged in one part of the corpus but not in another is looked at
by hand. A string that is nearly always marked and once not is likely a miss; one that is marked
once in a hundred times is likely a common word that is a name only there.

Two readings: the first collects the strings that were marked, the second looks for them in every
text. Only these strings are held in memory, and places up to a bound.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from scrubjay.document import Document, Span
from scrubjay.errors import InputError, require_choice
from scrubjay.features.words import shape

Case = Literal["exact", "ignore"]
CASES: tuple[Case, ...] = ("exact", "ignore")
PLACES_KEPT = 50
"""How many places of one kind are kept for each string; all are counted."""

#: A word with the marks and joiners that follow its letters, or one other character.
_WORD = re.compile(r"(?:\w[\u0300-\u036f\u200c\u200d]*)+|\S")
_LONGEST = 20
"""Strings of more words than this are not looked for."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Half-open offsets in a document, and the label there, empty where nothing is marked."""

    document: str
    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """One string and how it was marked in a corpus.

    `marked` counts the places where it is a span of its own, `unmarked` those that share no
    character with any span, `partly` those of which a span covers a part and no span all.
    Places inside a longer span are none of these and not counted. `labels` are the labels of
    the marked places, the most frequent first. `documents_both` counts the documents where it is
    marked in one place and not (or partly) in another. `unmarked_places` and `marked_places`
    hold the first places of each. `text` is empty unless it was asked for.
    """

    shape: str
    words: int
    labels: tuple[tuple[str, int], ...]
    marked: int
    unmarked: int
    partly: int
    documents_marked: int
    documents_unmarked: int
    documents_both: int
    unmarked_places: tuple[Place, ...]
    marked_places: tuple[Place, ...]
    text: str = field(default="", repr=False)

    @property
    def marked_share(self) -> float:
        """The share of the places that are marked."""
        return self.marked / (self.marked + self.unmarked + self.partly)

    @property
    def main_share(self) -> float:
        """The share of the most frequent label among all labels that were given."""
        return self.labels[0][1] / sum(size for _, size in self.labels)

    def record(self) -> dict[str, Any]:
        """Return it as JSON values; text only where it was asked for."""
        found: dict[str, Any] = {"text": self.text} if self.text else {}
        return found | {
            "shape": self.shape,
            "labels": dict(self.labels),
            "marked": self.marked,
            "unmarked": self.unmarked,
            "partly": self.partly,
            "marked_share": self.marked_share,
            "documents_marked": self.documents_marked,
            "documents_unmarked": self.documents_unmarked,
            "documents_both": self.documents_both,
            "unmarked_places": [_place_record(place) for place in self.unmarked_places],
            "marked_places": [_place_record(place) for place in self.marked_places],
        }


def _place_record(place: Place) -> dict[str, Any]:
    found = {"document": place.document, "start": place.start, "end": place.end}
    return found | ({"label": place.label} if place.label else {})


@dataclass(frozen=True, slots=True)
class ConsistencyReport:
    """What is not consistent in one corpus.

    `strings` counts the distinct strings that were marked. `unmarked` are those that are not
    marked everywhere: first those marked most often in proportion (likely misses), of equals the
    more frequent. `labels` are those with more than one label: first those with the clearest
    majority (likely slips).
    """

    documents: int
    strings: int
    unmarked: tuple[Inconsistency, ...]
    labels: tuple[Inconsistency, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values (docs/agreement.md, "Consistency")."""
        return {
            "documents": self.documents,
            "strings": self.strings,
            "unmarked": [one.record() for one in self.unmarked],
            "labels": [one.record() for one in self.labels],
        }


@dataclass(slots=True)
class _Findings:
    """What is known of one string while texts are searched."""

    text: str
    words: int
    labels: Counter[str] = field(default_factory=Counter)
    marked: int = 0
    unmarked: int = 0
    partly: int = 0
    documents_marked: int = 0
    documents_unmarked: int = 0
    documents_both: int = 0
    marked_places: list[Place] = field(default_factory=list)
    unmarked_places: list[Place] = field(default_factory=list)


def check_consistency(
    read: Callable[[], Iterable[Document]],
    *,
    case: Case = "exact",
    show_text: bool = False,
) -> ConsistencyReport:
    """Find strings that one corpus marks here and not there, and strings with several labels.

    `read` is called twice and must give the same documents each time. Strings are compared word
    by word, any white space between words being alike, and are found where words begin and end;
    with `case="ignore"` without regard to upper and lower case. Strings of one
    character are left out. Text is in the result only with `show_text`.
    """
    require_choice("case", case, CASES)
    search = _Search(case)
    first = sum(1 for _ in map(search.collect, read()))
    second = sum(1 for _ in map(search.look_through, read()))
    if first != second:
        raise InputError(
            f"the corpus had {first} documents when it was read first, {second} the second time",
            hint="It is read twice: give files or a folder, no stream",
        )
    found = [_freeze(one, show_text) for one in search.strings.values() if one.labels]
    return ConsistencyReport(
        documents=first,
        strings=len(found),
        unmarked=_ranked_unmarked(found),
        labels=_ranked_labels(found),
    )


def _ranked_unmarked(found: Iterable[Inconsistency]) -> tuple[Inconsistency, ...]:
    chosen = [one for one in found if one.unmarked or one.partly]
    return tuple(
        sorted(chosen, key=lambda one: (-one.marked_share, -one.marked, one.marked_places))
    )


def _ranked_labels(found: Iterable[Inconsistency]) -> tuple[Inconsistency, ...]:
    chosen = [one for one in found if len(one.labels) > 1]
    return tuple(sorted(chosen, key=lambda one: (-one.main_share, -one.marked, one.marked_places)))


class _Search:
    """The strings that were marked, by their words, and where each occurs."""

    def __init__(self, case: Case) -> None:
        self._fold = str.casefold if case == "ignore" else str
        self.strings: dict[str, _Findings] = {}
        self._sizes: dict[str, set[int]] = {}

    def collect(self, document: Document) -> None:
        """Take in the strings that are marked in a document."""
        for span in document.spans:
            text = document.text[span.start : span.end]
            words = _WORD.findall(text)
            key = self._key(text)
            if not 0 < len(words) <= _LONGEST or len(key) < 2:
                continue
            if key not in self.strings:
                self.strings[key] = _Findings(" ".join(text.split()), len(words))
                self._sizes.setdefault(self._fold(words[0]), set()).add(len(words))

    def look_through(self, document: Document) -> None:
        """Find every place of every string in a document."""
        cover = _Cover(document)
        kinds: dict[str, set[str]] = {}
        for key, start, end in self._occurrences(document.text):
            kind, labels = cover.judge(start, end)
            if kind == "inside":
                continue
            kinds.setdefault(key, set()).add("marked" if kind == "marked" else "unmarked")
            found = self.strings[key]
            if kind == "marked":
                found.marked += 1
                found.labels.update(labels)
                _keep(found.marked_places, document.id, start, end, labels)
            else:
                found.unmarked += kind == "unmarked"
                found.partly += kind == "partly"
                _keep(found.unmarked_places, document.id, start, end, ("",))
        for key, seen in kinds.items():
            found = self.strings[key]
            found.documents_marked += "marked" in seen
            found.documents_unmarked += "unmarked" in seen
            found.documents_both += len(seen) == 2

    def _occurrences(self, text: str) -> Iterator[tuple[str, int, int]]:
        words = [found.span() for found in _WORD.finditer(text)]
        fold, sizes_of, strings = self._fold, self._sizes, self.strings
        for number, (start, end) in enumerate(words):
            for size in sizes_of.get(fold(text[start:end]), ()):
                if number + size <= len(words):
                    last = words[number + size - 1][1]
                    key = self._key(text[start:last])
                    if key in strings:
                        yield key, start, last

    def _key(self, text: str) -> str:
        return self._fold(" ".join(text.split()))


def _keep(places: list[Place], document: str, start: int, end: int, labels: Iterable[str]) -> None:
    for label in labels:
        if len(places) < PLACES_KEPT:
            places.append(Place(document, start, end, label))


class _Cover:
    """The spans of one document, without the white space at their ends, to judge places by."""

    def __init__(self, document: Document) -> None:
        self._labels: dict[tuple[int, int], list[str]] = {}
        for span in document.spans:
            bounds = _trimmed(document.text, span)
            known = self._labels.setdefault(bounds, [])
            if span.label not in known:
                known.append(span.label)
        self._bounds = sorted(self._labels)
        self._starts = [start for start, _ in self._bounds]
        self._widest = max((end - start for start, end in self._bounds), default=0)

    def judge(self, start: int, end: int) -> tuple[str, Iterable[str]]:
        """Tell whether a place is marked, inside a longer span, partly covered or unmarked."""
        if (start, end) in self._labels:
            return "marked", self._labels[start, end]
        first = bisect_right(self._starts, start - self._widest - 1)
        last = bisect_right(self._starts, end - 1)
        near = [(s, e) for s, e in self._bounds[first:last] if e > start]
        if any(s <= start and end <= e for s, e in near):
            return "inside", ()
        return ("partly" if near else "unmarked"), ()


def _trimmed(text: str, span: Span) -> tuple[int, int]:
    surface = text[span.start : span.end]
    start = span.start + len(surface) - len(surface.lstrip())
    return (start, start + len(surface.strip())) if surface.strip() else (span.start, span.end)


def _freeze(found: _Findings, show_text: bool) -> Inconsistency:
    return Inconsistency(
        shape=shape(found.text),
        words=found.words,
        labels=tuple(sorted(found.labels.items(), key=lambda row: (-row[1], row[0]))),
        marked=found.marked,
        unmarked=found.unmarked,
        partly=found.partly,
        documents_marked=found.documents_marked,
        documents_unmarked=found.documents_unmarked,
        documents_both=found.documents_both,
        unmarked_places=tuple(found.unmarked_places),
        marked_places=tuple(found.marked_places),
        text=found.text if show_text else "",
    )
