"""Marks of a project as files to download, in any format of corpora."""

from __future__ import annotations

import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from scrubjay.corpora import FORMATS
from scrubjay.review.exporting import PASSING
from scrubjay.review.project import Project
from scrubjay.web.problems import Problem
from scrubjay.web.projects import ask, project_of, require_name

router = APIRouter(prefix="/project", include_in_schema=False)


@router.get("/export")
async def export(request: Request) -> Response:
    """Return documents and marks as a zip file; somebody's marks go to nobody else."""
    name = await require_name(request)
    whose = request.query_params.get("whose", "accepted")
    format = request.query_params.get("format", "jsonl")
    if format not in FORMATS:
        raise Problem("invalid-request", "There is no such format")
    if whose not in ("accepted", "adjudicated", name):
        raise Problem("not-found", "Only your own marks and final ones can be exported here")
    content = await ask(_pack, project_of(request), format, whose)
    return Response(
        content,
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="marks-{format}.zip"'},
    )


def _pack(project: Project, format: str, whose: str) -> bytes:
    packed = BytesIO()
    # Texts lie on a disk meanwhile: where those of the project do, not in a folder of all users.
    with tempfile.TemporaryDirectory(prefix=PASSING, dir=project.folder) as folder:
        out = Path(folder) / "marks"
        project.export(out, format=format, whose=whose)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            files = [out] if out.is_file() else sorted(p for p in out.rglob("*") if p.is_file())
            for path in files:
                archive.write(path, path.relative_to(folder))
    return packed.getvalue()
