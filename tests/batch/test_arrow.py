"""Rows of Arrow: the same rows in the same order, whatever the batches, and nothing let through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.batch.arrow import PATIENT, Codes, process_batches
from scrubjay.batch.outcome import Outcome
from scrubjay.batch.work import DeidWork, Here, outcomes_of
from scrubjay.corpora.splits import patient_finder
from scrubjay.deidentifier import Deidentifier
from scrubjay.detectors import Detector
from scrubjay.document import Document
from scrubjay.known.detector import LayeredDetector
from scrubjay.known.propagation import Propagation
from scrubjay.transform.codes import Coder
from scrubjay.transform.operators import Placeholder
from scrubjay.transform.policy import Policy
from tests.strategies import texts
from tests.toys import CANARY, DateDetector, RaisingDetector

arrow = pytest.importorskip("pyarrow")

PLAIN = Policy("plain", Placeholder("[{label}]"))
SEEN = "Seen 3/4/2019."
BAD = b"\xff\xfe Quixotebury-77"


def make_work(detector: Detector | None = None, *, patients: bool = False) -> DeidWork:
    """Return the work of a run over dates; with patients, whatever is found is found all over."""
    patient_of = patient_finder(PATIENT) if patients else None
    around = LayeredDetector(
        detector or DateDetector(),
        propagation=Propagation(lambda label: "date", "en") if patients else None,
        patient_of=patient_of,
    )
    return DeidWork(Deidentifier(around, PLAIN, patient_of=patient_of), "replace")


def make_batch(rows: Sequence[tuple[Any, ...]], *names: str, text: Any = None) -> Any:
    """Return a batch of rows of id, text and what else is named."""
    wanted = ("id", "text", *names)
    columns = list(zip(*rows, strict=True)) or [() for _ in wanted]
    types = {"text": text or arrow.string()}
    arrays = [
        arrow.array(list(values), types.get(name, arrow.string() if not rows else None))
        for name, values in zip(wanted, columns, strict=True)
    ]
    return arrow.RecordBatch.from_arrays(arrays, names=list(wanted))


def process(batches: Iterable[Any], work: DeidWork, **settings: Any) -> Iterator[Any]:
    """Return the batches of outcomes, worked on in this process."""
    return process_batches(batches, work.deidentifier, runner=Here(work), **settings)


def rows_of(batches: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the rows of some batches."""
    return [row for batch in batches for row in batch.to_pylist()]


