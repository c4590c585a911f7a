"""Times that begin the lines of a log are no dates; days that do so stay."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.sparing.clock_logs import is_log_time, may_be_log_time
from scrubjay.taggers.mending import mend
from tests.taggers.mending_samples import read_braces


def _is_one(marked: str) -> bool:
    text, span = read_braces(marked, "DATE")
    return may_be_log_time(text[span.start : span.end]) and is_log_time(text, span)


@pytest.mark.parametrize(
    "marked",
    [
        "{20.10} schopt deur\n21.40 slaapt\n",
        "19.45 boos\n{20.10} schopt deur",
        "19.45 boos\n- {20.10} schopt deur\n- 21.30 slaapt",
        "19:45 boos\n{20.10} schopt deur\n22.05 slaapt",
        "19.45 u boos\n\nJan sliep.\n{20.10} u: schopt deur",
        "{20.10} schopt\n21.10 slaapt\n21.40 wakker\n22.10 eet",
        "20.10 schopt\n21.10 slaapt\n21.40 wakker\n{22.10} eet",
        "20.10 schopt\n{21.10} slaapt\n21.12 wakker\n22.40 eet",
    ],
)
def test_times_are_spared(marked: str) -> None:
    assert _is_one(marked)
    text, span = read_braces(marked, "DATE")
    assert mend(text, [span], "nl") == mend(text, [span], "en") == ()


@pytest.mark.parametrize(
    "marked",
    [
        "{21.10} vdE / P: huilerig\n28.10 vdE / Hb 5,9\n11.11 vdE / slaapt",
        "{21.10} vdE\n",
        "{21.10}\n22.40 slaapt",  # the day alone on its line
        "07.30 gegeten\n14.45 thuis\n{12.10} gebeld\n08.15 gegeten",  # the next day
        "gezien {20.10} schopt deur\n21.40 slaapt",
        "{20.10}.2024 schopt\n21.40 slaapt",
        "{20.10} schopt deur\n08.15 slaapt",
        "{31.10} schopt deur\n21.40 slaapt",
        "20.10 schopt\n21.10 slaapt\n{22.10} eet",
        "{12.10} opname\n14:30 gesprek\n16:00 slaapt",
        "{12.10} opname\n14:30 gesprek\n13.10 ontslag",
        "28.10 slaapt\n{04.11} boos\n11.11 slaapt\n18.11 rust",
    ],
)
def test_days_stay(marked: str) -> None:
    assert not _is_one(marked)


def test_other_labels_and_languages() -> None:
    text, span = read_braces("{20.10} schopt deur\n21.40 slaapt", "DATE")
    assert mend(text, [span], "es") == (span,)
    text, span = read_braces("{20.10} schopt deur\n21.40 slaapt", "ID")
    assert mend(text, [span], "nl") == (span,)


_LOG = "1-9 0814 bren: mw belt\n{0902} dr nabben: akk\n1147 man belt\n2-9 1320 pols dik"


@pytest.mark.parametrize(
    ("marked", "label", "language"),
    [
        (_LOG, "DATE", "nl"),
        (_LOG, "NUMERO_TELEFONO", "es"),
        (_LOG, "PHONE", "en"),
        (
            "0745 suf 15 roc 50; 0752 cefazo 2 g; 0815 fenyl; {0955 sugam 200}; 1002 extub",
            "PHONE_FAX",
            "nl",
        ),
    ],
)
def test_times_without_a_sign_are_spared(marked: str, label: str, language: str) -> None:
    text, span = read_braces(marked, label)
    assert mend(text, [span], language) == ()


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("0814 Jansen\n{0902} Smit\n1199 Vries", "PHONE_FAX"),  # extensions
        ("{0902} dr nabben\n1147 man belt", "PHONE_FAX"),
        ("1147 man belt\n1002 extub\n{0902} dr nabben", "PHONE_FAX"),  # in no order
        ("0814 belt\n1002 belt\n1147 belt: 020 {0902}", "PHONE_FAX"),
        ("1012 Jansen\n{1014} Smit\n1016 Vries", "INTERNAL_LOCATION"),  # rooms
    ],
)
def test_numbers_that_may_be_somebodys_stay(marked: str, label: str) -> None:
    text, span = read_braces(marked, label)
    assert mend(text, [span], "nl") == (span,)
