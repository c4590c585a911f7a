"""The pages: templates, styles and scripts, all of them here, so that no browser asks elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from scrubjay.web.problems import KINDS, Problem
from scrubjay.web.rendering import render
from scrubjay.web.service import Service

FOLDER = Path(__file__).parent


def install(app: FastAPI, service: Service, *, project: Any = None) -> None:
    """Add the pages to an app: the playground, and those of a project if there is one."""
    from scrubjay.web import playground, signing

    app.add_exception_handler(Problem, _show_problem)
    app.mount("/static/vendor", _Files(directory=FOLDER / "vendor"))
    app.mount("/static", _Files(directory=FOLDER / "static"))
    app.include_router(signing.router)
    app.include_router(playground.router)
    if project is not None:
        from scrubjay.web import comparing, downloads, review, teaching
        from scrubjay.web.projects import NamelessError

        app.state.document_ids = {}
        app.state.ranking = teaching.Ranking()
        app.add_exception_handler(NamelessError, _ask_name)
        for room in (comparing, teaching, downloads, review):
            app.include_router(room.router)


async def _show_problem(request: Request, error: Exception) -> Response:
    """Return a problem as JSON, or as a page to a browser that asked for one."""
    assert isinstance(error, Problem)
    if "text/html" not in request.headers.get("accept", ""):
        return error.response()
    title = KINDS[error.code].title
    detail = error.detail if error.detail != title else ""
    return render(
        request, "error.html", status=error.status_code, title=title, detail=detail, hint=error.hint
    )


async def _ask_name(request: Request, error: Exception) -> Response:
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse("/project/name", 303)
    return Problem("conflict", "Nobody said who they are", hint="Choose a name first").response()


class _Files(StaticFiles):
    """Files that a browser may keep, if it asks each time whether they are still the same."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response