def broken(*values: bytes | None) -> Any:
    """Return a column of strings that need not be UTF-8, as a cluster may send it."""
    column = arrow.array(values, arrow.binary())
    return arrow.Array.from_buffers(arrow.string(), len(column), column.buffers())


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from(["", "p", "q"]), texts()), max_size=12),
    st.lists(st.integers(0, 12), max_size=5),
)
def test_batches_make_no_difference(notes: list[tuple[str, str]], cuts: list[int]) -> None:
    rows = [
        (f"n{number}", text.encode("utf-8", "replace").decode() + SEEN * (number % 2), patient)
        for number, (patient, text) in enumerate(notes)
    ]
    borders = sorted({0, len(rows), *(min(cut, len(rows)) for cut in cuts)})
    # A batch without rows is one, too.
    borders = sorted([*borders, borders[len(borders) // 2]])
    batches = [make_batch(rows[first:last], PATIENT) for first, last in pairwise(borders)]
    work, noted = make_work(), list[Outcome]()
    done = list(process(iter(batches), work, spans=True, note=noted.append))
    assert [each.num_rows for each in done] == [each.num_rows for each in batches]
    documents = [Document(name, text) for name, text, _ in rows]
    assert noted == list(outcomes_of(work, documents))
    for row, outcome in zip(rows_of(done), noted, strict=True):
        assert row["id"] == outcome.id
        assert row["text"] == (None if outcome.failure else outcome.text)
        assert row["failure"] == (
            {"stage": outcome.failure.stage, "code": outcome.failure.code}
            if outcome.failure
            else None
        )
        assert row["counts"]["characters"] == outcome.size
        assert dict(row["counts"]["labels"]) == dict(outcome.labels)
        assert len(row["spans"] or ()) == len(outcome.spans)


def test_a_record_goes_across_batches() -> None:
    batches = [
        make_batch([("1", "It was 3/4/2019.", "p"), ("2", "A name: Zara Quill.", "q")], PATIENT),
        make_batch([("3", "Miss Quill again.", "q"), ("4", "Miss Quill too.", "r")], PATIENT),
    ]

    class NameDetector(DateDetector):
        labels = ("PATIENT",)

        def detect(self, documents: Sequence[Document]) -> Any:
            from scrubjay.document import Span

            places = [(each.text.find("Zara Quill"), each) for each in documents]
            return [
                (Span(place, place + 10, "PATIENT"),) if place >= 0 else () for place, _ in places
            ]

    patient_of = patient_finder(PATIENT)
    around = LayeredDetector(
        NameDetector(), propagation=Propagation(lambda _: "name", "en"), patient_of=patient_of
    )
    work = DeidWork(Deidentifier(around, PLAIN, patient_of=patient_of), "replace")
    found = [row["text"] for row in rows_of(list(process(iter(batches), work)))]
    assert found == [
        "It was 3/4/2019.", "A name: [PATIENT].", "Miss [PATIENT] again.", "Miss Quill too.",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_what_is_no_document_fails_alone(kind: str) -> None:
    type_ = getattr(arrow, kind)()
    rows = [
        ("1", SEEN, "p"),
        (None, f"{CANARY} {SEEN}", "p"),
        ("", f"{CANARY} {SEEN}", "p"),
        ("4", f"{CANARY} {SEEN}", None),
        ("5", None, "p"),
        ("6", "", "p"),
        ("7", SEEN, "q"),
    ]
    batch = make_batch(rows, PATIENT, text=type_)
    (done,) = process([batch], make_work(patients=True))
    assert done.schema.field("text").type == type_
    assert PATIENT not in done.schema.names
    found = done.to_pylist()
    assert [row["text"] for row in found] == [
        "Seen [DATE].", None, None, None, None, "", "Seen [DATE].",
    ]  # fmt: skip
    assert [row["failure"] and row["failure"]["code"] for row in found] == [
        None, "FormatError", "FormatError", "NoPatientError", None, None, None,
    ]  # fmt: skip
    assert CANARY not in str(done.to_pydict())


def test_a_document_that_raises_spoils_no_other() -> None:
    batch = make_batch([("1", SEEN), ("2", f"{CANARY} {SEEN}"), ("3", SEEN)])
    (done,) = process([batch], make_work(RaisingDetector()), spans=True)
    found = done.to_pylist()
    assert [row["text"] for row in found] == ["Seen [DATE].", None, "Seen [DATE]."]
    assert found[1]["failure"] == {"stage": "detect", "code": "RuntimeError"}
    assert found[1]["spans"] is None
    assert found[0]["spans"] == [
        {"start": 5, "end": 11, "label": "DATE", "score": 0.75, "source": "toy"}
    ]
    assert CANARY not in str(done.to_pydict())


def test_bytes_that_are_no_text_are_failures_and_others_pass() -> None:
    kept = broken(BAD, b"fine", BAD)
    names = ["keep0", "id", "text"]
    columns = [kept, broken(b"1", BAD, b"3"), broken(BAD, SEEN.encode(), SEEN.encode())]
    (done,) = process([arrow.RecordBatch.from_arrays(columns, names=names)], make_work())
    assert done.column("text").to_pylist() == [None, None, "Seen [DATE]."]
    codes = [failure and failure["code"] for failure in done.column("failure").to_pylist()]
    assert codes == ["EncodingError", "EncodingError", None]
    assert done.schema.names[:3] == names
    assert done.column("keep0").buffers()[2].to_pybytes() == kept.buffers()[2].to_pybytes()


def test_kept_values_that_python_cannot_have_stay_and_stop_nothing() -> None:
    times = arrow.array([1], arrow.timestamp("us", tz="GMT+02:00"))  # as Spark calls such a zone
    kept = [times, arrow.StructArray.from_arrays([times], ["at"])]
    batch = arrow.RecordBatch.from_arrays(
        [*kept, arrow.array(["1"]), arrow.array([SEEN])], names=["keep0", "keep1", "id", "text"]
    )
    (done,) = process([batch], make_work(), kept={"keep0": "at", "keep1": "what"})
    assert done.column("text").to_pylist() == ["Seen [DATE]."]
    assert [done.column(name) for name in ("keep0", "keep1")] == kept


def test_ids_may_be_numbers_and_keep_their_type() -> None:
    (done,) = process([make_batch([(7, SEEN), (8, SEEN)])], make_work())
    assert done.column("id").type == arrow.int64()
    assert done.column("id").to_pylist() == [7, 8]
    assert done.column("counts").to_pylist()[0] == {
        "characters": 14, "labels": [("DATE", 1)], "proof": [("searched", 1)], "crc32": 2061500027,
        "language": None,
    }  # fmt: skip


def test_the_language_of_the_original_is_told() -> None:
    dutch = "De patiënt heeft het niet op een van de dagen en is naar zijn huis. " + SEEN
    bad = arrow.RecordBatch.from_arrays([broken(b"3"), broken(BAD)], names=["id", "text"])
    done = process([make_batch([("1", dutch), ("2", SEEN)]), bad], make_work())
    assert [row["counts"]["language"] for row in rows_of(list(done))] == ["nl", None, None]


def test_no_batches_are_none() -> None:
    assert list(process([], make_work())) == []
    (done,) = process([make_batch([])], make_work())
    assert done.num_rows == 0
    assert done.schema.names == ["id", "text", "failure", "counts"]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 99), st.none() | texts()), max_size=9))
def test_codes_stand_in_the_place_of_values(notes: list[tuple[int, str | None]]) -> None:
    coder = Coder(b"0123456789abcdef")
    whos = [text and text.encode("utf-8", "replace").decode() for _, text in notes]
    rows = [
        (number, SEEN, float(patient), who)
        for number, ((patient, _), who) in enumerate(zip(notes, whos, strict=True), start=1)
    ]
    codes = Codes(coder, {"id": "note", "code0": "patient", "code1": "who"})
    batches = [make_batch(rows, "code0", "code1")] if rows else []
    done = rows_of(list(process(batches, make_work(), codes=codes)))
    assert [(row["id"], row["code0"]) for row in done] == [
        (coder.code(str(number), "note"), coder.code(str(int(patient)), "patient"))
        for number, _, patient, _ in rows
    ]
    assert [row["code1"] for row in done] == [who and coder.code(who, "who") for who in whos]
    assert {row["text"] for row in done} <= {"Seen [DATE]."}


def test_what_is_no_text_has_no_code() -> None:
    columns = [arrow.array(["1", "2"]), arrow.array([SEEN, SEEN]), broken(BAD, b"7")]
    batch = arrow.RecordBatch.from_arrays(columns, names=["id", "text", "code0"])
    codes = Codes(Coder(b"0123456789abcdef"), {"code0": "who"})
    done = rows_of(list(process([batch], make_work(), codes=codes)))
    assert [row["code0"] for row in done] == [None, codes.coder.code("7", "who")]
