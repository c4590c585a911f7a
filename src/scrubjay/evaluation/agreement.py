"""How far annotators of the same documents agree: F1 over spans, kappa over tokens.

F1 over spans treats two annotators alike: it is the same whichever of them is taken for gold
(Hripcsak and Rothschild 2005). Trienes et al. 2020 (section 3.3, Table 3) report it by label.
Kappa takes out the agreement that chance would give (Cohen 1960; Fleiss 1971 for more than two);
over text it depends on the tokens, and on how many of them nobody marked, so it is given over
all tokens and over those that anyone marked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import accumulate, combinations
from typing import Any

from scrubjay.evaluation.annotators import Joined, Panel
from scrubjay.evaluation.counts import mean_of
from scrubjay.evaluation.kappa import TokenKappa, TokenTally, fleiss_kappa
from scrubjay.evaluation.matching import RELAXED_DISTANCE, Item, Items, span_items, without_labels
from scrubjay.labels import LabelSet
from scrubjay.text.tokenizers import Tokenizer, make_tokenizer

MODES = ("strict", "relaxed", "overlap")
DEFAULT_TOKENIZER = "wi-deid"


@dataclass(frozen=True, slots=True)
class Matched:
    """Spans of two annotators, and how many of each have a partner with the other.

    In strict mode both numbers of partners are one; where borders may differ, one span can be
    the partner of several.
    """

    first: int = 0
    second: int = 0
    first_matched: int = 0
    second_matched: int = 0

    def __add__(self, other: Matched) -> Matched:
        return Matched(
            self.first + other.first,
            self.second + other.second,
            self.first_matched + other.first_matched,
            self.second_matched + other.second_matched,
        )

    @property
    def f1(self) -> float | None:
        """The share of all spans of both that have a partner; None where there is no span.

        In strict mode this is F1 with either annotator as gold.
        """
        total = self.first + self.second
        return (self.first_matched + self.second_matched) / total if total else None


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """The agreement of two annotators on the spans of one label.

    strict: start, end and label are equal. relaxed: start and label are equal, the ends differ
    by at most 2 characters, as the i2b2 2014 scorer has it. overlap: the label is equal and a
    character is shared. `kappa` is Cohen's kappa over all tokens, of this label against all else.
    """

    label: str
    strict: Matched
    relaxed: Matched
    overlap: Matched
    kappa: float | None = None


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """The agreement of two annotators over the documents that both have.

    `all_labels` sums the labels up; `any_label` compares spans without regard to labels, so it
    tells how far the two see the same text as PHI at all.
    """

    first: str
    second: str
    documents: int
    labels: tuple[LabelAgreement, ...]
    all_labels: LabelAgreement
    any_label: LabelAgreement
    tokens: TokenKappa


@dataclass(frozen=True, slots=True)
class MeanAgreement:
    """The means of one label over all pairs of annotators in which the figure is defined."""

    label: str
    strict: float | None
    relaxed: float | None
    overlap: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Every figure of agreement between two or more annotators.

    `spans` and `alone` count for each annotator the distinct spans in the documents that were
    compared, and the documents that nobody else has. `means` hold a row for each label, then
    "all labels" and "any label". `mean_kappa` has the means over pairs, and the sums of their
    tokens. `fleiss` covers the documents that all annotators have
    (`shared_documents`); it is None for two annotators.
    """

    annotators: tuple[str, ...]
    documents: int
    shared_documents: int
    spans: tuple[int, ...]
    alone: tuple[int, ...]
    outside: tuple[tuple[str, int], ...]
    label_set: str | None
    tokenizer: str
    pairs: tuple[PairAgreement, ...]
    means: tuple[MeanAgreement, ...]
    mean_kappa: TokenKappa
    fleiss: TokenKappa | None

    def mean(self, label: str) -> MeanAgreement:
        """Return the means of a label; raises `KeyError` for one that nobody gave."""
        for row in self.means:
            if row.label == label:
                return row
        raise KeyError(label)


ALL_LABELS = "all labels"
ANY_LABEL = "any label"


Modes = tuple[Matched, Matched, Matched]
"""One `Matched` for each of `MODES`."""

_NONE: Modes = (Matched(), Matched(), Matched())


def _sum(one: Modes, other: Modes) -> Modes:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


