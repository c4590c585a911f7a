"""Co-reference beyond its golden cases: numbering, stability, and what it never does."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.transform.coreference import MANY, cluster
from scrubjay.transform.operators import Mention
from scrubjay.transform.same_person import is_misspelled
from tests.transform.test_name_cues import read

WORDS = (
    "John",
    "Jack",
    "Smith",
    "Smith-Jones",
    "Smiht",
    "and",
    "JS",
    "J.",
    "Mr.",
    "García",
    "van",
    "Berg,",
    "Mary",
    "PATIENT",
)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
labels = st.sampled_from(("PATIENT", "DOCTOR", "NAME", "INITIALS", "DATE", "CITY", "UNHEARD-OF"))
rows = st.lists(st.tuples(labels, st.one_of(texts, st.text(min_size=1, max_size=6))), max_size=12)


def mentions_of(found: list[tuple[str, str]]) -> list[Mention]:
    mentions, position = [], 0
    for label, text in found:
        mentions.append(Mention(Span(position, position + len(text), label), text, "d"))
        position += len(text) + 1
    return mentions


@given(rows)
def test_numbers_count_from_0_by_first_appearance(found: list[tuple[str, str]]) -> None:
    numbers = cluster(mentions_of(found))
    assert len(numbers) == len(found)
    assert list(dict.fromkeys(numbers)) == list(range(len(set(numbers))))


@given(rows)
def test_a_mention_said_again_at_once_is_the_same(found: list[tuple[str, str]]) -> None:
    doubled = [row for row in found for _ in range(2)]
    numbers = cluster(mentions_of(doubled))
    assert numbers[::2] == numbers[1::2]


def test_a_person_named_in_two_roles_is_not_taken_for_the_next() -> None:
    found = [("DOCTOR", "Smith"), ("DOCTOR", "SMITH"), ("PATIENT", "SMITH"), ("DOCTOR", "Jones"),
             ("DOCTOR", "Baker")]  # fmt: skip
    numbers = cluster(mentions_of(found))
    assert numbers[3] not in numbers[:3]
    assert numbers[4] not in numbers[:4]


@given(rows)
def test_names_and_other_things_never_share_a_number(found: list[tuple[str, str]]) -> None:
    numbers = cluster(mentions_of(found))
    names = {n for n, (label, text) in zip(numbers, found, strict=True)
             if label in ("PATIENT", "DOCTOR", "NAME", "INITIALS")
             and any(c.isalpha() for c in text)}  # fmt: skip
    others = {n for n, (label, _) in zip(numbers, found, strict=True)
              if label in ("DATE", "CITY", "UNHEARD-OF")}  # fmt: skip
    assert names.isdisjoint(others)


def test_a_label_set_of_ones_own_tells_its_kinds() -> None:
    found = mentions_of([("WHO", "John Smith"), ("WHO", "Smith, John")])
    assert cluster(found) == [0, 1]
    assert cluster(found, kind=lambda label: "name") == [0, 0]


@pytest.mark.parametrize(
    ("word", "other", "expected"),
    [
        ("whitfield", "whitfeild", True),
        ("hoogendoorn", "hogendorn", True),
        ("jansen", "janssen", False),
        ("lund", "lnud", False),
        ("marquez", "velasquez", False),
    ],
)
def test_misspellings_are_few_edits_from_a_name(word: str, other: str, expected: bool) -> None:
    assert is_misspelled(word, other) is expected
    assert is_misspelled(other, word) is expected


def test_very_many_names_are_told_apart_all_over_the_text() -> None:
    """Beyond some names a text is taken in parts; a person stays one where it is named in full."""
    letters = Random(0)
    surnames = ["".join(letters.choices("abdegiklmnorstuvz", k=9)).title() for _ in range(550)]
    found = [("PATIENT", f"Mary {name}") for name in surnames]
    rows = [row for full in found for row in (full, ("PATIENT", full[1].split()[1]))]
    numbers = cluster(mentions_of(rows + found))
    assert len(rows) > MANY
    assert numbers[: len(rows)] == [place // 2 for place in range(len(rows))]
    assert numbers[len(rows) :] == list(range(len(found)))


def test_numbers_parted_otherwise_are_one() -> None:
    def numbers(label: str, *texts: str) -> list[int]:
        mentions = [Mention(Span(0, 1, label), text, "d") for text in texts]
        return cluster(mentions)

    assert numbers("PHONE", "020-5550134", "0205550134", "020 555 01 34") == [0, 0, 0]
    assert numbers("MEDICALRECORD", "00482913", "482913", "48-29-13") == [0, 0, 0]
    assert numbers("MEDICALRECORD", "0012", "12") == [0, 1]
    assert numbers("DATE", "1/12", "11/2") == [0, 1]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[Thomas Murphy]. Son [Thomas Murphy Jr.]", [0, 1]),
        ("[John Smith] and his son [John Smith III]. [John Smith]", [0, 1, 0]),
        ("[Thomas Murphy Snr], son [Thomas Murphy Jnr]. [Thomas Murphy] well", [0, 1, 0]),
        ("[Thomas Murphy Snr] came. [Thomas Murphy] and [Thomas Murphy Senior] left", [0, 0, 0]),
        ("[Tom Murphy Jr.] came. [Tom Murphy] well. His father [Tom Murphy]", [0, 0, 1]),
        ("[Tom Murphy] and [Tom Murphy Jr.] came. Son [Tom Murphy Jnr]", [0, 1, 1]),
        ("[Tom Murphy]. Son [Tom Murphy Jr.]. [Tom Murphy Junior], [Mr. Murphy Jr.]", [0, 1, 1, 1]),
        ("[Tom Murphy Jr.] and [Tom Murphy] without a relative", [0, 0]),
        ("su padre [José Ruiz], [José Ruiz hijo] y [José Ruiz hijo]", [0, 1, 1]),
    ],
)
def test_a_generation_beside_a_relative_tells_two_persons(marked: str, expected: list[int]) -> None:
    text, found = read(marked)
    mentions = [Mention(span, mention, "d") for span, mention in found]
    assert cluster(mentions, text=text) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            "Dr. Seán Ó Súilleabháin|Dr. Ó Súilleabháin|Ó SÚILLEABHÁIN, SEÁN|Dr O Suilleabhain",
            [0] * 4,
        ),
        ("Siobhán Ní Dhomhnaill|Mrs Ní Dhomhnaill|Ms. Ni Dhomhnaill", [0] * 3),
        ("Dr. Máire Mac Giolla Phádraig|Dr. Mac Giolla Phádraig", [0, 0]),
        ("Siobhan McCarthy|Siobhan Mc Carthy|Siobhan MacCarthy|Ms Mac Carthy|MC CARTHY", [0] * 5),
        ("Mary O'Brien|O BRIEN, MARY|Mrs OBrien|Mary O. Brien", [0, 0, 0, 1]),
        ("Máire Uí Bhriain|Seán Ó Briain|Mr Ó Briain", [0, 1, 1]),
    ],
)
def test_irish_names_are_of_one_person_in_all_their_forms(names: str, expected: list[int]) -> None:
    assert cluster(mentions_of([("DOCTOR", name) for name in names.split("|")])) == expected
