"""The parts of names: roles in the orders and forms that records have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.nicknames import are_same_name, formal_names, nickname_tables
from scrubjay.transform.person_names import _of_any, parse_name
from scrubjay.transform.same_person import Facts
from scrubjay.transform.surrogates._person_profile import Profile

CASES = {
    "Mr. John Q. Smith, Jr.": "title given initial last suffix",
    "SMITH, JOHN": "last given",
    "van den BERG, Jan": "particle particle last given",
    "JS": "initial",
    "js": "initial",
    "J.S.": "initial initial",
    "JvdB": "initial particle initial",
    "JohnSmith": "given last",
    "JSmith": "initial last",
    "Smith's": "either ending",
    "Dr. Smith": "title last",
    "Nora Whitman, M.D.": "given last suffix suffix",
    "Whitman, Nora, MD": "last given suffix",
    "García Pérez": "last last",
    "De Miguel Rivera": "particle last last",
    "José Luis": "given given",
    "María García Pérez": "given last last",
    "Mr. and Mrs. Jones": "title link title last",
    "John and Mary Smith": "given link given last",
    "Mary Ellen": "given given",
    "Sarah Jane": "given given",
    "Mary Ellen Smith": "given given last",
    "Ellen James": "given last",
    "Smith Ellen": "given last",
    "O'Brien": "either",
    "McDonald": "either",
    "Ben Ali": "given last",
    "Dr.": "either",
    "LORD, JOHN": "last given",
    "ADJEI Abena": "last given",
    "Geoff RAMSBOTTOM": "given last",
    "JOHN Smith": "given last",
    "Vaidyanathan Padma": "last given",
    "muthu s/o krishnan": "given particle particle last",
    "nur aisyah bte rahman": "given given particle last",
    "NUR BTE RAHMAN": "given particle last",
    "Gwendolen ap Rhys": "given particle last",
    "ap Rhys": "particle last",
    "AP Rhys": "initial last",
    "Pat. Delphine Thibodeaux": "title given last",
    "Pat. Thibodeaux": "given last",
    'Deirdre "Dee" Byrne': "given given last",
    '"Nana" Fell': "given last",
    "A D McI": "initial initial last",
    "NGUYEN, DO": "last given",
    "Nguyen, DO": "either suffix",
    "J and K": "initial link initial",
    "E. v.d. Meulen": "initial particle particle last",
    "Smith-Jones": "either either",
    "SMITH-JONES": "either either",
    "L. Smith-Jones": "initial last last",
    "Mrs. Smith-Jones": "title last last",
    "Laura Evans-Thomas": "given last last",
    "James-Thomas, Laura": "last last given",
    "Jean-Paul Martin": "given given last",
    "John and Mary Smith-Jones": "given link given last last",
    "Mr. and Mrs. Smith-Jones": "title link title last last",
    "Bakker-de Groot": "last particle last",
    "Arts-Samyn": "either either",
    "Dr. Heer-Leys": "title last last",
    "arts-assistent Jansen": "title given last",
    "A. de Vries-van den Berg": "initial particle last particle particle last",
    "Ana García-Pérez Ruiz": "given last last last",
    "Thomas Murphy Snr": "given last suffix",
    "Dr. Seán Ó Súilleabháin": "title given particle last",
    "Ó Súilleabháin, Seán": "particle last given",
    "Mrs Ní Dhomhnaill": "title particle last",
    "Nic Gabhann": "particle last",
    "Nic Jones": "given last",
    "Máire Mac Giolla Phádraig": "given particle particle last",
    "Seán Mac an tSaoi": "given particle particle last",
    "Colm Mac a' Ghobhainn": "given particle particle last",
    "Dr O Suilleabhain": "title particle last",
    "Mary O. Brien": "given initial last",
    "John O Smith": "given initial last",
    "Mary O Brien": "given last",
    "Mc Carthy, Mary": "last given",
    "Mac Davis": "given last",
    "Wei Ni": "given last",
    "123": "",
    "": "",
}


@pytest.mark.parametrize("text", CASES)
def test_parts_have_the_roles_of_their_form(text: str) -> None:
    assert " ".join(part.role for part in parse_name(text).parts) == CASES[text]


def test_two_words_that_are_no_first_names_are_two_surnames_in_spanish() -> None:
    roles = [[part.role for part in parse_name(text, "es").parts] for text in ("Ordoñez Julve",
             "Pedroche Roa", "Ana Roa", "Pere Sanz-Gallén", "Ruiz García-Pérez")]  # fmt: skip
    assert roles[:3] == [["last", "last"], ["last", "last"], ["given", "last"]]
    assert roles[3:] == [["given", "last", "last"], ["last", "last", "last"]]


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_van_behind_a_comma_and_before_a_name_is_a_first_name(language: str) -> None:
    def roles(text: str) -> str:
        return " ".join(part.role for part in parse_name(text, language).parts)

    assert roles("BUI, VAN THANH") == roles("Bui, Van Thanh") == "last given given"
    assert roles("BERG, VAN DEN JAN") == "last particle particle given"
    assert roles("Bui, van Thanh") == "last particle given"
    assert language == "en" or roles("DIJK, VAN J.") == "last particle initial"


def test_strokes_are_no_part_of_a_key() -> None:
    assert parse_name("BOGUSŁAW").parts[0].key == "boguslaw"


def test_don_is_a_title_in_spanish_and_a_name_in_english() -> None:
    assert next(part.role for part in parse_name("Don Martin", "es").parts) == "title"
    assert [part.role for part in parse_name("Don Martin", "en").parts] == ["given", "last"]


@pytest.mark.parametrize(
    ("text", "gender"), [("Mrs. Lee", "female"), ("dhr. Smit", "male"), ("Dr. Lee", ""),
                         ("Mr. and Mrs. Lee", "")],
)  # fmt: skip
def test_titles_tell_the_gender(text: str, gender: str) -> None:
    assert parse_name(text).gender == gender


@given(st.one_of(st.text(max_size=20), st.text("aAbB. ,'’-JS0", max_size=12)))
def test_parts_are_disjoint_in_order_and_cover_every_letter(text: str) -> None:
    parts = parse_name(text).parts
    position = 0
    for part in parts:
        assert position <= part.start < part.end <= len(text)
        assert not any(c.isalpha() for c in text[position : part.start])
        position = part.end
    assert not any(c.isalpha() for c in text[position:])


WORDS = ("John", "SMITH", "maria", "García", "Pérez", "Ben", "van", "Al", "McDonald", "Lee", "Jo",
         "Xq", "MD", "Zzyzzyva", "Smith-Jones", "O'Brien", "Dr.", "JohnSmith")  # fmt: skip


@given(
    st.lists(st.sampled_from(WORDS) | st.text("aeBÉst", min_size=1, max_size=6), max_size=10),
    st.sampled_from([" ", " ", ", "]),
    st.sampled_from(["", "en", "es", "nl"]),
)
def test_mentions_of_plain_words_are_read_as_any(words: list[str], gap: str, language: str) -> None:
    mention = gap.join(words)
    assert parse_name(mention, language) == _of_any(mention, language)


@given(st.sampled_from(WORDS) | st.text("aeBst", min_size=1, max_size=8))
def test_what_a_lone_word_tells_is_what_any_mention_of_it_tells(word: str) -> None:
    name = _of_any(word, "en")
    if len(name.parts) != 1 or name.parts[0].role != "either" or len(name.parts[0].key) < 2:
        return
    quick, plain = Facts.of(name, "patient"), Facts._of(name, "patient")
    assert [getattr(quick, each) for each in Facts.__slots__] == [
        getattr(plain, each) for each in Facts.__slots__
    ]
    assert Profile.of([name, name], "en") == Profile._of([name], "en")


def test_reprs_show_no_text() -> None:
    name = parse_name("John Smith")
    assert "mith" not in repr(name) + repr(name.parts[0])


def test_short_forms_stand_for_names_in_full() -> None:
    assert formal_names("bob") == ("robert",)
    assert set(formal_names("jan")) == {"johannes", "janet"}
    assert formal_names("zzz") == ("zzz",)
    assert are_same_name("rob", "bobby")
    assert not are_same_name("bob", "bill")


def test_the_tables_are_in_lower_case_and_no_name_is_its_own_short_form() -> None:
    for table in nickname_tables():
        assert table.forms
        for name, forms in table.forms.items():
            assert forms
            assert name == name.lower()
            assert name not in forms


@pytest.mark.parametrize(
    ("text", "roles", "gender"),
    [("D. Ángel", "title given", "male"), ("D. Ángel Ruiz", "title given last", "male"),
     ("Sr. D. Juan Ruiz", "title title given last", "male"), ("Dª Ángela", "title given", "female"),
     ("D.ª María Pérez", "title title given last", "female"), ("D. A. Ruiz", "initial initial last",
      ""), ("D. Echeverría", "initial last", ""), ("Ruiz D.", "last initial", "")],
)  # fmt: skip
def test_d_before_a_first_name_is_a_title_in_spanish(text: str, roles: str, gender: str) -> None:
    name = parse_name(text, "es")
    assert ([part.role for part in name.parts], name.gender) == (roles.split(), gender)
    assert parse_name("D. Angel", "en").parts[0].role == "initial"


def test_dutch_diminutives_are_the_same_names() -> None:
    assert are_same_name("els", "elsje")
    assert are_same_name("keesje", "cornelis")
    assert not are_same_name("elsje", "greetje")


@pytest.mark.parametrize(
    ("names", "key"),
    [
        ("O'Brien|O’Brien|OBrien|O'BRIEN|Mary O Brien|mary o brien", "obrien"),
        ("McCarthy|Mc Carthy|MacCarthy|Maccarthy|MACCARTHY|MC CARTHY|Ann Mac Carthy", "mccarthy"),
        ("Mary MacKenzie|Mackenzie", "mackenzie"),  # a first name, too
        ("Machado|MACHADO", "machado"),
        ("Ó Súilleabháin|Uí Shúilleabháin|NÍ SHÚILLEABHÁIN|Mr O Suilleabhain", "suilleabhain"),
        ("Ó hUiginn|Ní Uiginn", "uiginn"),
    ],
)
def test_a_surname_has_one_key_in_all_its_writings(names: str, key: str) -> None:
    found = {parse_name(name, "en").keys("last", "either")[-1] for name in names.split("|")}
    assert found == {key}


@pytest.mark.parametrize(
    ("mention", "roles"),
    [
        ("M.ª Luz", "given given"),
        ("Mª José", "given given"),
        ("Mª Carmen Ruiz", "given given last"),
        ("M.a Luz Gómez", "given given last"),
        ("Ma. Luz Pérez", "given given last"),
        ("MA ELENA TORRES", "given given last"),
        ("Dª Mª Luz Gil", "title given given last"),
    ],
)
def test_short_forms_of_maria_are_her_first_name(mention: str, roles: str) -> None:
    name = parse_name(mention, "es")
    assert " ".join(part.role for part in name.parts) == roles
    assert "maria" in name.keys("given")


@pytest.mark.parametrize("mention", ["Li Ma", "Ma Pérez", "M.A. Pérez", "M. Á. Gil"])
def test_other_letters_are_no_maria(mention: str) -> None:
    assert "maria" not in parse_name(mention, "es").keys("given")


@pytest.mark.parametrize("mention", ["Dª Sagrario Peñalver", "Dra. Olvido Cano", "Olvido Cano"])
def test_first_names_of_spain_that_are_words_are_first_names(mention: str) -> None:
    assert [part.role for part in parse_name(mention, "es").parts][-2:] == ["given", "last"]


@pytest.mark.parametrize(
    ("mention", "role"),
    [("Sra. Olvido", "given"), ("Sr. Washington", "given"), ("Sr. Martín", "last"),
     ("Dra. Cruz", "last"), ("Dr. Peñalver", "last")],
)  # fmt: skip
def test_a_lone_word_after_a_spanish_title_is_a_first_name_where_it_is_no_surname(
    mention: str, role: str
) -> None:
    assert parse_name(mention, "es").parts[-1].role == role
    assert parse_name("Mr. Washington", "en").parts[-1].role == "last"


@pytest.mark.parametrize("mention", ["de wit", "DE WIT", "van xol", "mw wit", "DR. HO", "dr xol"])
def test_a_short_word_behind_a_particle_or_a_title_of_its_case_is_a_surname(mention: str) -> None:
    assert parse_name(mention).parts[-1].role == "last"


@pytest.mark.parametrize("mention", ["Dr. JS", "dr. TK"])
def test_capitals_behind_a_title_in_small_letters_are_initials(mention: str) -> None:
    assert parse_name(mention).parts[-1].role == "initial"


@pytest.mark.parametrize("mention", ["'t Hart", "van 't Hart", "’t HART", "'s Hart"])
def test_a_dutch_article_without_its_vowel_is_a_particle_wherever_it_stands(mention: str) -> None:
    *before, last = parse_name(mention, "nl").parts
    assert {part.role for part in before} == {"particle"}
    assert (last.key, last.role) == ("hart", "last")


@pytest.mark.parametrize(
    ("mention", "roles"),
    [
        ("Dr. I. Zabalegui Ruiz", "title initial last last"),
        ("Dr. Ignacio Zabalegui", "title given last"),
        ("J. Antonio Ruiz", "initial given last"),
        ("Güemes Soto C.", "last last initial"),
        ("Goikoetxea Koldo", "last given"),
    ],
)
def test_names_beside_an_initial_are_two_surnames_in_spanish(mention: str, roles: str) -> None:
    assert [part.role for part in parse_name(mention, "es").parts] == roles.split()


@pytest.mark.parametrize(
    ("mention", "gender"),
    [("Lee s/o Tan", "male"), ("LEE D/O TAN", "female"), ("lee binte tan", "female"),
     ("Lee ap Rhys", "")],
)  # fmt: skip
def test_words_before_the_name_of_a_parent_tell_a_gender(mention: str, gender: str) -> None:
    assert parse_name(mention, "en").gender == gender
