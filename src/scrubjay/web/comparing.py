"""The pages to adjudicate: documents that annotators disagree about, and one with its differences.

Whose marks are whose is shown only here, and only when all have finished the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from scrubjay.document import Span
from scrubjay.review.project import Project
from scrubjay.review.records import Difference, DocumentRow
from scrubjay.web.bodies import read_form
from scrubjay.web.problems import Problem
from scrubjay.web.projects import ask, find_document, project_of, require_name
from scrubjay.web.rendering import label_looks, render

router = APIRouter(prefix="/project/adjudicate", include_in_schema=False)

CONTEXT = 80
"""Characters shown on either side of a difference."""

_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True, repr=False)
class Piece:
    """A part of an excerpt: its text, and the label that it is marked with, "" for none.

    `disputed` tells whether it is what the annotators differ about.
    """

    text: str
    label: str = ""
    disputed: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Word:
    """A word that somebody's own mark may begin or end with."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A difference as it is shown: each side as an excerpt, and the words for an own mark."""

    number: int
    difference: Difference
    sides: tuple[tuple[str, tuple[Piece, ...]], ...]
    own: tuple[Piece, ...]
    words: tuple[Word, ...]


@router.get("")
async def show_list(request: Request) -> Response:
    """List the documents that all have finished: disputed ones, then the others."""
    project, name = project_of(request), await require_name(request)
    rows = [row for row in await ask(project.documents) if row.state in ("done", "adjudicated")]
    disputed = [row for row in rows if row.state == "done" and not row.accepted]
    settled = [row for row in rows if row not in disputed]
    return render(request, "disputes.html", annotator=name, disputed=disputed, settled=settled)


@router.get("/{number:int}")
async def show_document(request: Request, number: int) -> Response:
    """Show the differences of a document side by side."""
    name = await require_name(request)
    row = await find_document(request, number)
    return await _render(request, row, name, template="adjudicate.html")


@router.post("/{number:int}/decide")
async def decide(request: Request, number: int) -> Response:
    """Decide one difference and return all of them, as a part of the page."""
    project, name = project_of(request), await require_name(request)
    row = await find_document(request, number)
    form = await read_form(request)
    start, end = _whole(form, "start"), _whole(form, "end")
    choice = form.get("choice", "")
    marks: list[Span] = []
    if choice == "own":
        label = form.get("label", "")
        first, last = _whole(form, "first"), _whole(form, "last")
        if not first < last:
            raise Problem("bad-offsets", "The mark ends before it begins")
        marks = [Span(first, last, label, source=name)]
    await ask(project.deciding.decide, row.id, start, end, choice, decider=name, marks=marks)
    return await _render(request, row, name, template="_differences.html")


@router.post("/{number:int}/finish")
async def finish(request: Request, number: int) -> Response:
    """Make the final marks of a document and go back to the list."""
    project, name = project_of(request), await require_name(request)
    row = await find_document(request, number)
    await ask(project.deciding.adjudicate, row.id, decider=name)
    return RedirectResponse("/project/adjudicate", 303)


@router.post("/{number:int}/withdraw")
async def withdraw(request: Request, number: int) -> Response:
    """Take the final marks of a document back and show it."""
    project = project_of(request)
    await require_name(request)
    row = await find_document(request, number)
    await ask(project.deciding.withdraw, row.id)
    return RedirectResponse(f"/project/adjudicate/{number}", 303)


async def _render(request: Request, row: DocumentRow, name: str, *, template: str) -> Response:
    project = project_of(request)
    looks = label_looks(await ask(lambda: project.label_set))
    cards = await ask(_cards, project, row)
    return render(
        request,
        template,
        annotator=name,
        row=row,
        cards=cards,
        looks=looks,
        colours={look.name: look.colour for look in looks},
        decided=sum(bool(card.difference.choice) for card in cards),
    )


def _cards(project: Project, row: DocumentRow) -> list[Card]:
    differences = project.deciding.differences(row.id)
    text = project.text(row.id)
    marks = {version.annotator: version.marks for version in project.deciding.versions(row.id)}
    return [
        _card(number, difference, text, marks)
        for number, difference in enumerate(differences, start=1)
    ]


def _card(
    number: int, difference: Difference, text: str, marks: dict[str, tuple[Span, ...]]
) -> Card:
    begin = _border(text, difference.start - CONTEXT, difference.start)
    stop = _border(text, difference.end, difference.end + CONTEXT, last=True)
    sides = tuple(
        (side.annotator, tuple(_pieces(text, (begin, stop), marks[side.annotator], difference)))
        for side in difference.sides
    )
    near = max(begin, difference.start - 40), min(stop, difference.end + 40)
    words = tuple(
        Word(near[0] + found.start(), near[0] + found.end(), found[0])
        for found in _WORD.finditer(text[near[0] : near[1]])
    )
    own: tuple[Piece, ...] = ()
    if difference.choice == "own":
        own = tuple(_pieces(text, (begin, stop), difference.marks, difference))
    return Card(number, difference, sides, own, words)


def _border(text: str, low: int, high: int, *, last: bool = False) -> int:
    """Return where an excerpt begins, or ends: within a stretch, at a space where there is one."""
    low, high = max(0, low), min(len(text), high)
    if (high == len(text) and last) or (low == 0 and not last):
        return high if last else low
    space = text.rfind(" ", low, high) if last else text.find(" ", low, high)
    return (high if last else low) if space < 0 else space + (0 if last else 1)


def _pieces(
    text: str, borders: tuple[int, int], marks: Sequence[Span], difference: Difference
) -> Iterator[Piece]:
    place, stop = borders
    for mark in marks:
        start, end = max(mark.start, place), min(mark.end, stop)
        if start >= end:
            continue
        yield from _bare(text, place, start, difference)
        disputed = start < difference.end and difference.start < end
        yield Piece(text[start:end], mark.label, disputed)
        place = end
    yield from _bare(text, place, stop, difference)


def _bare(text: str, start: int, end: int, difference: Difference) -> Iterator[Piece]:
    """Yield text without marks; what others marked in it is a piece of its own."""
    cuts = [start, *(c for c in (difference.start, difference.end) if start < c < end), end]
    for low, high in pairwise(cuts):
        if low < high:
            inside = difference.start <= low and high <= difference.end
            yield Piece(text[low:high], disputed=inside and bool(text[low:high].strip()))


def _whole(form: dict[str, str], name: str) -> int:
    value = form.get(name, "")
    if not (value.isdecimal() and len(value) < 16):
        raise Problem("invalid-request", f"The field {name} is no whole number")
    return int(value)
