"""Which document to do next: the one that teaches most.

Three things count: how far the members of an ensemble disagree (a model without members is held
against the patterns of its language), how narrow the model's choice is, and how unlike the
document is to those that come before it (greedy k-center, Sener and Savarese 2018). Scores are
kept for each model, so that only new documents are looked at. Order never depends on chance.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from itertools import combinations
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, LabelError, StateError
from scrubjay.models import describe_model, load_model
from scrubjay.review.people import annotator_number
from scrubjay.review.prelabels import (
    in_chunks,
    model_folder,
    model_key,
    model_place,
    stored_document,
)
from scrubjay.review.records import Candidate
from scrubjay.review.settings import label_set_of
from scrubjay.review.store import Store
from scrubjay.taggers._decoding.chain import Reading
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import MemberRunner
from scrubjay.taggers.patterns import find_patterns
from scrubjay.taggers.regex import RegexDetector
from scrubjay.text.tokenizers import Tokenizer
from scrubjay.text.tokens import Tokens

WIDTH = 256
"""The numbers that tell what words a document has."""

SPREAD = 512
"""So many documents are ordered by diversity, too; those behind by uncertainty alone."""

WORST = 5
"""The margin of a document is the mean of so many of its narrowest choices."""

_CHUNK = 32
_WORD = re.compile(r"[^\W_]+")

Floats = npt.NDArray[np.float32]


@runtime_checkable
class _Reader(Protocol):
    """A detector that tells the scores of every tag at every token."""

    tokenizer: Tokenizer

    def read_tokens(self, batch: Sequence[Tokens]) -> Reading: ...


def rank_documents(store: Store, model: str | None) -> int:
    """Order the documents that are open for somebody; return how many were looked at anew."""
    if store.setting("kind") == "audit":
        raise StateError("the documents of an audit come in the order in which they were drawn")
    place = model_place(store, model or store.setting("model") or _no_model())
    key = model_key(store, place)
    missing = [
        row[0]
        for row in store.all(
            "SELECT number FROM documents WHERE number NOT IN "
            "(SELECT document FROM scores WHERE model = ?) ORDER BY number",
            key,
        )
    ]
    if missing:
        _score(store, model_folder(store, place), key, missing)
    with store.write():
        store.set("ranked", key)
        store.run("DELETE FROM queue")
        store.run_many(
            "INSERT INTO queue VALUES (?, ?)", list(enumerate(_order(store, key), start=1))
        )
    return len(missing)


def _no_model() -> str:
    raise ConfigError(
        "the project has no model to rank documents by",
        hint="Name one, or let one suggest marks first (prelabel)",
    )


def _score(store: Store, model: str, key: str, numbers: Sequence[int]) -> None:
    """Look at documents and keep what is found; what is killed here goes on where it was."""
    look = _Look(load_model(model), _patterns(describe_model(model).manifest.language, store))
    for chunk in in_chunks(numbers, _CHUNK):
        documents = [stored_document(store, number) for number in chunk]
        rows = [
            (number, key, disagreement, margin, bag_of_words(document.text).tobytes())
            for number, document, (disagreement, margin) in zip(
                chunk, documents, look.unsure(documents), strict=True
            )
        ]
        with store.write():
            store.run_many("INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?)", rows)


def _patterns(language: str, store: Store) -> Detector | None:
    """Return the patterns of a language, None where it has none for the project's labels."""
    try:
        found = find_patterns(language)
        return RegexDetector(found.patterns, found.label_table(label_set_of(store)))
    except (ConfigError, LabelError):
        return None


