"""The whole evaluation of a predicted corpus against gold, as one immutable result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from scrubjay.corpora.regions import ignored_regions
from scrubjay.document import Document, Span
from scrubjay.errors import LabelError, require_choice
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.i2b2 import I2b2Scorer, I2b2Scores, evaluation_figures
from scrubjay.evaluation.matching import (
    count_runs,
    match_exact,
    run_start,
    token_items,
    without_labels,
)
from scrubjay.evaluation.meddocan import (
    MeddocanScorer,
    MeddocanScores,
    SentenceCounter,
    own_sentence_counter,
)
from scrubjay.evaluation.pairs import Pair, Unpaired, naming_document
from scrubjay.evaluation.per_label import LabelRow, PerLabelScorer
from scrubjay.evaluation.reading import PairedCorpora
from scrubjay.labels import BINARY_LABEL, LabelMap, LabelSet

ScorerName = Literal["auto", "i2b2", "meddocan"]
SCORERS: tuple[ScorerName, ...] = ("auto", "i2b2", "meddocan")


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Every figure of one evaluation.

    `label_set` is None where no known set has all labels; every label is then its own category.
    `gold_alone` and `predicted_alone` count documents that were skipped for want of a partner,
    `unlabelled` the predicted spans in regions that gold tells to ignore, which no figure sees, and
    `outside` the spans (of both sides) whose label the label map leaves without counterpart.
    Exactly one of `i2b2` and `meddocan` is given, after `scorer`. `binary_token` compares runs
    of letters and digits without labels: its recall is the share of PHI that was found at all.
    `plain_tokens` are the runs of letters and digits that are no PHI (`count_plain_tokens`).
    """

    scorer: str
    label_set: str | None
    documents: int
    gold_alone: int
    predicted_alone: int
    unlabelled: int
    outside: Mapping[str, int]
    per_label: tuple[LabelRow, ...]
    binary_token: Counts
    plain_tokens: int
    i2b2: I2b2Scores | None = None
    meddocan: MeddocanScores | None = None

    @property
    def binary_token_recall(self) -> float | None:
        """Label-blind token recall, the figure that tells how much PHI stays in the text."""
        return self.binary_token.recall

    @property
    def false_positives_per_1000(self) -> float | None:
        """Tokens taken for PHI, of 1,000 that are none: what is hidden needlessly."""
        return 1000 * self.binary_token.fp / self.plain_tokens if self.plain_tokens else None

    @property
    def strict(self) -> Counts:
        """Counts of spans whose label and both borders are right, by the scorer that was taken."""
        if self.i2b2 is not None:
            return self.i2b2["Strict"].counts
        assert self.meddocan is not None
        return self.meddocan.ner

    @property
    def strict_f1(self) -> float | None:
        """F1 of the strict counts."""
        return self.strict.f1


def require_scorer(name: str) -> ScorerName:
    """Return the scorer of that name; raises `ConfigError` for an unknown one."""
    return require_choice("scorer", name, SCORERS)


def evaluate_corpora(
    gold: Iterable[Document],
    predicted: Iterable[Document],
    *,
    scorer: ScorerName = "auto",
    label_set: str | Path | LabelSet | None = None,
    label_map: LabelMap | None = None,
    sentences: SentenceCounter | None = None,
    unpaired: Unpaired = "error",
) -> EvaluationReport:
    """Score predicted documents against gold, one pair at a time.

    `scorer="auto"` takes the MEDDOCAN scorer where the label set is `meddocan`, else that of
    i2b2. Without `label_set` the target of `label_map` is taken, or the first of `GUESSED_SETS`
    that has every label of the first documents. `sentences` serves MEDDOCAN's leak score.

    Raises `InputError` where documents do not pair (see `Pairing`), `LabelError` for a label
    that the label set does not have.
    """
    pairs = PairedCorpora(
        gold, predicted, label_set=label_set, label_map=label_map, unpaired=unpaired
    )
    chosen = pairs.label_set
    if scorer == "auto":
        scorer = "meddocan" if chosen is not None and chosen.name == "meddocan" else "i2b2"
    try:
        report = evaluate_pairs(pairs, scorer=scorer, label_set=chosen, sentences=sentences)
    except LabelError as error:
        raise pairs.explain(error) from None
    return replace(
        report,
        gold_alone=pairs.gold_alone,
        predicted_alone=pairs.predicted_alone,
        unlabelled=pairs.unlabelled,
        outside=pairs.outside,
    )


