"""The summary of a run: documents in another language than the model, and files not read."""

from __future__ import annotations

import pytest

from scrubjay.batch.summary import NAMED, RunSummary, Tally


def summary(language: str, languages: dict[str, int] | None) -> RunSummary:
    return RunSummary(
        "deid", 100, 1000, {}, (), 1.0, "model", None, "out",
        language=language, languages=languages,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "languages", "strange"),
    [
        ("en", {"en": 95, "nl": 5}, {"nl": 5}),
        ("en", {"en": 96, "nl": 4}, {}),
        ("en", {"de": 1, "nl": 1}, {"de": 1, "nl": 1}),
        ("en", {}, {}),
        ("en", None, {}),
        # Of a language that nobody tells apart from the others, a guess says nothing.
        ("pl", {"pt": 9}, {}),
        ("", {"en": 9}, {}),
    ],
)
def test_one_document_in_twenty_is_worth_a_warning(
    language: str, languages: dict[str, int] | None, strange: dict[str, int]
) -> None:
    found = summary(language, languages)
    assert found.strange == strange
    assert found.to_json()["languages"] == languages


def test_all_files_that_are_passed_over_are_counted_and_the_first_named() -> None:
    tally = Tally()
    for number in range(NAMED + 3):
        tally.pass_over(f"{number}.docx")
    assert tally.passed_over == NAMED + 3
    assert tally.passed_names == [f"{number}.docx" for number in range(NAMED)]
    assert summary("en", None).to_json()["passed_over"] == 0
    assert summary("en", None).to_json()["passed_names"] == []
