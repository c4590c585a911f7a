"""Initials and names of who wrote or took over are found; examinations and words are left."""

from __future__ import annotations

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.people.writers import add_writers
from scrubjay.taggers.mending import mend


@pytest.mark.parametrize(
    ("text", "initials"),
    [
        ("Ontslag.\n\nAddendum 20-09, FH: belde de poli", "FH"),
        ("0514. \nLater toegevoegd 5-3, MT: nacht rustig", "MT"),
        ("[antwoord 8/6, ET: naam teruggehangen]", "ET"),
        ("Aanvulling 3 mei 14.20 u, RvdB: gebeld", "RvdB"),
        ("Vraagt attest. \n\nADP, vpk", "ADP"),
        ("naar huis. FH, avg i.o. bij EvW\n", "FH"),
        ("wie hij is.\nHB, verpleegk.\n", "HB"),
        ("Tom naar huis, gk neemt over.", "gk"),
        ("(+49 171), 00:58, nvl luisterde mee.", "nvl"),
        ("Lamberts is er niet, jk neemt waar.", "jk"),
        ("Aanvulling 3-5, MRI: geen afwijkingen", ""),
        ("Antwoord 3-5, ECG: normaal", ""),
        ("Addendum bij FH: geen", ""),
        ("op 20-09, FH: positief", ""),
        ("Hij neemt over, zij neemt waar, die luisterde mee", ""),
        ("en dan neemt het over", ""),
        ("verwezen naar HB, verpleegkundige komt morgen", ""),
        ("Gesprek met MRI, vpk", ""),
        ("CVA, huisarts belt terug", ""),
        ("", ""),
    ],
)
def test_initials_of_who_wrote(text: str, initials: str) -> None:
    found = add_writers(text, ())
    assert [text[s.start : s.end] for s in found] == ([initials] if initials else [])
    assert all(s.label == "INITIALS" for s in found)
    assert set(found) <= set(mend(text, [], "nl"))
    assert not set(found) & set(mend(text, [], "en"))
    assert mend(text, [], "nl", labels=frozenset(["DATE"])) == ()


def test_what_was_covered_stays() -> None:
    text = "Addendum 20-09, FH: belde"
    whole = (Span(16, 18, "NAME"),)
    assert add_writers(text, whole) == whole


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Gastdialyse regelen.\nSchilder, nefroloog", "Schilder"),
        ("Gastdialyse regelen.\n\nJ.P. de Wit, huisarts\n", "J.P. de Wit"),
        ("Beleid ok.\nVan den Berg-Smit, aios i.o.", "Van den Berg-Smit"),
        ("Beleid ok.\nBakker, fysiotherapeut.\n\n", "Bakker"),
    ],
)
def test_names_on_the_last_line(text: str, name: str) -> None:
    (span,) = add_writers(text, ())
    assert text[span.start : span.end] == name
    assert mend(text, [], "nl") == (span,)
    assert mend(text, [], "en") == ()
    assert mend(text, [], "nl", labels=frozenset(["DATE"])) == ()
    whole = (Span(span.start, span.end, "NAME"),)
    assert add_writers(text, whole) == whole


@pytest.mark.parametrize(
    "text",
    [
        "Schilder, nefroloog\nGastdialyse regelen.",
        "Overleg.\nSchilder, was nefroloog",
        "Overleg.\nschilder, nefroloog",
        "Overleg.\nKoorts, hoest",
        "Overleg. Schilder, nefroloog",
        "Overleg.\nVerwezen naar Schilder, nefroloog",
        "",
    ],
)
def test_other_lines_are_left(text: str) -> None:
    assert add_writers(text, ()) == ()
