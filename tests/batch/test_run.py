"""Runs over files: every format comes back in its own, failures leave nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.batch.input import Input
from scrubjay.batch.resume import WORK
from scrubjay.batch.run import annotate_corpus, deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.batch.summary import RunSummary
from scrubjay.batch.work import AnnotateWork, DeidWork
from scrubjay.corpora import find_format, open_writer, read_corpus, write_corpus
from scrubjay.deidentifier import Deidentifier, Failure
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, OutputError
from scrubjay.transform.operators import Placeholder
from scrubjay.transform.policy import Policy, find_policy
from tests.batch.written import files
from tests.formats import FREE
from tests.strategies import documents, xml_texts
from tests.toys import CANARY, DateDetector, RaisingDetector

PLAIN = Policy("plain", Placeholder("[{label}]"))
MODEL = Deidentifier(DateDetector(), PLAIN)
RAISING = Deidentifier(RaisingDetector(), PLAIN)

NOTES = [
    Document("1-1", "Seen 3/4/2019 by Anna.\n", (Span(17, 21, "PATIENT"),)),
    Document("1-2", "No date here.\n"),
    Document("2-1", "Again 10/4/2019\nand 11/4/2019.\n", (Span(6, 15, "DATE"),)),
]
CLEAN = ["Seen [DATE] by Anna.\n", "No date here.\n", "Again [DATE]\nand [DATE].\n"]


def deid(
    source: Path | Sequence[Path], out: Path, model: Deidentifier = MODEL, **settings: Any
) -> RunSummary:
    paths = (source,) if isinstance(source, Path) else source
    output = Output(out, existing=settings.pop("existing", "replace"))
    keep = tuple(settings.pop("keep_columns", ()))
    return deidentify_corpus(
        Input(tuple(map(str, paths)), **settings),
        output,
        work=DeidWork(model, keep_columns=keep),
        model="toy",
    )


def write_text_notes(folder: Path) -> Path:
    write_corpus(NOTES, folder, format="text")
    return folder


@pytest.mark.parametrize("name", FREE)
def test_every_format_comes_back_in_its_own(name: str, tmp_path: Path) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    write_corpus(NOTES, tmp_path / "in", format=name)
    summary = deid(tmp_path / "in", tmp_path / "out", format=name)
    assert summary.exit_code == 0
    assert summary.labels == {"DATE": 3}
    assert set(files(tmp_path / "out")) == set(files(tmp_path / "in"))
    found = list(read_corpus(tmp_path / "out", format=name))
    assert [document.id for document in found] == ["1-1", "1-2", "2-1"]
    assert [document.text for document in found] == CLEAN
    if name != "text":
        spans = [document.text[s.start : s.end] for document in found for s in document.spans]
        assert spans == ["[DATE]"] * 3
    assert not any(b"2019" in content for content in files(tmp_path / "out").values())


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    batch=st.lists(
        documents(text=xml_texts(max_pieces=6)),
        min_size=1,
        max_size=4,
        unique_by=lambda document: document.id,
    ),
    name=st.sampled_from(["text", "brat", "i2b2", "meddocan-xml", "jsonl", "csv", "conll"]),
)
def test_text_outside_the_edits_survives_every_format(
    batch: list[Document], name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("run")
    write_corpus([document.with_spans(()) for document in batch], folder / "in", format=name)
    summary = deid(folder / "in", folder / "out", format=name)
    assert summary.failures == ()
    found = {d.id: d.text for d in read_corpus(folder / "out", format=name)}
    assert found == {d.id: DateDetector.pattern.sub("[DATE]", d.text) for d in batch}


def test_bytes_of_plain_text_stay(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    content = "\ufeffé 3/4/2019\r\n\r\x85e\u0301 \U0001d504".encode()
    (tmp_path / "in" / "a.TXT").write_bytes(content)
    (tmp_path / "in" / "empty.txt").write_bytes(b"")
    deid(tmp_path / "in", tmp_path / "out")
    (written,) = [v for k, v in files(tmp_path / "out").items() if k.lower() == "a.txt"]
    assert written == content.replace(b"3/4/2019", b"[DATE]")
    assert files(tmp_path / "out")["empty.txt"] == b""


def test_the_encoding_stays(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes("né 3/4/2019".encode("latin-1"))
    source = Input((str(tmp_path / "in"),), options={"encoding": "latin-1"})
    output = Output(tmp_path / "out", encoding="latin-1")
    deidentify_corpus(source, output, work=DeidWork(MODEL), model="toy")
    assert (tmp_path / "out" / "a.txt").read_bytes() == "né [DATE]".encode("latin-1")


def test_inputs_of_several_formats_keep_each_its_own(tmp_path: Path) -> None:
    write_corpus(NOTES[:1], tmp_path / "a", format="text")
    write_corpus(NOTES[2:], tmp_path / "b", format="jsonl", name="notes")
    summary = deid([tmp_path / "a", tmp_path / "b"], tmp_path / "out")
    assert summary.documents == 2
    assert sorted(files(tmp_path / "out")) == ["1-1.txt", "notes.jsonl"]


def test_the_original_annotations_do_not_come_along(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    text = f"{CANARY} on 3/4/2019"
    (folder / "a.txt").write_text(text)
    (folder / "a.ann").write_text(
        f"T1\tPATIENT 0 5;6 {len(CANARY)}\t{CANARY}\n"
        f"#1\tAnnotatorNotes T1\tthat is {CANARY}\n"
        f"A1\tSex T1 {CANARY}\n*\tEquiv T1 T1\n"
    )
    deid(folder, tmp_path / "out")
    annotations = (tmp_path / "out" / "a.ann").read_text()
    assert annotations == f"T1\tDATE {len(CANARY) + 4} {len(CANARY) + 10}\t[DATE]\n"


def test_stale_annotations_of_the_input_are_no_error(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.xml").write_text(
        '<?xml version="1.0"?><deIdi2b2><TEXT><![CDATA[on 3/4/2019]]></TEXT><TAGS>'
        f'<NAME id="P0" start="0" end="2" text="other" TYPE="PATIENT" comment="{CANARY}" />'
        "</TAGS></deIdi2b2>"
    )
    deid(folder, tmp_path / "out")
    written = (tmp_path / "out" / "a.xml").read_text()
    assert 'text="[DATE]"' in written
    assert "PATIENT" not in written
    assert CANARY not in written


def test_files_of_ngrid_2016_keep_their_root(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    text = "<NGRID_deId><TEXT>on 3/4/2019</TEXT><TAGS></TAGS></NGRID_deId>"
    (folder / "0001_gs.xml").write_text(text)
    deid(folder, tmp_path / "out")
    assert "<NGRID_deId>" in (tmp_path / "out" / "0001_gs.xml").read_text()


def test_other_columns_are_dropped_unless_named(tmp_path: Path) -> None:
    table = tmp_path / "notes.csv"
    table.write_text(f"id,patient,ward,text\n1,{CANARY},North,on 3/4/2019\n2,{CANARY},South,x\n")
    deid(table, tmp_path / "out")
    assert (tmp_path / "out" / "notes.csv").read_text() == "id,text\n1,on [DATE]\n2,x\n"
    deid(table, tmp_path / "out2", keep_columns=["ward"])
    kept = (tmp_path / "out2" / "notes.csv").read_text()
    assert kept == "id,ward,text\n1,North,on [DATE]\n2,South,x\n"
    with pytest.raises(ConfigError, match="no column 'wrad' to keep"):
        deid(table, tmp_path / "out3", keep_columns=["wrad"])
    assert not (tmp_path / "out3").exists()


def test_other_keys_are_dropped_unless_named(tmp_path: Path) -> None:
    lines = tmp_path / "notes.jsonl"
    record = {
        "id": "a",
        "text": "on 3/4/2019",
        "spans": [],
        "patient": CANARY,
        "ward": "North",
        "metadata": {"note": CANARY, "doccano.key": CANARY, "source.columns": [CANARY]},
    }
    lines.write_text(json.dumps(record) + "\n")
    deid(lines, tmp_path / "out", keep_columns=["ward"])
    written = (tmp_path / "out" / "notes.jsonl").read_text()
    assert CANARY not in written
    assert json.loads(written)["ward"] == "North"
    assert json.loads(written)["text"] == "on [DATE]"


def test_metadata_of_a_file_do_not_come_along(tmp_path: Path) -> None:
    metadata = {"note": CANARY, "columns": {"patient": CANARY}, "brat.lines": [f"#1\t{CANARY}"]}
    (tmp_path / "notes.conll").write_text(
        f'# newdoc id = "a"\n# text = "on 3/4/2019"\n# metadata = {json.dumps(metadata)}\n'
        "on\t0\t2\tO\n3/4/2019\t3\t11\tO\n\n"
    )
    deid(tmp_path / "notes.conll", tmp_path / "out")
    written = (tmp_path / "out" / "notes.conll").read_text()
    assert written == (
        '# newdoc id = "a"\n# text = "on [DATE]"\n'
        "on\t0\t2\tO\n[\t3\t4\tB-DATE\nDATE\t4\t8\tI-DATE\n]\t8\t9\tI-DATE\n\n"
    )


def test_a_failed_document_has_no_output_and_is_listed(tmp_path: Path) -> None:
    folder = write_text_notes(tmp_path / "in")
    (folder / "bad.txt").write_text(f"{CANARY} 3/4/2019")
    summary = deid(folder, tmp_path / "out", RAISING)
    assert summary.failures == (Failure("bad", "detect", "RuntimeError"),)
    assert summary.exit_code == 1
    assert sorted(files(tmp_path / "out")) == ["1-1.txt", "1-2.txt", "2-1.txt"]
    assert summary.documents == 4
    assert CANARY not in summary.to_text()


def test_a_failed_document_is_missing_from_its_container(tmp_path: Path) -> None:
    bad = Document("bad", CANARY)
    write_corpus([NOTES[0], bad, NOTES[2]], tmp_path / "in", format="csv", name="notes")
    summary = deid(tmp_path / "in", tmp_path / "out", RAISING)
    assert [failure.id for failure in summary.failures] == ["bad"]
    assert [d.id for d in read_corpus(tmp_path / "out" / "notes.csv")] == ["1-1", "2-1"]


def test_a_failed_document_leaves_no_file_of_an_earlier_run(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_corpus([Document("bad", CANARY)], folder, format="brat")
    write_corpus([Document("bad2", CANARY)], tmp_path / "in2", format="csv", name="notes")
    out = tmp_path / "out"
    out.mkdir()
    for name in ("bad.txt", "bad.ann", "notes.csv", "other.txt"):
        (out / name).write_text("old")
    deid([folder, tmp_path / "in2"], out, RAISING)
    assert files(out) == {"other.txt": b"old"}


def test_files_are_not_replaced_where_that_is_an_error(tmp_path: Path) -> None:
    folder, out = write_text_notes(tmp_path / "in"), tmp_path / "out"
    (folder / "bad.txt").write_text(CANARY)
    for name in ("1-1.txt", "bad.txt"):
        out.mkdir()
        (out / name).write_text("old")
        with pytest.raises(OutputError, match="exists already"):
            deid(folder, out, RAISING, existing="error")
        assert files(out) == {name: b"old"}
        (out / name).unlink()
        out.rmdir()


def test_a_document_that_its_format_cannot_hold_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "in"
    write_corpus([replace(note, spans=()) for note in NOTES], folder, format="text")

    @dataclass(frozen=True)
    class OddLabels(DateDetector):
        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            found = super().detect(documents)
            return [tuple(replace(span, label="A DATE") for span in spans) for spans in found]

    model = Deidentifier(OddLabels(), find_policy("mask"))
    summary = annotate_corpus(
        Input((str(folder),)),
        Output(tmp_path / "out", "brat"),
        work=AnnotateWork(model),
        model="toy",
    )
    assert [(f.id, f.stage, f.code) for f in summary.failures] == [
        ("1-1", "write", "LabelError"),
        ("2-1", "write", "LabelError"),
    ]
    assert sorted(files(tmp_path / "out")) == ["1-2.ann", "1-2.txt"]


def test_bad_input_ends_the_run_and_leaves_nothing(tmp_path: Path) -> None:
    folder = write_text_notes(tmp_path / "in")
    (folder / "z.txt").write_bytes(b"\xff")
    with pytest.raises(FormatError.__mro__[1], match=r"z\.txt, byte 0"):
        deid(folder, tmp_path / "new" / "out")
    assert not (tmp_path / "new").exists()


def test_a_full_disk_ends_the_run_and_shows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_text_notes(tmp_path / "in")
    write_bytes = Path.write_bytes

    def fail(self: Path, data: bytes) -> int:
        if self.name == "2-1.txt":
            raise OSError(28, "No space left on device")
        return write_bytes(self, data)

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OutputError, match="No space left"):
        deid(folder, tmp_path / "out")
    # What was done is kept, to go on with.
    assert [path.name for path in (tmp_path / "out").iterdir()] == [WORK]


@pytest.mark.parametrize("place", ["in", "in/out", "in/deep/out"])
def test_the_output_lies_apart_from_the_input(place: str, tmp_path: Path) -> None:
    folder = write_text_notes(tmp_path / "in")
    before = files(folder)

    @dataclass(frozen=True)
    class Untouched(DateDetector):
        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            raise AssertionError("the place must be checked before any work")

    model = Deidentifier(Untouched(), find_policy("mask"))
    with pytest.raises(OutputError, match=r"folder of the input.*apart from the input"):
        deid(folder, tmp_path / place, model)
    with pytest.raises(OutputError, match="folder of the input"):
        deid(folder / "1-1.txt", tmp_path / "in", model)
    assert files(folder) == before


def test_a_place_that_cannot_be_written_is_an_error_before_any_work(tmp_path: Path) -> None:
    folder = write_text_notes(tmp_path / "in")
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="folder"):
        deid(folder, tmp_path / "file" / "out")
    with pytest.raises(OutputError, match="folder"):
        deid(folder, tmp_path / "file")


def test_two_documents_with_one_id_are_an_error(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "a", format="text")
    write_corpus(NOTES, tmp_path / "b", format="text")
    with pytest.raises(FormatError, match="second document with the id"):
        deid([tmp_path / "a", tmp_path / "b"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["brat", "i2b2", "jsonl", "conll", "csv", "inline"])
def test_annotate_writes_the_spans_and_leaves_the_text(name: str, tmp_path: Path) -> None:
    folder = write_text_notes(tmp_path / "in")
    options = {"spans_column": "spans"} if name == "csv" else {}
    summary = annotate_corpus(
        Input((str(folder),)),
        Output(tmp_path / "out", format=name, options=options),
        work=AnnotateWork(MODEL),
        model="toy",
    )
    assert summary.policy is None
    found = list(read_corpus(tmp_path / "out", format=name))
    assert [document.text for document in found] == [note.text for note in NOTES]
    assert [document.spans for document in found] == MODEL.detector.detect(NOTES)


def test_annotate_replaces_the_annotations_of_the_input(tmp_path: Path) -> None:
    write_corpus(NOTES, tmp_path / "in", format="brat")
    annotate_corpus(
        Input((str(tmp_path / "in"),)),
        Output(tmp_path / "out", format="brat"),
        work=AnnotateWork(MODEL),
        model="toy",
    )
    labels = {span.label for d in read_corpus(tmp_path / "out") for span in d.spans}
    assert labels == {"DATE"}


def test_a_table_without_spans_can_be_annotated(tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text("id,text\n1,no date\n2,on 3/4/2019\n")
    annotate_corpus(
        Input((str(tmp_path / "notes.csv"),)),
        Output(tmp_path / "out", format="csv", options={"spans_column": "spans"}),
        work=AnnotateWork(MODEL),
        model="toy",
    )
    found = list(read_corpus(tmp_path / "out" / "notes.csv"))
    assert [document.spans for document in found] == [(), (Span(3, 11, "DATE"),)]


@pytest.mark.parametrize("name", ["text", "jsonl", "i2b2"])
def test_a_stream_can_be_the_output(name: str, tmp_path: Path) -> None:
    write_corpus(NOTES[:1], tmp_path / "in", format=name)
    stream = io.BytesIO()
    summary = deidentify_corpus(
        Input((str(tmp_path / "in"),), format=name),
        Output(stream),
        work=DeidWork(MODEL),
        model="toy",
    )
    assert summary.output == "-"
    assert not stream.closed
    (document,) = read_back(stream.getvalue(), name, tmp_path)
    assert document.text == CLEAN[0]


def read_back(content: bytes, name: str, folder: Path) -> Iterator[Document]:
    path = folder / f"back{find_format(name).suffixes[0]}"
    path.write_bytes(content)
    return read_corpus(path, format=name)


def test_a_format_of_several_files_is_no_stream(tmp_path: Path) -> None:
    for name in ("brat", "nursing"):
        write_corpus(NOTES[:1], tmp_path / name, format=name)
        with pytest.raises(OutputError, match="several files"):
            deidentify_corpus(
                Input((str(tmp_path / name),), format=name),
                Output(io.BytesIO()),
                work=DeidWork(MODEL),
                model="toy",
            )


def test_the_summary_counts_what_happened(tmp_path: Path) -> None:
    folder = write_text_notes(tmp_path / "in")
    facts = deid(folder, tmp_path / "out").to_json()
    assert facts["documents"] == 3
    assert facts["failed"] == 0
    assert facts["phi"] == 3
    assert facts["phi_per_label"] == {"DATE": 3}
    assert facts["characters"] == sum(len(note.text) for note in NOTES)
    assert facts["model"] == "toy"
    assert facts["policy"] == "plain"
    assert facts["output"] == str(tmp_path / "out")
    assert facts["seconds"] >= 0
    assert json.loads(json.dumps(facts)) == facts


def test_each_document_is_reported(tmp_path: Path) -> None:
    folder = write_text_notes(tmp_path / "in")
    seen: list[int] = []
    deidentify_corpus(
        Input((str(folder),)),
        Output(tmp_path / "out"),
        work=DeidWork(MODEL),
        model="toy",
        report=lambda tally: seen.append(tally.documents),
    )
    assert seen == [1, 2, 3]


def test_the_writer_is_used_as_it_is_meant(tmp_path: Path) -> None:
    with open_writer(tmp_path / "out", format="text") as writer:
        assert writer.write(NOTES[0]) == "1-1.txt"