def evaluate_pairs(
    pairs: Iterable[Pair],
    *,
    scorer: Literal["i2b2", "meddocan"] = "i2b2",
    label_set: LabelSet | None = None,
    sentences: SentenceCounter | None = None,
) -> EvaluationReport:
    """Score pairs with one scorer; `label_set=None` makes every label its own category."""
    per_label = PerLabelScorer(label_set)
    main: I2b2Scorer | MeddocanScorer
    if scorer == "meddocan":
        main = MeddocanScorer(sentences or own_sentence_counter())
    else:
        main = I2b2Scorer(label_set)
    documents, plain_tokens, binary_token = 0, 0, Counts()
    for pair in pairs:
        documents += 1
        with naming_document(pair.gold):
            per_label.add(pair)
            main.add(pair)
            plain_tokens += count_plain_tokens(pair.gold)
        if scorer == "meddocan":
            binary_token += count_binary_tokens(pair)
    scores = main.scores()
    i2b2 = scores if isinstance(scores, I2b2Scores) else None
    return EvaluationReport(
        scorer=scorer,
        label_set=label_set.name if label_set is not None else None,
        documents=documents,
        gold_alone=0,
        predicted_alone=0,
        unlabelled=0,
        outside={},
        per_label=per_label.rows(),
        binary_token=i2b2["Binary Token"].counts if i2b2 is not None else binary_token,
        plain_tokens=plain_tokens,
        i2b2=i2b2,
        meddocan=scores if isinstance(scores, MeddocanScores) else None,
    )


def count_binary_tokens(pair: Pair) -> Counts:
    """Return the counts of "Binary Token" for one pair: runs of letters and digits, no labels."""
    gold = without_labels(token_items(pair.gold, str))
    predicted = without_labels(token_items(pair.predicted, str))
    return Counts(*match_exact(gold, predicted).get(BINARY_LABEL, (0, 0, 0)))


def count_plain_tokens(gold: Document) -> int:
    """Return the runs of ASCII letters and digits that no span touches.

    Nor a region that nobody labelled: whether they are PHI is not known. Raises like
    `ignored_regions`.
    """
    text = gold.text
    regions = [Span(start, end, BINARY_LABEL) for start, end in ignored_regions(gold)]
    pieces = token_items(gold.with_spans((*gold.spans, *regions)), str)
    touched = {run_start(text, start) for _, start, _ in pieces}
    return count_runs(text) - len(touched)


def to_json(report: EvaluationReport) -> dict[str, Any]:
    """Return the report as JSON values; an undefined ratio is null (docs/metrics.md, "JSON")."""
    figures: dict[str, Any] = {
        "format_version": 1,
        "scorer": report.scorer,
        "label_set": report.label_set,
        "documents": report.documents,
        "unpaired": {"gold": report.gold_alone, "predicted": report.predicted_alone},
        "unlabelled": report.unlabelled,
        "outside_label_map": dict(report.outside),
        "binary_token_recall": report.binary_token_recall,
        "strict_f1": report.strict_f1,
        "false_positives_per_1000": report.false_positives_per_1000,
        "plain_tokens": report.plain_tokens,
    }
    if report.i2b2 is not None:
        figures["i2b2"] = {
            evaluation.name: {"official": evaluation.official} | evaluation_figures(evaluation)
            for evaluation in report.i2b2
        }
    if report.meddocan is not None:
        figures["meddocan"] = _meddocan_figures(report.meddocan)
    figures["per_label"] = [
        {"category": row.category, "label": row.label} | row.counts.record()
        for row in report.per_label
    ]
    return figures


def _meddocan_figures(scores: MeddocanScores) -> dict[str, Any]:
    return {
        "subtask1": {"leak": scores.leak} | scores.ner.record(),
        "subtask2_strict": scores.strict.record(),
        "subtask2_merged": scores.merged.record(),
        "sentences": scores.sentences,
        "sentence_source": scores.sentence_source,
    }
