"""The audit of a run of production: a random sample of it, as a project for reviewers.

Each document is the original with what the run removed as suggestions. A reviewer adds what leaked
and deletes what is no PHI; what that allows to claim is computed as `scrubjay audit read` does
from a worksheet. Documents come in an order that lots decided, so those reviewed so far are a
random sample themselves.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from scrubjay import __version__
from scrubjay.analysis._sheets import SheetRow
from scrubjay.analysis.audit import Audit, assess_rows, plan_rows
from scrubjay.corpora import read_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import StateError
from scrubjay.evaluation.bounds import Share, most_in_population, require_bound_confidence
from scrubjay.evaluation.direct import DirectLabels, find_direct_labels
from scrubjay.evaluation.intervals import require_statistics
from scrubjay.evaluation.leakage import judge_mention, merge_spans
from scrubjay.evaluation.sampling import SamplingPlan, draw_sample, read_frame, require_predicted
from scrubjay.labels import LabelSet
from scrubjay.reports.blocks import Page
from scrubjay.reports.risk import compose_audit
from scrubjay.review.importing import import_documents
from scrubjay.review.marks import decode_marks
from scrubjay.review.people import annotator_names
from scrubjay.review.settings import first_settings, label_set_of
from scrubjay.review.states import situations
from scrubjay.review.store import Store, now
from scrubjay.review.work import read_text
from scrubjay.spans import overlap

Signature = Mapping[str, str]


class Signer(Protocol):
    """What signs a report: see `review.signing`."""

    def sign(self, data: bytes) -> Signature:
        """Return the algorithm, what tells the key, and the signature, all as text."""


@dataclass(frozen=True, slots=True)
class AuditProgress:
    """What the reviewed part of a sample shows so far; intervals are exact.

    `recall` is that of mentions, which count as independent; `leaking` the share of documents
    that leak anything, of which `most_leaking` in the whole run are leaking at most. They are
    None before the first document is reviewed.
    """

    frame_documents: int
    sampled: int
    reviewed: int
    leaks: int
    direct_leaks: int
    over_redacted: int
    recall: Share | None
    leaking: Share | None
    most_leaking: int | None


@dataclass(frozen=True, slots=True)
class SignedReport:
    """The report of an audit: `record` is JSON with its signature, `html` a page to read."""

    record: dict[str, Any]
    html: str


class Auditing:
    """The part of a project that is about an audit (`Project.auditing`)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def progress(self, *, confidence: float = 0.95) -> AuditProgress:
        """Return what the reviewed part of the sample shows so far, with intervals."""
        require_bound_confidence(confidence)
        plan, rows = _require_audit(self._store), _filled_rows(self._store)
        total = int(plan[0]["frame_documents"])
        if not rows:
            return AuditProgress(total, len(plan), 0, 0, 0, 0, None, None, None)
        found = assess_rows(rows, confidence=confidence, whole=False)
        return AuditProgress(
            frame_documents=total,
            sampled=len(plan),
            reviewed=len(rows),
            leaks=found.leaks,
            direct_leaks=found.direct_leaks,
            over_redacted=sum(row.over_redacted or 0 for row in found.documents),
            recall=found.recall,
            leaking=found.leaking,
            most_leaking=most_in_population(
                total, len(rows), found.leaking.events, confidence=confidence
            )
            if found.proportional
            else found.most_leaking,
        )

    def result(self, *, confidence: float = 0.95) -> Audit:
        """Return the result of the whole sample, as `audit read` does; `StateError` before."""
        plan, rows = _require_audit(self._store), _filled_rows(self._store)
        if len(rows) < len(plan):
            raise StateError(
                f"{len(plan) - len(rows)} of {len(plan)} documents of the sample are not reviewed "
                "yet. None can be left out, since it may be the one that leaks"
            )
        return assess_rows(rows, confidence=confidence)

    def sign(self, signer: Signer, *, confidence: float = 0.95) -> SignedReport:
        """Return the signed report of an audit; `signer` is one of `review.signing`.

        The record tells the hash of the page, so both are signed.
        """
        from scrubjay.reports.html import render_page
        from scrubjay.review.signing import canonical, seal

        audit = self.result(confidence=confidence)
        payload = _payload(self._store, audit)
        digest = hashlib.sha256(canonical(payload)).hexdigest()
        html = render_page(_page(audit, payload, digest))
        payload["html_sha256"] = hashlib.sha256(html.encode("utf-8")).hexdigest()
        return SignedReport(seal(payload, signer), html)


