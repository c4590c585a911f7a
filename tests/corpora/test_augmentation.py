import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import parse_inline
from scrubjay.corpora._swap_codes import swap_age, swap_code, swap_date, swap_digits, swap_ip
from scrubjay.corpora._swap_names import name_parts
from scrubjay.corpora.augmentation import (
    KINDS,
    SwapLists,
    augment,
    kinds_of,
    make_swap_lists,
    swap_phi,
)
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, SpanError
from scrubjay.labels import find_label_set
from scrubjay.transform.surrogates.case import display, keep_spaces, restyle
from tests.corpus_samples import labelled
from tests.strategies import disjoint_spans, texts

SETS = ("i2b2-2014", "meddocan", "trienes-2020")
LANGUAGE = {"i2b2-2014": "en", "meddocan": "es", "trienes-2020": "nl"}
NOTE = (
    "<PATIENT>Brandvold, Ingrid T.</PATIENT> <AGE>77</AGE> of <CITY>Ogden Mills</CITY>,\n"
    "<STATE>ND</STATE>. Seen <DATE>11/02/2071</DATE> by Dr. <DOCTOR>R. OYELARAN</DOCTOR> at "
    "<HOSPITAL>Platte Fork Community Hospital</HOSPITAL>; MRN <MEDICALRECORD>448-20-16"
    "</MEDICALRECORD>. Mrs. <PATIENT>Brandvold</PATIENT> (<PATIENT>Ingrid</PATIENT>) moved to "
    "<CITY>Ogden Mills</CITY>. <DOCTOR>Renard Oyelaran</DOCTOR>, <PHONE>(701) 555-0182</PHONE>."
)


def lists(language: str = "en") -> SwapLists:
    return make_swap_lists(language)


def outside(document: Document) -> list[str]:
    """Return the text before, between and after the spans."""
    borders = [0, *(b for span in document.spans for b in (span.start, span.end))]
    ends = [*borders[1:], len(document.text)]
    return [document.text[a:b] for a, b in zip(borders, ends, strict=True)][::2]


def swap_note(seed: int = 1, **options: object) -> tuple[Document, Document]:
    document = parse_inline(NOTE, id="note")
    return document, swap_phi(document, lists=lists(), rng=Random(seed), **options)


def test_a_note_keeps_its_text_and_the_form_of_its_mentions():
    before, after = swap_note()
    assert outside(after) == outside(before)
    assert [s.label for s in after.spans] == [s.label for s in before.spans]
    found = [text for _, text in labelled(after)]
    assert all(new != old for new, (_, old) in zip(found, labelled(before), strict=True))
    assert re.fullmatch(r"[^\W\d_'-]+(?:['-]\w+)*, [^\W\d_'-]+(?:['-]\w+)* [A-Z]\.", found[0])
    assert re.fullmatch(r"\d\d", found[1])
    assert re.fullmatch(r"[A-Z]{2}", found[3])
    assert re.fullmatch(r"(0[1-9]|1[0-2])/(0[1-9]|1[0-2])/20\d\d", found[4])
    assert re.fullmatch(r"[A-Z]\. [^a-z]+", found[5])
    assert re.fullmatch(r"\d{3}-\d\d-\d\d", found[7])
    assert re.fullmatch(r"\(\d{3}\) \d{3}-\d{4}", found[-1])


@pytest.mark.parametrize("seed", range(8))
def test_parts_of_a_name_agree_through_the_document(seed):
    _, after = swap_note(seed)
    found = [text for _, text in labelled(after)]
    surname, first = found[0].removesuffix(found[0][-3:]).split(", ")
    assert found[8:10] == [surname, first]
    assert found[10] == found[2]  # the city
    doctor = found[11].split(" ")
    assert found[5] == f"{doctor[0][0].upper()}. {' '.join(doctor[1:]).upper()}"


def test_other_labels_stay_and_unknown_labels_too():
    before, after = swap_note(labels={"CITY"})
    changed = {label for (label, old), (_, new) in
               zip(labelled(before), labelled(after), strict=True) if old != new}  # fmt: skip
    assert changed == {"CITY"}
    document = parse_inline("<WARD>Lark Ward</WARD>", id="d")
    assert swap_phi(document, lists=lists(), rng=Random(1)).text == document.text
    by_kind = swap_phi(document, lists=lists(), rng=Random(1), labels={"WARD": "city"})
    assert by_kind.text != document.text


