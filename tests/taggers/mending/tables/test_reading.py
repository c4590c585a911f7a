"""What columns hold is found in the cells that lack it, and nowhere else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.tables.reading import SOURCE, read_tables
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import PIECES

D, P = "DOCTOR", "PATIENT"
STAFF, SUBJECT, KIN = (
    "NOMBRE_PERSONAL_SANITARIO",
    "NOMBRE_SUJETO_ASISTENCIA",
    "FAMILIARES_SUJETO_ASISTENCIA",
)


def _changes(marked: str, language: str) -> list[str]:
    """Return what is found besides, label and mention, and what is let go or relabelled."""
    document = parse_inline(marked)
    text, before = document.text, document.spans
    after = read_tables(text, before, language)
    assert list(after) == sorted(after, key=lambda span: span.start)
    assert all(a.end <= b.start for a, b in pairwise(after))
    assert {span.source for span in after if span not in before} <= {SOURCE, ""} | {
        span.source for span in before
    }
    come = [f"+{s.label}:{text[s.start : s.end]}" for s in after if s not in before]
    gone = [f"-{s.label}:{text[s.start : s.end]}" for s in before if s not in after]
    return come + gone


def test_names_that_are_words_stand_in_a_column_of_names() -> None:
    marked = (
        "bed|pt|age|dx\n1|<PATIENT>Bui</PATIENT>|39|DKA\n2|Foley|58|UGIB, Foley out\n"
        "3|empty||\n4|Snow, D|83|CHF\n5|hold for ED|-|\n6|<PATIENT>Noor</PATIENT>|<AGE>71</AGE>|SBO"
    )
    assert _changes(marked, "en") == [
        "+AGE:39", "+PATIENT:Foley", "+AGE:58", "+PATIENT:Snow, D", "+AGE:83",
    ]  # fmt: skip


def test_names_in_most_cells_tell_of_a_column_without_a_heading() -> None:
    marked = (
        "0900 | <PATIENT>Todd, A</PATIENT> | R12\n0930 | <PATIENT>Ambur</PATIENT> | 1st fit\n"
        "1000 | Wilder | tel\n1030 | break | -\n1100 | DNA | -\n1130 | <PATIENT>Oke</PATIENT> | VNS"
    )
    assert _changes(marked, "en") == ["+PATIENT:Wilder"]
    assert (
        _changes(
            marked.replace("Oke</PATIENT>", "is</PATIENT> late").replace(
                "<PATIENT>Ambur</PATIENT>", "Mum"
            ),
            "en",
        )
        == []
    )


@pytest.mark.parametrize(
    ("marked", "language", "label"),
    [
        ("TIME|BP|INIT\n1105|168/90|tl\n1135|150/82|tl\n1205|122/70|JK\n", "en", D),
        ("Item   Y/N   Init\nband   Y     tl\nDOB    N     tl\nETT    Y     JK\n", "en", D),
        ("dag\tpols\tpar\n1\t80\ttl\n2\t84\ttl\n3\t96\tJK\n", "nl", "INITIALS"),
        ("dosis|hora|firma\n40 mg|8|tl\n20 mg|9|tl\n1 g|10|JK\n", "es", STAFF),
        ("pedigree|y|2/11|tl\nconsent|y|3/11|tl\nrecords|n|3/11|tl\nscan|n|4/11|JK", "en", D),
    ],
)
def test_initials_sign_the_rows(marked: str, language: str, label: str) -> None:
    found = _changes(marked, language)
    assert found[-3:] == [f"+{label}:tl", f"+{label}:tl", f"+{label}:JK"]


def test_initials_of_a_table_are_found_in_the_rest_of_the_text() -> None:
    table = "item|done|init\nband|y|zq\nETT|y|zq\nCVC|y|or\n"
    found = _changes(f"Lead zq, relief XZQ, zq-4, zQ.\n{table}\nTheatre or ward, told zq.", "en")
    assert found == [*["+DOCTOR:zq"] * 3, "+DOCTOR:or", "+DOCTOR:zq"]


def test_parts_of_a_cell_are_persons_each() -> None:
    marked = (
        "item|who|nurse\na|x|<DOCTOR>dp</DOCTOR>/tg\nb|x|<DOCTOR>dp</DOCTOR>/tg\nc|x|Sr. Alka\n"
    )
    assert _changes(marked, "en") == ["+DOCTOR:tg", "+DOCTOR:tg", "+DOCTOR:Alka"]


def test_a_row_of_signatures() -> None:
    marked = (
        "        08h     14h     20h\nTA      130/70  120/75  110/60\nFC      88      92      104\n"
    )
    marked += "Firma   MJ      MJ      Toro\n"
    assert _changes(marked, "es") == [f"+{STAFF}:MJ", f"+{STAFF}:MJ", f"+{STAFF}:Toro"]


@pytest.mark.parametrize(
    ("marked", "language", "found"),
    [
        ("name|age|bp\nx|54|1\ny|8/12|1\nz|-|1\nw|33 y|1", "en", ["+AGE:54", "+AGE:8", "+AGE:33"]),
        ("naam|lft|opm\na|54 jr|-\nb|8 mnd|-\n", "nl", ["+AGE:54 jr", "+AGE:8 mnd"]),
        ("name|ext|bleep\na|4410|x\nb|4411|n/a\nc|-|-\n", "en", ["+PHONE:4410", "+PHONE:4411"]),
        ("date|drug|bp\n<DATE>17/5</DATE>|a|1\n18/5|b|1\n19/5|c|-\n",
         "en", ["+DATE:18/5", "+DATE:19/5"]),
        ("<INTERNAL_LOCATION>K12</INTERNAL_LOCATION>|a|b\n"
         "<INTERNAL_LOCATION>K14</INTERNAL_LOCATION>|a|b\n"
         "K15|a|b\n7|a|b\n", "nl", ["+INTERNAL_LOCATION:K15"]),
    ],
)  # fmt: skip
def test_numbers_are_what_their_column_holds(marked: str, language: str, found: list[str]) -> None:
    assert _changes(marked, language) == found


def test_a_heading_tells_whose_name_it_is() -> None:
    marked = "pac.|firma tutor|cir\n"
    marked += f"<{STAFF}>Gil</{STAFF}>|<{STAFF}>Paz</{STAFF}>|<{SUBJECT}>Sol</{SUBJECT}>\n"
    marked += f"<{SUBJECT}>Mar</{SUBJECT}>|<{KIN}>madre</{KIN}>|<{KIN}>tía</{KIN}>\n"
    assert _changes(marked, "es") == [
        f"+{SUBJECT}:Gil", f"+{KIN}:Paz", f"+{STAFF}:Sol",
        f"-{STAFF}:Gil", f"-{STAFF}:Paz", f"-{SUBJECT}:Sol",
    ]  # fmt: skip


def test_who_is_on_duty_stands_below_days_of_the_week() -> None:
    marked = "   |MON|TUE|WED\nduty|<DOCTOR>ELH</DOCTOR>|<DOCTOR>Nasreen</DOCTOR>|ELH\n"
    marked += "am|BOD NK|BOD|--\npm|NK|OOH|Merly\n"
    assert _changes(marked, "en") == [
        "+DOCTOR:ELH", "+DOCTOR:BOD", "+DOCTOR:NK", "+DOCTOR:BOD", "+DOCTOR:NK", "+DOCTOR:Merly",
    ]  # fmt: skip
    marked = "  |ma|di|wo|do\nlevodopa 8u|rt|rt|OD|OD\nmacrogol|rt|W|OD|mz\noxazepam|-|-|mz|-\n"
    assert _changes(marked, "nl") == [
        *["+INITIALS:rt"] * 2, *["+INITIALS:OD"] * 2, "+INITIALS:rt", "+INITIALS:OD",
        *["+INITIALS:mz"] * 2,
    ]  # fmt: skip


def test_initials_beside_ages_are_patients() -> None:
    marked = (
        "no|init|age|sex\n1|<PATIENT>TMc</PATIENT>|34|F\n2|<PATIENT>JJ</PATIENT>|5|M\n3|HV|91|M\n"
    )
    assert _changes(marked, "en") == ["+AGE:34", "+AGE:5", "+PATIENT:HV", "+AGE:91"]


def test_numbers_in_a_column_of_doses_are_no_dates() -> None:
    marked = "drug|dose|start\n"
    marked += "A|<DATE>1/2</DATE>|<DATE>3/4</DATE>\nB|2 of <DATE>3/4</DATE>|<DATE>5/6</DATE>\n"
    assert _changes(marked, "en") == ["-DATE:1/2"]
    marked = "initialen|HbA1c|opm\n<INITIALS>A.H.</INITIALS>|<AGE>53</AGE>|-\nJ.B.|81|-\n"
    assert _changes(marked, "nl") == ["+INITIALS:J.B.", "-AGE:53"]
    marked = "sex/age|nr|dx\n<DATE>M/63</DATE>|<DATE>01</DATE>|a\n"
    marked += "<DATE>F/58</DATE>|<DATE>02</DATE>|b\n"
    assert _changes(marked, "en") == [
        "+AGE:63", "+AGE:58", "-DATE:M/63", "-DATE:01", "-DATE:F/58", "-DATE:02",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        # Vital signs, drugs, results, lists to tick.
        ("TIME  BP      HR   RR  SAT\n2319  82/40   138  32  88\n"
         "2324  90/54   130  14  96\n2331  104/60  118  14  98", "en"),
        ("drug|dose|route|freq\nIV Foley|40 mg|SC|od\nLasix|20 mg|PO|bd\n"
         "Frisium|10 mg|PO|bd\n", "en"),
        ("test|result|unit|ref\nHb|9.8|g/dL|12-15\nWidal|neg||\nCr|1.3|mg/dL|0.6-1.1\n", "en"),
        ("chlorine|Y|ok\nRO alarm|Y|ok\nfoot check|N|ok\n", "en"),
        ("a|b|PO\nc|d|PO\ne|f|IV\ng|h|PO\n", "en"),
        ("Hb|9|mg\nCr|8|dl\nCa|7|mg\nPh|7|dl\n", "en"),
        ("item|nurse\nband|n/a\nETT|agency\nCVC|none\nline|off sick\n", "en"),
        ("oog|middel|oog\nOD|dexa|OD\nOS|dexa|OD\nOD|dexa|OS\n", "nl"),
        ("cama|dx|dieta\n1|Crohn|basal\n2|Addison|túrmix\n3|Graves|basal\n", "es"),
        # Forms, whose second column holds whatever its keys say.
        ("Patient:  <PATIENT>Gil</PATIENT>\nSurgeon:  <DOCTOR>Paz</DOCTOR>\n"
         "Anesthesia:  General\nRef:  <DOCTOR>Oz</DOCTOR>\n", "en"),
        ("Name  <PATIENT>Gil</PATIENT>  DOB  <DATE>3/4/60</DATE>\n"
         "Height  5'11  Weight  268\nStudy  19  Tech  Smith\n", "en"),
            ("| Patient | <PATIENT>Gil</PATIENT> |\n| Sex | M |\n| DOB | <DATE>1/1/60</DATE> |\n"
             "| Attending | <DOCTOR>Paz, MD</DOCTOR> |\n| Insurance | Health |\n"
             "| Guardian | <PATIENT>Rachel</PATIENT> |\n", "en"),
        # Care and plans by days of the week.
        ("   |Mon|Tue|Wed\nbath|pc|-|pc\nlinen|pc|-|-\nlotion|pc|pc|pc\n", "en"),
        ("   |Mon|Tue|Wed\nam|Legs|Rest|Arms\npm|Walk|Rest|Swim\neve|Pasta|Soup|Fish\n", "en"),
        # A heading that nothing is known of.
        ("Betrokkene|zaak|x\n<NAME>Alwin</NAME>|1|a\n<NAME>Kwame</NAME>|2|b\n", "nl"),
        ("initialen|waarde x|opm\n<INITIALS>A.H.</INITIALS>|<AGE>53</AGE>|-\n"
         "<INITIALS>J.B.</INITIALS>|<AGE>81</AGE>|-\n<INITIALS>M.O.</INITIALS>|61|-\n", "nl"),
        ("<NAME>An</NAME> | b | c\n<NAME>Bo</NAME> | b | c\nRust | b | c\nKoorts | b | c\n", "nl"),
    ],
)  # fmt: skip
def test_what_columns_do_not_tell(marked: str, language: str) -> None:
    assert _changes(marked, language) == []


def test_labels_that_a_model_lacks_are_not_given() -> None:
    text = "name|age|init\nx|54|zq\ny|33|zq\n"
    assert read_tables(text, (), "en", frozenset(["AGE"])) != ()
    assert {span.label for span in read_tables(text, (), "en", frozenset(["AGE"]))} == {"AGE"}
    assert read_tables(text, (), "de") == ()
    assert mend(text, (), "en") == read_tables(text, (), "en") != ()


@given(st.lists(st.lists(PIECES, max_size=4), max_size=12), st.sampled_from(["en", "nl", "es"]))
def test_what_is_found_lies_within_cells(lines: list[list[str]], language: str) -> None:
    text = "\n".join(" | ".join(line) for line in lines)
    for span in read_tables(text, (), language):
        assert text[span.start : span.end].strip() == text[span.start : span.end] != ""
        assert "\n" not in text[span.start : span.end]


def test_large_tables_take_time_by_their_length() -> None:
    text = "name|age|init\n" + "Foley|54|zq\n" * 5000
    assert len(read_tables(text, (), "en")) == 15_000
    many = "name|age|init\nFoley|54|zq\nSnow|33|zq\n\n" * 1500
    assert len(read_tables(many, (), "en")) == 9000


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("time|given\n3|NS\n4|LR\n5|PRBC\n", "en"),
        ("time|initial\n3|VF\n4|PEA\n5|<DOCTOR>SR</DOCTOR>\n", "en"),
        ("drug|sig\nLasix|QD\nSeroquel|QHS\nColace|BID\n", "en"),
        ("8  97%  RA\n9  95%  NC\n10  93%  FM\n11  96%  RA\n\nOn RA, NC at night.\n", "en"),
        ("nr|par\n2|II\n4|III\n5|IV\n", "nl"),
        ("hora|adm\n2|VO\n4|SC\n5|VO\n", "es"),
    ],
)
def test_rhythms_fluids_and_routes_are_no_initials(marked: str, language: str) -> None:
    assert _changes(marked.replace("|", "\t"), language) == []


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("day|nurse|physio\n1|Turned|Chest\n2|Washed|Walk\n3|Fed|Stairs\n", "en"),
        ("limb|circ|temp\nRA|Good|36\nLA|Fair|36\nRL|Poor|36\n", "en"),
        ("dag|fysio|ergo\n1|Mobiliseren|Douchen\n2|Trap|Koken\n3|Fietsen|Slik\n", "nl"),
        ("med|dosis|hora\nParacetamol|1 g|8\nEnoxaparina|40 mg|9\nOmeprazol|20 mg|7\n", "es"),
        ("toma|dosis|hora\nDesayuno|1 g|8\nComida|1 g|9\nCena|2 g|7\n", "es"),
        (
            "Comida|lunes|martes|jueves\nCena|Pan|Fruta|<NOMBRE_PERSONAL_SANITARIO>Luz"
            "</NOMBRE_PERSONAL_SANITARIO>\nOtra|<NOMBRE_PERSONAL_SANITARIO>Sol"
            "</NOMBRE_PERSONAL_SANITARIO>|Sopa|Pollo\n",
            "es",
        ),
    ],
)
def test_answers_below_who_does_it_are_no_names(marked: str, language: str) -> None:
    assert _changes(marked.replace("|", "\t"), language) == []


@pytest.mark.parametrize(
    ("marked", "language", "found"),
    [
        ("drug|nurse\n1|Snow\n2|Wood\n3|Washed\n", "en", ["+DOCTOR:Snow", "+DOCTOR:Wood"]),
        ("dag|fysio\n1|Bos\n2|Vos\n3|Trap\n", "nl", ["+NAME:Bos", "+NAME:Vos", "+NAME:Trap"]),
        (
            "turno|enf\nMañana|Campos\nTarde|Luna\nNoche|Cena\n",
            "es",
            [f"+{STAFF}:Campos", f"+{STAFF}:Luna", f"+{STAFF}:Cena"],
        ),
        ("naam|lft\nROOY-PEL|?\nZUNDERMAN|?\n", "nl", ["+NAME:ROOY-PEL", "+NAME:ZUNDERMAN"]),
        ("time|sign\n3|AF\n4|NS\n5|LR\n", "en", [f"+{D}:AF", f"+{D}:NS", f"+{D}:LR"]),
        ("hora|enf\n3|Huamaní\n4|Ñahuin\n", "es", [f"+{STAFF}:Huamaní", f"+{STAFF}:Ñahuin"]),
        ("time|sign\n3|NS\n4|JK\n5|DW\n", "en", [f"+{D}:NS", f"+{D}:JK", f"+{D}:DW"]),
    ],
)
def test_names_and_initials_that_are_words_stand_below_who_does_it(
    marked: str, language: str, found: list[str]
) -> None:
    assert [
        one for one in _changes(marked.replace("|", "\t"), language) if "Washed" not in one
    ] == found


def test_days_and_telephones_stay_in_columns_of_values() -> None:
    marked = (
        "ward|in|out\nA1|<DATE>3/4/19</DATE>|<DATE>7/4</DATE>\nB2|<DATE>7 Apr</DATE>|9\n"
        "test|result|no\ntaken|<DATE>12/03/2019</DATE>|<PHONE>07700 900123</PHONE>\n"
        "DOB|<DATE>1956</DATE>|<PHONE>020 7946 0011</PHONE>\n"
    )
    assert _changes(marked.replace("|", "\t"), "en") == []
    marked = "|item|value|\n|age|<AGE>78</AGE>|\n|GCS|<AGE>15</AGE>|\n|BP|<DATE>120/80</DATE>|\n"
    assert _changes(marked.replace("|", "\t"), "en") == ["-AGE:15", "-DATE:120/80"]
    marked = "test|result|no\nBP|<DATE>120/80</DATE>|<DATE>3</DATE>\nVAS|<DATE>3/10</DATE>|4\n"
    assert _changes(marked.replace("|", "\t"), "en") == ["-DATE:120/80", "-DATE:3", "-DATE:3/10"]


@pytest.mark.parametrize(
    ("head", "language", "label"),
    [("ext", "en", "PHONE"), ("int", "es", "NUMERO_TELEFONO"), ("toestel", "nl", "PHONE_FAX")],
)
def test_angles_and_counts_are_no_telephones(head: str, language: str, label: str) -> None:
    head = f"no\t{head}\n"
    assert _changes(head + "1\t120\n2\t180\n3\t95\n", language) == []
    found = [f"+{label}:4412", f"+{label}:9913"]
    assert _changes(head + "1\t4412\n2\t9913\n3\t-\n", language) == found


def test_extensions_stay_below_no_and_times_do_not() -> None:
    marked = "who\tno\nKaur\t<PHONE>4412</PHONE>\nPell\t<PHONE>1145</PHONE>\nNoor\t9913\n"
    assert not [one for one in _changes(marked, "en") if "PHONE" in one]
    marked = "bp\ttime\n120\t<PHONE>0812</PHONE>\n118\t<PHONE>1145</PHONE>\n110\t2350\n"
    assert _changes(marked, "en") == ["-PHONE:0812", "-PHONE:1145"]


def test_k_is_a_room_beside_patients_and_potassium_beside_sodium() -> None:
    marked = "datum\tNa\tK\tbili\n<DATE>3/4</DATE>\t138\t4\t5\n<DATE>4/4</DATE>\t140\t5\t6\n"
    assert _changes(marked, "nl") == []
    marked = "k\tpt\tlft\n4\tVos\t78\n5\tBos\t81\n6\tKok\t66\n"
    rooms = [one for one in _changes(marked, "nl") if "LOCATION" in one]
    assert rooms == [f"+INTERNAL_LOCATION:{number}" for number in "456"]


def test_who_signs_in_is_staff_for_a_model_without_such_a_label() -> None:
    (span,) = read_tables("user=jolabarri rol=MED", (), "es", {STAFF})
    assert (span.start, span.end, span.label) == (5, 14, STAFF)


@pytest.mark.parametrize(
    ("language", "marked", "expected"),
    [
        ("en", '{"attending":"kmoriarty", "orderedBy": "Ann Lee"}',
         ["+USERNAME:kmoriarty", "+DOCTOR:Ann Lee"]),
        ("en", "t=08:01 user=jdoe created_by='rlee7' ok", ["+USERNAME:jdoe", "+USERNAME:rlee7"]),
        ("en", "&lt;ns:author x='1'>Hala Roe&lt;/ns:author> &lt;by>nwosu_ad&lt;/by>",
         ["+DOCTOR:Hala Roe", "+USERNAME:nwosu_ad"]),
        ("en", '"author": "<PATIENT>Ann Lee</PATIENT>"', ["+DOCTOR:Ann Lee", "-PATIENT:Ann Lee"]),
        ("en", "&lt;facility>Al Waha Hospital&lt;/facility>", ["+HOSPITAL:Al Waha Hospital"]),
        ("nl", '{"naam":"Anouar"} modified_by=htheelen', ["+NAME:Anouar", "+ID:htheelen"]),
        ("es", f'"usr": "<{STAFF}>rmachado</{STAFF}>"',
         ["+ID_EMPLEO_PERSONAL_SANITARIO:rmachado", f"-{STAFF}:rmachado"]),
        ("es", '"family": "Rey", "given": ["Luz", "Flor"]',
         [f"+{SUBJECT}:Rey", f"+{SUBJECT}:Luz", f"+{SUBJECT}:Flor"]),
        ("nl", '{"family":"Bos","given":["Anna","Els"]}',
         ["+NAME:Bos", "+NAME:Anna", "+NAME:Els"]),
        ("es", '"nombre": "Hierro", "nombre": "Muestra", "given": "oral"', []),
        ("en", "author=unknown by=mouth user=admin nurse=no attending=n/a", []),
        ("en", "T=37.2 p=0.05 cell=5000 pt=12 status=final BP=120/80 name=Metformin", []),
        ("nl", "K=3.1 k='12' Na=140", []),
        ("en", 'name="Apgar1" name="rituximab"', []),
        ("en", '"name":"Hemoglobin","display":"Ann Lee","route":"oral","by":"mouth"', []),
        ("en", "the user = jdoe, &lt;b>author&lt;/b> and a &lt;td>Ann Lee&lt;/td>", []),
    ],
)  # fmt: skip
def test_keys_of_machines_tell_of_their_values(
    language: str, marked: str, expected: list[str]
) -> None:
    assert _changes(marked, language) == expected
