"""What the words before a mention tell of its person, and what they do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.transform import name_cues
from scrubjay.transform.coreference import cluster
from scrubjay.transform.name_cues import NO_CUE, Cue, cues_of, name_beside
from scrubjay.transform.name_words import name_key
from scrubjay.transform.operators import Mention
from scrubjay.transform.surrogates._person_profile import Profile


def read(marked: str) -> tuple[str, list[tuple[Span, str]]]:
    """Return a text without its brackets, and the mentions that stood in them."""
    text, found = "", []
    for piece in marked.replace("[", "\0[").replace("]", "\0").split("\0"):
        if piece.startswith("["):
            found.append((Span(len(text), len(text) + len(piece) - 1, "PATIENT"), piece[1:]))
        text += piece.removeprefix("[")
    return text, found


@pytest.mark.parametrize(
    ("language", "marked", "gender", "relative"),
    [
        ("en", "her son [Robin]", "male", "child"),
        ("en", "Ms. [Taylor]", "female", ""),
        ("en", "his wife, [Casey], came", "female", "spouse"),
        ("en", "Mother: [Pat Gordon]", "female", "parent"),
        ("en", "daughter-in-law ([Robin])", "female", "child"),
        ("en", "her\nbrother\n[Robin]", "male", "sibling"),
        ("en", "his son and daughter [Robin]", "", ""),
        ("en", "Mr. and Mrs. [Smith]", "", ""),
        ("en", "Mr./Mrs. [Smith]", "", ""),
        ("en", "son of [Robin]", "", ""),
        ("en", "his wife's doctor [Robin]", "", ""),
        ("en", "grandson's [Robin]", "", ""),
        ("en", "her son. Then [Robin]", "", ""),
        ("en", "person [Robin]", "", ""),
        ("en", "DTR [ROBIN]", "female", "child"),
        ("en", "dgtr. [Robin]", "female", "child"),
        ("en", "her bro [Robin]", "male", "sibling"),
        ("en", "hubby [Robin]", "male", "spouse"),
        ("en", "Dr. [Robin]", "", ""),
        ("en", "Great-granddaughter [Robin]", "female", "child"),
        ("en", "foster-son [Robin]", "male", "child"),
        ("en", "pre-son [Robin]", "", ""),
        ("es", "Padre biológico, [Robin]", "male", "parent"),
        ("es", "su madre de acogida, [Robin]", "female", "parent"),
        ("es", "estudio biológico, [Robin]", "", ""),
        ("es", "[ROBIN] (NACIDO EL 3 DE MAYO)", "male", ""),
        ("es", "[Robin], nacida en Lugo", "female", ""),
        ("es", "[Robin] nacido/a el 3 de mayo", "", ""),
        ("nl", "haar zoon [Robin]", "male", "child"),
        ("nl", "mw. [Jansen]", "female", ""),
        ("nl", "haar man [Robin]", "male", "spouse"),
        ("es", "su hijo [Robin]", "male", "child"),
        ("es", "la señora [García]", "female", ""),
        ("en", "man [Robin]", "", ""),
        ("", "señora [García]", "female", ""),
    ],
)
def test_the_words_before_tell_gender_and_relative(
    language: str, marked: str, gender: str, relative: str
) -> None:
    text, mentions = read(marked)
    (cue,) = cues_of(text, mentions, language)
    assert (cue.gender, cue.relative) == (gender, relative)


def test_nothing_is_told_of_a_mention_that_is_not_there() -> None:
    assert cues_of("", [(Span(8, 13, "NAME"), "Robin")], "en") == [NO_CUE]
    assert cues_of("her son Robin", [(Span(8, 11, "NAME"), "Kim")], "en") == [NO_CUE]


@pytest.mark.parametrize(
    ("language", "marked", "gender"),
    [
        ("en", "[Taylor Reyes], 45M, here", "male"),
        ("en", "[Robin Clark], M/34", "male"),
        ("en", "Pt: [Casey Brooks]  Age/Sex: 62F", "female"),
        ("en", "[Casey Brooks] DOB 3/4/1990\nSex: M", "male"),
        ("en", "[Casey Brooks]\nDOB: 3/4/1990\nMRN: 22-33-44\nSex: M", "male"),
        ("en", "[Casey Brooks]\nDOB: 3/4/1990\n\nSex: M", ""),
        ("en", "Sex: M\nName: [Kim Brooks]", "male"),
        ("en", "Gender: Female\nName: [Sam Brooks]", "female"),
        ("en", "[Sam Porter] is a 72 year old woman", "female"),
        ("en", "[Alexis Grant] is an 83-year-old right-handed man", "male"),
        ("en", "19yo F with asthma. [Jordan Miles] seen", "female"),
        ("en", "45 y/o M. Seen with his wife [Hope]", "female"),
        ("nl", "[Robin de Wit], 72-jarige vrouw", "female"),
        ("nl", "[Sam Jansen], man 45 jaar", "male"),
        ("nl", "[Jip Bakker], V, 34 jaar", "female"),
        ("es", "[Cruz López], varón de 45 años", "male"),
        ("es", "[SOTO, CRUZ]    Sexo: V   F.N.: 02.07.1963", "male"),
        ("es", "[SOTO, CRUZ]  SEXO: M   F.N.: 02.07.1963", ""),
        ("", "[SOTO, CRUZ]  SEXO: M   F.N.: 02.07.1963", ""),
        ("es", "[SOTO, CRUZ], 45M", ""),
        ("es", "[SOTO, CRUZ]  Sexo: H", ""),
        ("es", "[SOTO, CRUZ]  Sexo: F", "female"),
        ("es", "[SOTO, CRUZ]  Sexo: mujer", "female"),
        ("es", "[SOTO, CRUZ]  Sexo: masculino", "male"),
        ("es", "[SOTO, CRUZ]  Sexo: M  Edad: 31a. Gestante de 12 semanas", "female"),
        ("", "[SOTO, CRUZ]  Edad: 31  Sexo: M. G2P1", "female"),
        ("es", "[SOTO, CRUZ]  Sexo: M. Hijo de gestante", ""),
        ("es", "[SOTO, CRUZ]  Sexo: M. Madre gestante", ""),
        ("nl", "[Soto, Cruz]  Geslacht: V", "female"),
        ("en", "[Taylor] was here with a 45 year old woman", ""),
        ("en", "[Taylor], RN 4 M", ""),
        ("en", "[Hope Young] is a 34yo. M Young called", ""),
        ("en", "[Taylor] M 12:30", ""),
        ("en", "T 101F. [Taylor]", ""),
        ("en", "16F foley placed. [Taylor]", ""),
        ("en", "[Taylor Reyes] f 61y", "female"),
        ("en", "[Taylor Reyes] m 4 mg", ""),
        ("nl", "[Robin de Wit] v 61j", "female"),
        ("es", "[Soto, Cruz]  V 34  81 kg", "male"),
        ("en", "[Taylor Reyes]  G3P1+1  K 38+4", "female"),
        ("en", "[Taylor Reyes] 32 g1 p0 32/40", "female"),
        ("en", "[Taylor Reyes]: in labour since noon", "female"),
        ("en", "[Taylor Reyes] here, his wife is pregnant", "male"),
    ],
)
def test_age_and_sex_beside_a_patient_tell_the_gender(
    language: str, marked: str, gender: str
) -> None:
    text, mentions = read(marked)
    (cue,) = cues_of(text, mentions, language)
    assert cue.gender == gender


@pytest.mark.parametrize(
    ("language", "marked", "gender"),
    [
        ("en", "[Robin Carter] was seen. She was well, he was told", "female"),
        ("en", "[Sam Carter] was seen. She was well", "female"),
        ("en", "[Robin] was seen with HIS wife", "male"),
        ("en", "[Mary Carter] was seen. He was well", ""),  # who he is is not told
        ("en", "[Carter] was seen. He was well", ""),
        ("en", "[Xiomarqa Carter] was seen. He was well", ""),  # no known name
        ("en", "[Robin Carter] was seen. The sheet was wet", ""),
        ("nl", "[Robin Jansen] kwam. Zij hoest", "female"),
        ("nl", "[Robin Jansen] kwam. Hij hoest", "male"),
        ("es", "[Robin García] vino. La paciente tose", "female"),
        ("es", "[Robin García] vino. El dolor cede", ""),
    ],
)
def test_a_pronoun_tells_of_a_first_name_of_either_sex(
    language: str, marked: str, gender: str
) -> None:
    text, mentions = read(marked)
    (cue,) = cues_of(text, mentions, language)
    assert cue.gender == gender


def test_a_pronoun_is_looked_for_where_a_first_name_first_stands() -> None:
    text, mentions = read("[Robin Carter] came. She coughs. [Robin] and the husband: he is well")
    first, second = cues_of(text, mentions, "en")
    assert first.gender == "female"
    assert second == NO_CUE
    staff = Span(mentions[0][0].start, mentions[0][0].end, "DOCTOR")
    assert cues_of(text, [(staff, "Robin Carter")], "en") == [NO_CUE]


def test_age_and_sex_before_a_name_tell_no_more_than_the_name_does_not() -> None:
    text, mentions = read("72M, seen with [Mary Hill]")
    (cue,) = cues_of(text, mentions, "en")
    assert name_beside("Mary Hill", "en", cue).gender == ""
    assert name_beside("Robin Hill", "en", cue).gender == "male"


@pytest.mark.parametrize(
    ("marked", "gender"),
    [
        ("[MARÍA GARCÍA LÓPEZ]  Sexo: M  Edad: 47a.", "female"),
        ("[Ainhoa Ruiz]  Sexo: M", "female"),
        ("[Fátima Zahra El Idrissi]  Sexo: M", "female"),
        ("[POPESCU, MIHAELA-ELENA]  Sexo: M", "female"),
        ("[Carlos Soto]  Sexo: M", "male"),
        ("[Carlos Soto]  Sexo: M. Acude con gestante", "male"),
        ("[Carlos Soto]  Sexo: F", "female"),
    ],
)
def test_of_a_spanish_m_the_first_name_decides(marked: str, gender: str) -> None:
    text, mentions = read(marked)
    (cue,) = cues_of(text, mentions, "es")
    name = name_beside(mentions[0][1], "es", cue)
    assert Profile.of([name], "es").gender == gender


def test_age_and_sex_beside_staff_are_those_of_somebody_else() -> None:
    text, ((span, mention),) = read("Seen by [Robin Clark], 45M with pain")
    staff = Span(span.start, span.end, "DOCTOR")
    assert cues_of(text, [(staff, mention)], "en") == [NO_CUE]


@pytest.mark.parametrize("name", ["Jordan", "Sam", "Grant", "Tyler", "Xiomarqa"])
def test_a_first_name_stands_behind_a_relative(name: str) -> None:
    assert name_beside(name, "en", Cue("female", "sibling")).keys("given")


def test_a_name_that_is_as_seldom_a_first_name_as_a_surname_is_one_of_a_child() -> None:
    for marked, role in (("granddaughter [Lark]", "given"), ("aunt [Lark]", "either")):
        text, ((span, mention),) = read(marked)
        (cue,) = cues_of(text, [(span, mention)], "en")
        assert [part.role for part in name_beside(mention, "en", cue).parts] == [role]


@pytest.mark.parametrize("name", ["Halloran", "Murphy", "Smith", "Garcia"])
def test_a_surname_behind_a_relative_stays_one(name: str) -> None:
    assert not name_beside(name, "en", Cue("female", "parent")).keys("given")


def test_a_title_in_the_mention_tells_more_and_so_does_a_name_behind_a_comma() -> None:
    assert name_beside("Mrs. Smith", "en", Cue("male", "child")).gender == "female"
    assert name_beside("Robin", "en", Cue("male", "child")).gender == "male"
    assert name_beside("William", "en", Cue("female", "spouse")).gender == "female"
    assert name_beside("William", "en", Cue("female", "spouse", direct=False)).gender == ""
    assert name_beside("John and Mary Smith", "en", Cue("male", "")).gender == ""


@pytest.mark.parametrize(
    ("language", "marked", "persons"),
    [
        (
            "en",
            "mrs [halloran] came. son [liam halloran] was here. Mrs. [Halloran] left",
            [0, 1, 0],
        ),
        ("en", "Mr. [Halloran] and his son [Liam Halloran]. [Halloran] said", [0, 1, 0]),
        ("en", "[Liam] rang; her son [Liam Halloran] came", [0, 0]),
        ("en", "[Halloran] came. Mother: [Pat Halloran]. [Pat] said", [0, 1, 1]),
        ("en", "[Jane Smith] and her mother [Smith]", [0, 1]),
        ("en", "Mr. and Mrs. [Smith]; Mr. [Smith]", [0, 0]),
        ("en", "Ms. [Kim Taylor]. Mr. [Taylor]. [Taylor]", [0, 1, 1]),
        ("en", "son [Liam]. son [Liam Halloran]. [Liam]", [0, 0, 0]),
        ("en", "Mrs. [Smith] came. [Smith] said. Dr. [Smith] called", [0, 0, 0]),
        ("en", "[John Smith]; her husband [John Smith]; Mr. [Smith]", [0, 0, 0]),
        ("en", "Mr. [Halloran]. [Halloran] said. [Thomas Halloran]", [0, 0, 0]),
        ("en", "[Bruce Lee]. Mrs. [Lee] came. Dr. [Lee Chang]", [0, 1, 2]),
        ("en", "[Margaret Hale]. Her daughter [Peggy Hale]. Mrs. [Hale]", [0, 1, 0]),
        ("en", "[DELGADO, MARIA. Maria Delgado] seen. [Delgado]", [0, 0]),
        ("nl", "pt [Smit. Smit]. [Alan Smit], [Smit]", [0, 0, 0]),
        ("nl", "de heer [Kuiper], dochter [Anouschka]. [Anouschka Kuiper-Wu]", [0, 1, 1]),
        ("nl", "mevrouw [Jansen], zoon [Piet Jansen]; mw. [Jansen]; dhr. [Jansen]", [0, 1, 0, 1]),
        ("es", "La señora [García] con su hijo [Luis García]; Sra. [García]", [0, 1, 0]),
    ],
)
def test_cues_that_contradict_make_two_persons(
    language: str, marked: str, persons: list[int]
) -> None:
    text, found = read(marked)
    mentions = [Mention(span, mention, "d") for span, mention in found]
    assert cluster(mentions, language=language, text=text) == persons


_PIECES = (
    "mother-in-law", "Mother", "mr", "Mr", "mevr", "hijo", " ", "\t", "\n", "\r\n", "\r", "\xa0",
    ",", ":", "(", ".", "-", "'", "’", "/", "and", "y", "&", "x", "1", "²", "_", "é", "wife",
)  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=10).map("".join))
def test_the_quick_look_tells_what_the_whole_expression_does(before: str) -> None:
    words = name_cues._cue_words("")
    found = name_cues._WORD_BEFORE.search(before[-name_cues._AROUND :])
    if found is None or name_key(found[1]) not in words:
        assert name_cues._cue_before(before, len(before), "") is NO_CUE
    else:
        joined = name_cues._JOINED.search(before[-name_cues._AROUND :], 0, found.start())
        told = joined is None or name_key(joined[1]) not in words
        assert (name_cues._cue_before(before, len(before), "") != NO_CUE) == told


@pytest.mark.parametrize(
    ("language", "marked", "role"),
    [
        ("nl", "mw [mol] is gezien", "last"),
        ("nl", "gezien door dr [xol]", "last"),
        ("nl", "vannacht was [pot] onrustig", "last"),
        ("en", "DR. [HO] SAW HER WITH 5 mg GIVEN AT NIGHT AND IN THE MORNING", "last"),
        ("en", "SEEN BY [WU] TODAY", "last"),
        ("en", "SIGNED BY [TK]", "initial"),
        ("en", "seen and signed by [jdv]", "initial"),
        ("en", "seen by [WU] in the clinic", "initial"),
        ("en", "Seen by Dr. [HO] in the Clinic", "initial"),
    ],
)
def test_a_short_surname_in_the_case_of_the_whole_text_is_no_initials(
    language: str, marked: str, role: str
) -> None:
    text, ((span, mention),) = read(marked)
    (cue,) = cues_of(text, [(span, mention)], language)
    assert name_beside(mention, language, cue).parts[-1].role == role


def test_what_stands_in_brackets_behind_a_name_is_of_its_sex() -> None:
    text, mentions = read("[Mr. Vang] ([Chue Neng]) came, [Mai Yia] later")
    assert [cue.gender for cue in cues_of(text, mentions, "en")] == ["", "male", ""]


def test_a_relative_before_a_name_of_the_other_sex_that_stands_before_is_of_that_person() -> None:
    text, mentions = read("[Van Lent, Kees], bellen: echtgenote [Kees]. Zus [Mia]")
    cues = cues_of(text, mentions, "nl")
    assert [(cue.gender, cue.relative) for cue in cues][1:] == [("", ""), ("female", "sibling")]


@pytest.mark.parametrize(
    ("language", "marked", "cue"),
    [("en", "[Robin Lee] (his wife) rang", ("female", "spouse")),
     ("nl", "[Robin] (zoon) belt", ("male", "child")),
     ("es", "[Cruz] (hija, 12)", ("female", "child")),
     ("en", "[Robin Lee] (surgeon) rang", ("", "")),
     ("en", "[Robin Lee] (wife of 3 years ago left)", ("", ""))],
)  # fmt: skip
def test_a_relative_in_brackets_behind_a_name_is_that_person(
    language: str, marked: str, cue: tuple[str, str]
) -> None:
    text, mentions = read(marked)
    (found,) = cues_of(text, mentions, language)
    assert (found.gender, found.relative) == cue
