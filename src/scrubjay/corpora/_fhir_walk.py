"""A walk through one FHIR resource: its texts taken out, the tree with slots left in their places.

What an element is tells `_fhir_table.py`; data types are known by their form.
"""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from scrubjay.corpora import _fhir_table as table
from scrubjay.corpora._markup import read_markup
from scrubjay.corpora._parts import Part
from scrubjay.corpora._skeleton import is_date
from scrubjay.errors import FormatError
from scrubjay.known.fhir import kind_of_identifier

_CODE = re.compile(r"\S{1,200}")
_DATE = re.compile(
    r"([0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?)(T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
_TIME = re.compile(r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?")
_MIME = re.compile(r"[\w.+-]+/[\w.+-]+(?:\s*;\s*(?:charset|fhirVersion)=[\w.\"-]+)*")
_NUMBERS = re.compile(r"[0-9EUL.+\- ]*")
_YEARS = ("Date", "DateTime", "date", "start", "end", "issued", "authoredOn", "recorded")
_PLAIN = ("text/plain", "text/markdown", "text/csv")
_MARKED = ("text/html", "application/xhtml+xml")
_REFERENCE = re.compile(
    r"(?P<head>#|urn:uuid:|urn:oid:|(?:.*/)?[A-Z][A-Za-z]+/)(?P<id>[A-Za-z0-9.\-]{1,64})"
    r"(?P<tail>/_history/[A-Za-z0-9.\-]{1,64})?"
)

_DEEPEST = 100

REMOVED: Any = object()


@dataclass(frozen=True, slots=True)
class Slot:
    """Where the new text of a part goes in a tree, and how it is written there."""

    part: int
    how: str = "text"
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class IdSlot:
    """A logical id, or a reference to one: its parts stay, or the id becomes a digest."""

    head: str
    id: str
    tail: str = ""


@dataclass(slots=True, repr=False)
class Walk:
    """The walk through one resource; `unknown` is as in `_skeleton.UNKNOWN`."""

    unknown: str = "fail"
    parts: list[Part] = field(default_factory=list)
    refused: str = ""
    _owner: str = ""
    _path: list[str] = field(default_factory=list)

    def resource(self, found: Mapping[str, Any]) -> Any:
        """Return the tree of a resource, `REMOVED` for one that is left out."""
        kind = found.get("resourceType")
        if not isinstance(kind, str):
            raise FormatError("no FHIR resource: there is no resourceType")
        if kind not in table.RESOURCES:
            if self.unknown == "drop":
                return REMOVED
            if self.unknown == "fail":
                self.refused = self.refused or "no table knows this type of resource"
        before, self._owner = self._owner, kind
        tree = self._attachment(found) if kind == "Binary" else self._fields(found)
        self._owner = before
        return tree

    def entry(self, found: Mapping[str, Any]) -> Any:
        """Return the tree of an entry of a Bundle, `REMOVED` where its resource is left out."""
        self._owner = "Bundle"
        tree = self._fields(found)
        lost = "resource" in found and "resource" not in tree
        return REMOVED if lost else tree

    def _fields(self, found: Mapping[str, Any]) -> dict[str, Any]:
        pairs = ((key, self._value(key, value, found)) for key, value in found.items())
        return {key: value for key, value in pairs if value is not REMOVED}

    def _value(self, key: str, value: Any, parent: Mapping[str, Any]) -> Any:
        if key in table.REMOVED or f"{key}:{self._owner}" in table.REMOVED:
            return REMOVED
        if type(value) is str:  # numbers come as strings of their own kind
            return self._string(key, value, parent)
        if isinstance(value, list):
            items = [self._value(key, each, parent) for each in value]
            left = [each for each in items if each is not REMOVED]
            return left if left or not items else REMOVED
        if not isinstance(value, dict):
            return value
        if len(self._path) > _DEEPEST:
            raise FormatError("a resource nested too deeply")
        self._path.append(key)
        tree = self._object(key, value)
        self._path.pop()
        return tree

    def _object(self, key: str, found: dict[str, Any]) -> Any:
        if "resourceType" in found:
            return self.resource(found)
        if key == "text" and isinstance(found.get("div"), str):
            return self._narrative(found)
        if "family" in found or "given" in found or self._is_name(key, found):
            return self._name(found)
        if found.keys() & {"line", "city", "postalCode", "district"}:
            return self._typed(found, table.ADDRESS)
        system = found.get("system")
        if isinstance(found.get("value"), str):
            if isinstance(system, str) and system in table.TELECOMS:
                return self._typed(found, {"value": table.TELECOMS[system]})
            if "telecom" in key.lower() or key == "valueContactPoint":
                return self._typed(found, {"value": "phone"})
            if "dentifier" in key:
                return self._typed(found, {"value": kind_of_identifier(found)})
        if "reference" in found or ("display" in found and not found.keys() & {"code", "system"}):
            return self._typed(found, {"display": self._display_kind(key, found)})
        if isinstance(found.get("data"), str) and "origin" not in found:
            return self._attachment(found)
        return self._fields(found)

    def _is_name(self, key: str, found: Mapping[str, Any]) -> bool:
        return key in ("name", "valueHumanName") and isinstance(found.get("text"), str)

    def _person(self) -> str:
        """Return the kind of a name that stands here."""
        if self._owner == "Patient" and "contact" in self._path:
            return "relative"
        if self._owner == "Organization":
            return "staff"
        return table.PERSONS.get(self._owner, "name")

    def _display_kind(self, key: str, found: Mapping[str, Any]) -> str:
        matched = _REFERENCE.fullmatch(str(found.get("reference", "")))
        named = matched["head"].strip("/").rpartition("/")[2] if matched else ""
        kind = str(found.get("type") or named)
        if kind in table.RESOURCES:
            return table.PERSONS.get(kind, "")
        return table.ROLES.get(key, "")

    def _typed(self, found: Mapping[str, Any], kinds: Mapping[str, str]) -> dict[str, Any]:
        """Return an object of which some elements are identifiers as a whole."""
        tree: dict[str, Any] = {}
        for key, value in found.items():
            if key not in kinds:
                made = self._value(key, value, found)
            elif isinstance(value, list):
                made = [self._leaf(key, each, kinds[key]) for each in value]
            else:
                made = self._leaf(key, value, kinds[key])
            if made is not REMOVED:
                tree[key] = made
        return tree

    def _leaf(self, key: str, value: Any, kind: str) -> Any:
        if not isinstance(value, str):
            return self._value(key, value, {})
        return self._take(key, value, kind)

    def _take(self, key: str, text: str, kind: str = "", **slot: Any) -> Any:
        """Take a text out, and return its slot."""
        if not text:
            return text
        name = ".".join([self._owner, *self._path, key])
        self.parts.append(Part(name, text, kind, mark=slot.pop("mark", "")))
        return Slot(len(self.parts) - 1, **slot)

    def _name(self, found: Mapping[str, Any]) -> dict[str, Any]:
        kind = self._person()
        family, given = found.get("family") or "", found.get("given") or []
        plain = isinstance(family, str) and isinstance(given, list)
        if not plain or not all(isinstance(each, str) and each for each in given):
            return self._typed(found, {"family": kind, "given": kind, "text": kind})
        tree: dict[str, Any] = {}
        rest = " ".join(given)
        whole = f"{family}, {rest}" if family and rest else family or rest
        if whole:
            facts = {
                "family": bool(family),
                "commas": family.count(", "),
                "given": [len(each.split(" ")) for each in given],
            }
            slot = self._take("name", whole, kind)
        for key, value in found.items():
            if key in ("family", "given"):
                tree[key] = Slot(slot.part, key, facts) if value else value
            elif key == "text" and isinstance(value, str):
                tree[key] = self._take(key, value, kind)
            elif key in ("prefix", "suffix"):
                tree[key] = value
            else:
                tree[key] = self._value(key, value, found)
        return {key: value for key, value in tree.items() if value is not REMOVED}

    def _narrative(self, found: Mapping[str, Any]) -> dict[str, Any]:
        tree = self._fields({key: value for key, value in found.items() if key != "div"})
        return tree | {"div": self._marked(found["div"])}

    def _marked(self, source: str, **facts: Any) -> Any:
        text, markup = read_markup(source)
        facts["markup"] = markup.to_json()
        if not text:
            return markup.render("") if "charset" not in facts else REMOVED
        how = "base64" if "charset" in facts else "markup"
        return self._take("div", text, how=how, facts=facts, mark=markup.mark)

    def _attachment(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return an Attachment or a Binary: its content is text, or nobody can tell what it is."""
        data = found.get("data")
        left = {key: value for key, value in found.items() if key not in ("data", "size", "hash")}
        tree = self._fields(left)
        made = self._content(data, found.get("contentType")) if isinstance(data, str) else REMOVED
        return tree if made is REMOVED else tree | {"data": made}

    def _content(self, data: str, declared: Any) -> Any:
        message = Message()
        message["Content-Type"] = declared if isinstance(declared, str) else ""
        kind = message.get_content_type() if declared else ""
        charset = str(message.get_param("charset") or "utf-8")
        try:
            codecs.lookup(charset)
            text = base64.b64decode("".join(data.split()), validate=True).decode(charset)
            text.encode("utf-8")
        except (LookupError, ValueError):
            return self._closed("an attachment is no text of the charset that it declares")
        if kind in _PLAIN:
            return self._take("data", text, how="base64", facts={"charset": charset})
        if kind in _MARKED:
            return self._marked(text, charset=charset)
        return self._closed("an attachment is of a type that cannot be looked into")

    def _closed(self, reason: str) -> Any:
        if self.unknown != "drop":
            self.refused = self.refused or reason
        return REMOVED

    def _string(self, key: str, value: str, parent: Mapping[str, Any]) -> Any:
        if key == "id":
            return IdSlot("", value)
        if key in ("reference", "fullUrl", "url", "location"):
            found = _REFERENCE.fullmatch(value)
            if found and not (key == "url" and _is_extension(parent)):
                return IdSlot(found["head"], found["id"], found["tail"] or "")
        if key == "url":
            return value if _is_extension(parent) else self._take(key, value, "url")
        if key == "display" and parent.keys() & {"code", "system"}:
            return value
        date = _DATE.fullmatch(value)
        if date and is_date(date[1]) and (len(value) > 4 or key.endswith(_YEARS)):
            return self._take(key, date[1], "date", how="date", facts={"rest": date[2] or ""})
        if (key in table.CODED and _CODE.fullmatch(value)) or _TIME.fullmatch(value):
            return value
        if key == "contentType" and _MIME.fullmatch(value):
            return value
        if key == "data" and _NUMBERS.fullmatch(value):
            return value
        kind = table.VALUES.get(f"{key}:{self._owner}", table.VALUES.get(key, ""))
        if key == "valueString" and parent.get("url") == table.MAIDEN:
            kind = "relative"
        if key == "valueAddress":
            kind = "address"
        return self._take(key, value, kind)


def _is_extension(parent: Mapping[str, Any]) -> bool:
    return "extension" in parent or any(key.startswith("value") for key in parent)


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
