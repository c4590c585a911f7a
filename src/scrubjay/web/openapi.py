"""The description of the service by OpenAPI: what this service has, and every problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from scrubjay.web import problems as _problems
from scrubjay.web.schemas import ProblemOut
from scrubjay.web.service import Service

DESCRIPTION = (
    "Finds protected health information in clinical text and removes or replaces it. Nothing "
    "that is sent is kept or logged. Every answer that is none is a problem by RFC 9457 with a "
    "`code`, and never holds anything of the request but places and numbers."
)
ALWAYS = (
    "bad-request", "bad-host", "no-token", "bad-token", "token-expired", "bad-origin", "draining",
    "internal",
)  # fmt: skip
"""Problems that any route may answer with."""


def problems(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Return the responses of a route with these problems, and those of every route."""
    by_status: dict[int, list[str]] = {}
    for code in sorted({*ALWAYS, *codes}):
        by_status.setdefault(_problems.KINDS[code].status, []).append(code)
    return {
        status: {
            "description": "; ".join(_problems.KINDS[code].title for code in found),
            "content": {
                _problems.CONTENT_TYPE: {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "examples": {
                        code: {"value": _problems.Problem(code).to_json()} for code in found
                    },
                }
            },
        }
        for status, found in sorted(by_status.items())
    }


def describe_app(app: FastAPI, service: Service) -> dict[str, Any]:
    """Return the OpenAPI of an app, with the names that this service knows in its schemas."""
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title, version=app.version, description=DESCRIPTION, routes=app.routes
        )
        parts = found.setdefault("components", {})
        schemas = parts.setdefault("schemas", {})
        schemas["Problem"] = ProblemOut.model_json_schema(
            ref_template="#/components/schemas/{model}"
        )
        schemas.update(schemas["Problem"].pop("$defs", {}))
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        _name_what_is_served(schemas, service)
        if service.tokens is not None:
            parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            _ask_for_tokens(found["paths"])
        app.openapi_schema = found
    return app.openapi_schema


def _name_what_is_served(schemas: Mapping[str, Any], service: Service) -> None:
    """Put the names of models, policies and labels where requests name them."""
    labels = sorted(frozenset[str]().union(*(each.labels for each in service.models.values())))
    usable = [name for name, each in service.policies.items() if each.policy is not None]
    names = {"model": list(service.models), "policy": usable, "label": labels}
    for title, schema in schemas.items():
        if title not in REQUESTS:
            continue
        for name, allowed in names.items():
            if name in schema["properties"]:
                _limit(schema["properties"][name], allowed)
        if "thresholds" in schema["properties"]:
            schema["properties"]["thresholds"]["propertyNames"] = {"enum": labels}


REQUESTS = frozenset(
    ["DetectText", "DetectDocuments", "DeidentifyText", "DeidentifyDocuments", "GivenSpan",
     "DenyTerm"]
)  # fmt: skip
"""The schemas of requests that name models, policies or labels."""


def _limit(schema: dict[str, Any], allowed: list[str]) -> None:
    for choice in schema.get("anyOf", [schema]):
        if choice.get("type") == "string":
            choice["enum"] = allowed


def _ask_for_tokens(paths: Mapping[str, Any]) -> None:
    from scrubjay.web.gate import OPEN_PATHS

    for path, methods in paths.items():
        if path not in OPEN_PATHS:
            for operation in methods.values():
                operation["security"] = [{"token": []}]
