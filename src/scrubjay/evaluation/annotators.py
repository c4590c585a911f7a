"""The same documents as several annotators marked them, brought together by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from scrubjay.document import Document
from scrubjay.errors import InputError, LabelError
from scrubjay.evaluation.pairs import Unpaired, distinct, first_difference
from scrubjay.evaluation.reading import Relabelling
from scrubjay.labels import LabelMap, LabelSet


@dataclass(frozen=True, slots=True)
class Annotator:
    """A name and the documents as its bearer marked them."""

    name: str
    documents: Iterable[Document] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Joined:
    """One document as the annotators marked it; None stands for one who did not have it.

    `versions` has one entry for each annotator, in their order, and at least one document; all
    have the same id and text.
    """

    versions: tuple[Document | None, ...]

    @property
    def present(self) -> tuple[Document, ...]:
        """The versions that there are."""
        return tuple(version for version in self.versions if version is not None)

    @property
    def id(self) -> str:
        """The id of the document."""
        return self.present[0].id

    @property
    def text(self) -> str:
        """The text of the document."""
        return self.present[0].text


class Panel:
    """Documents of two or more annotators, joined while they are read; iterate it once.

    One document of each annotator is read in turn, and those whose partners have not come are
    held: in corpora of one order, one of each. With `unpaired="error"` every document must come
    from every annotator. With "skip" a document goes on with those who have it, as in a project
    that gives each document to two of its annotators; one that a single annotator has is left
    out and counted in `alone`.

    `can_skip` tells whether errors may advise that.

    Labels are mapped by `label_map` first (`outside` counts the spans that it leaves out), and
    take the spelling of `label_set` where one is given.

    Raises `InputError` for fewer than two annotators, a name given twice, an id that occurs
    twice, texts that differ (with the first offset where they do) and documents that are
    missing, `LabelError` for a label that the label set or the label map does not have.
    """

    def __init__(
        self,
        annotators: Sequence[Annotator],
        *,
        label_set: LabelSet | None = None,
        label_map: LabelMap | None = None,
        unpaired: Unpaired = "error",
        can_skip: bool = True,
    ) -> None:
        self._can_skip = can_skip
        self.names = require_annotators([annotator.name for annotator in annotators])
        self.label_set = label_set
        self.unpaired = unpaired
        self.alone: Counter[str] = Counter()
        self._relabel = Relabelling(label_map)
        self._streams = [
            distinct(self._relabel(annotator.documents), repr(annotator.name))
            for annotator in annotators
        ]

    @property
    def outside(self) -> dict[str, int]:
        """Label -> spans that were left out, since the label map has no counterpart."""
        return dict(sorted(self._relabel.outside.items()))

    def __iter__(self) -> Iterator[Joined]:
        waiting: dict[str, list[Document | None]] = {}
        for number, document in _take_turns(self._streams):
            versions = waiting.setdefault(document.id, [None] * len(self.names))
            versions[number] = self._spell(document, self.names[number])
            if all(version is not None for version in versions):
                del waiting[document.id]
                yield self._join(versions)
        for versions in waiting.values():
            found = [name for name, one in zip(self.names, versions, strict=True) if one]
            if self.unpaired == "error":
                raise self._missing(versions, found)
            if len(found) == 1:
                self.alone[found[0]] += 1
            else:
                yield self._join(versions)

    def _missing(self, versions: Sequence[Document | None], found: Sequence[str]) -> InputError:
        lacking = next(name for name in self.names if name not in found)
        document = next(version for version in versions if version is not None)
        return InputError(
            f"document {document.id!r} of {found[0]!r} is missing from {lacking!r}",
            hint="Check that all annotators had the same documents"
            + (
                ", or compare each document between those who have it (--unpaired skip)"
                if self._can_skip
                else ", and give here those that all of them had"
            ),
        )

    def _join(self, versions: Sequence[Document | None]) -> Joined:
        named = [
            (name, version)
            for name, version in zip(self.names, versions, strict=True)
            if version is not None
        ]
        first_name, first = named[0]
        for name, version in named[1:]:
            if version.text != first.text:
                raise InputError(
                    f"document {first.id!r}: the texts of {first_name!r} ({len(first.text)} "
                    f"characters) and {name!r} ({len(version.text)}) differ from offset "
                    f"{first_difference(first.text, version.text)} on",
                    hint="Offsets of different texts cannot be compared; were line ends or "
                    "encoding changed?",
                )
        return Joined(tuple(versions))

    def _spell(self, document: Document, name: str) -> Document:
        known = self.label_set
        if known is None or all(span.label in known for span in document.spans):
            return document
        spans = []
        for span in document.spans:
            try:
                label = known.spelled(span.label)
            except LabelError as error:
                raise LabelError(
                    f"document {document.id!r} of {name!r}, [{span.start}, {span.end}): "
                    f"{error.what}",
                    hint=error.hint,
                ) from None
            spans.append(replace(span, label=label))
        return document.with_spans(spans)


def require_annotators(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of two or more annotators, or raise `InputError`."""
    if len(names) < 2:
        raise InputError(
            f"agreement needs at least two annotators, not {len(names)}",
            hint="Give the corpora of two annotators of the same documents",
        )
    for name, size in Counter(names).items():
        if size > 1:
            raise InputError(
                f"the annotator {name!r} is given {size} times",
                hint="Nobody disagrees with himself; give each annotator once",
            )
    return tuple(names)


def _take_turns(streams: Sequence[Iterator[Document]]) -> Iterator[tuple[int, Document]]:
    """Yield one document of each stream after the other, with the stream's number."""
    running = dict(enumerate(streams))
    while running:
        for number, stream in list(running.items()):
            document = next(stream, None)
            if document is None:
                del running[number]
            else:
                yield number, document
