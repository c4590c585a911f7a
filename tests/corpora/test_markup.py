"""HTML and XHTML: the text of the text nodes, and the same tags around a new text."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.corpora._markup import Markup, read_markup
from scrubjay.errors import FormatError


def test_a_name_over_tags_is_one_name() -> None:
    text, markup = read_markup("<p>Seen <b>Ada</b> Tranter</p><p>again</p>")
    assert text == "Seen \u2005Ada\u2005 Tranter\n\u2005again"
    new = text.replace("Ada", "Eve").replace("Tranter", "[X]")
    assert markup.render(new) == "<p>Seen <b>Eve</b> [X]</p><p>again</p>"


SAME = [
    "", "plain", "<p/>", "<p>a</p>",
    '<div xmlns="http://www.w3.org/1999/xhtml">a&nbsp;&lt; b</div>',
    "<table><tr><td>1</td><td>2</td></tr></table>", "a &#8211; b &quot;c&quot;", "x<br/>\n<br/>y",
    "<ul>\n <li class='k'>a</li>\n</ul>",
]  # fmt: skip


@pytest.mark.parametrize("source", SAME)
def test_what_is_not_edited_stays(source: str) -> None:
    text, markup = read_markup(source)
    assert Markup.from_json(markup.to_json()).render(text) == source


def test_what_nobody_sees_is_left_out() -> None:
    source = "a<!-- Ada --><script>var name = 'Ada'</script><i title='Ada' class=\"k\">b</i>"
    source += "<![CDATA[<c>]]>"
    text, markup = read_markup(source)
    assert "Ada" not in "".join(markup.tags) + text
    assert markup.render(text) == 'a<i class="k">b</i>&lt;c>'


SLOPPY = [
    ('<p title="a"alt="Ada Tranter">x</p>', "<p>x</p>"),
    ('<p/alt="Ada Tranter"class="k">x</p>', '<p class="k">x</p>'),
    ('<p "Ada Tranter" = Ada class=k >x</p Ada>', "<p class=k >x</p>"),
    ("<img src=x alt=Ada\u00a0Tranter/>x", "<img/>x"),
    ('<!DOCTYPE html PUBLIC "Ada Tranter"><p>x</p>', "<p>x</p>"),
    ("<script>Ada Tranter", "Ada Tranter"),
]


@pytest.mark.parametrize(("source", "clean"), SLOPPY)
def test_tags_that_are_written_loosely_hide_nothing(source: str, clean: str) -> None:
    text, markup = read_markup(source)
    assert "Ada" not in "".join(markup.tags)
    assert markup.render(text) == clean


NO_TAGS = ["<ada.tranter@example.org>", "<Ada Tranter>", "<Tranter>", "</Tranter>", "<Ada:Tranter>"]


@pytest.mark.parametrize("word", NO_TAGS)
def test_what_is_no_element_of_html_is_text(word: str) -> None:
    text, markup = read_markup(f"<p>From: {word}</p>")
    assert text == f"From: {word}"
    assert read_markup(markup.render(text))[0] == text


def test_elements_of_word_processors_are_tags() -> None:
    text, markup = read_markup("<o:p>a</o:p><st1:City w:st='on'>b</st1:City>")
    assert text.replace(markup.mark, "") == "ab"


@pytest.mark.parametrize(
    "piece", ["<!-- ", "<![CDATA[", "<script>", "<p " + " " * 2000 + "'x' \"", "<x "]
)
def test_time_grows_with_the_length(piece: str) -> None:
    source = piece * (400_000 // len(piece))
    started = time.process_time()
    text, _ = read_markup(source)
    assert isinstance(text, str)
    assert time.process_time() - started < 20


DOCTYPES = [
    "<!DOCTYPE html>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<!doctype HTML public "-//W3C//DTD HTML 4.01 Transitional//EN">',
]


@pytest.mark.parametrize("declared", DOCTYPES)
def test_declarations_of_html_stay(declared: str) -> None:
    text, markup = read_markup(f"{declared}<p>a</p>")
    assert markup.render(text) == f"{declared}<p>a</p>"


def test_no_tag_is_text() -> None:
    text, markup = read_markup("BP < 90, R & D, &unknown; a<5>b")
    assert text == "BP < 90, R & D, &unknown; a<5>b"
    assert read_markup(markup.render(text))[0] == text


def test_many_entities_cost_no_square_of_time() -> None:
    seconds = []
    for count in (20_000, 320_000):
        started = time.process_time()
        text, _ = read_markup(f"<p>{'a&amp;' * count}</p>")
        seconds.append(time.process_time() - started)
        assert text.count("&") == count
    assert seconds[1] < 64 * seconds[0]


def test_a_lost_mark_is_an_error() -> None:
    _, markup = read_markup("a<b>c</b>")
    with pytest.raises(FormatError, match="1 pieces of text, not 2"):
        markup.render("ac")


pieces = st.lists(
    st.sampled_from(["<b>", "</b>", "<p>", "</p>", "<br/>", "a", "Ada ", " ", "&amp;", "&nbsp;",
                     "<", ">", "&", "é", "\n", "\u2005", "&#39;", "'", "<td>", "x"]), max_size=14
)  # fmt: skip


@given(pieces)
@example(["a", "<p>", "\n", "</p>", "b"])
def test_reading_again_gives_the_same(found: list[str]) -> None:
    text, markup = read_markup("".join(found))
    rendered = markup.render(text)
    again, more = read_markup(rendered)
    assert again == text
    assert more.tags == markup.tags
    assert more.render(again) == rendered
