"""The audit of a run: a worksheet with the documents of a sample, filled by people, read back.

Who fills it reads each de-identified document beside its original and writes how many mentions
of PHI are still there. The sheet holds ids and numbers, never text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrubjay.analysis._sheets import Cell, SheetRow, read_sheet, write_sheet
from scrubjay.document import Document
from scrubjay.errors import ConfigError, FormatError, InputError
from scrubjay.evaluation.bounds import (
    Share,
    most_in_population,
    require_bound_confidence,
    share_of,
)
from scrubjay.evaluation.intervals import CONFIDENCE
from scrubjay.evaluation.sampling import SamplingPlan, Stratum, draw_sample, read_frame

FILLED = ("leaks", "direct_leaks", "over_redacted", "comment")
"""What people fill: the first two are required, the others may stay empty."""

PLAN = ("seed", "at_least", "stratify", "frame_documents", "frame")
"""What is the same in every row of a plan, besides `of`."""

_RESTORE = "Restore the row as it was written; fill only the columns that are for it"

COLUMNS = (
    "number",
    "of",
    "document",
    "stratum",
    "stratum_documents",
    "predicted",
    *FILLED,
    *PLAN,
)


def write_audit_sheet(path: Path | str, plan: SamplingPlan) -> int:
    """Write the worksheet of a plan whole or not at all; return the number of its rows.

    Raises as `write_sheet` does.
    """
    return write_sheet(path, COLUMNS, plan_rows(plan))


def plan_rows(plan: SamplingPlan) -> Iterator[dict[str, Cell]]:
    """Yield the rows of a worksheet as they are before anybody fills them."""
    sizes = {stratum.name: stratum.documents for stratum in plan.strata}
    for number, document in enumerate(plan.chosen, start=1):
        yield {
            "number": number,
            "of": len(plan.chosen),
            "document": document.id,
            "stratum": document.stratum,
            "stratum_documents": sizes[document.stratum],
            "predicted": document.predicted,
            "seed": plan.seed,
            "at_least": plan.at_least,
            "stratify": plan.stratify,
            "frame_documents": plan.frame_documents,
            "frame": plan.frame_sha256,
        }


@dataclass(frozen=True, slots=True)
class AuditedDocument:
    """One filled row; `over_redacted` is None where it was left empty; `row` has all its cells."""

    document: str
    stratum: str
    predicted: int
    leaks: int
    direct_leaks: int
    over_redacted: int | None
    row: SheetRow = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class StratumAudit:
    """What was found in one stratum, and how many of its documents may leak at most."""

    stratum: Stratum
    leaking: int
    leaking_direct: int
    leaks: int
    most_leaking: int


@dataclass(frozen=True, slots=True)
class Audit:
    """The result of an audit.

    `proportional` tells whether each stratum had its share of the sample. Where it had,
    `leaking` and `leaking_direct` are shares of the sampled documents, and the bounds
    `most_leaking` and `most_leaking_direct` of the documents of the whole frame are those of
    one hypergeometric sample; otherwise the bounds are the sums of those of the strata, each at
    a confidence that keeps the whole (Bonferroni).

    `recall` is the share of mentions that were removed, over the documents whose `over_redacted`
    is filled; None where there is none. Its mentions count as independent.
    """

    frame_sha256: str
    frame_documents: int
    seed: int
    confidence: float
    documents: tuple[AuditedDocument, ...]
    strata: tuple[StratumAudit, ...]
    proportional: bool
    leaking: Share
    leaking_direct: Share
    most_leaking: int
    most_leaking_direct: int
    recall: Share | None

    @property
    def leaks(self) -> int:
        """All mentions that were found in the sample."""
        return sum(document.leaks for document in self.documents)

    @property
    def direct_leaks(self) -> int:
        """Those of them that are direct identifiers."""
        return sum(document.direct_leaks for document in self.documents)

    @property
    def estimate(self) -> float:
        """The share of leaking documents in the frame, each stratum by its weight.

        Strata of which nothing was drawn are left out.
        """
        known = [row for row in self.strata if row.stratum.sampled]
        whole = sum(row.stratum.documents for row in known)
        return sum(
            row.leaking / row.stratum.sampled * row.stratum.documents / whole for row in known
        )

    def record(self) -> dict[str, Any]:
        """Return the audit as JSON values."""
        return {
            "format_version": 1,
            "frame_sha256": self.frame_sha256,
            "frame_documents": self.frame_documents,
            "seed": self.seed,
            "confidence": self.confidence,
            "sampled": len(self.documents),
            "proportional": self.proportional,
            "leaks": self.leaks,
            "direct_leaks": self.direct_leaks,
            "any_leak": self.leaking.record(),
            "any_direct_leak": self.leaking_direct.record(),
            "estimate_any_leak": self.estimate,
            "most_leaking_documents": self.most_leaking,
            "most_direct_leaking_documents": self.most_leaking_direct,
            "recall": None if self.recall is None else self.recall.record(),
            "strata": [
                {
                    "stratum": row.stratum.name,
                    "documents": row.stratum.documents,
                    "sampled": row.stratum.sampled,
                    "leaking": row.leaking,
                    "leaking_direct": row.leaking_direct,
                    "leaks": row.leaks,
                    "most_leaking": row.most_leaking,
                }
                for row in self.strata
            ],
        }


def read_audit_sheet(path: Path | str, *, confidence: float = CONFIDENCE) -> Audit:
    """Read a filled worksheet back and return what it allows to claim.

    Every row must be there and filled: documents that were not checked cannot be left out, since
    those may be the ones that leak.

    Raises `FormatError` by line for a row that is missing, doubled, altered or not filled, and
    as `read_sheet` does.
    """
    require_bound_confidence(confidence)
    rows = read_sheet(path, COLUMNS)
    if not rows:
        raise InputError("the worksheet has no rows", path=path)
    return assess_rows(rows, confidence=confidence)


def assess_rows(
    rows: Sequence[SheetRow], *, confidence: float = CONFIDENCE, whole: bool = True
) -> Audit:
    """Return what filled rows of a plan allow to claim.

    Without `whole` rows may be missing: those that are there count as the sample, which is right
    only where nobody chose which of them to fill first. Raises as `read_audit_sheet` does.
    """
    if whole:
        _require_whole(rows)
    documents = tuple(_read_row(row) for row in rows)
    first = rows[0]
    total = first.integer("frame_documents")
    strata = _strata(rows)
    counted = _count_strata(strata, documents)
    rest = total - sum(stratum.documents for stratum in strata)
    if rest < 0:
        raise FormatError(
            "the strata have more documents than the frame", path=first.path, place=first.place
        )
    # What was not drawn at all is in the frame without a row: a stratum of its own.
    if rest:
        strata = (*strata, Stratum("(not drawn)", rest, 0))
        counted = (*counted, (0, 0, 0))
    return _assess(first, total, documents, strata, counted, confidence)


def require_frame(audit: Audit, documents: Iterable[Document], *, path: Path | str) -> None:
    """Check an audit against the corpus of the run: its hash, then every row.

    The sample is drawn again as the worksheet says, and each row must hold what `audit plan`
    wrote there. Raises `InputError` where the corpus is another one or has changed since,
    `FormatError` by line for a row that was altered.
    """
    first = audit.documents[0].row
    frame = read_frame(documents, stratify=first.cells["stratify"], require_strata=False)
    if audit.frame_sha256 != frame.sha256:
        raise InputError(
            f"the worksheet was drawn from another frame: {audit.frame_sha256[:16]}..., not "
            f"{frame.sha256[:16]}...",
            path=path,
            hint="Give the corpus as it was when the sample was drawn",
        )
    known = {document.id.strip(): document for document in frame.documents}
    for audited in audit.documents:
        found = known.get(audited.document)
        if found is None:
            raise audited.row.error("the document is not in the frame", hint=_RESTORE)
        if found.predicted != audited.predicted:
            raise audited.row.error(
                f"`predicted` is {audited.predicted}, but the run has {found.predicted} spans",
                hint=_RESTORE,
            )
    try:
        plan = draw_sample(
            frame, len(audit.documents), seed=audit.seed, at_least=first.integer("at_least")
        )
    except ConfigError:
        raise first.error("no such sample can be drawn", hint=_RESTORE) from None
    _require_plan(audit, plan)


def _require_plan(audit: Audit, plan: SamplingPlan) -> None:
    planned = {int(row["number"]): row for row in plan_rows(plan)}
    for audited in audit.documents:
        wanted = planned[audited.row.integer("number")]
        for column, value in wanted.items():
            cell = audited.row[column]
            same = int(cell) == value if isinstance(value, int) else cell == value.strip()
            if not same:
                raise audited.row.error(
                    f"the cell `{column}` is not what the plan has there", hint=_RESTORE
                )


def _assess(
    first: SheetRow,
    total: int,
    documents: tuple[AuditedDocument, ...],
    strata: tuple[Stratum, ...],
    counted: tuple[tuple[int, int, int], ...],
    confidence: float,
) -> Audit:
    leaking = sum(row[0] for row in counted)
    direct = sum(row[1] for row in counted)
    size = len(documents)
    proportional = first.integer("at_least") == 0
    split = 1.0 - (1.0 - confidence) / len(strata)

    def most(column: int, seen: int) -> int:
        if proportional:
            return most_in_population(total, size, seen, confidence=confidence)
        return sum(
            most_in_population(one.documents, one.sampled, row[column], confidence=split)
            for one, row in zip(strata, counted, strict=True)
        )

    return Audit(
        first["frame"],
        total,
        first.integer("seed"),
        confidence,
        documents,
        tuple(
            StratumAudit(
                one,
                *row,
                most_in_population(one.documents, one.sampled, row[0], confidence=confidence),
            )
            for one, row in zip(strata, counted, strict=True)
        ),
        proportional,
        share_of(leaking, size, confidence=confidence),
        share_of(direct, size, confidence=confidence),
        most(0, leaking),
        most(1, direct),
        _recall(documents, confidence),
    )


def _recall(documents: Sequence[AuditedDocument], confidence: float) -> Share | None:
    known = [row for row in documents if row.over_redacted is not None]
    if not known:
        return None
    removed = sum(row.predicted - (row.over_redacted or 0) for row in known)
    return share_of(removed, removed + sum(row.leaks for row in known), confidence=confidence)


def _read_row(row: SheetRow) -> AuditedDocument:
    for column in ("leaks", "direct_leaks"):
        if not row[column]:
            raise row.error(
                f"document {row['document']!r} is not checked: `{column}` is empty",
                hint="Write 0 where nothing leaked; every document of the sample must be checked",
            )
    leaks, direct = row.integer("leaks"), row.integer("direct_leaks")
    if direct > leaks:
        raise row.error(f"{direct} direct leaks are more than all {leaks} leaks")
    predicted = row.integer("predicted")
    over = row.integer("over_redacted") if row["over_redacted"] else None
    if over is not None and over > predicted:
        raise row.error(f"{over} over-redacted spans are more than all {predicted} predicted ones")
    return AuditedDocument(row["document"], row["stratum"], predicted, leaks, direct, over, row)


def _require_whole(rows: Sequence[SheetRow]) -> None:
    first = rows[0]
    size = first.integer("of")
    numbers: set[int] = set()
    names: set[str] = set()
    for row in rows:
        for column in ("of", *PLAN):
            if row[column] != first[column]:
                raise row.error(
                    f"the cell `{column}` is not that of the first row",
                    hint="A worksheet holds the rows of one plan, as they were written",
                )
        number = row.integer("number")
        if not 1 <= number <= size:
            raise row.error(f"row {number} of {size} cannot be")
        if number in numbers or row["document"] in names:
            raise row.error(f"document {row['document']!r} or its number {number} occurs twice")
        numbers.add(number)
        names.add(row["document"])
    if lost := sorted(set(range(1, size + 1)) - numbers):
        raise FormatError(
            f"row {lost[0]} of {size} is missing",
            path=first.path,
            hint="Every document of the sample must be checked; restore the row",
        )


def _strata(rows: Sequence[SheetRow]) -> tuple[Stratum, ...]:
    sizes: dict[str, int] = {}
    sampled: dict[str, int] = {}
    for row in rows:
        name, size = row["stratum"], row.integer("stratum_documents")
        if sizes.setdefault(name, size) != size:
            raise row.error("the stratum has another size in an earlier row")
        sampled[name] = sampled.get(name, 0) + 1
        if sampled[name] > size:
            raise row.error(f"the stratum has more rows than its {size} documents")
    return tuple(Stratum(name, sizes[name], sampled[name]) for name in sorted(sizes))


def _count_strata(
    strata: Sequence[Stratum], documents: Sequence[AuditedDocument]
) -> tuple[tuple[int, int, int], ...]:
    """Return for each stratum the documents that leak, leak a direct identifier, and the leaks."""
    counts = {stratum.name: [0, 0, 0] for stratum in strata}
    for document in documents:
        row = counts[document.stratum]
        row[0] += document.leaks > 0
        row[1] += document.direct_leaks > 0
        row[2] += document.leaks
    return tuple((row[0], row[1], row[2]) for row in counts.values())
