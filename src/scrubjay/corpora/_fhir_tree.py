"""Trees of resources with slots: filled with new texts, and written as JSON."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scrubjay.corpora._fhir_table import MASKED
from scrubjay.corpora._fhir_walk import REMOVED, IdSlot, Slot, stays_code
from scrubjay.corpora._markup import Markup
from scrubjay.corpora._shown import Shown
from scrubjay.corpora._skeleton import is_date
from scrubjay.corpora._titles import is_title
from scrubjay.corpora.metadata import SKELETON_KEY
from scrubjay.document import Document
from scrubjay.errors import FormatError

_MASKED: Any = object()
_STRUCTURE = ("resourceType", "contentType")
_NUMBER = re.compile(r"[1-9][0-9]{8,}")
_AGE = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.[0-9]+)?")


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


def render_tree(tree: Any, texts: Sequence[str], render_id: Callable[[IdSlot], str]) -> Any:
    """Return a tree with the texts in its slots.

    What has become nothing is left out. In the place of a date that has become no date, and a
    number that has become none, FHIR's extension for masked values stands.
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


def without_shown(tree: Any, shown: Shown) -> Any:
    """Return a tree without the codes and numbers that show an identifier of the record.

    Where one does, all that its object keeps besides goes, too: the text of a code tells what the
    code does. `REMOVED` where nothing is left. Ids stay: they are slots of their own.
    """
    if isinstance(tree, list):
        left = [made for each in tree if (made := without_shown(each, shown)) is not REMOVED]
        return left if left or not tree else REMOVED
    if isinstance(tree, Slot) and tree.how == "query" and shown(tree.facts["head"]):
        return replace(tree, facts={"head": tree.facts["head"].partition("=")[0] + "="})
    if not isinstance(tree, dict):
        return REMOVED if _shows(tree, shown) else tree
    coded = {key for key, value in tree.items() if _is_kept(value) and key not in _STRUCTURE}
    gone = coded if any(_shows(tree[key], shown) for key in coded) else set()
    if gone and tree.keys() & {"code", "system"} and not isinstance(tree.get("display"), dict):
        gone |= {"display"}  # taken out of a Coding: what reading back need not find
    filled = {
        key: made
        for key, value in tree.items()
        if key not in gone
        and (made := value if key in _STRUCTURE else without_shown(value, shown)) is not REMOVED
    }
    return filled if filled or not tree else REMOVED


def kept_in(tree: Any) -> Iterator[str]:
    """Yield the strings and numbers of a tree that stay as they are."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for each in tree.values() if isinstance(tree, dict) else tree:
            yield from kept_in(each)
    elif _is_kept(tree):
        yield str(tree)


def _is_kept(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _shows(value: Any, shown: Shown) -> bool:
    return _is_kept(value) and shown(str(value))


def _fill(slot: Slot, text: str) -> Any:
    facts = slot.facts
    if slot.how == "date":
        if len(text) == 10 and is_date(text):
            return text + facts["rest"]
        return text if is_date(text) and not facts["moment"] else _MASKED
    if slot.how == "number":
        return _Number(text + facts["rest"]) if _NUMBER.fullmatch(text) else _MASKED
    if slot.how == "age":
        return _Number(text) if _AGE.fullmatch(text) else _MASKED
    if slot.how in ("family", "given"):
        family, given = split_given(text, facts)
        return (family or REMOVED) if slot.how == "family" else (list(given) or REMOVED)
    if slot.how == "query":
        return facts["head"] + text if text else REMOVED
    if slot.how in ("text", "title", "code"):
        return text or REMOVED
    if "markup" in facts:
        text = Markup.from_json(facts["markup"]).render(text)
    if slot.how == "markup":
        return text
    try:
        return base64.b64encode(text.encode(facts["charset"])).decode("ascii")
    except UnicodeEncodeError:
        raise FormatError(f"{facts['charset']} cannot hold the new text") from None


def expected_parts(tree: Any, texts: Sequence[str], *, loose: Sequence[int]) -> Iterator[str]:
    """Yield the texts that must be found in a filled tree, in their order.

    These are all but those of dates and numbers that have become none, what looks like a code
    or a title now, where these are kept, and the `loose` ones.
    """
    lost = set(loose)
    lost |= {slot.part for slot in _slots(tree) if _is_lost(slot, texts[slot.part])}
    yield from (text for number, text in enumerate(texts) if number not in lost)


def _is_lost(slot: Slot, text: str) -> bool:
    if slot.how in ("date", "number", "age"):
        # The year that is left of a date in the place of a code looks like one.
        return _fill(slot, text) is _MASKED or (bool(slot.facts.get("coded")) and len(text) == 4)
    return (slot.how == "title" and is_title(text)) or (
        slot.how == "code" and stays_code(text, shared=slot.facts["shared"])
    )


def ids_of(document: Document) -> Iterator[str]:
    """Yield the ids and the ids of references in the tree of a document, as they are."""
    skeleton = document.metadata.get(SKELETON_KEY)
    yield from _ids(skeleton["tree"] if isinstance(skeleton, Mapping) else None)


def _ids(tree: Any) -> Iterator[str]:
    if isinstance(tree, IdSlot):
        yield tree.id
    elif isinstance(tree, dict | list):
        for each in tree.values() if isinstance(tree, dict) else tree:
            yield from _ids(each)


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


def split_given(text: str, facts: Mapping[str, Any]) -> tuple[str, Sequence[str]]:
    """Return family and given names of what a whole name became.

    What has another shape than the name had, such as a placeholder, goes to the family name, or to
    the first given name where there was no other.
    """
    family, rest = "", text
    if facts["family"]:
        if not facts["given"]:
            return text, ()
        pieces = text.split(", ")
        commas = facts["commas"] + 1
        family, rest = ", ".join(pieces[:commas]), ", ".join(pieces[commas:])
    words = rest.split(" ") if rest else []
    if len(words) != sum(facts["given"]):
        return family, (rest,) if rest else ()
    given, place = [], 0
    for count in facts["given"]:
        given.append(" ".join(words[place : place + count]))
        place += count
    return family, given
