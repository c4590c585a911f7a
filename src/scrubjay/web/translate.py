"""Requests into jobs, and answers into responses.

What is wrong in a request is told by its place, a JSON pointer, and in our own words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from scrubjay.corpora.offsets import Offsets
from scrubjay.deidentifier import Failure
from scrubjay.document import Span
from scrubjay.errors import FormatError
from scrubjay.known.identifiers import PatientIdentifiers
from scrubjay.known.reading import collect_identifiers
from scrubjay.known.terms import MOST_WORDS, Keys, Terms, make_terms
from scrubjay.known.words import word_keys
from scrubjay.transform.date_orders import shifts_dates
from scrubjay.web.engine import Answer, Found, Job, JobDocument, Task
from scrubjay.web.problems import Fault, Problem
from scrubjay.web.schemas import (
    DeidentifyDocuments,
    DeidentifyText,
    DenyTerm,
    DetectDocuments,
    DocumentIn,
    GivenSpan,
    Options,
)

if TYPE_CHECKING:
    from scrubjay.web.service import ServedModel, Service


def make_job(task: Task, body: Options, service: Service) -> Job:
    """Return the job that a request asks for; raises `Problem` for what it cannot ask."""
    model = _model(body, service)
    several = isinstance(body, DetectDocuments)
    documents: Sequence[DocumentIn] = body.documents if several else [body]  # type: ignore[attr-defined,list-item]
    _require_distinct(documents)
    allow, deny = _terms(body, model)
    policy = _policy(body, service)
    return Job(
        task,
        tuple(
            _document(given, body, model, pointer=f"/documents/{number}" if several else "")
            for number, given in enumerate(documents)
        ),
        model.name,
        policy,
        body.dial,
        body.min_score or 0.0,
        _thresholds(body, model),
        allow,
        deny,
        body.propagate,
        _date_order(body, policy, service),
    )


def make_response(job: Job, answer: Answer, body: Options) -> dict[str, Any]:
    """Return the response to a request; raises `Problem` where its only document failed."""
    told: dict[str, Any] = {"model": job.model, "offsets": body.offsets}
    if job.task == "deidentify":
        told["policy"] = job.policy
    documents = [
        _result(job.task, given, each, body.offsets)
        for given, each in zip(job.documents, answer, strict=True)
    ]
    if isinstance(body, DetectDocuments):
        failed = sum(isinstance(each, Failure) for each in answer)
        with_failure = [{**document, "failure": document.get("failure")} for document in documents]
        return {"documents": with_failure, "failed": failed, **told}
    (only,) = answer
    if isinstance(only, Failure):
        raise Problem("document-failed", f"{only.code} in stage {only.stage}")
    return {**documents[0], **told}


def _model(body: Options, service: Service) -> ServedModel:
    name = service.default_model if body.model is None else body.model
    model = service.models.get(name)
    if model is None:
        raise Problem(
            "unknown-model",
            hint=f"Known: {', '.join(service.models)}",
            faults=[Fault("/model", "no model of that name is served")],
        )
    if body.dial is not None and not service.has_dial(name):
        raise Problem(
            "no-dial",
            hint="Leave it out, or choose a model that has one",
            faults=[Fault("/dial", "this model has no recall dial")],
        )
    return model


def _policy(body: Options, service: Service) -> str:
    if not isinstance(body, DeidentifyText | DeidentifyDocuments) or body.policy is None:
        return service.default_policy
    served = service.policies.get(body.policy)
    usable = [name for name, each in service.policies.items() if each.policy is not None]
    if served is None or served.policy is None:
        raise Problem(
            "unknown-policy" if served is None else "policy-needs-key",
            hint=f"Known: {', '.join(usable)}",
            faults=[Fault("/policy", "no policy of that name can be used")],
        )
    return body.policy


def _date_order(body: Options, policy: str, service: Service) -> str:
    """Return the order of dates that a request sets, "" for none."""
    order = body.date_order if isinstance(body, DeidentifyText | DeidentifyDocuments) else None
    rules = service.policies[policy].policy
    if order is not None and (rules is None or not shifts_dates(rules)):
        raise Problem(
            "bad-value",
            hint="Leave it out, or name a policy that does",
            faults=[Fault("/date_order", "this policy shifts no dates")],
        )
    return order or ""


def _require_distinct(documents: Sequence[DocumentIn]) -> None:
    """Refuse two documents with one id: a policy would take them for one document."""
    seen: set[str] = set()
    for number, document in enumerate(documents):
        if document.id and document.id in seen:
            fault = Fault(f"/documents/{number}/id", "an earlier document has this id")
            raise Problem("bad-value", faults=[fault])
        seen.add(document.id or "")


def _document(given: DocumentIn, body: Options, model: ServedModel, *, pointer: str) -> JobDocument:
    return JobDocument(
        given.text,
        given.id or "",
        (given.patient or "").strip(),
        _known(given, model, pointer=f"{pointer}/known"),
        _spans(given, body, model, pointer=f"{pointer}/spans"),
    )


def _known(given: DocumentIn, model: ServedModel, *, pointer: str) -> PatientIdentifiers | None:
    if given.known is None:
        return None
    cells = {
        column: [value.strip() for value in values if value.strip()]
        for column, values in given.known.model_dump().items()
    }
    try:
        known = collect_identifiers(cells, language=model.manifest.language, path=None, place="")
    except FormatError as error:
        fault = Fault(f"{pointer}/birth_date", error.what)
        raise Problem("bad-value", faults=[fault]) from None
    return known if known else None


def _spans(
    given: DocumentIn, body: Options, model: ServedModel, *, pointer: str
) -> tuple[Span, ...]:
    """Return the spans that a request gives, in code points, sorted."""
    if not given.spans:
        return ()
    offsets = Offsets(given.text, body.offsets)
    faults: list[Fault] = []
    placed: list[tuple[Span, int]] = []
    for number, each in enumerate(given.spans):
        _require_label(each.label, model, f"{pointer}/{number}/label")
        span = _place(each, offsets, len(given.text))
        if span is None:
            what = f"needs 0 <= start < end <= length, at borders of characters ({body.offsets})"
            faults.append(Fault(f"{pointer}/{number}", what))
        else:
            placed.append((span, number))
    placed.sort()
    for (before, _), (span, number) in pairwise(placed):
        if span.start < before.end:
            faults.append(Fault(f"{pointer}/{number}", "overlaps another span"))
    if faults:
        raise Problem("bad-offsets", hint="Offsets count as `offsets` says", faults=faults)
    return tuple(span for span, _ in placed)


def _place(given: GivenSpan, offsets: Offsets, length: int) -> Span | None:
    start, end = offsets.decode(given.start), offsets.decode(given.end)
    if start is None or end is None or not start < end <= length:
        return None
    return Span(start, end, given.label, source="given")


def _require_label(label: str, model: ServedModel, pointer: str) -> None:
    if label not in model.labels:
        raise Problem(
            "unknown-label",
            hint=f"Known: {', '.join(sorted(model.labels))}",
            faults=[Fault(pointer, f"no label of {model.label_set.name}")],
        )


def _thresholds(body: Options, model: ServedModel) -> Mapping[str, float]:
    for number, label in enumerate(body.thresholds, start=1):
        # Its key is what the client wrote, so that it is told by its number.
        _require_label(label, model, f"/thresholds (entry {number})")
    return body.thresholds


def _terms(body: Options, model: ServedModel) -> tuple[Terms | None, Terms | None]:
    allow = {_keys(term, f"/allow/{number}"): "" for number, term in enumerate(body.allow)}
    deny = {
        _keys(each.term, f"/deny/{number}/term"): _deny_label(each, model, number)
        for number, each in enumerate(body.deny)
    }
    both = allow.keys() & deny.keys()
    if both:
        fault = Fault("/deny", f"{len(both)} of its terms stand in /allow, too")
        raise Problem("bad-value", faults=[fault])
    return make_terms(allow) if allow else None, make_terms(deny) if deny else None


def _keys(term: str, pointer: str) -> Keys:
    keys = word_keys(term)
    if not 0 < len(keys) <= MOST_WORDS:
        what = f"more than {MOST_WORDS} words" if keys else "a term needs a letter or a digit"
        raise Problem("bad-value", faults=[Fault(pointer, what)])
    return keys


def _deny_label(given: DenyTerm, model: ServedModel, number: int) -> str:
    if given.label is None:
        return ""
    _require_label(given.label, model, f"/deny/{number}/label")
    return given.label


def _result(
    task: Task, given: JobDocument, answer: Found | Failure, offsets: str
) -> dict[str, Any]:
    """Return what is told of one document; of one that failed neither spans nor text."""
    told: dict[str, Any] = {"id": given.id or None, "spans": None}
    if task == "deidentify":
        told["text"] = None
    if isinstance(answer, Failure):
        return {**told, "failure": {"stage": answer.stage, "code": answer.code}}
    spans = [asdict(span) for span in answer.spans]
    for span, (start, end) in zip(spans, answer.places, strict=task == "deidentify"):
        span["new_start"], span["new_end"] = start, end
    if offsets == "utf-16":
        _count_units(spans, given.text, "start", "end")
        if answer.text is not None:
            _count_units(spans, answer.text, "new_start", "new_end")
    told["spans"] = spans
    if task == "deidentify":
        told["text"] = answer.text
    return told


def _count_units(spans: Sequence[dict[str, Any]], text: str, *names: str) -> None:
    offsets = Offsets(text, "utf-16")
    for told in spans:
        for name in names:
            told[name] = offsets.encode(told[name])
