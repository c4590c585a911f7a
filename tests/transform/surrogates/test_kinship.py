"""Relatives: names and ages become others, words of kinship stay, and nothing else does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.policy import find_policy
from scrubjay.transform.surrogates._kinship import read_relative

KEY = b"0123456789abcdef0123456789abcdef"
RELATIVE = "FAMILIARES_SUJETO_ASISTENCIA"


def replace(marked: str) -> str:
    """Return the text with surrogates; <R>...</R> are relatives, <P> patients, <E> their ages."""
    for short, label in (("R", RELATIVE), ("P", "NOMBRE_SUJETO_ASISTENCIA"),
                         ("E", "EDAD_SUJETO_ASISTENCIA")):  # fmt: skip
        marked = marked.replace(f"<{short}>", f"<{label}>").replace(f"</{short}>", f"</{label}>")
    document = parse_inline(marked)
    plan = find_policy("surrogate", key=KEY).plan(
        Document("1", document.text), document.spans, language="es"
    )
    return apply_edits(document.text, plan).text


@pytest.mark.parametrize(
    ("mention", "pieces"),
    [
        ("hija Pilar", ["name Pilar"]),
        ("HIJA PILAR", ["name PILAR"]),
        ("hija pilar", ["name pilar"]),
        ("Tío materno", []),
        ("3 varones", []),
        ("ocho hermanos", []),
        ("Hijo de una prima hermana de su pareja", []),
        ("padre (82 años)", ["age 82 años"]),
        ("65 años", ["age 65 años"]),
        ("64", ["age 64"]),
        ("diez años", ["age diez años"]),
        ("2 hijos de 12 y 9 años", ["age 12", "age 9 años"]),
        ("padres  Teresa y Juan Carlos", ["name Teresa", "name Juan Carlos"]),
        ("Bernardo jr", ["name Bernardo"]),
        ("J. M. Pérez de la Cruz", ["name J. M. Pérez de la Cruz"]),
        ("esposa, María del Carmen", ["name María del Carmen"]),
        ("Juan Primo", ["name Juan Primo"]),
        ("madre bukola", ["name bukola"]),
        ("cuñado\nLuis", ["name Luis"]),
    ],
)
def test_a_mention_is_read_in_pieces(mention: str, pieces: list[str]) -> None:
    read = read_relative(mention, "es")
    assert read is not None
    assert [f"{kind} {mention[start:end]}" for start, end, kind in read] == pieces


@pytest.mark.parametrize(
    "mention",
    ["una niet", "sobrino raro", "hija #12", "500 hijos", "...", "hijo 612345678", "@luis"],
)
def test_what_is_not_understood_is_a_placeholder(mention: str) -> None:
    assert read_relative(mention, "es") is None
    assert replace(f"Viene <R>{mention}</R>.") == f"Viene [{RELATIVE}-1]."


def test_words_of_kinship_stay_and_the_rest_changes() -> None:
    text = replace("Su <R>hija Lucía</R> (<R>hermana</R>) y su <R>padre (82 años)</R>.")
    head, _, tail = text.partition(" (hermana) y su padre (")
    assert head.startswith("Su hija ")
    assert "Lucía" not in text
    assert tail.endswith(" años).")
    assert "82" not in tail


def test_a_relative_is_one_person_throughout() -> None:
    text = replace("<R>hija Lucía Ruiz</R>, <P>Ana Ruiz</P>. Llama <R>Lucía</R>, <R>LUCÍA</R>.")
    new = text.removeprefix("hija ").split(",")[0].split()
    assert text == (
        f"hija {new[0]} {new[1]}, {text.split(', ')[1].split()[0]} {new[1]}. "
        f"Llama {new[0]}, {new[0].upper()}."
    )


def test_ages_of_relatives_move_with_those_of_the_patient() -> None:
    text = replace("<E>50 años</E>, <R>hermano de 52 años</R>")
    patient, brother = (int(word) for word in text.split() if word.isdecimal())
    assert (patient, brother) != (50, 52)
    assert brother > patient


@given(st.text(alphabet="hija pilar Ruiz De12ños ,.()\n-'ñÁ", max_size=24))
def test_pieces_lie_in_order_within_the_mention(mention: str) -> None:
    place = 0
    for start, end, kind in read_relative(mention, "es") or ():
        assert place <= start < end <= len(mention)
        assert kind in ("name", "age")
        assert mention[start:end].strip() == mention[start:end]
        place = end


@given(st.text(max_size=30))
def test_what_stays_holds_no_word_that_is_unknown(mention: str) -> None:
    read = read_relative(f"hija Xqzv {mention}", "es")
    assert read is None or read[0][:2] == (5, read[0].end)


@pytest.mark.parametrize(
    ("language", "mention", "pieces"),
    [
        ("en", "her sister Ann", ["Ann"]),
        ("nl", "dochter Fleur", ["Fleur"]),
        ("", "hija Pilar", ["Pilar"]),
    ],
)
def test_other_languages_have_words_of_their_own(
    language: str, mention: str, pieces: list[str]
) -> None:
    read = read_relative(mention, language)
    assert read is not None
    assert [mention[start:end] for start, end, _ in read] == pieces


def test_a_name_in_small_letters_behind_a_word_of_kinship_is_a_name() -> None:
    text = replace("Su <R>madre</R> <R>bukola</R>, <R>padre</R> <R>tim</R>. Luego <R>bukolx</R>.")
    assert re.fullmatch(rf"Su madre [a-zñ]+, padre [a-zñ]+\. Luego \[{RELATIVE}-1\]\.", text)
    assert "bukola" not in text
    assert "tim" not in text.split("padre ")[1]
    # An everyday word is none.
    assert replace("Su <R>madre</R> <R>rara</R>.") == f"Su madre [{RELATIVE}-1]."
