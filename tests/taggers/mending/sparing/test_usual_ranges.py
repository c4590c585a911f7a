"""Usual ranges of tables of results are nothing of anybody; numbers and days elsewhere stay."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers.mending import mend
from tests.oracles.mending import mend_by_steps


def kept(marked: str) -> int:
    """Return how many of the marked mentions stay."""
    document = parse_inline(marked)
    spans = mend(document.text, document.spans, "en")
    assert tuple(mend_by_steps(document.text, document.spans, "en")) == spans
    return len(spans)


@pytest.mark.parametrize(
    "text",
    [
        "Glucose fasting         162         mg/dL      <LICENSE>70</LICENSE> - 100",
        "Urea                    34          mg/dL      <LICENSE>17</LICENSE> - 43\n",
        "TSH                     6.81        uIU/mL     0.27 - <DATE>4.20</DATE>",
        "Vitamin B12             204         pg/mL      <DEVICE>197 - 771</DEVICE>\n\nRemark: none",
        "WBC  | 11.2 H | K/uL | <DATE>4-11</DATE> |",
        "ABG on BiPAP: <IDNUM>7.28/68/71/31</IDNUM>.",
        "gas <DATE>7.29/61/70</DATE>",
        "<IDNUM>7.29/61/70/24</IDNUM>",
        "Hgb | 9.1 | g/dL | <DATE>12-16</DATE>",
        "Sodium  138  mmol/L  <ZIP>135-145</ZIP>",
        "RBC  4.1  x10^6/uL  <DATE>3.9-5.2</DATE>",
        "ESR  12  mm/hr  <DATE>0 - 40</DATE>",
        "RESULTS\nHbA1c  8.4 *  %  (<DATE>4.0-5.6</DATE>)",
    ],
)
def test_usual_ranges(text: str) -> None:
    assert kept(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        "Glucose  162  mg/dL  <DATE>4/11</DATE>",
        "Glucose  162  drawn  <DATE>4-11</DATE>",
        "Glucose  162  mg/dL  70-100  MRN <MEDICALRECORD>771</MEDICALRECORD>",
        "Glucose  162  mg/dL  70-100  <DATE>4-11</DATE>",
        "Glucose  162  mg/dL  <DATE>11-4</DATE>",
        "Glucose  162  mg/dL  <DATE>4-11-20</DATE>",
        "seen <DATE>4-11</DATE>",
        "Lasix   40 mg/day   <DATE>3-15</DATE>",
        "Lasix   40 mg/day   <DATE>30-45</DATE>",
        "LVEF   55 %   <DATE>3-12</DATE>",
        "Weight  82 kg/m2  <DATE>3-14</DATE>",
        "Hgb | 9.1 | g/dL | <DATE>3-12</DATE>",
        "Hgb | 9.1 | g/dL | <DATE>3 - 12</DATE>",
        "WBC | 11.2 | K/uL | <DATE>9-12</DATE>",
        "DOB <DATE>7.12/45/71</DATE>",
        "born <DATE>7.12/45/71/31</DATE>",
        "seen <DATE>7.12/45/71</DATE>",
        "seen <DATE>7.12/24</DATE>",
        "seen <DATE>7/12/24</DATE>",
        "x5  mg/dL  <PHONE>555-0101</PHONE>",
    ],
)
def test_others_stay(text: str) -> None:
    assert kept(text) == 1
