"""The summary of a run: documents in another language than the model, and files not read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.batch.outcome import OPEN_DATES
from scrubjay.batch.summary import NAMED, RunSummary, Tally
from scrubjay.deidentifier import Failure
from scrubjay.document import Document


def summary(language: str, languages: dict[str, int] | None) -> RunSummary:
    return RunSummary(
        "deid", 100, 1000, {}, (), 1.0, "model", None, "out",
        language=language, languages=languages,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "languages", "strange"),
    [
        ("en", {"en": 96, "nl": 4}, {"nl": 4}),
        ("en", {"de": 1, "nl": 1}, {"de": 1, "nl": 1}),
        ("nl", {"en": 1, "nl": 99}, {"en": 1}),
        ("en", {}, {}),
        ("en", None, {}),
        # Of a language that nobody tells apart from the others, a guess says nothing.
        ("pl", {"pt": 9}, {}),
        ("", {"en": 9}, {}),
    ],
)
def test_documents_in_another_language_than_the_models_are_strange(
    language: str, languages: dict[str, int] | None, strange: dict[str, int]
) -> None:
    ids = {code: ["a", "b"] for code in languages or {}}
    found = replace(summary(language, languages), language_ids=ids)
    assert found.strange == strange
    assert found.to_json()["languages"] == languages
    assert found.to_json()["other_languages"] == {code: ["a", "b"] for code in strange}


@pytest.mark.parametrize(
    ("languages", "much"),
    [
        ({"en": 95, "nl": 5}, True),
        ({"en": 96, "nl": 4}, False),
        ({"en": 38, "de": 1, "nl": 1}, True),
        ({"en": 9}, False),
        ({}, False),
        (None, False),
    ],
)
def test_one_document_in_twenty_is_worth_a_warning(
    languages: dict[str, int] | None, much: bool
) -> None:
    assert summary("en", languages).much_is_strange is much


@pytest.mark.parametrize(
    ("language", "languages", "first", "whole"),
    [
        ("en", {"nl": 100}, "nl", "nl"),
        ("en", {"nl": 100}, "", "nl"),
        ("en", {"nl": 96, "en": 4}, "nl", "nl"),
        ("en", {"nl": 95, "en": 5}, "nl", ""),
        ("en", {"nl": 95, "es": 5}, "nl", ""),
        ("en", {"en": 40, "nl": 60}, "nl", ""),
        ("en", {"en": 94, "nl": 6}, "en", ""),
        # Most tell nothing alone: the first ones have to look so together.
        ("en", {"nl": 2}, "nl", "nl"),
        ("en", {"nl": 2}, "", ""),
        ("en", {"nl": 60}, "en", ""),
        ("en", {"en": 2}, "nl", ""),
        ("en", {}, "nl", "nl"),
        ("en", {}, "en", ""),
        ("en", {}, "", ""),
        ("en", None, "", ""),
        ("pl", {"pt": 100}, "pt", ""),
    ],
)
def test_a_whole_input_is_in_another_language_where_no_part_is_not(
    language: str, languages: dict[str, int] | None, first: str, whole: str
) -> None:
    assert replace(summary(language, languages), first_language=first).strange_whole == whole


@pytest.mark.parametrize(
    ("language", "languages", "first", "most"),
    [
        ("en", {"en": 30, "nl": 31}, "en", True),
        ("en", {"en": 30, "nl": 30}, "nl", False),
        ("en", {"en": 30, "nl": 16, "es": 15}, "", True),
        ("en", {"nl": 60}, "", True),
        # Most tell nothing alone: the first ones do together, or nothing does.
        ("en", {"nl": 2}, "nl", True),
        ("en", {"nl": 2}, "", False),
        ("en", {"nl": 2}, "en", False),
        ("en", {}, "nl", True),
        ("en", None, "", False),
        ("pl", {"pt": 100}, "pt", False),
        ("", {}, "pt", False),
    ],
)
def test_a_script_notices_that_most_is_in_another_language(
    language: str, languages: dict[str, int] | None, first: str, most: bool
) -> None:
    found = replace(summary(language, languages), first_language=first)
    assert found.most_is_strange is most
    assert found.exit_code == 0  # spans alone, of which nobody takes the text for safe
    assert replace(found, proof={}).exit_code == most


def test_the_first_ids_of_each_language_are_noted() -> None:
    english = "The patient was seen for pain and has no fever. She is on the ward."
    spanish = "La paciente fue vista por el lunes. Se le explica durante la visita y no ha ido más."
    tally = Tally()
    texts = [english, spanish] * (NAMED + 1) + ["67"]
    for _ in tally.reading(Document(str(number), text) for number, text in enumerate(texts)):
        pass
    assert tally.languages == {"en": NAMED + 1, "es": NAMED + 1}
    assert tally.language_ids == {
        "en": [str(2 * number) for number in range(NAMED)],
        "es": [str(2 * number + 1) for number in range(NAMED)],
    }


def test_all_files_that_are_passed_over_are_counted_and_the_first_named() -> None:
    tally = Tally()
    for number in range(NAMED + 3):
        tally.pass_over(f"{number}.docx")
    assert tally.passed_over == NAMED + 3
    assert tally.passed_names == [f"{number}.docx" for number in range(NAMED)]
    assert summary("en", None).to_json()["passed_over"] == 0
    assert summary("en", None).to_json()["passed_names"] == []


def test_documents_and_characters_are_those_that_are_done() -> None:
    tally = Tally()
    documents = tally.reading([Document("a", "x" * 5), Document("b", "y" * 7)])
    assert [next(documents).id, next(documents).id] == ["a", "b"]
    assert tally.counts() == {"documents": 0, "characters": 0, "spans": 0, "failures": 0}
    tally.add(5, {"DATE": 2}, {})
    tally.fail(7, Failure("b", "detect", "DetectionError"))
    assert tally.counts() == {"documents": 2, "characters": 12, "spans": 2, "failures": 1}


def test_documents_of_open_dates_are_named() -> None:
    tally = Tally()
    tally.add(5, {"DATE": 2}, {OPEN_DATES: 1}, id="a")
    tally.add(5, {"DATE": 2}, {"date-order:dmy": 1, "short-name": 1}, id="b")
    assert (tally.open_dates, tally.short_names) == (["a"], ["b"])
    named = replace(summary("en", None), open_dates=("a",)).to_json()
    assert named["date_orders_open"] == ["a"]


def test_rates_are_of_what_the_run_did_itself() -> None:
    whole = summary("en", None).to_json()
    assert (whole["documents_per_second"], whole["characters_per_second"]) == (100, 1000)
    some = replace(summary("en", None), resumed=60, resumed_characters=400).to_json()
    assert (some["documents_per_second"], some["characters_per_second"]) == (40, 600)


@pytest.mark.parametrize(
    ("patients", "apart"),
    [("", 0), ("aabb", 0), ("aba", 1), ("abab", 2), ("abbac", 1), ("a-a", 1), ("a--", 0)],
)
def test_documents_that_do_not_follow_those_of_their_patient_are_counted(
    patients: str, apart: int
) -> None:
    def patient_of(document: Document) -> str:
        if document.text == "-":
            raise KeyError
        return document.text

    documents = [Document(str(number), each) for number, each in enumerate(patients)]
    tally = Tally()
    assert list(tally.reading(documents, patient_of=patient_of)) == documents
    assert tally.apart == apart
    assert summary("en", None).to_json()["patients_apart"] == 0
