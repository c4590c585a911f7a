"""The app: its routes, around a service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from scrubjay.web.pages import add_pages
from scrubjay.web.problems import problem_of
from scrubjay.web.routes import make_router
from scrubjay.web.service import Service

if TYPE_CHECKING:
    from scrubjay.review.project import Project

# What the framework would tell of requests to a collector may quote them.
_NO_TELEMETRY: Any = {
    "tracing": False, "metrics": False, "logs": False, "operation_spans": False,
    "auto_configure": False,
}  # fmt: skip


def create_app(service: Service, *, project: Project | Path | None = None) -> FastAPI:
    """Return the app of a service that was started, with the pages of a project if there is one.

    The project is one that is open, or the path of its folder; raises what `Project.open` raises.

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
    app.add_exception_handler(HTTPException, _tell)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.include_router(make_router(service))
    add_pages(app, project)
    app.openapi = lambda: describe_app(app, service)  # type: ignore[method-assign]
    return app


async def _tell(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem_of(error).response()


async def _tell_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return invalid_request(error).response()
