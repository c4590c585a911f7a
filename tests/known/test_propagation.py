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


@pytest.mark.parametrize(
    ("text", "mention", "also"),
    [
        ("MRS. ANN BERRY SLEPT. SHE EATS ONLY BERRY AND SOUP, AND SIGNS NOTHING.", "ANN BERRY", []),
        ("MRS. ANN BERRY SLEPT. THE WARD CALLED MRS. BERRY.", "ANN BERRY", ["BERRY"]),
        ("MRS. ANN QUILLFORD SLEPT. IT WAS QUILLFORD WHO RANG US.", "ANN QUILLFORD", ["QUILLFORD"]),
        ("Mrs. Ann Berry slept. The ward then called Berry at home.", "Ann Berry", ["Berry"]),
    ],
)
def test_among_capitals_an_everyday_word_needs_a_cue(
    text: str, mention: str, also: list[str]
) -> None:
    assert found(text, mention, "name") == [mention, *also]


def test_a_name_is_found_though_a_role_is_called_so() -> None:
    assert found("Ann Medic here. Medic left", "Ann Medic", "name") == ["Ann Medic", "Medic"]


@pytest.mark.parametrize("kind", ["place", "hospital"])
@pytest.mark.parametrize(
    "text",
    [
        "K3 Jansen, K 3,4, Na 138",
        "K3 Jansen, K3.4",
        "K3 Jansen, K 3 gebeld",
        "K3 Jansen, K3 mmol/l",
        "K3 Jansen, k3,4",
        "K3 Jansen, K\n3 dd",
        "P1 Jansen, P 1.24",
        "12A Jansen, de 12 a 14 h",
        "K 3 Jansen, K 3,4",
        "HB12 Jansen, Hb 12,5",
        "HB12 Jansen, Hb 12 g/dl",
    ],
)
def test_values_are_no_places_of_a_short_code(text: str, kind: str) -> None:
    mention = text.split(" Jansen")[0]
    assert found(text, mention, kind) == [mention]


@pytest.mark.parametrize(
    ("text", "mention", "also"),
    [
        ("K3 Jansen, naar K3.", "K3", "K3"),
        ("K3 Jansen, naar K3, 4 dagen", "K3", "K3"),
        ("K3 Jansen, naar k3", "K3", "k3"),
        ("K 3 Jansen, naar K 3 gebeld", "K 3", "K 3"),
        ("12A Jansen, naar 12A, 4 dagen", "12A", "12A"),
        ("IC3 Jansen, naar IC 3", "IC3", "IC 3"),
        ("kamer 3 Jansen, naar kamer-3", "kamer 3", "kamer-3"),
        ("K3 Jansen, naar K3 met spoed", "K3", "K3"),
    ],
)
def test_a_short_code_is_found_as_it_was_written(text: str, mention: str, also: str) -> None:
    assert found(text, mention, "place") == [mention, also]


@pytest.mark.parametrize(
    ("label", "wanted"), [("B", ["del Rio"]), ("PLACE", ["del Rio"]), ("DATE", ["del", "Rio"])]
)
def test_a_whole_name_takes_the_place_of_a_part_with_another_label(
    label: str, wanted: list[str]
) -> None:
    texts = ["Dr. del Río called", "DIG (del Rio) today"]
    found = [[Span(4, 11, "A")], [Span(9, 12, label)]]
    kinds = {"A": "name", "B": "name", "PLACE": "city", "DATE": "date"}
    rows = Propagation(kinds.__getitem__, "es").spread(texts, found)[1]
    assert [texts[1][span.start : span.end] for span in rows] == wanted


@pytest.mark.parametrize(
    ("text", "mention", "also"),
    [
        ("Zara Quill slept. Later Zara Qu-\nill ate", "Zara Quill", ["Zara Qu-\nill"]),
        ("Zara Quill slept. Ms. Qu-\r\n    ill ate", "Zara Quill", ["Qu-\r\n    ill"]),
        ("Zara Qu-\nill slept. Ms. Quill ate", "Zara Qu-\nill", ["Quill"]),
        ("Zara Quill-\nMarl slept. Ms. Marl ate", "Zara Quill-\nMarl", ["Marl"]),
        ("Zara Quill slept. In zara_quill.pdf", "Zara Quill", ["zara_quill"]),
        ("Zara Quill slept. She is qu-\nite ill", "Zara Quill", []),
    ],
)
def test_names_are_found_over_line_ends_and_in_names_of_files(
    text: str, mention: str, also: list[str]
) -> None:
    assert found(text, mention, "name") == [mention, *also]


@pytest.mark.parametrize(
    ("text", "mention", "also"),
    [
        ("S. Au called. PHYSICIAN: Au, S", "S. Au", ["Au, S"]),
        ("S. Au called. AU, S. read it; S.Au, S Au", "S. Au", ["AU, S", "S.Au"]),
        ("Au, S. Then S. Au called", "Au, S", ["S. Au"]),
        ("B. Ng called. B Ng here", "B. Ng", ["B Ng"]),
        ("S. Au called. Au (gold) <1, au, s. aureus", "S. Au", []),
        ("Bo Ng called. Ng, Bo", "Bo Ng", ["Ng, Bo"]),
        ("Hope Young called. YOUNG, HOPE", "Hope Young", ["YOUNG, HOPE"]),
        ("Hope Young called. So young, Hope said", "Hope Young", []),
        ("Young, H. called. Then H. Young, and H is young", "Young, H", ["H. Young"]),
        ("Rosa Bengala Neg was in. Urea neg, Kell NEG", "Rosa Bengala Neg", []),
    ],
)
def test_short_names_are_found_turned_and_with_an_initial(
    text: str, mention: str, also: list[str]
) -> None:
    assert found(text, mention, "name") == [mention, *also]
