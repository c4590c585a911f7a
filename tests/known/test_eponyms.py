"""Eponyms: a name within a listed clinical term names nobody; where in doubt it does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.features.protected import protected_index
from scrubjay.known import eponyms
from scrubjay.known.eponyms import is_eponym
from scrubjay.known.propagation import Propagation
from tests.known.samples import is_alone_eponym, read_brackets

TERMS = {
    "en": [
        "has [Wilson] disease",
        "[Wilson] disease",
        "mother had [Wilson]'s disease",
        "mother had [Wilson]’s disease",
        "[WILSON] DISEASE",
        "known [Parkinson] disease",
        "A [Foley] catheter was placed",
        "positive [Murphy]'s sign",
        "An [Allen] test",
        "[Bell]'s palsy",
        "May-[Thurner] syndrome",
        "[Glasgow] Coma Scale 15",
        "non-[Hodgkin] lymphoma",
        "Positive [Murphy] sign",
        "[Allen]\u00a0test",
        "[Jackson]-Pratt drain",
        "a sister mary [Joseph] nodule",
        "Patient: Harold Wilson. [Wilson] disease since 2010.",
        "Seen by Dr. Reed. [Reed]-Sternberg cells",
        "by Mary. [Wilson] disease",
        "Dr. Gleason: [Gleason] score 7",
        "Reed 9/30. [Reed]-Sternberg cells",
        "| scalp | [Merkel] cell ca | 1",
        "Dermatology - [MOHS] LOG",
        "12. [Boston] Bowel Prep Score 8",
        "withdrawal 11. [Paris] 0-IIa 8 mm polyp",
        "per CRNA. [Montreal] classification n/a",
        "Exam: Moro gone. Spot. [Tanner] 1.",
        "Hoffmann neg, Romberg +, [Babinski] down.",
        "Dx: Addison disease '99, [Graves] s/p RAI 2003",
        "2003. No [Cushing] features.",
        "aware, [Stryker] gamma nail avail",
        "Ceclor\n1. [Stelara] 90 mg sc q8wk",
    ],
    "nl": [
        "ziekte van [Parkinson]",
        "de ziekte van [Parkinson] van de patient",
        "syndroom van [Down].",
        "[Foley]-katheter",
        "teken van [Murphy]",
        "cyste 3 cm. [Segond] fractuur.",
        "Micro: [Barrett] met intestinale metaplasie",
        "dysplasie. [Praag] C3M5.",
    ],
    "es": [
        "enfermedad de [Parkinson]",
        "SINDROME DE [DOWN]",
        "sonda [Foley]",
        "sonda de [Foley]",
        "signo de [Murphy] negativo",
        "síndrome de [Down] de la niña",
        "Enf. de [Castleman] variante hialina",
        "Agujero de [Monro] libre",
        "g/dL\n[Urea]        44    mg/dL",
    ],
}
NAMES = {
    "en": [
        "Mrs. [Merkel] cell ca",
        "Inga [Merkel] cell ca",
        "[Merkel] cell phone",
        "Dr. [Mohs] surgery",
        "grandson [Paris] 0 of 2",
        "dad [Tanner] 1.",
        "[Tanner] 1.",
        "Exam: [Tanner] 4 yo",
        "[Babinski] down.",
        "Neuro: Dr. [Babinski] down",
        "[Graves] s/p RAI",
        "Bed 4, [Graves] s/p RAI",
        "[Cushing] features",
        "[Stelara] 90 mg given",
        "gave [Stelara] 90 mg sc",
        "1. [Stelara] states",
        "1. Mrs. [Stelara] 90 mg sc",
        "[Wilson] came",
        "on [Parkinson]'s drugs",
        "[Foley] removed it",
        "Dr. [Wilson] disease",
        "Prof [Allen] test",
        "John [Wilson] disease",
        "J. [Wilson] disease",
        "[Wilson], disease",
        "Seen by [Wilson]\nDisease: none",
        "Seen by [Wilson]\r\ndisease",
        "Mr. May-[Thurner]",
        "Disease of [Wilson]",
        "[Wilson Disease]",
        "[Wilson] diseases",
        "Spoke to [Mark] with his wife",
        "told that [May] need not come",
        "[Grace] period",
        "Her sister [Mary Joseph] called",
        "her sister [Mary] Joseph called",
        "The child [Pugh] was seen",
        "[Patrick]'s test was positive",
        "[David] procedure",
        "Seen by\t[Allen]\tTest\tnegative",
        "Seen by: [Allen]   Test: negative",
        "Seen by Dr.\n[Allen] test",
        "Seen by Dr.\r\n[Allen] test",
        "Doctor [Allen] test",
        "Patient: [Bell] palsy",
        "Mark [Wilson] disease",
        "Smith-[Wilson] disease",
        "O'[Allen] test",
        "Dr. Jackson [Pratt] drain",
        "Mr. van der [Wilson] disease",
        "RN [Allen] test",
        "seen by Dr. [Wilson]. Disease stable.",
        "[Wilson]. Disease stable.",
        "Thos. [Wilson] disease",
        "Jos. [Wilson] disease",
        "Prof. [Wilson] disease",
        "Patient. [Wilson] disease",
    ],
    "nl": [
        "mevrouw [Parkinson]",
        "ziekte van [Parkinson] Jansen",
        "ziekte van [Parkinson]-Jansen",
        "[Parkinson]",
        "de test van [Patrick]",
        "ziekte van [Wilson] van Dijk",
        "zuster [Foley]-katheter",
    ],
    "es": [
        "Dr. [Parkinson]",
        "enfermedad de [Parkinson] García",
        "enfermedad de [Parkinson]-García",
        "enfermedad de [Parkinson]\nGarcía",
        "síndrome de [Turner] de la Cruz",
        "enfermedad\nde\n[Parkinson]",
    ],
}


@pytest.mark.parametrize("language", TERMS)
def test_a_name_in_a_listed_term_is_an_eponym(language: str) -> None:
    for marked in TERMS[language]:
        assert is_alone_eponym(marked, language), marked


@pytest.mark.parametrize("language", NAMES)
def test_where_in_doubt_it_is_a_name(language: str) -> None:
    for marked in NAMES[language]:
        assert not is_alone_eponym(marked, language), marked


@pytest.mark.parametrize("place", [(0, 3), (4, 10), (11, 18), (12, 13), (19, 23)])
def test_a_mention_in_the_term_or_beside_it_makes_it_a_name(place: tuple[int, int]) -> None:
    text, start, end = read_brackets("has [Wilson] disease here and there")
    assert is_eponym(text, start, end, "en", outside=[Span(24, 27, "DATE")])
    assert not is_eponym(text, start, end, "en", outside=[Span(*place, "DATE")])


def test_a_mention_that_ends_before_a_full_stop_ends_a_sentence() -> None:
    text, start, end = read_brackets("by Ann Lee. [Wilson] disease")
    assert not is_eponym(text, start, end, "en", outside=())
    assert is_eponym(text, start, end, "en", outside=[Span(3, 10, "DOCTOR")])
    assert not is_eponym(text, start, end, "en", outside=[Span(3, 11, "DOCTOR")])


def test_a_language_without_lists_has_no_eponyms() -> None:
    assert not is_eponym("Wilson disease", 0, 6, "xx", outside=())


@given(
    st.lists(st.sampled_from(["Wilson", "disease", " ", "\n", "Dr.", "'s", "é", "3"]), max_size=8)
)
def test_nothing_but_the_words_around_counts(pieces: list[str]) -> None:
    text = "".join(pieces)
    place = text.find("Wilson")
    if place >= 0:
        found = is_eponym(text, place, place + 6, "en", outside=())
        long = f"{'x ' * 200}\n{text}\n{'y ' * 200}"
        assert is_eponym(long, place + 401, place + 407, "en", outside=()) == found


def test_what_is_longer_than_every_term_is_not_looked_for_among_terms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # "Dr. Dr. Dr. ..." may be found as one mention, and stands at each of its words again.
    longest = max(map(len, protected_index("en").kinds))
    looked: list[str] = []
    monkeypatch.setattr(eponyms, "find_protected", lambda text, _: looked.append(text) or ())
    for pieces in (longest, longest + 1):
        text = "Wilson " * pieces
        assert not is_eponym(text, 0, len(text) - 1, "en", outside=())
    assert len(looked) == 1


TEXT = "Dr. Wilson re Wilson disease. Wilson's disease, Wilson said. Wilson at Foley."


def test_propagation_leaves_eponyms_alone() -> None:
    spread = Propagation(lambda _: "name", "en").spread
    [found] = spread([TEXT], [[Span(4, 10, "DOCTOR")]])
    assert [span.start for span in found] == [4, 48, 61]
    [found] = spread([TEXT], [[Span(71, 76, "DOCTOR"), Span(19, 28, "X")]])
    assert [span.start for span in found] == [19, 71]


def test_propagation_leaves_no_eponym_that_is_cut_by_a_mention() -> None:
    text = "Wilson said Wilson disease"
    spread = Propagation(lambda _: "name", "en").spread
    [found] = spread([text], [[Span(0, 6, "DOCTOR"), Span(19, 26, "DOCTOR")]])
    assert [span.start for span in found] == [0, 12, 19]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hope Young came. H Young called.", ["Hope Young", "H Young"]),
        ("Hope Young came. H. Young called.", ["Hope Young", "H. Young"]),
        ("Hope Young came. K Young called.", ["Hope Young"]),
        ("Hope Young came. H young called.", ["Hope Young"]),
        ("Hope Lanza came. H Lanza called.", ["Hope Lanza", "H Lanza"]),
        ("Anna Young came. A Young called.", ["Anna Young"]),
    ],
)
def test_the_initial_of_a_found_name_goes_with_its_parts(text: str, found: list[str]) -> None:
    spread = Propagation(lambda _: "name", "en").spread
    (spans,) = spread([text], [[Span(0, 10, "NAME")]])
    assert [text[span.start : span.end] for span in spans] == found


def test_a_lone_name_is_found_with_the_surname_of_another_mention() -> None:
    spread = Propagation(lambda _: "name", "en").spread
    text = "Kathryn Dole, aka Kate. kate dole called. Kate Fell. Kate, dole"
    (spans,) = spread([text], [[Span(0, 12, "NAME"), Span(18, 22, "NAME")]])
    found = [text[span.start : span.end] for span in spans]
    assert found == ["Kathryn Dole", "Kate", "kate dole", "Kate", "Kate"]


def test_a_lone_name_apart_from_a_surname_is_found_as_ever() -> None:
    spread = Propagation(lambda _: "name", "en").spread
    text = "Anouk Halloran, Liam. Then Liam, Halloran; Liam\nHalloran."
    (spans,) = spread([text], [[Span(0, 14, "NAME"), Span(16, 20, "NAME")]])
    found = [text[span.start : span.end] for span in spans]
    assert found == ["Anouk Halloran", "Liam", "Liam", "Halloran", "Liam", "Halloran"]


def test_a_name_with_a_comma_is_found_turned() -> None:
    spread = Propagation(lambda _: "name", "en").spread
    text = "Name: YOUNG, HOPE. Hope young came; young, hope of"
    (spans,) = spread([text], [[Span(6, 17, "NAME")]])
    assert [text[span.start : span.end] for span in spans][:2] == ["YOUNG, HOPE", "Hope young"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Graves, 51M. Graves consented. graves dug", ["Graves", "Graves"]),
        ("Bell, 60M. Bell's wife called. Bell palsy", ["Bell", "Bell"]),
        ("Long, 60M. Long talk with wife", ["Long"]),  # used often
        ("Colon, 60M. Transverse Colon: polyp", ["Colon"]),  # of terms
        ("Captain, 60M. Captain of a ship", ["Captain"]),
    ],
)
def test_a_surname_that_is_a_seldom_word_is_found_with_a_capital(
    text: str, found: list[str]
) -> None:
    spread = Propagation(lambda _: "name", "en").spread
    name = text.partition(",")[0]
    (spans,) = spread([text], [[Span(0, len(name), "PATIENT")]])
    assert [text[span.start : span.end] for span in spans] == found


def test_seldom_words_of_other_languages_are_no_names_again() -> None:
    text = "Dolores Ruiz, 60. Dolores torácicos"
    (spans,) = Propagation(lambda _: "name", "es").spread([text], [[Span(0, 12, "N")]])
    assert len(spans) == 1


def test_the_sex_behind_an_age_is_no_initial_of_an_eponym() -> None:
    text = "Mr Cushing, 61M. Cushing syndrome suspected. Dr M. Cushing syndrome clinic"
    (spans,) = Propagation(lambda _: "name", "en").spread([text], [[Span(3, 10, "PATIENT")]])
    assert [span.start for span in spans] == [3, text.rindex("Cushing")]
