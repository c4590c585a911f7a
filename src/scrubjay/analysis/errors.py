"""The errors of a system, each traceable to its document and its offsets.

Kinds and counts are those of He et al. 2015 (Table 6) and Jiang et al. 2017 (Section 8.3.1); see
`scrubjay.analysis.judging` for the definitions. A combination, such as an extent error whose label
is wrong too, counts under `extent` as in the papers; its `cause`, `type+short`, tells both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from scrubjay.analysis._samples import Sample, Shown, short_shape, shortened, show, span_record
from scrubjay.analysis.confusion import Confusion, ConfusionCounter
from scrubjay.analysis.judging import EXTENTS, Extent, Judgements, Kind, judge_spans
from scrubjay.document import Span
from scrubjay.evaluation.pairs import Pair, naming_document
from scrubjay.labels import LabelSet

CAUSES: tuple[str, ...] = (
    "type",
    *EXTENTS,
    *(f"type+{extent}" for extent in EXTENTS),
    "missing",
    "spurious",
)
"""Every way to be wrong, combinations included."""

EXAMPLES_OF_CAUSE = 25
CONTEXT = 40


@dataclass(frozen=True, slots=True)
class LabellingError:
    """One error: where it is, of which kind, and what both sides say there.

    A type, extent or spurious error is a predicted span, a missing error a gold span. `gold` is
    None for a spurious, `predicted` for a missing one. `overlapped` counts the spans of the other
    side there: an extent error that overlaps two gold spans took two for one. `shape` tells the
    form of the text from `start` to `end`, upper-case letters as A, others as a, digits as 0;
    `text` is its beginning where that may be shown.
    """

    document: str
    kind: Kind
    gold: Span | None
    predicted: Span | None
    extent: Extent | None = None
    overlapped: int = 0
    shape: str = ""
    text: str = field(default="", repr=False, compare=False)

    @property
    def cause(self) -> str:
        """The kind in full: one of `CAUSES`."""
        if self.extent is None or self.gold is None or self.predicted is None:
            return self.kind
        same = self.gold.label == self.predicted.label
        return self.extent if same else f"type+{self.extent}"

    @property
    def start(self) -> int:
        """Where the first of both spans begins."""
        return min(span.start for span in (self.gold, self.predicted) if span is not None)

    @property
    def end(self) -> int:
        """Where the last of both spans ends."""
        return max(span.end for span in (self.gold, self.predicted) if span is not None)

    @property
    def gold_label(self) -> str:
        """The gold label, empty for a spurious error."""
        return self.gold.label if self.gold is not None else ""

    @property
    def predicted_label(self) -> str:
        """The predicted label, empty for a missing error."""
        return self.predicted.label if self.predicted is not None else ""

    def record(self) -> dict[str, Any]:
        """Return the error as JSON values, without any text of its document."""
        return {
            "document": self.document,
            "kind": self.kind,
            "cause": self.cause,
            "extent": self.extent,
            "gold": None if self.gold is None else span_record(self.gold),
            "predicted": None if self.predicted is None else span_record(self.predicted),
            "overlapped": self.overlapped,
            "shape": self.shape,
        }


@dataclass(frozen=True, slots=True)
class ErrorAnalysis:
    """Every error of a predicted corpus, and the tables of them.

    `confusion` has the labels, `by_category` their main categories (None without a label set, or
    where every label is its own category): there a span with a wrong label of the right category
    is right. `merged` counts extent errors that overlap two gold spans or more, `split` gold spans
    that two predicted spans or more overlap and none fits.
    """

    documents: int
    documents_with_errors: int
    label_set: str | None
    errors: tuple[LabellingError, ...] = field(repr=False)
    confusion: Confusion = field(repr=False)
    by_category: Confusion | None = field(repr=False)
    merged: int
    split: int
    examples: tuple[Shown[LabellingError], ...] = field(repr=False)

    @property
    def causes(self) -> dict[str, int]:
        """The errors of each cause, combinations apart; every cause has a count."""
        found = Counter(error.cause for error in self.errors)
        return {cause: found[cause] for cause in CAUSES}

    def record(self) -> dict[str, Any]:
        """Return everything as JSON values; text of documents only in `examples`, if at all."""
        kinds = self.confusion.error_counts()
        return {
            "documents": self.documents,
            "documents_with_errors": self.documents_with_errors,
            "label_set": self.label_set,
            "errors": dict(kinds),
            "causes": self.causes,
            "merged": self.merged,
            "split": self.split,
            "confusion": self.confusion.record(),
            "by_category": self.by_category.record() if self.by_category is not None else None,
            "examples": [one.record() for one in self.examples if one.text],
            "all_errors": [error.record() for error in self.errors],
        }


class ErrorCollector:
    """Takes pairs in and yields the analysis of their errors.

    Labels count under the spelling of `label_set`, without regard to case; one that it does not
    know raises `LabelError`. Of each cause up to `examples` errors are kept to be shown, chosen by
    a hash of document and offsets, so that they are spread over the corpus and the same in every
    run. Their text, with `context` characters to both sides, is kept only where `context` is given;
    so is that of each error, up to the length of a shape.
    """

    def __init__(
        self,
        label_set: LabelSet | None = None,
        *,
        examples: int = EXAMPLES_OF_CAUSE,
        context: int | None = None,
    ) -> None:
        self._label_set = label_set
        self._context = context
        self._kept: dict[str, Sample[Shown[LabellingError]]] = {
            cause: Sample(examples) for cause in CAUSES
        }
        self._confusion = ConfusionCounter()
        self._by_category = ConfusionCounter() if _has_categories(label_set) else None
        self._errors: list[LabellingError] = []
        self._documents = self._wrong = self._merged = self._split = 0

    def add(self, pair: Pair) -> None:
        """Take in one pair."""
        with naming_document(pair.gold):
            gold, predicted = self._spelled(pair.gold.spans), self._spelled(pair.predicted.spans)
        judged = judge_spans(gold, predicted)
        self._documents += 1
        self._confusion.add(judged)
        if self._by_category is not None:
            self._by_category.add(judge_spans(self._grouped(gold), self._grouped(predicted)))
        before = len(self._errors)
        text = pair.gold.text
        for error in find_errors(pair.gold.id, text, judged):
            self._keep(error, text)
            if self._context is not None:
                error = replace(error, text=shortened(text[error.start : error.end]))
            self._errors.append(error)
        self._wrong += len(self._errors) > before
        self._merged += sum(one.kind == "extent" and one.overlapped > 1 for one in judged.predicted)
        self._split += sum(one.kind == "extent" and one.overlapped > 1 for one in judged.gold)

    def analysis(self) -> ErrorAnalysis:
        """Return the analysis of the pairs so far."""
        known = self._label_set
        by_category = None
        if known is not None and self._by_category is not None:
            by_category = self._by_category.confusion(known.main_categories)
        return ErrorAnalysis(
            documents=self._documents,
            documents_with_errors=self._wrong,
            label_set=known.name if known is not None else None,
            errors=tuple(self._errors),
            confusion=self._confusion.confusion(known.labels if known is not None else None),
            by_category=by_category,
            merged=self._merged,
            split=self._split,
            examples=tuple(
                one
                for cause in CAUSES
                for one in sorted(self._kept[cause].examples(), key=_example_place)
            ),
        )

    def _spelled(self, spans: Iterable[Span]) -> list[Span]:
        if self._label_set is None:
            return list(spans)
        return [_relabelled(span, self._label_set.spelled(span.label)) for span in spans]

    def _grouped(self, spans: Iterable[Span]) -> list[Span]:
        assert self._label_set is not None
        categories = self._label_set.categories
        return [_relabelled(span, categories[span.label]) for span in spans]

    def _keep(self, error: LabellingError, text: str) -> None:
        named = (error.document, *_order(error))
        self._kept[error.cause].offer(named, partial(show, error, text, self._context))


def analyse_errors(
    pairs: Iterable[Pair],
    *,
    label_set: LabelSet | None = None,
    examples: int = EXAMPLES_OF_CAUSE,
    context: int | None = None,
) -> ErrorAnalysis:
    """Return the analysis of the errors in pairs; see `ErrorCollector`."""
    collector = ErrorCollector(label_set, examples=examples, context=context)
    for pair in pairs:
        collector.add(pair)
    return collector.analysis()


def find_errors(document: str, text: str, judged: Judgements) -> list[LabellingError]:
    """Return the errors of one document, sorted by where they are.

    Type, extent and spurious errors come from the predicted spans, missing ones from gold.
    """
    errors = [
        LabellingError(document, one.kind, one.partner, one.span, one.extent, one.overlapped)
        for one in judged.predicted
        if one.kind != "correct"
    ]
    errors += [
        LabellingError(document, one.kind, one.span, None)
        for one in judged.gold
        if one.kind == "missing"
    ]
    errors.sort(key=_order)
    return [replace(error, shape=short_shape(text[error.start : error.end])) for error in errors]


def _example_place(example: Shown[LabellingError]) -> tuple[str, tuple[int, int, str, str]]:
    return example.found.document, _order(example.found)


def _order(error: LabellingError) -> tuple[int, int, str, str]:
    return error.start, error.end, error.gold_label, error.predicted_label


def _relabelled(span: Span, label: str) -> Span:
    return span if span.label == label else replace(span, label=label)


def _has_categories(label_set: LabelSet | None) -> bool:
    return label_set is not None and len(label_set.main_categories) < len(label_set.labels)
