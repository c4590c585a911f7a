"""Parts of a whole are no dates, and days of a month stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.sparing.shares import is_share, may_be_share
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


def _is_spared(marked: str, label: str = "DATE") -> bool:
    text, span = read_braces(marked, label)
    is_one = may_be_share(text[span.start : span.end]) and is_share(text, span)
    assert mend(text, [span], "nl") == (() if is_one else (span,))
    return is_one


@pytest.mark.parametrize(
    "marked",
    [
        "Plast in bed {4/7} nachten",
        "(nu: {4/7} dagen)",
        "eet nog {3/4} van een bord",
        "{3/4} van de keren gaat het om eten",
        "cocaïne {6/7} criteria",
        "score: {2/5} domeinen",
        "STRATIFY {3/5}, TUG 22 sec",
        "valhand, MRC pols {1/5}, vingers",
        "MRC pols 1/5, vingers {1/5}, Tinel",
        "kloktekenen {3/5}, FAB",
        "hemiparese re {3/5}.",
        "10 g monofilament {2/6}. HbA1c",
        "monofilament re hallux {2/3}, pulsaties",
        "stemvork volgens Rydel-Seiffer {3/8} en 4/8",
        "stemvork volgens Rydel-Seiffer 3/8 en {4/8}.",
        "fonologie 10/24, syntaxis {11/24};",
        "HCR-20: historisch 17/20, klinisch {4/10} (vorig jaar 7)",
        "is HLA {10/10}, donor",
        "clavicula midden {1/3}, verplaatst",
        "Pupillen {2/2}. CAM-ICU",
        "geboren, Apgar {8/9/10}, 3890 gram",
        "GG 3640 g. AS {9/10/10}. pH",
        "bellen met het consultatieteam {24/7}. Arts",
        "gevoel {3/4} plaatsen goed",
        "kracht abd {4/5} door pijn",
        "kracht heupbuigers {3/5} bdz",
        "knijpkracht {6/9} kg. Potten",
        "Waddell {2/5}.",
        "Biopten {3/12} positief",
        "NPI: apathie {8/12}, agitatie",
        "NPI: apathie 8/12, agitatie {2/12}.",
        "Spasticiteit MAS {2/4} kuit",
        "sputum {1/1} gramneg staven",
        "hoofdligging {3/5}. Hb",
        "Budapest positief op {4/4}.",
        "Bloedkweek {2/2} idem.",
        "bloedkweek {2/2} pos Gram-pos kokken",
        "eet slecht, brood {1/2} laten staan",
        "{3/4} vragen goed",
        "ref. 443; {24/7} op 0596-77 04",
        "begrip {2/2}, waardering 2/2",
        "begrip 2/2, waardering {2/2}, redeneren 2/2",
        "oriëntatie {3/3}. Stemming",
        "Stemmen 6/10, vorige maand {8/10}.",
        "zakt van NRS 9/10 naar {3/10} in",
        "drinkt {2/3}, geen AB",
        "warm eten 1/4 tot {1/2} bord",
        "verwijderd na {1/2} carpule",
        "Kweken: bloed {2/2} E. coli",
        "enkelvoudige opdracht 4/5 goed, dubbele {1/5}.",
        "EDIZ bij mevrouw {7/9}, overbelast",
        "ergotherapie {9/10} sessies",
        "tazobactam dag {4/7}.",
        "huid Monocryl {4/0}",
        "uitgesteld {0/5}).",
        "Controle over {3/12}",
        "ER {8/8} Allred, PR 5/8",
        "1 vaste bedtijd, gelukt {4/7}. 2",
        "kracht heupflexie {4/5}, voet",
        "Ernst: {2/5}. Herhaling",
        "ernst {7/10}, vorige",
        "ontbijt {1/2}  09.10 fysio",
        "pijn NRS 7/10, spanning {3/10} met oefening",
    ],
)
def test_shares_are_spared(marked: str) -> None:
    assert _is_spared(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "op {4/7} nachten slecht",
        "sinds {3/5} dagen ziek",
        "ma {3/4} van de trap gevallen",
        "{3/4} van de trap gevallen",
        "opname {3/4} van een val",
        "poli {4/5} goed",
        "poli {3/5}, kracht goed",
        "MRC op {1/5} bepaald",
        "MRC {1/6} bepaald",  # another whole
        "MRC pols 1/5, vingers {1/6}",
        "MRC pols 1/5. Poli {2/5}",
        "foto 1/5, vingers {1/5}",
        "klinisch {4/10/2024}",
        "klinisch {4/10}-2024",
        "klinisch {4/10}/24",
        "klinisch {4/10} opgenomen",
        "adenoïd {3/4} verwijderd",
        "klinisch {12/10}",
        "geboren {8/9/10}, 3890 gram",
        "Apgar {8/11/10}, controle",
        "huisarts Plasmans {24/7}: trommelvlies",
        "besproken in team {24/7}. Akkoord",
        "amputatie onderbeen {4/5}. revalideert",
        "OK {8/9} plaatsen stent",
        "Gesprek {3/4} vragen over medicatie",
        "Afspraak {24/7} via telefoon",
        "bereikbaar op {24/7} via tel. 0612",
        "Risicotaxatie {7/10} afgenomen",
        "waardering op {2/2} getoetst",
        "orientatiedag {3/3}",
        "naar {3/10} verzet",
        "NRS 9/10. Poli {3/10}",
        "ma {1/2} uur eerder",
        "op {1/2} bord gebroken",
        "drinkt sinds {2/3} weer",
        "bloed {2/2} geprikt",
        "kweken {2/2} afgenomen",
        "dag {4/7}: wakker",
        "Gesprek over {3/12}",
        "gebeld over {6/12}",
        "over {5/12} gepraat",
        "er {3/8} geweest",
        "OK gelukt {4/7}",
        "kracht sinds {4/5} minder",
        "op {9/10} sessies gestart",
        "kracht getest {3/5}, beter",
        "sputum {1/1} ingeleverd",
        "biopten op {3/12} genomen",
        "gesprek over agitatie {2/12}",
        "kracht op {4/5} bepaald",
        "bloedkweek {2/2} afgenomen",
        "op {6/9} kg gewogen",
        "terug uit Budapest op {4/4}.",
        "brood besteld {1/2}",
        "Ernst {5/10} gebeld",
        "Ernst {5/10}.",
        "Ernst {2/5} op bezoek",
        "Lunch {3/4} met dochter",
        "lunch {3/4}",
        "Ontbijt {1/2} met zoon",
        "laatste dag {6/7}",
        "drinkt {1/2} weer",
        "vrije dag {4/7}",
        "kleine dag {4/7}.",
        "Stemmen {3/10} voor het eerst",
        "stemmen {3/10} gehoord",
        "spanning {3/10} met Anna",
    ],
)
def test_days_stay(marked: str) -> None:
    text, span = read_braces(marked, "DATE")
    assert not (may_be_share(text[span.start : span.end]) and is_share(text, span))


def test_other_labels_and_languages() -> None:
    text, span = read_braces("Plast in bed {4/7} nachten", "ID")
    assert mend(text, [span], "nl") == (span,)
    text, span = read_braces("Plast in bed {4/7} nachten", "DATE")
    assert mend(text, [span], "en") == (span,)
