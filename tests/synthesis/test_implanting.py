"""Implanting: exact spans, text that stays, placeholders of many kinds, and what is refused."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import read_corpus
from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.corpora.regions import ignored_regions, without_ignored
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError
from scrubjay.synthesis.grammar import find_grammar
from scrubjay.synthesis.implant_tables import find_tables
from scrubjay.synthesis.implanting import implant
from scrubjay.synthesis.languages import find_language, language_names
from scrubjay.synthesis.told_dates import ToldDates, told_date, told_tag
from tests.calls import run
from tests.corpus_samples import labelled
from tests.toys import CANARY

LANGUAGES = ("en", "es", "nl")


def _one(text: str, language: str = "en", *, rate: float = 0.0, seed: int = 0) -> Document:
    (found,) = implant([Document("d", text)], language, seed, rate=rate)
    return found


def _labels(document: Document) -> list[str]:
    return [span.label for span in document.spans]


def _ignored(document: Document) -> list[str]:
    return [document.text[start:end] for start, end in ignored_regions(document)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_tables_whose_fragments_exist(language: str) -> None:
    tables, grammar = find_tables(language), find_grammar(language)
    assert tables.fragments <= grammar.fragments.keys()
    assert set(LANGUAGES) == set(language_names())
    # Every text that an anchor puts in can be filled.
    for anchor in tables.anchors:
        for put in anchor.put:
            assert "\\3" not in put


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_tables_can_be_filled(language: str) -> None:
    from scrubjay.synthesis.implant_tables import parse_piece

    for anchor in find_tables(language).anchors:
        for put in anchor.put:
            assert parse_piece(put.replace("\\1", "x").replace("\\2", "y"), language)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Seen by Dr. X today.", ["DOCTOR"]),
        ("Dr. XYZ and Dr. ABC agree.", ["DOCTOR", "DOCTOR"]),
        ("Ms. ABC returns.", ["PATIENT"]),
        ("Admitted on MM/DD/YYYY.", ["DATE"]),
        ("AB CD, M.D.", ["DOCTOR"]),
        ("Dr. [NAME] saw [PATIENT].", ["DOCTOR", "PATIENT"]),
        ("[**Known lastname 1234**] was seen [**2150-3-4**].", ["PATIENT", "DATE"]),
        ("Dr. [**Last Name (STitle) 99**] at [**Hospital1 18**].", ["DOCTOR", "HOSPITAL"]),
        ("Name: ___  Unit No: ___", ["PATIENT", "MEDICALRECORD"]),
        ("A ___ year old man seen on ___.", ["AGE", "DATE"]),
        ("Call <PHONE> or write to <EMAIL>.", ["PHONE", "EMAIL"]),
        ("[PATIENT-3f9c01ab77de] lives in [CITY].", ["PATIENT", "CITY"]),
        ("Sent to ABC Hospital.", ["HOSPITAL"]),
        ("His wife [NAME] called (XXX) XXX-XXXX.", ["PATIENT", "PHONE"]),
        ("SSN XXX-XX-XXXX", ["SSN"]),
        ("Works for XYZ.", ["ORGANIZATION"]),
        ("{{first_name}} was born {{date_of_birth}}.", ["PATIENT", "DATE"]),
        ("**NAME[AAA] and @PROFESSION@ [street address]", ["PATIENT", "PROFESSION", "STREET"]),
    ],
)
def test_placeholders_become_phi_of_their_label(text: str, labels: list[str]) -> None:
    document = _one(text)
    assert _labels(document) == labels
    assert _ignored(document) == []


@pytest.mark.parametrize(
    ("language", "text", "labels"),
    [
        ("nl", "[NAAM] is [leeftijd] jaar, dr. X op DD-MM-JJJJ.", ["NAME", "AGE", "NAME", "DATE"]),
        ("nl", "Dochter ___ woont in [woonplaats], tel ___.", ["NAME", "ADDRESS", "PHONE_FAX"]),
        (
            "es",
            "Paciente [NOMBRE], el DD/MM/AAAA por la Dra. X.",
            ["NOMBRE_SUJETO_ASISTENCIA", "FECHAS", "NOMBRE_PERSONAL_SANITARIO"],
        ),
    ],
)  # fmt: skip
def test_placeholders_of_other_languages(language: str, text: str, labels: list[str]) -> None:
    document = _one(text, language)
    assert _labels(document) == labels
    allowed = set(find_language(language).label_set.labels)
    assert set(_labels(document)) <= allowed


@pytest.mark.parametrize(
    "text",
    [
        "Eyes: [x] normal [ ] abnormal, see [fig 2] and [HALMAGYI TEST].",
        "Strength 5/5, BP 120/80, INR < 2 and > 1, T4 {free}.",
        "Take 2 ** 3 and a_b_c.",
    ],
)
def test_brackets_of_other_use_stay(text: str) -> None:
    document = _one(text)
    assert (document.text, document.spans) == (text, ())


def test_one_person_stays_one_person() -> None:
    text = "Dr. X met Ms. ABC. Ms. ABC thanked Dr. X, not Dr. Y. [PATIENT LAST NAME] left."
    names = [name for _, name in labelled(_one(text))]
    doctor, patient, again, same, other, last = names
    assert (doctor, patient) == (same, again)
    assert patient == last
    assert other != doctor


def test_names_after_titles_are_replaced_wherever_they_stand() -> None:
    text = "Dr. Hudyncia came. Later Hudyncia left, 07/29/2008; Anna Quixby is a 45-year-old nun."
    document = _one(text)
    assert _labels(document) == ["DOCTOR", "DOCTOR", "DATE", "PATIENT", "AGE"]
    assert "Hudyncia" not in document.text
    assert "Quixby" not in document.text
    assert labelled(document)[0] == labelled(document)[1]


@pytest.mark.parametrize(
    "part",
    ["Zonquist", "October", "555-201-7788", "1998", "Memorial Hospital", "works as a tailor",
     "MRX-204418", "JOHN SMITH", "a@b.org", "3/2008", "Texas"],
)  # fmt: skip
def test_residual_phi_is_marked_and_left_out(part: str) -> None:
    text = f"No fever. It was told that {part} there. No cough."
    document = _one(text)
    assert document.spans == ()
    assert IGNORE_KEY in document.metadata
    assert without_ignored(document).text == "No fever. No cough."


def test_clinical_words_are_not_marked() -> None:
    text = (
        "She has Parkinson disease, a Foley catheter, and takes Lasix.\n"
        "PAST MEDICAL HISTORY\nCaucasian, African-American and Hispanic patients; Supple neck.\n"
    )
    assert _ignored(_one(text)) == []


def test_open_placeholders_are_marked() -> None:
    document = _one("It was XXXX indeed.")
    assert (document.spans, _ignored(document)) == ((), ["XXXX"])


def test_a_detector_marks_what_it_finds() -> None:
    class Finds:
        labels = ("X",)

        def detect(self, documents: list[Document]) -> list[tuple[Span, ...]]:
            assert all(not document.spans for document in documents)
            return [(Span(0, 5, "X"),) for _ in documents]

    (found,) = implant([Document("d", "fever for days.")], "en", detector=Finds(), rate=0)  # type: ignore[arg-type]
    assert _ignored(found) == ["fever"]


def test_regions_that_a_document_has_stay() -> None:
    document = Document("d", "Seen by Dr. X. no fever.", (), {IGNORE_KEY: [[15, 17]]})
    (found,) = implant([document], "en", rate=0)
    assert _ignored(found) == ["no"]


_PIECES = st.sampled_from(
    ["The patient is well. ", "Dr. X", " on MM/DD/YYYY", "\n", "\n\n", "\r\n", "Zonquist ",
     "[NAME]", "presented with ", "fever.", " ", "___", "His wife is here. ", "<DATE>",
     "a 45-year-old", "😀",
     "PLAN: ", "lives alone.", "[**", "**]", "Follow up.", "MRI showed ",
     "(", "\\1", "{", "|", "]]"]
)  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(
    st.lists(_PIECES, max_size=25), st.sampled_from(LANGUAGES), st.floats(0, 1), st.integers(0, 9)
)
def test_what_comes_out_is_well_formed(
    pieces: list[str], language: str, rate: float, seed: int
) -> None:
    text = "".join(pieces)
    document = _one(text, language, rate=rate, seed=seed)
    assert document == _one(text, language, rate=rate, seed=seed)
    allowed = set(find_language(language).label_set.labels)
    end = 0
    for span in document.spans:
        assert span.label in allowed
        assert span.start >= end
        inside = document.text[span.start : span.end]
        assert inside == inside.strip()
        end = span.end
    for start, stop in ignored_regions(document):
        assert not any(start < s.end and s.start < stop for s in document.spans)
        assert document.text[start:stop] in text  # what is ignored is text of the carrier
    assert "\ue001" not in document.text
    without_ignored(document)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_sentences_are_not_broken(newline: str) -> None:
    lines = ["Lungs are clear.", "", "Abdomen is soft and", "not tender.", "", "No rash."]
    text = newline.join(lines)
    document = _one(text, rate=1.0, seed=2)
    for part in ("Lungs are clear.", f"Abdomen is soft and{newline}not tender.", "No rash."):
        assert part in document.text
    assert document.spans
    if newline == "\r\n":
        assert "\n" not in document.text.replace("\r\n", "")


def test_seeds_and_rates_matter() -> None:
    text = "The patient is here. Seen by Dr. X on MM/DD/YYYY.\n\nThe patient was seen in clinic.\n"
    texts = {_one(text, rate=0.8, seed=seed).text for seed in range(6)}
    assert len(texts) == 6
    assert len(_one(text, rate=1).spans) > len(_one(text, rate=0).spans) == 2


def test_halves_of_names_are_disjoint() -> None:
    documents = [Document(f"d{n}", "Dr. X met Mr. Y and Dr. Z.") for n in range(80)]

    def names(half: str) -> set[str]:
        found = implant(documents, "en", names=half, rate=0)  # type: ignore[arg-type]
        return {name for document in found for _, name in labelled(document)}

    assert names("train").isdisjoint(names("dev"))


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"language": "fr"}, ConfigError),
        ({"language": "en", "rate": 1.5}, ConfigError),
        ({"language": "en", "rate": float("nan")}, ConfigError),
        ({"language": "en", "names": "test"}, ConfigError),
        ({"language": "en", "own": {"surnames": ()}}, ConfigError),
        ({"language": "en", "own": {"nicks": ("A",)}}, ConfigError),
    ],
)
def test_bad_requests_are_refused_at_once(asked: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        implant([], **asked)  # type: ignore[arg-type]


def test_text_with_annotations_is_refused() -> None:
    document = Document("d", f"Seen by {CANARY}.", (Span(8, 10, "DOCTOR"),))
    with pytest.raises(InputError, match="'d' has 1 annotations") as caught:
        list(implant([document], "en"))
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize("format", ["brat", "jsonl"])
def test_the_command_writes_a_corpus_that_training_can_read(tmp_path: Path, format: str) -> None:
    rows = [
        {"id": f"n{n}", "text": "Dr. X and Zonquist met.\n", "licence": "CC0"} for n in range(3)
    ]
    carrier = tmp_path / "carrier.jsonl"
    carrier.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "out"
    call = ("implant", carrier, "--language", "en", "--out", out, "--format", format)
    assert run(*call, "--rate", "0") == 0
    documents = list(read_corpus(out))
    assert [document.id for document in documents] == ["n0", "n1", "n2"]
    assert all(_labels(document) == ["DOCTOR"] for document in documents)
    assert all(_ignored(document) == ["Zonquist"] for document in documents)


def test_the_command_refuses_what_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, gold = tmp_path / "a.txt", tmp_path / "gold"
    text.write_text("Dr. X\n")
    gold.mkdir()
    (gold / "a.txt").write_text("Dr. Lee\n")
    (gold / "a.ann").write_text("T1\tDOCTOR 4 7\tLee\n")
    empty = tmp_path / "empty"
    empty.write_text("\n")
    out = ("--out", tmp_path / "out")
    for call in (
        ("implant", gold, "--language", "en", *out),
        ("implant", text, "--language", "fr", *out),
        ("implant", text, "--language", "en", *out, "--format", "conll"),
        ("implant", text, "--language", "en", *out, "--names-file", f"surnames={empty}"),
        ("implant", tmp_path / "nowhere", "--language", "en", *out),
    ):
        assert run(*call) == 2, call
        assert capsys.readouterr().err.startswith("error: ")
        assert not list((tmp_path / "out").glob("*"))


def filled(text: str, seed: int = 1, rate: float = 0.0, language: str = "en") -> Document:
    return _one(text, language, rate=rate, seed=seed)


def test_dates_of_placeholders_keep_their_order_distance_and_shape() -> None:
    text = (
        "Adm [**2154-3-2**] dis [**2154-3-9**] born [**2093-5-1**], seen [**3-4**], in [**2150**]."
    )
    for seed in range(8):
        note = filled(text, seed)
        adm, dis, born, seen, year = (value for _, value in labelled(note))
        assert adm != dis
        assert re.fullmatch(r"\d{4}", year)
        assert len(seen) < len(adm)
        assert len({label for label, _ in labelled(note)}) == 1
        whole = [re.search(r"\d{4}", value) for value in (adm, born)]
        if all(whole):
            years = [int(match[0]) for match in whole if match]
            assert 60 <= years[0] - years[1] <= 62


def test_plain_dates_move_by_the_same_number_of_days() -> None:
    text = "Seen on 3/4/2005, 3/11/2005 and April 3, 2005."
    calendar = ToldDates(date(2000, 1, 10))
    names = [told_date(value, "en") for value in ("3/4/2005", "3/11/2005", "April 3, 2005")]
    days = [calendar.find(name) for name in names if name]
    assert [(day - days[0]).days for day in days] == [0, 7, 30]
    assert len(labelled(filled(text))) == 3
    assert told_date("4-3-2005", "nl") == told_date("4 de marzo de 2005", "es") == "=2005-3-4"
    assert told_date("soon", "en") is None
    assert calendar.find("=2005-2-31") == calendar.find("=2005-2-28")
    assert calendar.find("=9999-12-31").year >= 2000
    assert told_tag("3-4") == ("=-3-4", "short")
    assert told_tag("2154-3") == ("=2154-3", "month")


def test_a_date_after_the_key_of_a_birth_is_one() -> None:
    note = filled("Date of Birth: <DATE>   Sex: F\nThe 70-year-old woman came on [DATE].", 4)
    born, _, came = (value for _, value in labelled(note))
    assert born != came
    years = [re.search(r"\d{4}", value) for value in (born, came)]
    if all(years):
        assert int(years[1][0]) - int(years[0][0]) > 60  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Attending: [**First Name3 (LF) 1**] [**Last Name (NamePattern1) 2**], M.D.", ["DOCTOR"]),
        ("Mr. [**Known firstname 1**] [**Known lastname 2**] left.", ["PATIENT"]),
        ("PCP is [**Name10 (NameIs) 12**].", ["DOCTOR"]),
        ("In [**Month (only) 5**] [**Year (2 digits) 7**] again.", ["DATE"]),
        ("Went to [**Hospital Ward Name 5**] 7.", ["HOSPITAL"]),
        ("Wife ___ at bedside.", ["PATIENT"]),
        ("Transferred from ___.", ["HOSPITAL"]),
        ("works nights at XXXX as a ___.", ["ORGANIZATION", "PROFESSION"]),
        ("Your ___ Team", ["HOSPITAL"]),
        ("___ 06:30AM BLOOD WBC-7", ["DATE"]),
        ("PATIENT_1 came on DATE_2.", ["PATIENT", "DATE"]),
        ("Seen on <DATE>. XXXX was late.", ["DATE", "PATIENT"]),
    ],
)
def test_placeholders_of_real_archives(text: str, expected: list[str]) -> None:
    note = filled(text)
    assert [label for label, _ in labelled(note)] == expected, note.text


def test_other_numbers_are_not_the_patient() -> None:
    note = filled("[NAME-1] and [NAME-2] met. Later [NAME-1] left.")
    names = labelled(note)
    assert [label for label, _ in names] == ["PATIENT", "PATIENT"]
    assert names[0] == names[1]
    assert [note.text[a:b] for a, b in ignored_regions(note)] == ["[NAME-2]"]


def test_ages_stay_of_the_same_time_of_life() -> None:
    for seed in range(10):
        note = filled("A 59-year-old man, at 54 years old operated; grandson, 3 years old.", seed)
        own, before, grandson = (int(value) for _, value in labelled(note))
        assert 50 < own < 70
        assert own - before == 5
        assert grandson < 6
        (child,) = labelled(filled("This boy is in kindergarten, age [AGE].", seed))
        assert int(child[1]) < 18
        (adult,) = labelled(filled("Her husband says she is [AGE] years old.", seed))
        assert int(adult[1]) >= 18


def test_what_is_put_in_fits_the_age_and_repeats_no_date() -> None:
    text = "\n\n".join(["The patient, a 78-year-old man, presented with cough on 3/4/2005."] * 6)
    for seed in range(12):
        note = filled(text, seed, rate=1.0)
        assert re.search(r"(?i)\bday ?care\b|kindergarten", note.text) is None
        for line in note.text.split("\n"):
            if "presented" in line and "with cough on" in line:
                assert "presented with cough" in line


def test_spanish_keys_and_kin_tell_what_a_placeholder_is() -> None:
    text = "Nombre: ___. Apellidos: ___. Domicilio: ___. Su madre ___ trabaja en ___ como ___."
    note = filled(text, language="es")
    labels = ["NOMBRE_SUJETO_ASISTENCIA"] * 2 + ["CALLE", "FAMILIARES_SUJETO_ASISTENCIA"]
    found = [label for label, _ in labelled(note)]
    assert found[:5] == [*labels, "INSTITUCION"], note.text
    first, last = (value for _, value in labelled(note)[:2])
    assert first.split()[0] not in last