class _Look:
    """Tells how unsure a model is of documents: disagreement and margin, 0 to 1 each."""

    def __init__(self, detector: Detector, patterns: Detector | None) -> None:
        self._detector = detector
        self._patterns = patterns
        self._runner: MemberRunner | None = None
        views: list[Detector] = [detector, *([patterns] if patterns is not None else [])]
        if isinstance(detector, EnsembleDetector):
            self._runner = MemberRunner(detector.members)
            views = [member.detector for member in detector.members]
        self._labels = [set(one.labels) for one in views]

    def unsure(self, documents: Sequence[Document]) -> list[tuple[float, float]]:
        """Return the figures of each document; one that a model fails on teaches most of all."""
        try:
            return self._look(documents)
        except Exception:
            if len(documents) == 1:
                return [(1.0, 1.0)]
            return [self.unsure([document])[0] for document in documents]

    def _look(self, documents: Sequence[Document]) -> list[tuple[float, float]]:
        readings: list[Reading | None] = []
        if self._runner is not None:
            found, readings = self._runner.find(documents)
        else:
            found = [self._read(documents, readings)]
            if self._patterns is not None:
                found.append(self._patterns.detect(documents))
        entropies = [_entropies(reading) for reading in readings if reading is not None]
        figures = []
        for number in range(len(documents)):
            views = [spans[number] for spans in found]
            values = [_narrowness(s.score) for v in views for s in v if s.score is not None]
            values += [value for each in entropies for value in each[number]]
            figures.append((disagreement_of(views, self._labels), margin_of(values)))
        return figures

    def _read(
        self, documents: Sequence[Document], readings: list[Reading | None]
    ) -> list[tuple[Span, ...]]:
        detector = self._detector
        if not isinstance(detector, _Reader):
            return detector.detect(documents)
        reading = detector.read_tokens([detector.tokenizer.tokenize(d.text) for d in documents])
        readings.append(reading)
        return reading.spans(source="")


def _narrowness(score: float) -> float:
    """Return how narrow a choice of this probability was, from 0 (sure) to 1 (even)."""
    return 1.0 - abs(2.0 * min(max(score, 0.0), 1.0) - 1.0)


def margin_of(values: Sequence[float]) -> float:
    """Return the mean of a document's narrowest choices, 0 where there are none."""
    worst = sorted(values, reverse=True)[:WORST]
    return sum(worst) / len(worst) if worst else 0.0


def _entropies(reading: Reading) -> list[list[float]]:
    """Return for each text the highest entropies of the tags of a token, 0 to 1."""
    scores = reading.scores
    logits = np.where(np.isfinite(scores), scores, -1e9).astype(np.float64)
    logits -= logits.max(axis=1, keepdims=True, initial=-1e9)
    shares = np.exp(logits)
    shares /= shares.sum(axis=1, keepdims=True)
    entropy = -(shares * np.log(shares + 1e-12)).sum(axis=1) / np.log(max(scores.shape[1], 2))
    ends = np.cumsum([len(tokens.starts) for tokens in reading.batch]).tolist()
    parts = np.split(np.clip(entropy, 0.0, 1.0), ends[:-1])
    return [[float(value) for value in np.sort(part)[::-1][:WORST]] for part in parts]


def disagreement_of(views: Sequence[Sequence[Span]], labels: Sequence[set[str]]) -> float:
    """Return the share of spans that one of two views has alone, as the mean over all pairs.

    Only labels that both can give are compared; pairs without spans agree.
    """
    shares = []
    for first, second in combinations(range(len(views)), 2):
        common = labels[first] & labels[second]
        one, other = ({s for s in views[n] if s.label in common} for n in (first, second))
        union = one | other
        shares.append(len(one ^ other) / len(union) if union else 0.0)
    return sum(shares) / len(shares) if shares else 0.0


def bag_of_words(text: str) -> Floats:
    """Return the words of a text, counted by a hash of `WIDTH` values, at length 1.

    Digits count as one, so that dates and numbers of a form are alike.
    """
    counts = np.zeros(WIDTH, dtype=np.float32)
    for word in _WORD.findall(text):
        plain = re.sub(r"\d", "0", word.casefold()).encode("utf-8", "surrogatepass")
        counts[zlib.crc32(plain) % WIDTH] += 1.0
    counts = np.sqrt(counts)
    length = float(np.linalg.norm(counts))
    return counts / np.float32(length) if length else counts


