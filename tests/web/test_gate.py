"""Who may pass, how much may be sent, and that no log ever holds a word of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.testclient import TestClient

from scrubjay.web.app import create_app
from scrubjay.web.gate import SECURITY_HEADERS, SESSION_COOKIE, loopback_hosts
from scrubjay.web.service import Service, Settings
from scrubjay.web.tokens import TokenFile, new_token

CANARY = "Zebulon Quackenbush"
BEARER = "Authorization"


class Clock:
    """A time that a test can move."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def guarded(tmp_path: Path, clock: Clock) -> tuple[Service, str]:
    """Return a service, whose workers do not run, that asks for tokens, and such a token."""
    file = tmp_path / "tokens.json"
    secret, _ = new_token(file, "ward", days=10)
    return Service(["en-fast"], tokens=TokenFile(file, now=clock)), secret


def app_of(service: Service) -> FastAPI:
    """Return the app of a service, with routes of this test."""
    app = create_app(service)

    @app.post("/echo")
    async def echo(request: Request) -> Response:
        return PlainTextResponse(str(len(await request.body())))

    @app.get("/raise")
    async def raise_error() -> Response:
        raise ValueError(CANARY)

    @app.get("/page")
    async def page() -> Response:
        return PlainTextResponse("a page", headers={"Content-Security-Policy": "weak"})

    return app


@pytest.fixture
def client(guarded: tuple[Service, str]) -> Iterator[TestClient]:
    with TestClient(app_of(guarded[0]), follow_redirects=False) as client:
        yield client


@pytest.fixture
def open_client() -> Iterator[TestClient]:
    """Return a client of a service on loopback, without tokens."""
    settings = Settings(hosts=loopback_hosts(), max_body=100, max_upload=500)
    service = Service(["en-fast"], settings=settings)
    with TestClient(app_of(service), base_url="http://127.0.0.1:8000") as client:
        yield client


def code(answer: Any) -> str:
    return str(answer.json()["code"])


def test_a_token_opens_and_nothing_else_does(
    client: TestClient, guarded: tuple[Service, str]
) -> None:
    secret = guarded[1]
    assert code(client.get("/v1/models")) == "no-token"
    assert client.get("/v1/models").headers["www-authenticate"] == "Bearer"
    for wrong in (f"Bearer {secret}x", "Bearer ", "Basic abc", f"Bearer {secret[:-1]}"):
        answer = client.get("/v1/models", headers={BEARER: wrong})
        assert (answer.status_code, code(answer) in {"no-token", "bad-token"}) == (401, True)
        assert secret[:10] not in answer.text
    assert client.get("/v1/models", headers={BEARER: f"bearer {secret}"}).status_code == 200
    assert client.get("/healthz").status_code == 200
    assert code(client.get("/metrics")) == "no-token"
    assert code(client.get("/openapi.json")) == "no-token"


def test_an_expired_token_says_so(
    client: TestClient, guarded: tuple[Service, str], clock: Clock
) -> None:
    clock.ahead = timedelta(days=11)
    answer = client.get("/v1/models", headers={BEARER: f"Bearer {guarded[1]}"})
    assert (answer.status_code, code(answer)) == (401, "token-expired")


