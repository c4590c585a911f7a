"""The real corpora: both of their formats agree, and come back byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import detect_format, read_corpus, write_corpus
from scrubjay.document import Document

PARTS = ["meddocan/train", "meddocan/dev", "en-notes/train", "en-notes/dev"]


def load(path: Path) -> dict[str, Document]:
    return {document.id: document for document in read_corpus(path)}


@pytest.mark.parametrize("part", PARTS)
def test_brat_and_xml_tell_the_same(part: str, shared: Path) -> None:
    brat, xml = load(shared / "corpora" / part / "brat"), load(shared / "corpora" / part / "xml")
    assert len(brat) >= 148
    assert brat.keys() == xml.keys()
    for name, document in brat.items():
        assert document.text == xml[name].text
        assert document.spans == xml[name].spans


@pytest.mark.parametrize("part", [f"{part}/brat" for part in PARTS] + ["nl-notes/train"])
def test_brat_comes_back_byte_for_byte(part: str, shared: Path, tmp_path: Path) -> None:
    source = shared / "corpora" / part
    write_corpus(read_corpus(source), tmp_path, format="brat")
    assert {path.name for path in tmp_path.iterdir()} >= {path.name for path in source.iterdir()}
    for path in source.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_meddocan_xml_comes_back_byte_for_byte(shared: Path, tmp_path: Path) -> None:
    source = shared / "corpora" / "meddocan" / "dev" / "xml"
    assert detect_format(source) == "meddocan-xml"
    write_corpus(read_corpus(source), tmp_path, format="meddocan-xml")
    for path in source.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_i2b2_xml_comes_back(shared: Path, tmp_path: Path) -> None:
    """Byte for byte, but for line ends inside attributes, which are written to last."""
    source = shared / "corpora" / "en-notes" / "dev" / "xml"
    write_corpus(read_corpus(source), tmp_path, format="i2b2")
    same = sum(
        (tmp_path / path.name).read_bytes() == path.read_bytes() for path in source.iterdir()
    )
    assert same > 120
    assert load(tmp_path) == load(source)


@pytest.mark.parametrize("part", ["i2b2-2014", "meddocan"])
def test_predictions_of_the_reference_scores_can_be_read(part: str, shared: Path) -> None:
    folder = shared / "reference-scores" / part / "predicted"
    if part == "i2b2-2014":
        assert len(load(folder)) == 148
        return
    texts = shared / "corpora" / "meddocan" / "dev" / "brat"
    names = {path.stem for path in folder.glob("*.ann")}
    assert len(names) == 60
    assert names <= {path.stem for path in texts.glob("*.txt")}


@pytest.mark.parametrize("name", ["brat", "xml"])
def test_the_fixtures_can_be_read(name: str, fixtures: Path) -> None:
    found = load(fixtures / "en-notes" / name)
    assert sorted(found) == ["11015-01", "12005-01", "6010-01"]
    assert all(document.spans for document in found.values())
