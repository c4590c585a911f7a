"""The app: its routes, around a service."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from scrubjay import __version__
from scrubjay.web import metrics
from scrubjay.web.gate import Gate
from scrubjay.web.problems import Problem, problem_of
from scrubjay.web.service import Service


def create_app(service: Service, *, project: Any = None) -> FastAPI:
    """Return the app of a service that was started, with the pages of a project if there is one.

    The gate stands before every route, those of the pages too: they raise `Problem`, and find
    the service in `request.app.state.service`.
    """
    app = FastAPI(
        title="Scrubjay",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        middleware=[Middleware(Gate, service=service)],
    )
    app.state.service = service
    app.state.project = project
    app.add_exception_handler(HTTPException, _tell)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    _add_health(app, service)
    _add_pages(app, service, project)
    return app


async def _tell(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem_of(error).response()


async def _tell_invalid(request: Request, error: Exception) -> Response:
    return Problem("invalid-request").response()


def _add_health(app: FastAPI, service: Service) -> None:
    @app.get("/healthz")
    async def healthz() -> Response:
        return JSONResponse({"status": "alive"})

    @app.get("/readyz")
    async def readyz() -> Response:
        if service.pool.ready == 0:
            raise Problem("not-ready", headers={"Retry-After": "1"})
        return JSONResponse({"status": "ready", "workers": service.pool.ready})

    @app.get("/metrics")
    async def tell_metrics() -> Response:
        return Response(service.metrics.render(), media_type=metrics.CONTENT_TYPE)


def _add_pages(app: FastAPI, service: Service, project: Any) -> None:
    """Mount the pages: `install(app, service, project=project)` of the package `pages`.

    It includes routers and mounts its files at /static.
    """
    from importlib.util import find_spec

    if find_spec("scrubjay.web.pages") is not None:
        from importlib import import_module

        import_module("scrubjay.web.pages").install(app, service, project=project)
