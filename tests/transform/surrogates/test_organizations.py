"""Institutions and jobs: cue words, short forms, towns inside names, articles and gender."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon
from scrubjay.transform.name_words import find_name_words
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.surrogates._fresh import is_telling
from scrubjay.transform.surrogates._initials import is_taken
from scrubjay.transform.surrogates._phrase_pieces import is_common, is_firm
from scrubjay.transform.surrogates._tables import find_first_names, find_surnames, find_words
from scrubjay.transform.surrogates.draw import Draw, fold
from scrubjay.transform.surrogates.name_tables import name_tables
from scrubjay.transform.surrogates.operator import Surrogate
from scrubjay.transform.surrogates.organizations import make_facilities
from tests.transform.surrogates.holding import holds
from tests.transform.surrogates.test_makers import KEY, make


@pytest.mark.parametrize(
    ("language", "text", "pattern"),
    [
        ("en", "Elyria Memorial Hospital", r"[A-Z].* Memorial Hospital"),
        ("en", "ATTAKAPAS GENERAL HOSPITAL", r"[A-Z][A-Z .]+ GENERAL HOSPITAL"),
        ("en", "General Hospital", r"[A-Z].* Hospital"),
        ("es", "Hospital Universitario de Getafe", r"Hospital Universitario de [A-ZÁÉÍÓÚ].*"),
        ("es", "Hospital General", r"Hospital [A-ZÁÉÍÓÚ].*"),
        ("nl", "Deventer Ziekenhuis", r"[A-Z].* Ziekenhuis"),
        ("nl", "Stichting Steun & Rust", r"Stichting [A-Z].* & [A-Z].*"),
    ],
)
def test_words_that_say_what_it_is_stay(language: str, text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, make("hospital", [text], language)[0])


@pytest.mark.parametrize(
    ("text", "kept", "gone"),
    [
        ("HOSPITAL OSAKIDETZA ARABA", ["HOSPITAL"], ["OSAKIDETZA", "ARABA"]),
        ("Hospital Universitario Araba de Osakidetza", ["Universitario"], ["Osakidetza", "Araba"]),
        ("Centro de Salud SESCAM", ["Centro", "Salud"], ["SESCAM"]),
        ("Servicio de Salud", ["Servicio"], []),
    ],
)
def test_services_of_a_region_are_names(text: str, kept: list[str], gone: list[str]) -> None:
    (new,) = make("hospital", [text], "es")
    assert all(word in new.split() for word in kept)
    assert not any(fold(word) in fold(new).split() for word in gone)


def test_a_short_form_is_that_of_the_new_name() -> None:
    whole, short = make("hospital", ["Elyria Memorial Hospital", "EMH"])
    assert short == "".join(word[0] for word in re.findall(r"[\w']+", whole)).upper()


def test_a_short_form_alone_is_as_long() -> None:
    assert re.fullmatch(r"[A-Z]{4}", make("hospital", ["UMCG"], "nl")[0])


def test_a_town_in_a_name_goes_where_the_town_goes() -> None:
    town = make("city", ["Boston"])[0]
    assert make("hospital", ["Boston Medical Center"])[0] == f"{town} Medical Center"


@pytest.mark.parametrize("text", ["actor", "engineer", "office manager"])
def test_jobs_fit_the_article(text: str) -> None:
    assert make("profession", [text])[0][0] in "aeiou"


@pytest.mark.parametrize(
    ("language", "text"), [("es", "soldadora"), ("es", "pescador"), ("nl", "naaister"),
                           ("nl", "kapitein")]
)  # fmt: skip
def test_jobs_keep_their_gender_as_far_as_it_shows(language: str, text: str) -> None:
    ends = find_words(language).feminine
    new = make("profession", [text], language)[0]
    assert new.split()[0].endswith(ends) == text.endswith(ends)


@pytest.mark.parametrize("text", ["futbolista", "Policía", "taxista jubilado", "guía"])
def test_jobs_of_men_and_women_become_such_jobs(text: str) -> None:
    new = make("profession", [text], "es")[0]
    first = new.lower().split()[0]
    assert first.endswith(("ista", "iatra", "auta", "policía", "guardia", "guía", "atleta"))


@pytest.mark.parametrize("text", ["SHEEPHERDER", "Mecánico", "koerier"])
def test_jobs_keep_their_case(text: str) -> None:
    new = make("profession", [text], "es")[0]
    assert (new.isupper(), new[0].isupper()) == (text.isupper(), text[0].isupper())


@pytest.mark.parametrize(
    ("old", "lead", "of"),
    [
        ("Hospital Virgen de la Arrixaca", "Hospital Virgen de la ", "de la"),
        ("HOSPITAL VIRGEN DEL ROCÍO", "HOSPITAL VIRGEN DEL ", "del"),
        ("Residencia Ntra. Sra. de los Dolores", "Residencia Ntra. Sra. de los ", "de los"),
        ("Clínica Nuestra Señora de Fátima", "Clínica Nuestra Señora de ", "de"),
        ("Hospital San Pedro", "Hospital San ", "san"),
        ("Clínica Santa Teresa", "Clínica Santa ", "santa"),
    ],
)
def test_spanish_saints_become_others_of_their_gender(old: str, lead: str, of: str) -> None:
    (new,) = make("hospital", [old], "es")
    assert new.startswith(lead)
    assert new != old
    assert fold(new[len(lead) :]) in {fold(name) for name in find_words("es").devotions[of]}


def test_what_spanish_houses_and_streets_are_named_after_agrees() -> None:
    heads = find_words("es").feminine_heads
    for number in range(60):
        (new,) = make("street", [f"Calle Zarandieta{number}, 3"], "es")
        first, *rest = new.removeprefix("Calle ").partition(",")[0].lower().split()
        assert not rest or first not in heads or rest[0] in heads[first]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Aetna"), ("en", "Providence"), ("en", "Hospital"), ("en", "GENERAL HOSPITAL"),
        ("en", "Park County Memorial"), ("en", "General\nHospital"), ("es", "Hospital General"),
        ("es", "Sanitas"), ("nl", "Universitair Medisch Centrum"), ("nl", "Ziekenhuis"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["hospital", "organization", "place", "street"])
def test_a_name_of_well_known_words_alone_is_not_kept_inside(
    kind: str, language: str, text: str
) -> None:
    (new,) = make(kind, [text], language)
    assert not holds(new, text)


CUES = {
    language: sorted(
        {
            word
            for cue in ("facility-words", "organization-words", "street-words")
            for word in find_lexicon(f"{language}.{cue}")
        }
    )
    for language in ("en", "es", "nl")
}
LOOKS = st.sampled_from([str.lower, str.upper, str.title])


@settings(max_examples=200)
@given(
    st.sampled_from(["hospital", "organization", "profession", "place", "street"]),
    st.sampled_from(sorted(CUES)),
    st.data(),
)
def test_no_surrogate_holds_its_original_or_another_as_whole_words(
    kind: str, language: str, data: st.DataObject
) -> None:
    word = st.one_of(st.sampled_from(CUES[language]), st.sampled_from(["Elyria", "Park", "Aetna"]))
    names = st.builds(lambda words, look: look(" ".join(words)), st.lists(word, min_size=1), LOOKS)
    mentions = data.draw(st.lists(names, min_size=1, max_size=3))
    made = make(kind, mentions, language)
    for new, old in zip(made, mentions, strict=True):
        assert not holds(new, old)
    if kind == "hospital":
        for new in made:
            assert not any(is_telling(old) and holds(new, old) for old in mentions)


def test_a_surrogate_does_not_hold_the_name_of_somebody_else_in_the_record() -> None:
    """Of "Cedar Park Hospital" the park would be taken for a person of that name."""
    names = ("Park", "Ridge", "Cedar", "Stone", "Lake", "Saint")
    for number in range(40):
        (new,) = make("hospital", [f"Elyria{'abcdefgh'[number % 8]} {number} Clinic"], others=names)
        assert not any(holds(new, name) for name in names)


@pytest.mark.parametrize(
    ("language", "form"),
    [
        ("en", "St. {} Hospital"),
        ("en", "Saint {} Hospital"),
        ("nl", "Sint {} Ziekenhuis"),
        ("es", "Hospital San {}"),
    ],
)
def test_a_saint_is_one_once(language: str, form: str) -> None:
    names = [f"Xyl{first}{second}" for first in "abcdefgh" for second in "mnopqrst"]
    old = [form.format(name) for name in names]
    for new in make("hospital", old, language):
        assert not re.search(r"(?i)\b(st\.?|saint|sint|san)\s+(st\.?|saint|sint|san|santa)\s", new)


@pytest.mark.parametrize(
    ("text", "form"),
    [("St. Anne's", r"St\. [A-Z][a-z]+'s"), ("Saint Luke’s Medical Center",
      r"Saint [A-Z][a-z]+’s Medical Center"), ("ST. JOSEPH HOSPITAL", r"ST\. [A-Z]+ HOSPITAL"),
     ("St Vincent", r"St [A-Z][a-z]+")],
)  # fmt: skip
def test_a_saint_becomes_a_saint(text: str, form: str) -> None:
    for patient in "abc":
        (new,) = make_facilities(
            [text],
            Record("d", patient, text, "en"),
            Draw(b"k" * 32, patient),
            avoid=frozenset([text]),
        )
        assert re.fullmatch(form, new)
        name = re.split(r"['’ ]", new)[1].lower()
        assert name in find_words("en").saint_names


@pytest.mark.parametrize("patient", ["a", "b", "c"])
def test_a_saint_is_the_same_one_in_all_its_forms(patient: str) -> None:
    texts = ["St. Anne's", "St. Anne Hospital", "St. Annes Hospital", "SAINT ANNE'S"]
    made = make_facilities(
        texts,
        Record("d", patient, ". ".join(texts), "en"),
        Draw(b"k" * 32, patient),
        avoid=frozenset(texts),
    )
    assert len({re.split(r"['’ ]", text)[1].lower() for text in made}) == 1


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Juzgado de Instrucción n.º 3 de Jaén", r"Juzgado de Instrucción n\.º \d de (?!Jaén).+"),
        ("Tribunal Superior de Justicia de Madrid", r"Tribunal Superior de Justicia de [A-Z].+"),
        ("Policía Local de Jaén", r"Policía Local de (?!Jaén)[A-Z].+"),
        ("Instituto Mexicano del Seguro Social", r"Instituto (?!Mex)\w+o del Seguro Social"),
        ("Clínica Alemana", r"Clínica (?!Alemana)\w+a"),
    ],
)
def test_kinds_of_spanish_institutions_stay_and_nations_become_others(
    text: str, pattern: str
) -> None:
    for kind in ("hospital", "organization"):
        assert re.fullmatch(pattern, make(kind, [text], "es")[0])


@pytest.mark.parametrize("kind", ["hospital", "organization"])
def test_a_year_in_a_name_becomes_another_year(kind: str) -> None:
    for text, low, high in (("1944 Halden", 1900, 1999), ("Ploeg van 2019", 2000, 2025)):
        (new,) = make(kind, [text])
        (year,) = (int(word) for word in new.split() if word.isdecimal())
        assert low <= year <= high
        assert str(year) not in text


@pytest.mark.parametrize(
    ("language", "long", "short"),
    [
        ("en", "Whispering Pines ALF", "Whispering Pines"),
        ("en", "Harmon Family Practice, PLLC", "Harmon Family Practice"),
        ("nl", "Houtstra Zorg B.V.", "Houtstra Zorg"),
    ],
)
def test_a_firm_is_one_with_and_without_its_legal_form(
    language: str, long: str, short: str
) -> None:
    one, other = make("hospital", [long, short], language)
    assert one == other + long.removeprefix(short)


@pytest.mark.parametrize("language", ["en", "nl", "es"])
def test_no_name_of_infamous_people_is_drawn(language: str) -> None:
    drawn = {*find_surnames(language), *find_first_names(language)}
    assert drawn.isdisjoint(find_name_words().never)
    assert all(
        find_name_words().never.isdisjoint(table.keys["surnames"])
        for table in name_tables().values()
    )


def test_an_acronym_becomes_no_word_and_no_other_body() -> None:
    for patient in range(300):
        record = Record("d", f"p{patient}", "dept EVS", "en")
        draw = Draw(KEY, f"p{patient}")
        (new,) = make_facilities(["EVS"], record, draw, avoid=frozenset(["EVS"]))
        assert re.fullmatch("[A-Z]{3}", new)
        assert new != "WHO"
        assert not is_taken(new)
        assert not is_common(new, "en")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("82nd Airborne", r"[1-9][0-9](?:st|nd|rd|th) Airborne"),
        ("101st Airborne Division", r"[1-9][0-9]{2}(?:st|nd|rd|th) Airborne Division"),
        ("3rd Infantry", r"[1-9](?:st|nd|rd|th) Infantry"),
        ("2nd Armored Cavalry Regiment", r"[1-9](?:st|nd|rd|th) Armored Cavalry Regiment"),
    ],
)
def test_a_unit_of_an_army_stays_one(text: str, pattern: str) -> None:
    for patient in ("a", "b", "c", "d"):
        record = Record("d", patient, text, "en")
        (new,) = make_facilities([text], record, Draw(KEY, patient), avoid=frozenset([text]))
        assert re.fullmatch(pattern, new)
        assert new != text


@pytest.mark.parametrize(
    ("text", "language", "pattern"),
    [
        ("Blossom Midwives", "en", r"[\w. ]+ Midwives"),
        ("Lee & Cole Physicians", "en", r"[\w. ]+ & [\w. ]+ Physicians"),
        ("Verloskundigen De Waarde", "nl", r"Verloskundigen .+"),
        ("Matronas Aurora", "es", r"Matronas .+"),
    ],
)
def test_a_firm_that_was_taken_for_a_person_stays_a_firm(
    text: str, language: str, pattern: str
) -> None:
    label = {"en": "DOCTOR", "nl": "NAME", "es": "NOMBRE_PERSONAL_SANITARIO"}[language]
    for patient in ("a", "b", "c", "d"):
        mention = Mention(Span(0, len(text), label), text, "d", patient)
        record = Record("d", patient, text, language)
        (new,) = Surrogate(KEY).replace_all([mention], record)
        assert re.fullmatch(pattern, new)
        assert not {"blossom", "lee", "cole", "waarde", "aurora"} & {*new.lower().split()}


@pytest.mark.parametrize("text", ["Nurses", "Ann Midwife", "Dr. Lee", "Pharmacy Bob"])
def test_a_person_is_no_firm(text: str) -> None:
    assert not is_firm(text, "en")
