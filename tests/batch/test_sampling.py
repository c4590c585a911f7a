"""Some documents of an input: spread over its files, bounded, and the same each time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch import sampling
from scrubjay.batch.input import Input
from scrubjay.batch.sampling import sample, thinned
from scrubjay.corpora import write_corpus
from scrubjay.document import Document
from scrubjay.errors import FormatError


@given(st.integers(0, 3_000), st.integers(1, 50))
def test_a_thinned_list_is_in_order_and_as_long_as_may_be(size: int, most: int) -> None:
    kept = thinned(range(size), most)
    assert len(kept) == min(size, most)
    assert all(before < after for before, after in pairwise(kept))
    assert kept == thinned(range(size), most)


@pytest.mark.parametrize("rhythm", [2, 3, 4, 8, 10])
def test_a_thinned_list_has_its_share_of_whatever_comes_by_turns(rhythm: int) -> None:
    kept = thinned(range(12_000), 1_000)
    for turn in range(rhythm):
        assert sum(number % rhythm == turn for number in kept) > 0.7 * len(kept) / rhythm
    for begin in range(0, 12_000, 3_000):  # and of all parts
        assert sum(begin <= number < begin + 3_000 for number in kept) > 200


def test_a_thinned_stream_is_never_held_whole() -> None:
    class Item:
        alive = most = 0

        def __init__(self) -> None:
            Item.alive += 1
            Item.most = max(Item.most, Item.alive)

        def __del__(self) -> None:
            Item.alive -= 1

    assert len(thinned((Item() for _ in range(10_000)), 10)) == 10
    assert Item.most <= 12


def numbered(count: int, text: str = "note") -> list[Document]:
    return [Document(f"{number:05d}", f"{text} {number}") for number in range(count)]


@pytest.mark.parametrize("name", ["text", "brat", "jsonl", "csv", "i2b2"])
def test_documents_of_each_format_are_sampled(name: str, tmp_path: Path) -> None:
    documents = numbered(30)
    write_corpus(documents, tmp_path / "in", format=name)
    source = Input((str(tmp_path / "in"),))
    found = sorted(document.text for document in sample(source))
    assert found == sorted(document.text for document in documents)
    assert source.fraction_read() is None  # the run has read nothing yet


def test_files_of_the_whole_folder_are_sampled_and_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "MOST_DOCUMENTS", 20)
    for place in ("a", "b"):
        write_corpus(numbered(200, place), tmp_path / place, format="text")
    source = Input((str(tmp_path / "a"), str(tmp_path / "b")))
    found = [document.text for document in sample(source)]
    assert 10 <= len(found) <= 20
    assert found == [document.text for document in sample(source)]
    assert {text[0] for text in found} == {"a", "b"}
    assert max(int(text[2:]) for text in found if text[0] == "b") > 150


@pytest.mark.parametrize(("bound", "value"), [("MOST_CHARACTERS", 95), ("MOST_BYTES", 95)])
def test_what_is_read_is_bounded_and_still_spread(
    bound: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, bound, value)
    write_corpus(numbered(400, "n"), tmp_path / "in", format="text")
    found = [document.text for document in sample(Input((str(tmp_path / "in"),)))]
    assert 5 <= len(found) <= 50
    assert max(int(text[2:]) for text in found if text[2:]) > 200
    assert bound == "MOST_BYTES" or sum(map(len, found)) <= value


def test_a_very_long_document_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOST_CHARACTERS", 10)
    (tmp_path / "a.txt").write_text("x" * 1_000)
    (found,) = sample(Input((str(tmp_path / "a.txt"),)))
    assert found.text == "x" * 10


def test_patients_are_not_looked_for(tmp_path: Path) -> None:
    resource = '{"resourceType": "Observation", "id": "1", "status": "final", "note": [%s]}'
    (tmp_path / "a.ndjson").write_text(resource % '{"text": "Seen 25/12/2020"}' + "\n")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "b.ndjson").write_text("{")
    source = Input((str(tmp_path / "a.ndjson"),), options={"registers": [str(broken)]})
    assert any("25/12/2020" in document.text for document in sample(source))
    with pytest.raises(FormatError):
        list(source.read())


def test_a_great_bundle_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = '{"resourceType": "Bundle", "type": "collection", "entry": [{"resource": %s}]}'
    resource = '{"resourceType": "Observation", "status": "final", "note": [{"text": "Well"}]}'
    (tmp_path / "a.json").write_text(bundle % resource)
    source: Any = Input((str(tmp_path / "a.json"),))
    assert list(sample(source))
    monkeypatch.setattr(sampling, "MOST_BYTES", 20)
    assert not list(sample(source))
