"""Every named pattern by an example and a counter-example, on tokens; and no text is slow."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.text.patterns import _NUMBER_BEGINS, PATTERN_NAMES, match_patterns
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.strategies import tokens


def _marks(text: str, *, tokenizer: str = "subword") -> dict[str, str]:
    """Return the words of each match, joined by spaces, under the name of its pattern."""
    drawn = make_tokenizer(tokenizer).tokenize(text)
    names, index = match_patterns(drawn)
    found: dict[str, str] = {}
    for word, number in zip(drawn.words(), index.tolist(), strict=True):
        if number >= 0:
            name = names[number].removesuffix("+")
            found[name] = f"{found[name]} {word}" if name in found else word
    return found


EXAMPLES = {
    "ip": ["192.168.0.12", "10.0.0.1"],
    "date": ["03/04/2019", "3-4-19", "31.12.1999"],
    "iso-date": ["2019-03-04", "1999/12/31", "2019.3.4"],
    "word-date": [
        "4 March 2019",
        "4th of March, 2019",
        "4 de marzo de 2019",
        "4 mei 2019",
        "12 dic",
    ],
    "time": ["07:05", "7:05", "19:05:33"],
    "quantity": ["120 mg", "36,8 ºC", "98%", "5mg", "7.5 mmol"],
    "phone": ["(555) 010-0199", "555-010-0199", "020 555 01 99", "+31 (20) 555-0199"],
    "short-date": ["3/2019", "12/24"],
    "month-date": ["March 4, 2019", "Mar. 4", "March 2019", "mayo de 2019", "June 3rd"],
    "email": ["jane.roe@example.org", "j+r@a-b.example.nl"],
    "url": ["https://example.org/a?b=c", "www.example.org", "HTTP://EXAMPLE.ORG"],
}

COUNTER_EXAMPLES = {
    "ip": ["1.2.3", "1.2.3.4567"],
    "date": ["3/4/5", "123/45/2019", "3/4/201999", "3/4-2019"],
    "iso-date": ["2019-03", "1819-03-04", "2019-03-041"],
    "word-date": ["4 marching bands", "4 tablets"],
    "time": ["7:5", "12:345", "7 : 05"],
    "quantity": ["120 mga", "120 x", "mg"],
    "phone": ["120/80", "12 34", "4-2"],
    "short-date": ["120/80", "12/34567", "3/4%"],
    "month-date": ["may 99999", "in 4", "Marched 4"],
    "email": ["jane @ example.org", "jane@example", "@example.org"],
    "url": ["ww.example.org", "http:/example.org", "www. example"],
}


def test_every_pattern_is_tried() -> None:
    assert set(EXAMPLES) == set(COUNTER_EXAMPLES) == set(PATTERN_NAMES)


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in EXAMPLES.items() for text in texts]
)
def test_examples(name: str, text: str) -> None:
    words = make_tokenizer("subword").tokenize(text).words()
    assert _marks(f"seen {text} today") == {name: " ".join(words)}


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in COUNTER_EXAMPLES.items() for text in texts]
)
def test_counter_examples(name: str, text: str) -> None:
    assert name not in _marks(f"seen {text} today")


@pytest.mark.parametrize("text", ["Parkinson", "pulse 72", "aged 48", "HLA-B27", "L4-L5", "x2"])
def test_what_is_no_pattern(text: str) -> None:
    assert _marks(f"seen {text} today") == {}


def test_first_and_later_tokens_are_told_apart() -> None:
    drawn = make_tokenizer("subword").tokenize("on 3/4/19 7:05")
    names, index = match_patterns(drawn)
    found = [names[number] if number >= 0 else "" for number in index.tolist()]
    assert drawn.words() == ["on", "3", "/", "4", "/", "19", "7", ":", "05"]
    assert found == ["", "date", *4 * ["date+"], "time", *2 * ["time+"]]


def test_a_match_inside_a_token_marks_the_token() -> None:
    assert _marks("(3/4/2019), 5mg.", tokenizer="whitespace") == {
        "date": "(3/4/2019),",
        "quantity": "5mg.",
    }


@pytest.mark.parametrize("text", ["(3/4/2019)", "[3/4/2019]", "+3/4/2019", "<3/4/2019>"])
def test_brackets_do_not_hide_a_number(text: str) -> None:
    assert _marks(f"seen {text} today")["date"] == "3 / 4 / 2019"


def test_signs_win_over_numbers() -> None:
    assert "email" in _marks("3/4/2019@example.org", tokenizer="whitespace")
    assert _marks("www.example.org/3/4/2019", tokenizer="whitespace") == {
        "url": "www.example.org/3/4/2019"
    }


@given(st.text(alphabet="+(1٣.,- a\n", max_size=20))
def test_a_number_begins_with_a_digit_or_one_sign_before_it(text: str) -> None:
    plain = re.compile(r"[+(]?\d[\d.,]*")
    found = [match.span() for match in _NUMBER_BEGINS.finditer(text)]
    assert found == [match.span() for match in plain.finditer(text)]


@settings(max_examples=60)
@given(tokens())
def test_any_tokens_of_any_text(drawn: Tokens) -> None:
    names, index = match_patterns(drawn)
    assert index.shape == (len(drawn),)
    assert index.dtype == np.int32
    assert len(names) == 2 * len(PATTERN_NAMES)
    assert ((index >= -1) & (index < len(names))).all()


@pytest.mark.parametrize("piece", ["1", "1.", "(", "@", "a@"])
def test_a_million_characters_take_their_time_but_end(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    drawn = make_tokenizer("whitespace").tokenize(text)
    assert match_patterns(drawn)[1].shape == (1,)


@pytest.mark.parametrize(
    "piece",
    [
        *("1 ", "1-", "1/", "+1", "(1", "(123) ", "12 34 ", "1:", "may ", "may 1 ", "www.", "://"),
        *("a@b.", "a" * 63 + "@@", "http://" + "a" * 300),
    ],
)
def test_repetition_does_not_blow_up(piece: str) -> None:
    drawn = make_tokenizer("whitespace").tokenize(piece * (100_000 // len(piece)))
    assert match_patterns(drawn)[1].shape == (len(drawn),)
