"""The pages: templates, styles and scripts, all of them here, so that no browser asks elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from scrubjay.web.service import Service

FOLDER = Path(__file__).parent


def install(app: FastAPI, service: Service, *, project: Any = None) -> None:
    """Add the pages to an app: the playground, and those of a project if there is one."""
    from scrubjay.web import playground, signing

    app.mount("/static/vendor", _Files(directory=FOLDER / "vendor"))
    app.mount("/static", _Files(directory=FOLDER / "static"))
    app.include_router(signing.router)
    app.include_router(playground.router)


class _Files(StaticFiles):
    """Files that a browser may keep, if it asks each time whether they are still the same."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response
