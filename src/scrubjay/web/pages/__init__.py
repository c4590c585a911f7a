"""The pages: templates, styles and scripts, all of them here, so that no browser asks elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from scrubjay.web.problems import KINDS, Problem, problem_of
from scrubjay.web.rendering import render

if TYPE_CHECKING:
    from scrubjay.review.project import Project

FOLDER = Path(__file__).parent


def add_pages(app: FastAPI, project: Project | Path | None) -> None:
    """Add the pages to an app, and their files at /static: the playground, and those of a project.

    The project is one that is open, or the path of its folder, which raises what `Project.open`
    raises; None for no such pages.
    """
    from scrubjay.web import playground, signing

    app.add_exception_handler(HTTPException, _show_problem)
    app.mount("/static/vendor", _Files(directory=FOLDER / "vendor"))
    app.mount("/static", _Files(directory=FOLDER / "static"))
    app.include_router(signing.router)
    app.include_router(playground.router)
    app.state.project = None
    if project is not None:
        from scrubjay.review.project import Project
        from scrubjay.web import comparing, downloads, review, teaching
        from scrubjay.web.projects import NamelessError

        app.state.project = project if isinstance(project, Project) else Project.open(project)
        app.state.document_ids = {}
        app.state.ranking = teaching.Ranking()
        app.add_exception_handler(NamelessError, _ask_name)
        for room in (comparing, teaching, downloads, review):
            app.include_router(room.router)


async def _show_problem(request: Request, error: Exception) -> Response:
    """Return a problem as JSON, or as a page to a browser that asked for one."""
    assert isinstance(error, HTTPException)
    problem = problem_of(error)
    if "text/html" not in request.headers.get("accept", ""):
        return problem.response()
    title = KINDS[problem.code].title
    detail = problem.detail if problem.detail != title else ""
    return render(
        request,
        "error.html",
        status=problem.status_code,
        title=title,
        detail=detail,
        hint=problem.hint,
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
