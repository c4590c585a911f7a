"""What the documents of a record tell together of a person: lone names, gender, short forms."""

import re
from collections.abc import Sequence
from itertools import permutations
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.work import DeidWork
from scrubjay.deidentifier import Deidentified, Deidentifier
from scrubjay.document import Document, Span
from scrubjay.transform.policy import Policy
from scrubjay.transform.surrogates.operator import Surrogate

KEY = b"0123456789abcdef0123456789abcdef"


class Marked:
    """Finds what stands between angle brackets, which the tests take out of the texts."""

    labels: ClassVar[tuple[str, ...]] = ("PATIENT",)

    def __init__(self) -> None:
        self.spans: dict[str, tuple[Span, ...]] = {}

    def read(self, number: int, marked: str) -> Document:
        """Return the document of a marked text."""
        text, spans = "", []
        for piece in re.split(r"(<[^>]*>)", marked):
            if piece.startswith("<"):
                spans.append(Span(len(text), len(text) + len(piece) - 2, "PATIENT"))
            text += piece.strip("<>")
        self.spans[f"d{number}"] = tuple(spans)
        return Document(f"d{number}", text, metadata={"patient": "p"})

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document."""
        return [self.spans[document.id] for document in documents]


def replaced(*marked: str, language: str = "en", alone: bool = False) -> list[list[str]]:
    """Return what stands for the mentions of each document of a record, or of each on its own."""
    model = Marked()
    documents = [model.read(number, each) for number, each in enumerate(marked)]
    deidentifier = Deidentifier(
        model, Policy("s", Surrogate(KEY)), patient_of=lambda document: "p", language=language
    )
    calls = [[document] for document in documents] if alone else [documents]
    results = [result for call in calls for result in deidentifier.pipe(call)]
    assert all(isinstance(result, Deidentified) for result in results)
    return [
        [edit.replacement for edit in result.edits]
        for result in results
        if isinstance(result, Deidentified)
    ]


@pytest.mark.parametrize(
    ("language", "told", "lone"),
    [
        ("en", "<Mr. Hollis> came.", "<Hollis> ate well."),
        ("en", "Mr. <Hollis> came.", "<Hollis> ate well."),
        ("en", "<John Hollis> came.", "<Hollis> ate well."),
        ("en", "<HOLLIS, JOHN>", "<Hollis> ate well."),
        ("en", "Dr. <Thomas> saw her.", "Seen by <Thomas>."),
        ("nl", "Dhr. <Thomas> kwam.", "<Thomas> at goed."),
        ("es", "Sr. <Gil Tomás>, <Luis Gil Tomás>", "<Tomás> come bien."),
    ],
)
def test_a_lone_surname_is_that_of_another_document_in_any_order(
    language: str, told: str, lone: str
) -> None:
    for first, second in ((told, lone), (lone, told)):
        (one,), (other,) = (names[-1:] for names in replaced(first, second, language=language))
        full, word = (one, other) if first == told else (other, one)
        assert word in (full.split()[-1], full.split(",")[0].capitalize())


@pytest.mark.parametrize(
    ("told", "lone", "same"),
    [
        ("<Grant Hollis> and <Grant>", "<Grant>", 1),
        ("his wife <Robin>", "<Robin> rang", 0),
        ("her son <Robin>", "<Robin> rang", 0),
        ("Ms. <Taylor Reyes>, <Taylor>", "<Taylor> slept", 1),
        ("<Kathryn Dole>, <Kate>", "<Kate> slept", 1),
        ("<John Hollis>, <JH>", "<JH> slept", 1),
    ],
)
def test_gender_short_forms_and_initials_are_those_of_another_document(
    told: str, lone: str, same: int
) -> None:
    first, second = replaced(told, lone)
    assert second == [first[same]]


def test_what_a_document_tells_itself_comes_first() -> None:
    titled, own, lone = replaced(
        "<Mr. Hollis>", "<Hollis Grant> fell. <Hollis> is well.", "<Dr. Grant> called."
    )
    assert own == replaced("<Hollis Grant> fell. <Hollis> is well.")[0]
    assert own[1] == own[0].split()[0] != titled[0].split()[-1]
    assert lone[0].split()[-1] == own[0].split()[-1]


def test_a_first_name_stays_one_where_no_document_has_it_as_a_surname() -> None:
    lone, full = replaced("<Hollis> ate well.", "<Hollis Grant> came.")
    assert lone == [full[0].split()[0]]
    first, other = replaced("<Hollis> ate well.", "<Mary Smith> came.")
    assert [first, other] == replaced("<Hollis> ate well.", "<Mary Smith> came.", alone=True)


def test_another_gender_is_another_person() -> None:
    man, woman = replaced("Mr. <Jamie Reed> came.", "Ms. <Jamie Reed> came.")
    assert man[0].split()[0] != woman[0].split()[0]
    assert man[0].split()[1] == woman[0].split()[1]


def test_a_lone_word_of_two_persons_takes_the_part_of_one_of_them() -> None:
    marked = ("<Mr. James Taylor> came", "<Taylor> slept", "<Ms. Taylor James> left")
    for order in permutations(range(3)):
        new = dict(zip(order, replaced(*(marked[at] for at in order)), strict=True))
        (man,), (lone,), (woman,) = (new[at] for at in range(3))
        assert lone in (man.split()[2], woman.split()[1])
        ((man, lone, woman),) = replaced("; ".join(marked[at] for at in (0, 1, 2)))
        assert lone == man.split()[2]
        assert lone not in woman


def test_documents_of_other_patients_tell_nothing() -> None:
    model = Marked()
    documents = [model.read(0, "<Mr. Hollis>"), model.read(1, "<Hollis> ate well.")]
    deidentifier = Deidentifier(
        model, Policy("s", Surrogate(KEY)), patient_of=lambda document: document.id, language="en"
    )
    together = list(deidentifier.pipe(documents))
    apart = [result for document in documents for result in deidentifier.pipe([document])]
    assert together == apart


def test_a_mention_that_only_the_record_finds_counts_in_all_of_it() -> None:
    model = Marked()
    documents = [
        model.read(0, "<Mr. Hollis> came."),
        model.read(1, "Then Mr. Hollis left."),
        model.read(2, "<Hollis> ate."),
    ]
    deidentifier = Deidentifier(
        model, Policy("s", Surrogate(KEY)), patient_of=lambda document: "p", language="en"
    )
    work = DeidWork(deidentifier, "replace")
    (outcomes,) = work.process([documents])
    new = re.fullmatch(r"Mr. (\w+) came\.", outcomes[0].text)
    assert new is not None
    assert outcomes[1].text == f"Then Mr. {new[1]} left."
    assert outcomes[2].text == f"{new[1]} ate."


FORMS = st.lists(
    st.lists(
        st.sampled_from((
            "Mr. Hollis", "Hollis", "John Hollis", "HOLLIS, JOHN", "John", "JH", "J. Hollis",
            "Dr. Mary Reed", "Mary", "Reed", "Ms. Reed", "9", " ", "van Hollis",
        )),
        max_size=4,
    ),
    min_size=1,
    max_size=4,
)  # fmt: skip


@given(FORMS)
def test_the_parts_of_a_person_are_the_same_in_all_documents_and_orders(
    documents: list[list[str]],
) -> None:
    """Nobody here shares a name, so that each word has one other wherever it stands."""
    named = [[name for name in names if name not in ("9", " ")] for names in documents]
    texts = [", ".join(f"<{name}>" for name in names) for names in named]
    for order in list(permutations(range(len(texts))))[:6]:
        words: dict[str, str] = {}
        for number, new in zip(order, replaced(*(texts[n] for n in order)), strict=True):
            for old, made in zip(named[number], new, strict=True):
                pairs = zip(
                    re.findall(r"[^\W\d]+", old), re.findall(r"[^\W\d]+", made), strict=True
                )
                for one, other in pairs:
                    if len(one) > 2:
                        assert words.setdefault(one.lower(), other.lower()) == other.lower()


@given(FORMS)
def test_a_record_of_one_document_is_what_the_document_is_alone(documents: list[list[str]]) -> None:
    text = ", ".join(f"<{name}>" for names in documents for name in names)
    assert replaced(text) == replaced(text, alone=True)
