"""Offsets between the browser and the server, and the text on the page, by property tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.browser import PATIENCE, running_browser, running_service

PIECES = st.sampled_from(
    ["a", "Zoë", " ", "\n", "\r\n", "\r", "\t", "é", "e\u0301", "\u2028", "\u00a0", "\U0001f600",
     "\U0001d400\U0001d401", "\U0001f468\u200d\U0001f469", "שלום", "\u200f", "\ufeff", "<b>&amp;"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=40
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder) as served, running_browser() as browser:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(served.base + "/")
        page.evaluate(
            """async () => {
                globalThis.own = {
                    ...(await import("/static/offsets.js")),
                    ...(await import("/static/lines.js")),
                    ...(await import("/static/textview.js")),
                };
            }"""
        )
        yield page


def to_units(text: str, offset: int) -> int:
    """Return how many UTF-16 units come before a character: the plain way."""
    return len(text[:offset].encode("utf-16-le")) // 2


@settings(max_examples=25)
@given(texts=st.lists(TEXTS, min_size=1, max_size=20))
def test_offsets_are_those_of_python(page: Any, texts: list[str]) -> None:
    found = page.evaluate(
        """(texts) => texts.map((text) => {
            const offsets = new own.Offsets(text);
            const there = [];
            const back = [];
            for (let c = 0; c <= offsets.characters; c += 1) there.push(offsets.toUnits(c));
            for (let u = 0; u <= text.length; u += 1) back.push(offsets.toCharacters(u));
            return [there, back];
        })""",
        texts,
    )
    for text, (there, back) in zip(texts, found, strict=True):
        units = [to_units(text, offset) for offset in range(len(text) + 1)]
        assert there == units
        assert [back[unit] for unit in units] == list(range(len(text) + 1))
        # A unit within a pair belongs to the character of the pair.
        assert back == [
            max(c for c, u in enumerate(units) if u <= unit) for unit in range(len(back))
        ]


@settings(max_examples=25)
@given(texts=st.lists(TEXTS, min_size=1, max_size=10), data=st.data())
def test_the_page_holds_the_text_as_it_is(page: Any, texts: list[str], data: st.DataObject) -> None:
    cases = []
    for text in texts:
        ends = st.integers(0, to_units(text, len(text)))
        borders = data.draw(st.lists(ends, max_size=8).map(lambda found: sorted(set(found))))
        cases.append({"text": text, "spans": list(zip(borders[::2], borders[1::2], strict=False))})
    found = page.evaluate(
        """(cases) => cases.map(({ text, spans }) => {
            const root = document.createElement("div");
            document.body.append(root);
            const view = new own.TextView(root, text, () => {});
            view.show(spans.map(([start, end]) => ({ start, end, label: "DATE" })));
            const cuts = view.starts.map((start, n) => text.slice(start, view.starts[n + 1]));
            const ranges = spans.map(([start, end]) => {
                const range = view.rangeOf(start, end);
                return [
                    range.toString() === text.slice(start, end),
                    view.offsetOf(range.startContainer, range.startOffset) === start,
                    view.offsetOf(range.endContainer, range.endOffset) === end,
                ];
            });
            const whole = root.textContent === text;
            view.show([]);
            const marks = root.querySelectorAll("mark").length;
            root.remove();
            return { whole, joined: cuts.join("") === text, ranges, marks };
        })""",
        cases,
    )
    for case, told in zip(cases, found, strict=True):
        assert told == {
            "whole": True, "joined": True, "ranges": [[True] * 3] * len(case["spans"]), "marks": 0,
        }  # fmt: skip


def test_an_offset_outside_of_the_text_is_refused(page: Any) -> None:
    told = page.evaluate(
        """() => [-1, 4, 1.5, NaN].map((offset) => {
            try {
                return new own.Offsets("abc").toUnits(offset);
            } catch (error) {
                return error.name;
            }
        })"""
    )
    assert told == ["RangeError"] * 4


def test_long_lines_are_broken_and_never_within_a_character(page: Any) -> None:
    text = "\U0001f600" * 3000 + " word" * 2000
    lengths = page.evaluate(
        """(text) => own.lineStarts(text).map((start, n, all) => [
            (all[n + 1] ?? text.length) - start,
            text.charCodeAt(start) >= 0xdc00 && text.charCodeAt(start) <= 0xdfff,
        ])""",
        text,
    )
    assert sum(length for length, _ in lengths) == to_units(text, len(text))
    assert max(length for length, _ in lengths) <= 2000
    assert not any(inside for _, inside in lengths)
