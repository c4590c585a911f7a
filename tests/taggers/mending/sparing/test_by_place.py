"""What is called by a place or a people names no place; places beside such words still do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_by_place


def kept(marked: str) -> list[str]:
    """Return what of the marked mentions stays, in order, a model being in doubt."""
    document = parse_inline(marked)
    spans = [replace(span, score=0.6) for span in document.spans]
    return [document.text[span.start : span.end] for span in spare_by_place(document.text, spans)]


@pytest.mark.parametrize(
    "text",
    [
        "exposed to <STATE>Texas</STATE> cattle fever",
        "<STATE>Colorado</STATE> tick fever serology",
        "<COUNTRY>Bolivian</COUNTRY> hemorrhagic fever",
        "history of <STATE>Colorado</STATE> tick fever",
        "<CITY>Powassan</CITY> virus IgM",
        "<LOCATION-OTHER>Rift Valley</LOCATION-OTHER> fever",
        "<HOSPITAL>Ross River</HOSPITAL> virus",
        "<COUNTRY>Norwegian</COUNTRY> scabies",
        "<CITY>Toronto</CITY> clinical scoring questionnaire",
        "meets <CITY>Amsterdam</CITY> criteria",
        "<STATE>California</STATE> Verbal Learning Test 44",
        "<HOSPITAL>Hopkins</HOSPITAL> Verbal Learning Test 22",
        "<HOSPITAL>King's College</HOSPITAL> criteria not met",
        "hemoglobin <STATE>Kansas</STATE>, hemoglobin <CITY>Zurich</CITY>",
        "a <STATE>Florida</STATE> pouch",
        "eats nuts, <COUNTRY>Swiss</COUNTRY> chard",
        "balsam of <COUNTRY>Peru</COUNTRY> allergy",
        "<COUNTRY>German</COUNTRY> shepherd bite",
        "<COUNTRY>Swedish</COUNTRY> massage",
    ],
)
def test_what_is_called_by_a_place_is_spared(text: str) -> None:
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "in <STATE>Texas</STATE> fever began",
        "since leaving <STATE>Colorado</STATE> fever gone",
        "moved to <STATE>Florida</STATE>. Pouch working",
        "lives in <CITY>Toronto</CITY>",
        "Dayton, <STATE>Ohio</STATE> fever clinic",
        "<COUNTRY>Norwegian</COUNTRY> interpreter",
        "he is <COUNTRY>German</COUNTRY>, shepherd by trade",
        "<CITY>Toronto</CITY>\nscore 14",
        "<CITY>TORONTO</CITY> score 14",
        "<HOSPITAL>Mercy</HOSPITAL> protocol",
        "<HOSPITAL>Mercy</HOSPITAL> score",
        "<HOSPITAL>Mercy General</HOSPITAL> fall risk score",
        "from <COUNTRY>Peru</COUNTRY> allergy",
        "moved to <COUNTRY>Peru</COUNTRY> virus free",
        "went to <STATE>Texas</STATE> fever free",
        "<ORGANIZATION>DVLA</ORGANIZATION> questionnaire",
        "<STATE>Texas</STATE> fevers since May",
        "seen by <DOCTOR>Amsterdam</DOCTOR> criteria met",
        "<CITY>Lima</CITY> visit",
    ],
)
def test_places_beside_them_stay(text: str) -> None:
    document = parse_inline(text)
    assert kept(text) == [document.text[span.start : span.end] for span in document.spans]


def test_a_hospital_that_a_model_is_sure_of_stays() -> None:
    document = parse_inline("<HOSPITAL>Mercy</HOSPITAL> criteria, <CITY>Milan</CITY> criteria")
    sure = [replace(span, score=0.95) for span in document.spans]
    assert mend(document.text, sure, "en") == (sure[0],)
    assert mend(document.text, document.spans, "en") == (document.spans[0],)
