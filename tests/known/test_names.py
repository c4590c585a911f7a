"""Names of known persons: every way of writing them is found, everyday words are not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.known._word_tables import fold
from scrubjay.known.people import nicknames, split_name
from scrubjay.known.words import split_words
from tests.known.samples import finder_of, named, shown
from tests.strategies import texts

HOLLOWELL = finder_of()
WIDE = "".join(chr(ord(mark) + 0xFEE0) for mark in "HOLLOWELL")


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("William Hollowell was seen.", ["William Hollowell"]),
        ("HOLLOWELL, WILLIAM Q. seen", ["HOLLOWELL, WILLIAM Q"]),
        ("HOLLOWELL,\r\nWILLIAM", ["HOLLOWELL,\r\nWILLIAM"]),
        ("william hollowell", ["william hollowell"]),
        ("Mr. Hollowell's wife", ["Hollowell"]),
        ("W. Hollowell, M.D.", ["W. Hollowell"]),
        ("W.Q.H. and W.H. of the U.S.W.", ["W.Q.H.", "W.H."]),
        ("William Henry Hollowell", ["William Henry Hollowell"]),
        ("Bill Hollowell pays; the bill is due", ["Bill Hollowell"]),
        ("He will come. Will came.", ["Will"]),
        ("wiliam hollowel, Hallowell", ["wiliam hollowel, Hallowell"]),
        ("Hollo well; H O L L O W E L L; Hollo-\nwell",
         ["Hollo well", "H O L L O W E L L", "Hollo-\nwell"]),
        ("Will Hollo-\n    well; HOLLO\u2010\r\n\tWELL",
         ["Will Hollo-\n    well", "HOLLO\u2010\r\n\tWELL"]),
        ("HollowellWilliam seen by SmithHollowell", ["HollowellWilliam", "Hollowell"]),
        ("H\u00f3llow\u00adell, Willi\u0301am", ["H\u00f3llow\u00adell, Willi\u0301am"]),
        (WIDE, [WIDE]),
        ("Rose called from the rose garden", ["Rose"]),
        ("Seen William. Hollowell left.", ["William", "Hollowell"]),
        ("The hollow is well", []),
        ("Dr. Tranquil and Mr. Holloway-Marsh", []),
    ],
)  # fmt: skip
def test_a_name_is_found_in_any_form(text: str, mentions: list[str]) -> None:
    spans = HOLLOWELL.find(text)
    assert [surface for surface, _ in shown(text, spans)] == mentions
    assert {span.label for span in spans} <= {"PATIENT"}


@pytest.mark.parametrize(
    ("given_names", "family", "language", "text", "mentions"),
    [
        (["Hasan"], "Forrest", "en", "he has an hour for rest, Hasan", ["Hasan"]),
        (["Sean"], "O'Brien", "en", "OBrien; O Brien; O’Brien's; OBRIEN, SEAN",
         ["OBrien", "O Brien", "O’Brien", "OBRIEN, SEAN"]),
        (["Ed"], "Li", "en", "Li 0.8; li; LI; Mr. Li; the ED", ["Li", "Li"]),
        (["Chad"], "Smith", "en", "Smith had pain. SMITH HAD PAIN", ["Smith", "SMITH"]),
        (["Mary", "Ann"], "McDonald", "en", "Mc Donald; MaryAnn; McDonlad; Mary-Ann",
         ["Mc Donald", "MaryAnn", "McDonlad", "Mary-Ann"]),
        (["Anh"], "Le", "en", "le; Le Anh; Mr. Le", ["Le Anh", "Le"]),
        (["María", "Dolores"], "García López", "es",
         "con dolores; GARCIA LOPEZ, DOLORES; Lola; García-López; Sra. García",
         ["GARCIA LOPEZ, DOLORES", "Lola", "García-López", "García"]),
        (["Jan"], "van der Berg", "nl", "Dhr. Van der Berg; Vanderberg; bergen op; J. van der Berg",
         ["Van der Berg", "Vanderberg", "J. van der Berg"]),
        (["Will"], "White", "en", "WHITE BLOOD CELLS\nwhite count; Seen by WHITE today",
         ["WHITE"]),
    ],
)  # fmt: skip
def test_everyday_words_are_left_alone(
    given_names: list[str], family: str, language: str, text: str, mentions: list[str]
) -> None:
    spans = named(*given_names, family=family, language=language).find(text)
    assert [surface for surface, _ in shown(text, spans)] == mentions


def test_typing_errors_show_in_the_source() -> None:
    exact, wrong = HOLLOWELL.find("Hollowell; Hollowlel")
    assert (exact.source, wrong.source) == ("known:name", "known:name~")
    assert exact.score is None


@pytest.mark.parametrize(
    ("text", "given_names", "family"),
    [
        ("Tranter, Ada M.", ("Ada", "M."), ("Tranter",)),
        ("Mrs. Ada Tranter", ("Ada",), ("Tranter",)),
        ("Ada van der Berg", ("Ada",), ("van", "der", "Berg")),
        ("Ada Tranter Jr.", ("Ada",), ("Tranter", "Jr.")),
        ("Tranter", (), ("Tranter",)),
        ("", (), ()),
    ],
)
def test_whole_names_fall_apart(
    text: str, given_names: tuple[str, ...], family: tuple[str, ...]
) -> None:
    name = split_name(text)
    assert (name.given, name.family) == (given_names, family)


def test_nicknames_go_both_ways() -> None:
    assert "bill" in nicknames(["William"])
    assert "william" in nicknames(["Bill"])
    assert nicknames(["Qwerty"]) == ()


@given(texts())
@settings(max_examples=100)
def test_folding_keeps_every_offset(text: str) -> None:
    assert len(fold(text)) == len(text)
    words = split_words(text)
    assert all(words.keys)
    assert all(a < b for a, b in zip(words.starts, words.ends, strict=True))


@st.composite
def _disguised(draw: st.DrawFn) -> str:
    """Return the name of the sample patient as a hurried person may write it."""
    first, last = draw(st.sampled_from([("William", "Hollowell"), ("Hollowell", "William")]))
    gap = draw(st.sampled_from([" ", "  ", ", ", "\n", "\u00a0", "-", ""]))
    case = draw(st.sampled_from([str.upper, str.lower, str.title]))
    if draw(st.booleans()):
        place = draw(st.integers(1, len(last) - 2))
        last = last[:place] + last[place + 1] + last[place] + last[place + 2 :]
    return case(first) + (gap or " ") + case(last)


@given(texts(), _disguised(), texts())
@settings(max_examples=100)
def test_a_disguised_name_leaves_no_letter_behind(before: str, name: str, after: str) -> None:
    text = f"{before}\n\n{name}\n\n{after}"
    start = len(before) + 2
    covered = {place for span in HOLLOWELL.find(text) for place in range(span.start, span.end)}
    left = [p for p in range(start, start + len(name)) if text[p].isalpha() and p not in covered]
    assert left == []
