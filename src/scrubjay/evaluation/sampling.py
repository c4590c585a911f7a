"""Which documents of a run a person should check: a sample drawn by seed, stratum by stratum.

The frame is the list of all documents that could be drawn. Its hash stands in the plan, so that
whoever reads the result can tell what it was drawn from. Within a stratum the documents come in
the order of a hash of seed and id, so a plan is the same on every machine, and a larger sample
with the same seed holds a smaller one of the same stratum.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from scrubjay.corpora.splits import key_finder, lot_of
from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError
from scrubjay.evaluation.groups import NOT_TOLD

ONE_STRATUM = "all"
"""The stratum of every document where none are asked for."""


@dataclass(frozen=True, slots=True)
class FrameDocument:
    """A document that can be drawn: its stratum, and how many spans the run removed in it."""

    id: str
    stratum: str
    predicted: int


@dataclass(frozen=True, slots=True)
class Frame:
    """All documents that can be drawn, sorted by id, and the sha256 of what they are.

    The hash covers id, text and predicted spans of each document (not the strata), so it changes
    when the run does. `stratify` is the key of the strata.
    """

    documents: tuple[FrameDocument, ...]
    sha256: str
    stratify: str = ""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the frame: its size, and how many of its documents are drawn."""

    name: str
    documents: int
    sampled: int


@dataclass(frozen=True, slots=True)
class SamplingPlan:
    """The documents to check, by stratum and then in the order in which they were drawn.

    `at_least` of each stratum were drawn first; with 0 the sample is in proportion.
    """

    frame_sha256: str
    frame_documents: int
    seed: int
    at_least: int
    strata: tuple[Stratum, ...]
    chosen: tuple[FrameDocument, ...]
    stratify: str = ""

    def record(self) -> dict[str, Any]:
        """Return the plan as JSON values."""
        return {
            "format_version": 1,
            "frame_sha256": self.frame_sha256,
            "frame_documents": self.frame_documents,
            "seed": self.seed,
            "at_least": self.at_least,
            "stratify": self.stratify,
            "strata": [
                {"stratum": one.name, "documents": one.documents, "sampled": one.sampled}
                for one in self.strata
            ],
            "documents": [document.id for document in self.chosen],
        }


def read_frame(
    documents: Iterable[Document], *, stratify: str = "", require_strata: bool = True
) -> Frame:
    """Return the frame of a corpus; memory grows with ids, not with text.

    `stratify` is a metadata entry or column, or `id:REGEX`; documents that do not tell theirs
    are the stratum `NOT_TOLD`. Raises `InputError` for an empty corpus, for an id that occurs
    twice, and where no document tells its stratum (if `require_strata`); `ConfigError` for a
    broken expression.
    """
    find = None
    if stratify:
        find = key_finder(stratify, what="stratum", setting="the stratum key", hints=("", ""))
    rows: list[tuple[FrameDocument, bytes]] = []
    for document in documents:
        stratum = ONE_STRATUM
        if find is not None:
            try:
                stratum = find(document)
            except InputError:
                stratum = NOT_TOLD
        entry = FrameDocument(document.id, stratum, len(set(document.spans)))
        rows.append((entry, _digest(document)))
    if not rows:
        raise InputError("the corpus has no documents to draw from")
    if require_strata and all(entry.stratum == NOT_TOLD for entry, _ in rows):
        raise InputError(
            f"no document has a stratum under {stratify!r}",
            hint="Give --stratify the name of a metadata entry or column, or id:REGEX",
        )
    rows.sort(key=lambda row: row[0].id)
    whole = hashlib.sha256()
    for number, (entry, digest) in enumerate(rows):
        if number and rows[number - 1][0].id == entry.id:
            raise InputError(f"document {entry.id!r} occurs twice in the corpus")
        whole.update(digest)
    return Frame(tuple(entry for entry, _ in rows), whole.hexdigest(), stratify)


def require_predicted(frame: Frame, *, path: Path | str) -> Frame:
    """Return the frame, or raise `InputError` where no document at all has a span.

    Such a corpus tells nothing of what a run removed: there is nothing to audit.
    """
    if not any(document.predicted for document in frame.documents):
        raise InputError(
            "no document has a span, so that nothing tells what the run removed",
            path=path,
            hint="Give the corpus with its spans, as scrubjay annotate --to jsonl writes it; "
            "plain text, HL7 and FHIR have no place for spans",
        )
    return frame


def draw_sample(frame: Frame, size: int, *, seed: int = 0, at_least: int = 0) -> SamplingPlan:
    """Draw documents from each stratum in proportion to its size.

    `at_least` of each stratum are drawn first, or all where it has fewer; bounds over the whole
    frame are wider then, since the sample is no longer in proportion.

    Raises `ConfigError` for a size that the frame or `at_least` does not allow.
    """
    if not 1 <= size <= len(frame.documents):
        raise ConfigError(
            f"{size} documents cannot be drawn from {len(frame.documents)}",
            hint="Give --documents a number from 1 to the size of the corpus",
        )
    if at_least < 0:
        raise ConfigError(f"{at_least} documents of a stratum cannot be drawn")
    if seed < 0:
        raise ConfigError(f"a seed is 0 or more, {seed} is not")
    sizes = Counter(document.stratum for document in frame.documents)
    drawn = allocate(sizes, size, at_least=at_least)
    chosen: list[FrameDocument] = []
    for name in sorted(sizes):
        members = [document for document in frame.documents if document.stratum == name]
        members.sort(key=lambda document: lot_of(seed, document.id))
        chosen += members[: drawn[name]]
    strata = tuple(Stratum(name, sizes[name], drawn[name]) for name in sorted(sizes))
    return SamplingPlan(
        frame.sha256,
        len(frame.documents),
        seed,
        at_least,
        strata,
        tuple(chosen),
        frame.stratify,
    )


def allocate(sizes: Mapping[str, int], size: int, *, at_least: int = 0) -> dict[str, int]:
    """Return how many of each stratum are drawn: its exact share, rounded so that all add up.

    Each document goes to the stratum that lacks most of its share (the first of equals by name).
    Raises `ConfigError` where `at_least` of each are more than `size`.
    """
    total = sum(sizes.values())
    drawn = {name: min(at_least, sizes[name]) for name in sorted(sizes)}
    spare = size - sum(drawn.values())
    if spare < 0:
        raise ConfigError(
            f"{at_least} documents of each of {len(sizes)} strata are more than {size}",
            hint="Draw more documents (--documents) or fewer of each (--at-least)",
        )
    lacking = {name: Fraction(size * sizes[name], total) - drawn[name] for name in drawn}
    for _ in range(spare):
        name = max((one for one in drawn if drawn[one] < sizes[one]), key=lambda one: lacking[one])
        drawn[name] += 1
        lacking[name] -= 1
    return drawn


def _digest(document: Document) -> bytes:
    whole = hashlib.sha256()
    for part in (document.id, document.text):
        encoded = part.encode("utf-8", "surrogatepass")
        # Lengths keep parts apart, whatever characters they hold.
        whole.update(len(encoded).to_bytes(8, "big") + encoded)
    for span in sorted(set(document.spans)):
        label = span.label.encode("utf-8", "surrogatepass")
        whole.update(f"{span.start}:{span.end}:{len(label)}:".encode() + label)
    return whole.digest()
