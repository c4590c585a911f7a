"""Who is who: a person is a patient, a relative or one of the staff by all that tells of them.

A small model labels each mention by a few words around it. Here a linear classifier reads more of
what stands around each person (`contexts`), and one label is chosen by that, by the label that was
found, by what is told of other mentions of the same person, and by what the other persons of the
text are: where all others are staff, this one is more likely the patient. Its weights were fitted
to contexts alone (`scripts/fit_person_labels.py`). Only the label of a person changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import use_compiled
from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.resources import resource
from scrubjay.taggers._mending.people.contexts import (
    BUCKETS,
    MIXES,
    Contexts,
    Ids,
    number_contexts,
    read_around,
)

_FOLDER = "persons"
_KERNEL = ("taggers/_mending/people/odds_loop.py", "odds_loop")
_WORDS = "FAMILIARES_SUJETO_ASISTENCIA"
"""A label that words for relatives have, too: only what begins with a capital is a name."""

FloatArray = npt.NDArray[np.float64]
_Pairs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class PersonLabels:
    """A linear classifier of persons by their contexts, and how much is told by other persons.

    `weights` (`BUCKETS`, labels) are whole numbers, of which `step` is one in log-odds; `offsets`
    (labels) are log-odds. `same` is how much other mentions of the same person count, `others` how
    much those of all other persons do.
    """

    labels: tuple[str, ...]
    weights: npt.NDArray[np.int8]
    offsets: FloatArray
    step: float
    same: float
    others: float

    def read(self, ids: Ids) -> FloatArray:
        """Return the log-odds (persons, labels) by the numbers of contexts alone."""
        odds: FloatArray = self.weights[ids].sum(axis=1, dtype=np.int64) * self.step + self.offsets
        return odds


@cache
def find_person_labels(language: str) -> PersonLabels:
    """Return what is shipped for a language. Raises `ConfigError` where nothing is."""
    file = resource(_FOLDER, f"{language}.npz")
    if not file.is_file():
        raise ConfigError(
            f"nothing tells patients from staff by their contexts in {language!r}",
            hint="Leave persons as they are found: only English and Spanish label them",
        )
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        weights = np.zeros((BUCKETS, len(arrays["labels"])), dtype=np.int8)
        weights[arrays["buckets"]] = arrays["weights"]
        step, same, others = arrays["counts"].tolist()
        return PersonLabels(
            tuple(arrays["labels"].tolist()), weights, arrays["offsets"], step, same, others
        )


def require_person_labels(language: str, labels: Collection[str]) -> None:
    """Raise `ConfigError` for a language and labels of which nothing tells who is who."""
    missing = [label for label in find_person_labels(language).labels if label not in labels]
    if missing:
        raise ConfigError(
            f"the model has no labels {' and '.join(missing)}",
            hint="Leave persons as they are found",
        )


def is_person(text: str, span: Span, labels: Sequence[str]) -> bool:
    """Tell whether a span names a person, of whom a label is to be chosen."""
    return span.label in labels and (span.label != _WORDS or text[span.start].isupper())


def tell_persons(
    texts: Sequence[str], found: Sequence[tuple[Span, ...]], language: str, *, trust: float
) -> list[tuple[Span, ...]]:
    """Return the spans of each text with the labels of persons by all of the text.

    `trust` is how much the label counts that was found, in log-odds. Spans are sorted and disjoint;
    borders stay, and so do labels of others than persons.
    """
    known = find_person_labels(language)
    places = [
        [number for number, span in enumerate(spans) if is_person(text, span, known.labels)]
        for text, spans in zip(texts, found, strict=True)
    ]
    contexts = Contexts()
    for text, spans, own in zip(texts, found, places, strict=True):
        if own:
            contexts.add(text, [(spans[n].start, spans[n].end) for n in own], language)
    if not contexts.people:
        return list(found)
    numbers = {label: number for number, label in enumerate(known.labels)}
    before = np.array([
        numbers[spans[n].label] for spans, own in zip(found, places, strict=True) for n in own
    ])  # fmt: skip
    after = choose_labels(known, contexts, before, trust=trust).tolist()
    return list(_with_labels(found, places, [known.labels[number] for number in after]))


def _with_labels(
    found: Sequence[tuple[Span, ...]], places: Sequence[Sequence[int]], labels: Sequence[str]
) -> Iterator[tuple[Span, ...]]:
    given = iter(labels)
    for spans, own in zip(found, places, strict=True):
        chosen = {n: label for n, label in zip(own, given, strict=False) if spans[n].label != label}
        yield (
            tuple(
                replace(span, label=chosen[n]) if n in chosen else span
                for n, span in enumerate(spans)
            )
            if chosen
            else spans
        )


def choose_labels(
    known: PersonLabels, contexts: Contexts, before: npt.NDArray[np.int64], *, trust: float
) -> npt.NDArray[np.int64]:
    """Return the number of the label of each person; `before` are those that were found."""
    weigh = _walk if use_compiled(0, late=_KERNEL) else _weigh
    chosen: npt.NDArray[np.int64] = weigh(known, contexts, before, trust).argmax(axis=1)
    return chosen


def _walk(
    known: PersonLabels, contexts: Contexts, before: npt.NDArray[np.int64], trust: float
) -> FloatArray:
    """Return the log-odds (persons, labels) by all that is told of persons."""
    from scrubjay.taggers._mending.people.odds_loop import odds_loop

    odds = np.empty((len(before), len(known.labels)))
    odds_loop(
        *read_around(contexts), np.array(contexts.people), np.array(contexts.firsts),
        np.array([len(text) for text in contexts.notes]), before, MIXES,
        known.weights, known.offsets, (known.step, trust, known.same, known.others), odds,
    )  # fmt: skip
    return odds


def _weigh(
    known: PersonLabels, contexts: Contexts, before: npt.NDArray[np.int64], trust: float
) -> FloatArray:
    """Return what `_walk` does, by numpy."""
    odds = known.read(number_contexts(contexts))
    odds[np.arange(len(odds)), before] += trust
    shares = np.exp(odds - odds.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    shares -= 1.0 / len(known.labels)
    odds += known.same * _of_same(shares, np.array(contexts.people)[:, 4:])
    odds += known.others * _of_others(shares, np.array(contexts.firsts))
    return odds


def _of_same(shares: FloatArray, words: _Pairs) -> FloatArray:
    """Return what is told by other mentions with the first or last word of a name.

    That is the sum of their shares over the root of their number.
    """
    totals = np.zeros((words.max() + 1, shares.shape[1]))
    np.add.at(totals, words, shares[:, np.newaxis])
    met = np.bincount(words.ravel(), minlength=len(totals))
    is_word = words > 0
    total = np.where(is_word[..., np.newaxis], totals[words] - shares[:, np.newaxis], 0.0)
    count = np.where(is_word, met[words] - 1, 0).sum(axis=1)
    told: FloatArray = total.sum(axis=1) / np.sqrt(np.maximum(count, 1))[:, np.newaxis]
    return told


def _of_others(shares: FloatArray, firsts: _Pairs) -> FloatArray:
    """Return the mean of the shares of all other persons of the same text."""
    counts = np.diff(firsts)
    totals = np.repeat(np.add.reduceat(shares, firsts[:-1]), counts, axis=0)
    number = np.maximum(np.repeat(counts, counts) - 1, 1)
    rest: FloatArray = (totals - shares) / number[:, np.newaxis]
    return rest
