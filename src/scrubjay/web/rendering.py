"""Templates to pages: everything is escaped, and data for scripts travels as JSON in the page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from scrubjay import __version__
from scrubjay.errors import MissingExtraError
from scrubjay.labels import LabelSet, kind_of

if TYPE_CHECKING:
    from jinja2 import Environment

_COLOURS = {
    "name": 0, "initials": 0, "username": 0, "relative": 0, "address": 1, "territory": 1,
    "hospital": 1, "organization": 1, "street": 1, "city": 1, "state": 1,
    "country": 1, "zip": 1, "place": 1, "date": 2, "age": 3, "phone": 4, "email": 4, "url": 4,
    "ip": 4, "id": 5, "ssn": 5, "profession": 6,
}  # fmt: skip
_OTHER = 7
RESERVED_KEYS = frozenset("jkux")
"""Letters that are commands on the page to annotate."""


@dataclass(frozen=True, slots=True)
class LabelLook:
    """How a label looks on the pages: a colour of eight, and the key that gives it."""

    name: str
    colour: int
    key: str
    description: str


def label_looks(label_set: LabelSet, labels: Iterable[str] = ()) -> tuple[LabelLook, ...]:
    """Return the looks of the labels of a set, and of other labels, in order.

    A label's key is the first letter of its name that is free, and a digit where none is; a label
    that comes late in a large set may have none.
    """
    free = [key for key in "abcdefghijklmnopqrstuvwxyz1234567890" if key not in RESERVED_KEYS]
    looks = []
    for name in dict.fromkeys([*label_set.labels, *labels]):
        wanted = [letter for letter in name.casefold() if letter in free and letter.isalpha()]
        digits = [key for key in free if key.isdigit()]
        key = next(iter([*wanted, *digits, *free]), "")
        if key:
            free.remove(key)
        colour = _COLOURS.get(kind_of(label_set, name), _OTHER)
        description = label_set[name].description if name in label_set else ""
        looks.append(LabelLook(name, colour, key, description))
    return tuple(looks)


def looks_json(looks: Iterable[LabelLook]) -> list[dict[str, Any]]:
    """Return looks of labels as JSON."""
    return [asdict(look) for look in looks]


def render(request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
    """Return a page, or a part of one; raises `MissingExtraError` without jinja2."""
    project = request.app.state.project
    common = {
        "version": __version__,
        "path": request.url.path,
        "has_project": project is not None and request.state.may_review,
        "is_audit": project is not None and project.is_audit,
        "signs_in": bool(request.state.caller),
        "annotator": "",
    }
    text = _environment().get_template(template).render(**(common | values))
    return HTMLResponse(text, status_code=status)


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        raise MissingExtraError("jinja2", "serve") from None
    environment = Environment(
        loader=PackageLoader("scrubjay.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # In an element of JSON alone `</` could end it; the signs are written as escapes.
    environment.filters["data"] = lambda value: Markup(
        json.dumps(value, ensure_ascii=True).replace("<", "\\u003c").replace("&", "\\u0026")
    )
    environment.filters["percent"] = lambda value: "–" if value is None else f"{value:.1%}"
    environment.filters["thousands"] = lambda value: f"{value:,}"
    environment.filters["minutes"] = _minutes
    return environment


def _minutes(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