class AgreementScorer:
    """Takes joined documents in, one at a time, and yields the figures; keeps no text."""

    def __init__(self, names: Sequence[str], *, tokenizer: Tokenizer | None = None) -> None:
        self._names = tuple(names)
        self._tokenizer = tokenizer or make_tokenizer(DEFAULT_TOKENIZER)
        self._tally = TokenTally(len(self._names))
        self._pairs = tuple(combinations(range(len(self._names)), 2))
        self._matched: dict[tuple[int, int], dict[str, Modes]] = {p: {} for p in self._pairs}
        self._any = dict.fromkeys(self._pairs, _NONE)
        self._pair_documents = dict.fromkeys(self._pairs, 0)
        self._spans = [0] * len(self._names)
        self._documents = 0
        self._shared = 0

    def add(self, joined: Joined) -> None:
        """Take in one document."""
        self._documents += 1
        self._shared += None not in joined.versions
        items = [
            None if version is None else span_items(version.spans, str)
            for version in joined.versions
        ]
        for number, found in enumerate(items):
            self._spans[number] += len(found or ())
        for pair in self._pairs:
            first, second = items[pair[0]], items[pair[1]]
            if first is not None and second is not None:
                self._add_pair(pair, first, second)
        self._tally.add(self._tokenizer.tokenize(joined.text), joined.versions)

    def _add_pair(self, pair: tuple[int, int], first: Items, second: Items) -> None:
        self._pair_documents[pair] += 1
        rows = self._matched[pair]
        for label, found in match_annotators(first, second).items():
            rows[label] = _sum(rows.get(label, _NONE), found)
        blind = match_annotators(without_labels(first), without_labels(second))
        for found in blind.values():
            self._any[pair] = _sum(self._any[pair], found)

    def report(
        self,
        *,
        label_set: LabelSet | None = None,
        alone: Sequence[int] = (),
        outside: Iterable[tuple[str, int]] = (),
    ) -> AgreementReport:
        """Return the figures; labels stand in the order of `label_set`, else of the alphabet."""
        labels = _ordered({label for rows in self._matched.values() for label in rows}, label_set)
        pairs = tuple(self._pair(pair, labels) for pair in self._pairs)
        return AgreementReport(
            annotators=self._names,
            documents=self._documents,
            shared_documents=self._shared,
            spans=tuple(self._spans),
            alone=tuple(alone) or (0,) * len(self._names),
            outside=tuple(outside),
            label_set=label_set.name if label_set is not None else None,
            tokenizer=self._tokenizer.name,
            pairs=pairs,
            means=_means(pairs, labels),
            mean_kappa=_mean_kappa([pair.tokens for pair in pairs]),
            fleiss=fleiss_kappa(self._tally) if len(self._names) > 2 else None,
        )

    def _pair(self, pair: tuple[int, int], labels: Sequence[str]) -> PairAgreement:
        confusion = self._tally.confusion(*pair)
        found = self._matched[pair]
        rows = tuple(
            LabelAgreement(label, *found[label], kappa=confusion.kappa_of(label))
            for label in labels
            if label in found
        )
        whole = reduce(_sum, found.values(), _NONE)
        tokens = confusion.kappa()
        return PairAgreement(
            first=self._names[pair[0]],
            second=self._names[pair[1]],
            documents=self._pair_documents[pair],
            labels=rows,
            all_labels=LabelAgreement(ALL_LABELS, *whole, kappa=tokens.all),
            any_label=LabelAgreement(ANY_LABEL, *self._any[pair], kappa=tokens.any_label),
            tokens=tokens,
        )


def measure_agreement(
    panel: Panel, *, documents: Iterable[Joined] | None = None, tokenizer: Tokenizer | None = None
) -> AgreementReport:
    """Return the agreement of the annotators of a panel, one document at a time.

    `documents` stands in for the panel's own where these pass through another hand first.
    Raises what iterating a `Panel` raises.
    """
    scorer = AgreementScorer(panel.names, tokenizer=tokenizer)
    for joined in panel if documents is None else documents:
        scorer.add(joined)
    return scorer.report(
        label_set=panel.label_set,
        alone=[panel.alone[name] for name in panel.names],
        outside=panel.outside.items(),
    )


def match_annotators(first: Items, second: Items) -> dict[str, Modes]:
    """Return for each label the matched spans of two annotators: strict, relaxed, overlap."""
    one, other = _by_label(first), _by_label(second)
    return {
        label: (
            _match(one.get(label, ()), other.get(label, ()), _count_equal),
            _match(one.get(label, ()), other.get(label, ()), _count_near),
            _match(one.get(label, ()), other.get(label, ()), _count_overlapping),
        )
        for label in sorted(one.keys() | other.keys())
    }


