"""The app: its routes, around a service."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from scrubjay import __version__
from scrubjay.web.gate import Gate
from scrubjay.web.invalid import invalid_request
from scrubjay.web.openapi import describe_app
from scrubjay.web.problems import problem_of
from scrubjay.web.routes import make_router
from scrubjay.web.service import Service

# What the framework would tell of requests to a collector may quote them.
_NO_TELEMETRY: Any = {
    "tracing": False, "metrics": False, "logs": False, "operation_spans": False,
    "auto_configure": False,
}  # fmt: skip


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
        telemetry=_NO_TELEMETRY,
        middleware=[Middleware(Gate, service=service)],
    )
    app.state.service = service
    app.state.project = project
    app.add_exception_handler(HTTPException, _tell)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.include_router(make_router(service))
    _add_pages(app, service, project)
    app.openapi = lambda: describe_app(app, service)  # type: ignore[method-assign]
    return app


async def _tell(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem_of(error).response()


async def _tell_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return invalid_request(error).response()


def _add_pages(app: FastAPI, service: Service, project: Any) -> None:
    """Mount the pages: `install(app, service, project=project)` of the package `pages`.

    It includes routers and mounts its files at /static.
    """
    from importlib.util import find_spec

    if find_spec("scrubjay.web.pages") is not None:
        from importlib import import_module

        import_module("scrubjay.web.pages").install(app, service, project=project)
