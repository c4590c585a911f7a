"""Numbers of goods in a catalogue are nobody's: "cat. 00-7841", "REF 1808000 LOT REDT3317".

A tagger takes what stands beside a device for a number of the device that somebody has. Serial and
lot numbers are such; that by which anybody orders another one is not. Nor is a code of what is
declared or diagnosed, which many have: "prestatiecode 991516104", "ZI-nummer 15623446" (Dutch).
"""

from __future__ import annotations

import re

_BEFORE, _AFTER, _FURTHER = 40, 16, 40
"""Characters before a number in which its key stands, and after it in which a lot is told of,
or what it is."""

WARES = frozenset({"IDNUM", "DEVICE", "ID"})
"""Labels of numbers that may be such."""
_SIGNS = " .:#"
"""What stands right before such a number."""

_ORDERED = re.compile(
    r"(?<![\w-])(?:cat(?:alog(?:ue)?)?(?:[.#]|[ ]?(?:no|nr|num|number)[.#:]?)|catalog(?:ue)?|"
    r"re-?order|ndc)[.:#]?[ ]{0,2}[:#]?[ ]{0,2}\Z",
    re.IGNORECASE,
)
_CODED = (
    r"(?:diagnose|prestatie|zorgproduct|declaratie|product|fout|atc-?)code|zorgproduct|zi-?(?:nummer|nr)|"
    r"artikel(?:nummer|nr)|g-standaard|atc|hpk|prk|gpk|icd-?10|icpc|storing|error"
)
_CODE = re.compile(
    rf"(?<![\w-])(?:{_CODED}|prestatiecode[ ]\d{{4,9}},[ ]artikel|"
    r"(?:voorwaarden?|beperking(?:en)?):?[ ]code)\.?[ :#]{1,2}\Z",
    re.IGNORECASE,
)
# Behind "ICD", which is a device, too, a code is a letter and figures.
_DIAGNOSED = re.compile(r"(?<![\w-])icd[ :#]{1,2}[A-Z]\d\d(?:\.\d{1,2})?\Z", re.IGNORECASE)
_IS_CODE = re.compile(
    rf"\)?[ ](?:is|betreft)[ ](?:de|het|een)[ ](?:{_CODED})(?![\w-])", re.IGNORECASE
)
_REFERENCE = re.compile(r"(?<![\w-])ref[.:#]?[ ]{1,3}\Z", re.IGNORECASE)
_LOT = re.compile(r"[ \t,;|/]{1,12}(?:lot|batch|sn|s/n)(?!\w)", re.IGNORECASE)


def is_ware(text: str, start: int, end: int) -> bool:
    """Tell whether a number is one of a catalogue, by the key before it.

    "REF" is the key of a letter, too: a lot or a serial number has to stand behind the number.
    """
    if not start or text[start - 1] not in _SIGNS:
        return False
    before = text[max(0, start - _BEFORE) : start]
    if _REFERENCE.search(before):
        return _LOT.match(text, end, end + _AFTER) is not None
    return _ORDERED.search(before) is not None


def is_code(text: str, start: int, end: int) -> bool:
    """Tell whether a number is a code that many have, by the key before it or behind it (Dutch)."""
    if _IS_CODE.match(text, end, end + _FURTHER):
        return True
    floor = max(0, start - _BEFORE)
    return bool(_CODE.search(text, floor, start) or _DIAGNOSED.search(text, floor, end))
