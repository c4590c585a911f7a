"""Persons called like a disease are found where only a person can stand, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.taggers._mending.people.keyed import _find_key
from scrubjay.taggers._mending.people.person_keys import find_telling
from scrubjay.taggers.mending import mend
from tests.oracles.mending import add_keyed
from tests.shipped_models import find_mentions
from tests.taggers.mending_samples import marked_texts


def found(text: str, spans: list[Span], language: str) -> list[tuple[str, str]]:
    """Return what stands in the spans after adding, with the labels."""
    return [
        (text[span.start : span.end], span.label)
        for span in add_keyed(text, spans, language=language)
    ]


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("Patient: Harold Crohn", "Harold Crohn", "PATIENT"),
        ("patient: harold crohn seen today", "harold crohn", "PATIENT"),
        ("Patient: Crohn, Harold J. DOB 3/4/1950", "Crohn, Harold J.", "PATIENT"),
        ("PATIENT NAME: CROHN, HAROLD", "CROHN, HAROLD", "PATIENT"),
        ("Name: ALT, HB   DOB: 1/6/1950", "ALT, HB", "PATIENT"),
        ("Pt Name: Sodium, Ketones\nNa 139", "Sodium, Ketones", "PATIENT"),
        ("pt: parkinson, seen in clinic", "parkinson", "PATIENT"),
        ("Pt: Raynaud", "Raynaud", "PATIENT"),
        ("x\n  Name:   Alzheimer, Greta", "Alzheimer, Greta", "PATIENT"),
        ("MRN 12345; name: van Crohn, Mary", "van Crohn, Mary", "PATIENT"),
        ("Name: G. Alzheimer", "G. Alzheimer", "PATIENT"),
        ("Name: Greta Maria van der Crohn's chart", "Greta Maria van der Crohn", "PATIENT"),
        ("Name: Greta Maria van der Crohn, seen", "Greta Maria van der Crohn", "PATIENT"),
        ("Attending: Bell\n", "Bell", "DOCTOR"),
        ("Attending: Dr. Hodgkin\n", "Hodgkin", "DOCTOR"),
        ("PCP: Burkitt, Denis", "Burkitt, Denis", "DOCTOR"),
        ("Mother: Rosa Crohn", "Rosa Crohn", "PATIENT"),
        ("|Patient|Lichtenstein A|", "Lichtenstein A", "PATIENT"),
        ("| Patient | Parkinson A. |", "Parkinson A.", "PATIENT"),
        ("|Patient:|Whipple, G|", "Whipple, G", "PATIENT"),
        ("|Prov|Lichtenstein A|", "Lichtenstein A", "DOCTOR"),
        ("| Surgeon | Whipple AO |", "Whipple AO", "DOCTOR"),
        ("Patient: Whipple A.O.\n", "Whipple A.O.", "PATIENT"),
        ("Mr. Parkinson was seen", "Parkinson", "PATIENT"),
        ("mrs addison reports pain", "addison", "PATIENT"),
        ("Dr. Down to see", "Down", "DOCTOR"),
        ("asked dr. crohn's nurse", "crohn", "DOCTOR"),
        ("Mr. P. Foley catheter out", "P. Foley", "PATIENT"),
    ],
)
def test_english_names_after_keys_and_titles(text: str, name: str, label: str) -> None:
    assert found(text, [], "en") == [(name, label)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PATIENT: RICE\nAGE: 45", ("RICE", "PATIENT")),
        ("PATIENT: BANKS   MRN: 12", ("BANKS", "PATIENT")),
        ("NAME: FIELDS", ("FIELDS", "PATIENT")),
        ("PATIENT: COOK", ("COOK", "PATIENT")),
        ("PT: KING", ("KING", "PATIENT")),
        ("Patient: Young\nAge: 45", ("Young", "PATIENT")),
        ("PATIENT: PARK, DOB", ("PARK", "PATIENT")),
        ("SURGEON: PRICE\n", ("PRICE", "DOCTOR")),
        ("ASSISTANT: BELL", ("BELL", "DOCTOR")),
        ("ON CALL: PARISH  ", ("PARISH", "DOCTOR")),
        ("On call: Rice; backup", ("Rice", "DOCTOR")),
        ("PCP: Church   Fax", ("Church", "DOCTOR")),
        ("Provider: Brandt, MD", ("Brandt", "DOCTOR")),
        ("Surgeon: J Murphy\n", ("J Murphy", "DOCTOR")),
        ("Assistant: Y Hashimoto  ", ("Y Hashimoto", "DOCTOR")),
    ],
)
def test_surnames_that_are_words_after_keys(text: str, name: tuple[str, str]) -> None:
    assert found(text, [], "en") == [name]


@pytest.mark.parametrize(
    "text",
    [
        "PATIENT: STABLE",
        "Patient: Stable",
        "Patient: Short, obese",
        "Patient: Crohn's disease",
        "Patient: Walker",
        "PATIENT: ALERT, ORIENTED",
        "Name: Lisinopril, Tablet",
        "Patient: Stable, Alert",
        "Names: ALT, HB",
        "PATIENT: FALL RISK",
        "Patient: Self",
        "NAME: BLANK",
        "NAME: DATE: MRN:",
        "PATIENT: RICE KRISPIES",
        "Patient: rice",
        "Diet: RICE",
        "PATIENT: COOK MEALS",
        "Name: Lasix",
        "Nurse: Bell at bedside",
        "Patient: X Ray\n",
        "Patient: A Young\n",
        "Patient: T Wave\n",
        "|Dx|Parkinson A|",
        "|Surgery|Lichtenstein R|",
        "|Patient|Foley RN|",
        "Patient: Whipple A&O x3",
        "Patient: Crohn A flare",
        "Patient: foley A\n",
        "Patient: Graves X-ray",
        "Patient: Foley OD\n",
        "Patient:| |Foley A|",
    ],
)
def test_words_after_keys_are_left(text: str) -> None:
    assert found(text, [], "en") == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Patiënt: Parkinson, Jan.", "Parkinson, Jan"),
        ("patiënt: jan parkinson", "jan parkinson"),
        ("Naam: Alzheimer, Greta", "Alzheimer, Greta"),
        ("Naam: ALT, HB     Geb: 010650", "ALT, HB"),
        ("Patiënt: Kreatinine, J.\nKreat 90", "Kreatinine, J."),
        ("Mw. Crohn belde", "Crohn"),
        ("mw crohn belde", "crohn"),
        ("dhr. parkinson komt", "parkinson"),
        ("de heer Alzheimer is", "Alzheimer"),
        ("Dhr. M. Parkinson bekend met HT", "M. Parkinson"),
        ("mw M. Crohn sinds gisteren", "M. Crohn"),
        ("Huisarts: Murphy\n", "Murphy"),
        ("| Naam | Crohn, Greta |", "Crohn, Greta"),
        ("|Naam|Alzheimer GJ|", "Alzheimer GJ"),
        ("Naam: M. Crohn", "M. Crohn"),
        ("pt: dhr lammers, antonius gerardus gb 1950", "lammers, antonius gerardus"),
    ],
)
def test_dutch_names_after_keys_and_titles(text: str, name: str) -> None:
    assert found(text, [], "nl") == [(name, "NAME")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Paciente: López de Haro Cruz, Fermín. Edad: 45", "López de Haro Cruz, Fermín"),
        ("PACIENTE: LÓPEZ DE HARO CRUZ, FERMÍN", "LÓPEZ DE HARO CRUZ, FERMÍN"),
        ("Paciente: De la Fuente Gómez, María del Carmen", "De la Fuente Gómez, María del Carmen"),
        ("Paciente: García-Lorca Ruiz, Ana", "García-Lorca Ruiz, Ana"),
        ("pte juan garcía lópez, 45a", "juan garcía lópez"),
        ("pac maría lópez refiere tos", "maría lópez"),
        ("paciente: juan crohn", "juan crohn"),
        ("sra carmen ruiz refiere dolor", "carmen ruiz"),
        ("Sr. Parkinson acude", "Parkinson"),
    ],
)
def test_spanish_names_after_keys_and_titles(text: str, name: str) -> None:
    assert found(text, [], "es") == [(name, "NOMBRE_SUJETO_ASISTENCIA")]


KIN, PATIENT = "FAMILIARES_SUJETO_ASISTENCIA", "NOMBRE_SUJETO_ASISTENCIA"


@pytest.mark.parametrize(
    ("marked", "labels"),
    [
        (f"Madre: <{KIN}>Otilia Galván</{KIN}>, 26 años", [KIN]),
        (f"Esposa <{KIN}>Rut Salamanca</{KIN}>, tres hijos", [KIN]),
        (f"su esposo <{KIN}>Juan Pedro</{KIN}>, que", [KIN]),
        (f"Hijo: <{PATIENT}>Luis Gil Mora</{PATIENT}>.", [PATIENT]),
        (f"Paciente: <{KIN}>Ana Gil Mora</{KIN}>, 26 años", [PATIENT]),
        ("Madre: Otilia Crohn", [KIN]),
        ("Hija Amparo de Lugo, tel.", [KIN]),
        ("Enfermera: Otilia Crohn", ["NOMBRE_PERSONAL_SANITARIO"]),
    ],
)
def test_relatives_keep_their_label(marked: str, labels: list[str]) -> None:
    document = parse_inline(marked)
    assert [label for _, label in found(document.text, list(document.spans), "es")] == labels


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Patient: Crohn's disease since 2010", "en"),
        ("Patient: Crohn disease since 2010", "en"),
        ("Patient: Parkinson’s, on levodopa", "en"),
        ("patient: parkinson plus syndrome", "en"),
        ("Dr: Parkinson's follow-up", "en"),
        ("Name: Mary Crohn disease", "en"),
        ("Patient: Foley in place", "en"),
        ("patient: down, sad", "en"),
        ("patient: still, calm", "en"),
        ("Name: Pap", "en"),
        ("Test name: Rinne", "en"),
        ("Diagnosis: Crohn, Harold", "en"),
        ("Mother: Crohn, father: Parkinson", "en"),
        ("hx ms parkinson", "en"),
        ("Patient: Parkinson\u2011like gait", "en"),
        ("Patient: 48F", "en"),
        ("Patient:", "en"),
        ("Patiënt: Parkinson sinds 2010", "nl"),
        ("Patiënt: ziekte van Parkinson", "nl"),
        ("Patiënt: Alzheimer-dementie", "nl"),
        ("mw heeft parkinson", "nl"),
        ("moeder: Alzheimer, vader: Parkinson", "nl"),
        ("mr parkinson", "nl"),
        ("Mw Mei werd 84", "nl"),
        ("Patiënt: M. Crohn, stabiel", "nl"),
        ("pte refiere dolor abdominal", "es"),
        ("Pte consciente y orientado", "es"),
        ("Paciente: Crohn desde 2010", "es"),
        ("Hija única, sana", "es"),
        ("Madre: Alzheimer, padre: Parkinson", "es"),
        ("sra mayor, con bastón", "es"),
        ("Patient: Harold Crohn", "xx"),
    ],
)
def test_diseases_and_devices_are_left(text: str, language: str) -> None:
    assert found(text, [], language) == []


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("<NAME>Jan</NAME> Parkinson is opgenomen", "Jan Parkinson"),
        ("Naam: Alzheimer, <NAME>Greta</NAME>", "Alzheimer, Greta"),
        ("patiënt: <DATE>jan</DATE> parkinson", "jan parkinson"),
        ("<NAME>Jan</NAME> Parkinsonisme", "Jan"),
        ("<NAME>Jan</NAME> D'Ors komt", "Jan D'Ors"),
        ("<NAME>Mary</NAME> O’Donnell", "Mary O’Donnell"),
        ("<NAME>Jan</NAME> D'r uit", "Jan"),
        ("dochter <NAME>Greta</NAME> Alzheimer dementie", "Greta"),
        ("<NAME>Smit</NAME> Parkinson", "Smit"),
        ("mw <NAME>M. Roe</NAME>-Ulla (77)", "M. Roe-Ulla"),
        ("door <NAME>Roe</NAME>-MD", "Roe"),
        ("<NAME>Roe</NAME>-achtig", "Roe"),
        ("VG: Parkinson, <NAME>Greta</NAME> belt", "Greta"),
    ],
)
def test_names_that_were_found_grow(marked: str, name: str) -> None:
    document = parse_inline(marked)
    assert found(document.text, list(document.spans), "nl") == [(name, "NAME")]


@pytest.mark.parametrize(
    ("marked", "language", "name"),
    [
        ("Foley, <PATIENT>Anna</PATIENT>", "en", "Foley, Anna"),
        ("x\n- WHIPPLE, <PATIENT>ALLEN</PATIENT> MRN", "en", "WHIPPLE, ALLEN"),
        ("Coumbs, <PATIENT>Arlene</PATIENT> - refill", "en", "Coumbs, Arlene"),
        ("3. Agquary, <PATIENT>Elijah</PATIENT>: MRI", "en", "Agquary, Elijah"),
        ("Agquary-Coumbs, <PATIENT>Elijah</PATIENT>", "en", "Agquary-Coumbs, Elijah"),
        ("412-2 AGQUARY, <PATIENT>ELIJAH</PATIENT>", "en", "AGQUARY, ELIJAH"),
        ("Hess, Ann; Coumbs, <PATIENT>Arlene</PATIENT>", "en", "Coumbs, Arlene"),
        ("Hashimoto, <NAME>Greta</NAME> was er", "nl", "Hashimoto, Greta"),
        (
            "Pte DE <NOMBRE_SUJETO_ASISTENCIA>LA FUENTE, ROSA</NOMBRE_SUJETO_ASISTENCIA>",
            "es",
            "DE LA FUENTE, ROSA",
        ),
        # words, terms, places, closings and relatives
        ("Omaha, <PATIENT>Grace</PATIENT>", "en", "Grace"),
        ("Thanks, <PATIENT>Grace</PATIENT>", "en", "Grace"),
        ("Warmly, <PATIENT>Grace</PATIENT>", "en", "Grace"),
        ("Daughter, <PATIENT>Grace</PATIENT>", "en", "Grace"),
        ("Kidney, <PATIENT>Grace</PATIENT>", "en", "Grace"),
        ("Metoprolol, <PATIENT>Grace</PATIENT>", "en", "Grace"),
        ("Pt, <PATIENT>Grace</PATIENT>", "en", "Grace"),
        ("coumbs, <PATIENT>Arlene</PATIENT>", "en", "Arlene"),
        ("NKDX, <PATIENT>Grace</PATIENT>", "en", "Grace"),
        ("601 COUMBS, <PATIENT>Arlene</PATIENT>", "en", "COUMBS, Arlene"),
        ("CoumBs, <PATIENT>Arlene</PATIENT>", "en", "Arlene"),
        # no first name, one of another person, or not at the head of an entry
        ("Coumbs, <PATIENT>Liver</PATIENT>", "en", "Liver"),
        ("Afia, <PATIENT>Kofi</PATIENT>'s sister", "en", "Kofi"),
        ("told Coumbs, <PATIENT>Arlene</PATIENT>", "en", "Arlene"),
        ("hx Crohn, <PATIENT>Anna</PATIENT> called", "en", "Anna"),
        ("xyz.Coumbs, <PATIENT>Arlene</PATIENT>", "en", "Arlene"),
        ("Coumbs, <NAME>Arlene</NAME>", "nl", "Arlene"),
        (
            "VADE <NOMBRE_SUJETO_ASISTENCIA>LA FUENTE, ROSA</NOMBRE_SUJETO_ASISTENCIA>",
            "es",
            "LA FUENTE, ROSA",
        ),
    ],
)
def test_surnames_before_the_comma_of_a_first_name(marked: str, language: str, name: str) -> None:
    document = parse_inline(marked)
    (label,) = {span.label for span in document.spans}
    assert (name, label) in found(document.text, list(document.spans), language)


def _labelled(marked: str) -> list[str]:
    document = parse_inline(marked)
    rows = add_keyed(document.text, document.spans, language="en")
    return [f"{span.label}:{document.text[span.start : span.end]}" for span in rows]


@pytest.mark.parametrize(
    ("marked", "names"),
    [
        (
            "mum of 3 (<PATIENT>Mabli</PATIENT> 12, Gruff <AGE>9</AGE>, <PATIENT>Non</PATIENT> 5).",
            ["PATIENT:Mabli", "AGE:12", "PATIENT:Gruff", "AGE:9", "PATIENT:Non", "AGE:5"],
        ),
        (
            "<AGE>36</AGE>F, sons Tolu (8), <PATIENT>Dayo</PATIENT> (5)",
            ["AGE:36", "PATIENT:Tolu", "AGE:8", "PATIENT:Dayo", "AGE:5"],
        ),
        ("kids <PATIENT>Brayleigh</PATIENT> 9 & Jaxx 3", ["PATIENT:Brayleigh", "PATIENT:Jaxx"]),
        (
            "with <PATIENT>Brayleigh</PATIENT> 9 & Jaxx <AGE>3</AGE> w/ dad",
            ["PATIENT:Brayleigh", "AGE:9", "PATIENT:Jaxx", "AGE:3"],
        ),
        (
            "two girls, <PATIENT>Bianca</PATIENT> (<AGE>14</AGE>y) and Elodie (6 mo)",
            ["PATIENT:Bianca", "AGE:14", "PATIENT:Elodie"],
        ),
    ],
)
def test_children_beside_one_that_is_found(marked: str, names: list[str]) -> None:
    assert _labelled(marked) == names


@pytest.mark.parametrize(
    "marked",
    [
        "sons: (<PATIENT>Lisinopril</PATIENT> 10, Metoprolol 25)",  # no list of names
        "kids (<PATIENT>Zofran</PATIENT> 8 mg, Ativan 1 mg)",
        "kids <PATIENT>Mabli</PATIENT> 12, Metoprolol 25, Gruff 4",
        "kids <PATIENT>Mabli</PATIENT> 12, Puppy 6",
        "kids <PATIENT>Mabli</PATIENT> 12, Stage 3, Grade 2",
        "<PATIENT>Webb</PATIENT> 12, Cole 14",  # neither ages nor children
        "boys: <PATIENT>Webb</PATIENT> 12",
        "boys: <PATIENT>Webb</PATIENT> 12/3, Cole 14/5",
        "kids at home: <PATIENT>Zara</PATIENT> 5 (BLL 9), <PATIENT>Kuba</PATIENT> 1 (BLL 14)",
        "boys: <PATIENT>Webb</PATIENT> 12, Cole 71",
        "boys: <PATIENT>Webb</PATIENT> 12, <CITY>Cole</CITY> 9",
    ],
)
def test_what_is_no_list_of_children(marked: str) -> None:
    assert len(_labelled(marked)) == marked.count("</")


def test_a_device_before_a_comma_is_left() -> None:
    assert found("Foley, size 16", [], "en") == []


def test_a_name_found_in_parts_stays_in_parts() -> None:
    document = parse_inline("pt: dhr <NAME>lammers</NAME>, <NAME>antonius gerardus</NAME> gb")
    assert add_keyed(document.text, document.spans, language="nl") == document.spans


def test_a_first_name_that_is_a_term_stays_in_spanish() -> None:
    text = "Nombre: Iris.\nApellidos: Roe"
    found = Span(8, 12, "NOMBRE_SUJETO_ASISTENCIA", score=0.5)
    assert mend(text, [found], "es") == (found,)


def test_the_score_of_a_name_that_grows_stays() -> None:
    text = "Name: Alzheimer, Greta"
    (grown,) = add_keyed(text, [Span(17, 22, "DOCTOR", score=0.4, source="crf")], language="en")
    assert (grown.start, grown.label, grown.score, grown.source) == (6, "DOCTOR", 0.4, "crf")


def test_other_label_sets_are_left() -> None:
    assert add_keyed("Patient: Crohn\n", (), language="en", labels=["PATIENT"]) == ()


PIECES = st.sampled_from([
    "Patient", "Name", "name", ": ", ":", " ", "  ", "Crohn", "crohn", "Greta", "greta", ", ",
    "Dr. ", "mr ", "'s", "disease", "\n", "J. ", "van", ".", "é", "Attending", "|", "MD", "dr",
])  # fmt: skip


@st.composite
def notes(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """Return a text of keys and names, and disjoint spans in it."""
    text = "".join(draw(st.lists(PIECES, min_size=1, max_size=20)))
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    labels = st.sampled_from(["PATIENT", "DOCTOR", "DATE"])
    spans = [
        Span(start, end, draw(labels))
        for start, end in zip(borders[::2], borders[1::2], strict=False)
    ]
    return text, spans


@given(notes() | marked_texts())
def test_what_was_covered_stays_and_spans_are_disjoint(marked: tuple[str, list[Span]]) -> None:
    text, spans = marked
    rows = add_keyed(text, spans, language="en")
    assert all(span.start < span.end <= len(text) for span in rows)
    assert all(one.end <= other.start for one, other in pairwise(rows))
    covered = {place for span in rows for place in range(span.start, span.end)}
    assert covered.issuperset(place for s in spans for place in range(s.start, s.end))
    assert add_keyed(text, rows, language="en") == rows
    assert list(rows) == sorted(rows)


def test_the_parts_of_one_name_get_one_label() -> None:
    text = "Paciente: Pérez, Ana"
    parts = [Span(10, 15, "NOMBRE_SUJETO_ASISTENCIA"), Span(17, 20, "NOMBRE_PERSONAL_SANITARIO")]
    assert add_keyed(text, parts, language="es") == (Span(10, 20, "NOMBRE_SUJETO_ASISTENCIA"),)
    # Where each has the same label, all of it is found.
    alike = (parts[0], replace(parts[1], label="NOMBRE_SUJETO_ASISTENCIA"))
    assert add_keyed(text, alike, language="es") == alike


@pytest.mark.parametrize(
    ("model", "text", "name"),
    [
        ("en-fast", "Name: Alzheimer, Greta", "Alzheimer, Greta"),
        ("en-fast", "pt: parkinson, seen in clinic today", "parkinson"),
        ("nl-fast", "Patiënt: Parkinson, Jan.", "Parkinson, Jan"),
        ("nl-fast", "mw. crohn belde.", "crohn"),
        ("es-fast", "Paciente: Pérez, Ana", "Pérez, Ana"),
        ("es-fast", "Sra. Alzheimer refiere dolor.", "Alzheimer"),
    ],
)
def test_shipped_models_find_them(model: str, text: str, name: str) -> None:
    assert name in find_mentions(model, text)


def test_mending_adds_them() -> None:
    assert [s.label for s in mend("Patient: Harold Crohn", [], "en")] == ["PATIENT"]


@given(
    st.sampled_from(["en", "nl", "es"]),
    st.lists(
        st.sampled_from(
            [
                "Patient",
                "patiënt",
                "Nombre",
                "Dr",
                "arts",
                "moeder",
                "x",
                " ",
                "  ",
                "\n",
                ". ",
                "|",
            ]
        ),
        max_size=7,
    ).map("".join),
)
def test_a_key_is_found_in_its_line_as_in_the_whole_text(language: str, text: str) -> None:
    known = find_telling(language)
    assert known is not None
    floor = max(0, len(text) - 12)
    whole = known.keys.search(text, floor)
    line = max(floor, text.rfind("\n", floor))
    found = _find_key(text[line:], language, begins=line == 0)
    assert (found and found.groupdict()) == (whole and whole.groupdict())
    assert (found is None) == (whole is None)
