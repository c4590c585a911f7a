"""The template language: what it reads, and what it says of what it cannot read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError, FormatError
from scrubjay.synthesis.grammar import inspect_grammar, parse_grammar
from scrubjay.synthesis.nodes import Call, Choice, Literal, Marked, Nodes, Problem, Slot
from scrubjay.synthesis.parsing import parse_file

LABELS = ("PATIENT", "DATE", "LOCATION-OTHER")


def parse(text: str) -> tuple[Nodes, list[Problem]]:
    blocks, problems = parse_file(f"=== document d\n{text}", path="x/a.txt", labels=LABELS)
    return (blocks[0].nodes if blocks else ()), problems


def test_every_part_of_the_language() -> None:
    text = "BP < 90|{date:adm.short}\n[[a|[[?b]]|]]<PATIENT>Ana [[Li|Po]]</PATIENT>{@end}"
    assert parse(text)[0] == (
        Literal("BP < 90|"),
        Slot("date", "adm", "short", 2),
        Literal("\n"),
        Choice(((Literal("a"),), (Choice(((Literal("b"),), ())),), ())),
        Marked("PATIENT", (Literal("Ana "), Choice(((Literal("Li"),), (Literal("Po"),))))),
        Call("end", 3),
    )


def test_blocks_comments_and_blank_lines() -> None:
    text = "#! note\n=== document two words\n\na\n#! hidden\nb\n\n\n=== fragment f\n== x ==\n"
    blocks, problems = parse_file(text, path="x/a.txt", labels=LABELS)
    assert problems == []
    assert [(b.kind, b.name, b.id, b.line) for b in blocks] == [
        ("document", "two-words", "a/1", 2),
        ("fragment", "f", "a/fragment-1", 9),
    ]
    assert blocks[0].nodes == (Literal("\na\nb"),)
    assert blocks[1].nodes == (Literal("== x =="),)


@pytest.mark.parametrize(
    ("slot", "read"),
    [
        ("{doctor}", ("doctor", "", "")),
        ("{doctor:2.last}", ("doctor", "2", "last")),
        ("{staff:nurse:2.first}", ("staff", "nurse:2", "first")),
        ("{date.weekday:3}", ("date", "3", "weekday")),
    ],
)
def test_slots(slot: str, read: tuple[str, str, str]) -> None:
    node = parse(slot)[0][0]
    assert isinstance(node, Slot)
    assert (node.name, node.entity, node.form) == read


@pytest.mark.parametrize("text", ["[ [[[x]|b]] ]", "[[a|[b]]]", "[[ [[c|d]]]]"])
def test_single_brackets_are_text(text: str) -> None:
    nodes, problems = parse(text)
    assert not any(problem.grave for problem in problems)
    assert any(isinstance(node, Choice) for node in nodes)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a\n{pateint}", 3, "did you mean 'patient'?"),
        ("{patient.lsat}", 2, "did you mean 'last'?"),
        ("{patient last}", 2, "is no slot"),
        ("\n\n<DTAE>x</DTAE>", 4, "did you mean 'DATE'?"),
        ("<DATE>x", 2, "<DATE> is not closed"),
        ("<DATE></DATE>", 2, "<DATE> is empty"),
        ("<DATE><PATIENT>x</PATIENT></DATE>", 2, "<PATIENT> inside <DATE>"),
        ("x</DATE>", 2, "closes nothing"),
        ("a\n[[a|b", 3, "[[ is not closed"),
        ("a]]", 2, "closes no [["),
        ("[[<DATE>a|b</DATE>]]", 2, "| inside <DATE>"),
        ("[[<DATE>a]]</DATE>", 2, "before </DATE> closes no [["),
        ("a { b", 2, "a single '{'"),
        ("x <b", 2, "a single '<'"),
        ("", 1, "the block is empty"),
    ],
)
def test_errors_name_line_and_remedy(text: str, line: int, what: str) -> None:
    nodes, problems = parse(text)
    assert nodes == ()
    assert (problems[0].path, problems[0].line) == ("x/a.txt", line)
    assert what in problems[0].what


def test_several_errors_are_all_told() -> None:
    text = "stray\n=== document a\n{dat}\n{drgu}\n=== documnet b\nx\n=== fragment c\n<X>y</X>\n"
    problems = parse_file(text, path="a.txt", labels=LABELS)[1]
    assert [problem.line for problem in problems] == [1, 3, 4, 5, 8]


@given(st.text(alphabet="ab {}[]|<>/?@:.\nDATEpatient", max_size=60))
@settings(max_examples=100)
def test_any_text_is_read_or_refused_with_a_line(text: str) -> None:
    blocks, problems = parse_file(f"=== document d\n{text}", path="a.txt", labels=LABELS)
    assert bool(blocks) != any(problem.grave for problem in problems)
    assert all(problem.line >= 1 for problem in problems)


def test_fragments_are_checked_over_all_files() -> None:
    files = {
        "en/a.txt": "=== document d\n{@b} {@nope}\n=== fragment b\n{@c}\n",
        "en/b.txt": "=== fragment c\nx {@b}\n=== fragment unused\ny 4/5/2019\n",
    }
    problems = inspect_grammar(files, language="en")[1]
    assert [str(problem) for problem in problems] == [
        "en/a.txt:2: {@nope}: there is no fragment 'nope'; known: b, c, unused",
        "en/a.txt:3: the fragment 'b' can insert itself",
        "en/b.txt:1: the fragment 'c' can insert itself",
        "en/b.txt:3: warning: nothing uses the fragment 'unused'",
        "en/b.txt:3: warning: text without a label looks like a date",
        "en/b.txt:3: warning: text without a label looks like a year",
    ]
    with pytest.raises(FormatError, match=r"en/a.txt, line 2: .*2 more; list all"):
        parse_grammar(files, language="en")


def test_a_slot_without_a_label_in_the_language_is_unknown() -> None:
    problems = inspect_grammar({"a.txt": "=== document d\n{ward}"}, language="es")[1]
    assert "there is no slot 'ward'" in problems[0].what


def test_no_template_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no `=== document`"):
        parse_grammar({"a.txt": "=== fragment f\nx"}, language="en")
