"""What measures the risk that stays after de-identification, one pair of documents at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from scrubjay.corpora.splits import DEFAULT_PATIENT_KEY, patient_finder
from scrubjay.errors import InputError, LabelError
from scrubjay.evaluation.bounds import (
    SampleSize,
    measure_design_effect,
    require_bound_confidence,
    require_claim,
    sample_sizes,
)
from scrubjay.evaluation.direct import DirectLabels
from scrubjay.evaluation.groups import Grouping, GroupScorer
from scrubjay.evaluation.intervals import (
    CONFIDENCE,
    bootstrap_sums,
    exact_interval,
    percentile_interval,
)
from scrubjay.evaluation.leakage import Leakage, LeakageScorer
from scrubjay.evaluation.pairs import Pair, naming_document
from scrubjay.evaluation.reading import PairedCorpora
from scrubjay.evaluation.risk import Recall, Risk

CLAIM = 0.99
"""The recall whose sample size is shown where none is named."""

LEVELS = ("mention", "token", "character")
"""What recall is counted by: whole gold spans, runs of letters and digits, single characters."""


class RiskMeter:
    """Measures what would leak if the predicted spans were removed, one pair at a time.

    `patient_key` is that of `scrubjay.corpora.splits.patient_finder`. Where none is given its
    default is tried: ids that do not fit it leave the patients unknown. `seed` decides the
    draws of the bootstrap. Raises `ConfigError` for settings out of range.
    """

    def __init__(
        self,
        pairs: PairedCorpora,
        *,
        direct: DirectLabels,
        patient_key: str = "",
        groupings: Sequence[Grouping] = (),
        confidence: float = CONFIDENCE,
        claim: float = CLAIM,
        show_text: bool = False,
        seed: int = 0,
    ) -> None:
        self._pairs = pairs
        self._direct = direct
        self._confidence = require_bound_confidence(confidence)
        self._claim = require_claim(claim)
        self._seed = seed
        self._key = patient_key or DEFAULT_PATIENT_KEY
        self._scorer = LeakageScorer(
            direct,
            label_set=pairs.label_set,
            patient_of=find_patients(self._key, required=bool(patient_key)),
            show_text=show_text,
        )
        self._groups = [GroupScorer(grouping) for grouping in groupings]

    def __iter__(self) -> Iterator[Pair]:
        """Yield each pair after it was measured, so that others may read it on its way.

        Raises `InputError` where documents do not pair, or where a document tells no patient by
        a key that was given; `LabelError` for a label that the label set does not have.
        """
        for pair in self._pairs:
            try:
                with naming_document(pair.gold):
                    mentions = self._scorer.add(pair)
            except LabelError as error:
                raise self._pairs.explain(error) from None
            for scorer in self._groups:
                scorer.add(pair, mentions)
            yield pair

    def measure(self) -> Risk:
        """Measure all pairs; raises what reading them and `risk` raise."""
        for _ in self:
            pass
        return self.risk()

    def risk(self) -> Risk:
        """Return the measurement of the pairs so far.

        Raises `InputError` where there are none, and where no document has a group.
        """
        leakage, pairs = self._scorer.leakage(), self._pairs
        if not leakage.documents.units:
            raise InputError(
                "no document is left to measure", hint="Check that the ids of both agree"
            )
        effect = measure_design_effect([(row.mentions, row.leaks) for row in leakage.by_document])
        return Risk(
            label_set=None if pairs.label_set is None else pairs.label_set.name,
            direct=self._direct,
            patient_key=self._key if leakage.patients is not None else None,
            gold_alone=pairs.gold_alone,
            predicted_alone=pairs.predicted_alone,
            unlabelled=pairs.unlabelled,
            outside=pairs.outside,
            confidence=self._confidence,
            seed=self._seed,
            leakage=leakage,
            recalls=_recalls(leakage, self._confidence, self._seed),
            groups=tuple(scorer.table(confidence=self._confidence) for scorer in self._groups),
            design_effect=effect,
            sizes=_sizes(leakage, self._claim, self._confidence, effect),
        )


def find_patients(key: str, *, required: bool) -> Callable[[Pair], str | None]:
    """Return a function from a pair to its patient; gold is asked first, then predicted.

    A pair without patient raises `InputError` where the key is required, else gives None.
    """
    find = patient_finder(key)

    def patient_of(pair: Pair) -> str | None:
        try:
            return find(pair.gold)
        except InputError as error:
            try:
                return find(pair.predicted)
            except InputError:
                if required:
                    raise error from None
                return None

    return patient_of


def _recalls(leakage: Leakage, confidence: float, seed: int) -> tuple[Recall, ...]:
    table = np.array(
        [
            (
                row.mentions,
                row.leaks,
                row.tokens,
                row.missed_tokens,
                row.characters,
                row.missed_characters,
            )
            for row in leakage.by_document
        ],
        dtype=np.float64,
    )
    sums = bootstrap_sums(table, seed=seed)
    totals = table.sum(axis=0).astype(np.int64)
    recalls = []
    for column, level in enumerate(LEVELS):
        gold, missed = sums[:, 2 * column], sums[:, 2 * column + 1]
        shares = np.full(len(gold), np.nan)
        np.divide(gold - missed, gold, out=shares, where=gold > 0)
        whole, left = int(totals[2 * column]), int(totals[2 * column + 1])
        if 0 < left < whole:
            interval = percentile_interval(shares, confidence=confidence)
        else:
            trials = int(np.count_nonzero(table[:, 2 * column]))
            interval = exact_interval(0 if left else trials, trials, confidence=confidence)
        recalls.append(Recall(level, whole - left, whole, interval))
    return tuple(recalls)


def _sizes(
    leakage: Leakage, claim: float, confidence: float, effect: float | None
) -> tuple[SampleSize, ...]:
    mentions, documents = leakage.mentions, leakage.documents.units
    return sample_sizes(
        claim,
        confidence=confidence,
        mentions_per_document=mentions / documents if mentions else None,
        design_effect=max(1.0, effect or 1.0),
        expected_recall=1.0 - leakage.leaking_mentions / mentions if mentions else None,
    )