def _by_label(items: Items) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in sorted(items):
        found.setdefault(item[0], []).append(item)
    return found


#: Counts the items of the first sequence that have a partner in the second; both are sorted.
_Count = Callable[[Sequence[Item], Sequence[Item]], int]


def _match(first: Sequence[Item], second: Sequence[Item], count: _Count) -> Matched:
    return Matched(len(first), len(second), count(first, second), count(second, first))


def _count_equal(items: Sequence[Item], others: Sequence[Item]) -> int:
    return len(set(items).intersection(others))


def _count_near(items: Sequence[Item], others: Sequence[Item]) -> int:
    known = set(others)
    distances = range(-RELAXED_DISTANCE, RELAXED_DISTANCE + 1)
    return sum(
        any((label, start, end + distance) in known for distance in distances)
        for label, start, end in items
    )


def _count_overlapping(items: Sequence[Item], others: Sequence[Item]) -> int:
    """Count by the furthest end of all others that begin before an item ends."""
    starts = [start for _, start, _ in others]
    furthest = list(accumulate((end for _, _, end in others), max))
    count = 0
    for _, start, end in items:
        before = bisect_left(starts, end)
        count += bool(before) and furthest[before - 1] > start
    return count


def _ordered(labels: set[str], label_set: LabelSet | None) -> list[str]:
    known = label_set.labels if label_set is not None else ()
    order = {label: number for number, label in enumerate(known)}
    return sorted(labels, key=lambda label: (order.get(label, len(order)), label))


def _means(pairs: Sequence[PairAgreement], labels: Sequence[str]) -> tuple[MeanAgreement, ...]:
    by_label = [{row.label: row for row in pair.labels} for pair in pairs]
    groups = {label: [rows[label] for rows in by_label if label in rows] for label in labels}
    groups[ALL_LABELS] = [pair.all_labels for pair in pairs]
    groups[ANY_LABEL] = [pair.any_label for pair in pairs]
    return tuple(
        MeanAgreement(
            label,
            mean_of(row.strict.f1 for row in rows),
            mean_of(row.relaxed.f1 for row in rows),
            mean_of(row.overlap.f1 for row in rows),
            mean_of(row.kappa for row in rows),
        )
        for label, rows in groups.items()
    )


def _mean_kappa(kappas: Sequence[TokenKappa]) -> TokenKappa:
    return TokenKappa(
        tokens=sum(kappa.tokens for kappa in kappas),
        marked=sum(kappa.marked for kappa in kappas),
        all=mean_of(kappa.all for kappa in kappas),
        among_marked=mean_of(kappa.among_marked for kappa in kappas),
        any_label=mean_of(kappa.any_label for kappa in kappas),
    )


def to_json(report: AgreementReport) -> dict[str, Any]:
    """Return the report as JSON values; an undefined figure is null (docs/agreement.md)."""
    return {
        "format_version": 1,
        "annotators": [
            {"name": name, "spans": spans, "documents_alone": alone}
            for name, spans, alone in zip(
                report.annotators, report.spans, report.alone, strict=True
            )
        ],
        "documents": report.documents,
        "shared_documents": report.shared_documents,
        "outside_label_map": dict(report.outside),
        "label_set": report.label_set,
        "tokenizer": report.tokenizer,
        "pairs": [_pair_json(pair) for pair in report.pairs],
        "means": [asdict(row) for row in report.means],
        "mean_token_kappa": asdict(report.mean_kappa),
        "fleiss_kappa": asdict(report.fleiss) if report.fleiss is not None else None,
    }


def _pair_json(pair: PairAgreement) -> dict[str, Any]:
    return {
        "annotators": [pair.first, pair.second],
        "documents": pair.documents,
        "labels": [_label_json(row) for row in (*pair.labels, pair.all_labels, pair.any_label)],
        "token_kappa": asdict(pair.tokens),
    }


def _label_json(row: LabelAgreement) -> dict[str, Any]:
    record: dict[str, Any] = {"label": row.label, "kappa": row.kappa}
    for mode, matched in zip(MODES, (row.strict, row.relaxed, row.overlap), strict=True):
        record[mode] = asdict(matched) | {"f1": matched.f1}
    return record
