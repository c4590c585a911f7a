"""Where annotators differ, what is decided, and the final marks that come of it.

Nothing of one annotator is shown here before all who have to mark a document are done. From the
first look on the document cannot be reopened: whoever has seen what others marked is blind no
more, and agreement would mean nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scrubjay.analysis.disagreements import Case, find_cases
from scrubjay.document import Document, Span
from scrubjay.errors import InputError, NotFoundError, SpanError, StateError
from scrubjay.evaluation.agreement import AgreementReport, AgreementScorer
from scrubjay.evaluation.annotators import Joined
from scrubjay.review.marks import Marks, decode_marks, encode_marks, marks_of
from scrubjay.review.people import annotator_names, document_row
from scrubjay.review.records import Difference, Gold, Side, Version
from scrubjay.review.settings import label_set_of, require_label
from scrubjay.review.states import Situation, require_open_eyes, situation_of, situations
from scrubjay.review.store import Row, Store, now
from scrubjay.review.work import read_text, read_version
from scrubjay.spans import overlap

OWN, NONE = "own", "none"


class Deciding:
    """The part of a project that is about several annotators (`Project.deciding`)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def agreement(self) -> AgreementReport:
        """Measure how far annotators agree on the documents that all have finished.

        `evaluation.agreement.to_json` turns it into JSON. Raises `StateError` where there are
        none with two annotators.
        """
        with self._store.snapshot() as view:
            names = annotator_names(view)
            if len(names) < 2:
                raise StateError("agreement needs two annotators, and the project has fewer")
            scorer = AgreementScorer(names)
            counted = 0
            for situation in situations(view):
                if situation.complete and len(situation.done) > 1:
                    counted += 1
                    versions = _join(view, situation).versions
                    joined = dict(zip(situation.done, versions, strict=True))
                    scorer.add(Joined(tuple(joined.get(name) for name in names)))
            if not counted:
                raise StateError("no document is finished by two annotators yet")
            return scorer.report(label_set=label_set_of(view))

    def differences(self, document: str) -> tuple[Difference, ...]:
        """Return where the annotators of a document differ, and what was decided.

        From here on it cannot be reopened. Raises `BlindError` before all have finished it.
        """
        with self._store.write():
            return _differences(_compare(self._store, document))

    def versions(self, document: str) -> tuple[Version, ...]:
        """Return the marks of all annotators of a document; errors as of `differences`."""
        with self._store.write():
            names = _compare(self._store, document).names
            return tuple(read_version(self._store, document, name) for name in names)

    def decide(
        self,
        document: str,
        start: int,
        end: int,
        choice: str,
        *,
        decider: str,
        marks: Iterable[Span] = (),
    ) -> tuple[Difference, ...]:
        """Decide one difference: an annotator's name, "own" with marks, "none", or "" for open.

        Returns all differences of the document. Raises `NotFoundError` where there is no such
        difference, `StateError` for a document that is adjudicated, `SpanError` and `LabelError`
        for marks that do not fit.
        """
        store, own = self._store, tuple(marks)
        for mark in own:
            require_label(store, mark.label)
        _require_decider(decider)
        with store.write():
            compared = _compare(store, document)
            if compared.situation.gold is not None:
                raise StateError(f"document {document!r} is adjudicated. Withdraw that first")
            case = next((c for c in compared.cases if (c.start, c.end) == (start, end)), None)
            if case is None:
                raise NotFoundError(f"document {document!r} has no difference at [{start}, {end})")
            chosen = _chosen(compared, case, choice, own)
            if choice == "":
                store.run(
                    'DELETE FROM decisions WHERE document = ? AND start = ? AND "end" = ?',
                    compared.number, start, end,
                )  # fmt: skip
            else:
                store.run(
                    "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    compared.number, start, end, choice, json.dumps(encode_marks(chosen)),
                    compared.sides(case), decider, now(),
                )  # fmt: skip
            return _differences(_compare(store, document))

    def adjudicate(self, document: str, *, decider: str) -> Gold:
        """Make the final marks of a document: what all agree on, and what was decided.

        Raises `StateError` where a difference is not decided, `BlindError` as `differences`.
        """
        _require_decider(decider)
        with self._store.write():
            compared = _compare(self._store, document)
            if compared.situation.gold is not None:
                raise StateError(f"document {document!r} is adjudicated already")
            open_cases = [case for case in compared.cases if compared.decision(case) is None]
            if open_cases:
                first = open_cases[0]
                raise StateError(
                    f"document {document!r}: {len(open_cases)} of {len(compared.cases)} "
                    f"differences are not decided, the first of them at "
                    f"[{first.start}, {first.end})"
                )
            marks = marks_of(_outcome(compared))
            _require_own_free(compared, marks)
            gold = Gold(document, marks, decider, now())
            self._store.run(
                "INSERT INTO gold VALUES (?, ?, ?, ?)",
                compared.number, json.dumps(encode_marks(marks)), decider, gold.at,
            )  # fmt: skip
        return gold

    def gold(self, document: str) -> Gold | None:
        """Return the final marks of a document that is adjudicated, None for any other."""
        with self._store.read():
            number = document_row(self._store, document)["number"]
            row = self._store.find("SELECT * FROM gold WHERE document = ?", number)
        if row is None:
            return None
        return Gold(document, decode_marks(json.loads(row["spans"])), row["decider"], row["at"])

    def withdraw(self, document: str) -> None:
        """Take the final marks of a document back; its decisions stay, to be changed."""
        with self._store.write():
            number = document_row(self._store, document)["number"]
            if not self._store.run("DELETE FROM gold WHERE document = ?", number).rowcount:
                raise StateError(f"document {document!r} is not adjudicated")


