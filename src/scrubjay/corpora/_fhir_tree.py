"""Trees of resources with slots: filled with new texts, and written as JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scrubjay.corpora._fhir_table import MASKED
from scrubjay.corpora._fhir_walk import REMOVED, IdSlot, Slot, split_given
from scrubjay.corpora._markup import Markup
from scrubjay.corpora._skeleton import is_date
from scrubjay.errors import FormatError

_MASKED: Any = object()


def render_tree(tree: Any, texts: Sequence[str], render_id: Callable[[IdSlot], str]) -> Any:
    """Return a tree with the texts in its slots.

    What has become nothing is left out. In the place of a date that has become no date FHIR's
    extension for masked values stands.
    """
    if isinstance(tree, Slot):
        return _fill(tree, texts[tree.part])
    if isinstance(tree, IdSlot):
        return render_id(tree)
    if isinstance(tree, list):
        made = [render_tree(each, texts, render_id) for each in tree]
        left = [each for each in made if each is not REMOVED and each is not _MASKED]
        return left if left or not tree else REMOVED
    if not isinstance(tree, dict):
        return tree
    filled: dict[str, Any] = {}
    for key, value in tree.items():
        made = render_tree(value, texts, render_id)
        if made is _MASKED:
            filled.setdefault(f"_{key}", MASKED)
        elif made is not REMOVED:
            filled[key] = made
    return filled if filled or not tree else REMOVED


def _fill(slot: Slot, text: str) -> Any:
    facts = slot.facts
    if slot.how == "date":
        return text + (facts["rest"] if len(text) == 10 else "") if is_date(text) else _MASKED
    if slot.how in ("family", "given"):
        family, given = split_given(text, facts)
        return (family or REMOVED) if slot.how == "family" else (list(given) or REMOVED)
    if slot.how == "text":
        return text or REMOVED
    if "markup" in facts:
        text = Markup.from_json(facts["markup"]).render(text)
    if slot.how == "markup":
        return text
    try:
        return base64.b64encode(text.encode(facts["charset"])).decode("ascii")
    except UnicodeEncodeError:
        raise FormatError(f"{facts['charset']} cannot hold the new text") from None


def expected_parts(tree: Any, texts: Sequence[str]) -> Iterator[str]:
    """Yield the texts that must be found in a filled tree, in their order: all but lost dates."""
    dates = {slot.part for slot in _slots(tree) if slot.how == "date"}
    for number, text in enumerate(texts):
        if number not in dates or is_date(text):
            yield text


def _slots(tree: Any) -> Iterator[Slot]:
    if isinstance(tree, Slot):
        yield tree
    elif isinstance(tree, dict | list):
        for each in tree.values() if isinstance(tree, dict) else tree:
            yield from _slots(each)


def dump_tree(tree: Any) -> str:
    """Return a tree as JSON on one line; numbers that came as text keep their digits."""
    if isinstance(tree, dict):
        pairs = (f"{_dump(key)}: {dump_tree(value)}" for key, value in tree.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(dump_tree, tree)) + "]"
    if isinstance(tree, str) and type(tree) is not str:
        return str(tree)
    return _dump(tree)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
