"""The de-identifier: N in, N out, in order, failing closed."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.deidentifier import Deidentified, Deidentifier, Failure
from scrubjay.detectors import ScoreFilter, turn_recall_dial
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, DetectionError, FormatError, InputError
from scrubjay.transform.operators import Keep, Mention, Placeholder, Redact
from scrubjay.transform.policy import Policy
from tests.strategies import documents
from tests.toys import CANARY, DateDetector, RaisingDetector


@dataclass(frozen=True)
class FixedDetector:
    """Finds the same spans in every document."""

    spans: tuple[Span, ...]
    labels: tuple[str, ...] = ("DATE",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [self.spans for _ in documents]


@dataclass(frozen=True)
class RaisingOperator:
    """Raises with the text of the mention in its message."""

    name: str = "raising"

    def replace(self, mention: Mention) -> str:
        raise ValueError(mention.text)


@dataclass(frozen=True)
class Frame:
    """Columns, over which a loop sees their names, as over those of pandas."""

    columns: tuple[str, ...]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)


PLACEHOLDER = Policy("plain", Placeholder("[{label}]"))


def only(result: Deidentified | Failure) -> Deidentified:
    assert isinstance(result, Deidentified)
    return result


def test_mentions_are_replaced_and_spans_follow() -> None:
    text = "Seen 3/4/2019\r\nagain 10/4/2019."
    model = Deidentifier(DateDetector(), PLACEHOLDER)
    (result,) = model.pipe([Document("a", text, metadata={"patient": "Anna"})])
    result = only(result)
    assert result.document.text == "Seen [DATE]\r\nagain [DATE]."
    assert [result.document.text[s.start : s.end] for s in result.document.spans] == [
        "[DATE]",
        "[DATE]",
    ]
    assert [text[span.start : span.end] for span in result.found] == ["3/4/2019", "10/4/2019"]
    assert result.id == "a"
    assert dict(result.document.metadata) == {}


def test_metadata_survives_only_by_name() -> None:
    model = Deidentifier(DateDetector(), PLACEHOLDER, keep_metadata=frozenset({"site"}))
    (result,) = model.pipe([Document("a", "x", metadata={"patient": "Anna", "site": 3})])
    assert dict(only(result).document.metadata) == {"site": 3}


def test_gold_spans_are_neither_shown_to_the_detector_nor_given_out() -> None:
    @dataclass(frozen=True)
    class Cheat:
        labels: tuple[str, ...] = ("DATE",)

        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            return [document.spans for document in documents]

    document = Document("a", "on 3/4/2019", (Span(3, 11, "DATE"),))
    (result,) = Deidentifier(Cheat(), PLACEHOLDER).pipe([document])
    assert only(result).found == ()
    assert only(result).document.spans == ()


def test_an_empty_replacement_has_no_span() -> None:
    model = Deidentifier(DateDetector(), Policy("p", Redact(replacement="")))
    (result,) = model.pipe([Document("a", "on 3/4/2019.")])
    assert only(result).document.text == "on ."
    assert only(result).document.spans == ()
    assert len(only(result).found) == 1


@settings(max_examples=60)
@given(st.lists(documents(), max_size=8), st.integers(1, 40), st.integers(1, 4))
def test_n_in_n_out_in_order_whatever_the_batches(
    batch: list[Document], characters: int, size: int
) -> None:
    model = Deidentifier(DateDetector(), PLACEHOLDER)
    small = Deidentifier(
        DateDetector(), PLACEHOLDER, batch_characters=characters, batch_documents=size
    )
    results = list(model.pipe(batch))
    assert results == list(small.pipe(batch))
    assert [result.id for result in results] == [document.id for document in batch]
    for document, result in zip(batch, results, strict=True):
        assert only(result).document.text == DateDetector.pattern.sub("[DATE]", document.text)


def test_one_bad_document_spoils_no_other() -> None:
    batch = [Document("a", "on 3/4/2019"), Document("b", CANARY), Document("c", "on 3/5/2019")]
    results = list(Deidentifier(RaisingDetector(), PLACEHOLDER).pipe(batch))
    assert only(results[0]).document.text == "on [DATE]"
    assert results[1] == Failure("b", "detect", "RuntimeError")
    assert only(results[2]).document.text == "on [DATE]"
    assert CANARY not in repr(results)


@pytest.mark.parametrize(
    "spans",
    [
        (Span(0, 3, "DATE"), Span(2, 4, "DATE")),
        (Span(0, 99, "DATE"),),
    ],
)
def test_spans_that_cannot_be_fail_the_document(spans: tuple[Span, ...]) -> None:
    (result,) = Deidentifier(FixedDetector(spans), PLACEHOLDER).pipe([Document("a", "12345")])
    assert result == Failure("a", "detect", "SpanError")


def test_a_result_too_few_fails_the_documents() -> None:
    @dataclass(frozen=True)
    class Forgetful:
        labels: tuple[str, ...] = ()

        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            return []

    results = list(Deidentifier(Forgetful(), PLACEHOLDER).pipe([Document("a", "x")] * 2))
    assert results == [Failure("a", "detect", "DetectionError")] * 2


def test_an_operator_that_raises_fails_the_document() -> None:
    policy = Policy("p", RaisingOperator())
    batch = [Document("a", "on 3/4/2019"), Document("b", "no date")]
    failed, passed = Deidentifier(DateDetector(), policy).pipe(batch)
    assert failed == Failure("a", "transform", "ValueError")
    assert only(passed).document.text == "no date"


def test_an_error_of_the_reader_comes_after_the_results_before_it() -> None:
    def read() -> Iterator[Document]:
        yield Document("a", "x")
        raise FormatError("broken", path="b.xml")

    results = Deidentifier(DateDetector(), PLACEHOLDER).pipe(read())
    assert next(results).id == "a"
    with pytest.raises(FormatError, match=r"b\.xml"):
        next(results)


def test_pipe_is_lazy_and_holds_one_batch() -> None:
    taken: list[str] = []

    def read() -> Iterator[Document]:
        for number in range(100):
            taken.append(str(number))
            yield Document(str(number), "12345678")

    results = Deidentifier(DateDetector(), PLACEHOLDER, batch_characters=20).pipe(read())
    assert taken == []
    next(results)
    assert len(taken) == 3


def test_an_interrupt_is_no_failure() -> None:
    @dataclass(frozen=True)
    class Interrupted:
        labels: tuple[str, ...] = ()

        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(Deidentifier(Interrupted(), PLACEHOLDER).pipe([Document("a", "x")]))


def test_detect_gives_spans_and_leaves_the_text() -> None:
    batch = [Document("a", "on 3/4/2019", (Span(0, 2, "X"),)), Document("b", CANARY)]
    found, failed = Deidentifier(RaisingDetector(), PLACEHOLDER).detect(batch)
    assert isinstance(found, Document)
    assert found.text == batch[0].text
    assert found.spans == (Span(3, 11, "DATE"),)
    assert failed == Failure("b", "detect", "RuntimeError")


def test_one_text() -> None:
    model = Deidentifier(RaisingDetector(), PLACEHOLDER)
    assert model.deidentify("on 3/4/2019") == "on [DATE]"
    assert model.deidentify("") == ""
    with pytest.raises(DetectionError, match="RuntimeError in stage detect") as caught:
        model.deidentify(CANARY)
    assert CANARY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_strings_are_documents_named_by_their_place() -> None:
    model = Deidentifier(DateDetector(), PLACEHOLDER)
    items: list[Document | str] = ["Seen 3/4/2019.", Document("own", "None."), "Again 5/4/2019."]
    results = [only(result) for result in model.pipe(items)]
    assert [(result.id, result.document.text) for result in results] == [
        ("text-1", "Seen [DATE]."), ("own", "None."), ("text-3", "Again [DATE]."),
    ]  # fmt: skip
    detected = list(model.detect(iter(items)))
    assert [document.id for document in detected] == ["text-1", "own", "text-3"]
    assert [len(document.spans) for document in detected if isinstance(document, Document)] == [
        1, 0, 1,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (f"{CANARY} 3/4/2019", r"deidentify\(text\)"),
        (Document("a", CANARY), "a Document stands where"),
        (None, "None stands where"),
        (CANARY.encode(), "bytes stands where"),
        ({"id": "a", "text": CANARY}, "a dict stands where"),
        ([CANARY.encode()], "item 1 is bytes"),
        ([Document("a", ""), None], "item 2 is None"),
        ([7], "item 1 is an int"),
        ([float("nan")], "item 1 is a float.* An empty cell of a table is left out"),
        (Frame((CANARY,)), r"a Frame stands where .* frame\["),
    ],
)
def test_what_is_no_document_is_a_typed_error_without_text(items: Any, message: str) -> None:
    model = Deidentifier(DateDetector(), PLACEHOLDER)
    for run in (model.pipe, model.detect):
        with pytest.raises(InputError, match=message) as caught:
            list(run(items))
        assert CANARY not in str(caught.value)


@pytest.mark.parametrize("text", [123, None, CANARY.encode(), [CANARY], Document("a", CANARY)])
def test_one_text_that_is_none_is_a_typed_error(text: Any) -> None:
    model = Deidentifier(DateDetector(), PLACEHOLDER)
    with pytest.raises(InputError, match="a string is wanted, and not ") as caught:
        model.deidentify(text)
    assert CANARY not in str(caught.value)


def test_odd_characters_come_back() -> None:
    model = Deidentifier(DateDetector(), PLACEHOLDER)
    assert model.deidentify("\0on 3/4/2019\0\ud800") == "\0on [DATE]\0\ud800"


def test_a_patient_is_told_by_a_function() -> None:
    patient_of: Any = "mrn"
    with pytest.raises(ConfigError, match="patient_of is a str, no function"):
        Deidentifier(DateDetector(), PLACEHOLDER, patient_of=patient_of)


@pytest.mark.parametrize("patient", [17, None, float("nan")])
def test_a_patient_that_is_no_string_fails_the_document(patient: Any) -> None:
    model = Deidentifier(DateDetector(), PLACEHOLDER, patient_of=lambda document: patient)
    assert list(model.pipe(["3/4/2019", "5/4/2019"])) == [
        Failure("text-1", "transform", "NoPatientError"),
        Failure("text-2", "transform", "NoPatientError"),
    ]


def test_names_in_the_place_of_detector_and_policy_are_typed_errors() -> None:
    name: Any = "en"
    with pytest.raises(ConfigError, match=r"the detector is a str.* scrubjay\.load_model\(name\)"):
        Deidentifier(name, PLACEHOLDER)
    with pytest.raises(ConfigError, match=r"the policy is a str.* scrubjay\.find_policy\(name\)"):
        Deidentifier(DateDetector(), name)


def test_keep_is_explicit() -> None:
    policy = Policy("p", Placeholder(), {"DATE": Keep()})
    assert Deidentifier(DateDetector(), policy).deidentify("3/4/2019") == "3/4/2019"


def test_a_batch_holds_something() -> None:
    for settings_ in ({"batch_characters": 0}, {"batch_documents": 0}):
        with pytest.raises(ConfigError, match="at least one"):
            Deidentifier(DateDetector(), PLACEHOLDER, **settings_)


def test_spans_below_the_least_score_are_left_out() -> None:
    spans = (Span(0, 1, "DATE", score=0.2), Span(1, 2, "DATE", score=0.9), Span(2, 3, "DATE"))
    detector = ScoreFilter(FixedDetector(spans), 0.5)
    assert detector.detect([Document("a", "123")]) == [spans[1:]]
    assert detector.labels == ("DATE",)
    with pytest.raises(ConfigError, match="0 to 1"):
        ScoreFilter(detector, 1.5)


def test_a_recall_dial_is_turned_where_there_is_one() -> None:
    @dataclass(frozen=True)
    class Dialled(DateDetector):
        dial: float = 0.0

        def with_dial(self, dial: float) -> Dialled:
            return Dialled(dial=dial)

    assert turn_recall_dial(Dialled(), 1.5) == Dialled(dial=1.5)
    for dial in (float("nan"), float("inf"), 1e300, 99.0, -20.5):
        with pytest.raises(
            ConfigError, match=r"\(--recall-dial\) must be a number from -20 to 20, not"
        ):
            turn_recall_dial(Dialled(), dial)
    with pytest.raises(ConfigError, match="no recall dial"):
        turn_recall_dial(DateDetector(), 1.5)


@dataclass(frozen=True)
class WatchingDetector(FixedDetector):
    """Notes how many new objects Python waits for while it detects."""

    seen: list[int] = field(default_factory=list)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        self.seen.append(gc.get_threshold()[0])
        return super().detect(documents)


@dataclass(frozen=True)
class WatchingOperator:
    """Notes how many new objects Python waits for while it replaces."""

    seen: list[int] = field(default_factory=list)
    name: str = "watching"

    def replace(self, mention: Mention) -> str:
        self.seen.append(gc.get_threshold()[0])
        if mention.text == "?":
            raise ValueError
        return "-"


@pytest.fixture(name="threshold")
def fixture_threshold() -> Iterator[tuple[int, int, int]]:
    """Set what Python itself sets, whatever the test before this one left."""
    before, threshold = gc.get_threshold(), (700, 10, 10)
    gc.set_threshold(*threshold)
    yield threshold
    gc.set_threshold(*before)


@pytest.mark.parametrize("text", ["3", "?"])
def test_garbage_is_looked_for_seldom_at_work_and_as_before_between_documents(
    text: str, threshold: tuple[int, int, int]
) -> None:
    detector, operator = WatchingDetector((Span(0, 1, "DATE"),)), WatchingOperator()
    model = Deidentifier(detector, Policy("p", operator), batch_documents=1)
    for result in model.pipe([Document("a", text), Document("b", text)]):
        assert isinstance(result, Failure) == (text == "?")
        assert gc.get_threshold() == threshold
    assert len(detector.seen) == 2 <= len(operator.seen)
    assert min(*detector.seen, *operator.seen) > threshold[0]


def test_the_pattern_of_the_toy_detector_finds_dates() -> None:
    assert re.findall(DateDetector.pattern, "3/4/2019 and 12/11/99") == ["3/4/2019", "12/11/99"]
