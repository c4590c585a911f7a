"""Documents made of parts: the columns of a row, the fields of a message or a resource.

A reader of structured formats joins the texts of one record to one document, so that what is
found in one part is found in all. The metadata tell the parts, and which of them are identifiers
as a whole (the name in a demographic field): those are found without a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from scrubjay.document import Document, Span
from scrubjay.errors import UnknownPartError
from scrubjay.known.finder import labels_of_kinds
from scrubjay.labels import LabelSet
from scrubjay.text.entities import Meant

PARTS_KEY = "record.parts"
"""Where the metadata hold the parts in order: objects with name, kind, start and end. The kind
is "" for free text, else the kind of identifier that the whole part is."""

KNOWN_KEY = "source.known"
"""Where the metadata hold the `PatientIdentifiers` that the record itself tells."""

NO_PATIENT_KEY = "source.no_patient"
"""Whether the record is about no patient by its nature, such as an organization."""

REFUSED_KEY = "source.refused"
"""Why a record may not be processed at all: a part of it is of an unknown kind."""

STAFF, OTHER = "staff", "other"
_STAFF_LABELS = ("DOCTOR", "NOMBRE_PERSONAL_SANITARIO", "STAFF", "PROVIDER")


@dataclass(frozen=True, slots=True)
class FixedParts:
    """Finds the parts of documents that are identifiers as a whole.

    `label_of` gives the label of each kind. The offsets are those of the original text: what
    this finds in any other text with the same metadata means nothing.
    """

    label_of: Mapping[str, str]

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels that parts may get, sorted."""
        return tuple(sorted(set(self.label_of.values())))

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return a span over each such part, without the blanks at its ends.

        Raises `UnknownPartError` for a record that may not be processed.
        """
        return [tuple(self._spans(document)) for document in documents]

    def _spans(self, document: Document) -> Iterable[Span]:
        if refused := document.metadata.get(REFUSED_KEY):
            raise UnknownPartError(f"document {document.id!r}: {refused}")
        for part in document.metadata.get(PARTS_KEY, ()):
            kind, start, end = part["kind"], part["start"], part["end"]
            text = document.text[start:end]
            end -= len(text) - len(text.rstrip())
            start += len(text) - len(text.lstrip())
            if kind and start < end:
                yield Span(start, end, self.label_of[kind], source=f"field:{kind}")


def find_parts(label_set: LabelSet) -> FixedParts:
    """Return what finds the parts of documents, with the labels of a label set.

    Staff get the label of doctors where there is one, else that of names; what is of no known
    kind gets that of other numbers.
    """
    labels = labels_of_kinds(label_set)
    staff = [name for name in label_set.labels if name in _STAFF_LABELS]
    return FixedParts({**labels, STAFF: (staff or [labels["name"]])[0], OTHER: labels["id"]})


def put_meant(document: Document, meant: Meant) -> Document:
    """Return a document with what its entities mean, its parts where they are in that."""
    metadata = document.metadata
    if parts := metadata.get(PARTS_KEY):
        ends = ("start", "end")
        moved = [part | {end: meant.forth(part[end]) for end in ends} for part in parts]
        metadata = {**metadata, PARTS_KEY: moved}
    return replace(document, text=meant.text, spans=(), metadata=metadata)


def cut_at_parts(document: Document, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans with none that reaches over the border of a part.

    One that does falls in pieces, of which those without a letter or digit go.
    """
    parts = document.metadata.get(PARTS_KEY)
    if not parts:
        return tuple(spans)
    cut: list[Span] = []
    number = 0
    for span in spans:
        while number < len(parts) and parts[number]["end"] <= span.start:
            number += 1
        for part in islice(parts, number, None):
            start, end = max(span.start, part["start"]), min(span.end, part["end"])
            if part["start"] >= span.end:
                break
            if (start, end) == (span.start, span.end):
                cut.append(span)
                break
            piece = document.text[start:end]
            if any(map(str.isalnum, piece)):
                end -= len(piece) - len(piece.rstrip())
                start += len(piece) - len(piece.lstrip())
                cut.append(replace(span, start=start, end=end))
    return tuple(cut)
