"""The subword tokenizer again, character by character and without any array."""

from __future__ import annotations

import unicodedata


def _is_joined(character: str) -> bool:
    """Tell whether a character belongs to the one before it."""
    if character in "\u200b\ufeff":
        return False
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")


def _family(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Lu", "Lt"):
        return "upper"
    if category.startswith("L"):
        return "lower"
    return "digit" if category == "Nd" else "single"


def _units(chunk: str) -> list[str]:
    units: list[str] = []
    for character in chunk:
        if units and _is_joined(character):
            units[-1] += character
        else:
            units.append(character)
    return units


def _begins_token(families: list[str], place: int, uppercase: str) -> bool:
    if place == 0:
        return True
    before, here = families[place - 1], families[place]
    if here == "digit":
        return before != "digit"
    if here == "single" or before in ("single", "digit"):
        return True
    if uppercase == "none" or here == "lower":
        return False
    if before == "lower" or uppercase == "every":
        return True
    return families[place + 1 : place + 3] == ["lower", "lower"]


def subword_bounds(text: str, *, uppercase: str) -> list[tuple[int, int]]:
    """Return the half-open bounds of the subwords of a text."""
    bounds: list[tuple[int, int]] = []
    offset = 0
    while offset < len(text):
        if text[offset].isspace():
            offset += 1
            continue
        end = offset
        while end < len(text) and not text[end].isspace():
            end += 1
        units = _units(text[offset:end])
        families = [_family(unit[0]) for unit in units]
        for place, unit in enumerate(units):
            if _begins_token(families, place, uppercase):
                bounds.append((offset, offset + len(unit)))
            else:
                bounds[-1] = (bounds[-1][0], offset + len(unit))
            offset += len(unit)
    return bounds
