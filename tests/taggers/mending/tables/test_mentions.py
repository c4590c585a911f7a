"""Mentions are cut at cells, let go where they are nothing, and have the label of their column."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.tables.reading import read_tables

STAFF, SUBJECT = "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA"


def _after(marked: str, language: str) -> list[str]:
    """Return the label and the text of each mention."""
    document = parse_inline(marked)
    after = read_tables(document.text, document.spans, language)
    return [f"{span.label}:{document.text[span.start : span.end]}" for span in after]


@pytest.mark.parametrize(
    ("marked", "language", "after"),
    [
        ("gast   zij  jn  a\n<NAME>Pruis  L   j</NAME>   b\n<NAME>Ram    R   n</NAME>   c\n"
         "<NAME>Gül    L   -   b</NAME>\n", "nl",
         ["NAME:Pruis", "NAME:L", "NAME:Ram", "NAME:R", "NAME:Gül", "NAME:L"]),
        ("naam  lft  G/P\n<NAME>Vos</NAME>   <DATE>31   1/0</DATE>\n"
         "<NAME>Bos</NAME>   <DATE>26   3/2</DATE>\n",
         "nl", ["NAME:Vos", "AGE:31", "NAME:Bos", "AGE:26"]),
        ("Patiënt  Kamer  x\n<INTERNAL_LOCATION>Tubax    8</INTERNAL_LOCATION>      a\n"
         "<NAME>De Wit</NAME>   9      b\n", "nl",
         ["NAME:Tubax", "INTERNAL_LOCATION:8", "NAME:De Wit", "INTERNAL_LOCATION:9"]),
        ("a|b|c\n<DATE>4/9 | half | 5/9</DATE>\n1|2|3\n", "en",
         ["DATE:4/9", "DATE:half", "DATE:5/9"]),
        ("ward / who / tel\nA / <DOCTOR>Roe / Poe</DOCTOR>\nB / c / d\nE / f / g\n", "en",
         ["DOCTOR:Roe", "DOCTOR:Poe"]),
        # What a tagger calls a number may be an age.
        ("<ADDRESS>Berg   54   x</ADDRESS>\nVos    60   y\nBos    61   z\n", "nl",
         ["ADDRESS:Berg", "ADDRESS:54"]),
    ],
)  # fmt: skip
def test_no_mention_goes_on_into_the_next_cell(
    marked: str, language: str, after: list[str]
) -> None:
    assert _after(marked, language) == after


@pytest.mark.parametrize(
    ("marked", "language", "after"),
    [
        ("pt|age|nurse\n<HOSPITAL>Arbuckle</HOSPITAL>|<STREET>84</STREET>|<STATE>NV</STATE>\n"
         "<PATIENT>Roe</PATIENT>|<DATE>10/12</DATE>|<DOCTOR>zq</DOCTOR>\n", "en",
         ["PATIENT:Arbuckle", "AGE:84", "DOCTOR:NV", "PATIENT:Roe", "AGE:10", "DOCTOR:zq"]),
        ("who|adm|mobile\nx|<AGE>19</AGE>/2|<ZIP>07700</ZIP> <STREET>900248</STREET>\n"
         "y|<DATE>20/2</DATE>|<PHONE>07700 900249</PHONE>\n", "en",
         ["DATE:19/2", "PHONE:07700 900248", "DATE:20/2", "PHONE:07700 900249"]),
        ("mrn|dx\n<PATIENT>8097716</PATIENT>|a\n<DEVICE>8097717</DEVICE>|b\n", "en",
         ["MEDICALRECORD:8097716", "MEDICALRECORD:8097717"]),
        ("Paciente|F\n<CALLE>Pous, Ana</CALLE>|1/2\n"
         f"<{SUBJECT}>Ruiz Cano</{SUBJECT}>, <CALLE>Eva</CALLE>|<HOSPITAL>2/3</HOSPITAL>\n", "es",
         [f"{SUBJECT}:Pous, Ana", "FECHAS:1/2", f"{SUBJECT}:Ruiz Cano, Eva", "FECHAS:2/3"]),
        # A day and a house of several words are no persons.
        ("nurse|dx\n<DATE>Mon</DATE>|a\n<HOSPITAL>Oak Ward House</HOSPITAL>|b\n"
         "<DOCTOR>Roe</DOCTOR>|c\n",
         "en", ["DATE:Mon", "HOSPITAL:Oak Ward House", "DOCTOR:Roe"]),
    ],
)  # fmt: skip
def test_a_heading_tells_what_a_cell_is(marked: str, language: str, after: list[str]) -> None:
    assert _after(marked.replace("|", "\t"), language) == after


@pytest.mark.parametrize(
    ("marked", "language", "after"),
    [
        ("pt|plan\nRuiz - NPO|x\nbed 4 Salt ?d/c|y\n<PATIENT>Cane</PATIENT>, D|z\n", "en",
         ["PATIENT:Ruiz", "PATIENT:Salt", "PATIENT:Cane, D"]),
        ("wie|opm\n<NAME>Piet</NAME> Vos / zus|x\n<NAME>Jan</NAME>|y\n", "nl",
         ["NAME:Piet Vos", "NAME:Jan"]),
        ("pat|opm\n<NAME>DE BACKER</NAME> M|a\n"
         "<NAME>Stege</NAME>, ter, <NAME>Hendrik</NAME>|b\n", "nl",
         ["NAME:DE BACKER M", "NAME:Stege, ter, Hendrik"]),
        ("K3|Parkinson <NAME>Piet</NAME>|66j\nK4|Crohn <NAME>Jan</NAME>|23j\n"
         "K5|<NAME>Bos</NAME>|x\n",
         "nl", ["NAME:Parkinson Piet", "NAME:Crohn Jan", "NAME:Bos"]),
        ("K3|Parkinson <PATIENT>Piet</PATIENT>|66\nK4|Foley <PATIENT>Margaret F</PATIENT>|83\n"
         "K5|<PATIENT>Roe</PATIENT>|x\n", "en",
         ["PATIENT:Parkinson Piet", "PATIENT:Foley Margaret F", "PATIENT:Roe"]),
        # Two persons, a word for what somebody is, an abbreviation behind a name.
        ("who|plan\n<PATIENT>Pickles</PATIENT>, <PATIENT>Toomey</PATIENT>|a\n"
         "Daughter <PATIENT>Mary</PATIENT>|b\n<PATIENT>Huda</PATIENT>, ED|c\n"
         "<PATIENT>Roe</PATIENT> NPO|d\n", "en",
         ["PATIENT:Pickles", "PATIENT:Toomey", "PATIENT:Mary", "PATIENT:Huda", "PATIENT:Roe"]),
    ],
)  # fmt: skip
def test_what_was_found_widens_to_the_name_in_its_cell(
    marked: str, language: str, after: list[str]
) -> None:
    assert _after(marked.replace("|", "\t"), language) == after


@pytest.mark.parametrize(
    ("marked", "language", "after"),
    [
        # Clinical columns: tests, scores, observations.
        ("CTG|GCS|ABG\n<DATE>4/5</DATE>|<AGE>15</AGE>|<DATE>7.35</DATE>\n"
         "<IDNUM>7.2</IDNUM>|<STREET>14</STREET>|x\n", "en", []),
        ("Test|Result\n<PATIENT>Foley</PATIENT>|neg\n<DOCTOR>Apgar</DOCTOR>|<AGE>9</AGE>\n",
         "en", []),
        ("Name of test|Result\n<PATIENT>Romberg</PATIENT>|pos\n"
         "<DOCTOR>Apgar</DOCTOR>|<AGE>9</AGE>\n",
         "en", []),
        ("Name|Result\n<PATIENT>Foley</PATIENT>|neg\n<PATIENT>Apgar</PATIENT>|9\n", "en", []),
        ("Name|Age|Result\n<PATIENT>Foley</PATIENT>|7|neg\n<PATIENT>Apgar</PATIENT>|9|pos\n", "en",
         ["PATIENT:Foley", "AGE:7", "PATIENT:Apgar", "AGE:9"]),
        ("inj|plan\n<PATIENT>Jones</PATIENT> # L|<DATE>8/8</DATE>\n"
         "seen by <DOCTOR>Jones</DOCTOR>|b\n", "en",
         ["DATE:8/8", "DOCTOR:Jones"]),
        # Counts, answers, headings.
        ("Ward|No.\nA|<MEDICALRECORD>120</MEDICALRECORD>\nB|<IDNUM>4410888</IDNUM>\n", "en",
         ["IDNUM:4410888"]),
        ("item|dnar|y/n\na|<STREET>n</STREET>|<PATIENT>Y</PATIENT>\nb|<STREET>y</STREET>|n\n",
         "en", []),
        ("<DATE>Nurse</DATE>|<STREET>Freq</STREET>|<DATE>Mon</DATE>\na|od|b\nc|bd|d\n",
         "en", ["DATE:Mon"]),
        ("Box|Waarde\n1|5,1\n2|5,3\n", "nl", []),
        # Measures below a heading that nothing is known of, and days below another.
        ("Tinetti|datum|pols\n<DATE>15/28</DATE>|<DATE>3/9</DATE>|1\n"
         "<DATE>9/28</DATE>|<DATE>4/9</DATE>|1\n"
         "<DATE>24/28</DATE>|<DATE>5/9</DATE>|1\n", "nl", ["DATE:3/9", "DATE:4/9", "DATE:5/9"]),
    ],
)  # fmt: skip
def test_what_is_nothing_of_its_kind_is_let_go(
    marked: str, language: str, after: list[str]
) -> None:
    assert _after(marked.replace("|", "\t"), language) == after


@pytest.mark.parametrize(
    ("marked", "language", "after"),
    [
        # Patients with surnames of tests among others.
        ("Name|Result\n<PATIENT>Foley</PATIENT>|7.1\n<PATIENT>Apgar</PATIENT>|6.9\nSmith|8.0\n"
         "<PATIENT>Wood</PATIENT>|5.5\n", "en",
         ["PATIENT:Foley", "PATIENT:Apgar", "PATIENT:Smith", "PATIENT:Wood"]),
        ("Pt|Dx\n<PATIENT>Foley, A</PATIENT>|<PATIENT>Foley</PATIENT> fell\n"
         "<PATIENT>Roe</PATIENT>|<PATIENT>Romberg</PATIENT> neg\n", "en",
         ["PATIENT:Foley, A", "PATIENT:Foley", "PATIENT:Roe"]),
        # Numbers of four figures and more below "no", whatever they were found as.
        ("Naam|Nr\n<NAME>Bot</NAME>|<ADDRESS>4412</ADDRESS>\n"
         "<NAME>Hart</NAME>|<INTERNAL_LOCATION>5518</INTERNAL_LOCATION>\n", "nl",
         ["NAME:Bot", "ADDRESS:4412", "NAME:Hart", "INTERNAL_LOCATION:5518"]),
        ("Nr|Dx\n<DATE>60143</DATE>|a\n<PHONE_FAX>12</PHONE_FAX>|b\n", "nl", ["DATE:60143"]),
        ("Tijd|Dx\n<DATE>0800</DATE>|a\n<ID>1230</ID>|b\n", "nl", []),
        # Days of a column with a day that is nothing else, and days with their times.
        ("Test|Result\nCXR|<DATE>3/4</DATE>\nECG|<DATE>5 May</DATE>\nMRI|<DATE>2019</DATE>\n",
         "en", ["DATE:3/4", "DATE:5 May", "DATE:2019"]),
        ("Time|BP\n<DATE>3/4 0800</DATE>|<DATE>4/5</DATE>\n<DATE>Tues</DATE>|x\n", "en",
         ["DATE:3/4 0800", "DATE:Tues"]),
        # A number behind a name that it was found with.
        ("a|b|c\n<PATIENT>Ann|4412</PATIENT>|x\n<PATIENT>Tom|3/4/50</PATIENT>|y\n"
         "<PATIENT>Jo|54</PATIENT>|z\n", "en",
         ["PATIENT:Ann", "PATIENT:4412", "PATIENT:Tom", "PATIENT:3/4/50", "PATIENT:Jo"]),
        # Letters behind a name, and nurses who sign with what may be a heading.
        ("Dr <NAME>Bot</NAME> <ID>K|2251</ID>|x\nDr <NAME>Wit</NAME> <ID>P|2252</ID>|y\n"
         "<NAME>Vos</NAME>|<ID>L|6</ID>\n", "nl",
         ["NAME:Bot", "ID:K", "ID:2251", "NAME:Wit", "ID:P", "ID:2252", "NAME:Vos"]),
        ("vaccin|paraaf\nDTP|<INITIALS>ym</INITIALS>\nBMR|gd\nHepB|<INITIALS>bs</INITIALS>\n",
         "nl", ["INITIALS:ym", "INITIALS:gd", "INITIALS:bs"]),
        ("middel|tijd|ma|di|wo|do\n"
         "a|8|<INITIALS>AB</INITIALS>|<INITIALS>AB</INITIALS>|<INITIALS>mw</INITIALS>|AB\n"
         "b|8|<INITIALS>AB</INITIALS>|<INITIALS>AB</INITIALS>|<INITIALS>mw</INITIALS>|x\n", "nl",
         ["INITIALS:AB", "INITIALS:AB", "INITIALS:mw", "INITIALS:AB", "INITIALS:AB", "INITIALS:AB",
          "INITIALS:mw"]),
    ],
)  # fmt: skip
def test_what_may_be_somebodys_stays(marked: str, language: str, after: list[str]) -> None:
    assert _after(marked.replace("|", "\t"), language) == after


def test_most_persons_of_a_column_tell_whose_names_they_are() -> None:
    rows = [f"<PATIENT>{name}</PATIENT>\t39\tx\n" for name in ("Roe", "Cole", "Bui")]
    table = "name\tage\tplan\n" + "".join(rows) + "<DOCTOR>Snow</DOCTOR>\t40\ty\n"
    assert "PATIENT:Snow" in _after(table, "en")
    mixed = table + "<DOCTOR>Wood</DOCTOR>\t41\tz\n"
    assert "DOCTOR:Snow" in _after(mixed, "en")


def test_exports_are_parted_by_commas() -> None:
    table = "name,age,mrn,nurse\nFoley,71,880123,zq\nSnow,66,880124,zq\n"
    first = ["PATIENT:Foley", "AGE:71", "MEDICALRECORD:880123", "DOCTOR:zq"]
    second = ["PATIENT:Snow", "AGE:66", "MEDICALRECORD:880124", "DOCTOR:zq"]
    assert _after(table, "en") == first + second
    assert _after("Today:\n" + table + "\nSnow,66,fell,ill\n", "en") == first + second
    assert _after("A nurse, a doctor, a patient\nFoley, Snow, Wood\nHill, Dale, Moor\n", "en") == []
    assert _after("age, nurse, drug\nShe was, at 71, told\nthat, so, it, is\n", "en") == []


def test_keys_of_a_form_tell_of_their_values() -> None:
    line = "Edad: 34   Fecha: 3/4/21   Peso: <EDAD_SUJETO_ASISTENCIA>70</EDAD_SUJETO_ASISTENCIA>\n"
    assert _after(line, "es") == [
        "EDAD_SUJETO_ASISTENCIA:34", "FECHAS:3/4/21", "EDAD_SUJETO_ASISTENCIA:70",
    ]  # fmt: skip
    assert _after("Att: <DOCTOR>Roe</DOCTOR>  Tel: 0207 555 0166\n", "en") == [
        "DOCTOR:Roe", "PHONE:0207 555 0166",
    ]  # fmt: skip
    assert _after("Tel: 0207 555 0166\n", "en") == []
    assert _after("Seen: Hand  Cover: Ring\n", "en") == []


def test_many_rows_take_time_by_their_number() -> None:
    row = "<PATIENT>Cane   54   xx</PATIENT>\n"
    assert len(_after("pt     age  y\n" + row * 2000, "en")) == 6000
    assert _after("age,nurse,x\nage,nurse,y\n" + "a\n" * 20_000, "en") == []
    tables = "name,age,dx\n" + "Foley,71,x\n" * 2 + "\n"
    assert len(_after(tables * 3000, "en")) == 12_000
    assert _after(("age," * 20_000 + "\n") * 3, "en") == []


@pytest.mark.parametrize(
    ("marked", "language", "after"),
    [
        ("tijd   HF   sat  ETCO2\n12.00  70   98   <PHONE_FAX>34</PHONE_FAX>\n"
         "12.15  66   97   <PHONE_FAX>33\n12.30</PHONE_FAX>  64   97   <SSN>312</SSN>\n", "nl", []),
        ("Día  Na    Urea  Osm\n0    116   3,9   <NUMERO_TELEFONO>243</NUMERO_TELEFONO>\n"
         "1    119   3,8   <NUMERO_TELEFONO>249</NUMERO_TELEFONO>\n", "es", []),
        ("           <FECHAS>Feb</FECHAS>   Mar\nHb         9,1   <FECHAS>10-11</FECHAS>\n"
         "Ferritina  <FECHAS>14</FECHAS>    210\nIST        <FECHAS>19</FECHAS>    24\n", "es",
         ["FECHAS:Feb"]),
        # A day that heads a column, telephones behind their key, and whole numbers stay.
        ("           <DATE>14</DATE>    15\nHb         7,3   6,9\nALAT       41    52\n", "nl",
         ["DATE:14"]),
        ("Hb         7,3   6,9\nCRP        41    52\nTel        <PHONE_FAX>5512</PHONE_FAX>  x\n",
         "nl", ["PHONE_FAX:5512"]),
        ("Hb         7,3         6,9\nCRP        41          52\n"
         "huisarts   <PHONE_FAX>0118-440771</PHONE_FAX>  x\n", "nl", ["PHONE_FAX:0118-440771"]),
        ("naam   dienst  nacht\nPost   <PHONE_FAX>312</PHONE_FAX>     "
         "<PHONE_FAX>313</PHONE_FAX>\nDok    <PHONE_FAX>314</PHONE_FAX>     x\n", "nl",
         ["PHONE_FAX:312", "PHONE_FAX:313", "PHONE_FAX:314"]),
    ],
)  # fmt: skip
def test_short_numbers_in_a_table_of_tests_are_values(
    marked: str, language: str, after: list[str]
) -> None:
    assert _after(marked, language) == after
