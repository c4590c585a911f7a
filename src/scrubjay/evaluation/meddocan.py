"""The evaluations of the MEDDOCAN scorer, with every one of its figures.

Source: the evaluation program of the MEDDOCAN shared task (Marimon et al. 2019). Definitions with
examples are in docs/metrics.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, InputError
from scrubjay.evaluation.counts import Counts, count_sets
from scrubjay.evaluation.matching import merged_borders, span_items
from scrubjay.evaluation.pairs import Pair
from scrubjay.files import read_text

Border = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SentenceCounter:
    """Where the number of sentences of a document comes from, for the leak score."""

    source: str
    count: Callable[[Document], int]


@dataclass(frozen=True, slots=True)
class MeddocanScores:
    """The scores of both sub-tasks, micro over all documents.

    `ner` is sub-task 1 (label and borders), `strict` and `merged` are sub-task 2 (borders
    alone). `sentences` is their number over all documents, counted by `sentence_source`.
    """

    documents: int
    ner: Counts
    strict: Counts
    merged: Counts
    sentences: int
    sentence_source: str

    @property
    def leak(self) -> float | None:
        """Spans that sub-task 1 missed, per sentence; None where there is no sentence."""
        return self.ner.fn / self.sentences if self.sentences else None


class MeddocanScorer:
    """Takes pairs in, one at a time, and yields the scores of all; memory does not grow."""

    def __init__(self, sentences: SentenceCounter) -> None:
        self._counter = sentences
        self._documents = self._sentences = 0
        self._ner = self._strict = self._merged = Counts()

    def add(self, pair: Pair) -> None:
        """Take in one pair; raises `InputError` where its number of sentences is unknown."""
        self._documents += 1
        self._sentences += self._counter.count(pair.gold)
        gold, predicted = pair.gold.spans, pair.predicted.spans
        self._ner += count_sets(span_items(gold, str), span_items(predicted, str))
        self._strict += count_sets(set(map(_border, gold)), set(map(_border, predicted)))
        self._merged += count_merged(pair)

    def scores(self) -> MeddocanScores:
        """Return the scores of the pairs so far."""
        return MeddocanScores(
            self._documents,
            self._ner,
            self._strict,
            self._merged,
            self._sentences,
            self._counter.source,
        )


def count_merged(pair: Pair) -> Counts:
    """Return the counts of sub-task 2 with merged spans, for one pair.

    True positives are the borders that gold and predicted share, before or after neighbouring
    spans are joined (a span found both ways counts once). A strict false positive or negative
    inside one of them is forgiven.
    """
    gold, predicted = set(map(_border, pair.gold.spans)), set(map(_border, pair.predicted.spans))
    text = pair.gold.text
    agreed = gold & predicted
    agreed |= merged_borders(pair.gold.spans, text) & merged_borders(pair.predicted.spans, text)
    fp = sum(not _inside(border, agreed) for border in predicted - gold)
    fn = sum(not _inside(border, agreed) for border in gold - predicted)
    return Counts(len(agreed), fp, fn)


def read_sentence_counts(path: Path) -> SentenceCounter:
    """Read the number of sentences of each document from a file.

    The file is a JSON object `{"document id": number}`, or one that holds such an object under
    `sentences`. Raises `FormatError` for anything else, `EncodingError` and `InputError` as
    `files.read_text`, and the counter raises `InputError` for a document that the file leaves out.
    """
    text = read_text(path)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError("not valid JSON", path=path, place=f"line {error.lineno}") from None
    if isinstance(data, dict) and isinstance(data.get("sentences"), dict):
        data = data["sentences"]
    if not isinstance(data, dict):
        raise FormatError("must be an object from document ids to numbers", path=path)
    for document_id, number in data.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise FormatError(
                "the number of sentences must be a whole number from 0 on",
                path=path,
                place=f"document {document_id!r}",
            )
    return SentenceCounter(f"file {path.name}", _lookup(data, path))


def _lookup(numbers: Mapping[str, int], path: Path) -> Callable[[Document], int]:
    def count(document: Document) -> int:
        if document.id not in numbers:
            raise InputError(f"no number of sentences for document {document.id!r}", path=path)
        return numbers[document.id]

    return count


def own_sentence_counter() -> SentenceCounter:
    """Return a counter that splits sentences with Scrubjay's own rules.

    Its numbers differ from those of the official split, and so does a leak score made of them;
    `source` says so in the output.
    """
    from scrubjay.text.tokenizers import make_tokenizer

    tokenizer = make_tokenizer("whitespace", sentences="clinical")

    def count(document: Document) -> int:
        return len(tokenizer.tokenize(document.text).sentence_starts)

    return SentenceCounter("own splitter (clinical), not the official split", count)


def official_scores(scores: MeddocanScores) -> dict[str, float]:
    """Return the figures under the official names; an undefined ratio is 0 there."""
    figures = {"Subtask1_Leak": scores.leak or 0.0}
    sections = {
        "Subtask1": scores.ner,
        "Subtask2Strict": scores.strict,
        "Subtask2Merged": scores.merged,
    }
    for name, counts in sections.items():
        figures[f"{name}_Precision"] = counts.precision or 0.0
        figures[f"{name}_Recall"] = counts.recall or 0.0
        figures[f"{name}_F1"] = counts.f1 or 0.0
    return figures


def _border(span: Span) -> Border:
    return span.start, span.end


def _inside(border: Border, agreed: set[Border]) -> bool:
    start, end = border
    return any(first <= start and end <= last for first, last in agreed)
