"""Line ends and columns stay where mentions are replaced, and nothing else moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.deidentifier import Deidentified, Deidentifier
from scrubjay.document import Document, Span
from scrubjay.transform._kept_layout import layout_edits
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.operators import Keep, Mask, Mention
from scrubjay.transform.policy import Policy, find_policy

NEW = "[P-1]"


def read(marked: str) -> tuple[str, list[Span]]:
    """Return a text without the braces around its mentions, and their spans."""
    text, spans, position = "", [], 0
    for match in re.finditer(r"\{([^}]*)\}", marked):
        text += marked[position : match.start()]
        spans.append(Span(len(text), len(text) + len(match[1]), "PATIENT"))
        text += match[1]
        position = match.end()
    return text + marked[position:], spans


def mentions_of(text: str, spans: Sequence[Span]) -> list[Mention]:
    return [Mention(span, text[span.start : span.end], "a") for span in spans]


def replaced(marked: str, new: Sequence[str] | str = NEW) -> str:
    text, spans = read(marked)
    values = [new] * len(spans) if isinstance(new, str) else new
    return apply_edits(text, layout_edits(text, mentions_of(text, spans), values)).text


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("seen by {John\nSmith}, who", "seen by \n[P-1], who"),
        ("seen by {John \r\n   Smith} at", "seen by  \r\n   [P-1] at"),
        ("> seen by {John\n> Smith} at", "> seen by \n> [P-1] at"),
        ("{John\nSmith} was seen", "[P-1]\n was seen"),
        ("first\r  {John\rSmith}\rlast", "first\r  [P-1]\r\rlast"),
        ("at {12 Mill Lane\nBoston\nMA}.", "at \n\n[P-1]."),
        ("seen by {John Smith}\nat", "seen by [P-1]\nat"),
    ],
)
def test_a_mention_over_a_line_end_keeps_it(marked: str, expected: str) -> None:
    assert replaced(marked) == expected


def test_a_replacement_over_a_line_end_gets_no_other() -> None:
    assert replaced("seen by {John\nSmith} at", "Ann\nLee") == "seen by Ann\nLee at"
    assert replaced("at {Mill Lane\nBoston\nMA}.", "Oak Lane\nRome") == "at \nOak Lane\nRome."


TABLES = (
    "| Name       | Born | Ward |\n|------------|------|------|\n"
    "| {John Smith} | 1950 | 3    |\n| {Al}         | 1961 | 4    |\n",
    "Name        Born  Ward\n{John Smith}  1950  3\n{Al}          1961  4\n",
    "│ {John Smith} │ 1950 │\n│ {Al}         │ 1961 │\n",
)


@pytest.mark.parametrize("marked", TABLES)
@pytest.mark.parametrize("new", ["", "X", "[P-10]", "0123456789"])
def test_what_stands_in_the_next_column_stays_there(marked: str, new: str) -> None:
    text, _ = read(marked)
    for old, after in zip(text.splitlines(), replaced(marked, new).splitlines(), strict=True):
        for cell in ("1950", "1961", "Ward", "| 3", "  4"):
            assert old.find(cell) == after.find(cell)


def test_of_a_longer_one_as_much_goes_as_there_is() -> None:
    assert replaced("{Ann}     1950  3\nBob     1961  4\n", "[PATIENT-1]") == (
        "[PATIENT-1]  1950  3\nBob     1961  4\n"
    )
    # What moved to the right comes back at the next column.
    assert replaced("{Ann}  {50}     A\nBob  61     A\n", ["[P-1]", "[A-1]"]) == (
        "[P-1]  [A-1]  A\nBob  61     A\n"
    )


@pytest.mark.parametrize(
    "marked",
    [
        "seen by {Bartholomew}  and left\nthe ward then\n",  # no column in the lines around
        "Name: {Bartholomew}   Born: 1950\n",
        "{Bartholomew} | left\nand went home\n",
        "{Bartholomew}   \nBob\n",  # nothing follows
    ],
)
def test_where_no_column_begins_no_blanks_tell_the_old_width(marked: str) -> None:
    text, _ = read(marked)
    assert replaced(marked) == text.replace("Bartholomew", NEW)


def test_what_stays_gets_nothing() -> None:
    text = "John Smith  50    A\nAl          61    A\n"
    spans = [Span(0, 10, "PATIENT"), Span(12, 14, "AGE"), Span(18, 19, "ID")]
    edits = layout_edits(text, mentions_of(text, spans), ["[P-1]", "50", "A"])
    assert [edit.replacement for edit in edits] == ["[P-1]     ", "50", "A"]


@dataclass(frozen=True)
class Known:
    """Finds the same spans in every document."""

    spans: tuple[Span, ...]
    labels: ClassVar[tuple[str, ...]] = ("PATIENT",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [self.spans for _ in documents]


def test_spans_of_the_output_hold_no_layout() -> None:
    text, spans = read("{John Smith}  1950\n{Al}          1961 by {Ann\nLee}\n")
    deidentifier = Deidentifier(Known(tuple(spans)), find_policy("placeholder"))
    (result,) = deidentifier.pipe([Document("a", text)])
    assert isinstance(result, Deidentified)
    new = result.document.text
    shown = [new[span.start : span.end] for span in result.document.spans]
    assert shown == ["[PATIENT-1]", "[PATIENT-2]", "[PATIENT-3]"]
    assert new == "[PATIENT-1]  1950\n[PATIENT-2]  1961 by \n[PATIENT-3]\n"


pieces = st.sampled_from(["a", "Ann", " ", "  ", "\n", "\r\n", " |", "|", ">", "[P-1]", "   "])


@given(st.lists(st.tuples(pieces, st.booleans(), pieces), max_size=30))
def test_nothing_but_white_space_differs_from_the_plain_edits(
    drawn: list[tuple[str, bool, str]],
) -> None:
    text, spans, new = "", [], []
    for piece, marked, value in drawn:
        if marked:
            spans.append(Span(len(text), len(text) + len(piece), "PATIENT"))
            new.append(value)
        text += piece
    edits = layout_edits(text, mentions_of(text, spans), new)
    plain, position = "", 0
    for span, edit, value in zip(spans, edits, new, strict=True):
        assert edit.start == span.start
        assert not text[span.end : edit.end].strip(" ")
        assert edit.replacement.strip(" \r\n>\t") == value.strip(" \r\n>\t")
        plain += text[position : span.start] + value
        position = span.end
    plain += text[position:]
    made = apply_edits(text, edits).text
    assert re.sub(r"[\s>]", "", made) == re.sub(r"[\s>]", "", plain) or ">" in text
    assert made.count("\n") >= text.count("\n")


def test_masks_and_kept_mentions_are_as_they_were() -> None:
    text, spans = read("seen by {John\nSmith}   at\nnoon  {Ann Lee}    too\n")
    masked = "seen by XXXX\nXXXXX   at\nnoon  XXX XXX    too\n"
    for operator, expected in ((Mask(), masked), (Keep(), text)):
        policy = Policy("own", Mask(), {"PATIENT": operator})
        assert apply_edits(text, policy.plan(Document("a", text), spans)).text == expected
