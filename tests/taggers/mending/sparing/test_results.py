"""Results of scales and tests are no dates or numbers; dates beside a scale are still dates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document, Span
from scrubjay.models import load_model
from scrubjay.taggers._mending.sparing.results import is_result
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_results


def kept(marked: str, language: str = "nl") -> list[str]:
    """Return what of the marked mentions stays, in order."""
    document = parse_inline(marked)
    return [
        document.text[span.start : span.end]
        for span in spare_results(document.text, document.spans, language=language)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Barthel <DATE>12/20</DATE> on admission",
        "MoCA <DATE>22/30</DATE>.",
        "MoCA: <DATE>9/30</DATE>",
        "MoCA score was <DATE>12/30</DATE>",
        "GCS (<DATE>12/15</DATE>)",
        "Ampuloma. G8 <DATE>11/17</DATE>. No quiere",
        "Lobo <DATE>12/30</DATE>, Yesavage <DATE>4/15</DATE>",
        "PHQ-9 <DATE>11/27</DATE>, GAD-7 <DATE>7/21</DATE>",
        "<DATE>Berg 10/56</DATE>",
        "power <DATE>4/5</DATE> in both arms",
        "Pain today <DATE>7/10</DATE>",
        "Strength: biceps <DATE>4/5</DATE>, triceps <DATE>4/5</DATE>",
        "quads 3/5, hamstrings <DATE>4/5</DATE>",
        "Apgars <DATE>8/9</DATE>",
        "AS <DATE>9/10</DATE>",
        "VAS pijn <DATE>6/10</DATE>",
        "NRS: <DATE>3/10</DATE>",
        "pijn <DATE>6/10</DATE>, nu <DATE>3/10</DATE>",
        "<DATE>Kracht 4/5</DATE> links",
        "kracht arm <DATE>3/5</DATE>, been <DATE>4/5</DATE>",
        "eetlust <DATE>4/10</DATE>, slaap <DATE>6/10</DATE>",
        "anti-TPO <ID>1044</ID>",
        "<INTERNAL_LOCATION>TSH 0.02</INTERNAL_LOCATION>, anti-TPO <ID>1044</ID>",
        "<ID>hCG 5644</ID>",
        "trombo <PHONE_FAX>455</PHONE_FAX>",
        "vit <ID>B12 1044</ID>",
        "PSA <DATE>2044</DATE> ug/l",
        "Na 140 mmol/l <INTERNAL_LOCATION>135-145</INTERNAL_LOCATION>",
        "Ht 0.4 l/l, CRP 3 mg/L (<DATE>0-10</DATE>)",
        "dolor de <FECHAS>7/10</FECHAS>",
        "kloktest <DATE>3/5</DATE>. IQCODE",
        "Beighton <DATE>6/9</DATE>",
        "Dorsiflexie voet <DATE>2/5</DATE>, eversie 2/5",
        "eversie <DATE>2/5</DATE>, inversie 5/5",
        "head engaged <DATE>2/5</DATE>",
        "Ipswich touch test <DATE>6/6</DATE>",
        "Abbreviated mental test <DATE>9/10</DATE>",
        "irreg, <DATE>3/6</DATE> souffle apex",
        "bereikbaar <DATE>24/7</DATE> op",
        "krijgt <DATE>24/7</DATE> zorg",
        "heeft <DATE>24/7</DATE> bezoek aangekondigd",
        "INR <DATE>2-3</DATE>.",
        "CPK <ID>44719</ID>",
        "controle <DATE>6/52</DATE>",
        "komt tussen <DATE>10-12</DATE> bij",
        "NovoRapid <DATE>8-8-10</DATE>.",
        "vooral MCP <DATE>2-3</DATE> re",
        "balance muscular <FECHAS>4/5</FECHAS>",
        "R flank pain x 3 hrs, <DATE>8/10</DATE>.",
        "pijn bij zuchten <DATE>4/10</DATE>.",
        "headache since noon, <DATE>6/10</DATE> now",
        "Monofilament <DATE>4/10</DATE> R",
        "fx mid <DATE>1/3</DATE> clavicle",
        "T2N1(<DATE>1/3</DATE>)M0",
        "ESAS moe <DATE>8/10</DATE>",
        "mantelzorg zwaar, EDIZ <DATE>7/9</DATE>",
        "Ribben <DATE>7-10</DATE> re gaaf",
        "old fx ribs <DATE>7-10</DATE>",
        "Bristol stool <DATE>6/7</DATE>",
        "Bristol stool chart <DATE>6/7</DATE>",
        "MRS <DATE>2/6</DATE>",
        "Reflexes <DATE>2/4</DATE>",
        "CURB-65 <DATE>2/5</DATE>",
        "Rockwood <DATE>6/9</DATE>",
        "Westley <DATE>3/17</DATE>",
        "Pirani <DATE>3/6</DATE>",
        "Lund-Mackay <DATE>12/24</DATE>",
        "SJC <DATE>6/28</DATE>, TJC <DATE>8/28</DATE>",
        "RPE <DATE>12/20</DATE>",
        "RAVLT <DATE>7/15</DATE>",
        "mMRC <DATE>3/4</DATE>",
        "modified Ashworth <DATE>2/4</DATE>",
        "DLQI <DATE>9/30</DATE>",
    ],
)
def test_results_are_spared(text: str) -> None:
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "seen <DATE>9/10</DATE> in clinic",
        "seen in Bristol <DATE>6/7</DATE>",
        "G8 bed <DATE>11/17</DATE>",
        "visto por Lobo <DATE>12/30</DATE>",
        "Reflexes checked <DATE>2/4</DATE>",
        "MoCA <DATE>9/10</DATE>: 22/30",
        "PHQ-9 on <DATE>11/27</DATE>",
        "pain since <DATE>7/10</DATE>",
        "Pain started <DATE>9/10</DATE>",
        "GCS 15 on <DATE>4/5</DATE>",
        "gips arm <DATE>4/5</DATE> verwijderd",
        "misselijk <DATE>4/10</DATE>, beter",
        "VAS <DATE>7/10/2060</DATE>",
        "VAS <DATE>7/10</DATE>/2060",
        "Barthel <NAME>12/20</NAME>",
        "MDO <DATE>4/5</DATE>",
        "gezien <DATE>3/6</DATE> door",
        "op <DATE>10-12</DATE> bij",
        "tussen <DATE>10-12</DATE>-2060",
        "dolor desde el <FECHAS>7/10</FECHAS>",
        "PSA <DATE>2044</DATE>: 3.1",
        "CK <DATE>03-04</DATE>",
        "MRN <ID>1044</ID>",
        "lot <ID>CK7719</ID>, set",
        "CK<ID>7719</ID>",
        "TSH <ID>A1044</ID>",
        "TSH <ID>1044-77</ID>",
        "CRP <ID>1044</ID>77",
        "PSA<ID>1044</ID>x",
        "kamer <INTERNAL_LOCATION>135-145</INTERNAL_LOCATION>",
        "<DATE>1/4, Berg 10/56</DATE>",
        "Dr. <DOCTOR>Norton</DOCTOR> <DATE>10/20</DATE>",
        "met <INITIALS>AS</INITIALS> <DATE>9/10</DATE>",
        "<NAME>Van den Berg</NAME> <DATE>10/11</DATE>",
        "seen by Braden <DATE>10/23</DATE>",
        "Dr Bishop <DATE>10/13</DATE>",
        "akkoord door AS <DATE>9/10</DATE>",
        "Eva <DATE>8/10</DATE> gebeld",
        "pt must <DATE>5/6</DATE> come",
        "OK been <DATE>4/5</DATE>, kracht prima",
        "poli bij dr. Roe <DATE>24/7</DATE>",
        "sinds <DATE>24/7</DATE> pijn",
        "CK <ID>44719</ID>",
        "hij was <DATE>3/10</DATE> hier, <DATE>4/10</DATE> daar",
        "bezoek <DATE>24/7</DATE> door zoon",
        "heeft <DATE>24/7</DATE> afspraak",
        "<DATE>24/7</DATE>: koorts",
        "born <DATE>6/52</DATE>",
        "tussen <DATE>3-5</DATE> en <DATE>9-5</DATE>",
        "between <DATE>3-5</DATE> and <DATE>3-9</DATE>",
        "INR <DATE>2-3</DATE>: 2,4",
        "INR <DATE>3-12</DATE>",
        "lantus <DATE>3-4-19</DATE>",
        "insuline <DATE>10-12</DATE> gestart",
        "INR <DATE>21-6</DATE>: 4,1",
        "INR <DATE>01-07</DATE>.",
        "Kaartnr <ID>CK 0661</ID>",
        "comfort kit <ID>CK 441</ID>",
        "<ID>CK 0441</ID> left",
        "d/w LH <IDNUM>55123</IDNUM>",
        "PCT <ID>55123</ID> notified",
        "<IDNUM>LD 44719</IDNUM>",
        "call PCT <PHONE>551</PHONE>",
        "sein <PHONE_FAX>CK 3125</PHONE_FAX>",
        "MRN: <MEDICALRECORD>PSA 4471</MEDICALRECORD>",
        "CRP mg/l <DATE>13-5</DATE>",
        "VAS <DATE>7/10</DATE>%",
        "knee pain, seen <DATE>8/10</DATE>",
        "pain gone. <DATE>8/10</DATE> note",
        "back pain, nl XR 2/9, back <DATE>2/10</DATE>",
        "pain clinic Wed <DATE>8/10</DATE>",
        "pijn sinds <DATE>4/10</DATE>",
        "Moe <DATE>4/10</DATE>",
        "Dr Gleason <DATE>8/10</DATE>",
        "needle in the node <DATE>1/3</DATE>",
        "met Rib <DATE>7-10-19</DATE>",
        "seen by Westley <DATE>3/17</DATE>",
        "Dr. Pirani <DATE>3/6</DATE>",
        "seen at Mayo <DATE>7/12</DATE>",
        "Ashworth <DATE>2/4</DATE>",
        "on the sofa since <DATE>9/24</DATE>",
        "Fell off sofa <DATE>4/24</DATE>",
        "Sofa <DATE>9/24</DATE>",
        "SJC <DATE>6/27</DATE>",
    ],
)
def test_dates_and_numbers_stay(text: str) -> None:
    document = parse_inline(text)
    assert kept(text) == [document.text[s.start : s.end] for s in document.spans]


def test_a_part_beyond_the_whole_is_no_result() -> None:
    assert kept("pain <DATE>12/10</DATE>") == ["12/10"]


@pytest.mark.parametrize("language", ["en", "nl"])
def test_mending_spares_them(language: str) -> None:
    document = parse_inline("PHQ-9 <DATE>11/27</DATE>, seen <DATE>11/27</DATE>")
    assert mend(document.text, document.spans, language) == document.spans[1:]


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("en-fast", "PHQ-9 11/27."),
        ("en-fast", "Barthel 12/20 on admission."),
        ("nl-fast", "VAS 7/10."),
        ("nl-fast", "anti-TPO 1044"),
    ],
)
def test_shipped_models_spare_them(model: str, text: str) -> None:
    assert load_model(model).detect([Document("1", text)]) == [()]


def test_two_letters_before_a_date_are_a_signature_in_english() -> None:
    assert kept("Reviewed AS <DATE>9/10</DATE>", "en") == ["9/10"]


@given(
    st.sampled_from(["Barthel ", "MoCA: ", "PSA ", "hCG ", "mmol/l ", "kracht ", "GCS 3/15, ", ""]),
    st.text("0123456789/.,- ", min_size=1, max_size=7),
    st.sampled_from(["", " systolic murmur", " mg/l", " zorg", "/6 souffle", "."]),
    st.sampled_from(["DATE", "ID", "PHONE"]),
)
def test_the_first_look_leaves_out_no_result(
    before: str, mention: str, after: str, label: str
) -> None:
    text = f"{before}{mention}{after}"
    spans = [Span(len(before), len(before) + len(mention), label)]
    expected = [] if is_result(text, spans[0], person=0, language="nl") else spans
    assert list(spare_results(text, spans, language="nl")) == expected
