"""What was found once is found everywhere; what tells of a role in a username is nobody."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.known.propagation import Propagation


def found(text: str, mention: str, kind: str) -> list[str]:
    """Return all that is found where a mention was found at its first place."""
    start = text.index(mention)
    spans = [Span(start, start + len(mention), "X")]
    (rows,) = Propagation(lambda _: kind, "en").spread([text], [spans])
    return [text[span.start : span.end] for span in rows]


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("by kt_rph14 today, RPh reviewed", "kt_rph14"),
        ("lpn.wubbolts2, entry by lpn", "lpn.wubbolts2"),
        ("nbg.icu02 TELE-ICU", "nbg.icu02"),
        ("hla_tech6 HLA typing, tech on call", "hla_tech6"),
    ],
)
def test_roles_of_usernames_are_nobody(text: str, mention: str) -> None:
    assert found(text, mention, "username") == [mention]


@pytest.mark.parametrize(
    ("text", "mention", "also"),
    [
        ("lpn.wubbolts2, told Wubbolts", "lpn.wubbolts2", "Wubbolts"),
        ("NUR.HWL charted, HWL aware", "NUR.HWL", "HWL"),
        ("mquist in, mquist out", "mquist", "mquist"),
        ("by reed.lis today, Lis signed", "reed.lis", "Lis"),
        ("lis.reed4 in, told Lis", "lis.reed4", "Lis"),
        ("Reg.Hwl in, told Reg", "Reg.Hwl", "Reg"),
    ],
)
def test_names_of_usernames_are_found_again(text: str, mention: str, also: str) -> None:
    assert found(text, mention, "username") == [mention, also]


def test_a_name_is_found_though_a_role_is_called_so() -> None:
    assert found("Ann Medic here. Medic left", "Ann Medic", "name") == ["Ann Medic", "Medic"]
