"""Fit the classifier that restores capitals; run again to refresh it.

    python scripts/fit_capitals.py en corpora/written-en/train.jsonl EN-NOTES-TRAIN
    python scripts/fit_capitals.py nl corpora/written-nl/train.jsonl NL-NOTES-TRAIN
    python scripts/fit_capitals.py es corpora/written-es/train.jsonl MEDDOCAN-TRAIN

A logistic regression of whether a word begins with a capital, over all words of texts that have
capitals; words all in capitals are left out. What is known of a word itself is dropped three times
in ten, so that letters and lists count for words that nobody has seen. Its weights, in whole steps,
go to `resources/capitals`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

import numpy as np

from scrubjay.corpora import read_corpus
from scrubjay.features.capitals import BUCKETS, read_places

FOLDER = Path(__file__).parents[1] / "src/scrubjay/resources/capitals"
DROPPED, LEAST = 0.3, 2
"""Share of words whose own features are dropped, and steps of the least weight that is kept."""

FEWEST, MOST = 0.01, 0.3
"""Share of letters that are capitals in a text to learn from."""


def read_words(
    texts: Iterable[str], language: str, seed: int
) -> tuple[list[tuple[int, ...]], list[bool]]:
    """Return the features of words, and whether each begins with a capital."""
    rng, rows, answers = Random(seed), [], []
    for text in texts:
        letters = list(filter(str.isalpha, text))
        if not FEWEST < sum(map(str.isupper, letters)) / max(1, len(letters)) < MOST:
            continue
        for place in read_places(text, language):
            if len(place.word) > 1 and place.word.isupper():
                continue
            keeps = rng.random() >= DROPPED
            rows.append(place.numbers + (place.own if keeps else ()))
            answers.append(place.word[0].isupper())
    return rows, answers


def main() -> None:
    """Fit and write the weights of a language."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("language", choices=["en", "es", "nl"])
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--strength", type=float, default=5e-7, help="alpha of the regression")
    parser.add_argument("--offset", type=float, default=1.0, help="what is added to the log-odds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FOLDER)
    given = parser.parse_args()

    from scipy.sparse import csr_matrix
    from sklearn.linear_model import SGDClassifier

    texts = (one.text for corpus in given.corpora for one in read_corpus(corpus))
    rows, answers = read_words(texts, given.language, given.seed)
    ends = np.cumsum([0, *map(len, rows)])
    numbers = np.fromiter((number for row in rows for number in row), np.int32, ends[-1])
    matrix = csr_matrix((np.ones(len(numbers)), numbers, ends), shape=(len(rows), BUCKETS))
    model = SGDClassifier(
        loss="log_loss", alpha=given.strength, max_iter=5, tol=None, average=True,
        random_state=given.seed,
    ).fit(matrix, answers)  # fmt: skip
    step = float(np.abs(model.coef_[0]).max()) / 127
    steps = np.rint(model.coef_[0] / step).astype(np.int8)
    steps[np.abs(steps) < LEAST] = 0
    kept = np.flatnonzero(steps)
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / f"{given.language}.npz"
    np.savez_compressed(
        path, buckets=kept.astype(np.uint16), weights=steps[kept],
        scale=np.array([step, model.intercept_[0] + given.offset]),
    )  # fmt: skip
    right = np.mean((matrix @ (steps * step) + model.intercept_[0] > 0) == answers)
    size = path.stat().st_size
    sys.stdout.write(
        f"{len(rows)} words, {right:.4f} of them as they are, {len(kept)} of {BUCKETS} numbers, "
        f"{size} bytes: {path}\n"
    )


if __name__ == "__main__":
    main()
