"""HTML and XHTML: the text of the text nodes, and the same tags around a new text."""

from __future__ import annotations

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


def test_no_tag_is_text() -> None:
    text, markup = read_markup("BP < 90, R & D, &unknown; a<5>b")
    assert text == "BP < 90, R & D, &unknown; a<5>b"
    assert read_markup(markup.render(text))[0] == text


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
