"""The page to annotate, in a browser: mouse, keys, undo, other scripts, long notes."""

from __future__ import annotations

from typing import Any

import pytest

from scrubjay.document import Document, Span
from scrubjay.review.project import Project
from tests.web.browser import (
    ASTRAL,
    HEBREW,
    NOTE,
    check_access,
    drag_over,
    expect,
    span,
    visiting,
)


def marks(project: Project, document: str, text: str, name: str = "ana") -> list[tuple[str, str]]:
    version = project.version(document, name)
    return [(mark.label, text[mark.start : mark.end]) for mark in version.marks]


def select(page: Any, words: str) -> None:
    """Select words with the mouse, and wait for the menu of labels."""
    drag_over(page, words)
    expect(page.locator("#menu")).to_be_visible()


def saved(page: Any) -> None:
    expect(page.locator("#saved")).to_have_text("Saved")


def test_words_are_marked_with_mouse_and_menu(browser: Any, base: str, project: Project) -> None:
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(1)
        expect(page.locator("#text mark")).to_have_count(3)
        select(page, "Springfield")
        menu = page.locator("#menu")
        menu.locator('[data-label="CITY"]').click()
        expect(menu).to_be_hidden()
        expect(page.locator('#text mark[data-label="CITY"]')).to_have_text("Springfield")
        saved(page)
        assert ("CITY", "Springfield") in marks(project, "first", NOTE)
        page.locator('#text mark[data-label="PATIENT"]').click()
        page.locator('.labels [data-label="DOCTOR"]').click()
        expect(page.locator('#text mark[data-label="DOCTOR"]')).to_have_count(2)
        page.locator("#undo").click()
        page.locator("#undo").click()
        expect(page.locator("#text mark")).to_have_count(3)
        page.locator("#redo").click()
        expect(page.locator('#text mark[data-label="CITY"]')).to_have_text("Springfield")
        assert project.version("first", "ana").can_redo


def test_a_part_of_a_mark_is_selected(browser: Any, base: str, project: Project) -> None:
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(1)
        page.locator('#text mark[data-label="PATIENT"]').click()
        expect(page.locator("#mark q")).to_have_text("Ana Lopez")
        select(page, "Lopez")
        # The words that will get the label are shown, not the mark around them.
        expect(page.locator("#mark")).to_have_text("No mark is chosen.")
        expect(page.locator("#text mark.current")).to_have_count(0)
        shown = "[...CSS.highlights.get('cursor')].map(String)"
        assert page.evaluate(shown) == ["Lopez"]
        page.locator('#menu [data-label="USERNAME"]').click()
        expect(page.locator('#text mark[data-label="USERNAME"]')).to_have_text("Lopez")
        expect(page.locator('#text mark[data-label="PATIENT"]')).to_have_count(0)
        saved(page)
        assert ("USERNAME", "Lopez") in marks(project, "first", NOTE)


def test_everything_is_done_by_keys_alone(browser: Any, base: str, project: Project) -> None:
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(1)
        press = page.keyboard.press
        expect(page.locator("#text")).to_be_focused()
        for key in ("j", "j", "j"):  # DATE, PATIENT, DOCTOR
            press(key)
        expect(page.locator("#place")).to_have_text("3 of 3")
        press("Shift+ArrowRight")
        expect(page.locator('mark[data-label="DOCTOR"]')).to_have_text("Ruth Castle")
        press(",")
        expect(page.locator('mark[data-label="DOCTOR"]')).to_have_text(". Ruth Castle")
        press(".")
        press("Shift+ArrowLeft")
        expect(page.locator('mark[data-label="DOCTOR"]')).to_have_text("Ruth")
        press("u")
        expect(page.locator('mark[data-label="DOCTOR"]')).to_have_text("Ruth Castle")
        press("k")
        press("=")  # Ana Lopez, everywhere in the note
        expect(page.locator('mark[data-label="PATIENT"]')).to_have_count(2)
        press("x")
        expect(page.locator('mark[data-label="PATIENT"]')).to_have_count(1)
        press("Control+z")
        expect(page.locator('mark[data-label="PATIENT"]')).to_have_count(2)
        press("Control+y")
        expect(page.locator('mark[data-label="PATIENT"]')).to_have_count(1)
        saved(page)
        assert marks(project, "first", NOTE)[1] == ("DOCTOR", "Ruth Castle")


def test_words_are_walked_and_marked_by_keys(browser: Any, base: str, project: Project) -> None:
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(1)
        press = page.keyboard.press
        for _ in range(2):
            press("ArrowDown")
        press("ArrowRight")
        expect(page.locator("#said")).to_have_text("555")
        press("Shift+ArrowRight")
        press("Shift+ArrowRight")
        press("3")  # the key of PHONE
        expect(page.locator('mark[data-label="PHONE"]')).to_have_text("555-0142")
        press("ArrowRight")
        press("ArrowRight")
        press("Enter")
        menu = page.locator("#menu")
        expect(menu).to_be_visible()
        press("ArrowDown")
        press("Home")
        press("Enter")  # PATIENT, the first
        expect(page.locator('mark[data-label="PATIENT"]').last).to_have_text("Ana")
        expect(page.locator("#text")).to_be_focused()
        press("?")
        expect(page.locator("#keys")).to_be_visible()
        press("Escape")
        press("Control+Enter")
        page.wait_for_url("**/project/documents/2")
        assert project.version("first", "ana").state == "done"
        assert ("PHONE", "555-0142") in marks(project, "first", NOTE)
        assert project.version("first", "ana").seconds > 0


