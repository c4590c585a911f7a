"""The entries of look-alikes: their examples, how they are read, and a plain way to ask them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.languages import LANGUAGES
from scrubjay.taggers._mending.people.person_names import is_often
from scrubjay.taggers._mending.sparing.lookalike_search import (
    compile_look_alike,
    find_look_alike,
    has_shape,
    is_let_go,
)
from scrubjay.taggers._mending.sparing.lookalikes import (
    LookAlike,
    find_look_alikes,
    parse_look_alikes,
)
from scrubjay.taggers._mending.uncovered import touched_by
from scrubjay.taggers.mending import mend
from scrubjay.taggers.mending_models import MendingScores, mending_manifest, scores_to_mend
from tests.shipped_models import shipped_model
from tests.taggers.mending_samples import read_braces

_ENTRIES = [(language, entry) for language in LANGUAGES for entry in find_look_alikes(language)]


_compile_once = cache(compile_look_alike)


def _ask(entry: LookAlike, text: str, span: Span) -> bool:
    one = _compile_once(entry)
    return has_shape(one, text[span.start : span.end]) and is_let_go(one, text, span)


def _sure(entry: LookAlike, marked: str, label: str) -> tuple[str, Span]:
    text, span = read_braces(marked, label)
    assert span.end > span.start, f"{entry.name}: no mention in braces: {marked}"
    score = 1.0 if entry.below > 1 else entry.below / 2
    return text, Span(span.start, span.end, label, score=score)


@pytest.mark.parametrize(
    ("language", "entry"), _ENTRIES, ids=[f"{code}-{entry.name}" for code, entry in _ENTRIES]
)
def test_examples_are_let_go_by_their_entry_and_counter_examples_stay(
    language: str, entry: LookAlike
) -> None:
    for label in entry.labels:
        for marked in entry.examples:
            text, span = _sure(entry, marked, label)
            assert _ask(entry, text, span), f"{label} stays: {marked}"
            assert find_look_alike(text, span, language) is not None, marked
            left = mend(text, [span], language)
            found = touched_by(left, span.start, span.end)
            # Weekdays of a dose that are nobody's name are dates, by a step behind.
            assert found is None or found.label not in entry.labels, marked
            if entry.below <= 1:
                asked = MendingScores(language)(text, [(span.start, span.end, label)])
                assert asked == [True], f"no model gives a score for {marked}"
    for marked in entry.counter_examples:
        text, span = _sure(entry, marked, entry.labels[0])
        assert not _ask(entry, text, span), f"let go: {marked}"


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("en-fast", "PHQ-9 11/27."),
        ("en-fast", "Barthel 12/20 on admission."),
        ("nl-fast", "VAS 7/10."),
        ("nl-fast", "anti-TPO 1044"),
        ("nl-fast", "Vanmorgen K 3,1 waarvoor suppletie. pH 7,32, pCO2 6,1, BE -3, HCO3 22"),
        ("nl", "Lab: Hct 29.4, Hb 11.4, Na: 138. LDL 102, TG 150, Chol 198"),
        ("en-fast", "K 4.2. Lab: Hct 29.4, Hb 11.4, Na: 138, GGT=56."),
        ("en", "pH 7.32, pCO2 6.1, BE -3, HCO3 22. LDL 102, TG 150, Chol 198"),
    ],
)
def test_shipped_models_ask_them(model: str, text: str) -> None:
    assert shipped_model(model).detect([Document("1", text)]) == [()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_entries_of_a_language_have_one_name(language: str) -> None:
    entries = find_look_alikes(language)
    assert len({entry.name for entry in entries}) == len(entries)


def _entry(**given: Any) -> LookAlike:
    table = {
        "name": "pain", "labels": ["DATE"], "mention": r"(?P<part>\d{1,2})/(?P<whole>10)",
        "before": r"(?<!\w)pain[ ]", "examples": ["pain {7/10}"], "counter-examples": ["on {7/10}"],
    } | {key.replace("_", "-"): value for key, value in given.items()}  # fmt: skip
    (entry,), _ = parse_look_alikes(
        {"look-alikes": [{key: value for key, value in table.items() if value is not None}]},
        path="ours.toml",
    )
    return entry


@pytest.mark.parametrize(
    ("given", "marked", "is_spared"),
    [
        ({}, "pain {7/10}", True),
        ({}, "PAIN {7/10}", True),
        ({"case": "exact"}, "PAIN {7/10}", False),
        ({}, "pain {12/10}", False),  # no part is more than the whole
        ({}, "paint {7/10}", False),
        ({}, "pain\n{7/10}", False),
        ({"before": r"pain[^.]{0,9}"}, "pain\nis {7/10}", False),
        ({"before": r"pain[^.]{0,9}", "within": "text"}, "pain\nis {7/10}", True),
        ({"before": r"pain\W{1,9}", "within": "clause"}, "pain; {7/10}", False),
        ({"before": r"pain\W{1,9}"}, "pain; {7/10}", True),
        ({"after": r"[ ]now"}, "pain {7/10} now", True),
        ({"after": r"[ ]now"}, "pain {7/10}", False),
        ({"after": r"[ ]now", "either": True}, "pain {7/10}", True),
        ({"after": r"[ ]now", "either": True}, "was {7/10} now", True),
        ({"after": r"[ ]now", "either": True}, "was {7/10}", False),
        ({"unless_before": r"no pain[ ]"}, "no pain {7/10}", False),
        ({"unless_after": r"/\d"}, "pain {7/10}/19", False),
        ({"unless_text": r"7/\d/20"}, "pain {7/10}", True),
        ({"unless_text": r"7/\d/20"}, "7/9/2031: seen.\n\npain {7/10}", False),
        ({"unless_american": True}, "pain {7/10}", False),
        ({"unless_american": True}, "paracetamol tds, pain {7/10}", True),
        ({"mention": r"(?P<low>\d{1,2})/(?P<high>\d{1,2})"}, "pain {7/7}", False),
        ({"mention": r"(?P<low>\d{1,2})/(?P<high>\d{1,2})"}, "pain {6/7}", True),
        ({"mention": r"(?P<part>\w{1,9})/(?P<whole>\w{1,9})"}, "pain {Jo/Roe}", False),
        ({"mention": r"(?P<low>\w{1,9})/(?P<high>\w{1,9})"}, "pain {Jo/Roe}", False),
        ({"mention": r"(?:(?P<low>\d)/)?(?P<high>\d{1,2})"}, "pain {7}", True),
        ({"before": "(?<!\\w)pa\n    in[ ]"}, "pain {7/10}", True),  # broken in two lines
    ],
)
def test_what_an_entry_asks(given: dict[str, Any], marked: str, is_spared: bool) -> None:
    assert _ask(_entry(**given), *read_braces(marked, "DATE")) is is_spared


def test_a_mention_with_a_high_score_stays_where_an_entry_asks_for_doubt() -> None:
    entry = _entry(below=0.9)
    assert not _ask(entry, "pain 7/10", Span(5, 9, "DATE", score=0.95))
    assert not _ask(entry, "pain 7/10", Span(5, 9, "DATE"))
    assert _ask(entry, "pain 7/10", Span(5, 9, "DATE", score=0.5))


def test_what_is_named_has_to_be_in_a_list() -> None:
    table = {
        "lists": {"scales": "norton van_dyck", "others": "braden"},
        "look-alikes": [{
            "name": "scale", "labels": ["NAME"], "mention": r"(?P<listed>\D{1,20})[ ]\d",
            "listed": ["scales", "others"],
            "examples": ["{Norton 3}"], "counter-examples": ["{Bo 3}"],
        }],
    }  # fmt: skip
    (entry,), _ = parse_look_alikes(table, path="ours.toml")
    marked = ["{Norton 3}", "{Van Dyck 3}", "{BRADEN 3}", "{Dyck 3}", "{Smit 3}"]
    is_spared = [_ask(entry, *read_braces(one, "NAME")) for one in marked]
    assert is_spared == [True, True, True, False, False]


def test_models_give_a_score_where_an_entry_asks_for_doubt() -> None:
    wanted = scores_to_mend(mending_manifest(shipped_model("en-fast")))
    assert wanted is not None
    assert wanted("K 5.9 -> plan hd", [(14, 16, "DOCTOR"), (0, 1, "DOCTOR")]) == [True, False]


def test_a_person_before_a_mention_tells_nothing_of_it() -> None:
    one, span = compile_look_alike(_entry(before=r"Norton[ ]")), Span(7, 11, "DATE")
    assert is_let_go(one, "Norton 7/10", span)
    assert not is_let_go(one, "Norton 7/10", span, person=6)


def test_what_speaks_against_an_entry_may_stand_before_a_person() -> None:
    one = compile_look_alike(_entry(unless_before=r"on[^\d]{1,30}"))
    assert not is_let_go(one, "on call, Norton pain 7/10", Span(21, 25, "DATE"), person=15)


def test_the_next_sign_refuses_no_entry_that_may_fit() -> None:
    assert compile_look_alike(_entry(after="[ ]?(?:kg|-)")).firsts == {"k", "K", "-"}
    for after in (r"[.]|\Z", r"[ ]?", r"(?=[ ]kg)", ""):  # which may be matched by nothing
        assert compile_look_alike(_entry(after=after)).firsts is None
    assert compile_look_alike(_entry(before="pain ", after="kg", either=True)).firsts is None


@pytest.mark.parametrize("near", [64, 80])
def test_what_is_far_away_tells_nothing(near: int) -> None:
    entry = _entry(before=r"pain[ ]{1,100}", near=near)
    nearer, further = f"pain{' ' * (near - 4)}{{7/10}}", f"pain{' ' * (near - 3)}{{7/10}}"
    assert _ask(entry, *read_braces(nearer, "DATE"))
    assert not _ask(entry, *read_braces(further, "DATE"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"naem": "x"}, "unknown key 'naem'"),
        ({"labels": None}, "needs `labels`"),
        ({"examples": []}, "needs `examples`"),
        ({"name": "Pain"}, "small letters"),
        ({"within": "page"}, "`within` must be one of"),
        ({"near": 300}, "`near` must be 1 to 200"),
        ({"case": "none"}, "`case` must be one of"),
        ({"either": True}, "`either` needs"),
        ({"languages": ["fr"]}, "`languages` may be"),
        ({"before": "pain("}, "`before` is no regular expression"),
        ({"before": r"pain\s*"}, "`before` is not safe"),
        ({"mention": r"(?:\d{1,9}){1,9}"}, "`mention` is not safe"),
        ({"after": "{nothing}"}, "unknown fragment"),
        ({"listed": ["nothing"]}, "unknown list 'nothing'"),
    ],
)
def test_what_is_no_entry_is_refused_by_its_name(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as error:
        _entry(**given)
    assert "ours.toml" in str(error.value)


def test_an_eponym_of_which_somebody_is_called_is_found_again() -> None:
    text = "dr. Kraepelin komt. Kraepelin over lithium"
    spans = [Span(4, 13, "NAME", score=0.9), Span(20, 29, "NAME", score=0.3)]
    assert [span.start for span in mend(text, spans, "nl")] == [4, 20]
    assert mend(text, spans[1:], "nl") == ()


def test_lists_of_eponyms_are_in_small_letters_and_what_few_are_called_by_is_no_common_name() -> (
    None
):
    file = resources.files("scrubjay.resources").joinpath("lookalikes", "nl-eponyms.toml")
    lists = {
        name: [word.replace("_", " ") for word in words.split()]
        for name, words in tomllib.loads(file.read_text("utf-8"))["lists"].items()
    }
    for name, words in lists.items():
        assert len(set(words)) == len(words), name
        assert all(word == word.lower() for word in words), name
    for word in lists["rare"] + lists["graded-rare"]:
        for kind in ("surnames", "first-names"):
            assert not is_often(kind, word, "nl", most=4), word


def test_an_entry_may_stand_for_one_of_each_row_of_a_table() -> None:
    table = {
        "name": "of", "labels": ["DATE"], "mention": r"(?P<part>\d{1,2})/(?P<whole>{key})",
        "before": r"(?<!\w)(?:{value})[ ]", "each": {"10": "pain|vas", "30": "moca"},
        "examples": ["pain {7/10}", "moca {7/30}"], "counter-examples": ["moca {7/27}"],
    }  # fmt: skip
    (ten, thirty), _ = parse_look_alikes({"look-alikes": [table]}, path="ours.toml")
    assert (ten.name, thirty.name) == ("of-10", "of-30")
    assert (ten.examples, thirty.examples) == (("pain {7/10}",), ("moca {7/30}",))
    assert _ask(thirty, *read_braces("moca {12/30}", "DATE"))
    assert not _ask(ten, *read_braces("moca {7/10}", "DATE"))
    with pytest.raises(ConfigError, match="entry 'of-30': needs an example"):
        parse_look_alikes({"look-alikes": [table | {"examples": ["pain {7/10}"]}]}, path="a.toml")


def test_two_entries_of_a_file_have_two_names() -> None:
    entry = {
        "name": "pain", "labels": ["DATE"], "mention": r"\d/10",
        "examples": ["{7/10}"], "counter-examples": ["{7/9}"],
    }  # fmt: skip
    with pytest.raises(ConfigError, match="two entries are named 'pain'"):
        parse_look_alikes({"look-alikes": [entry, entry]}, path="ours.toml")


def test_another_language_has_none() -> None:
    assert find_look_alikes("de") == ()


def test_a_shipped_model_asks_them() -> None:
    texts = {
        "46F smoker. 16F Foley to gravity, R rad 6F, chest tube 28F. T 101F.": ["46"],
        "Wheezy 1/7. Salbutamol nebs, pred 40 mg 5/7. Review 2/7.": [],
        "Seen on 12/7 by GP, rash worse 3/7, now blistering. Flucloxacillin qds 7/7.": ["12/7"],
    }
    found = shipped_model("en-fast").detect([Document(text, text) for text in texts])
    for (text, kept), spans in zip(texts.items(), found, strict=True):
        told = [text[span.start : span.end] for span in spans if span.label in ("AGE", "DATE")]
        assert told == kept
