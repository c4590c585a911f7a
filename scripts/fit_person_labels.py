"""Fit the classifier of persons by their contexts; run again to refresh it.

    python scripts/fit_person_labels.py en corpora/written-en/train.jsonl EN-NOTES-TRAIN
    python scripts/fit_person_labels.py es corpora/written-es/train.jsonl MEDDOCAN-TRAIN

A logistic regression of the label of each person on hashed numbers of what stands around it,
without the names themselves; its weights, in whole steps, go to `resources/persons`. `--temper`,
`--same` and `--others` were chosen on dev, not fitted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.contexts import BUCKETS, Contexts, number_contexts
from scrubjay.taggers._mending.people.namesakes import NAMES
from scrubjay.taggers._mending.people.person_labels import is_person

LABELS = {"en": sorted(STAFF_AND_PATIENTS), "es": sorted(NAMES)}
FOLDER = Path(__file__).parents[1] / "src/scrubjay/resources/persons"
STEP = 1 / 50
LEAST = 2
"""Steps of the least weight that is kept."""


def read_persons(documents: Sequence[Document], language: str) -> tuple[Contexts, list[str]]:
    """Return the contexts of all persons of documents, and their labels."""
    contexts, labels = Contexts(), []
    for document in documents:
        spans, end = [], 0
        for span in sorted(document.spans):
            if span.start >= end and is_person(document.text, span, LABELS[language]):
                spans.append(span)
                end = span.end
        if spans:
            contexts.add(document.text, [(span.start, span.end) for span in spans], language)
            labels += [span.label for span in spans]
    return contexts, labels


def main() -> None:
    """Fit and write the weights of a language."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("language", choices=sorted(LABELS))
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--strength", type=float, default=0.25, help="C of the regression")
    parser.add_argument("--temper", type=float, default=0.7, help="what log-odds are multiplied by")
    parser.add_argument("--same", type=float, default=3.0)
    parser.add_argument("--others", type=float, default=-1.0)
    parser.add_argument("--out", type=Path, default=FOLDER)
    given = parser.parse_args()

    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    documents = [one for corpus in given.corpora for one in read_corpus(corpus)]
    contexts, labels = read_persons(documents, given.language)
    ids = number_contexts(contexts)
    rows = csr_matrix(
        (np.ones(ids.size), ids.ravel(), np.arange(0, ids.size + 1, ids.shape[1])),
        shape=(len(ids), BUCKETS),
    )
    model = LogisticRegression(C=given.strength, max_iter=300).fit(rows, labels)
    weights, offsets = model.coef_, model.intercept_
    if len(weights) == 1:  # of the second of two labels
        weights, offsets = (
            np.stack([-weights[0], weights[0]]) / 2,
            np.stack([-offsets[0], offsets[0]]) / 2,
        )
    steps = np.clip(np.rint(weights.T / STEP), -127, 127).astype(np.int8)
    steps[np.abs(steps).max(axis=1) < LEAST] = 0
    kept = np.flatnonzero(steps.any(axis=1))
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / f"{given.language}.npz"
    np.savez_compressed(
        path, labels=np.array(model.classes_.tolist()), buckets=kept.astype(np.uint16),
        weights=steps[kept], offsets=offsets * given.temper,
        counts=np.array([STEP * given.temper, given.same, given.others]),
    )  # fmt: skip
    size = path.stat().st_size
    said = f"{len(labels)} persons, {len(kept)} of {BUCKETS} numbers kept, {size} bytes: {path}"
    sys.stdout.write(said + "\n")


if __name__ == "__main__":
    main()