def test_no_share_changes_nothing_and_half_a_share_some():
    before, after = swap_note(share=0.0)
    assert (after.text, after.spans) == (before.text, before.spans)
    _, half = swap_note(seed=3, share=0.5)
    changed = [new != old for new, old in zip(labelled(half), labelled(before), strict=True)]
    assert any(changed)
    assert not all(changed)


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_is_a_probability(share):
    with pytest.raises(ConfigError, match="share"):
        swap_note(share=share)


def test_overlapping_spans_are_refused_by_offset():
    document = Document("d", "Jane Roe", (Span(0, 8, "PATIENT"), Span(5, 8, "PATIENT")))
    with pytest.raises(SpanError, match=r"\[0, 8\)"):
        swap_phi(document, lists=lists(), rng=Random(1))


def test_annotations_of_the_old_text_do_not_follow():
    document = Document("d", "Jane", (Span(0, 4, "PATIENT"),), {"brat.lines": ["x"], "group": "p"})
    swapped = swap_phi(document, lists=lists(), rng=Random(1))
    assert dict(swapped.metadata) == {"group": "p"}


def test_augment_yields_each_document_with_its_copies():
    documents = [parse_inline(NOTE, id="a"), parse_inline(NOTE, id="b")]
    result = list(augment(documents, lists=lists(), seed=5, copies=2))
    assert [d.id for d in result] == ["a", "a~1", "a~2", "b", "b~1", "b~2"]
    assert len({d.text for d in result}) == 5
    again = list(augment(reversed(documents), lists=lists(), seed=5, copies=2))
    assert {d.id: d.text for d in again} == {d.id: d.text for d in result}


