"""The page to try a model on a note: what it finds, why, and what a policy makes of it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from scrubjay.analysis.reasons import explain_spans
from scrubjay.deidentifier import Failure
from scrubjay.detectors import Detector, Dialled, turn_recall_dial
from scrubjay.document import Span
from scrubjay.models import load_model
from scrubjay.web.bodies import read_json
from scrubjay.web.engine import Found, Job, JobDocument
from scrubjay.web.pages import FOLDER
from scrubjay.web.problems import Problem
from scrubjay.web.rendering import label_looks, looks_json, render
from scrubjay.web.service import Service

router = APIRouter(include_in_schema=False)

EXPLAINED = 50_000
"""How many characters a note may have for its spans to be explained."""
DIAL = (-4.0, 8.0)
"""The ends of the recall dial on the page, counted from the model's own, which is 0 there."""

_EXAMPLES = FOLDER / "examples"
_NUMBER = (int, float)
_FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "text": str, "model": str, "policy": str, "dial": _NUMBER, "min_score": _NUMBER,
}  # fmt: skip
_LOCK = threading.Lock()


@router.get("/")
async def show(request: Request) -> Response:
    """Show the page."""
    service: Service = request.app.state.service
    models = [
        {
            "name": model.name,
            "language": model.manifest.language,
            "dial": service.has_dial(model.name),
            "labels": looks_json(label_looks(model.label_set, model.manifest.labels)),
        }
        for model in service.models.values()
    ]
    return render(
        request,
        "playground.html",
        models=models,
        policies=service.policies.values(),
        default_policy=service.default_policy,
        examples=_examples(),
        dial=DIAL,
        limit=service.settings.max_body,
    )


@router.post("/playground/run")
async def run(request: Request) -> Response:
    """Return the spans of a note, their reasons, and the note under a policy.

    Offsets count characters. Raises `Problem` for a body that cannot be used.
    """
    service: Service = request.app.state.service
    asked = _Asked(**await read_json(request, _FIELDS))
    _check(asked, service)
    began = time.perf_counter()
    dial = _place_dial(asked, service)
    job = Job(
        "deidentify", (JobDocument(asked.text),), asked.model, asked.policy,
        dial=dial, min_score=asked.min_score,
    )  # fmt: skip
    (found,) = await service.run(job)
    seconds = time.perf_counter() - began
    if isinstance(found, Failure):
        raise Problem("document-failed", "Nothing of it is shown")
    reasons = None
    if len(asked.text) <= EXPLAINED:
        place = service.places[asked.model]
        reasons = await asyncio.to_thread(_explain, place, asked.text, dial, found.spans)
    return JSONResponse(_answer(found, seconds, reasons))


@dataclass(frozen=True, slots=True, repr=False)
class _Asked:
    text: str
    model: str
    policy: str
    dial: float
    min_score: float


def _check(asked: _Asked, service: Service) -> None:
    if asked.model not in service.models:
        raise Problem("unknown-model")
    policy = service.policies.get(asked.policy)
    if policy is None or policy.policy is None:
        raise Problem("unknown-policy", hint="Start the service with a key for this policy")
    if not (DIAL[0] <= asked.dial <= DIAL[1] and 0 <= asked.min_score <= 1):
        raise Problem("invalid-request", "The dial or the least score is out of its range")
    if asked.dial and not service.has_dial(asked.model):
        raise Problem("no-dial", hint="Put the dial at 0, or choose a model that has one")
    if any("\ud800" <= character <= "\udfff" for character in asked.text):
        raise Problem("bad-text")


def _answer(found: Found, seconds: float, reasons: list[dict[str, Any]] | None) -> dict[str, Any]:
    counts = Counter(span.label for span in found.spans)
    return {
        "spans": [
            [span.start, span.end, span.label, span.score, span.source] for span in found.spans
        ],
        "output": found.text,
        "places": [list(place) for place in found.places],
        "counts": dict(sorted(counts.items())),
        "milliseconds": round(seconds * 1000, 1),
        "reasons": reasons,
    }


def _place_dial(asked: _Asked, service: Service) -> float | None:
    """Return where the dial of the model is to be; None leaves it where the model has it."""
    own = service.models[asked.model].manifest.config.get("recall-dial") or 0.0
    return float(own) + asked.dial if asked.dial else None


def _explain(
    model: str, text: str, dial: float | None, spans: tuple[Span, ...]
) -> list[dict[str, Any]]:
    # One at a time: the model here is beside those of the workers, for the page alone.
    with _LOCK:
        detector = _detector(model)
        if dial is not None and isinstance(detector, Dialled):
            detector = turn_recall_dial(detector, dial)
        return [reason.to_json() for reason in explain_spans(detector, text, spans)]


@cache
def _detector(model: str) -> Detector:
    return load_model(model)


def _examples() -> list[dict[str, str]]:
    """Return the invented notes of the page, with a title made of their names."""
    found = []
    for path in sorted(_EXAMPLES.glob("*.txt")):
        language, _, name = path.stem.partition("-")
        title = name.replace("-", " ").capitalize()
        found.append({"language": language, "title": title, "text": path.read_text("utf-8")})
    return found
