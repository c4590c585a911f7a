"""Ranges and doses through a day are no dates and numbers; days, codes and numbers stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.sparing.number_runs import RUNS, is_run, may_be_run
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


def _is_one(marked: str, label: str) -> bool:
    text, span = read_braces(marked, label)
    assert label in RUNS
    return may_be_run(text[span.start : span.end], label) and is_run(text, span)


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("diepte {5-6} cm, tempo", "DATE"),
        ("Schema\ncyclus {1-4}: paclitaxel", "DATE"),
        ("cyclus {5-8}, dan", "DATE"),
        ("met GV (Humphrey {24-2}).", "DATE"),
        ("HFA {24-2}: nasale step", "DATE"),
        ("macrogol {1-2} sach, vit D", "DATE"),
        ("verblijf {1-2} nachten", "DATE"),
        ("Ontlasting 6x/dg, Bristol {6-7}.", "DATE"),
        ("NRS {2-3}, na de", "DATE"),
        ("MI graad {2-3}, PAPs", "DATE"),
        ("costafracturen {6-9} li, pneumothorax", "DATE"),
        ("vuurwerkletsel hand, dig {3-4} open", "DATE"),
        ("ery's {5-10}   bact", "DATE"),
        ("WAIS cijferreeksen {7-4}. Toren", "DATE"),
        ("functie {03-04}, schaal 6", "DATE"),
        ("op vaste tijden {7-11}-15-19 u", "DATE"),
        ("125 mg om {8-11-14}-17 u.", "DATE"),
        ("doosje van {07-14-21} u", "DATE"),
        ("kaartje (Trelegy {1-0-0}, salbutamol", "ID"),
        ("furosemide {40-20-0}, kalium", "ID"),
        ("delier, DOS {1-0-2}. Neuro", "ID"),
        ("PCM 1 G            {1-1-1-1}    zetpil", "ID"),
        ("Depakine {500-0-750}, lamotrigine", "ID"),
        ("om {8-12-18} u.", "DATE"),
        ("levodopa 125 mg {1-0-1-0}", "PHONE_FAX"),
        ("Novorapid blijft {8-8-10}.\nVoor", "DATE"),
        ("Schema Fiasp: {12-14-12}", "DATE"),
        ("Insuline: {22-18-20} E", "DATE"),
        ("Calciumacetaat {2-2-2} bij de maaltijd", "DATE"),
        ("Hydrocortison {10-5-5}    Flu", "DATE"),
        ("metoprolol 50 mg {1-1-1} door", "DATE"),
        ("Delierobservatie DOS {2-1-4}. Avond", "DATE"),
        ("EMV {3-5-6}, pup", "DATE"),
        ("Boston {2-3-3}, coecum", "DATE"),
    ],
)
def test_runs_are_spared(marked: str, label: str) -> None:
    assert _is_one(marked, label)
    text, span = read_braces(marked, label)
    assert mend(text, [span], "nl") == ()


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("Geb {2-3-7}", "DATE"),
        ("geb. {2-3-7}, man", "DATE"),
        ("Geboortedatum: {2-3-7}", "DATE"),
        ("Geboren: {3-4-0}", "DATE"),
        ("DOB {2-3-7}", "DATE"),
        ("Datum {2-3-7}", "DATE"),
        ("Datum: {12-5-9}", "DATE"),
        ("Overleden {12-5-9}", "DATE"),
        ("Verslag {12-5-9}", "DATE"),
        ("Gezien {12-5-9} op de poli", "DATE"),
        ("Röntgenkaart {12-5-9}", "DATE"),
        ("Controle insuline: {3-4-19}", "DATE"),
        ("Insuline {12-11-10} gestart", "DATE"),
        ("Insuline schema {12-11-10} gestart", "DATE"),
        ("Insuline nu {12-11-10}", "DATE"),
        ("Fiasp: {12-10-12}", "DATE"),
        ("metoprolol {3-4-9} gestopt", "DATE"),
        ("Metoprolol {3-4-19}", "DATE"),
        ("gestart in april {3-1-2}", "DATE"),
        ("na een week {10-10-5}. Weegt", "DATE"),
        ("hoorde kloppen, {3-4-3}.", "DATE"),
        ("EMV {12-5-9}", "DATE"),
        ("gezien {5-6}, cm gemeten", "DATE"),
        ("cyclus {4-1}: start", "DATE"),
        ("cyclus {1-4}-24 start", "DATE"),
        ("dr. Humphrey {23-2}.", "DATE"),
        ("gezien {24-2}.", "DATE"),
        ("{19-12} E rmo", "DATE"),
        ("{30-6} dagen later", "DATE"),  # the second is less
        ("{6-5} cm gemeten", "DATE"),
        ("tot {5-6} gebeld", "DATE"),
        ("NRS {7-3}, beter", "DATE"),
        ("NRS {2-3}: 4", "DATE"),
        ("NRS {2-3-2024}", "DATE"),
        ("op {6-7-8} april", "DATE"),
        ("3 in dagzh {6-7-8} april", "DATE"),
        ("gestart {8-8-10}.", "DATE"),
        ("Humphrey {24-2}-2024", "DATE"),
        ("alarmcode {3-4-3}", "DATE"),
        ("op {3-4-5} gezien", "DATE"),
        ("insuline sinds {8-8-10}", "DATE"),
        ("perceel {2-2-2}", "ID"),
        ("om {8-11} u.", "DATE"),
        ("om {8-11-34} u.", "DATE"),
        ("Sleutelhuis: {5-0-8-2}. binnen", "ID"),
        ("op de vriezer is {1-9-9-7}, niet", "ID"),
        ("kluiscode {1-0-2}", "ID"),
        ("code van de deur: {1-0-2}", "ID"),
        ("telnr {1-1-1-1}", "PHONE_FAX"),
        ("dossier {40-20-0}", "ID"),
        ("BSN {3-0-1-5-5-9-2-6-8}", "SSN"),
        ("nr A{1-0-2}", "ID"),
        ("lot 12-{1-0-2}", "ID"),
        ("{10-10-15} gestart", "DATE"),
        ("Foto's {3-4} geen afwijkingen", "DATE"),
        ("Op {3-4-12} u en uw partner gezien", "DATE"),
        ("Gebeld {8-9-21} u heeft nog klachten", "DATE"),
        ("Op {8-12-18} u.", "DATE"),
        ("Kamer {3-0-12} op de tweede", "DATE"),
        ("Route {2-0-1}, links", "INTERNAL_LOCATION"),
        ("Polis {12-0-456} bij", "ID"),
        ("Lidmaatschap {123-0-45} bij", "ID"),
        ("bekend als {123-0-456} bij", "ID"),
    ],
)
def test_days_and_numbers_stay(marked: str, label: str) -> None:
    assert not _is_one(marked, label)


def test_other_labels_and_languages() -> None:
    text, span = read_braces("kaartje ({1-0-0})", "AGE")
    assert mend(text, [span], "nl") == (span,)
    text, span = read_braces("diepte {5-6} cm", "DATE")
    assert mend(text, [span], "en") == (span,)
