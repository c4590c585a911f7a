"""Numbers of a catalogue are nobody's; those of a letter, a lot or one device stay."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_codes, spare_wares


def kept(marked: str) -> list[str]:
    """Return what of the marked mentions stays, in order."""
    document = parse_inline(marked)
    found = spare_wares(document.text, document.spans)
    return [document.text[span.start : span.end] for span in found]


@pytest.mark.parametrize(
    "text",
    [
        "stem, cat. <IDNUM>00-7841-014</IDNUM>, in",
        "Synergy 3.0 x 24, cat# <DEVICE>H7493926724300</DEVICE>",
        "catalog no. <IDNUM>04491785</IDNUM> 190",
        "Gore BIO-A cat. <ID>HH0710</ID>.",
        "REF <DEVICE>1217-32-054</DEVICE>   LOT 9",
        "(REF <ID>LF1937</ID>, LOT 2211X)",
        "reorder # <IDNUM>19775</IDNUM>",
        "NDC <IDNUM>58160-848-11</IDNUM>",
    ],
)
def test_numbers_of_a_catalogue_are_spared(text: str) -> None:
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "your ref <IDNUM>CM-558102</IDNUM>, letter",
        "Ref: <IDNUM>CM-558102</IDNUM>\nLot",
        "lot <DEVICE>9087731</DEVICE>",
        "REF 1217 LOT <DEVICE>9087731</DEVICE>",
        "the cat <IDNUM>4471</IDNUM>",
        "bobcat. <IDNUM>4471</IDNUM>",
        "cat. <DATE>3-4-2019</DATE>",
        "<IDNUM>4471</IDNUM>",
        "ordered <IDNUM>4471</IDNUM>",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    document = parse_inline(text)
    assert kept(text) == [document.text[s.start : s.end] for s in document.spans]


@pytest.mark.parametrize(
    "text",
    [
        "Diagnosecode <ID>3019</ID>, prestatiecode",
        "Diagnosecode 3019, prestatiecode <ID>991516104</ID>, artikel",
        "prestatiecode 991516104, artikel <ID>22061</ID>\nMotivering",
        "ZI-nummer <ID>15623446</ID> is de verpakking",
        "de sticker (<ID>990004009</ID>) is de zorgproductcode en",
        "TENA Flex L artikelnr <ID>725330</ID>, spuiten",
        "Voorwaarden: code <ID>01.06</ID>. Met",
        "ICD-10: <ID>F33.1</ID>",
        "ICD: <ID>F33.1</ID>",
    ],
)
def test_codes_that_many_have_are_spared(text: str) -> None:
    document = parse_inline(text)
    assert list(spare_codes(document.text, document.spans)) == []
    assert mend(document.text, document.spans, "nl") == ()
    assert mend(document.text, document.spans, "de") == document.spans


@pytest.mark.parametrize(
    "text",
    [
        "sleutelcode <ID>3019</ID>",
        "code <ID>0106</ID> van de deur",
        "dossier, artikel <ID>22061</ID>",
        "zorgproductcode 990004009, patiëntnummer <ID>204817736</ID>.",
        "(<ID>990004009</ID>) is de patiënt",
        "DBC <ID>47.2201-9</ID>",
        "komt van Zorgshop, bestelnr <ID>88-30127</ID>.",
        "diagnosecode <DATE>3-4-2019</DATE>",
        "ICD <ID>123456789</ID> geplaatst",
        "ICD: <ID>GRT234567A</ID>",
    ],
)
def test_codes_of_somebody_stay(text: str) -> None:
    document = parse_inline(text)
    assert list(spare_codes(document.text, document.spans)) == list(document.spans)
