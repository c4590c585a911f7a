"""Surrogates of names: one person for one person, in the form of each mention."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.transform.coreference import cluster_names
from scrubjay.transform.name_words import gender_of, name_key
from scrubjay.transform.nicknames import are_same_name
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.person_names import parse_name
from scrubjay.transform.surrogates import _person_writing
from scrubjay.transform.surrogates._name_layout import kept_words
from scrubjay.transform.surrogates._people import people_of
from scrubjay.transform.surrogates._person_profile import Profile, gender_of_key
from scrubjay.transform.surrogates.draw import Draw, fold
from scrubjay.transform.surrogates.name_tables import name_tables, origin_of
from scrubjay.transform.surrogates.names import make_many
from scrubjay.transform.surrogates.operator import Surrogate
from tests.transform.surrogates.alone import alone

make = alone(make_many)
KEY = b"0123456789abcdef0123456789abcdef"
WORDS = (
    "John",
    "Jack",
    "Smith",
    "Smith-Jones",
    "SMITH,",
    "JS",
    "J.",
    "Mr.",
    "García",
    "van",
    "Mary",
    "Smiht",
    "and",
    "9",
)


def surrogates(
    *texts: str, language: str = "en", key: bytes = KEY, patient: str = "p"
) -> list[str]:
    record = Record("d", patient, " / ".join(texts), language)
    return make(texts, record, Draw(key, patient), avoid=frozenset(texts))


@pytest.mark.parametrize(
    ("text", "is_given"),
    [
        ("Rosie", True), ("Jackson", True), ("Morgan", True), ("Grant", True), ("Delgado", False),
        ("Smith", False), ("Ms. Jackson", False), ("Smith-Jackson", False),
    ],
)  # fmt: skip
def test_a_frequent_first_name_alone_is_one(text: str, is_given: bool) -> None:
    name = parse_name(text, "en")
    profile = Profile.of([name], "en")
    assert bool(profile.givens) is is_given
    assert bool(profile.lasts) is not is_given


def test_all_forms_of_a_name_become_forms_of_one_other() -> None:
    full, turned, title, initials, dotted, first, lower = surrogates(
        "John Smith", "SMITH, JOHN", "Mr. Smith", "JS", "J. S.", "John", "smith"
    )
    given, last = full.split()
    assert turned == f"{last.upper()}, {given.upper()}"
    assert title == f"Mr. {last}"
    # "PM" is a time of day, and has a letter more.
    assert (given[0] + last[0], initials, dotted) == ("PM", "PCM", "P. C. M.")
    assert (first, lower) == (given, last.lower())


@pytest.mark.parametrize(
    ("language", "texts", "words"),
    [
        (
            "en",
            "Laura Smith-Jones|Smith-Jones|Jones|Smith|SMITH-JONES, LAURA",
            "01-2|1-2|2|1|1-2, 0",
        ),
        ("en", "Laura James-Thomas|L. James-Thomas|James-Thomas|Thomas", "01-2|i. 1-2|1-2|2"),
        ("en", "Smith-Jones|Jones|Laura Smith-Jones", "1-2|2|01-2"),
        ("en", "Jean-Paul Martin|Jean-Paul|Paul|Martin", "0-12|0-1|1|2"),
        ("es", "María García-López|García-López|López|María García López", "01-2|1-2|2|012"),
        ("nl", "Anna de Vries-Jansen|De Vries-Jansen|De Vries|Jansen", "0de 1-2|De 1-2|De 1|2"),
        ("nl", "P. Bakker-de Groot|Bakker-de Groot|de Groot", "i. 1-de 2|1-de 2|de 2"),
    ],
)
def test_a_surname_with_a_hyphen_is_one_and_its_parts_are_its_own(
    language: str, texts: str, words: str
) -> None:
    old, forms = texts.split("|"), words.split("|")
    new = surrogates(*old, language=language)
    known: dict[str, str] = {}
    for each, form in zip(new, forms, strict=True):
        found = [w for w in re.findall(r"[^\W\d_]+", each) if w.lower() not in ("de",)]
        names = [number for number in form if number in "012i"]
        assert len(found) == len(names)
        for word, number in zip(found, names, strict=True):
            if number != "i":
                assert known.setdefault(number, word.lower()) == word.lower()
    people = cluster_names([parse_name(text, language) for text in old])
    assert len(set(people)) == 1


def test_another_thread_sees_the_words_that_stay_with_the_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The profile of a mention is shared by all documents, on whatever thread.
    text, seen = "Captain Quillfeather", []

    def look(layout: object) -> bool:
        profile = parse_name(text, "en").profile
        seen.append(profile.steps)
        return kept_words(layout)  # type: ignore[arg-type]

    monkeypatch.setattr(_person_writing, "kept_words", look)
    surrogates(text)
    assert seen
    assert seen[0] is None


def test_a_family_keeps_one_surname_and_its_members_their_own_names() -> None:
    john, mary, mother = (
        name.split() for name in surrogates("John Smith", "Mary Smith", "Mrs. Smith")
    )
    assert john[1] == mary[1] == mother[1]
    assert john[0] != mary[0]


def test_short_forms_become_short_forms_of_the_new_name() -> None:
    full, short = surrogates("Robert Jones", "Bob")
    assert short != full.split()[0]
    assert short[0] == full[0] or short  # "Bill" of William begins otherwise
    assert surrogates("Bob Jones")[0].split()[0] == short


def test_a_slip_becomes_a_slip_in_the_new_name() -> None:
    right, slip = surrogates("Jonathan Whitfield", "Jonathan Whitfeild")
    assert right != slip
    assert sorted(right) == sorted(slip)


@pytest.mark.parametrize(
    ("old", "gender"),
    [("William Hart", "male"), ("Susan Hart", "female"), ("Mrs. Robin Hart", "female")],
)  # fmt: skip
def test_gender_stays(old: str, gender: str) -> None:
    first = surrogates(old)[0].replace("Mrs. ", "").split()[0].lower()
    assert gender_of(first) in (gender, "")


@pytest.mark.parametrize("patient", ["p", "q", "r", "s"])
@pytest.mark.parametrize("old", ["Mª Luz Vega", "Vega Gil, Mª Luz", "Rosario Vega"])
def test_short_forms_and_words_tell_the_gender_in_spanish(old: str, patient: str) -> None:
    new = surrogates(old, language="es", patient=patient)[0]
    first = (new.split(", ")[1] if "," in new else new).split()[0].lower()
    assert gender_of(name_key(first), "es") in ("female", "")


@pytest.mark.parametrize("patient", ["p", "q", "r", "s"])
@pytest.mark.parametrize(
    ("language", "before", "gender"),
    [
        ("en", "her son ", "male"),
        ("en", "Ms. ", "female"),
        ("en", "his wife ", "female"),
        ("nl", "zoon ", "male"),
        ("nl", "mevrouw ", "female"),
        ("es", "su hijo ", "male"),
        ("es", "señora ", "female"),
    ],
)
def test_the_gender_is_that_of_the_words_before(
    language: str, before: str, gender: str, patient: str
) -> None:
    for name in ("Guadalupe Vega", "Cruz Vega") if language == "es" else ("Robin Vega", "Jamie"):
        text, end = f"{before}{name} came", len(before) + len(name)
        mention = Mention(Span(len(before), end, "PATIENT"), name, "d", patient)
        record = Record("d", patient, text, language)
        (new,) = Surrogate(KEY).replace_all([mention], record)
        assert gender_of(name_key(new.split()[0])) in (gender, "")


@pytest.mark.parametrize(
    ("language", "old", "form"),
    [
        ("nl", "A.F.Th. van der Heijden", r"[B-Z]\.[A-EG-Z]\.[A-Z][a-z]\. van der [A-Z][a-z]+"),
        ("nl", "Th. Jansen", r"[A-Z][a-z]\. [A-Z][a-z]+"),
        ("nl", "Chr", r"[A-Z][a-z]{2}"),
        ("nl", "J.Chr. Bakker", r"[A-Z]\.[A-Z][a-z]{2}\. [A-Z][a-z]+"),
        ("en", "Wm. Smith", r"[A-Z][a-z]\. \w+"),
        ("nl", "Mohamed El Amrani", r"\w+ El \w+"),
        ("es", "EL SAYED", r"EL \w+"),
        ("es", "El", r"L[ao]s?"),
        ("es", "el", r"l[ao]s?"),
        ("es", "EL", r"[A-Z]{2}"),
    ],
)
def test_initials_and_articles_become_no_first_names(language: str, old: str, form: str) -> None:
    (new,) = surrogates(old, language=language)
    assert re.fullmatch(form, new)
    assert new != old


def test_origin_stays_where_a_table_tells_it() -> None:
    given, last = surrogates("Wei Zhang")[0].lower().split()
    table = name_tables()["east-asian"]
    assert given in table.lists["male"] + table.lists["female"]
    assert last in table.lists["surnames"]
    assert origin_of("kowalczyk", "surnames", "en") == "slavic"
    assert origin_of("zzzz", "surnames", "en") == ""


@pytest.mark.parametrize(
    ("old", "pattern"),
    [
        ("JohnSmith", r"[A-Z][a-z]+[A-Z]\w+"),
        ("Smith,John", r"\w+,[A-Z]\w+"),
        ("Smith's", r"\w+'s"),
        ("van den Berg", r"van den [A-Z]\w+"),
        ("Gordon\nBlythe", r"\w+\n\w+"),
        ("anna lee-jones", r"[a-z]+ [a-z]+-[a-z]+"),
        ("Smith 12", r"\w+ [0-9][0-9]"),
        ("Boone, Walter, Jr.", r"\w+, \w+, Jr\."),
        ("sMITHERS", r"[a-z][A-Z]+"),
    ],
)
def test_order_marks_case_and_glue_stay(old: str, pattern: str) -> None:
    import re

    assert re.fullmatch(pattern, surrogates(old)[0])


@given(st.lists(st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
    st.text(min_size=1, max_size=8).filter(lambda text: bool(text.strip()))), max_size=6),
    st.sampled_from(("en", "es", "nl", "")))  # fmt: skip
def test_no_surrogate_is_empty_itself_or_another_original(texts: list[str], language: str) -> None:
    found = surrogates(*texts, language=language)
    originals = {fold(text) for text in texts}
    assert len(found) == len(texts)
    for new in found:
        assert new.strip()
        assert fold(new) not in originals
    assert found == surrogates(*texts, language=language)


def test_no_word_of_the_text_is_drawn_even_where_no_span_covers_it() -> None:
    first = surrogates("Mr. Smith")[0].split()[1]
    record = Record("d", "p", f"Mr. Smith was seen with {first}", "en")
    again = make(["Mr. Smith"], record, Draw(KEY, "p"), avoid=frozenset(["Mr. Smith"]))
    assert again[0].split()[1] != first


def test_documents_of_a_patient_fit_together_and_those_of_two_do_not() -> None:
    assert surrogates("John Smith")[0] == surrogates("Old text", "John Smith")[1]
    others = {surrogates("John Smith", patient=patient)[0] for patient in "abcdefgh"}
    assert len(others) > 4


def test_many_people_in_one_text_get_names_of_their_own() -> None:
    lasts = name_tables()["english"].lists["surnames"][::6]
    found = surrogates(*(f"Dr. {last.title()}" for last in lasts))
    assert len(set(found)) == len(found)


def test_more_people_than_names_still_get_names() -> None:
    texts = [f"Mary {a}{b}" for a in ("Qu", "Zw") for b in ("ax", "ex", "ix")] + [
        f"Ma{c}{d}a Lee" for c in "bcdfgh" for d in "bcdfgh"
    ]
    assert len(surrogates(*texts)) == len(texts)


def test_initials_that_fill_the_alphabet_become_longer_ones() -> None:
    texts = [chr(code) for code in range(ord("A"), ord("Z") + 1)]
    found = surrogates(*texts)
    assert {fold(new) for new in found}.isdisjoint(map(fold, texts))


def test_every_table_has_names_of_both_genders_and_surnames_in_lower_case() -> None:
    for origin, table in name_tables().items():
        assert table.origin == origin
        for names in table.lists.values():
            assert len(names) >= 30
            assert all(name == name.lower() for name in names)


@given(
    st.lists(st.sampled_from(["ann", "Ann", "a", "é", "É", "1", "_", " ", "-", "½", "\u0301"])).map(
        "".join
    ),
    st.sampled_from(["", "a", "ann", "e", "nn", "é", "a-b", "anna", "½"]),
    st.booleans(),
)
def test_a_word_of_the_text_is_told_without_a_look_at_all(
    text: str, key: str, original: bool
) -> None:
    avoid = frozenset(["Ann 1"] if original else [])
    people = people_of(Record("d", "", text, "en"), Draw(KEY, "p"), avoid)
    assert people._is_word(key) == (key in people._words)


@pytest.mark.parametrize(
    ("text", "expected"), [("Claude came", ""), ("Clau came", "jean-claude"), ("", "jean-claude")]
)
def test_no_part_of_a_hyphenated_name_is_a_word_of_the_text(text: str, expected: str) -> None:
    people = people_of(Record("d", "", text, "en"), Draw(KEY, "p"), frozenset())
    assert people._draw(("jean-claude",), b"head", "ruth") == expected


def test_a_first_name_has_the_gender_of_its_language() -> None:
    for patient in "abcdefgh":
        new, _ = surrogates("Ángel Ruiz", "D. Ángel", language="es", patient=patient)
        assert gender_of_key(name_key(new.split()[0]), "es") != "female"
        assert surrogates("D. Ángel", language="es", patient=patient)[0].startswith("D. ")


def test_els_and_elsje_are_one_person() -> None:
    for patient in "abcd":
        els, elsje = surrogates("Els Bakker", "Elsje Bakker", language="nl", patient=patient)
        assert els.split()[1] == elsje.split()[1]
        assert are_same_name(*(name_key(name.split()[0]) for name in (els, elsje)))


def test_irish_names_keep_particle_lenition_and_gender() -> None:
    listed = name_tables()["gaelic"]
    for patient in "abcdefgh":
        sean, lady, wife, capitals = surrogates(
            "Eoghan Ó Súilleabháin", "Mrs Ní Dhomhnaill", "Síle Uí Shúilleabháin", "NÍ DHOMHNAILL",
            patient=patient,
        )  # fmt: skip
        assert re.fullmatch(r"[^ ]+ Ó [^ ]+", sean)
        assert " Uí " in wife
        last = name_key(sean.split()[-1])
        assert last in listed.keys["surnames"]
        assert name_key(wife.split()[-1]) in (last, f"{last[0]}h{last[1:]}")
        assert name_key(sean.split()[0]) in listed.keys["male"]
        assert name_key(wife.split()[0]) in listed.keys["female"]
        assert capitals == lady.removeprefix("Mrs ").upper()


@pytest.mark.parametrize("old", ["Orla O'Brien", "Síle Walsh", "Aoife Kelly", "Gobnait Burke"])
def test_irish_women_stay_women(old: str) -> None:
    for patient in "abcdefgh":
        new = surrogates(old, patient=patient)[0].split()[0]
        assert gender_of_key(name_key(new), "en") == "female"


def test_a_surname_of_two_words_is_one() -> None:
    old = ("Mary Mc Carthy", "Mary McCarthy", "MARY MC CARTHY", "Mrs MacCarthy")
    apart, glued, capitals, mac = surrogates(*old)
    assert apart == glued == capitals.title()
    assert len(apart.split()) == 2
    assert mac.split()[1] == apart.split()[1]


def test_short_forms_of_maria_become_a_first_name_of_a_woman() -> None:
    for text in ("M.ª Luz", "Mª José", "Ma. Elena Torres", "Dra. Olvido Cano"):
        [new] = surrogates(text, language="es")
        first = new.removeprefix("Dra. ").split()[0]
        assert len(first) > 2
        assert gender_of_key(name_key(first), "es") == "female"


def test_an_initial_before_two_surnames_is_of_who_has_the_first_of_them() -> None:
    short, full, alone = surrogates(
        "Dr. I. Zabalegui Ruiz", "Dr. Ignacio Zabalegui", "Zabalegui", language="es"
    )
    assert full.split()[2] == short.split()[2] == alone
    assert full.split()[1][0] + "." == short.split()[1]


def test_several_of_a_surname_are_no_slip_of_it() -> None:
    one, several = surrogates("Dr. Featherstone", "Featherstones")
    assert several == one.removeprefix("Dr. ").removesuffix("s") + "s"


def test_words_between_the_names_of_a_child_and_a_parent_stay() -> None:
    one, other, third = surrogates("muthu s/o krishnan", "nur bte rahman", "Gwen ap Rhys")
    assert (one.split()[1], other.split()[1], third.split()[1]) == ("s/o", "bte", "ap")


def test_a_short_scottish_surname_is_written_as_a_name() -> None:
    assert surrogates("A D McI")[0].split()[2].istitle()
