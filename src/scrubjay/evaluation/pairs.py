"""Gold and predicted documents, brought together by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from scrubjay.corpora.regions import ignored_regions
from scrubjay.corpora.unmarked import TAGS, is_tagged
from scrubjay.document import Document, Span
from scrubjay.errors import InputError, LabelError, require_choice

Unpaired = Literal["error", "skip"]
UNPAIRED: tuple[Unpaired, ...] = ("error", "skip")


def require_unpaired(name: str) -> Unpaired:
    """Return the policy of that name; raises `ConfigError` for an unknown one."""
    return require_choice("policy for unpaired documents", name, UNPAIRED)


@contextmanager
def naming_document(document: Document) -> Iterator[None]:
    """Name a document in the errors of labels that come from it."""
    try:
        yield
    except LabelError as error:
        raise LabelError(
            error.what, path=error.path, place=f"document {document.id!r}", hint=error.hint
        ) from None


@dataclass(frozen=True, slots=True)
class Pair:
    """One document with its gold spans and with those that a system predicted."""

    gold: Document
    predicted: Document


def labelled_pair(gold: Document, predicted: Document) -> Pair:
    """Return the pair without the predicted spans of which nobody can say whether they are right.

    They meet no gold span, and half of their characters at least lie in regions that gold tells to
    ignore (`corpora.regions`). Raises like `ignored_regions`.
    """
    regions = ignored_regions(gold)
    if not regions:
        return Pair(gold, predicted)

    def is_known(span: Span) -> bool:
        inside = sum(max(0, min(span.end, end) - max(span.start, at)) for at, end in regions)
        met = any(one.start < span.end and span.start < one.end for one in gold.spans)
        return met or 2 * inside < span.end - span.start

    return Pair(gold, predicted.with_spans(span for span in predicted.spans if is_known(span)))


def pair_found(gold: Iterable[Document], found: Iterable[Iterable[Span]]) -> Iterator[Pair]:
    """Yield each gold document with the spans that were found in it; see `labelled_pair`."""
    for document, spans in zip(gold, found, strict=True):
        yield labelled_pair(document, document.with_spans(spans))


@dataclass(slots=True)
class Pairing:
    """Pairs of two corpora, streamed; iterate it once.

    Where both corpora come in one order, one document of each is held; otherwise the predicted
    documents that were read before their turn are held until it comes. With `unpaired="skip"`
    documents that stand in one corpus alone are left out, as the official programs do, and
    counted in `gold_alone` and `predicted_alone`. `name` says in messages what was predicted, and
    `can_skip` whether they may advise to skip.

    Predicted spans in regions that gold tells to ignore are taken away, as `labelled_pair` does it,
    and counted in `unlabelled`.

    Raises `InputError` for an id that occurs twice, for texts that differ (with the first offset
    where they do), and for unpaired documents unless they are skipped; for regions that are none
    like `ignored_regions`.
    """

    gold: Iterable[Document]
    predicted: Iterable[Document]
    unpaired: Unpaired = "error"
    gold_alone: int = 0
    predicted_alone: int = 0
    unlabelled: int = 0
    name: str = "the predicted corpus"
    can_skip: bool = True
    _waiting: dict[str, Document] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Iterator[Pair]:
        predicted = distinct(self.predicted, self.name)
        for document in distinct(self.gold, "gold"):
            partner = self._find(document.id, predicted)
            if partner is not None:
                _require_same_text(document, partner, self.name)
                pair = labelled_pair(document, partner)
                self.unlabelled += len(partner.spans) - len(pair.predicted.spans)
                yield pair
            elif self.unpaired == "skip":
                self.gold_alone += 1
            else:
                raise InputError(
                    f"document {document.id!r} of gold is missing from {self.name}",
                    hint=self._advice("Predict it too"),
                )
        for extra in (*self._waiting, *(document.id for document in predicted)):
            if self.unpaired == "error":
                raise InputError(
                    f"document {extra!r} of {self.name} is missing from gold",
                    hint=self._advice("Check that both are the same corpus"),
                )
            self.predicted_alone += 1

    def _advice(self, first: str) -> str:
        skip = ", or skip unpaired documents (--unpaired skip)"
        return f"{first}{skip if self.can_skip else ''}"

    def _find(self, wanted: str, predicted: Iterator[Document]) -> Document | None:
        if wanted in self._waiting:
            return self._waiting.pop(wanted)
        for document in predicted:
            if document.id == wanted:
                return document
            self._waiting[document.id] = document
        return None


def distinct(documents: Iterable[Document], where: str) -> Iterator[Document]:
    """Yield documents; raises `InputError` at one whose id occurred before."""
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise InputError(f"document {document.id!r} occurs twice in {where}")
        seen.add(document.id)
        yield document


def _require_same_text(gold: Document, predicted: Document, name: str) -> None:
    if gold.text == predicted.text:
        return
    raise InputError(
        f"document {gold.id!r}: the texts of gold ({len(gold.text)} characters) and {name} "
        f"({len(predicted.text)}) differ from offset "
        f"{first_difference(gold.text, predicted.text)} on",
        hint=_hint_tags(gold, predicted)
        or "Offsets of different texts cannot be compared; were line ends or encoding changed?",
    )


def first_difference(one: str, other: str) -> int:
    """Return the first offset at which two texts differ; where none does, the shorter length."""
    pairs = enumerate(zip(one, other, strict=False))
    shorter = min(len(one), len(other))
    return next((offset for offset, (a, b) in pairs if a != b), shorter)


def _hint_tags(gold: Document, predicted: Document) -> str:
    """Return what to do where the tags of one side were read as a part of its text, else ""."""
    sides = (("gold", gold, "--format"), ("predicted", predicted, "--predicted-format"))
    told = [
        f"{option} inline for {side}" for side, document, option in sides if is_tagged(document)
    ]
    return f"Tags such as {TAGS} stand in the text: give {' and '.join(told)}" if told else ""
