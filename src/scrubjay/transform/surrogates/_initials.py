"""Initials that a reader of a note would take for something else: MD, RN, PT, BP.

Those of a surrogate are none of them: "JS called" is not to become "MD called".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from scrubjay.transform.person_names import PersonName

_WORDS = """
    md do rn np pa pt ot st rd sw cm ma gp ed er or icu am pm as at be by go he if in is it me my no
    of ok on so to up us we en de el la las los te op om al er van het een je ze zo
    bp hr rr ct mr us iv im po sc pr gi gu ob ha hd hs lp dm tb ms mi pe ra af cp hx dx tx rx fx sx
    ca na mg cl dc dr mw co ph ad id hf vs uo ac pc hb ht
    bid tid qid prn npo cbc bmp cmp ekg ecg mri cna lpn dnr dni dvt uti cad chf ckd crp inr ldl hdl
    tia cva gcs rom wbc rbc hct plt abg emg pcp acl tsh tpn bph mva her his she him and the not has
    was who pod qhs qam qpm von der den ter cdc cia dea epa fbi fda irs nhs nih nsa osha usa
"""
_TAKEN = frozenset(_WORDS.split())
_NO_LETTER = re.compile(r"[\W\d_]")


def are_initials(name: PersonName) -> bool:
    """Tell whether a mention is initials alone."""
    return bool(name.parts) and all(part.role == "initial" for part in name.parts)


def is_taken(text: str) -> bool:
    """Tell whether initials read as a word, a credential or a term of notes."""
    return _NO_LETTER.sub("", text).lower() in _TAKEN


def widened(text: str, letters: Callable[[str], str]) -> str:
    """Return two initials with one more between them, in their case and with their marks.

    `letters` gives a letter for a number of the draw. What has no two letters stays.
    """
    first = re.match(r"[^\W\d_]([\W_]*)", text)
    if first is None or first.end() == len(text):
        return text
    for number in range(24):
        middle = letters(str(number))
        middle = middle.upper() if text[first.end()].isupper() else middle
        new = text[: first.end()] + middle + first[1] + text[first.end() :]
        if not is_taken(new):
            return new
    return text
