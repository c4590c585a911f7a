"""Conversion: labels mapped by policy, options for those who know them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.corpora.conversion import container_name, convert_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError
from scrubjay.labels import find_label_map

SPANS = (Span(0, 3, "DOCTOR"), Span(4, 8, "PATIENT"), Span(9, 10, "PROFESSION"))
DOCUMENT = Document("a", "Lee Anna x", SPANS)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write_corpus([DOCUMENT], tmp_path / "gold", format="brat")
    return tmp_path / "gold"


def test_formats_change_and_documents_stay(corpus: Path, tmp_path: Path) -> None:
    done = convert_corpus([corpus], tmp_path / "out", to="jsonl")
    assert (done.documents, done.spans) == (1, {"DOCTOR": 1, "PATIENT": 1, "PROFESSION": 1})
    assert (tmp_path / "out" / "gold.jsonl").exists()
    assert list(read_corpus(tmp_path / "out")) == [DOCUMENT]


def test_labels_are_mapped(corpus: Path, tmp_path: Path) -> None:
    to_binary = find_label_map("i2b2-2014", "binary")
    done = convert_corpus([corpus], tmp_path / "out", to="i2b2", label_map=to_binary)
    assert done.spans == {"PHI": 3}


def test_labels_outside_the_map_by_policy(corpus: Path, tmp_path: Path) -> None:
    to_hipaa = find_label_map("i2b2-2014", "hipaa")
    with pytest.raises(LabelError, match="no counterpart in 'hipaa'"):
        convert_corpus([corpus], tmp_path / "out", to="brat", label_map=to_hipaa)
    assert not (tmp_path / "out").exists()
    done = convert_corpus(
        [corpus], tmp_path / "out", to="brat", label_map=to_hipaa, unmapped="drop"
    )
    assert done.unmapped == {"DOCTOR": 1, "PROFESSION": 1}
    assert sum(done.spans.values()) == 1
    with pytest.raises(ConfigError, match="error, drop"):
        convert_corpus([corpus], tmp_path / "out", to="brat", unmapped="keep")  # type: ignore[arg-type]


def test_spans_that_plain_text_cannot_hold_are_counted(corpus: Path, tmp_path: Path) -> None:
    done = convert_corpus([corpus], tmp_path / "out", to="text")
    assert (done.spans, done.spans_left_out) == ({}, 3)


def test_a_writer_of_the_same_format_shares_the_options(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("nota;id\nPeña;1\n".encode("latin-1"))
    options = {"encoding": "latin-1", "delimiter": ";", "text_column": "nota"}
    convert_corpus([tmp_path / "in.csv"], tmp_path / "out", to="csv", options=options)
    assert (tmp_path / "out" / "in.csv").read_bytes() == (tmp_path / "in.csv").read_bytes()
    convert_corpus(
        [tmp_path / "in.csv"],
        tmp_path / "lines",
        to="tsv",
        options=options,
        out_options={"spans_column": ""},
    )
    assert (tmp_path / "lines" / "in.tsv").read_text(encoding="utf-8") == "nota\tid\nPeña\t1\n"


def test_nothing_is_written_where_the_input_breaks(corpus: Path, tmp_path: Path) -> None:
    (corpus / "b.txt").write_bytes(b"\xff")
    with pytest.raises(InputError, match="byte 0"):
        convert_corpus([corpus], tmp_path / "out", to="i2b2")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("inputs", "name"),
    [(["-"], "documents"), (["a", "b"], "documents"), (["x/notes.csv"], "notes"), (["x/n"], "n")],
)
def test_containers_are_named_after_the_input(inputs: list[str], name: str) -> None:
    assert container_name(inputs) == name
