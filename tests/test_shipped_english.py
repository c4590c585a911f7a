"""What models had not learned, the shipped English ones find by their patterns, and spare."""

from __future__ import annotations

import pytest

from tests.shipped_models import find_mentions

pytest.importorskip("onnxruntime", reason="en-medium needs the extra `neural`")
MODELS = ["en-fast", "en-medium"]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("refill sent to pharmacy.\nqzj, lpn\n", "qzj"),
        ("Cassettes A1-A22. Grossed by pb.", "pb"),
        ("MGM d 91, CHF.", "91"),
        ("saw boy in nbn, 2 do, bili 11.2.", "2"),
        ("Dad is a DDS in town.", "DDS"),
        ("dd: 06/19/94\ndt: 06/20/94\n44719 / 10288 / 33912\n", "10288"),
        ("Instagram @jofeiff_draws daily", "jofeiff_draws"),
    ],
)
def test_what_stands_at_the_edge_of_a_note_is_found(name: str, text: str, mention: str) -> None:
    assert mention in find_mentions(name, text)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "text",
    [
        "16F Foley to gravity, 37F DLT placed, 28F chest tube",
        "Epi 0419 0423 0427, ROSC",
        "SHE IS A PLEASANT 72 YEAR OLD WOMAN",
        "Anesthesia: ASA III.",
        "LOCAL TITLE: PRIMARY CARE NOTE",
        "KIT D816V detected",
        "May 2 tabs prn",
        "Subject: Non-Urgent Medical Question",
    ],
)
def test_no_name_age_or_number_is_found_in_clinical_words(name: str, text: str) -> None:
    assert [mention for mention in find_mentions(name, text) if mention != "72"] == []
