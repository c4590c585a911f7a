"""Rules as text: what is written is read back, and what is broken is named with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.errors import ConfigError, FormatError
from scrubjay.taggers.rules import (
    MAX_PARTS,
    TAG,
    Condition,
    Part,
    Rule,
    RuleTemplate,
    parse_part,
    parse_rule,
    parse_rule_template,
    read_rule_file,
    read_rules,
    require_attribute,
    write_rules,
)

TAGS = ("O", "B-STATE", "I-STATE")

FLORIDA = Rule(
    "O",
    "B-STATE",
    (Condition(Part("word"), "Florida"), Condition(Part("word", 1, 1), ",")),
    score=12,
    fixed=13,
    broken=1,
)


def parts() -> st.SearchStrategy[Part]:
    """Parts of words and tags at any offsets that a rule may have."""
    names = st.sampled_from(["word", "lower", "shape+length", "lexicon:en.cities", TAG])
    offsets = st.tuples(st.integers(-4, 4), st.integers(0, 3))

    def make(name: str, offset: tuple[int, int]) -> Part:
        first, last = offset[0], min(4, offset[0] + offset[1])
        if name == TAG and first <= 0 <= last:
            first = last = 1
        return Part(name, first, last)

    return st.builds(make, names, offsets)


def rules() -> st.SearchStrategy[Rule]:
    """Rules whose values may be any text, and whose ranges are few enough."""
    condition = st.builds(Condition, parts(), st.text(max_size=8))
    conditions = st.lists(condition, max_size=2, unique_by=lambda c: c.part)
    counts = st.none() | st.integers(-5, 500)
    return st.builds(
        Rule,
        st.just("O"),
        st.sampled_from(["B-STATE", "I-A->b"]),
        conditions.map(tuple),
        score=counts,
        fixed=counts,
        broken=counts,
        note=st.sampled_from(["", "from the ward"]),
    )


def test_a_rule_reads_as_a_sentence() -> None:
    assert str(FLORIDA) == "O -> B-STATE if word=Florida and next.word=,"
    assert write_rules([FLORIDA]) == (
        '{"rule": "O -> B-STATE if word=Florida and next.word=,", '
        '"score": 12, "fixed": 13, "broken": 1}\n'
    )


@given(rule=rules())
def test_every_rule_is_read_back(rule: Rule) -> None:
    text = write_rules([rule])
    assert text.count("\n") == 1
    assert read_rules(text, origin="x") == (rule,)
    assert str(parse_rule(str(rule))) == str(rule)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("lower", Part("lower", 0, 0)),
        ("lower@0", Part("lower", 0, 0)),
        ("lower@-1", Part("lower", -1, -1)),
        ("previous.lower", Part("lower", -1, -1)),
        ("next.tag", Part("tag", 1, 1)),
        ("lower@-3..-1", Part("lower", -3, -1)),
        ("cluster:es:6@2", Part("cluster:es:6", 2, 2)),
    ],
)
def test_parts_have_several_spellings(text: str, part: Part) -> None:
    assert parse_part(text) == part
    assert parse_part(str(part)) == part


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("Florida", "Florida"),
        (",", ","),
        ("and", "and"),
        ("a=b", "a=b"),
        ("don't", "don't"),
        ("fecha de alta", "'fecha de alta'"),
        ("'s", r"'\'s'"),
        ("\\", r"'\\'"),
        ("", "''"),
        ("Aa\t3", r"'Aa\t3'"),
        ("\x00", r"'\u0000'"),
        ("a\u00a0b", r"'a\u00a0b'"),
        ("\U000e0001", r"'\U000e0001'"),
    ],
)
def test_values_are_quoted_where_they_could_be_misread(value: str, written: str) -> None:
    rule = Rule("O", "B-X", (Condition(Part("word"), value), Condition(Part("lower"), "z")))
    assert str(rule) == f"O -> B-X if word={written} and lower=z"
    assert parse_rule(str(rule)) == rule


def test_white_space_between_pieces_is_free() -> None:
    rule = parse_rule("  O->B-STATE  if  word = Florida   and next.word=,  ".replace(" = ", "="))
    assert str(rule) == str(FLORIDA)
    assert parse_rule("O -> B-STATE").conditions == ()


BROKEN = [
    ("", "begins FROM-TAG -> TO-TAG"),
    ("O B-X if word=a", "begins FROM-TAG -> TO-TAG"),
    ("O -> B X if word=a", "begins FROM-TAG -> TO-TAG"),
    ("O -> O if word=a", "changes a tag into another"),
    ("O -> B-X if ", "begins FROM-TAG -> TO-TAG"),
    ("O -> B-X if word", "has no value"),
    ("O -> B-X if word=", "no readable value"),
    ("O -> B-X if word='a", "no readable value"),
    ("O -> B-X if word=a b", "no 'and' after"),
    ("O -> B-X if word=a and", "no 'and' after"),
    ("O -> B-X if word=a or word=b", "no 'and' after"),
    (r"O -> B-X if word='\x'", "unknown escape"),
    (r"O -> B-X if word='\UFFFFFFFF'", "no such character"),
    ("O -> B-X if word@5=a", "offsets ascend, from -4 to 4"),
    ("O -> B-X if word@2..1=a", "offsets ascend"),
    ("O -> B-X if next.word@2=a", "has two offsets"),
    ("O -> B-X if word@x=a", "is no condition"),
    ("O -> B-X if tag=O", "tag@0 is the tag that a rule changes"),
    ("O -> B-X if tag@-1..1=O", "tag@0 is the tag that a rule changes"),
    ("O -> B-X if word=a and word=b", "two conditions look at the same place"),
    (" and ".join(["O -> B-X if word=a", "lower=a", "stem=a", "shape=a", "length=1"]), "at most 4"),
    ("O -> B-X if tag@1=O and tag@2=O and tag@3=O and tag@4=O", "at most 3 conditions on tags"),
    ("O -> B-X if word@-4..4=a and lower@-4..4=a", "multiply to at most 16, not 81"),
    ("O -> B-X if wrod=a", "unknown word attribute 'wrod'"),
    ("O -> B-X if lexicon:en.citties=1", "there is no lexicon 'en.citties'"),
    ("O -> B-CITY if word=a", "unknown tag 'B-CITY'"),
    ("I-CITY -> O if word=a", "unknown tag 'I-CITY'"),
    ("O -> B-STATE if next.tag=B-CITY", "unknown tag 'B-CITY'"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_a_broken_rule_is_named_with_file_and_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(write_rules([FLORIDA]) + "\n" + json.dumps({"rule": text}) + "\n")
    known = (*TAGS, "B-X", "B X")
    with pytest.raises(FormatError, match=message) as caught:
        read_rule_file(path, tags=known)
    assert str(caught.value).startswith(f"{path}, line 3: ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not a JSON object"),
        ("[]", "not a JSON object"),
        ("O -> B-STATE", "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        ("{}", "must be there"),
        ('{"rule": 3}', "are strings"),
        ('{"rule": "O -> B-STATE", "note": 3}', "are strings"),
        ('{"rule": "O -> B-STATE", "score": 1.5}', "whole numbers"),
        ('{"rule": "O -> B-STATE", "fixed": true}', "whole numbers"),
        ('{"rule": "O -> B-STATE", "gain": 3}', "unknown field 'gain'"),
    ],
)
def test_a_line_that_is_no_record_is_named(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"rules, line 1: .*{message}"):
        read_rules(line, origin="rules")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"absent.*cannot be read"):
        read_rule_file(tmp_path / "absent.jsonl")
    (tmp_path / "odd.jsonl").write_bytes(b"ab\xff")
    with pytest.raises(FormatError, match="byte 2: not UTF-8"):
        read_rule_file(tmp_path / "odd.jsonl")


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"\xef\xbb\xbf\r\n" + write_rules([FLORIDA]).replace("\n", "\r\n").encode())
    assert read_rule_file(path, tags=TAGS) == (FLORIDA,)
    assert read_rules("head\n" + write_rules([FLORIDA]), origin="x", skip=1) == (FLORIDA,)


def test_templates_have_variants() -> None:
    template = parse_rule_template("lower@-2..-1 next.tag shape")
    assert str(template) == "lower@-2..-1 next.tag shape"
    assert template.variants() == [(-2, 1, 0), (-1, 1, 0)]
    assert parse_rule_template("word") == RuleTemplate((Part("word"),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty rule template"),
        ("word word", "'word word': two conditions look at the same place"),
        (" ".join(["word", "lower", "stem", "shape", "length"]), f"at most {MAX_PARTS}"),
        ("word@9", "offsets ascend"),
    ],
)
def test_a_broken_template_is_named(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_rule_template(text)


def test_tags_are_attributes_of_rules() -> None:
    require_attribute("tag")
    require_attribute("pattern")
    with pytest.raises(ConfigError, match="unknown word attribute 'tga'"):
        require_attribute("tga")
