"""What the service answers when it cannot do what is asked: problem+json (RFC 9457), by code.

A problem tells a code, where in the request, and what to do; never anything that was sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its status, and its title, which is the same each time."""

    status: int
    title: str


KINDS: Mapping[str, Kind] = {
    "bad-json": Kind(400, "The body is not valid JSON"),
    "bad-host": Kind(400, "The request names a host that this service does not serve"),
    "bad-request": Kind(400, "The request cannot be understood"),
    "no-token": Kind(401, "A token is needed"),
    "bad-token": Kind(401, "The token is not known"),
    "token-expired": Kind(401, "The token has expired"),
    "not-allowed": Kind(403, "The token is for the API alone"),
    "bad-origin": Kind(403, "The request comes from another site"),
    "not-found": Kind(404, "There is nothing at this address"),
    "bad-method": Kind(405, "This address does not know the method"),
    "body-too-slow": Kind(408, "The body did not arrive in time"),
    "conflict": Kind(409, "The request does not fit what is there"),
    "body-too-large": Kind(413, "The body is too large"),
    "bad-content-type": Kind(415, "The body must be JSON"),
    "invalid-request": Kind(400, "The request does not fit its schema"),
    "bad-text": Kind(400, "The text holds what is no character"),
    "bad-value": Kind(422, "A field has a value that cannot be used"),
    "bad-offsets": Kind(422, "A span does not fit its text"),
    "unknown-model": Kind(422, "The model is not served here"),
    "unknown-policy": Kind(422, "The policy is not served here"),
    "unknown-label": Kind(422, "The model does not know the label"),
    "policy-needs-key": Kind(422, "The policy needs a key that this service was not given"),
    "no-dial": Kind(422, "The model has no recall dial"),
    "document-failed": Kind(422, "The document could not be processed, so nothing is given out"),
    "queue-full": Kind(429, "Too many requests are waiting"),
    "internal": Kind(500, "Something went wrong that nobody foresaw"),
    "draining": Kind(503, "The service is shutting down"),
    "not-ready": Kind(503, "The service is starting"),
    "queue-timeout": Kind(503, "The request waited too long"),
    "worker-lost": Kind(503, "The process that worked on the request was lost"),
    "time-limit": Kind(504, "The request took longer than it may"),
}
"""Code -> status and title of every problem that the service answers with."""

_OF_STATUS = {400: "bad-request", 404: "not-found", 405: "bad-method", 413: "body-too-large"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a request: where (a JSON pointer), and what."""

    pointer: str
    message: str

    def to_json(self) -> dict[str, str]:
        """Return the fault as JSON."""
        return {"pointer": self.pointer, "message": self.message}


class Problem(HTTPException):
    """A request that is answered with a problem; `code` is one of `KINDS`.

    `detail` and `hint` must not hold anything of the request but numbers and places.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        hint: str = "",
        faults: Sequence[Fault] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        kind = KINDS[code]
        super().__init__(kind.status, detail or kind.title, headers=dict(headers or {}))
        self.code = code
        self.hint = hint
        self.faults = tuple(faults)

    def to_json(self) -> dict[str, Any]:
        """Return the problem as JSON, with the members of RFC 9457 and `code`, `hint`, `errors`."""
        kind = KINDS[self.code]
        told: dict[str, Any] = {
            "type": f"urn:scrubjay:problem:{self.code}",
            "title": kind.title,
            "status": kind.status,
            "code": self.code,
            "detail": self.detail,
        }
        if self.hint:
            told["hint"] = self.hint
        if self.faults:
            told["errors"] = [fault.to_json() for fault in self.faults]
        return told

    def response(self) -> Response:
        """Return the response that tells the problem."""
        content = json.dumps(self.to_json(), ensure_ascii=True).encode("ascii")
        return Response(
            content,
            status_code=self.status_code,
            media_type=CONTENT_TYPE,
            headers=dict(self.headers or {}),
        )


def problem_of(error: HTTPException) -> Problem:
    """Return the problem that an error of the framework is, without its own words."""
    if isinstance(error, Problem):
        return error
    code = _OF_STATUS.get(error.status_code, "internal" if error.status_code >= 500 else "")
    return Problem(code or "bad-request", headers=error.headers)
