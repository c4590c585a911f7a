"""The pages of a project to annotate: who you are, the list of documents, and one document."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from scrubjay.corpora import FORMATS
from scrubjay.errors import StateError
from scrubjay.evaluation.agreement import AgreementReport
from scrubjay.review.marks import OnOverlap, encode_marks, parse_action
from scrubjay.review.project import Project
from scrubjay.review.records import Applied, Version
from scrubjay.web.bodies import read_form, read_json
from scrubjay.web.invalid import parse_json
from scrubjay.web.problems import Problem
from scrubjay.web.projects import (
    ask,
    find_document,
    find_name,
    paragraphs,
    project_of,
    require_name,
    set_name,
    tell,
)
from scrubjay.web.rendering import label_looks, looks_json, render

router = APIRouter(prefix="/project", include_in_schema=False)
DOCUMENT = "/documents/{number:int}"


@router.get("/name")
async def show_names(request: Request) -> Response:
    """Ask who is there."""
    names = await ask(project_of(request).annotators)
    name = await find_name(request)
    return render(
        request,
        "name.html",
        annotator=name,
        names=names,
        wrong="",
        fixed=bool(request.state.caller),
    )


@router.post("/name")
async def take_name(request: Request) -> Response:
    """Take a name that is there, or a new one; asks again where it cannot be one."""
    project = project_of(request)
    if request.state.caller:
        return RedirectResponse("/project", 303)
    name = (await read_form(request)).get("name", "").strip()
    try:
        await ask(project.add_annotator, name)
    except Problem as problem:
        names = await ask(project.annotators)
        return render(
            request, "name.html", status=422, names=names, wrong=problem.detail, fixed=False
        )
    response = RedirectResponse("/project", 303)
    set_name(request, response, name)
    return response


@router.get("")
async def show_documents(request: Request) -> Response:
    """Show the list of documents, with what is theirs to do for who asks."""
    project, name = project_of(request), await require_name(request)
    return render(
        request,
        "project.html",
        annotator=name,
        info=await ask(project.info),
        documents=await ask(project.documents, annotator=name),
        candidate=await ask(_next_number, project, name),
        formats=[format for format in FORMATS if format != "text"],
    )


@router.get("/progress")
async def show_progress(request: Request) -> Response:
    """Show how far everybody is and how far they agree, as a part of a page."""
    project, name = project_of(request), await require_name(request)
    return render(
        request,
        "_progress.html",
        annotator=name,
        progress=await ask(project.progress),
        agreement=await ask(_agreement, project),
    )


@router.get("/next")
async def go_on(request: Request) -> Response:
    """Lead to the document to do next, or to the list where all are done."""
    project, name = project_of(request), await require_name(request)
    number = await ask(_next_number, project, name)
    return RedirectResponse("/project" if number is None else f"/project/documents/{number}", 303)


@router.post(DOCUMENT + "/shown")
async def switch_shown(request: Request, number: int) -> Response:
    """Show or hide the suggestions of a document to whoever begins it."""
    project, name = project_of(request), await require_name(request)
    row = await find_document(request, number, annotator=name)
    shown = (await read_form(request)).get("shown") == "on"
    await ask(project.set_shown, [row.id], shown=shown)
    row = await find_document(request, number, annotator=name)
    return render(request, "_shown.html", annotator=name, row=row)


@router.get(DOCUMENT)
async def show_document(request: Request, number: int) -> Response:
    """Show the page to annotate a document."""
    project, name = project_of(request), await require_name(request)
    row = await find_document(request, number, annotator=name)
    looks = label_looks(await ask(lambda: project.label_set))
    rows = await ask(project.documents, annotator=name)
    return render(
        request,
        "annotate.html",
        annotator=name,
        row=row,
        looks=looks,
        data={"labels": looks_json(looks), "address": f"/project/documents/{number}"},
        guidelines=paragraphs(await ask(project.guidelines)),
        finished=sum(1 for one in rows if one.mine == "done"),
        total=len(rows),
    )


@router.get(DOCUMENT + "/text")
async def tell_text(request: Request, number: int) -> Response:
    """Return the text of a document and the marks, which are begun by it."""
    project, name = project_of(request), await require_name(request)
    row = await find_document(request, number, annotator=name)
    try:
        version = await ask(project.begin, row.id, name)
    except Problem:
        version = await ask(project.version, row.id, name)  # decided on: to be looked at alone
    return tell({"text": await ask(project.text, row.id), "version": _version(version)})


@router.get(DOCUMENT + "/version")
async def tell_version(request: Request, number: int) -> Response:
    """Return the marks."""
    project, name = project_of(request), await require_name(request)
    row = await find_document(request, number, annotator=name)
    return tell({"version": _version(await ask(project.version, row.id, name))})


@router.post(DOCUMENT + "/{step}")
async def change(request: Request, number: int, step: str) -> Response:
    """Do one step with the marks of who asks, and return the marks after it."""
    project, name = project_of(request), await require_name(request)
    row = await find_document(request, number, annotator=name)
    if step == "edit":
        told = await _read_edit(request)
        revision = told.pop("revision")
        action = await ask(parse_action, told)
        replaces: OnOverlap = "replace" if told["action"] == "add" else "refuse"
        version = await ask(
            project.edit, row.id, name, action, revision=revision, on_overlap=replaces
        )
        return tell({"version": _version(version)})
    if step in ("undo", "redo", "finish"):
        revision = (await read_json(request, {"revision": int}))["revision"]
        work = {"undo": project.undo, "redo": project.redo, "finish": project.finish}[step]
        version = await ask(work, row.id, name, revision=revision)
        following = await ask(_next_number, project, name) if step == "finish" else None
        return tell({"version": _version(version), "next": following})
    if step == "reopen":
        await read_json(request, {})
        return tell({"version": _version(await ask(project.reopen, row.id, name))})
    if step == "seconds":
        told = await read_json(request, {"seconds": (int, float)})
        await ask(project.spend, row.id, name, told["seconds"])
        return tell({})
    if step in ("same", "undo-batch"):
        applied = await _apply(request, project, row.id, name, step)
        version = await ask(project.version, row.id, name)
        return tell({"version": _version(version), "applied": _applied(applied)})
    raise Problem("not-found")


async def _read_edit(request: Request) -> Any:
    told = parse_json(await request.body())
    if not isinstance(told, dict) or type(told.get("revision")) is not int:
        raise Problem("invalid-request", "An edit has an action and a revision")
    return told


async def _apply(
    request: Request, project: Project, document: str, name: str, step: str
) -> Applied:
    if step == "undo-batch":
        told = await read_json(request, {"batch": str})
        return await ask(project.undo_batch, name, told["batch"])
    told = await read_json(
        request,
        {"start": int, "end": int, "label": (str, type(None)), "everywhere": bool, "revision": int},
    )
    return await ask(
        project.mark_same, document, name, told["start"], told["end"], label=told["label"],
        revision=told["revision"], scope="project" if told["everywhere"] else "document",
    )  # fmt: skip


def _version(version: Version) -> dict[str, Any]:
    return {
        "revision": version.revision,
        "state": version.state,
        "marks": encode_marks(version.marks),
        "can_undo": version.can_undo,
        "can_redo": version.can_redo,
        "shown": version.shown,
        "seconds": version.seconds,
    }


def _applied(applied: Applied) -> dict[str, Any]:
    return {
        "batch": applied.batch,
        "documents": len(applied.documents),
        "places": applied.places,
        "skipped": applied.skipped,
        "closed": applied.closed,
    }


def _next_number(project: Project, name: str) -> int | None:
    candidate = project.next(name)
    return None if candidate is None else candidate.number


def _agreement(project: Project) -> AgreementReport | None:
    try:
        return project.deciding.agreement()
    except StateError:
        return None
