"""What is said of a corpus without a span."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import read_corpus
from scrubjay.corpora.unmarked import hint_spans

TAGGED = "Seen by <DOCTOR>Dr. Lee</DOCTOR>."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TAGGED, "has tags in it such as <NAME>...</NAME>: give --format inline"),
        ("Seen by Dr. Lee.", "which holds no spans: give another corpus, or its format (--format)"),
        ("Na <135, K >5. <b>", "which holds no spans"),
        ("<A>x</B>", "which holds no spans"),
    ],
)
def test_plain_text_gets_the_format_of_tags(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    hint = hint_spans(read_corpus(tmp_path))
    assert told in hint
    assert "--format inline" in hint
    assert "Lee" not in hint
    assert "--from inline" in hint_spans(read_corpus(tmp_path), option="--from")


def test_other_formats_get_none(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "a", "text": "<A>x</A>", "spans": []}\n')
    assert hint_spans(read_corpus(tmp_path)) == ""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "a.txt").write_text(TAGGED)
    assert hint_spans(read_corpus(tmp_path / "b", format="inline")) == hint_spans([]) == ""
