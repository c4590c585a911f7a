"""A walk through one FHIR resource: its texts taken out, the tree with slots left in their places.

What an element is tells `_fhir_table.py`; data types are known by their form.
"""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

from scrubjay.corpora import _fhir_table as table
from scrubjay.corpora._ages import is_age, tells_age
from scrubjay.corpora._codes import is_code
from scrubjay.corpora._displays import Said, is_read, is_shared
from scrubjay.corpora._markup import read_markup
from scrubjay.corpora._parts import Part
from scrubjay.corpora._skeleton import is_date
from scrubjay.corpora._titles import is_title
from scrubjay.errors import FormatError
from scrubjay.known.fhir import TELECOMS, kind_of_identifier

_LONGEST_CODE = 200
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
_QUERY = re.compile(r"[A-Z][A-Za-z]+\?identifier=(?:[^|&=\s]*\|)?(?=[^|&=]+\Z)")

_ELEMENT = re.compile(r"_?[a-z][A-Za-z0-9_]{0,63}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{60}[A-Za-z0-9+/_\r\n-]{140,}={0,2}\s*")
_LONG_NUMBER = 9  # digits, as telephones and numbers of persons have them, and few results do

_NAMES = ("family", "given")
_VALUES = ("valueInteger", "valueDecimal", "valueString", "ageString")
_ASKING = frozenset(["answer", "url"])
"""Elements of questions and extensions, whose values are what these say; so are those of codes."""

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
    said: Said = field(default_factory=Said)
    displays: list[str] = field(default_factory=list)
    """The displays of codes that are no parts."""
    loose: list[int] = field(default_factory=list)
    """The numbers of the parts that are displays: another walk may leave them in their places."""
    _owner: str = ""
    _of_age: bool = False
    """Whether the values of the observation, the question or the extension at hand are ages."""
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
        before = self._of_age
        if isinstance(found.get("code"), dict) or found.keys() & _ASKING:
            self._of_age = _asks_age(found)
        pairs = [(key, self._value(key, value, found)) for key, value in found.items()]
        self._of_age = before
        return {key: value for key, value in pairs if value is not REMOVED}

    def _value(self, key: str, value: Any, parent: Mapping[str, Any]) -> Any:
        if key in table.REMOVED or f"{key}:{self._owner}" in table.REMOVED:
            return REMOVED
        if key == "hash" and parent.keys() & {"contentType", "url", "data"}:
            return REMOVED
        if not _ELEMENT.fullmatch(key):
            # Names of elements stay as they are, and this may be a person's.
            return self._closed("an element has a name such as FHIR has none")
        if type(value) is str:  # numbers come as strings of their own kind
            return self._string(key, value, parent)
        if isinstance(value, list):
            items = [self._value(key, each, parent) for each in value]
            left = [each for each in items if each is not REMOVED]
            return left if left or not items else REMOVED
        if not isinstance(value, dict):
            return self._number(key, value, parent) if _is_number(value) else value
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
        if _is_address(key, found):
            return self._typed(found, table.ADDRESS)
        if key == "extension" and str(found.get("url")).endswith("/geolocation"):
            return REMOVED
        if kind := _kind_of_value(key, found):
            return self._typed(found, {"value": kind})
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
        named = _type_in(matched["head"]) if matched else ""
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
        if not (isinstance(value, str) or _is_number(value)):
            return self._value(key, value, {})
        return self._take(key, str(value), kind)

    def _number(self, key: str, value: Any, parent: Mapping[str, Any]) -> Any:
        """Return what becomes of a number: it may stand where FHIR has a string, or be none."""
        text = str(value)
        if self._is_age(key, text, parent):
            return self._take(key, text, "age", how="age")
        if key in ("id", "birthDate") or self._kind_of_string(key, parent):
            return self._string(key, text, parent)
        whole = text.rstrip("0").removesuffix(".") if "." in text else text
        if whole.isdigit() and len(whole) >= _LONG_NUMBER:
            return self._take(key, whole, how="number", facts={"rest": text[len(whole) :]})
        return value

    def _is_age(self, key: str, text: str, parent: Mapping[str, Any]) -> bool:
        """Tell whether a value is how many years old somebody is."""
        if key in _VALUES:
            return self._of_age and is_age(text)
        if key != "value" or not self._path:
            return False
        unit = parent.get("code") or parent.get("unit")
        of_age = self._path[-1].endswith("Age") or (
            self._of_age and self._path[-1] == "valueQuantity"
        )
        return of_age and is_age(text, unit)

    def _take(self, key: str, text: str, kind: str = "", **slot: Any) -> Any:
        """Take a text out, and return its slot."""
        if not text:
            return text
        name = ".".join([self._owner, *self._path, key])
        self.parts.append(Part(name, text, kind, mark=slot.pop("mark", "")))
        return Slot(len(self.parts) - 1, **slot)

    def _name(self, found: Mapping[str, Any]) -> dict[str, Any]:
        kind = self._person()
        found = {key: _as_strings(found[key]) if key in _NAMES else found[key] for key in found}
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
                values = value if isinstance(value, list) else [value]
                made = [self._title(key, each, kind) for each in values]
                left = [each for each in made if each is not REMOVED]
                tree[key] = left if isinstance(value, list) else (*left, REMOVED)[0]
            else:
                tree[key] = self._value(key, value, found)
        return {key: value for key, value in tree.items() if value is not REMOVED}

    def _title(self, key: str, value: Any, kind: str) -> Any:
        if not isinstance(value, str):
            return self._leaf(key, value, kind)
        return value if is_title(value) else self._take(key, value, kind, how="title")

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
        if key == "url" and self._path[-1:] in (["extension"], ["modifierExtension"]):
            return value
        if key in table.LINKS:
            return self._link(key, value)
        if key == "valueBase64Binary" or (key not in table.CODED and _BASE64.fullmatch(value)):
            return self._closed("an element holds binary data that cannot be looked into")
        shared = key in ("code", "display") and is_shared(parent.get("system"))
        if key == "display" and parent.keys() & {"code", "system"}:
            return self._display(value, shared=shared)
        if key == "version" and is_shared(parent.get("system")):
            return value
        date = _DATE.fullmatch(value)
        if date and is_date(date[1]) and (len(value) > 4 or key.endswith(_YEARS)):
            facts = {"rest": date[2] or "", "coded": key in table.CODED}
            facts["moment"] = bool(date[2]) and not table.INSTANTS.isdisjoint(
                (key, f"{key}:{self._owner}")
            )
            return self._take(key, date[1], "date", how="date", facts=facts)
        if (key in table.CODED and stays_code(value, shared=shared)) or _TIME.fullmatch(value):
            return value
        if key == "contentType" and _MIME.fullmatch(value):
            return value
        if key == "data" and _NUMBERS.fullmatch(value):
            return value
        kind = "age" if self._is_age(key, value, parent) else self._kind_of_string(key, parent)
        if key in table.CODED:
            return self._take(key, value, kind, how="code", facts={"shared": shared})
        return self._take(key, value, kind)

    def _display(self, value: str, *, shared: bool) -> Any:
        """Return the text of a code, taken out where it may tell of a person."""
        if not (self.said(value) or is_read(value, shared=shared)):
            self.displays.append(value)
            return value
        slot = self._take("display", value)
        self.loose += [slot.part] if isinstance(slot, Slot) else []
        return slot

    def _link(self, key: str, value: str) -> Any:
        """Return the slot of a reference to a resource, or of an address as a whole."""
        if key == "url" and value in table.RESOURCES:  # what a request makes
            return value
        if key == "url" and (query := _QUERY.match(value)):
            number = value[query.end() :]
            return self._take(key, number, "id", how="query", facts={"head": query[0]})
        found = _REFERENCE.fullmatch(value)
        whole = key in ("reference", "fullUrl")
        # `/Scans/JohnRoe` is a file, `/Binary/17` a resource.
        if found and (whole or _type_in(found["head"]) in table.RESOURCES):
            return IdSlot(found["head"], found["id"], found["tail"] or "")
        return self._take(key, value, "id" if whole else "url")

    def _kind_of_string(self, key: str, parent: Mapping[str, Any]) -> str:
        """Return the kind of the identifier that a string is as a whole, "" for free text."""
        if key == "valueString":
            name = str(parent.get("url")).rpartition("/")[2]
            kind = "street" if name.startswith(table.ADXP) else table.EXTENSIONS.get(name, "")
            return self._person() if kind == "person" else kind
        if key == "name" and self._owner in table.NAMED:
            return self._person()
        return table.VALUES.get(f"{key}:{self._owner}", table.VALUES.get(key, ""))


