"""A browser and a server for tests of the pages: Chromium by Playwright, uvicorn in a thread."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from scrubjay.document import Document, Span
from scrubjay.review.project import Project
from scrubjay.taggers.regex import save_regex_model

pytest.importorskip("playwright", reason="the tests in a browser need playwright")
pytest.importorskip("uvicorn", reason="the service is an extra")

PATIENCE = 60_000
"""Milliseconds that a browser waits for anything; a loaded machine is slow."""

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
NOTE = (
    "Visit of 3/4/2019\n"
    "Ana Lopez, 54, was seen by Dr. Ruth Castle in Springfield.\n"
    "Phone 555-0142. Ana Lopez will call Dr. Castle.\n"
)
ASTRAL = (
    "\U0001f600 Zoë \U0001d400\U0001d401 of Żary \U0001f468\u200d\U0001f469\u200d\U0001f467 "
    "lives in Łódź.\n"
)
HEBREW = "המטופל דוד לוי נבדק ב-3/4/2019 אצל Dr. Castle.\nשורה שנייה: חיפה.\n"


def expect(locator: Any) -> Any:
    """Return what waits until something is true of a part of a page."""
    from playwright.sync_api import expect

    return expect(locator)


def find_chromium() -> str | None:
    """Return the path of a Chromium on this machine, if there is one."""
    named = os.environ.get("SCRUBJAY_CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def running_browser() -> Iterator[Any]:
    """Run a browser; skips where there is none, or none that starts unless it was named."""
    from playwright.sync_api import Error, expect, sync_playwright

    path = find_chromium()
    if path is None:
        pytest.skip("there is no chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            # Containers often have 64 MB of /dev/shm, too little for a long note.
            browser = playwright.chromium.launch(
                executable_path=path,
                args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
                timeout=120_000,
            )
        except Error:
            if "SCRUBJAY_CHROMIUM" in os.environ:
                raise
            pytest.skip("chromium does not start here")
        try:
            yield browser
        finally:
            browser.close()


@dataclass(frozen=True)
class Served:
    """A service that runs: its address, and its app."""

    base: str
    app: Any

    def serve(self, project: Project) -> None:
        """Serve another project from here on."""
        self.app.state.project = project
        self.app.state.document_ids.clear()


@contextmanager
def running_service(
    models: Path, project: Project | None = None, *, tokens: Path | None = None
) -> Iterator[Served]:
    """Run the service with the model of patterns, which is kept in a folder."""
    import uvicorn

    from scrubjay.web.app import create_app
    from scrubjay.web.service import Service, Settings
    from scrubjay.web.tokens import TokenFile

    folder = models / "patterns"
    if not folder.exists():
        save_regex_model(folder, "en", label_set="i2b2-2014")
    known = None if tokens is None else TokenFile(tokens)
    with Service([str(folder)], settings=Settings(workers=0), tokens=known) as service:
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        app = create_app(service, project=project)
        config = uvicorn.Config(
            app, log_level="error", ws="none", lifespan="off", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            _wait(lambda: server.started)
            yield Served(f"http://127.0.0.1:{listener.getsockname()[1]}", app)
        finally:
            server.should_exit = True
            thread.join(60)
            listener.close()


def _wait(ready: Any) -> None:
    end = time.monotonic() + 120
    while not ready():
        assert time.monotonic() < end, "the service did not start"
        time.sleep(0.02)


def make_project(folder: Path) -> Project:
    """Make a project of three short notes with suggestions in the first, and two annotators."""
    project = Project.create(
        folder, name="Ward notes", guidelines="# Names\n\nMark *every* name.\n\n- Titles stay out."
    )
    spans = (span("DATE", "3/4/2019"), span("PATIENT", "Ana Lopez"), span("DOCTOR", "Ruth"))
    project.import_documents(
        [
            Document("first", NOTE, spans),
            Document("astral", ASTRAL),
            Document("hebrew", HEBREW),
        ]
    )
    for name in ("ana", "ben"):
        project.add_annotator(name)
    return project


def span(label: str, words: str, *, text: str = NOTE, nth: int = 0) -> Span:
    """Return the span of some words of a text."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Span(start, start + len(words), label)


@dataclass
class Visit:
    """A page of somebody's, and what went wrong in it."""

    page: Any
    base: str
    complaints: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    def go(self, path: str) -> Any:
        """Open a page of the service."""
        self.page.goto(self.base + path)
        return self.page

    def open_document(self, number: int) -> Any:
        """Open a document to annotate it."""
        from playwright.sync_api import expect

        page = self.go(f"/project/documents/{number}")
        expect(page.locator("#text[data-ready]")).to_be_visible()
        return page


@contextmanager
def visiting(browser: Any, base: str, *, name: str = "", **options: Any) -> Iterator[Visit]:
    """Open a window of its own, with a name in a project; fails for any error of its scripts."""
    options = {"viewport": {"width": 1280, "height": 800}} | options
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    if name:
        cookie = {"name": "scrubjay_annotator", "value": name, "url": base}
        context.add_cookies([cookie])
    visit = Visit(context.new_page(), base)
    visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    visit.page.on("console", lambda told: _hear(visit, told))
    visit.page.on("request", lambda request: visit.addresses.append(request.url))
    try:
        yield visit
        assert visit.complaints == []
        assert [url for url in visit.addresses if not url.startswith((base, "data:"))] == []
    finally:
        context.close()


def _hear(visit: Visit, told: Any) -> None:
    # A problem that the service answers with is shown to the user; browser and htmx say it again.
    again = ("Failed to load resource", "Response Status Error Code")
    if told.type == "error" and not told.text.startswith(again):
        visit.complaints.append(told.text)


def check_access(page: Any, *, only: str = "") -> list[str]:
    """Return what axe finds wrong with a page, by all its rules or one: rule, and the elements."""
    page.evaluate(AXE.read_text(encoding="utf-8") + "; undefined")
    found = page.evaluate(
        """async (only) => {
            const options = { resultTypes: ["violations"] };
            if (only) options.runOnly = [only];
            const { violations } = await axe.run(document, options);
            const places = (one) => one.nodes.map((node) => node.target.join(" ")).join(", ");
            return violations.map((one) => `${one.id}: ${places(one)}`);
        }""",
        only,
    )
    return list(found)


def drag_over(page: Any, words: str, *, nth: int = 0) -> None:
    """Select words in the text of a document with the mouse."""
    box = page.evaluate(
        """([words, nth]) => {
            const root = document.getElementById("text");
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            let node;
            let left = nth;
            while ((node = walker.nextNode())) {
                const at = node.data.indexOf(words);
                if (at < 0 || left-- > 0) continue;
                node.parentElement.scrollIntoView({ block: "center" });
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + words.length);
                const box = range.getBoundingClientRect();
                return [box.left, box.right, (box.top + box.bottom) / 2];
            }
            return null;
        }""",
        [words, nth],
    )
    assert box is not None, "the words are not in one node of the text"
    left, right, middle = box
    page.mouse.move(left + 0.5, middle)
    page.mouse.down()
    page.mouse.move((left + right) / 2, middle, steps=3)
    page.mouse.move(right - 0.25, middle, steps=3)
    page.mouse.up()
