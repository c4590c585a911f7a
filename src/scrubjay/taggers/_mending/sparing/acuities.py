"""How sharply somebody sees is no date: "R 6/24, L 6/9 unaided", "VA 6/18 PH 6/6".

An acuity has the shape of a day and a month: the distance of the chart and that at which the line
is read by a good eye. Words beside it tell, or another acuity with the side that it is of.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_AROUND = 64
"""Characters of the line on each side of a mention that are looked at."""

_ACUITY = (
    r"(?:[36]/(?:4|5|6|7[.,]5|9|12|15|18|24|36|48|60)|"
    r"20/(?:1[0256]|2[05]|30|32|40|50|60|63|70|80|100|125|160|200|250|300|400|800))[+-]?\d?"
)
_SHAPE = re.compile(_ACUITY)
_SIDE = (
    r"(?:r(?:ight|e)?|l(?:eft|e)?|rechts|links|r?o[.]?[dsu]|b(?:oth|e)|eyes?|oog|"
    r"(?:in|of|the|her|his|and|to|with|from|improv\w+|improves|now|was|is|at|met|en)|"
    r"nip|ph|pin-?hole|(?:un)?(?:aided|corrected)|cc|sc|glasses|specs|bril|distance)"
)
# Sight in so many words, and nothing between it and the mention but sides and other acuities. Each
# stretch between is read in one way only: of several, those of a line would be without number.
_SIGHT = (
    r"(?:(?:visual[ ])?acuit(?:y|ies)|snellen|visus|(?:distance|right|left|[rl][.])[ ]vision|"
    r"vision|(?-i:[BU]?[BDC]?C?VA(?:[RL]|[ ]?[RL](?=\W))?)|(?-i:VO[DSU]|V[RL]E))"
)
_BEFORE = re.compile(
    rf"(?<!\w){_SIGHT}(?![^\W\d_])(?:[ \t:,;.=()/+-]|{_SIDE}(?!\w)|{_ACUITY}(?![/\d]))*+\Z",
    re.IGNORECASE,
)
# What tells of sight right beside it, or a side and another acuity with one.
_AFTER = re.compile(
    r"[ ,(]{0,2}(?:un-?aided|aided|un-?corrected|corrected|(?-i:PH|NIP)|pin-?hole|with[ ]"
    r"(?:pin-?hole|glasses|specs|correction)|met[ ]bril|sc|cc)(?!\w)",
    re.IGNORECASE,
)
_PINHOLE = re.compile(r"(?<!\w)(?:ph|pin-?hole|(?:un)?aided)[ :,]{1,2}\Z", re.IGNORECASE)
_OF_SIDE = r"(?<!\w)(?:RE|LE|OD|OS|R|L|re|le|od|os|right|left)[ .:]{1,2}"
_ON_SIDE = re.compile(rf"{_OF_SIDE}\Z")
_OTHER_SIDE = re.compile(rf"{_OF_SIDE}{_ACUITY}(?![/\d])")
_A_DAY = re.compile(r"\s(?:in|on|since|from|until|by|dated?|was[ ]on)[ ]\Z", re.IGNORECASE)
# Two letters may be a hospital of veterans: "seen at VA 6/12".
_VETERANS = re.compile(
    r"(?<!\w)(?:at|the|from|to|by|with|per|via|local|seen|went|(?i:admitted|discharged|followed|"
    r"hospitalized|referred|transferred|visited))[ ]VA,?[ ]\Z"
)


def may_be_acuity(mention: str) -> bool:
    """Tell whether a mention has the shape of an acuity, wherever it stands."""
    return _SHAPE.fullmatch(mention) is not None


def is_acuity(text: str, span: Span) -> bool:
    """Tell whether a mention of that shape is one."""
    if not may_be_acuity(text[span.start : span.end]) or text[span.end : span.end + 1] == "/":
        return False
    before = re.split(r"[\r\n]", text[max(0, span.start - _AROUND) : span.start])[-1]
    after = re.split(r"[\r\n]", text[span.end : span.end + _AROUND])[0]
    if _A_DAY.search(before) or _VETERANS.search(before):
        return False
    if _AFTER.match(after) or _PINHOLE.search(before) or _BEFORE.search(before):
        return True
    sided = _ON_SIDE.search(before)
    return sided is not None and bool(
        _OTHER_SIDE.search(before[: sided.start()]) or _OTHER_SIDE.search(after)
    )
