"""Restoring: exact where nobody touched the text, certain or nothing where somebody did."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import EditedTextError
from scrubjay.transform._vault_records import VaultRecord, make_record
from scrubjay.transform.edits import Edit, apply_edits
from scrubjay.transform.policy import find_policy
from scrubjay.transform.restoring import restore_exactly, restore_partly

TEXT = "Jane Roe saw Dr. Lee on 3/4/2019. ROE, Jane went home. JANE ROE slept well."
SPANS = (
    Span(0, 8, "PATIENT"),
    Span(17, 20, "DOCTOR"),
    Span(24, 32, "DATE"),
    Span(34, 43, "PATIENT"),
    Span(55, 63, "PATIENT"),
)


def deidentify(policy: str = "placeholder") -> tuple[str, VaultRecord]:
    edited = apply_edits(TEXT, find_policy(policy).plan(Document("note", TEXT), SPANS))
    return edited.text, make_record("note", TEXT, found=SPANS, edited=edited)


@pytest.mark.parametrize("policy", ["placeholder", "mask", "redact", "safe-harbor"])
def test_an_untouched_text_comes_back(policy: str) -> None:
    new, record = deidentify(policy)
    for restore in (restore_exactly, restore_partly):
        restored = restore(new, record)
        assert restored.edited.text == TEXT
        assert restored.exact
        assert restored.mentions == len(restored.labels) == len(record.entries)


def test_empty_replacements_come_back_in_their_order() -> None:
    text = "ab cd"
    found = (Span(0, 1, "A"), Span(1, 2, "B"), Span(3, 5, "C"))
    edited = apply_edits(text, [Edit(span.start, span.end, "") for span in found])
    assert edited.text == " "
    record = make_record("note", text, found=found, edited=edited)
    assert restore_exactly(" ", record).edited.text == text
    assert restore_partly(" !", record).edited.text == "ab !"


def test_an_edited_text_is_refused_without_its_text() -> None:
    new, record = deidentify()
    with pytest.raises(EditedTextError, match="'note' was edited") as caught:
        restore_exactly(new + " ", record)
    assert not {"Jane", "Roe", "PATIENT", "slept"} & set(str(caught.value).split())


@pytest.mark.parametrize("policy", ["placeholder", "mask", "redact"])
@pytest.mark.parametrize(
    ("old", "new"), [(" saw ", " met "), (" on ", ""), (" went home", ""), (" slept", " slept: ")]
)
def test_around_one_change_everything_comes_back(policy: str, old: str, new: str) -> None:
    text, record = deidentify(policy)
    restored = restore_partly(text.replace(old, new), record)
    assert restored.edited.text == TEXT.replace(old, new)
    assert not restored.exact
    assert len(restored.labels) == len(record.entries)


def test_between_changes_only_what_is_certain_comes_back() -> None:
    text, record = deidentify()
    # Both ends change: nothing but the values themselves tells what stood there.
    changed = f"Note: {text.replace(' on ', ' at noon on ')} End."
    restored = restore_partly(changed, record)
    assert [entry.replacement for entry in record.entries][1:3] == ["[DOCTOR-1]", "[DATE-1]"]
    assert "Dr. Lee at noon on 3/4/2019." in restored.edited.text
    assert not restored.exact


def test_values_with_several_originals_do_not_come_back() -> None:
    text, record = deidentify("redact")
    restored = restore_partly(f"Note: {text} End.", record)
    assert restored.edited.text == f"Note: {text} End."
    assert (len(restored.labels), restored.mentions) == (0, 5)
    assert repr(restored) == "Restored(0 of 5 mentions, partial)"


def test_a_value_that_stands_elsewhere_or_too_often_does_not_come_back() -> None:
    text = "Anna met Bert"
    found = (Span(0, 4, "PATIENT"), Span(9, 13, "PATIENT"))
    for values, changed, expected in (
        (("Carl", "Dora"), "Oh: Carl met Dora!", "Oh: Anna met Bert!"),
        (("Carl", "Dora"), "Oh: Dora, Carl!", "Oh: Bert, Anna!"),
        (("Carl", "Dora"), "Oh: Carl met Carl!", "Oh: Carl met Carl!"),
        (("Carl", "Dora"), "Oh: Carla met Dora!", "Oh: Carla met Bert!"),
        (("Carl", "Carl"), "Oh: Carl met Carl!", "Oh: Carl met Carl!"),
        (("Carl", "Carl Dora"), "Oh: Carl met Carl Dora!", "Oh: Carl met Bert!"),
        (("Abe", "Dora"), "Oh: Abe met Dora!", "Oh: Abe met Bert!"),
    ):
        edits = [Edit(s.start, s.end, value) for s, value in zip(found, values, strict=True)]
        record = make_record("note", text, found=found, edited=apply_edits(text, edits))
        assert restore_partly(changed, record).edited.text == expected


PIECES = st.text("xy .\n", max_size=6)


@given(st.lists(PIECES, min_size=1, max_size=6), st.data())
def test_one_change_between_mentions_loses_none(gaps: list[str], data: st.DataObject) -> None:
    originals = [f"Name{number}" for number in range(len(gaps) - 1)]
    values = data.draw(st.sampled_from([["***"] * 9, [f"[P-{n}]" for n in range(9)]]))
    text, found, edits = gaps[0], list[Span](), list[Edit]()
    for original, value, gap in zip(originals, values, gaps[1:], strict=False):
        start = len(text)
        found.append(Span(start, start + len(original), "PATIENT"))
        edits.append(Edit(start, start + len(original), value))
        text += original + gap
    edited = apply_edits(text, edits)
    record = make_record("note", text, found=found, edited=edited)
    changed = list(gaps)
    changed[data.draw(st.integers(0, len(gaps) - 1))] = "#" + data.draw(PIECES) + "#"

    def joined(names: list[str]) -> str:
        return changed[0] + "".join(a + b for a, b in zip(names, changed[1:], strict=True))

    restored = restore_partly(joined(values[: len(originals)]), record)
    assert restored.edited.text == joined(originals)
    assert len(restored.labels) == len(originals)


@given(PIECES, PIECES, st.sampled_from(["", "##"]), st.booleans())
def test_an_empty_replacement_beside_a_change_stays_out(
    before: str, after: str, typed: str, first: bool
) -> None:
    text = f"Anna{before}Bert{after}Cleo"
    places = (0, 4 + len(before), 8 + len(before + after))
    found = tuple(Span(start, start + 4, "PATIENT") for start in places)
    edited = apply_edits(text, [Edit(span.start, span.end, "") for span in found])
    record = make_record("note", text, found=found, edited=edited)
    changed = typed + edited.text if first else edited.text + typed
    if not typed:
        expected = text
    elif first:
        expected = f"{typed}{before}Bert{after}Cleo" if before else f"{typed}{after}Cleo"
        expected = expected if before or after else typed
    else:
        expected = f"Anna{before}Bert{after}{typed}" if after else f"Anna{before}{typed}"
        expected = expected if before or after else typed
    assert restore_partly(changed, record).edited.text == expected


@given(st.text("[]P-12 x", max_size=20), st.integers(0, 40), st.integers(0, 40))
def test_any_change_leaves_a_text_of_originals_and_values(insert: str, a: int, b: int) -> None:
    text = "Anna x Bert x Anna x Cleo"
    found = tuple(Span(s, s + 4, "PATIENT") for s in (0, 7, 14, 21))
    values = ["[P-1]", "[P-2]", "[P-1]", "[P-3]"]
    edits = [Edit(s.start, s.end, v) for s, v in zip(found, values, strict=True)]
    edited = apply_edits(text, edits)
    record = make_record("note", text, found=found, edited=edited)
    a, b = sorted((min(a, len(edited.text)), min(b, len(edited.text))))
    changed = edited.text[:a] + insert + edited.text[b:]
    restored = restore_partly(changed, record)
    # Taking the names back by hand gives the changed text again: none went to a wrong place.
    back = restored.edited.text
    for original, value in (("Anna", "[P-1]"), ("Bert", "[P-2]"), ("Cleo", "[P-3]")):
        back = back.replace(original, value)
    assert back == changed
    assert len(restored.labels) <= restored.mentions


@pytest.mark.parametrize("policy", ["placeholder", "redact", "safe-harbor"])
def test_line_ends_and_columns_come_back_as_they_were(policy: str) -> None:
    text = "Name      Born\nRoe       1950\nJonathan  1961\nseen by Jane\n  Roe\nLee left\n"
    found = [
        Span(text.index(name), text.index(name) + len(name), "PATIENT")
        for name in ("Roe", "Jonathan", "Jane\n  Roe", "Lee")
    ]
    edited = apply_edits(text, find_policy(policy).plan(Document("note", text), found))
    record = make_record("note", text, found=found, edited=edited)
    assert restore_exactly(edited.text, record).edited.text == text
    assert restore_partly(edited.text + "!", record).edited.text == text + "!"


def test_a_value_over_a_line_end_is_known_without_it() -> None:
    text = "Seen by Jane\nRoe at noon, and Jane Roe left."
    found = [Span(8, 16, "PATIENT"), Span(30, 38, "PATIENT")]
    assert [text[span.start : span.end].split() for span in found] == [["Jane", "Roe"]] * 2
    edited = apply_edits(text, find_policy("placeholder").plan(Document("note", text), found))
    assert edited.text == "Seen by \n[PATIENT-1] at noon, and [PATIENT-1] left."
    record = make_record("note", text, found=found, edited=edited)
    changed = f"Was {edited.text.replace(chr(10), '')[:-1]} today."
    restored = restore_partly(changed, record)
    assert restored.edited.text.split() == f"Was {text[:-1]} today.".split()
