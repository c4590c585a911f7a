"""Mixtures: several corpora, each with a weight, as one list of documents to train on."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scrubjay.corpora.regions import left_out
from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError

MOST = 100.0
"""The greatest weight: so many copies of each document."""


@dataclass(frozen=True, slots=True)
class Source:
    """One corpus of a mixture: a name for the manifest, its documents and its weight."""

    name: str
    documents: tuple[Document, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Mixture:
    """The documents to train on, and for each source what came of it."""

    documents: tuple[Document, ...]
    facts: tuple[dict[str, Any], ...]


def require_weights(weights: Sequence[float], *, corpora: int) -> tuple[float, ...]:
    """Return a weight for each corpus; without any, 1 for each.

    Raises `ConfigError` for another number of weights, and for one that is not above 0 or is
    above `MOST`.
    """
    if not weights:
        return (1.0,) * corpora
    if len(weights) != corpora:
        raise ConfigError(
            f"there are {len(weights)} weights and {corpora} corpora",
            hint="Give one --weight for each corpus, in their order",
        )
    for weight in weights:
        if not 0 < weight <= MOST:
            raise ConfigError(f"a weight must be above 0 and at most {MOST:g}, not {weight:g}")
    return tuple(weights)


def mix(sources: Sequence[Source], *, seed: int) -> Mixture:
    """Return the documents of all sources by their weights, for whatever learner.

    A weight stands for whole copies of a source and a random share of its documents: of 100
    documents, 2.3 makes 230, each of them twice and 30 thrice. Which ones follows from the seed,
    the ids and nothing else. The second copy of a document has the id `ID+2`; where two sources
    share an id, all ids of the later one begin with its number, `2:ID`.

    Raises `InputError` where the weight of a source leaves nothing of it, and like
    `regions.ignored_regions`.
    """
    mixed: list[Document] = []
    facts: list[dict[str, Any]] = []
    taken: set[str] = set()
    for number, source in enumerate(sources, start=1):
        documents = _with_free_ids(source.documents, number, taken)
        used = _weigh(documents, source.weight, seed=seed)
        if documents and not used:
            raise InputError(
                f"the weight {source.weight:g} leaves none of {len(documents)} documents of "
                f"source {number}",
                hint="Give it a greater --weight, or leave the corpus out",
            )
        taken.update(document.id for document in used)
        mixed += used
        facts.append(_facts(source, used))
    return Mixture(tuple(mixed), tuple(facts))


def _with_free_ids(
    documents: Sequence[Document], number: int, taken: set[str]
) -> tuple[Document, ...]:
    if taken.isdisjoint(document.id for document in documents):
        return tuple(documents)
    return tuple(replace(document, id=f"{number}:{document.id}") for document in documents)


def _weigh(documents: Sequence[Document], weight: float, *, seed: int) -> list[Document]:
    """Return the copies of the documents, those of one document one after another."""
    whole = math.floor(weight)
    share = weight - whole
    more = round(share * len(documents))
    ranked = sorted(documents, key=lambda document: _lot(seed, document.id))
    chosen = {document.id for document in ranked[:more]}
    copies: list[Document] = []
    for document in documents:
        count = whole + (document.id in chosen)
        copies += [
            document if not number else replace(document, id=f"{document.id}+{number + 1}")
            for number in range(count)
        ]
    return copies


def _lot(seed: int, name: str) -> bytes:
    data = f"{seed}:{name}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).digest()


def _facts(source: Source, used: Sequence[Document]) -> dict[str, Any]:
    return {
        "name": source.name,
        "documents": len(source.documents),
        "spans": sum(len(document.spans) for document in source.documents),
        "weight": source.weight,
        "documents-used": len(used),
        "ignored-characters": ignored_characters(source.documents),
    }


def ignored_characters(documents: Iterable[Document]) -> int:
    """Return how many characters of the documents training leaves out."""
    return sum(end - start for document in documents for start, end in left_out(document))
