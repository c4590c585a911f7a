"""A model whose weights cannot move, and a CRF of the user's notes, as one: a choice per label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scrubjay.artifacts import Manifest
from scrubjay.document import Document, Span
from scrubjay.evaluation.counts import Counts, count_sets
from scrubjay.learning.configs import find_crf_config
from scrubjay.learning.crf import CrfLearner
from scrubjay.learning.preparation import Progress
from scrubjay.learning.requirements import require_ready
from scrubjay.taggers._combining.candidates import Proposals
from scrubjay.taggers._combining.combiners import PerLabel
from scrubjay.taggers.crf import CrfDetector
from scrubjay.taggers.ensemble import KIND, EnsembleDetector
from scrubjay.taggers.kinds import Loaded
from scrubjay.taggers.members import Member

CONFIG = "zhao2020-crf"
"""The configuration of the CRF that learns from the notes alone."""

FROZEN, NOTES = "model", "notes"
"""The names of the two members."""

#: Mentions of a label in the notes below which the model is believed, come what may.
LEAST_MENTIONS = 5

Found = Sequence[Sequence[Span]]


def require_learner(language: str) -> None:
    """Refuse what the CRF of the notes cannot do without; raises like `require_ready`."""
    require_ready(find_crf_config(CONFIG), language=language)


def learn_notes(
    notes: Sequence[Document], *, language: str, label_set: str, seed: int, progress: Progress
) -> CrfDetector:
    """Return a CRF that knows the notes and nothing else."""
    learner = CrfLearner(
        find_crf_config(CONFIG), language=language, label_set=label_set, name=NOTES
    )
    return learner.fit(notes, seed=seed, progress=progress)


def join_by_label(
    manifest: Manifest,
    model: Loaded,
    crf: CrfDetector,
    notes: Sequence[Document],
    found: tuple[Found, Found],
    folds: Sequence[int],
) -> tuple[EnsembleDetector, list[tuple[Span, ...]]]:
    """Return both as one detector, and what it finds in each note unseen.

    `found` is what the model says of each note, and what CRFs say that were trained without the
    note's fold. So is the choice made that a fold is measured with: on the other folds.
    """
    labels = tuple(sorted({*model.labels, *crf.labels}))
    unseen: list[tuple[Span, ...]] = [() for _ in notes]
    for fold in sorted(set(folds)):
        inside = [n for n, number in enumerate(folds) if number == fold]
        outside = [n for n, number in enumerate(folds) if number != fold]
        combiner = choose_by_label(notes, found, labels, outside, own=model.labels)
        picked = [[said[n] for n in inside] for said in found]
        combined = combiner.combine(Proposals([notes[n] for n in inside], _tuples(picked)))
        for number, spans in zip(inside, combined, strict=True):
            unseen[number] = spans
    combiner = choose_by_label(notes, found, labels, range(len(notes)), own=model.labels)
    members = (
        Member(FROZEN, model, replace(manifest, files={})),
        Member(NOTES, crf, crf.manifest),
    )
    joined = Manifest(
        name=manifest.name,
        kind=KIND,
        language=manifest.language,
        label_set=manifest.label_set,
        labels=labels,
        config={"name": CONFIG, "kind": KIND, "choice": dict(combiner.choice)},
        stores_words=True,
    )
    return EnsembleDetector(members, combiner, manifest=joined), unseen


def choose_by_label(
    notes: Sequence[Document],
    found: tuple[Found, Found],
    labels: Sequence[str],
    numbers: Sequence[int],
    *,
    own: Sequence[str],
) -> PerLabel:
    """Return for each label whom to believe, by strict F1 on the notes of these numbers.

    The model it is where it is as good, and where the notes have too few mentions to tell; a
    label that it does not know (that is not its `own`) can be the CRF's alone.
    """
    choice: dict[str, str] = {}
    precision: dict[str, float] = {}
    for label in labels:
        model, crf = (
            sum((_count_label(notes[n].spans, said[n], label) for n in numbers), Counts())
            for said in found
        )
        enough = model.tp + model.fn >= LEAST_MENTIONS
        better = enough and (crf.f1 or 0.0) > (model.f1 or 0.0)
        choice[label] = NOTES if better or label not in own else FROZEN
        best = crf if choice[label] == NOTES else model
        precision[label] = round((best.tp + 1) / (best.tp + best.fp + 2), 6)
    return PerLabel((FROZEN, NOTES), choice, precision)


def _count_label(gold: Iterable[Span], found: Iterable[Span], label: str) -> Counts:
    one, other = ({span for span in spans if span.label == label} for spans in (gold, found))
    return count_sets(one, other)


def _tuples(found: Sequence[Sequence[Sequence[Span]]]) -> list[list[tuple[Span, ...]]]:
    return [[tuple(spans) for spans in each] for each in found]
