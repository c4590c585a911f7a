"""The routes of the service: health, metrics, models, policies, detection, de-identification."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from scrubjay.web import metrics, schemas
from scrubjay.web.engine import Answer, Task
from scrubjay.web.invalid import StrictRoute
from scrubjay.web.openapi import problems
from scrubjay.web.problems import Problem
from scrubjay.web.service import Service
from scrubjay.web.translate import make_job, make_response

_BODY = (
    "bad-json", "bad-content-type", "body-too-slow", "body-too-large", "invalid-request",
    "bad-text", "bad-value", "bad-offsets", "unknown-model", "unknown-label", "no-dial",
    "document-failed", "queue-full", "queue-timeout", "not-ready", "worker-lost", "time-limit",
)  # fmt: skip
_POLICY = ("unknown-policy", "policy-needs-key")


class JsonResponse(JSONResponse):
    """JSON as it was made already: what is sent is not validated a second time."""

    def render(self, content: Any) -> bytes:
        """Return the bytes of some content."""
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def make_router(service: Service) -> APIRouter:
    """Return the routes of a service."""
    router = APIRouter(route_class=StrictRoute, default_response_class=JsonResponse)
    _add_health(router, service)
    _add_lists(router, service)
    _add_work(router, service)
    return router


def _add_health(router: APIRouter, service: Service) -> None:
    @router.head("/healthz", include_in_schema=False)
    @router.get(
        "/healthz", tags=["health"], response_model=schemas.HealthOut, summary="Is it alive?"
    )
    async def healthz() -> Response:
        """Tell that the process answers."""
        return JsonResponse({"status": "alive"})

    @router.head("/readyz", include_in_schema=False)
    @router.get(
        "/readyz",
        tags=["health"],
        response_model=schemas.ReadyOut,
        summary="Can it work?",
        responses=problems("not-ready", "draining"),
    )
    async def readyz() -> Response:
        """Tell whether a worker can take a job."""
        if service.pool.ready == 0:
            raise Problem("not-ready", headers={"Retry-After": "1"})
        return JsonResponse({"status": "ready", "workers": service.pool.ready})

    @router.get(
        "/metrics",
        tags=["health"],
        summary="Counts for Prometheus",
        response_class=Response,
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
            **problems(),
        },
    )
    async def tell_metrics() -> Response:
        """Tell counts of requests and documents; nothing of anybody."""
        return Response(service.metrics.render(), headers={"Content-Type": metrics.CONTENT_TYPE})


def _add_lists(router: APIRouter, service: Service) -> None:
    @router.get(
        "/v1/models",
        tags=["lists"],
        response_model=schemas.ModelsOut,
        summary="The models",
        responses=problems(),
    )
    async def models() -> Response:
        """Tell the models that requests can name."""
        return JsonResponse({"models": [_model(service, name) for name in service.models]})

    @router.get(
        "/v1/policies",
        tags=["lists"],
        response_model=schemas.PoliciesOut,
        summary="The policies",
        responses=problems(),
    )
    async def policies() -> Response:
        """Tell the policies that requests can name, and what each does to which label."""
        return JsonResponse({"policies": [_policy(service, name) for name in service.policies]})


def _model(service: Service, name: str) -> dict[str, Any]:
    served = service.models[name]
    return {
        "name": name,
        "default": name == service.default_model,
        "language": served.manifest.language,
        "label_set": served.manifest.label_set,
        "labels": list(served.manifest.labels),
        "dial": service.has_dial(name),
    }


def _policy(service: Service, name: str) -> dict[str, Any]:
    served = service.policies[name]
    return {
        "name": name,
        "default": name == service.default_policy,
        "available": served.policy is not None,
        "description": served.description,
        "operators": None if served.policy is None else served.policy.describe(),
    }


def _add_work(router: APIRouter, service: Service) -> None:
    @router.post(
        "/v1/detect",
        tags=["work"],
        response_model=schemas.DetectedOne | schemas.DetectedMany,
        summary="Find PHI",
        responses=problems(*_BODY),
    )
    async def detect(body: schemas.DetectBody, request: Request) -> Response:
        """Find PHI in one document, or in several; the text stays as it is."""
        return await _work(service, "detect", body.root, request)

    @router.post(
        "/v1/deidentify",
        tags=["work"],
        response_model=schemas.DeidentifiedOne | schemas.DeidentifiedMany,
        summary="Remove PHI",
        responses=problems(*_BODY, *_POLICY),
    )
    async def deidentify(body: schemas.DeidentifyBody, request: Request) -> Response:
        """De-identify one document, or several: each output is proved, or not given out."""
        return await _work(service, "deidentify", body.root, request)


async def _work(service: Service, task: Task, body: schemas.Options, request: Request) -> Response:
    job = make_job(task, body, service)
    answer = await _while_connected(request, service.run(job))
    return JsonResponse(make_response(job, answer, body))


async def _while_connected(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Return what comes of some work; nobody does it for a client that has gone away."""
    working = asyncio.ensure_future(work)
    going = asyncio.ensure_future(_until_gone(request))
    try:
        await asyncio.wait({working, going}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Problem("bad-request", "The client went away")
        return working.result()
    finally:
        working.cancel()
        going.cancel()


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
