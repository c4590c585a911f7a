"""Names that are terms elsewhere stay where a person or a body stands, and terms go as before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Span
from scrubjay.taggers._mending.sparing.called_there import is_called_there
from scrubjay.taggers.mending import mend


def _marked(marked: str, label: str) -> tuple[str, Span]:
    start, end = marked.index("[["), marked.index("]]") - 2
    return marked.replace("[[", "").replace("]]", ""), Span(start, end, label, score=0.6)


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("mist haar zus [[Cor]] (overleden juli)", True),
        ("Geld is op. [[Cor]] van het loket komt", True),
        ("gelast met zwager [[Ap]]. Vraagt of dat mag", True),
        ("Pleegkind: [[Senna]] (4). Pleegouders", True),
        ("in spreekkamer Wad. [[Senna]] rende naar haar toe", True),
        ("door iedereen [[Tavi]] genoemd, werd", True),
        ("broodtrommel. [[Lies]] komt om 15 u", True),
        ("k11 [[Been]], pijn aan het been re", True),
        ("mw [[Kuit]]: sat 84, O2 naar 3 l", True),
        ("Mevr. [[Hart]] wil naar huis", True),
        ("sat 96%. [[Cor]]: geen souffles", False),
        ("sat 95%. [[Cor]] s1s2, souffle 2/6 apex", False),
        ("[[Cor]]/pulm gb", False),
        ("Kernig negatief. [[Cor]] en longen normaal", False),
        ("poli 9/1. [[Lies]] re 2x2 cm hematoom", False),
        ("POP-Q C -6 [[Ap]] 0 Bp 0", False),
        ("laxantia: [[Senna]] 12 mg a.n.", False),
        ("start 2 dd [[Senna]] bij obstipatie", False),
        ("[[Senna]] zo nodig", False),
        ("status na [[TAVI]] in 2019", False),
        ("Klep: [[tavi]] besproken", False),
        ("Bekend met [[Cor]] pulmonale", False),
        ("koude [[Been]], pulsaties afwezig", False),
        ("zegt dat hij [[Napoleon]] is", True),
        ("liedje van [[André Hazes]] gezongen", True),
        ("[[Dari]] (broer) belde", True),
        ("sprak alleen [[Urdu]] met haar", False),
        ("placenta [[Schultze]], compleet", False),
        ("dhr [[Churchill]] wil naar huis", True),
        ("dokter [[Schultze]], zaalarts", True),
        ("met [[André Haazen]] gebeld", True),
        ("zus [[Juliana]] belde", True),
        ("dacht aan koningin [[Juliana]]", True),
        ("mw [[CVA]] in 2019, herstel goed", False),
        ("ds. [[Verloop]] belde", True),
        ("pastoor [[Beleid]] kwam langs", True),
        ("pater [[Beleid]] kwam langs", True),
        ("dominee [[Verloop]] kwam langs", True),
        ("dr. [[Verloop]] en drs. Pet", True),
        ("prof. [[Beleid]] sprak", True),
        ("DR. [[VERLOOP]] belde", True),
        ("verpleegkundige [[Verloop]] belde", True),
        ("wijkverpleegkundige [[Verloop]] belde", True),
        ("huisarts [[Beleid]] belde", True),
        ("tandarts [[Beleid]] belde", True),
        ("coach [[Verloop]] belde", True),
        ("juf [[Verloop]] belde", True),
        ("meester [[Beleid]] en kapelaan", True),
        ("begeleidster [[Verloop]] belde", True),
        ("zuster [[Beleid]] en broeder Jan", True),
        ("arts [[MDO]] besproken", False),
        ("Klinisch [[Verloop]]: goed", False),
    ],
)
def test_first_names_and_names_with_a_title_are_no_term(marked: str, stays: bool) -> None:
    text, span = _marked(marked, "NAME")
    assert (span in mend(text, [span], "nl", labels=())) is stays


@pytest.mark.parametrize(
    ("marked", "source", "stays"),
    [
        ("VERSLAG [[FAMILIEGESPREK]], IC", "nl:patterns", False),
        ("Verslag: [[Rugligging]], huid", "nl:patterns", False),
        ("Verslag: [[Rugligging]], huid", "nl:crf", True),
        ("Verslag: [[Rugligging]], huid", "", True),
        ("Verslag: [[Jansen]], huid", "nl:patterns", True),
        ("mw [[Kuit]] belde", "nl:patterns", True),
        ("ds. [[Verloop]] belde", "nl:patterns", True),
        ("dhr. en ds. [[VERLOOP]] belde", "nl:patterns", True),
        ("pastoor [[Beleid]] kwam", "nl:patterns", True),
        ("verpleegkundige [[Verloop]] belde", "nl:patterns", True),
        ("zoon [[Verloop]] belde", "nl:patterns", True),
        ("idem.. [[cor]] bellen svp", "nl:patterns", True),
        ("collega, [[Verloop]] belde", "nl:patterns", True),
        ("VERPLEEGKUNDIGE [[OVERDRACHT]]", "nl:patterns", False),
        ("bleke vrouw, [[RR]] 108/70", "nl:patterns", False),
        ("broer [[Cor]] belde", "nl:patterns", True),
    ],
)
def test_what_patterns_alone_found_is_doubted(marked: str, source: str, stays: bool) -> None:
    text, span = _marked(marked, "NAME")
    span = replace(span, score=None, source=source)
    assert (span in mend(text, [span], "nl", labels=())) is stays
    assert span in mend(text, [span], "en", labels=())


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("Triagist: [[HB]]   Autorisatie", True),
        ("hoofdpijn 4/10. [[wk]]", True),
        ("Met groet,\n[[AP]]", True),
        ("gezien [[HS]]", True),
        ("Verslag [[MDO]] kwetsbare oudere", False),
        ("verslag: [[CT]] abdomen", False),
        ("Temesta zn, [[Ritalin]] gestopt", False),
        ("zn, [[Roos]] komt", True),
    ],
)
def test_initials_that_patterns_alone_found_stay(marked: str, stays: bool) -> None:
    text, span = _marked(marked, "INITIALS")
    span = replace(span, score=None, source="nl:patterns")
    assert (span in mend(text, [span], "nl", labels=())) is stays


@pytest.mark.parametrize(
    ("marked", "stays"),
    [
        ("Ziekenfonds: [[CM]], lidnr volgt", True),
        ("zend ik via de [[CM]].", True),
        ("oud conductrice bij de [[RET]]. woont alleen", True),
        ("thuis (buschauffeur [[RET]]), wilde", True),
        ("[[CM]] aangevraagd; burgemeester akkoord", False),
        ("WONDJE 2X1 [[CM]], MEPILEX", False),
        ("wond van 3 [[CM]] diep", False),
        ("ALK, ROS1, [[RET]], MET ex14", False),
        ("[[RET]]-fusie aangetoond", False),
        ("terug van de [[MRI]]. Dochter mee", False),
        ("rolt uit via [[Medido]]. Dochter mee", True),
    ],
)
def test_bodies_are_no_unit_and_no_gene(marked: str, stays: bool) -> None:
    text, span = _marked(marked, "ORGANIZATION_COMPANY")
    assert (span in mend(text, [span], "nl", labels=())) is stays


@pytest.mark.parametrize(
    "marked",
    [
        "Verwezen door [[Vincent van Gogh]] voor behandeling",
        "opgenomen in [[Florence Nightingale]], afdeling 2",
        "terug naar [[Koningin Juliana]]",
        "zit op de [[Anne Frank]] in groep 8",
        "dagbesteding bij [[Johan Cruijff]]",
        "woont in [[Monopoly]]",
    ],
)
def test_places_that_are_called_after_somebody_stay(marked: str) -> None:
    text, span = _marked(marked, "CARE_INSTITUTE")
    assert span in mend(text, [span], "nl", labels=())


@given(st.text(max_size=12), st.sampled_from(["Cor", "CM", "Been"]), st.text(max_size=12))
def test_other_labels_are_left_to_the_terms(before: str, mention: str, after: str) -> None:
    span = Span(len(before), len(before) + len(mention), "DATE")
    assert not is_called_there(before + mention + after, span)
