"""The summary of a run: documents that look to be in another language than the model."""

from __future__ import annotations

import pytest

from scrubjay.batch.summary import RunSummary


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
