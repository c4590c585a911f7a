"""The other pages in a browser: the playground, adjudication, learning, audit; and axe on all."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from scrubjay.document import Document
from scrubjay.review.marks import Add, Delete
from scrubjay.review.project import Project
from scrubjay.web.tokens import new_token
from tests.web.browser import (
    NOTE,
    Served,
    check_access,
    expect,
    running_service,
    span,
    visiting,
)

PLACES = (
    "/project",
    "/project/documents/1",
    "/project/adjudicate",
    "/project/adjudicate/1",
    "/project/learn",
    "/project/audit",
    "/nowhere",
)


@pytest.fixture
def disputed(project: Project) -> Project:
    """Finish the first document for two who differ in two places."""
    for name in ("ana", "ben"):
        version = project.begin("first", name)
        if name == "ben":
            for action in (Delete(span("DOCTOR", "Ruth")), Add(*_borders("Springfield"), "CITY")):
                version = project.edit("first", name, action, revision=version.revision)
        project.finish("first", name, revision=version.revision)
    return project


def _borders(words: str) -> tuple[int, int]:
    found = span("CITY", words)
    return found.start, found.end


def test_the_playground_shows_marks_reasons_and_output(browser: Any, served: Served) -> None:
    with visiting(browser, served.base) as visit:
        page = visit.go("/")
        page.locator("#run").click()
        expect(page.locator("#problem")).to_contain_text("no note yet")
        page.locator("#input").fill(f"\U0001f600 <b>&amp; {NOTE}")
        page.keyboard.press("Control+Enter")
        date = page.locator('#marked mark[data-label="DATE"]')
        expect(date).to_have_text("3/4/2019")
        expect(page.locator("#output")).to_contain_text("[DATE-1]")
        assert (
            page.locator("#marked")
            .evaluate("(root) => root.textContent")
            .startswith("\U0001f600 <b>&amp; ")
        )
        date.hover()
        expect(page.locator("#detail h3 q")).to_have_text("3/4/2019")
        expect(page.locator("#detail")).to_contain_text("pattern date")
        page.locator("#policy").select_option("mask")
        expect(page.locator("#policy-note")).to_have_text("Policy mask")
        assert "[DATE-1]" not in page.locator("#output").inner_text()
        page.locator("#marked").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#marked mark.current")).to_have_count(1)
        page.locator("#legend input").first.uncheck()
        expect(page.locator("#marked mark.dimmed").first).to_be_visible()
        assert check_access(page) == []
        page.locator("#edit").click()
        expect(page.locator("#input")).to_be_focused()


def test_the_playground_in_a_narrow_dark_window(browser: Any, served: Served) -> None:
    narrow = {"width": 390, "height": 844}
    with visiting(browser, served.base, viewport=narrow, color_scheme="dark") as visit:
        page = visit.go("/")
        page.locator("#example").select_option("1")
        expect(page.locator("#marked mark").first).to_be_visible()
        page.locator("#marked mark").first.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert check_access(page, only="color-contrast") == []
        expect(page.locator("#dial")).to_be_disabled()  # patterns have none


def test_differences_are_decided_side_by_side(
    browser: Any, served: Served, disputed: Project
) -> None:
    with visiting(browser, served.base, name="ana") as visit:
        page = visit.go("/project")
        page.get_by_role("link", name="1 document to adjudicate").click()
        page.get_by_role("link", name="first").click()
        expect(page.get_by_role("status")).to_have_text("0 of 2 decided")
        assert check_access(page) == []
        one, other = page.locator(".difference").first, page.locator(".difference").last
        expect(one.get_by_label("Marks of ana").locator('mark[data-label="DOCTOR"]')).to_have_text(
            "Ruth"
        )
        expect(one.get_by_label("Marks of ben").locator('mark[data-label="DOCTOR"]')).to_have_count(
            0
        )
        page.keyboard.press("1")
        expect(page.get_by_role("status")).to_have_text("1 of 2 decided")
        expect(other).to_be_focused()
        page.keyboard.press("0")
        expect(page.get_by_role("status")).to_have_text("2 of 2 decided")
        one.get_by_text("Own mark").click()
        one.locator("select[name=first]").select_option("Ruth")
        one.locator("select[name=last]").select_option("Castle")
        one.locator("select[name=label]").select_option("DOCTOR")
        one.get_by_role("button", name="Take it").click()
        expect(one.locator(".chosen mark[data-label=DOCTOR]")).to_have_text("Ruth Castle")
        page.get_by_role("button", name="Make the final marks").click()
        expect(page.get_by_text("adjudicated")).to_be_visible()
    gold = disputed.deciding.gold("first")
    assert gold is not None
    assert [(m.label, NOTE[m.start : m.end]) for m in gold.marks] == [
        ("DATE", "3/4/2019"),
        ("PATIENT", "Ana Lopez"),
        ("DOCTOR", "Ruth Castle"),
    ]


def test_nobody_sees_others_marks_before_all_are_done(
    browser: Any, served: Served, project: Project
) -> None:
    version = project.begin("first", "ben")
    project.finish("first", "ben", revision=version.revision)
    with visiting(browser, served.base, name="ana") as visit:
        page = visit.go("/project/adjudicate/1")
        expect(page.get_by_role("heading", name="does not fit")).to_be_visible()
        assert page.locator("mark").count() == 0
        answer = page.request.get(f"{served.base}/project/export?format=jsonl&whose=ben")
        assert answer.status == 404


def test_somebody_new_takes_a_name_and_a_document(
    browser: Any, served: Served, project: Project
) -> None:
    with visiting(browser, served.base) as visit:
        page = visit.go("/project/documents/1")
        page.wait_for_url("**/project/name")
        assert check_access(page) == []
        page.get_by_label("A new name").fill("no/name")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("alert")).to_contain_text("letters, digits")
        page.get_by_label("A new name").fill("Zoë Ray")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("You are Zoë Ray")).to_be_visible()
        page.wait_for_load_state()  # the text is there before the script that hears the click
        shown = page.get_by_label("Show suggestions of first")
        with page.expect_response("**/shown"):
            shown.uncheck()
        expect(shown).not_to_be_checked()
        expect(page.locator("form.shown")).to_have_count(1)
        page.get_by_role("link", name="Next document").click()
        expect(page.locator("#place")).to_have_text("0 marks")  # no suggestion was shown
    assert "Zoë Ray" in project.annotators()


def test_marks_are_downloaded(browser: Any, served: Served, project: Project) -> None:
    version = project.begin("first", "ana")
    project.finish("first", "ana", revision=version.revision)
    with visiting(browser, served.base, name="ana") as visit:
        page = visit.go("/project")
        page.locator("select[name=whose]").select_option("mine")
        page.locator("select[name=format]").select_option("brat")
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download").click()
        packed = zipfile.ZipFile(BytesIO(Path(waiting.value.path()).read_bytes()))
        (annotations,) = [name for name in packed.namelist() if name.endswith("first.ann")]
        assert b"PATIENT" in packed.read(annotations)


def test_the_learning_page_tells_what_is_missing(
    browser: Any, served: Served, project: Project
) -> None:
    with visiting(browser, served.base, name="ana") as visit:
        page = visit.go("/project/learn")
        page.get_by_role("button", name="Retrain").click()
        expect(page.get_by_role("alert")).to_contain_text("model")
        assert check_access(page) == []


def test_the_audit_shows_a_live_interval(browser: Any, served: Served, tmp_path: Path) -> None:
    from scrubjay.corpora import write_corpus

    notes = [Document(f"note-{n}", NOTE, (span("DATE", "3/4/2019"),)) for n in range(6)]
    write_corpus(notes, tmp_path / "run.jsonl", format="jsonl")
    with Project.create_audit(tmp_path / "audit", tmp_path / "run.jsonl", documents=4) as audit:
        audit.add_annotator("ana")
        served.serve(audit)
        with visiting(browser, served.base, name="ana") as visit:
            page = visit.go("/project/audit")
            expect(page.get_by_text("0 of 4")).to_be_visible()
            row = audit.next("ana")
            assert row is not None
            version = audit.begin(row.document, "ana")
            version = audit.edit(
                row.document,
                "ana",
                Add(*_borders("Springfield"), "CITY"),
                revision=version.revision,
            )
            audit.finish(row.document, "ana", revision=version.revision)
            expect(page.get_by_text("1 of 4")).to_be_visible()
            expect(page.get_by_role("img", name="Recall of mentions")).to_be_visible()
            expect(page.get_by_text("1 leaks")).to_be_visible()
            # No word of the picture is cut off at its border.
            outside = """(root) => [...root.querySelectorAll("text")].filter((word) => {
                const [own, all] = [word.getBBox(), root.viewBox.baseVal];
                return own.x < all.x || own.x + own.width > all.x + all.width;
            }).length"""
            assert page.get_by_role("img", name="Recall of mentions").evaluate(outside) == 0
            assert check_access(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Any, served: Served, disputed: Project, scheme: str) -> None:
    narrow = {"width": 390, "height": 844}
    with visiting(browser, served.base, name="ana", viewport=narrow, color_scheme=scheme) as visit:
        for path in PLACES:
            page = visit.go(path)
            if path == "/project":
                expect(page.locator(".figures")).to_be_visible()
            if path == "/project/documents/1":
                expect(page.locator("#text[data-ready]")).to_be_visible()
            # What is dark differs in its colours alone.
            only = "color-contrast" if scheme == "dark" else ""
            assert check_access(page, only=only) == [], path
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_whoever_has_a_token_signs_in(browser: Any, tmp_path: Path, scheme: str) -> None:
    token, _ = new_token(tmp_path / "tokens.json", "ward")
    narrow = {"width": 390, "height": 844}
    with (
        running_service(tmp_path, tokens=tmp_path / "tokens.json") as served,
        visiting(browser, served.base, viewport=narrow, color_scheme=scheme) as visit,
    ):
        page = visit.go("/sign-in")
        assert check_access(page) == []
        page.get_by_label("Token").fill("not a token")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("not a token of this service")
        assert check_access(page) == []
        page.get_by_label("Token").fill(token)
        page.keyboard.press("Enter")
        expect(page.locator("#input")).to_be_visible()
