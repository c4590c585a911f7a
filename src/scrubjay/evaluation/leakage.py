"""What of the PHI would stay in the text, and what beside PHI would go, whatever the labels.

A leak is a letter or digit of a gold span that no predicted span covers, under any label: what
is removed is removed. Marks and spaces between letters tell nothing and do not count, except in
a gold span that has neither letter nor digit, all of whose other characters count.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scrubjay.document import Document, Span
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.direct import DirectLabels
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.report import count_binary_tokens
from scrubjay.features.words import shape
from scrubjay.labels import LabelSet

Outcome = Literal["removed", "partly", "missed"]
Piece = tuple[int, int]

CONTEXT = 60
"""Characters shown on either side of a leak, where text is shown at all."""

SHOWN_TEXTS = 500
"""For how many leaks text is kept, where it is asked for; the others have offsets and shapes."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A gold span as it fared: the stretches of it that would stay, and whether any would go.

    `left` holds half-open stretches in characters of the text, each with something that counts;
    it is empty where the span is removed.
    """

    start: int
    end: int
    label: str
    direct: bool
    outcome: Outcome
    left: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Leak:
    """A mention that leaks, with its document; text stays empty unless it was asked for."""

    document: str
    mention: Mention
    shape: str
    before: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    after: str = field(default="", repr=False)

    def record(self) -> dict[str, Any]:
        """Return the leak as JSON values; text only where there is some."""
        mention = self.mention
        figures: dict[str, Any] = {
            "document": self.document,
            "start": mention.start,
            "end": mention.end,
            "label": mention.label,
            "direct": mention.direct,
            "outcome": mention.outcome,
            "left": [list(piece) for piece in mention.left],
            "shape": self.shape,
        }
        if self.text:
            figures |= {"before": self.before, "text": self.text, "after": self.after}
        return figures


@dataclass(frozen=True, slots=True)
class LabelLeaks:
    """The mentions of one gold label: those that would go whole, in part, and not at all."""

    label: str
    direct: bool
    removed: int = 0
    partly: int = 0
    missed: int = 0

    @property
    def mentions(self) -> int:
        """All mentions of the label."""
        return self.removed + self.partly + self.missed

    @property
    def leaks(self) -> int:
        """The mentions of which anything would stay."""
        return self.partly + self.missed


@dataclass(frozen=True, slots=True)
class UnitLeaks:
    """Documents, or patients: how many there are, hold PHI, leak any, leak a direct identifier."""

    units: int = 0
    with_phi: int = 0
    leaking: int = 0
    leaking_direct: int = 0


@dataclass(frozen=True, slots=True)
class DocumentLeaks:
    """The counts of one document, which intervals are drawn from.

    Mentions, tokens and characters of gold, and how many of each would stay; `document` is the
    id.
    """

    mentions: int
    leaks: int
    tokens: int
    missed_tokens: int
    characters: int
    missed_characters: int
    document: str = ""


@dataclass(frozen=True, slots=True)
class Leakage:
    """Everything counted.

    `tokens` are those of "Binary Token" of the i2b2 scorer (runs of ASCII letters and digits),
    `characters` the letters and digits: tp would go, fn would stay, fp is over-redacted.
    `patients` is None where no patient is known. `labels` are in the order of the label set.
    """

    documents: UnitLeaks
    patients: UnitLeaks | None
    tokens: Counts
    characters: Counts
    labels: tuple[LabelLeaks, ...]
    leaks: tuple[Leak, ...]
    by_document: tuple[DocumentLeaks, ...]

    @property
    def mentions(self) -> int:
        """Gold spans; those of one label and one place count once."""
        return sum(row.mentions for row in self.labels)

    @property
    def leaking_mentions(self) -> int:
        """Gold spans of which anything would stay."""
        return sum(row.leaks for row in self.labels)

    @property
    def direct(self) -> LabelLeaks:
        """The mentions of all direct labels together."""
        return sum_labels([row for row in self.labels if row.direct], "direct", direct=True)


def sum_labels(rows: Sequence[LabelLeaks], name: str, *, direct: bool) -> LabelLeaks:
    """Return the sum of rows under another name."""
    return LabelLeaks(
        name,
        direct,
        sum(row.removed for row in rows),
        sum(row.partly for row in rows),
        sum(row.missed for row in rows),
    )


class LeakageScorer:
    """Takes pairs in and counts what leaks; memory grows with documents and leaks, not with text.

    `patient_of` tells the patient of a pair, or None where none is known; where it does so for
    any pair there are no figures of patients. Labels count under the spelling of `label_set`,
    and one that it does not know raises `LabelError`. Text is kept for the first leaks alone,
    and only with `show_text`.
    """

    def __init__(
        self,
        direct: DirectLabels,
        *,
        label_set: LabelSet | None = None,
        patient_of: Callable[[Pair], str | None] | None = None,
        show_text: bool = False,
    ) -> None:
        self._direct = direct
        self._label_set = label_set
        self._patient_of = patient_of
        self._texts = SHOWN_TEXTS if show_text else 0
        self._labels: dict[str, dict[Outcome, int]] = {}
        self._documents: list[tuple[bool, bool, bool]] = []
        self._patients: dict[str, tuple[bool, bool, bool]] | None = {}
        self._tokens = self._characters = Counts()
        self._leaks: list[Leak] = []
        self._rows: list[DocumentLeaks] = []

    def add(self, pair: Pair) -> tuple[Mention, ...]:
        """Take in one pair and return its mentions as they fared."""
        mentions = self._mentions(pair)
        for mention in mentions:
            row = self._labels.setdefault(mention.label, {"removed": 0, "partly": 0, "missed": 0})
            row[mention.outcome] += 1
            if mention.left:
                self._leaks.append(self._leak(pair.gold, mention))
        leaking = [mention for mention in mentions if mention.left]
        flags = (bool(mentions), bool(leaking), any(mention.direct for mention in leaking))
        self._documents.append(flags)
        self._add_patient(pair, flags)
        tokens, characters = count_binary_tokens(pair), count_characters(pair)
        self._tokens += tokens
        self._characters += characters
        self._rows.append(
            DocumentLeaks(
                len(mentions),
                len(leaking),
                tokens.gold,
                tokens.fn,
                characters.gold,
                characters.fn,
                pair.gold.id,
            )
        )
        return mentions

    def leakage(self) -> Leakage:
        """Return the counts of all pairs so far."""
        rows = {
            name: LabelLeaks(name, name in self._direct, **outcomes)
            for name, outcomes in self._labels.items()
        }
        order = self._label_set.labels if self._label_set is not None else sorted(rows)
        patients = self._patients
        return Leakage(
            documents=_count_units(self._documents),
            patients=_count_units(patients.values()) if patients else None,
            tokens=self._tokens,
            characters=self._characters,
            labels=tuple(rows[name] for name in order if name in rows),
            leaks=tuple(self._leaks),
            by_document=tuple(self._rows),
        )

    def _mentions(self, pair: Pair) -> tuple[Mention, ...]:
        covered = merge_spans(pair.predicted.spans)
        spelled = self._label_set.spelled if self._label_set is not None else str
        if self._label_set is not None:
            for span in pair.predicted.spans:
                spelled(span.label)
        items = {(span.start, span.end, spelled(span.label)) for span in pair.gold.spans}
        return tuple(
            judge_mention(
                pair.gold.text, Span(start, end, label), covered, direct=label in self._direct
            )
            for start, end, label in sorted(items)
        )

    def _leak(self, document: Document, mention: Mention) -> Leak:
        text, start, end = document.text, mention.start, mention.end
        form = shape(text[start:end])
        if len(self._leaks) >= self._texts:
            return Leak(document.id, mention, form)
        before, after = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
        return Leak(document.id, mention, form, before, text[start:end], after)

    def _add_patient(self, pair: Pair, flags: tuple[bool, bool, bool]) -> None:
        patient = self._patient_of(pair) if self._patient_of is not None else None
        if patient is None:
            self._patients = None
        elif self._patients is not None:
            known = self._patients.get(patient, (False, False, False))
            one, two, three = (a or b for a, b in zip(known, flags, strict=True))
            self._patients[patient] = (one, two, three)


def judge_mention(
    text: str, span: Span, covered: Sequence[Piece], *, direct: bool = False
) -> Mention:
    """Return how a gold span fares where the stretches `covered` (see `merge_spans`) would go."""
    counts = _counting(text, span)
    left = tuple(
        piece
        for piece in uncovered((span.start, span.end), covered)
        if any(map(counts, text[slice(*piece)]))
    )
    whole = sum(map(counts, text[span.start : span.end]))
    stays = sum(sum(map(counts, text[start:end])) for start, end in left)
    outcome: Outcome = "removed" if not left else "missed" if stays == whole else "partly"
    return Mention(span.start, span.end, span.label, direct, outcome, left)


def count_characters(pair: Pair) -> Counts:
    """Return the characters of gold that would go (tp) and stay (fn), and what goes beside (fp).

    Each character counts once, however many spans hold it.
    """
    text = pair.gold.text
    gold, predicted = merge_spans(pair.gold.spans), merge_spans(pair.predicted.spans)
    missed = _count(text, _subtract(gold, predicted))
    extra = _count(text, _subtract(predicted, gold))
    total = _count(text, gold)
    marks = {
        offset
        for span in pair.gold.spans
        if not any(map(str.isalnum, text[span.start : span.end]))
        for offset in range(span.start, span.end)
        if _counting(text, span)(text[offset]) and not text[offset].isalnum()
    }
    if marks:
        starts = [start for start, _ in predicted]
        for offset in marks:
            place = bisect_right(starts, offset) - 1
            total += 1
            missed += not (place >= 0 and offset < predicted[place][1])
    return Counts(total - missed, extra, missed)


def merge_spans(spans: Iterable[Span]) -> list[Piece]:
    """Return the stretches that spans cover together, sorted, none touching the next."""
    merged: list[Piece] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def uncovered(piece: Piece, covered: Sequence[Piece]) -> list[Piece]:
    """Return what of a stretch none of the sorted, disjoint stretches `covered` holds."""
    start, end = piece
    rest: list[Piece] = []
    place = max(0, bisect_right(covered, (start, start)) - 1)
    while place < len(covered) and covered[place][0] < end:
        low, high = covered[place]
        if low > start:
            rest.append((start, low))
        start = max(start, high)
        place += 1
    if start < end:
        rest.append((start, end))
    return rest


def _subtract(pieces: Sequence[Piece], covered: Sequence[Piece]) -> list[Piece]:
    return [rest for piece in pieces for rest in uncovered(piece, covered)]


def _count(text: str, pieces: Iterable[Piece]) -> int:
    return sum(sum(map(str.isalnum, text[start:end])) for start, end in pieces)


def _counting(text: str, span: Span) -> Callable[[str], bool]:
    """Return which characters of a span count: letters and digits, else all that is no space."""
    inside = text[span.start : span.end]
    if any(map(str.isalnum, inside)):
        return str.isalnum
    if inside.strip():
        return lambda character: not character.isspace()
    return bool


def _count_units(flags: Iterable[tuple[bool, bool, bool]]) -> UnitLeaks:
    rows = list(flags)
    return UnitLeaks(len(rows), *(sum(column) for column in zip(*rows, strict=True)))
