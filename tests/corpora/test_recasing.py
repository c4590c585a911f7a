"""Copies of documents in other capitals."""

import sys
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora import parse_inline
from scrubjay.corpora.recasing import MODES, Mode, recase_document, recased_copies
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.labels import Label, LabelSet
from tests.strategies import documents

NOTE = parse_inline(
    "<PATIENT>Ingrid Brandvold</PATIENT>, <PROFESSION>Welder</PROFESSION> of "
    "<CITY>Ogden Mills</CITY>\nMRN <MEDICALRECORD>AB-448</MEDICALRECORD>, <DATE>11 May</DATE>. "
    "Takes Lasix. Seen at <HOSPITAL>Platte Fork Hospital</HOSPITAL>",
    id="note",
)


def recased(mode: Mode, document: Document = NOTE) -> str:
    return recase_document(document, mode, rng=Random(1)).text


def copies_of(*given: Document, seed: int = 1, copies: int = 1, share: float = 1.0):
    return list(recased_copies(given, copies, seed=seed, share=share))


@given(documents(), st.sampled_from(list(MODES)), st.integers())
def test_a_text_keeps_its_length_its_spans_and_its_letters(document, mode, seed):
    copy = recase_document(document, mode, rng=Random(seed))
    assert len(copy.text) == len(document.text)
    assert copy.spans == document.spans
    assert copy.text.casefold() == document.text.casefold()
    assert copy.id == document.id


@given(st.lists(documents(), max_size=4), st.integers(0, 9), st.floats(0, 1))
def test_copies_follow_from_the_seed_whatever_the_order(given, seed, share):
    given = [Document(f"d{n}", one.text, one.spans) for n, one in enumerate(given)]
    made = copies_of(*given, seed=seed, copies=2, share=share)
    again = copies_of(*reversed(given), seed=seed, copies=2, share=share)
    assert sorted(made, key=lambda one: one.id) == sorted(again, key=lambda one: one.id)
    whole = {one.id: one for one in copies_of(*given, seed=seed, copies=2)}
    assert list(whole) == [f"{one.id}~{number}" for one in given for number in (1, 2)]
    assert all(whole[one.id] == one for one in made)
    assert len(made) % 2 == 0  # a document has all of its copies or none


def test_no_character_grows_or_becomes_another_letter():
    every = "".join(chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    for mode in MODES:
        copy = recased(mode, Document("all", every))
        assert len(copy) == len(every)
        assert copy.casefold() == every.casefold()
    assert recased("lower", Document("few", "İSΣ ẞ")) == "İsσ ß"
    assert recased("upper", Document("few", "ßéıﬁµ")) == "ßÉıﬁΜ"


def test_whole_texts():
    assert recased("lower") == NOTE.text.lower()
    assert recased("upper") == NOTE.text.upper()


def test_names_places_and_professions_alone():
    assert recased("mentions") == (
        "ingrid brandvold, welder of ogden mills\nMRN AB-448, 11 May. "
        "Takes Lasix. Seen at platte fork hospital"
    )


def test_mentions_may_overlap():
    spans = (Span(0, 8, "PATIENT"), Span(4, 12, "DOCTOR"), Span(10, 16, "DATE"))
    document = Document("d", "ABCDEFGHIJKLMNOPQR", spans)
    assert recased("mentions", document) == "abcdefghijklMNOPQR"


def test_labels_of_a_set_of_ones_own():
    own = LabelSet("own", (Label("STAFF", "NAME"), Label("WARD", "OTHER")))
    document = parse_inline("<STAFF>Lee</STAFF> on <WARD>Ward B</WARD>", id="d")
    copy = recase_document(document, "mentions", rng=Random(1), label_set=own)
    assert copy.text == "lee on Ward B"
    assert recased("mentions", document) == document.text


def test_lines_draw_each_by_itself():
    lines = recased("lines", Document("d", "Seen by Lee\r\n" * 2000)).splitlines(keepends=True)
    shares = [lines.count(f"{one}\r\n") / 2000 for one in ("seen by lee", "SEEN BY LEE")]
    assert shares == pytest.approx([0.5, 0.15], abs=0.04)
    assert set(lines) == {"seen by lee\r\n", "SEEN BY LEE\r\n", "Seen by Lee\r\n"}


def test_modes_and_documents_are_drawn_by_their_shares():
    given = [Document(f"d{n}", "Ab Cd", (Span(0, 2, "DOCTOR"),)) for n in range(2000)]
    made = [one.text for one in copies_of(*given)]
    # A text of one line: "lines" gives lower, upper and unchanged ones, too.
    wanted = {"ab cd": 0.575, "ab Cd": 0.25, "AB CD": 0.1225, "Ab Cd": 0.0525}
    assert {text: made.count(text) / 2000 for text in wanted} == pytest.approx(wanted, abs=0.04)
    assert len(copies_of(*given, share=0.3)) / 2000 == pytest.approx(0.3, abs=0.04)
    assert copies_of(*given, share=0) == []


def test_what_quotes_the_old_text_and_what_is_to_ignore_go():
    text = "Seen by Lee.\nKept here."
    metadata = {"brat.lines": ["#1 Lee"], "site": "A", "scrubjay.ignore": [[8, 11]]}
    (copy,) = copies_of(Document("d", text, (), metadata))
    assert copy.text.casefold() == "kept here."
    assert copy.metadata == {"site": "A"}


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_is_from_0_to_1(share):
    with pytest.raises(ConfigError, match="share"):
        copies_of(NOTE, share=share)


def test_an_unknown_mode_is_an_error():
    with pytest.raises(ConfigError, match="unknown mode"):
        recase_document(NOTE, "title", rng=Random(1))