def create_audit_project(
    folder: Path, corpus: Path | str, *, size: int, labels: LabelSet, seed: int, stratify: str,
    at_least: int, format: str | None, guidelines: str,
) -> Store:  # fmt: skip
    """Draw a sample of a run and make a project of it; where anything fails, nothing is left."""
    require_statistics()
    frame = read_frame(read_corpus(corpus, format=format), stratify=stratify)
    require_predicted(frame, path=corpus)
    plan = draw_sample(frame, size, seed=seed, at_least=at_least)
    values = first_settings(
        labels, name=folder.resolve().name, guidelines=guidelines, language="", kind="audit"
    )
    values |= {"id": frame.sha256[:16], "made": now(), "audit": _plan_record(plan)}
    store = Store.create(folder, values)
    try:
        with store.write():
            _fill(store, plan, corpus, labels, format)
    except BaseException:
        store.close()
        with suppress(OSError):
            shutil.rmtree(folder)
        raise
    return store


def _plan_record(plan: SamplingPlan) -> list[dict[str, Any]]:
    """Return the rows of the worksheet that `scrubjay audit plan` would write."""
    return [dict(row) for row in plan_rows(plan)]


def _fill(
    store: Store, plan: SamplingPlan, corpus: Path | str, labels: LabelSet, format: str | None
) -> None:
    chosen = {document.id for document in plan.chosen}
    found = (one for one in read_corpus(corpus, format=format) if one.id in chosen)
    import_documents(store, found, label_set=labels)
    numbers = {row["id"]: row["number"] for row in store.all("SELECT id, number FROM documents")}
    if set(numbers) != chosen:
        raise StateError("the corpus changed while it was read. Make the audit again")
    sizes = {stratum.name: stratum.documents for stratum in plan.strata}
    store.run_many(
        "INSERT INTO sample VALUES (?, ?, ?, ?, ?)",
        [
            (numbers[one.id], number, one.stratum, sizes[one.stratum], one.predicted)
            for number, one in enumerate(plan.chosen, start=1)
        ],
    )
    order = sorted(numbers, key=lambda document: (_lot(plan.seed, document), document))
    store.run_many(
        "INSERT INTO queue VALUES (?, ?)",
        [(place, numbers[document]) for place, document in enumerate(order, start=1)],
    )


def _lot(seed: int, document: str) -> bytes:
    return hashlib.sha256(f"review:{seed}:{document}".encode("utf-8", "surrogatepass")).digest()


def _require_audit(store: Store) -> list[dict[str, Any]]:
    plan = store.setting("audit")
    if plan is None:
        raise StateError("this project is no audit. Make one: scrubjay project audit")
    found: list[dict[str, Any]] = plan
    return found


def _filled_rows(store: Store) -> list[SheetRow]:
    """Return the worksheet's rows of the documents that are reviewed, in its order."""
    with store.snapshot() as view:
        plan = {row["document"]: row for row in _require_audit(view)}
        direct = find_direct_labels(label_set_of(view))
        rows = []
        for situation in situations(view):
            marks = situation.final
            if marks is not None:
                row, suggestion = plan[situation.row["id"]], situation.suggestion
                predicted = (
                    () if suggestion is None else decode_marks(json.loads(suggestion["spans"]))
                )
                document = Document(row["document"], read_text(view, situation.row["number"]))
                counts = _judge(document, marks, predicted, direct)
                cells = {name: str(value) for name, value in (row | counts).items()}
                rows.append(SheetRow(str(view.path), int(row["number"]), cells))
    return sorted(rows, key=lambda row: row.line)


def _judge(
    document: Document, marks: tuple[Span, ...], predicted: tuple[Span, ...], direct: DirectLabels
) -> dict[str, Any]:
    """Return what a reviewer would write into the row of a document."""
    covered = merge_spans(predicted)
    mentions = [
        judge_mention(document.text, mark, covered, direct=mark.label in direct) for mark in marks
    ]
    leaks = [mention for mention in mentions if mention.left]
    return {
        "leaks": len(leaks),
        "direct_leaks": sum(mention.direct for mention in leaks),
        "over_redacted": sum(not any(overlap(one, mark) for mark in marks) for one in predicted),
        "comment": "",
    }


def _payload(store: Store, audit: Audit) -> dict[str, Any]:
    """Return what a signed report says: the result, who reviewed, and each document's counts."""
    return {
        "report": "scrubjay audit",
        "format_version": 1,
        "package_version": __version__,
        "project": store.setting("id"),
        "name": store.setting("name"),
        "made": now(),
        "reviewers": list(annotator_names(store)),
        "audit": audit.record(),
        "documents": [
            {
                "id": one.document,
                "stratum": one.stratum,
                "predicted": one.predicted,
                "leaks": one.leaks,
                "direct_leaks": one.direct_leaks,
                "over_redacted": one.over_redacted,
            }
            for one in audit.documents
        ],
    }


def _page(audit: Audit, payload: Mapping[str, Any], digest: str) -> Page:
    facts = (
        ("project", f"{payload['name']} ({payload['project']})"),
        ("made", payload["made"]),
        ("reviewers", ", ".join(payload["reviewers"])),
        ("figures (sha256)", digest),
        ("signature", "in the JSON file beside this page: scrubjay project verify"),
    )
    return compose_audit(audit, facts=tuple((name, str(value)) for name, value in facts))
