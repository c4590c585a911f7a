"""Portions and usual ranges are no dates; days beside what is counted and measured still are."""

from __future__ import annotations

import pytest

from tests.oracles.mending import kept_portions


@pytest.mark.parametrize(
    "text",
    [
        "ER <DATE>8/8</DATE> (Allred), PR <DATE>6/8</DATE>",
        "Receptors: ER <DATE>7/8</DATE>, PR <DATE>2/8</DATE>, HER2 1+",
        "BCx <DATE>2/4</DATE> MSSA to nafcillin",
        "Blood cultures <DATE>2/2</DATE> S. aureus",
        "Blood cx <DATE>4/4</DATE>\nE. coli, pan-sensitive",
        "bld cx <DATE>2/2</DATE> GPC clusters",
        "ER strong <DATE>8/8</DATE>, PR 4/8, HER2 neg",
    ],
)
def test_receptors_and_cultures_are_no_days(text: str) -> None:
    assert kept_portions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "ER <DATE>8/8</DATE> for chest pain",
        "BCx <DATE>2/4</DATE> NGTD",
        "BCx <DATE>2/4</DATE> MSSA, 2/6 neg",
        "BCx <DATE>9/12</DATE> MSSA",
        "seen <DATE>2/4</DATE> MSSA",
        "seen in ER <DATE>8/8</DATE>. PMH breast ca HER2 neg",
        "to the ER <DATE>6/8</DATE>, HER2 pos",
        "PT <DATE>6/8</DATE>, HER2 pos",
        "HER2 neg, MRI <DATE>6/8</DATE>",
        "ER strong <DATE>8/8</DATE> HER2 neg",
        "ER <DATE>7/8</DATE> for chest pain, hx breast ca HER2 neg",
        "ER <DATE>7/8</DATE> for pain, PR 6/8",
        "ER <DATE>6/8</DATE>: cellulitis of the arm, PgR pos",
        "ER <DATE>6/8</DATE>: cellulitis, PR 6/8",
        "ER <DATE>6/8</DATE> cellulitis (Allred)",
        "ER <DATE>6/8</DATE>, PR pos",
        "ER <DATE>6/8</DATE> with Allred",
        "Blood cultures <DATE>3/8</DATE> Klebsiella. PICC 4/1",
        "Blood cultures <DATE>3/8</DATE> Klebsiella.",
        "Blood cultures <DATE>2/4</DATE> Klebsiella. PICC 4/1",
        "admitted 2/3. BCx <DATE>2/4</DATE> E. coli",
        "admitted 2-3. BCx <DATE>2/4</DATE> E. coli",
    ],
)
def test_days_of_emergencies_and_cultures_stay(text: str) -> None:
    assert len(kept_portions(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "K 4.1 (<DATE>3-5</DATE>), Mg 1.9 (<DATE>1-2</DATE>)",
        "INR 2.6 (<DATE>2-3</DATE>)",
        "Hgb 9.8 (<DATE>12-16</DATE>) L",
        "Hgb 9.8 L [<DATE>12-16</DATE>]",
        "Glucose: 9 mg/dL (ref: <DATE>7-11</DATE>)",
        "WBC 12.4 H (<DATE>4-11</DATE>)",
        "vanc trough 14 (<DATE>10-20</DATE>)",
        "PTH 78 (<DATE>10-65</DATE>)",
        "pT3N1b, <DATE>3/18</DATE> nodes, MMR intact",
        "<DATE>4/12</DATE> cores positive",
        "<DATE>0/2</DATE> sentinel nodes",
        "Blood cx <DATE>2/4</DATE> bottles GPC",
        "cx <DATE>1/2</DATE> sets",
        "D5 <DATE>1/2</DATE> NS at 75",
        "Dakin's <DATE>1/4</DATE> strength",
        "doxy <DATE>10/21</DATE> days",
        "<DATE>12/12</DATE> weeks of naltrexone",
        "<DATE>12/25</DATE> fractions complete",
        "Attended <DATE>9/10</DATE> groups",
        "Completed <DATE>6/8</DATE> sessions of CBT",
        "Day <DATE>10/14</DATE> of cefazolin",
        "ICU day <DATE>4/7</DATE>: RASS -2",
        "FOLFOX cycle <DATE>4/12</DATE>, tolerating",
        "Suboxone <DATE>12/3</DATE> BID",
        "Hgb 9 (<DATE>12-16</DATE>), Hgb 8 (<DATE>12-16</DATE>)",
        "K 4.1 (<DATE>3-5</DATE>), Cr 2 (<DATE>0-1</DATE>)",
        "insulin <DATE>5/6/10</DATE> TID",
        "dosed <DATE>5/6/10</DATE> units with meals",
        "<DATE>10/12</DATE> oocytes mature",
        "Chemo day <DATE>4/12</DATE>, ANC 4/3",
        "lisinopril-HCTZ <DATE>10/12</DATE> mg",
        "Suboxone <DATE>8/2</DATE> BID",
        "Uric acid 9 (<DATE>3-8</DATE>), LDH 240 (140-280)",
        "mag 1.6 (<DATE>2-3</DATE>), K 3.4 (3.5-5)",
        "feeds <DATE>5/day</DATE>",
        "EtOH <DATE>3-4</DATE> / wk",
        "GSV <DATE>6/7/5</DATE> mm",
        "lispro <DATE>4/6/8</DATE> with meals",
        "Sessions <DATE>5/12</DATE> of CPT",
        "CVC day <DATE>6/7</DATE>. PIV x2",
        "only <DATE>3/4</DATE> sequences done",
    ],
)
def test_portions_and_ranges_are_no_dates(text: str) -> None:
    assert kept_portions(text) == []


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("INR 2.6 (<DATE>2-3</DATE>), drawn 2-1", ["2-3"]),
        ("INR 2.6 (<DATE>2-3</DATE>), prior on 01-04-2031", ["2-3"]),
        ("Cr 210 (<DATE>3-5</DATE>)", ["3-5"]),
        ("Seen 4 (<DATE>3-5</DATE>)", ["3-5"]),
        ("Room 4 (<DATE>3-5</DATE>)", ["3-5"]),
        ("K 4.1 <DATE>3-5</DATE>", ["3-5"]),
        ("INR 2.6 (<DATE>3-2</DATE>)", ["3-2"]),
        ("K 4.1 (<DATE>3/5</DATE>)", ["3/5"]),
        ("K 4.1 (<DATE>3-5</DATE>, 3-7)", ["3-5"]),
        ("on <DATE>3/18</DATE> nodes were removed", ["3/18"]),
        ("bx <DATE>3/18</DATE> nodes positive", ["3/18"]),
        ("since <DATE>10/21</DATE> days are worse", ["10/21"]),
        ("seen <DATE>10/21</DATE> days after surgery", ["10/21"]),
        ("fever <DATE>10/21</DATE> days after surgery", ["10/21"]),
        ("next visit <DATE>4/12</DATE>", ["4/12"]),
        ("next cycle <DATE>4/12</DATE>", ["4/12"]),
        ("last dose <DATE>4/12</DATE> tolerated", ["4/12"]),
        ("Day <DATE>10/14</DATE>: resting", ["10/14"]),
        ("snow day <DATE>1/14</DATE> of 2031", ["1/14"]),
        ("blood cx <DATE>2/14</DATE> bottles pending", ["2/14"]),
        ("started Suboxone <DATE>8/12</DATE>", ["8/12"]),
        ("Suboxone <DATE>8/2</DATE>, stable", ["8/2"]),
        ("seen <DATE>8/2</DATE> daily since", ["8/2"]),
        ("Uric acid 9 (<DATE>3-8</DATE>), seen 4/2", ["3-8"]),
        ("MRI <DATE>3/4</DATE> sequences done", ["3/4"]),
        ("last FOLFOX cycle <DATE>4/12</DATE>", ["4/12"]),
        ("next chemo dose <DATE>4/12</DATE>", ["4/12"]),
        ("started <DATE>5/5/10</DATE> TID", ["5/5/10"]),
        ("seen <DATE>6/7/31</DATE>, 5 mm", ["6/7/31"]),
        ("away <DATE>3-4</DATE>, wk of rest", ["3-4"]),
        ("started <DATE>8/12</DATE> BID", ["8/12"]),
        ("surgery <DATE>6/8</DATE> sessions of PT", ["6/8"]),
        ("from 3/2 to <DATE>3/18</DATE> nights were bad", ["3/18"]),
        ("3/2-<DATE>3/18</DATE> nights", ["3/18"]),
        ("<DATE>3/18</DATE>/31 nodes", ["3/18"]),
        ("admitted <DATE>1/2</DATE> NSTEMI", ["1/2"]),
        ("echo <DATE>3/18</DATE> showed EF 40", ["3/18"]),
        ("Suboxone <DATE>8/12</DATE> BID", ["8/12"]),
        ("Restarted Suboxone <DATE>9/12</DATE> daily", ["9/12"]),
        ("Rx'd gabapentin <DATE>4/12/14</DATE> TID", ["4/12/14"]),
        ("Signed <DATE>4/12/14</DATE> AC", ["4/12/14"]),
        ("Metformin added <DATE>4/12/14</DATE> with meals", ["4/12/14"]),
        ("<DATE>4/12</DATE> samples sent to the lab", ["4/12"]),
        ("<DATE>9/12</DATE> eggs retrieved", ["9/12"]),
        ("home <DATE>4/12</DATE> infusions restarted", ["4/12"]),
        ("Detox day <DATE>4/12</DATE>, discharged <DATE>4/15</DATE>", ["4/12", "4/15"]),
        ("PSA 4 (<DATE>3-12</DATE>)", ["3-12"]),
        ("INR 4.2 (<DATE>3-12</DATE>)", ["3-12"]),
        ("WBC 12 (<DATE>10-12</DATE>)", ["10-12"]),
        ("Ferritin 9 (<DATE>6-11</DATE>), ferritin 8 (<DATE>6-14</DATE>)", ["6-11", "6-14"]),
        ("Ferritin 9 (<DATE>6-11</DATE>), then 8 (<DATE>6-14</DATE>)", ["6-11", "6-14"]),
        ("tacro 8 (<DATE>5-12</DATE>), 7 (<DATE>5-19</DATE>)", ["5-12", "5-19"]),
    ],
)
def test_days_beside_them_stay(text: str, dates: list[str]) -> None:
    assert kept_portions(text) == dates