def test_a_finished_document_is_reopened(browser: Any, base: str, project: Project) -> None:
    version = project.begin("first", "ana")
    project.finish("first", "ana", revision=version.revision)
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(1)
        expect(page.locator("#finish")).to_be_hidden()
        page.keyboard.press("j")
        page.keyboard.press("x")
        page.locator("#reopen").click()
        expect(page.locator("#finish")).to_be_visible()
        page.keyboard.press("x")
        expect(page.locator("#text mark")).to_have_count(2)


def test_marks_count_characters_not_units(browser: Any, base: str, project: Project) -> None:
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(2)
        select(page, "Łódź")
        page.keyboard.press("c")
        expect(page.locator('mark[data-label="CITY"]')).to_have_text("Łódź")
        select(page, "\U0001d400\U0001d401")
        page.keyboard.press("p")
        expect(page.locator('mark[data-label="PATIENT"]')).to_have_text("\U0001d400\U0001d401")
        saved(page)
    assert project.version("astral", "ana").marks == (
        span("PATIENT", "\U0001d400\U0001d401", text=ASTRAL),
        span("CITY", "Łódź", text=ASTRAL),
    )


def test_text_from_right_to_left(browser: Any, base: str, project: Project) -> None:
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(3)
        assert (
            page.locator(".line").first.evaluate("(line) => getComputedStyle(line).direction")
            == "rtl"
        )
        page.keyboard.press("ArrowDown")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        expect(page.locator("#said")).to_have_text("חיפה")
        page.keyboard.press("c")
        expect(page.locator('mark[data-label="CITY"]')).to_have_text("חיפה")
        saved(page)
    assert marks(project, "hebrew", HEBREW) == [("CITY", "חיפה")]


def test_same_words_of_all_documents_and_back(browser: Any, base: str, project: Project) -> None:
    project.import_documents([Document("fourth", "Ana Lopez again.\n")])
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(1)
        page.locator('mark[data-label="PATIENT"]').click()
        page.get_by_role("button", name="In all documents").click()
        expect(page.locator("#said")).to_contain_text("in 2 documents")
        assert marks(project, "fourth", "Ana Lopez again.\n") == [("PATIENT", "Ana Lopez")]
        page.get_by_role("button", name="Undo everywhere").click()
        expect(page.locator("#said")).to_contain_text("Undone in 2")
        assert project.version("fourth", "ana").marks == ()


def test_two_windows_do_not_overwrite_each_other(browser: Any, base: str, project: Project) -> None:
    with visiting(browser, base, name="ana") as visit:
        page = visit.open_document(1)
        version = project.version("first", "ana")
        from scrubjay.review.marks import Delete

        project.edit("first", "ana", Delete(version.marks[0]), revision=version.revision)
        page.keyboard.press("j")
        page.keyboard.press("x")
        expect(page.locator("#problem")).to_be_visible()
        expect(page.locator("#text mark")).to_have_count(2)  # what the other window left
        page.keyboard.press("j")
        page.keyboard.press("x")
        expect(page.locator("#text mark")).to_have_count(1)
        expect(page.locator("#problem")).to_be_hidden()


def test_a_note_of_a_megabyte_stays_usable(browser: Any, base: str, project: Project) -> None:
    lines = [f"{n}: Ana Lopez was seen in Springfield, tail {n}" for n in range(20_000)]
    text = "\n".join(lines)
    assert len(text) > 1_000_000
    spans = tuple(Span(start, start + 5, "PATIENT") for start in range(0, 900_000, 3000))
    project.import_documents([Document("long", text, spans)])
    with visiting(browser, base, name="ana") as visit:
        # Not `expect`: where it must wait it draws up the whole page as a tree, which takes long.
        page = visit.go("/project/documents/4")
        told = '#place:text-is("300 marks")'
        page.wait_for_selector(told)
        page.evaluate("document.querySelector('.line').dataset.kept = 'yes'")
        drag_over(page, "tail 19990")
        page.wait_for_selector("#menu:popover-open")
        page.keyboard.press("q")
        page.wait_for_selector("mark[data-label=IDNUM]")
        assert page.locator("mark[data-label=IDNUM]").text_content() == "tail 19990"
        page.wait_for_selector('#saved:text-is("Saved")')
        assert project.version("long", "ana").marks[-1] == span("IDNUM", "tail 19990", text=text)
        page.keyboard.press("x")
        page.wait_for_selector(told)
        # A change draws lines that it touches: the others keep their elements.
        assert page.locator(".line").first.get_attribute("data-kept") == "yes"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_in_light_and_dark(browser: Any, base: str, scheme: str) -> None:
    narrow = {"width": 390, "height": 844}
    with visiting(browser, base, name="ana", viewport=narrow, color_scheme=scheme) as visit:
        page = visit.open_document(1)
        page.locator('mark[data-label="PATIENT"]').click()
        expect(page.locator("#mark q")).to_have_text("Ana Lopez")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        select(page, "Springfield")
        assert check_access(page, only="" if scheme == "light" else "color-contrast") == []
        box = page.locator("#menu").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        page.locator('#menu [data-label="CITY"]').click()
        expect(page.locator('mark[data-label="CITY"]')).to_have_text("Springfield")
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (dark == "rgb(17, 21, 26)") is (scheme == "dark")
