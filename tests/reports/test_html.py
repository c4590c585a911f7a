"""A page is one valid HTML file that loads nothing, and whatever stands in it stays text."""

from __future__ import annotations

import base64
import hashlib
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from scrubjay.errors import MissingExtraError
from scrubjay.reports import html
from scrubjay.reports.blocks import (
    Example,
    Examples,
    Figure,
    Page,
    Prose,
    Section,
    Table,
    walk_blocks,
)
from scrubjay.reports.html import render_page, require_renderer
from tests.reports.pages import make_page, read_page

UNKNOWN_TAG = 801
"""libxml2 knows HTML 4 alone and reports every newer element by this code."""

ANY_TEXT = st.text(
    st.one_of(st.sampled_from("<>&\"'{}%# -/=\n\r\t\x00\x0b\u202e"), st.characters()), max_size=20
)


def test_a_page_is_valid_html() -> None:
    markup = render_page(make_page("a & b"))
    assert markup.startswith("<!DOCTYPE html>")
    parser = etree.HTMLParser(encoding="utf-8")
    etree.fromstring(markup.encode(), parser)
    assert [entry.message for entry in parser.error_log if entry.type != UNKNOWN_TAG] == []
    read_page(markup)


def test_ids_are_unique_and_every_reference_leads_to_one() -> None:
    page = read_page(render_page(make_page()))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert set(page.values("aria-labelledby")) <= set(ids)
    assert {link.removeprefix("#") for link in page.values("href")} <= set(ids)
    assert all(link.startswith("#") for link in page.values("href"))


def test_nothing_is_loaded_from_anywhere() -> None:
    markup = render_page(make_page())
    page = read_page(markup)
    assert "://" not in markup.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not {"src", "srcset", "action", "style", "onclick", "xlink:href"} & {
        name for _, name, _ in page.attributes
    }
    assert not {"link", "img", "iframe", "object", "embed", "base"} & set(page.elements)
    assert "@import" not in markup
    assert "url(" not in markup


def test_the_policy_of_the_page_allows_its_own_style_and_script_alone() -> None:
    markup = render_page(make_page())
    (policy,) = [value for value in read_page(markup).values("content") if "default-src" in value]
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        (body,) = re.findall(f"<{tag}>(.*?)</{tag}>", markup, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@settings(max_examples=30, deadline=None)
@given(ANY_TEXT)
def test_words_never_become_markup(word: str) -> None:
    plain, odd = make_page("xword", text="text"), make_page(f"x{word}", text=f"x{word}")
    expected, found = read_page(render_page(plain)), read_page(render_page(odd))
    expected.elements["p"] = found.elements["p"] = 0  # an empty line begins a paragraph
    assert found.elements == expected.elements
    assert {name for _, name, _ in found.attributes} <= {name for _, name, _ in expected.attributes}
    render_page(odd).encode()


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Cn"]), max_size=20))
def test_words_stand_in_the_page_as_they_are(word: str) -> None:
    page = Page(f"t{word}", (("fact", f"f{word}"),), (Table(f"c{word}", ("h",), ((f"b{word}",),)),))
    text = read_page(render_page(page)).text
    assert all(f"{letter}{word}" in text for letter in "tfcb")


def test_what_cannot_be_shown_has_a_sign() -> None:
    example = Example("d", 0, 3, "missing", "AGE", "", "", "a\x00b", "c\ud800d", "e\u202ef\r\ng")
    markup = render_page(Page("t", (), (Examples("e", (example,)),)))
    markup.encode()
    text = read_page(markup).text
    assert "a\ufffdb" in text
    assert "c\ufffdd" in text
    assert "e\ufffdf" in text
    assert not set(markup) & {"\x00", "\u202e", "\ud800"}


def test_a_page_says_whether_it_shows_text() -> None:
    without, with_text = make_page(), make_page(text="Wilhelmina")
    assert not without.shows_text
    assert with_text.shows_text
    assert "Shows no text of documents" in render_page(without)
    shown = render_page(with_text)
    assert "Shows text of documents." in shown
    assert "Wilhelmina" in shown
    assert Page("t", text_in_tables=True).shows_text
    assert "Wilhelmina" not in repr(with_text)


def test_the_contents_name_every_section() -> None:
    markup = render_page(make_page("Errors"))
    (contents,) = re.findall(r"<nav.*?</nav>", markup, re.DOTALL)
    assert re.findall(r">([^<>]+)</a>", contents) == [
        "Errors",
        "deeper",
        "Errors",
        "none of them",
        "pictures",
    ]
    assert "<nav" not in render_page(Page("t", (), (Section("alone"),)))


def test_examples_under_their_own_title_have_one_heading_and_one_line_of_the_contents() -> None:
    example = Example("d", 0, 3, "missing", "AGE")
    shown = Section("Examples", (Prose("All."), Examples("Examples", (example,))))
    markup = render_page(Page("t", (), (Section("Kinds"), shown)))
    (contents,) = re.findall(r"<nav.*?</nav>", markup, re.DOTALL)
    assert re.findall(r">([^<>]+)</a>", contents) == ["Kinds", "Examples"]
    assert contents.count("<ol>") == 1
    assert re.findall(r"<h\d[^>]*>([^<]+)</h", markup) == ["t", "Kinds", "Examples"]
    assert 'class="examples" aria-label="Examples"' in markup


def test_examples_can_be_filtered_by_kind_and_by_label() -> None:
    page = read_page(render_page(make_page("word")))
    boxes = [(tag, name, value) for tag, name, value in page.attributes if tag == "input"]
    values = [value for _, name, value in boxes if name == "value"]
    assert values == ["0", "1", "2", "AGE", "word"]
    kinds = [value for tag, name, value in page.attributes if (tag, name) == ("li", "data-kind")]
    assert kinds == ["0", "1", "2"]


def test_the_same_page_gives_the_same_file() -> None:
    assert render_page(make_page()) == render_page(make_page())


def test_deep_sections_keep_to_the_headings_there_are() -> None:
    block: Section | Prose = Prose("deep")
    for depth in range(9, 0, -1):
        block = Section(f"s{depth}", (block,))
    page = read_page(render_page(Page("t", (), (block,))))
    assert page.elements["h6"] == 5
    assert sum(page.elements[f"h{level}"] for level in range(2, 7)) == 9


@pytest.mark.parametrize(
    "svg",
    [
        "<svg ><script>alert(1)</script></svg>",
        "<svg ><image href='x'/></svg>",
        "<svg ><foreignObject/></svg>",
        "<svg ></svg><p>more</p>",
        "<p>no picture</p>",
        "",
    ],
)
def test_figures_are_plain_shapes(svg: str) -> None:
    with pytest.raises(ValueError, match="svg"):
        render_page(Page("t", (), (Figure("f", svg),)))


def test_tables_are_as_wide_as_their_header() -> None:
    with pytest.raises(ValueError, match="row 1 of table 't' has 1 cells, its header 2"):
        Table("t", ("a", "b"), (("1", "2"), ("3",)))


def test_blocks_are_walked_in_reading_order() -> None:
    one, two, three = Prose("1"), Prose("2"), Prose("3")
    inner = Section("inner", (two,))
    outer = Section("outer", (one, inner, three))
    assert list(walk_blocks((outer,))) == [outer, one, inner, two, three]


def test_a_renderer_that_is_absent_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    html._environment.cache_clear()
    with pytest.raises(MissingExtraError, match=r"jinja2.*scrubjay\[report\]"):
        require_renderer()
    with pytest.raises(MissingExtraError):
        render_page(make_page())
