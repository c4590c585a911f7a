"""What is wrong in a body, told without a word of it: its places, and our own words.

The names of unknown fields and of keys are what a client wrote, so they are told by number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.requests import Request

from scrubjay.near_names import suggest_near
from scrubjay.web import schemas
from scrubjay.web.problems import Fault, Problem

_MOST_FAULTS = 20
_MODELS = (
    schemas.DeidentifyText, schemas.DeidentifyDocuments, schemas.DocumentIn, schemas.GivenSpan,
    schemas.DenyTerm, schemas.Known,
)  # fmt: skip
_FIELDS = frozenset(name for model in _MODELS for name in model.model_fields)
_DEIDENTIFY_ALONE = schemas.DeidentifyText.model_fields.keys() - schemas.DetectText.model_fields
_MESSAGES: Mapping[str, str] = {
    "missing": "this field is needed",
    "string_type": "must be a string",
    "string_unicode": "must hold characters alone, no half of a surrogate pair",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
}
_LIMITS: Mapping[str, tuple[str, str]] = {
    "greater_than_equal": ("must be {} at least", "ge"),
    "less_than_equal": ("must be {} at most", "le"),
    "too_short": ("must have {} entries at least", "min_length"),
    "too_long": ("may have {} entries at most", "max_length"),
    "string_too_short": ("must have {} characters at least", "min_length"),
    "string_too_long": ("may have {} characters at most", "max_length"),
    "literal_error": ("must be {}", "expected"),
}


class StrictRequest(Request):
    """A request whose body is read as strict JSON: no NaN, no key twice, no deep nesting."""

    async def json(self) -> Any:
        """Return the body as JSON; raises `Problem`."""
        return parse_json(await self.body())


class StrictRoute(APIRoute):
    """A route whose body must be JSON, and is read by `StrictRequest`."""

    def get_route_handler(self) -> Any:
        """Return what answers a request of this route."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Any:
            if self.body_field is not None and not _is_json(request):
                raise Problem("bad-content-type", hint="Send Content-Type: application/json")
            return await handle(StrictRequest(request.scope, request.receive))

        return answer


def _is_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json"


def parse_json(body: bytes) -> Any:
    """Return a body as JSON; raises `Problem` that tells the place of what breaks it."""
    try:
        return json.loads(
            body.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_no_twins
        )
    except UnicodeDecodeError as error:
        raise Problem("bad-json", f"The body is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Problem("bad-json", f"The body is not JSON at character {error.pos}") from None
    except RecursionError:
        raise Problem("bad-json", "The body is nested too deeply") from None
    except ValueError:
        raise Problem("bad-json", "The body has a number that is too long") from None


def _no_constant(name: str) -> NoReturn:
    raise Problem("bad-json", f"{name} is not JSON")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Problem("bad-json", "An object has the same field twice")
    return found


def invalid_request(error: RequestValidationError) -> Problem:
    """Return the problem that a body is which does not fit the schema of its route."""
    found = error.errors()
    faults = [_fault(each, error.body) for each in found[:_MOST_FAULTS]]
    texts = all(each["type"] == "string_unicode" for each in found)
    count = len(found)
    detail = f"{count} faults, of which {_MOST_FAULTS} are told" if count > _MOST_FAULTS else ""
    return Problem("bad-text" if texts else "invalid-request", detail, faults=faults)


def _fault(error: Mapping[str, Any], body: Any) -> Fault:
    place = [part for part in error["loc"][1:] if part not in schemas.TAGS]
    if error["type"] == "extra_forbidden":
        parent, name = _walk(body, place[:-1]), place[-1]
        both = isinstance(parent, Mapping) and {"text", "documents"} <= parent.keys()
        if both and name in ("text", "documents"):
            return Fault("", "A request has either `documents` or the fields of one document.")
        hint = _elsewhere(name, place) or _near(name)
        return Fault(_pointer(place[:-1]), f"{_ordinal(parent, name)} is not known.{hint}")
    for number, part in enumerate(place):
        if isinstance(part, str) and part not in _FIELDS:
            # A key of an object that is no field, such as a label of `thresholds`.
            which = _ordinal(_walk(body, place[:number]), part)
            return Fault(_pointer(place[:number]), f"{which} {_message(error)}")
    return Fault(_pointer(place), _message(error))


def _walk(body: Any, place: Sequence[str | int]) -> Any:
    for part in place:
        try:
            body = body[part]
        except (KeyError, IndexError, TypeError):
            return None
    return body


def _pointer(place: Sequence[str | int]) -> str:
    return "".join(f"/{part}" for part in place)


def _ordinal(parent: Any, name: str | int) -> str:
    keys = list(parent) if isinstance(parent, Mapping) else []
    return f"field number {keys.index(name) + 1}" if name in keys else "a field"


def _elsewhere(name: str | int, place: Sequence[str | int]) -> str:
    """Return where a field belongs that has one of our names, and stands in the wrong place."""
    if name in _DEIDENTIFY_ALONE and len(place) == 1:
        return f" {name!r} belongs to /v1/deidentify."
    return f" {name!r} belongs to another part of a request." if name in _FIELDS else ""


def _near(name: str | int) -> str:
    return f" {suggest_near(str(name).lower()[:64], sorted(_FIELDS))}".rstrip()


def _message(error: Mapping[str, Any]) -> str:
    """Return what is wrong in our own words: those of the validator may quote the input."""
    kind = error["type"]
    if kind in _LIMITS:
        words, limit = _LIMITS[kind]
        return words.format(error["ctx"][limit])
    return _MESSAGES.get(kind, "cannot be used")
