"""The pages of learning, where a model is retrained on what was accepted, and of the audit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from scrubjay.review.learn import LEAST_DOCUMENTS
from scrubjay.review.records import CurvePoint
from scrubjay.web.problems import Problem
from scrubjay.web.projects import ask, project_of, require_name
from scrubjay.web.rendering import render

router = APIRouter(prefix="/project", include_in_schema=False)

WIDTH, HEIGHT, LEFT, BOTTOM = 560, 240, 44, 30


@dataclass(slots=True)
class Ranking:
    """The ordering of documents that goes on beside the requests, if any."""

    task: asyncio.Task[None] | None = None
    told: str = ""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def is_busy(self) -> bool:
        """Tell whether documents are being looked at."""
        return self.task is not None and not self.task.done()


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the plot: its name, its points for SVG, and each as place and figure."""

    name: str
    path: str
    dots: tuple[tuple[float, float, str], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """The curve as it is drawn; `ticks` and `marks` are places and words of the two axes."""

    lines: tuple[Line, ...]
    ticks: tuple[tuple[float, str], ...]
    marks: tuple[tuple[float, str], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    bottom: int = HEIGHT - BOTTOM


@router.get("/learn")
async def show_learning(request: Request) -> Response:
    """Show what is learned from, the runs and their curve."""
    return await _render(request, "learn.html")


@router.get("/learn/status")
async def show_status(request: Request) -> Response:
    """Show the runs and their curve, as a part of the page."""
    return await _render(request, "_learn.html")


@router.post("/learn/{step}")
async def learn(request: Request, step: str) -> Response:
    """Order the documents, or begin a run, and return the part of the page."""
    project = project_of(request)
    await require_name(request)
    with _conflicts() as told:
        if step == "rank":
            _rank(request)
        elif step == "start":
            await ask(project.retraining.start, background=True)
        else:
            raise Problem("not-found")
    return await _render(request, "_learn.html", wrong="".join(told))


@router.post("/learn/runs/{number:int}/{step}")
async def change_run(request: Request, number: int, step: str) -> Response:
    """Stop a run, go on with it, or choose its model, and return the part of the page."""
    project = project_of(request)
    await require_name(request)
    with _conflicts() as told:
        if step == "cancel":
            await ask(project.retraining.cancel, number)
        elif step == "resume":
            await ask(project.retraining.resume, number, background=True)
        elif step == "choose":
            await ask(project.retraining.choose, number)
        else:
            raise Problem("not-found")
    return await _render(request, "_learn.html", wrong="".join(told))


@contextmanager
def _conflicts() -> Iterator[list[str]]:
    """Give a list of why a step cannot be done now, for the page; other problems are raised."""
    told: list[str] = []
    try:
        yield told
    except Problem as problem:
        if problem.code != "conflict":
            raise
        told.append(problem.detail)


@router.get("/audit")
async def show_audit(request: Request) -> Response:
    """Show what the reviewed part of the sample allows to claim."""
    return render(request, "audit.html", annotator=await require_name(request))


@router.get("/audit/figures")
async def show_figures(request: Request) -> Response:
    """Show the figures of the audit, as a part of the page."""
    name = await require_name(request)
    audit = await ask(project_of(request).auditing.progress)
    return render(request, "_audit.html", annotator=name, audit=audit)


@router.get("/audit/next")
async def go_on() -> Response:
    """Lead to the document to review next."""
    return RedirectResponse("/project/next", 303)


def _rank(request: Request) -> None:
    """Order the documents beside the requests; nothing happens while that goes on."""
    ranking: Ranking = request.app.state.ranking
    if ranking.is_busy:
        return
    project = project_of(request)

    async def work() -> None:
        ranking.told = "Documents are being looked at…"
        try:
            number = await ask(project.rank)
            ranking.told = f"Ordered; {number} documents were looked at anew."
        except Problem as problem:
            ranking.told = problem.detail
        except Exception as error:
            ranking.told = f"The documents could not be ordered ({type(error).__name__})."

    ranking.task = asyncio.get_running_loop().create_task(work())


async def _render(request: Request, template: str, *, wrong: str = "") -> Response:
    project, name = project_of(request), await require_name(request)
    ranking: Ranking = request.app.state.ranking
    runs = await ask(project.retraining.runs)
    busy = any(run.state in ("waiting", "running") for run in runs) or ranking.is_busy
    return render(
        request,
        template,
        annotator=name,
        info=await ask(project.info),
        progress=await ask(project.progress),
        savings=await ask(project.savings),
        runs=tuple(reversed(runs)),
        plot=plot_curve(await ask(project.retraining.curve)),
        upcoming=await ask(project.upcoming, name),
        ranking=ranking,
        busy=busy,
        least=LEAST_DOCUMENTS,
        wrong=wrong,
    )


def plot_curve(points: Sequence[CurvePoint]) -> Plot | None:
    """Return the curve to draw, None without two points."""
    if len(points) < 2:
        return None
    values = [v for p in points for v in (p.f1, p.token_recall) if v is not None]
    if not values:
        return None
    floor = min(0.9, int(min(values) * 10) / 10)
    most = max(point.train for point in points) or 1
    right = WIDTH - 110

    def place(point: CurvePoint, value: float) -> tuple[float, float]:
        x = LEFT + 10 + (right - LEFT - 10) * point.train / most
        y = 14 + (HEIGHT - BOTTOM - 14) * (1 - (value - floor) / (1 - floor))
        return round(x, 1), round(y, 1)

    lines = []
    for name, attribute in (("f1", "f1"), ("recall", "token_recall")):
        told: list[tuple[CurvePoint, Any]] = [(p, getattr(p, attribute)) for p in points]
        dots = tuple((*place(p, v), f"{v:.3f}") for p, v in told if v is not None)
        lines.append(Line(name, " ".join(f"{x},{y}" for x, y, _ in dots), dots))
    shares = [floor + (1 - floor) * step / 4 for step in range(5)]
    ticks = tuple(
        (round(14 + (HEIGHT - BOTTOM - 14) * (1 - step / 4), 1), f"{share:.3g}")
        for step, share in enumerate(shares)
    )
    marks = tuple(
        {point.train: (place(point, 1.0)[0], str(point.train)) for point in points}.values()
    )
    return Plot(tuple(lines), ticks, marks)
