"""Clinical abbreviations in capitals are spared where they are no names, and nowhere else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon
from scrubjay.synthesis.generation import generate
from scrubjay.taggers._mending.sparing.capitals import find_abbreviations
from tests.oracles.mending import spare_abbreviations

TABLE = find_abbreviations("nl")
assert TABLE is not None


def spare(marked: str) -> list[str]:
    """Return what of the marked mentions stays, in order."""
    document = parse_inline(marked)
    kept = spare_abbreviations(document.text, document.spans, language="nl")
    return [document.text[span.start : span.end] for span in kept]


@pytest.mark.parametrize(
    "text",
    [
        "FA: moeder <NAME>CVA</NAME>, vader <INITIALS>MI</INITIALS>, zus <NAME>DM2</NAME>.",
        "VG: TIA, <INITIALS>PE</INITIALS>, <INITIALS>AP</INITIALS>",
        "DD <INITIALS>PE</INITIALS> / pneu",
        "Tent: DD: pneu, <INITIALS>LE</INITIALS>",
        "VG HT, DM, <INITIALS>LE</INITIALS>\nMed: geen",
        "Voorgeschiedenis: appendectomie, <INITIALS>MI</INITIALS>",
        "zus <NAME>DM</NAME>2 en verder niets",
        "broer <NAME>HVZ</NAME>, zus gezond",
        "moeder heeft <INITIALS>MS</INITIALS>, oma ook",
        "Zoon <NAME>OCD</NAME> en <INITIALS>GTS</INITIALS>",
        "Zoon <NAME>OCD en GTS</NAME> sinds kort",
        "vader <NAME>MI</NAME> op jonge leeftijd",
        "vader overleden aan <NAME>ALS</NAME>, broer gezond",
        "opa mz <NAME>CVA</NAME>, oma vz <NAME>DM</NAME>, verder geen",
        "vader <NAME>IBD</NAME>/<INITIALS>PSC</INITIALS>, moeder <NAME>SLE</NAME>",
        "FA bel. voor <ORGANIZATION_COMPANY>HVZ</ORGANIZATION_COMPANY> (vader <NAME>AMI</NAME>)",
        "bekend met <HOSPITAL>COPD</HOSPITAL> sinds jaren",
        "via <HOSPITAL>SEH</HOSPITAL> naar huis",
        "moeder (<NAME>COPD</NAME>) belt",
        "moeder CVA, vader † <INITIALS>MI</INITIALS>",
        "FA\n- moeder CVA\n- vader <NAME>MI</NAME>\n- broer gezond",
        "man is bekend met <INITIALS>MS</INITIALS>",
        "haar man <NAME>COPD GOLD III</NAME>, slaapt beneden",
        "tante <NAME>BORSTKANKER</NAME>, oma <NAME>DEMENTIE</NAME>",
        "dhr. Prins - verdenking <INITIALS>LE</INITIALS>.",
        "Verdenking op <INITIALS>PE</INITIALS>, CTPA volgt",
        "CT: geen <INITIALS>LE</INITIALS>",
        "geen <NAME>DVT</NAME> of <INITIALS>LE</INITIALS> gezien",
        "pt bekend met <INITIALS>MS</INITIALS> sinds jaren",
        "beeld van <INITIALS>SAB</INITIALS>, naar de IC",
    ],
)
def test_abbreviations_of_diseases_are_spared(text: str) -> None:
    assert spare(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "dochter <NAME>MARIEKE</NAME> gebeld",  # not listed
        "zus <NAME>JO</NAME> brengt kleding",
        "dochter <NAME>TIA</NAME> belt terug",  # a first name, and nothing tells of a disease
        "zus <NAME>AMI</NAME> komt zaterdag",
        "zoon <NAME>MI</NAME> gesproken",
        "gezien door <INITIALS>CVA</INITIALS> en naar huis",  # may be C. van A.
        "paraaf <INITIALS>MS</INITIALS>, morgen verder",
        "overleg met <NAME>AF</NAME> gehad",  # no relative
        "MOEDER <NAME>CVA</NAME> GEHAD, VADER <NAME>MI</NAME>",  # all in capitals
        "mw <NAME>ADL</NAME> afhankelijk",  # a title
        "VG: TIA. Gezien door <INITIALS>PE</INITIALS>",
        "VG: TIA, gezien door <INITIALS>PE</INITIALS>",
        "VG: TIA, <INITIALS>PE</INITIALS> Jansen",
        "VG: TIA\n<INITIALS>PE</INITIALS>",
        "overleg DD <INITIALS>MS</INITIALS>",
        "FA: moeder CVA\n\nzoon <NAME>MI</NAME> belt",  # another paragraph
        "vadermoeder<NAME>MI</NAME> belt",
        "dhr. <NAME>CVA</NAME> belde",
        "vader <NAME>AF</NAME> Jansen belde",  # a surname follows
        "moeder <INITIALS>M.S.</INITIALS> belt",
        "<NAME>CVA-Jansen</NAME> belt",
        "<HOSPITAL>SEH</HOSPITAL> 4 is vol",
        "<INTERNAL_LOCATION>SEH</INTERNAL_LOCATION> kamer 3 is vol",
        "zus <NAME>Cva</NAME> belt",
        "moeder <DATE>CVA</DATE>",
        "geen <INITIALS>PE</INITIALS> Jansen gezien",  # a surname follows
        "overleg ivm verdenking met <INITIALS>MS</INITIALS>",
        "patient is bekend bij <INITIALS>MS</INITIALS>, poli",
        "opgenomen ivm <INITIALS>LE</INITIALS>, morgen naar huis",  # nothing tells it for sure
        "morgen <INITIALS>LE</INITIALS> bellen",
        "verdenking longembolie. <INITIALS>LE</INITIALS> gezien",
        "gezien door <INITIALS>LE</INITIALS>, verdenking op DVT",
    ],
)
def test_what_could_be_a_name_stays(text: str) -> None:
    assert len(spare(text)) == text.count("</")


def test_no_other_language_loses_anything() -> None:
    spans = [Span(7, 10, "NAME")]
    assert list(spare_abbreviations("moeder CVA, vader", spans, language="fr")) == spans
    assert find_abbreviations("fr") is None


def test_the_lists_are_of_capitals_and_each_stands_in_one() -> None:
    assert all(re.fullmatch(r"[A-Z]+\d?[A-Z]?", word) for word in TABLE.findings | TABLE.others)
    assert TABLE.findings.isdisjoint(TABLE.others)


def test_names_of_lists_are_doubtful() -> None:
    names = {word for word in TABLE.findings if word.lower() in find_lexicon("world.first-names")}
    assert names
    assert names <= TABLE.doubtful
    assert {word for word in TABLE.findings if len(word) == 2} <= TABLE.doubtful


def test_no_name_of_synthetic_notes_is_spared() -> None:
    for note in generate("nl", 300, 77):
        names = [span for span in note.spans if span.label in ("NAME", "INITIALS")]
        assert list(spare_abbreviations(note.text, names, language="nl")) == names


WORDS = st.sampled_from([
    "moeder", "Vader", "CVA", "MI", "MS", "TIA", "heeft", "had", "FA:", "fam", "Ans", "JO", ",",
    ".", "/", "en", "(", ")", "mw", "dhr.", "2", "DM", "-", "\n", "  ", "BEL", "COPD",
])  # fmt: skip


@given(st.lists(st.tuples(WORDS, st.booleans(), st.booleans()), max_size=20))
def test_of_any_text_only_listed_abbreviations_go(parts: list[tuple[str, bool, bool]]) -> None:
    text, spans = "", []
    for word, is_marked, is_spaced in parts:
        if is_marked:
            spans.append(Span(len(text), len(text) + len(word), "NAME"))
        text += word + (" " if is_spaced else "")
    kept = list(spare_abbreviations(text, spans, language="nl"))
    assert [span for span in spans if span in kept] == kept
    for span in set(spans) - set(kept):
        assert (
            TABLE.findings | TABLE.others >= {text[span.start : span.end]} or text[span.end] == "2"
        )