@dataclass(frozen=True, slots=True)
class _Compared:
    """A document with the marks of all who had to mark it, and where these differ."""

    situation: Situation
    joined: Joined
    cases: tuple[Case, ...]
    decisions: dict[tuple[int, int], Row]

    @property
    def number(self) -> int:
        return int(self.situation.row["number"])

    @property
    def names(self) -> tuple[str, ...]:
        return self.situation.done

    def sides(self, case: Case) -> str:
        """Return what was marked in a difference, as a decision about it keeps it."""
        return json.dumps(
            [
                [name, [[m.start, m.end, m.label] for m in side]]
                for name, side in zip(self.names, case.sides, strict=True)
            ]
        )

    def decision(self, case: Case) -> Row | None:
        """Return the decision about a difference, unless it was about other marks."""
        row = self.decisions.get((case.start, case.end))
        return row if row is not None and row["sides"] == self.sides(case) else None


def _compare(store: Store, document: str) -> _Compared:
    """Return a document with open eyes, which is noted; raises `BlindError` before all are done."""
    number = document_row(store, document)["number"]
    situation = situation_of(store, number)
    require_open_eyes(situation)
    store.run(
        "UPDATE documents SET compared = ? WHERE number = ? AND compared IS NULL", now(), number
    )
    joined = _join(store, situation)
    rows = store.all("SELECT * FROM decisions WHERE document = ?", number)
    decisions = {(row["start"], row["end"]): row for row in rows}
    return _Compared(situation, joined, find_cases(joined), decisions)


def _join(store: Store, situation: Situation) -> Joined:
    row = situation.row
    text = read_text(store, row["number"])
    return Joined(
        tuple(
            Document(row["id"], text, decode_marks(json.loads(situation.versions[name]["spans"])))
            for name in situation.done
        )
    )


def _differences(compared: _Compared) -> tuple[Difference, ...]:
    found = []
    for case in compared.cases:
        row = compared.decision(case)
        found.append(
            Difference(
                case.document,
                case.start,
                case.end,
                case.kind,
                tuple(Side(*pair) for pair in zip(compared.names, case.sides, strict=True)),
                "" if row is None else row["choice"],
                () if row is None else decode_marks(json.loads(row["spans"])),
                "" if row is None else row["decider"],
            )
        )
    return tuple(found)


def _require_decider(decider: str) -> None:
    if not 1 <= len(decider) <= 64 or not decider.isprintable():
        raise InputError("who decides must be named, by 1 to 64 printable characters")


def _chosen(compared: _Compared, case: Case, choice: str, marks: Marks) -> Marks:
    """Return the marks that stand by a choice; raises where the two do not fit."""
    if marks and choice != OWN:
        raise InputError(f"marks are given, but the choice is not {OWN!r}")
    if choice in ("", NONE):
        return ()
    if choice != OWN:
        if choice not in compared.names:
            raise InputError(
                f"{choice!r} has no marks in document {case.document!r}",
                hint=f"Choose {', '.join(compared.names)}, {OWN} or {NONE}",
            )
        return marks_of(case.sides[compared.names.index(choice)])
    if not marks:
        raise InputError(f"the choice is {OWN!r}, but no marks are given", hint=f"Or say {NONE}")
    own = marks_of(marks)
    for mark in own:
        where = f"document {case.document!r}: {mark.label} [{mark.start}, {mark.end})"
        if mark.end > len(compared.joined.text):
            raise SpanError(f"{where} ends beyond the text")
        if not (mark.start < case.end and case.start < mark.end):
            raise SpanError(f"{where} lies outside of its difference [{case.start}, {case.end})")
    outside = [
        mark
        for mark in compared.joined.present[0].spans
        if not (case.start <= mark.start and mark.end <= case.end)
        and not any(one.start <= mark.start and mark.end <= one.end for one in compared.cases)
    ]
    _require_free(own, outside, case.document)
    return own


def _require_free(own: Marks, others: Sequence[Span], document: str) -> None:
    for number, mark in enumerate(own):
        for other in (*own[number + 1 :], *others):
            if overlap(mark, other):
                raise SpanError(
                    f"document {document!r}: {mark.label} [{mark.start}, {mark.end}) overlaps "
                    "another mark of the outcome"
                )


def _outcome(compared: _Compared) -> Iterator[Span]:
    for mark in compared.joined.present[0].spans:
        if not any(c.start <= mark.start and mark.end <= c.end for c in compared.cases):
            yield mark
    for case in compared.cases:
        row = compared.decision(case)
        assert row is not None
        yield from decode_marks(json.loads(row["spans"]))


def _require_own_free(compared: _Compared, marks: Marks) -> None:
    """Raise `SpanError` where own marks of one decision reach into those of another."""
    for case in compared.cases:
        row = compared.decision(case)
        if row is not None and row["choice"] == OWN:
            own = decode_marks(json.loads(row["spans"]))
            _require_free(own, [mark for mark in marks if mark not in own], case.document)