def test_the_same_seed_gives_the_same_text_in_other_processes(root: Path):
    code = (
        "import sys; from random import Random; from scrubjay.corpora import parse_inline\n"
        "from scrubjay.corpora.augmentation import *\n"
        "d = parse_inline(sys.argv[1], id='note')\n"
        "sys.stdout.buffer.write(swap_phi(d, lists=make_swap_lists('en', [d]), "
        "rng=Random('x')).text.encode())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, NOTE],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(root / "src")},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("name", SETS)
def test_every_label_of_the_shipped_sets_has_a_kind(name):
    label_set = find_label_set(name)
    assert set(label_set.labels) <= set(KINDS)
    assert kinds_of(label_set) == {label: KINDS[label] for label in label_set.labels}


def test_labels_of_other_sets_go_by_their_category():
    kinds = kinds_of(find_label_set("hipaa"))
    assert set(kinds.values()) <= set(KINDS.values())
    assert "person" in kinds.values()


def test_a_language_without_lists_is_refused():
    with pytest.raises(ConfigError, match="en, es, nl"):
        make_swap_lists("fr")


def test_mentions_come_from_the_documents_given():
    document = parse_inline("<HOSPITAL>General\nHospital</HOSPITAL>", id="d")
    assert dict(make_swap_lists("en", [document]).mentions) == {"HOSPITAL": ("General Hospital",)}


@given(data=st.data(), name=st.sampled_from(SETS), seed=st.integers(0, 99))
@settings(max_examples=80)
def test_any_document_keeps_offsets_and_the_text_outside(data, name, seed):
    text = data.draw(texts())
    spans = data.draw(disjoint_spans(text, labels=find_label_set(name).labels))
    document = Document("d", text, spans)
    source = lists(LANGUAGE[name])
    swapped = swap_phi(document, lists=source, rng=Random(seed))
    assert outside(swapped) == outside(document)
    assert [s.label for s in swapped.spans] == [s.label for s in document.spans]
    pairs: dict[tuple[str, str], str] = {}
    for (label, old), (_, new) in zip(labelled(document), labelled(swapped), strict=True):
        assert new
        assert pairs.setdefault((KINDS[label], old), new) == new
    again = swap_phi(document, lists=source, rng=Random(seed))
    assert (again.text, again.spans) == (swapped.text, swapped.spans)


@given(st.text(alphabet="0123456789 -/.xAZaz", max_size=20), st.integers(0, 99))
def test_codes_keep_their_pattern(text, seed):
    for function in (swap_digits, swap_code):
        new = function(text, Random(seed))
        assert len(new) == len(text)
        for old_character, new_character in zip(text, new, strict=True):
            assert old_character.isdigit() == new_character.isdigit()
            assert old_character.isupper() == new_character.isupper()


@given(st.dates(), st.sampled_from(["%d/%m/%Y", "%Y-%m-%d", "%m/%d/%y", "%Y%m%d"]), st.integers())
def test_dates_keep_their_layout_and_range(date, layout, seed):
    if date.year < 1000:
        date = date.replace(year=date.year + 1000)
    old = date.strftime(layout)
    new = swap_date(old, lists(), Random(seed))
    assert re.sub(r"\d", "0", new) == re.sub(r"\d", "0", old)
    assert all(int(number) <= 99 for number in re.findall(r"(?<!\d)\d\d(?!\d)", new))


@pytest.mark.parametrize(
    ("language", "text", "pattern"),
    [
        ("en", "Sunday the 2nd", r"[A-Z][a-z]+day the \d(st|nd|rd|th)"),
        ("en", "March 2069", r"[A-Z][a-z]+ \d{4}"),
        ("en", "Mar 9", r"[A-Z][a-z]{2,3} \d"),
        ("es", "12 de marzo de 2018", r"1[0-2] de [a-z]{4,} de \d{4}"),
        ("nl", "di 18 nov", r"(ma|wo|do|vr|za|zo) \d\d [a-z]{3,4}"),
        ("nl", "dinsdagmiddag", r"[a-z]+dagmiddag"),
    ],
)
def test_dates_in_words(language, text, pattern):
    for seed in range(20):
        assert re.fullmatch(pattern, swap_date(text, lists(language), Random(seed)))


def test_ages_and_addresses_of_the_net():
    assert re.fullmatch(r"[1-9]\d años", swap_age("66 años", Random(1)))
    numbers = swap_ip("203.0.113.88", Random(1)).split(".")
    assert len(numbers) == 4
    assert all(0 < int(number) < 255 for number in numbers)


@pytest.mark.parametrize(
    ("language", "mention", "roles"),
    [
        ("en", "Brandvold, Ingrid T.", ["last", "first", "initial"]),
        ("en", "Ingrid Brandvold", ["first", "last"]),
        ("en", "AQW", ["initial"]),
        ("en", "JP Smith", ["initial", "last"]),
        ("en", "Florencio Agbayani III", ["first", "last", "kept"]),
        ("es", "Carlos José", ["first", "first"]),
        ("es", "Garrido Vidal", ["last", "last"]),
        ("es", "María García Cañas", ["first", "last", "last"]),
        ("nl", "Jan van den Berg", ["first", "kept", "kept", "last"]),
    ],
)
def test_roles_of_the_parts_of_a_name(language, mention, roles):
    assert [part.role for part in name_parts(mention, lists(language))] == roles


@pytest.mark.parametrize(
    ("entry", "like", "expected"),
    [
        ("mcdonald", "Smith", "McDonald"),
        ("o'brien", "SMITH", "O'BRIEN"),
        ("san josé de ocoa", "Madrid", "San José de Ocoa"),
        ("'s-hertogenbosch", "Zeist", "'s-Hertogenbosch"),
        ("ijsselstein", "Zeist", "IJsselstein"),
        ("new york", "leeds", "new york"),
    ],
)
def test_case_follows_what_is_replaced(entry, like, expected):
    assert restyle(entry, like) == expected


def test_line_ends_inside_a_mention_stay():
    assert keep_spaces("Cedar Ridge", "Ogden\r\nMills") == "Cedar\r\nRidge"
    assert keep_spaces("Leeds", "Ogden\nMills") == "Leeds"
    assert display("a coruña") == "A Coruña"


def test_relatives_get_other_names_and_ages_and_stay_relatives() -> None:
    text = "Su hija Pilar y su tío Ramón (82 años); padre sano."
    label = "FAMILIARES_SUJETO_ASISTENCIA"
    spans = [Span(text.index(each), text.index(each) + len(each), label)
             for each in ("hija Pilar", "tío Ramón (82 años)", "padre")]  # fmt: skip
    document = Document("a", text, tuple(spans))
    new = swap_phi(document, lists=lists("es"), rng=Random(3))
    found = [new.text[span.start : span.end] for span in new.spans]
    assert re.fullmatch(r"hija (?!Pilar)\w+", found[0])
    assert re.fullmatch(r"tío (?!Ramón)\w+ \((?!82)[0-9]+ años\)", found[1])
    assert found[2] == "padre"
