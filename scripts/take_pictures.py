"""Take the pictures of the pages in docs/pictures, with a browser, of invented notes alone.

    python scripts/take_pictures.py [--out docs/pictures] [--chromium /usr/bin/chromium]

It makes a project of the notes in examples/ and of synthetic ones, lets two made-up annotators
work on it and a model learn from it, so it takes a few minutes. `--only NAME` takes one picture.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scrubjay.document import Document
from scrubjay.models import load_model
from scrubjay.review.learn import LearnRequest
from scrubjay.review.marks import Action, Delete, Relabel
from scrubjay.review.project import Project
from scrubjay.synthesis.generation import generate

ROOT = Path(__file__).resolve().parent.parent
NOTES = ROOT / "examples" / "en"
MOST_BYTES = 150_000
GUIDELINES = """# What to mark

Mark every name, date, place and number that tells who somebody is.

- Titles such as *Dr.* stay outside of a name.
- Ages are marked, all of them.
- Names of drugs and diseases are no PHI, even those of people.
"""


def make_project(folder: Path) -> Project:
    """Make a project of the example notes, with the suggestions of a model."""
    project = Project.create(folder, name="Ward notes", guidelines=GUIDELINES)
    project.import_corpus([NOTES])
    for name in ("ana", "ben"):
        project.add_annotator(name)
    project.prelabel("en-fast")
    return project


def disagree(project: Project, document: str) -> None:
    """Let both finish a document, each with some changes of their own."""
    for name in project.annotators():
        version = project.begin(document, name)
        by_label = {mark.label: mark for mark in reversed(version.marks)}
        changes: list[Action] = [Delete(by_label["CITY"])]
        if name == "ana":
            hospital = by_label["HOSPITAL"]
            changes = [Relabel(hospital, "ORGANIZATION"), Delete(by_label["DOCTOR"])]
        for change in changes:
            version = project.edit(document, name, change, revision=version.revision)
        project.spend(document, name, 74.0 if name == "ana" else 91.0)
        project.finish(document, name, revision=version.revision)


def teach(project: Project, *, rounds: int) -> None:
    """Let both agree on synthetic notes, and a model learn from them, some at a time."""
    notes = list(generate("en", 12 * rounds, seed=7))
    for number in range(rounds):
        part = [
            Document(f"synthetic-{number}-{place}", note.text, note.spans)
            for place, note in enumerate(notes[12 * number : 12 * (number + 1)])
        ]
        project.import_documents(part, spans="suggest")
        for note in part:
            for name in project.annotators():
                version = project.begin(note.id, name)
                project.finish(note.id, name, revision=version.revision)
        project.retraining.start(LearnRequest(base="en-fast", dev_share=0.3, folds=2))


@contextmanager
def serving(project: Project) -> Iterator[str]:
    """Serve a project, and give its address."""
    import uvicorn

    from scrubjay.web.app import create_app
    from scrubjay.web.service import Service, Settings

    with Service(["en-fast", "es"], settings=Settings(workers=0)) as service:
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(create_app(service, project=project), log_level="error", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(30)
        listener.close()


def playground(page: Any, base: str) -> None:
    """Show a note with the reason of one mark."""
    page.goto(base + "/")
    page.locator("#example").select_option(label="Home visit (en)")
    page.wait_for_selector("#marked mark")
    page.locator("#marked mark").nth(2).click()


def annotate(page: Any, base: str) -> None:
    """Show a note with one mark chosen and the menu of labels."""
    page.goto(base + "/project/documents/2")
    page.wait_for_selector("#text[data-ready]")
    for _ in range(4):  # the menu opens where it leaves most of the note to see
        page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("#menu:popover-open")


def adjudicate(page: Any, base: str) -> None:
    """Show the differences of a note, one decided."""
    page.goto(base + "/project/adjudicate/5")
    page.locator(".difference button[data-key='1']").first.click()
    page.wait_for_selector(".difference.decided")
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")


def learn(page: Any, base: str) -> None:
    """Show what was learned."""
    page.goto(base + "/project/learn")


PICTURES: dict[str, Callable[[Any, str], None]] = {
    "playground": playground,
    "annotate": annotate,
    "adjudicate": adjudicate,
    "learn": learn,
}


def take(out: Path, base: str, *, chromium: str, names: list[str], scheme: str, width: int) -> None:
    """Write the pictures; raises `SystemExit` for one that is too large."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        view: Any = {"viewport": {"width": width, "height": 720}, "color_scheme": scheme}
        context = browser.new_context(**view)
        context.set_default_timeout(120_000)
        context.add_cookies([{"name": "scrubjay_annotator", "value": "ana", "url": base}])
        page = context.new_page()
        for name in names:
            PICTURES[name](page, base)
            page.wait_for_load_state("networkidle")
            path = out / f"{name}.png"
            page.screenshot(path=path)
            if path.stat().st_size > MOST_BYTES:
                raise SystemExit(f"{path} has more than {MOST_BYTES} bytes")
            print(path.name, path.stat().st_size)  # noqa: T201
        browser.close()


def main() -> None:
    """Take the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "/usr/bin/chromium")
    parser.add_argument("--only", choices=list(PICTURES))
    parser.add_argument("--scheme", choices=["light", "dark"], default="light")
    parser.add_argument("--width", type=int, default=1180)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    names = [given.only] if given.only else list(PICTURES)
    load_model("en-fast")  # fails early where it is missing
    with tempfile.TemporaryDirectory() as folder, make_project(Path(folder) / "ward") as project:
        disagree(project, "travel-clinic")
        if "learn" in names:
            teach(project, rounds=3)
        with serving(project) as base:
            take(
                given.out, base, chromium=given.chromium, names=names, scheme=given.scheme,
                width=given.width,
            )  # fmt: skip


if __name__ == "__main__":
    main()
