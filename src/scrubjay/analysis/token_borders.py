"""Errors caused by tokenization, told apart from those of the model.

A tagger's spans begin and end where tokens do. A gold span with another border cannot be found
exactly, however good the model is (Jiang 2017, section 8.3.5; Trienes 2020, section 5.2.1,
"Tokenization Error"). What a model gives for it at best are the tokens that it touches, or those
wholly inside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from scrubjay.artifacts import MANIFEST, Artifact, load_artifact
from scrubjay.document import Span
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.matching import Item, Items, match_exact, span_items
from scrubjay.evaluation.pairs import Pair
from scrubjay.models import find_model
from scrubjay.text.tokenizers import Tokenizer, make_tokenizer
from scrubjay.text.tokens import AlignmentMode, Tokens, align_spans

FITS = ("on-tokens", "in-token", "in-space", "no-token")
"""How borders fit tokens: `on-tokens` both are borders of tokens; `in-token` one or both stand
inside a token; `in-space` none does, but the span begins or ends with white space; `no-token`
the span is white space alone."""

CAUSES = ("tokens", "tokens-and-model", "model")
"""Why an item is an error. Of gold: `tokens` where no tokens fit it and the model gave the next
best; `tokens-and-model` where no tokens fit it and the model gave something else or nothing;
`model` where tokens fit it. Of predicted: `tokens` where it is the next best for a gold span that
no tokens fit, else `model`."""

_NEXT_BEST: tuple[AlignmentMode, ...] = ("expand", "contract")


def find_fit(tokens: Tokens, start: int, end: int) -> str:
    """Return which of `FITS` the characters `[start, end)` have."""
    touched = tokens.token_range(start, end, mode="expand")
    if touched is None:
        return "no-token"
    first, last = int(tokens.starts[touched[0]]), int(tokens.ends[touched[1] - 1])
    if (first, last) == (start, end):
        return "on-tokens"
    return "in-token" if first < start or end < last else "in-space"


def read_tokenizers(name_or_path: str | Path) -> tuple[Tokenizer, ...]:
    """Return the tokenizer of a model; of an ensemble, those of its members, each once.

    They find no sentences, which borders do not depend on, and the model is not loaded. Raises
    `ConfigError` for an unknown model and for one without any tokenizer, such as patterns, whose
    spans may begin and end anywhere; `ArtifactError` for a damaged model and a tokenizer that
    this release does not know.
    """
    folder = find_model(name_or_path)
    tables = [table for table in _tokenizer_tables(load_artifact(folder)) if table]
    if not tables:
        raise ConfigError(
            "the model has no tokenizer: its spans may begin and end anywhere",
            path=folder,
            hint="Name a tokenizer (--tokenizer) to measure it against",
        )
    tokenizers: list[Tokenizer] = []
    for number, table in enumerate(tables):
        if table in tables[:number]:
            continue
        settings = dict(table)
        try:
            settings["sentences"] = "none"
            tokenizers.append(make_tokenizer(settings.pop("name", ""), **settings))
        except (ConfigError, TypeError) as error:
            raise ArtifactError(f"{folder}: {error}. Train the model again") from error
    return tuple(tokenizers)


def _tokenizer_tables(artifact: Artifact) -> list[dict[str, Any]]:
    if artifact.manifest.tokenizer:
        return [dict(artifact.manifest.tokenizer)]
    ending = f".{MANIFEST}"
    members = sorted(name for name in artifact.manifest.files if name.endswith(ending))
    parts = (artifact.part(name.removesuffix(ending)) for name in members)
    return [dict(part.manifest.tokenizer) for part in parts]


@dataclass(frozen=True, slots=True)
class BorderError:
    """A gold or predicted span that has no equal on the other side, and why.

    `side` is "gold" or "predicted", `cause` one of `CAUSES`, `fit` one of `FITS`.
    """

    document: str
    side: str
    span: Span
    fit: str
    cause: str


@dataclass(frozen=True, slots=True)
class LabelBorders:
    """One label, or all together (`label` is None): how its spans and errors fit tokens.

    `fits` counts the gold spans in the order of `FITS`; `missed` the gold errors and `wrong` the
    predicted ones in the order of `CAUSES`. `counts` are the strict counts, and `ceiling` those
    of gold itself when it is laid on the tokens (`align_spans` with "expand"): what the best
    tagger could reach. `predicted_off` are predicted spans that are not `on-tokens`; where there
    are any, the system did not work on these tokens alone.
    """

    label: str | None
    fits: tuple[int, ...]
    missed: tuple[int, ...]
    wrong: tuple[int, ...]
    counts: Counts
    ceiling: Counts
    predicted_off: int

    @property
    def forgiven(self) -> Counts:
        """The strict counts if each error by `tokens` alone were none.

        The next best then counts as a true positive, so model errors alone remain, and what both
        caused.
        """
        solved, excused = self.missed[0], self.wrong[0]
        return Counts(self.counts.tp + solved, self.counts.fp - excused, self.counts.fn - solved)

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return {
            "label": self.label,
            "gold": dict(zip(FITS, self.fits, strict=True)),
            "missed": dict(zip(CAUSES, self.missed, strict=True)),
            "wrong": dict(zip(CAUSES, self.wrong, strict=True)),
            "strict": self.counts.record(),
            "forgiven": self.forgiven.record(),
            "ceiling": self.ceiling.record(),
            "predicted_off_tokens": self.predicted_off,
        }


@dataclass(frozen=True, slots=True)
class BorderReport:
    """Errors by cause; `labels` ends with the row of all labels together.

    `errors` are those that tokens have a part in, each with its place.
    """

    tokenizers: tuple[str, ...]
    labels: tuple[LabelBorders, ...]
    errors: tuple[BorderError, ...]

    @property
    def all_labels(self) -> LabelBorders:
        """The row of all labels together."""
        return self.labels[-1]

    def record(self) -> dict[str, Any]:
        """Return the report as JSON values, without any text."""
        return {
            "tokenizers": list(self.tokenizers),
            "labels": [row.record() for row in self.labels],
            "errors": [
                {
                    "document": error.document,
                    "side": error.side,
                    "start": error.span.start,
                    "end": error.span.end,
                    "label": error.span.label,
                    "fit": error.fit,
                    "cause": error.cause,
                }
                for error in self.errors
            ],
        }


@dataclass(slots=True)
class _Sums:
    fits: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    counts: Counts = field(default_factory=Counts)
    ceiling: Counts = field(default_factory=Counts)
    predicted_off: int = 0

    def take(self, other: _Sums) -> None:
        self.fits.update(other.fits)
        self.missed.update(other.missed)
        self.wrong.update(other.wrong)
        self.counts += other.counts
        self.ceiling += other.ceiling
        self.predicted_off += other.predicted_off

    def row(self, label: str | None) -> LabelBorders:
        return LabelBorders(
            label,
            tuple(self.fits[fit] for fit in FITS),
            tuple(self.missed[cause] for cause in CAUSES),
            tuple(self.wrong[cause] for cause in CAUSES),
            self.counts,
            self.ceiling,
            self.predicted_off,
        )


class BorderScorer:
    """Takes pairs in and parts their strict errors into those of tokens and those of the model.

    With several tokenizers, as an ensemble has them, a span fits where it fits the tokens of one.
    Spans with the same label and borders count once, labels under the spelling of `label_of`.
    """

    def __init__(
        self, tokenizers: Sequence[Tokenizer], *, label_of: Callable[[str], str] = str
    ) -> None:
        if not tokenizers:
            raise ConfigError("errors of tokenization need a tokenizer")
        self._tokenizers = tuple(tokenizers)
        self._label_of = label_of
        self._sums: dict[str, _Sums] = {}
        self._errors: list[BorderError] = []

    def add(self, pair: Pair) -> None:
        """Take in one pair."""
        views = [_View.of(tokenizer.tokenize(pair.gold.text)) for tokenizer in self._tokenizers]
        gold = span_items(pair.gold.spans, self._label_of)
        predicted = span_items(pair.predicted.spans, self._label_of)
        fits = {item: _best_fit(views, item) for item in gold | predicted}
        answers = {item: _next_best(views, item) for item in gold if fits[item] != "on-tokens"}
        excused: Items = set().union(*answers.values()) if answers else set()
        for item in gold:
            self._of(item).fits[fits[item]] += 1
        for item in sorted(gold - predicted):
            cause = "model"
            if item in answers:
                cause = "tokens-and-model" if predicted.isdisjoint(answers[item]) else "tokens"
            self._of(item).missed[cause] += 1
            self._note(pair, "gold", item, fits[item], cause)
        for item in predicted:
            self._of(item).predicted_off += fits[item] != "on-tokens"
        for item in sorted(predicted - gold):
            cause = "tokens" if item in excused else "model"
            self._of(item).wrong[cause] += 1
            self._note(pair, "predicted", item, fits[item], cause)
        self._count(gold, predicted, ceiling=False)
        self._count(gold, _lay(views, gold), ceiling=True)

    def report(self) -> BorderReport:
        """Return what was counted, labels in alphabetical order, errors in that of documents."""
        whole = _Sums()
        rows = []
        for label in sorted(self._sums):
            rows.append(self._sums[label].row(label))
            whole.take(self._sums[label])
        names = tuple(tokenizer.name for tokenizer in self._tokenizers)
        return BorderReport(names, (*rows, whole.row(None)), tuple(self._errors))

    def _of(self, item: Item) -> _Sums:
        sums = self._sums.get(item[0])
        if sums is None:
            sums = self._sums[item[0]] = _Sums()
        return sums

    def _note(self, pair: Pair, side: str, item: Item, fit: str, cause: str) -> None:
        if cause != "model":
            label, start, end = item
            self._errors.append(
                BorderError(pair.gold.id, side, Span(start, end, label), fit, cause)
            )

    def _count(self, gold: Items, predicted: Items, *, ceiling: bool) -> None:
        for label, row in match_exact(gold, predicted).items():
            sums = self._of((label, 0, 0))
            if ceiling:
                sums.ceiling += Counts(*row)
            else:
                sums.counts += Counts(*row)


@dataclass(frozen=True, slots=True)
class _View:
    """Tokens with their borders as sets, since most spans fit and are told by them at once."""

    tokens: Tokens
    starts: frozenset[int]
    ends: frozenset[int]

    @classmethod
    def of(cls, tokens: Tokens) -> _View:
        return cls(tokens, frozenset(tokens.starts.tolist()), frozenset(tokens.ends.tolist()))

    def fits(self, item: Item) -> bool:
        return item[1] in self.starts and item[2] in self.ends


def _best_fit(views: Sequence[_View], item: Item) -> str:
    if any(view.fits(item) for view in views):
        return "on-tokens"
    return min((find_fit(view.tokens, item[1], item[2]) for view in views), key=FITS.index)


def _next_best(views: Iterable[_View], item: Item) -> Items:
    """Return what a model can give at best for a gold span that no tokens fit."""
    label, start, end = item
    found: Items = set()
    for tokens in (view.tokens for view in views):
        for mode in _NEXT_BEST:
            inside = tokens.token_range(start, end, mode=mode)
            if inside is not None:
                first, last = inside
                found.add((label, int(tokens.starts[first]), int(tokens.ends[last - 1])))
    return found


def _lay(views: Sequence[_View], gold: Items) -> Items:
    """Return gold laid on the tokens that fit most of it; of equals the first tokens."""
    spans = sorted(Span(start, end, label) for label, start, end in gold)
    apart = all(one.end <= other.start for one, other in pairwise(spans))
    best: Items | None = None
    for view in views:
        if apart and all(map(view.fits, gold)):
            return gold
        tokens = view.tokens
        laid = {
            (label, int(tokens.starts[first]), int(tokens.ends[last - 1]))
            for first, last, label in align_spans(tokens, spans).ranges
        }
        if best is None or len(laid & gold) > len(best & gold):
            best = laid
    return best or set()
