"""The edits that put identifiers back into real texts fit the texts, and quote no line of them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from scrubjay.labels import find_label_set


@pytest.fixture
def module(root: Path) -> Iterator[Any]:
    """Return benchmarks/put_back.py, which is no part of the package."""
    sys.path.insert(0, str(root / "benchmarks"))
    try:
        yield import_module("put_back")
    finally:
        sys.path.remove(str(root / "benchmarks"))
        for name in ("put_back", "harness"):
            sys.modules.pop(name, None)


def test_every_text_is_rebuilt_with_its_spans(module: Any, shared: Path) -> None:
    known = set(find_label_set("i2b2-2014").labels)
    documents = [*module.read_put_back("train"), *module.read_put_back("dev")]
    assert len(documents) == len({document.id for document in documents}) == 630
    for document in documents:
        ends = 0
        for span in document.spans:
            assert ends <= span.start < span.end <= len(document.text)
            assert document.text[span.start : span.end].strip() != ""
            assert span.label in known
            ends = span.end


def test_splits_have_no_writer_and_no_text_in_common(module: Any, shared: Path) -> None:
    train, dev = (module.read_put_back(split) for split in ("train", "dev"))
    writers = [{document.id.split("-")[2] for document in part} for part in (train, dev)]
    assert writers == [{"1", "2", "4", "5", "7", "8", "9"}, {"3", "6"}]
    known = [_stretches(document.text) for document in train]
    for document in dev:
        own = _stretches(document.text)
        # A little more than in the bare texts, since headers and signatures are alike.
        assert max(len(own & other) for other in known) <= 0.35 * len(own), document.id


def _stretches(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + 8]) for at in range(len(words) - 7)}


def test_edits_go_from_left_to_right_and_quote_no_line(module: Any, shared: Path) -> None:
    texts: dict[str, dict[str, str]] = {}
    for line in module.EDITS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["corpus"] not in texts:
            texts[row["corpus"]] = dict(module._texts(row["corpus"]))
        text = texts[row["corpus"]][row["id"]]
        assert not [new for _, _, new in row["edits"] if len(new) > 25 and new in text]
        at = 0
        for start, end, _ in row["edits"]:
            assert at <= start <= end
            at = end
        assert sorted(row["spans"]) == row["spans"]


def test_another_text_is_refused(module: Any) -> None:
    row = {"id": "x", "author": "1", "sha256": "0" * 64, "edits": [], "spans": []}
    with pytest.raises(ValueError, match="x is not the text that was edited"):
        module.put_back(row, "Somebody's text")


def test_edits_replace_from_left_to_right(module: Any) -> None:
    assert module.apply_edits("Dr. X of Y", [(4, 5, "Hale"), (10, 10, "ork")]) == "Dr. Hale of York"
    assert module.apply_edits("abc", []) == "abc"