def _asks_age(found: Mapping[str, Any]) -> bool:
    """Tell whether an observation, a question or an extension is for an age."""
    said = found.get("code")
    codings = said.get("coding") if isinstance(said, dict) else None
    codes, names = (
        [],
        [found.get("text"), str(found.get("url")).rpartition("/")[2].rpartition("-")[2]],
    )
    for coding in codings if isinstance(codings, list) else []:
        if isinstance(coding, dict):
            codes.append(coding.get("code"))
            names.append(coding.get("display"))
    names += [said.get("text")] if isinstance(said, dict) else []
    codes.append(str(found.get("linkId")).strip("/"))
    return tells_age(codes, *names)


def stays_code(text: str, *, shared: bool) -> bool:
    """Tell whether a text looks like a code; `shared` is whether its system tells what it means."""
    return len(text) <= _LONGEST_CODE and is_code(text, bare=not shared)


def _is_number(value: Any) -> bool:
    """Tell whether a value is a number of JSON: those with a point are strings of their own."""
    return isinstance(value, int | str) and type(value) not in (bool, str)


def _as_strings(value: Any) -> Any:
    """Return numbers that stand where strings should as strings."""
    if isinstance(value, list):
        return [_as_strings(each) for each in value]
    return str(value) if _is_number(value) else value


def _is_address(key: str, found: Mapping[str, Any]) -> bool:
    named = key.lower().endswith("address") and found.keys() & table.ADDRESS.keys()
    return bool(named or found.keys() & {"line", "city", "postalCode", "district"})


def _kind_of_value(key: str, found: Mapping[str, Any]) -> str:
    """Return the kind of the `value` of a ContactPoint or an Identifier, "" for other objects."""
    value, system = found.get("value"), found.get("system")
    if type(value) is not str and not _is_number(value):
        return ""
    if isinstance(system, str) and system in TELECOMS:
        return TELECOMS[system]
    if "telecom" in key.lower() or key == "valueContactPoint":
        return "phone"
    # What has a system and a string, and no unit or code, is an Identifier, whatever its element.
    plain = type(value) is str and system and not found.keys() & {"code", "unit", "comparator"}
    if plain or "dentifier" in key or key == "requisition":
        return kind_of_identifier(found)
    return ""


def _type_in(head: str) -> str:
    """Return the type of resource that the head of a reference names."""
    return head.strip("/").rpartition("/")[2]