def test_a_browser_without_a_session_is_sent_to_sign_in(client: TestClient) -> None:
    answer = client.get("/page", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")


def test_a_session_reads_and_writes_from_its_own_pages_alone(
    client: TestClient, guarded: tuple[Service, str], clock: Clock
) -> None:
    service, secret = guarded
    mark = service.sessions.sign_in(secret)
    cookie = {"Cookie": f"other=1; {SESSION_COOKIE}={mark}"}
    assert client.get("/page", headers=cookie).status_code == 200
    own = {**cookie, "Origin": "http://testserver"}
    assert client.post("/echo", content=b"abc", headers=own).text == "3"
    for foreign in ("http://evil.example", "null", "http://testserver.evil.example"):
        answer = client.post("/echo", content=b"abc", headers={**cookie, "Origin": foreign})
        assert (answer.status_code, code(answer)) == (403, "bad-origin")
    site = {**cookie, "Sec-Fetch-Site": "cross-site"}
    assert code(client.post("/echo", content=b"abc", headers=site)) == "bad-origin"
    clock.ahead = timedelta(days=11)
    assert code(client.get("/page", headers=cookie)) == "token-expired"
    clock.ahead = timedelta()
    service.sessions.sign_out(mark)
    assert code(client.get("/page", headers=cookie)) == "no-token"


def test_only_names_of_this_machine_are_served_on_loopback(open_client: TestClient) -> None:
    for good in ("localhost:8000", "127.0.0.1", "[::1]:8000", "LOCALHOST", "localhost."):
        assert open_client.get("/healthz", headers={"Host": good}).status_code == 200
    for bad in ("evil.example", "localhost.evil.example:8000", "", "[", "127.0.0.1.nip.io"):
        answer = open_client.get("/healthz", headers={"Host": bad})
        assert (answer.status_code, code(answer)) == (400, "bad-host")


def test_another_site_cannot_write_where_no_token_is_asked_for(open_client: TestClient) -> None:
    answer = open_client.post("/echo", content=b"a", headers={"Origin": "http://evil.example"})
    assert code(answer) == "bad-origin"
    assert open_client.post("/echo", content=b"a").text == "1"


def test_every_answer_has_the_security_headers(open_client: TestClient) -> None:
    for path in ("/healthz", "/nothing", "/page", "/v1/detect", "/raise", "/openapi.json"):
        headers = open_client.get(path).headers
        assert {name: headers[name] for name in SECURITY_HEADERS} == dict(SECURITY_HEADERS)
        assert "access-control-allow-origin" not in headers
    assert "unsafe" not in SECURITY_HEADERS["Content-Security-Policy"]


def test_a_large_body_is_refused_by_what_it_says(open_client: TestClient) -> None:
    answer = open_client.post("/echo", content=b"x" * 101)
    assert (answer.status_code, code(answer)) == (413, "body-too-large")
    assert open_client.post("/echo", content=b"x" * 100).text == "100"
    assert open_client.post("/project/import", content=b"x" * 101).status_code == 404
    assert open_client.post("/project/import", content=b"x" * 501).status_code == 413


def talk(app: FastAPI, messages: Callable[[], AsyncIterator[dict[str, Any]]]) -> dict[str, Any]:
    """Post what comes bit by bit; return status, and how many bits were taken."""
    told: dict[str, Any] = {"taken": 0}

    async def scene() -> None:
        stream = messages()

        async def receive() -> dict[str, Any]:
            told["taken"] += 1
            return await anext(stream)

        async def send(message: Any) -> None:
            told.setdefault("status", message.get("status"))

        scope = {
            "type": "http", "method": "POST", "path": "/echo", "raw_path": b"/echo",
            "query_string": b"", "headers": [(b"host", b"localhost")], "scheme": "http",
            "asgi": {"version": "3.0"}, "http_version": "1.1", "root_path": "",
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
        }  # fmt: skip
        await app(scope, receive, send)

    asyncio.run(scene())
    return told


def test_a_body_without_length_is_refused_while_it_comes() -> None:
    service = Service(["en-fast"], settings=Settings(max_body=100))

    async def endless() -> AsyncIterator[dict[str, Any]]:
        while True:
            yield {"type": "http.request", "body": b"x" * 40, "more_body": True}

    told = talk(app_of(service), endless)
    assert (told["status"], told["taken"]) == (413, 3)


def test_a_body_that_stops_coming_is_given_up() -> None:
    service = Service(["en-fast"], settings=Settings(body_seconds=0.05))

    async def stuck() -> AsyncIterator[dict[str, Any]]:
        yield {"type": "http.request", "body": b"x", "more_body": True}
        await asyncio.sleep(600)

    assert talk(app_of(service), stuck)["status"] == 408


def test_no_log_holds_a_word_of_what_was_sent(
    open_client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    open_client.get("/raise")
    open_client.get(f"/{CANARY}", params={"text": CANARY}, headers={"X-Name": CANARY})
    open_client.post("/v1/detect", json={"text": "a", CANARY: CANARY})
    open_client.post("/echo", content=CANARY.encode())
    ours = [record for record in caplog.records if record.name.startswith("scrubjay")]
    shown = "\n".join(logging.Formatter().format(record) for record in ours)
    assert "POST /v1/detect 400" in shown
    assert "GET - 404" in shown
    assert "unexpected ValueError at tests.web.test_gate" in shown
    for record in caplog.records:
        if not record.name.startswith("http"):  # the test's client tells its own calls
            text = logging.Formatter().format(record)
            assert not any(word in text for word in CANARY.split()), record.name


def test_an_error_that_nobody_foresaw_tells_nothing(open_client: TestClient) -> None:
    answer = open_client.get("/raise")
    assert (answer.status_code, code(answer)) == (500, "internal")
    assert "Zebulon" not in answer.text


def test_a_draining_service_refuses_all_but_health(open_client: TestClient) -> None:
    service: Service = open_client.app.state.service  # type: ignore[attr-defined]
    service.draining = True
    assert open_client.get("/healthz").status_code == 200
    answer = open_client.get("/readyz")
    assert (answer.status_code, code(answer)) == (503, "draining")


def test_a_service_whose_workers_are_not_there_is_not_ready(open_client: TestClient) -> None:
    answer = open_client.get("/readyz")
    assert (answer.status_code, code(answer)) == (503, "not-ready")
