"""The gate: what every request passes before a route sees it, and every answer on its way out.

In: the host, the token or the session, the origin, the size of the body. Out: headers that
browsers obey, a line for the log and the metrics, and a problem where anything was raised. What
was sent never reaches a log: not the body, not the query, not the path where it is no route.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scrubjay.web.problems import Problem, problem_of

if TYPE_CHECKING:
    from scrubjay.web.service import Service

SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
"""Headers of every response; a route may set its own `Cache-Control` alone."""

SIGN_IN = "/sign-in"
SESSION_COOKIE = "scrubjay_session"
OPEN_PATHS = frozenset(["/healthz", "/readyz", SIGN_IN])
OPEN_FOLDERS = ("/static/",)
"""What needs no token: health, the page to sign in, and files that hold nothing of anybody."""

PROJECT = "/project"
"""Below this path are the pages of a project: closed to tokens for the API alone, and with bodies
as large as `max_upload`; elsewhere they may be as large as `max_body`."""

SAFE_METHODS = frozenset(["GET", "HEAD", "OPTIONS"])
ACCESS_LOG = logging.getLogger("scrubjay.access")
ERROR_LOG = logging.getLogger("scrubjay.service")


class Gate:
    """An ASGI app around another, that lets through what may pass."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        answer = _Answer(send)
        began = time.perf_counter()
        self._service.metrics.in_flight.inc()
        try:
            await self._pass(scope, receive, answer)
        finally:
            self._service.metrics.in_flight.dec()
            self._note(scope, answer, time.perf_counter() - began)

    async def _pass(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            headers = Headers(scope=scope)
            self._check_host(headers)
            if self._service.draining and scope["path"] != "/healthz":
                raise Problem("draining", hint="Ask another instance", headers=_CLOSE)
            self._check_caller(scope, headers)
            body = await self._read_body(scope, headers, receive)
            await self._app(scope, _replay(body, receive), answer.send)
        except _SignInError:
            await RedirectResponse(SIGN_IN, 303)(scope, receive, answer.send)
        except HTTPException as error:
            await _tell(problem_of(error), scope, receive, answer)
        except Exception as error:
            ERROR_LOG.error("%s", describe(error))
            await _tell(Problem("internal"), scope, receive, answer)

    def _check_host(self, headers: Headers) -> None:
        """Refuse a name that is not this service's: a page elsewhere may have had it point here."""
        allowed = self._service.settings.hosts
        if allowed is not None and _host_name(headers.get("host", "")) not in allowed:
            raise Problem("bad-host", hint="Use the address at which the service was started")

    def _check_caller(self, scope: Scope, headers: Headers) -> None:
        """Refuse who has neither token nor session, where tokens are asked for."""
        service, path = self._service, scope["path"]
        state = scope.setdefault("state", {})
        state["caller"], state["may_review"] = "", service.tokens is None
        if scope["method"] not in SAFE_METHODS and not _is_bearer(headers):
            # Without a token in a header a browser may have been made to send this.
            _check_origin(headers)
        if service.tokens is None or path in OPEN_PATHS or path.startswith(OPEN_FOLDERS):
            return
        try:
            if _is_bearer(headers):
                token = service.tokens.check(headers["authorization"][7:].strip())
            else:
                token = service.sessions.check(_cookie(headers, SESSION_COOKIE))
        except Problem:
            if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
                raise _SignInError from None
            raise
        state["caller"], state["may_review"] = token.name, not token.api_only
        if path.startswith(PROJECT) and token.api_only:
            raise Problem("not-allowed", hint="Have another token made, without --api-only")

    async def _read_body(self, scope: Scope, headers: Headers, receive: Receive) -> bytes:
        """Return the body; refuses it as soon as it is too large, and where it comes too slowly."""
        settings = self._service.settings
        most = settings.max_upload if scope["path"].startswith(PROJECT) else settings.max_body
        told = headers.get("content-length", "")
        if told.isdecimal() and int(told) > most:
            raise _too_large(most)
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(settings.body_seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Problem("bad-request", "The request broke off")
                    chunk = message.get("body", b"")
                    size += len(chunk)
                    if size > most:
                        raise _too_large(most)
                    chunks.append(chunk)
                    more = message.get("more_body", False)
        except TimeoutError:
            raise Problem("body-too-slow", headers=_CLOSE) from None
        return b"".join(chunks)

    def _note(self, scope: Scope, answer: _Answer, seconds: float) -> None:
        route = _route(scope)
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        self._service.metrics.note_request(method, route, answer.status, seconds)
        ACCESS_LOG.info(
            "%s %s %d %.1f ms %d bytes", method, route, answer.status, seconds * 1000, answer.size
        )


class _SignInError(Exception):
    """A page was asked for without a session: the browser is sent to the page to sign in."""


class _Answer:
    """Passes a response on with the headers of `SECURITY_HEADERS`, and counts its bytes."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0
        self.size = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                if name == "Cache-Control":
                    headers.setdefault(name, value)
                else:
                    headers[name] = value
        elif message["type"] == "http.response.body":
            self.size += len(message.get("body", b""))
        await self._send(message)


_METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
_CLOSE = {"Connection": "close"}


def _too_large(most: int) -> Problem:
    return Problem(
        "body-too-large",
        f"The body may have {most} bytes at most",
        hint="Send fewer or shorter documents at once",
        headers=_CLOSE,
    )


async def _tell(problem: Problem, scope: Scope, receive: Receive, answer: _Answer) -> None:
    if answer.status == 0:
        await problem.response()(scope, receive, answer.send)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body that was read already, then what comes after it."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _host_name(host: str) -> str:
    """Return the name in a `Host` header, in small letters, without port and brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_bearer(headers: Headers) -> bool:
    return headers.get("authorization", "")[:7].lower() == "bearer "


def _cookie(headers: Headers, name: str) -> str:
    for part in headers.get("cookie", "").split(";"):
        found, _, value = part.strip().partition("=")
        if found == name:
            return value
    return ""


def _check_origin(headers: Headers) -> None:
    """Refuse what a page of another site sends; who sends no origin is no browser."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
    # The scheme is not compared: one who ends TLS in front of the service changes it.
    own = origin is None or origin.lower().partition("://")[2] == headers.get("host", "").lower()
    if not own or site not in _OWN_SITES:
        raise Problem("bad-origin", hint="Use the service's own pages, or send a token")


_OWN_SITES = frozenset(["same-origin", "none"])


def _route(scope: Scope) -> str:
    """Return the template of the route that answered; a path that is none may hold anything."""
    template = getattr(scope.get("route"), "path", None)
    if isinstance(template, str):
        return template
    return "/static" if scope["path"].startswith(OPEN_FOLDERS) else "-"


def describe(error: BaseException) -> str:
    """Return class and place of an error; its own words may quote a document."""
    trace, place = error.__traceback__, "an unknown place"
    while trace is not None:
        place = f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"unexpected {type(error).__name__} at {place}"


def is_over_tls(request: Request) -> bool:
    """Tell whether who asks came over TLS; of one that ends in front the settings tell alone."""
    service: Service = request.app.state.service
    return request.url.scheme == "https" or service.settings.tls_in_front


def loopback_hosts(names: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of this machine, seen from itself, and others given."""
    return frozenset(["localhost", "127.0.0.1", "::1", *(name.lower() for name in names)])
