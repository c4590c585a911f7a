"""What the pages of a project share: who asks, which document, and errors as problems."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar
from urllib.parse import quote, unquote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from scrubjay.errors import (
    BlindError,
    ConfigError,
    ConflictError,
    InputError,
    LabelError,
    NotFoundError,
    ProjectBusyError,
    ScrubjayError,
    SpanError,
    StateError,
)
from scrubjay.review.project import Project
from scrubjay.review.records import DocumentRow
from scrubjay.web.gate import is_over_tls
from scrubjay.web.problems import Problem

P = ParamSpec("P")
T = TypeVar("T")

_EMPHASIS = re.compile(r"(?<!\w)(\*\*|\*|__|_|`)(\S(?:.*?\S)?)\1(?!\w)")

NAME_COOKIE = "scrubjay_annotator"

_CODES: Mapping[type[ScrubjayError], str] = {
    NotFoundError: "not-found",
    ConflictError: "conflict",
    StateError: "conflict",
    BlindError: "conflict",
    ProjectBusyError: "queue-timeout",
    SpanError: "bad-offsets",
    LabelError: "unknown-label",
    InputError: "invalid-request",
    ConfigError: "conflict",  # of the project: it has no model to learn with, say
}


class NamelessError(Exception):
    """Nobody said who they are: the browser is sent to the page that asks."""


async def ask(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a function of a project gives, run beside the event loop; errors as `Problem`."""
    try:
        return await run_in_threadpool(function, *args, **kwargs)
    except ScrubjayError as error:
        code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), None)
        if code is None:
            raise
        raise Problem(code, str(error)) from None


def project_of(request: Request) -> Project:
    """Return the project that is served."""
    project = request.app.state.project
    assert isinstance(project, Project)
    return project


async def find_name(request: Request) -> str:
    """Return who asks: the name of their token, or the one they chose; "" for neither.

    Where tokens are asked for nobody can take another's name, so that marks stay blind.
    """
    caller: str = request.state.caller
    if caller:
        await ask(project_of(request).add_annotator, caller)
        return caller
    name = unquote(request.cookies.get(NAME_COOKIE, ""))
    return name if name in await ask(project_of(request).annotators) else ""


async def require_name(request: Request) -> str:
    """Return who asks; raises `NamelessError` for nobody."""
    name = await find_name(request)
    if not name:
        raise NamelessError
    return name


def set_name(request: Request, response: Response, name: str) -> None:
    """Let a browser keep a name."""
    response.set_cookie(
        NAME_COOKIE,
        quote(name),
        max_age=30 * 86400,
        httponly=True,
        samesite="strict",
        secure=is_over_tls(request),
    )


async def find_document(request: Request, number: int, *, annotator: str = "") -> DocumentRow:
    """Return the line of a document by its number; raises `Problem` where there is none."""
    project = project_of(request)
    known: dict[int, str] = request.app.state.document_ids
    if number not in known:
        # Documents are only ever added, so what is known stays true.
        known.update({row.number: row.id for row in await ask(project.documents)})
    if number not in known:
        raise Problem("not-found", "There is no such document")
    return await ask(project.document, known[number], annotator=annotator or None)


def tell(value: Any) -> Response:
    """Return a value as JSON; characters beyond ASCII are escaped, so that any text fits."""
    return Response(json.dumps(value), media_type="application/json")


def paragraphs(markdown: str) -> list[tuple[str, str]]:
    """Return guidelines as parts of a page: kind ("head", "item" or "text") and text.

    Of Markdown only headings, lists and paragraphs are known; everything else stays as it is.
    """
    parts: list[tuple[str, str]] = []
    for block in re.split(r"\n\s*\n", markdown.strip()):
        text: list[str] = []
        for line in block.splitlines():
            head, item = re.match(r"#{1,6}\s+(.*)", line), re.match(r"\s*[-*]\s+(.*)", line)
            if head or item:
                if text:
                    parts.append(("text", " ".join(text)))
                    text = []
                found = head or item
                assert found is not None
                parts.append(("head" if head else "item", found[1]))
            elif line.strip() and parts and parts[-1][0] == "item" and line[:1].isspace():
                parts[-1] = ("item", f"{parts[-1][1]} {line.strip()}")
            elif line.strip():
                text.append(line.strip())
        if text:
            parts.append(("text", " ".join(text)))
    return [(kind, _EMPHASIS.sub(r"\2", text)) for kind, text in parts]
