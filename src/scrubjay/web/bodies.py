"""The bodies that pages send: JSON objects of few fields, and forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request

from scrubjay.web.invalid import parse_json
from scrubjay.web.problems import Problem


async def read_json(request: Request, fields: Mapping[str, type | tuple[type, ...]]) -> Any:
    """Return the JSON object of a body, which has these fields of these types and no other.

    Raises `Problem` without repeating anything of it.
    """
    told = parse_json(await request.body())
    if not isinstance(told, dict) or set(told) != set(fields):
        raise Problem("invalid-request", f"The fields are {', '.join(fields) or 'none'}")
    for name, kind in fields.items():
        value = told[name]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise Problem("invalid-request", f"The field {name} is of another type")
    return told


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form, as browsers send it; raises `Problem` for anything else."""
    if "application/x-www-form-urlencoded" not in request.headers.get("content-type", ""):
        raise Problem("bad-content-type", "The body must be a form")
    try:
        fields = parse_qs(
            (await request.body()).decode("utf-8"), keep_blank_values=True, max_num_fields=100
        )
    except ValueError:
        raise Problem("bad-request", "The form cannot be read") from None
    return {name: values[-1] for name, values in fields.items()}
