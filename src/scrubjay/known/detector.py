"""Detectors over known identifiers, and the order in which finders have their say.

    parts               those of a record that are identifiers as a whole: always removed
    known identifiers   always removed
    deny-list           always removed
    the model           less what the allow-list holds
    propagation         the other places of all that was found

Who stands higher decides the label where two overlap; whatever anyone found is covered. All of
them read what entities of HTML mean.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.known._allowed import calls_person
from scrubjay.known._many import split_ahead
from scrubjay.known.finder import Finder, labels_of_kinds, make_finder
from scrubjay.known.identifiers import (
    KnownIdentifiers,
    PatientIdentifiers,
    UnknownPatientError,
)
from scrubjay.known.layers import overlay, seeing_disguises
from scrubjay.known.parts import KNOWN_KEY, NO_PATIENT_KEY, FixedParts, cut_at_parts, put_meant
from scrubjay.known.propagation import Propagation
from scrubjay.known.terms import DenyDetector, Terms
from scrubjay.labels import LabelSet
from scrubjay.taggers.look_alikes import LookAlikes
from scrubjay.text.entities import detect_meant, reading_entities

OnUnknown = Literal["fail", "pass"]
_FINDERS_KEPT = 256


class KnownDetector:
    """Finds in each document the known identifiers of its patient.

    `patient_of` tells the key of a document's patient. A document whose patient nobody knows
    raises `UnknownPatientError` by its id, so that it fails instead of going through
    unprotected; `unknown="pass"` finds nothing in it. What a record itself tells of its patient
    (the metadata under `KNOWN_KEY`) is found besides. Immutable but for the finders of the last
    patients, which it keeps.
    """

    def __init__(
        self,
        identifiers: KnownIdentifiers,
        *,
        patient_of: Callable[[Document], str],
        label_set: LabelSet,
        language: str = "en",
        unknown: OnUnknown = "fail",
    ) -> None:
        self._identifiers = identifiers
        self._patient_of = patient_of
        self._label_of: Mapping[str, str] = labels_of_kinds(label_set)
        self._language = language
        self._unknown = unknown
        self._finders: OrderedDict[tuple[str, PatientIdentifiers | None], Finder] = OrderedDict()

    def __repr__(self) -> str:
        return f"KnownDetector({self._identifiers!r})"

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels that identifiers may get, sorted."""
        return tuple(sorted(set(self._label_of.values())))

    @seeing_disguises
    @reading_entities
    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of the known identifiers in each document."""
        # All patients first: a batch that fails must not be searched before.
        finders = [self._finder_of(document) for document in documents]
        return [
            () if finder is None else finder.find(document.text)
            for document, finder in zip(documents, finders, strict=True)
        ]

    def _finder_of(self, document: Document) -> Finder | None:
        own: PatientIdentifiers | None = document.metadata.get(KNOWN_KEY)
        nobody = bool(document.metadata.get(NO_PATIENT_KEY))
        patient = "" if nobody else self._patient_of(document).strip()
        finder = self._finders.get((patient, own))
        if finder is not None:
            self._finders.move_to_end((patient, own))
            return finder
        known = self._identifiers.get(patient)
        if known is None:
            if self._unknown == "fail" and not nobody:
                raise UnknownPatientError(
                    f"document {document.id!r}: its patient has no known identifiers"
                )
            if not own:
                return None
        together = own.joined(known) if own and known else own or known
        assert together is not None
        finder = make_finder(together, language=self._language, label_of=self._label_of.__getitem__)
        self._finders[patient, own] = finder
        if len(self._finders) > _FINDERS_KEPT:
            self._finders.popitem(last=False)
        return finder


@dataclass(frozen=True, slots=True)
class LayeredDetector:
    """A model together with what is known beforehand; the order is that of the module.

    No span reaches from one part of a record into the next.

    Known identifiers and denied terms are found whatever the allow-list says. A span of the
    model goes only if the allow-list holds the whole of it and nothing calls a person by it
    ("sister Heather"), or one of the look-alikes lets it go. Propagation is within a document and,
    where `patient_of` tells the patient, between neighbouring documents of one patient that are
    given together.
    """

    model: Detector
    known: KnownDetector | None = None
    deny: DenyDetector | None = None
    allow: Terms | None = None
    look_alikes: LookAlikes | None = None
    propagation: Propagation | None = None
    patient_of: Callable[[Document], str] | None = None
    fixed: FixedParts | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of all parts: those of the model first."""
        found = (self.fixed, self.known, self.deny)
        parts: list[Detector] = [part for part in found if part is not None]
        others = {label for part in parts for label in part.labels} - set(self.model.labels)
        return (*self.model.labels, *sorted(others))

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, disjoint, covering all that any part found."""
        return detect_meant(self._detect, documents, put=put_meant)

    def _detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        nothing: list[tuple[Span, ...]] = [()] * len(documents)
        fixed = nothing if self.fixed is None else self.fixed.detect(documents)
        known = nothing if self.known is None else self.known.detect(documents)
        denied = nothing if self.deny is None else self.deny.detect(documents)
        model = self.model.detect(documents)
        merged = [
            cut_at_parts(document, self._merge(document.text, *layers))
            for document, *layers in zip(documents, fixed, known, denied, model, strict=True)
        ]
        if self.propagation is None:
            return merged
        pairs = zip(documents, merged, strict=True)
        split_ahead(document.text for document, spans in pairs if spans)
        spread: list[tuple[Span, ...]] = []
        for first, last in self._records(documents):
            texts = [document.text for document in documents[first:last]]
            spread += self.propagation.spread(texts, merged[first:last], allow=self.allow)
        return [cut_at_parts(*each) for each in zip(documents, spread, strict=True)]

    def _records(self, documents: Sequence[Document]) -> Iterator[tuple[int, int]]:
        """Yield the ranges of neighbours of one patient; no other document has neighbours."""
        keys = ["" if self.patient_of is None else self.patient_of(each) for each in documents]
        first = 0
        for place in range(1, len(keys) + 1):
            if place == len(keys) or not keys[place] or keys[place] != keys[first]:
                yield first, place
                first = place

    def _merge(
        self,
        text: str,
        fixed: tuple[Span, ...],
        known: tuple[Span, ...],
        denied: tuple[Span, ...],
        model: tuple[Span, ...],
    ) -> tuple[Span, ...]:
        if self.allow is not None:
            allow = self.allow
            model = tuple(
                span
                for span in model
                if not allow.holds(text[span.start : span.end])
                or calls_person(text, span.start, span.end)
            )
        if self.look_alikes is not None:
            others = [*fixed, *known, *denied]
            model = tuple(self.look_alikes.keep(text, model, others=others))
        return overlay(text, [*fixed, *known, *denied, *model])
