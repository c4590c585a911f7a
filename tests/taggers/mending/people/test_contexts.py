"""What stands around persons is the same whoever they are, and wherever else texts are read."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.people import contexts as reading
from scrubjay.taggers._mending.people.contexts import BUCKETS, Contexts, Ids, number_contexts
from tests.taggers.mending_samples import marked_texts


def numbers_of(*texts: tuple[str, list[tuple[int, int]]]) -> Ids:
    """Return the numbers of the persons of texts, English ones."""
    contexts = Contexts()
    for text, mentions in texts:
        contexts.add(text, mentions, "en")
    return number_contexts(contexts)


def places_of(text: str, *names: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text and where names stand in it, each once."""
    return text, [(text.index(name), text.index(name) + len(name)) for name in names]


def test_names_as_usual_as_others_have_their_numbers() -> None:
    text = "Ward: 4\nSeen by {}, who called {} at home.\n"
    one = places_of(text.format("Smith", "Jones"), "Smith", "Jones")
    other = places_of(text.format("Brown", "Davis"), "Brown", "Davis")
    assert (numbers_of(one) == numbers_of(other)).all()


def test_words_around_change_the_numbers() -> None:
    one = numbers_of(places_of("Seen by Smith today.", "Smith"))
    other = numbers_of(places_of("Seen with Smith today.", "Smith"))
    assert (one != other).any()
    assert one.min() >= 0
    assert one.max() < BUCKETS


def test_what_is_far_away_or_behind_a_blank_line_counts_little() -> None:
    near = "his nurse came. " * 4
    one = numbers_of(places_of(f"Surgeon. {near}Smith left.", "Smith"))
    other = numbers_of(places_of(f"Builder. {near}Smith left.", "Smith"))
    assert (one == other).all()


@pytest.mark.parametrize(("text", "names"), [("Smith", ["Smith"]), ("A\n\nB", ["A", "B"])])
def test_persons_at_the_edges_of_a_text_have_numbers(text: str, names: list[str]) -> None:
    assert len(numbers_of(places_of(text, *names))) == len(names)


@given(marked_texts(), marked_texts())
def test_texts_read_together_have_the_numbers_of_each_alone(
    one: tuple[str, list[Span]], other: tuple[str, list[Span]]
) -> None:
    rows = [(text, [(span.start, span.end) for span in spans]) for text, spans in (one, other)]
    rows = [row for row in rows if row[1]]
    if rows:
        alone = [row.tolist() for each in rows for row in numbers_of(each)]
        assert numbers_of(*rows).tolist() == alone


PIECES = st.lists(
    st.sampled_from([
        "Dr", " ", "  ", "\n", " \n\n", "\r\n", ": ", ":", "’", "'", "l’ÉTÉ", "O'", "12", "123456",
        "²", "1²", "_", "\x00", "–", "İ", "Σ", "σ", "漢", "😀", "\u2028", "٣", "ß", "K", "-",
        "Seen by nurse, on the ward", "\ud800", "a" * 45,
    ]),
    max_size=12,
).map("".join)  # fmt: skip
NOTES = st.lists(
    st.tuples(
        st.lists(st.tuples(PIECES, st.sampled_from(["Jo", "Ann Lee", "ann", "a\nb"]))), PIECES
    ),
    min_size=1,
    max_size=4,
)


@given(NOTES)
@example([([("Key: ", "Jo"), ("\n" * 5, "Jo")], "\n" * 500), ([("", "Ann Lee")], "")])
def test_the_compiled_kernel_reads_what_the_plain_one_does(
    notes: list[tuple[list[tuple[str, str]], str]],
) -> None:
    pytest.importorskip("numba")
    rows = []
    for parts, rest in notes:
        text, mentions = "", []
        for before, name in parts:
            text += before + name
            mentions.append((len(text) - len(name), len(text)))
        if mentions:
            rows.append((text + rest, mentions))
    if not rows:
        return
    found = []
    for is_compiled in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reading, "use_compiled", lambda *_, is_on=is_compiled, **__: is_on)
            found.append(numbers_of(*rows).tolist())
    assert found[0] == found[1]


def test_many_persons_of_one_line_take_no_time_that_grows_faster_than_they_do() -> None:
    text = "Sur: " + "\U0001f600 Smith ".ljust(400) * 20_000
    starts = range(text.index("Smith"), len(text), 400)
    began = process_time()
    numbers_of((text, [(start, start + 5) for start in starts]))
    assert process_time() - began < 8
