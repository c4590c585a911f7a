"""Look-alikes of a user's file: what they let go, and what is refused by its name."""

from __future__ import annotations

from typing import Any

import pytest

from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.labels import find_label_set
from scrubjay.taggers.look_alikes import LookAlikes, make_look_alikes

LABELS = find_label_set("i2b2-2014")
STEP = {
    "name": "pathway-step", "labels": ["DATE"], "mention": r"(?P<part>\d{1,2})/(?P<whole>12)",
    "before": r"(?<!\w)(?:pathway|step)[ ]", "examples": ["hip pathway {3/12}"],
    "counter-examples": ["seen {3/12}"],
}  # fmt: skip


def _make(**given: Any) -> LookAlikes:
    entry = STEP | {key.replace("_", "-"): value for key, value in given.items()}
    return make_look_alikes({"look-alikes": [entry]}, path="ours.toml", label_set=LABELS)


@pytest.mark.parametrize(
    ("text", "label", "is_spared"),
    [
        ("hip pathway 3/12 today", "DATE", True),
        ("hip pathway 3/12 today", "PHONE", False),
        ("seen on 3/12 today", "DATE", False),
        ("hip pathway 13/12", "DATE", False),
    ],
)
def test_an_entry_lets_go_what_it_tells(text: str, label: str, is_spared: bool) -> None:
    start = text.index("/") - (2 if "13/" in text else 1)
    span = Span(start, text.index("/12") + 3, label)
    assert _make().keep(text, [span]) == ([] if is_spared else [span])
    assert repr(_make()) == "LookAlikes(1)"


def test_a_person_before_a_mention_tells_nothing_of_it() -> None:
    text = "Step 3/12, seen by Dr. Step 3/12"
    first, person, second = Span(5, 9, "DATE"), Span(23, 27, "DOCTOR"), Span(28, 32, "DATE")
    assert _make().keep(text, [first, second]) == []
    assert _make().keep(text, [first, person, second]) == [person, second]
    assert _make().keep(text, [first, second], others=[person]) == [second]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"labels": ["FECHAS"]}, "i2b2-2014 has no label 'FECHAS'"),
        ({"labels": "DATE"}, "`labels` must be a list of strings"),
        ({"mention": 3}, "`mention` must be a string"),
        ({"either": "yes"}, "`either` must be true or false"),
        ({"near": "far"}, "`near` must be a whole number"),
        ({"near": 64.5}, "`near` must be a whole number"),
        ({"near": True}, "`near` must be a whole number"),
        ({"below": "low"}, "`below` must be a number"),
        ({"each": ["a"]}, "`each` must be a table of strings"),
        ({"examples": ["seen {3/12}"]}, "example 1 is not let go"),
        ({"examples": ["pathway 3/12"]}, "example 1 must mark one mention by braces"),
        ({"counter_examples": ["step {3/12}"]}, "counter-example 1 is let go"),
        ({"before": r"\w*"}, "`before` is not safe"),
    ],
)
def test_what_is_no_entry_is_told_by_file_and_entry(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        _make(**given)
    assert message in str(error.value)
    assert "ours.toml" in str(error.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"look-alikes": {"name": "x"}}, "`look-alikes` must be [[look-alikes]] tables"),
        ({"look-alikes": ["x"]}, "must be a table"),
        ({"fragments": "x"}, "`fragments` must be a table"),
        ({"fragments": {"a": 1}}, "`fragments` must be a table of strings"),
        ({"patterns": []}, "unknown key 'patterns'"),
    ],
)
def test_a_file_of_another_form_is_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        make_look_alikes(table, path="ours.toml", label_set=LABELS)
    assert message in str(error.value)
