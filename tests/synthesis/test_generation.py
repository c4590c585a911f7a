"""Notes out of templates: spans, labels, determinism, halves of names, errors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import islice
from random import Random

import pytest

from scrubjay.errors import ConfigError
from scrubjay.labels import find_label_set
from scrubjay.spans import require_disjoint
from scrubjay.synthesis.filling import fill_template
from scrubjay.synthesis.generation import generate
from scrubjay.synthesis.grammar import (
    Grammar,
    find_grammar,
    inspect_grammar,
    parse_grammar,
    read_templates,
)  # fmt: skip
from scrubjay.synthesis.languages import language_names
from scrubjay.synthesis.noise import noise_rates
from scrubjay.synthesis.pools import half_of
from scrubjay.synthesis.slots import PLAIN, SLOTS
from scrubjay.synthesis.sources import find_sources
from tests.corpus_samples import labelled

LANGUAGES = ("en", "es", "nl")
LEFT_OVER = re.compile(r"\{[@a-z][^}\n]*\}|\[\[|\]\]|</?[A-Z][A-Z_-]+>|\{\+?\w+\}")
FILLINGS = 20 if os.environ.get("CI") else 4


def templates(text: str, language: str = "en") -> Grammar:
    return parse_grammar({"t.txt": text}, language=language)


def test_the_languages() -> None:
    assert language_names() == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_shipped_templates_have_no_errors(language: str) -> None:
    grammar, problems = inspect_grammar(read_templates(language), language=language)
    assert [str(problem) for problem in problems if problem.grave] == []
    assert len(grammar.documents) >= 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_shipped_template_is_filled(language: str) -> None:
    grammar, sources = find_grammar(language), find_sources(language, "train")
    label_set = find_label_set(grammar.language.label_set.name)
    for block in grammar.documents:
        for number in range(FILLINGS):
            rng = Random(f"{block.id}:{number}")
            text, spans = fill_template(block, grammar, sources, rng, traps=number)
            require_disjoint(spans, document_id=block.id)
            assert LEFT_OVER.search(text) is None, block.id
            for span in spans:
                mention = text[span.start : span.end]
                assert span.label in label_set, block.id
                assert mention == mention.strip() != "", block.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_slot_in_every_form(language: str) -> None:
    tables = find_grammar(language).language
    for name, forms in SLOTS.items():
        if name not in PLAIN and name not in tables.labels:
            continue
        for form in ("", *forms):
            slot = f"{{{name}:2{f'.{form}' if form else ''}}}"
            grammar = templates(f"=== document d\nx {slot} y {slot} z", language)
            for note in generate(language, 6, 5, grammar=grammar):
                assert re.match(r"x \S(.*\S)? y \S(.*\S)? z", note.text), slot
                label = tables.label(name, form)
                if name == "address":
                    assert len(note.spans) >= 2
                elif name in PLAIN or form in ("he", "Mr", "son"):
                    assert note.spans == ()
                elif form not in ("man", "sex", "his", "him", "himself", "He", "His", "Him",
                                  "Mister", "boy", "letter", "o", "el", "El", "Dr"):  # fmt: skip
                    assert {label} == {span.label for span in note.spans}, slot


def test_an_entity_is_one_person_in_all_forms() -> None:
    text = "{patient.first}|{patient.last}|{patient.last-first}|{patient.upper}|{doctor:2.last}|"
    text += "{doctor:2.last}|{doctor:3.last}"
    grammar = templates(f"=== document d\n{text}")
    others = 0
    for note in generate("en", 50, 3, grammar=grammar):
        first, last, both, upper, one, same, other = note.text.strip().split("|")
        assert both.startswith(last)
        assert first in both
        assert last.upper() in upper
        assert first.upper() in upper
        assert one == same
        others += one != other
    assert others > 40


def test_relatives_have_the_gender_of_their_word() -> None:
    grammar = templates("=== document d\n{relative:mother.he} {relative:son2.he} {patient.He}")
    notes = [note.text.split() for note in generate("en", 30, 1, grammar=grammar)]
    assert {(note[0], note[1]) for note in notes} == {("she", "he")}
    assert {note[2] for note in notes} == {"He", "She"}


def test_what_is_marked_has_one_label() -> None:
    grammar = templates(
        "=== document d\n<PATIENT> {doctor.first} [[of|from]] {city} </PATIENT>.{@f}\n"
        "=== fragment f\n [[<DATE>[[May|June]]</DATE>]]"
    )
    for note in generate("en", 10, 0, grammar=grammar):
        assert [label for label, _ in labelled(note)] == ["PATIENT", "DATE"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_seed_writes_the_same_notes(language: str) -> None:
    rates = noise_rates("1")
    first = list(generate(language, 30, 7, noise=rates, traps=0.5))
    again = list(islice(generate(language, 60, 7, noise=rates, traps=0.5), 30))
    assert first == again
    assert [note.metadata for note in first] == [note.metadata for note in again]
    other = list(generate(language, 30, 8, noise=rates, traps=0.5))
    assert not {note.text for note in first} & {note.text for note in other}


def test_notes_do_not_depend_on_the_process() -> None:
    code = (
        "import hashlib; from scrubjay.synthesis.generation import generate;"
        "from scrubjay.synthesis.noise import noise_rates;"
        "notes = list(generate('nl', 40, 3, noise=noise_rates('1'), names='train', traps=1));"
        "print(hashlib.sha256(repr([(n.text, n.spans) for n in notes]).encode()).hexdigest())"
    )
    found = set()
    for hash_seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_every_template_is_used_before_one_is_used_again() -> None:
    blocks = find_grammar("nl").documents
    used = [note.metadata["synth.template"] for note in generate("nl", len(blocks), 1)]
    assert sorted(used) == sorted(block.id for block in blocks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_halves_of_names_are_disjoint(language: str) -> None:
    text = "=== document d\n{doctor.first}|{doctor.last}|{city}|{doctor:2.first}|{doctor:2.last}"
    grammar = templates(text, language)
    found: dict[str, set[str]] = {}
    for half in ("train", "dev"):
        names = found[half] = set()
        for note in generate(language, 300, 2, grammar=grammar, names=half):
            for part in note.text.strip().split("|"):
                names |= set(re.split(r"[ -]", part.lower())) if " " not in part else {part.lower()}
    shared = found["train"] & found["dev"]
    # Compound names may share a part that is a name of the other half.
    assert len(shared) <= 0.02 * len(found["dev"])
    assert len(found["dev"]) > 200


def test_whether_a_name_is_for_training_follows_from_its_letters() -> None:
    assert half_of("García") == half_of("GARCIA") == half_of("garcia")
    halves = [half_of(f"name{number}") for number in range(1000)]
    assert 150 < halves.count("dev") < 250


def test_lists_of_ones_own() -> None:
    grammar = templates("=== document d\n{patient.last}|{patient.first}|{profession}|{hospital}")
    own = {
        "surnames": ("Testname",), "male": ("Aaa",), "female": ("Bbb",),
        "profession": ("tester",), "hospital": ("Own Hospital",), "clinic": ("Own Clinic",),
    }  # fmt: skip
    for note in generate("en", 20, 0, grammar=grammar, own=own):
        last, first, job, hospital = note.text.strip().split("|")
        assert set(re.split("[ -]", last)) == {"Testname"}
        assert set(re.split("[ -]", first)) <= {"Aaa", "Bbb"}
        assert job == "tester"
        assert hospital in ("Own Hospital", "Own Clinic")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": "fr"}, "no templates for the language 'fr'. Known: en, es, nl"),
        ({"genres": ["raiology"]}, "there is no genre 'raiology'; did you mean 'radiology'?"),
        ({"count": -1}, "must not be negative"),
        ({"names": "test"}, "names are one of all, train, dev"),
        ({"traps": 11}, "traps must be from 0 to 10"),
        ({"own": {"surname": ("a",)}}, "did you mean 'surnames'?"),
        ({"own": {"surnames": ("", "# x")}}, "the list of names surnames is empty"),
    ],
)
def test_errors(settings: dict[str, object], message: str) -> None:
    call: dict[str, object] = {"language": "en", "count": 1, **settings}
    with pytest.raises(ConfigError, match=re.escape(message)):
        generate(**call)  # type: ignore[arg-type]


def test_genres_choose_templates() -> None:
    genre = find_grammar("en").genres[0]
    notes = list(generate("en", 5, 0, genres=[genre]))
    assert {note.metadata["synth.genre"] for note in notes} == {genre}