def _order(store: Store, key: str) -> list[int]:
    rows = store.all(
        "SELECT s.*, EXISTS (SELECT 1 FROM versions AS v WHERE v.document = s.document) OR "
        "EXISTS (SELECT 1 FROM gold AS g WHERE g.document = s.document) AS begun "
        "FROM scores AS s WHERE s.model = ? ORDER BY s.document",
        key,
    )
    if not rows:
        return []
    features = np.frombuffer(b"".join(row["features"] for row in rows), dtype=np.float32)
    features = features.reshape(len(rows), WIDTH)
    begun = np.array([bool(row["begun"]) for row in rows])
    unsure = (
        _ranks([row["disagreement"] for row in rows]) + _ranks([row["margin"] for row in rows])
    ) / 2.0
    waiting = np.flatnonzero(~begun)
    chosen = spread(features[waiting], unsure[waiting], known=features[begun])
    # Begun documents come last: whoever has not begun them finds them there.
    rest = sorted(np.flatnonzero(begun).tolist(), key=lambda place: (-unsure[place], place))
    places = [*waiting[chosen].tolist(), *rest]
    return [rows[place]["document"] for place in places]


def _ranks(values: Sequence[float]) -> npt.NDArray[np.float64]:
    """Return for each value the share of values below it, and half of those equal to it."""
    array = np.round(np.asarray(values, dtype=np.float64), 9)
    ordered = np.sort(array)
    below = np.searchsorted(ordered, array, side="left")
    upto = np.searchsorted(ordered, array, side="right")
    ranks: npt.NDArray[np.float64] = (below + upto) / (2.0 * len(array))
    return ranks


def spread(
    features: Floats, unsure: npt.NDArray[np.float64], *, known: Floats, most: int = SPREAD
) -> list[int]:
    """Return the rows in an order that is unsure first, and unlike what comes before.

    Each step takes the row with the greatest product of `unsure` (0 to 1) and distance to the
    nearest row that is `known` or taken; of equals, the first. After `most` steps the rest
    follows by `unsure`.
    """
    count = len(features)
    nearest = np.full(count, 1.0)
    if len(known):
        for row in known:
            np.minimum(nearest, _distances(features, row), out=nearest)
    free = np.ones(count, dtype=bool)
    order: list[int] = []
    for _ in range(min(count, most)):
        gain = np.where(free, np.round((unsure + 1e-6) * (nearest + 1e-6), 9), -1.0)
        best = int(np.argmax(gain))
        order.append(best)
        free[best] = False
        np.minimum(nearest, _distances(features, features[best]), out=nearest)
    rest = np.flatnonzero(free).tolist()
    return order + sorted(rest, key=lambda row: (-unsure[row], row))


def _distances(features: Floats, row: Floats) -> npt.NDArray[np.float64]:
    """Return the cosine distances, 0 to 1, to six decimals: summation may differ in the last."""
    raw: npt.NDArray[np.float64] = 1.0 - (features @ row).astype(np.float64)
    return np.asarray(np.round(np.clip(raw, 0.0, 1.0), 6), dtype=np.float64)


def upcoming(store: Store, annotator: str, most: int) -> tuple[Candidate, ...]:
    """Return what the annotator should do next, in order, at most so many documents."""
    with store.read():
        number = annotator_number(store, annotator)
        rows = store.all(
            "WITH open AS ("
            "SELECT v.document AS number, 0 AS later, v.begun, 0 AS place FROM versions AS v "
            "WHERE v.annotator = ? AND v.state = 'in progress' UNION ALL "
            "SELECT d.number, 1, NULL, q.place FROM documents AS d "
            "LEFT JOIN queue AS q ON q.document = d.number WHERE NOT EXISTS "
            "(SELECT 1 FROM versions WHERE document = d.number AND annotator = ?) "
            "AND (EXISTS (SELECT 1 FROM assignments WHERE document = d.number AND annotator = ?) "
            "OR NOT EXISTS (SELECT 1 FROM assignments WHERE document = d.number))) "
            "SELECT d.id, d.number, open.place, s.disagreement, s.margin FROM open "
            "JOIN documents AS d ON d.number = open.number "
            "LEFT JOIN scores AS s ON s.document = d.number AND s.model = ? "
            "WHERE d.number NOT IN (SELECT document FROM gold) "
            "ORDER BY open.later, open.begun, open.place IS NULL, open.place, d.number LIMIT ?",
            number,
            number,
            number,
            store.setting("ranked") or "",
            most,
        )
        return tuple(
            Candidate(r["id"], r["number"], r["place"] or 0, r["disagreement"], r["margin"])
            for r in rows
        )
