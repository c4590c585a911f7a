"""Connections on which no request comes, or comes too slowly, are closed; others are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from scrubjay.web import heads
from scrubjay.web.heads import PunctualProtocol

WHOLE = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
PATIENCE = 60.0


async def answer(_request: Request) -> Response:
    """Answer after longer than a head may take."""
    await asyncio.sleep(3 * heads.SECONDS)
    return PlainTextResponse("here")


async def answer_early(_request: Request) -> Response:
    """Answer without a look at the body."""
    return PlainTextResponse("early")


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    app = Starlette(routes=[Route("/", answer), Route("/early", answer_early, methods=["POST"])])
    config = uvicorn.Config(app, http=PunctualProtocol, log_config=None, lifespan="off", ws="none")
    config.load()
    state = uvicorn.Server(config).server_state
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: PunctualProtocol(config, state, {}), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    try:
        yield reader, writer
    finally:
        writer.close()
        server.close()


@pytest.mark.parametrize("begun", [b"", WHOLE[:9], WHOLE[:-2]])
def test_a_late_head_ends_the_connection(begun: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "SECONDS", 0.2)

    async def speak() -> tuple[bytes, float]:
        async with connected() as (reader, writer):
            writer.write(begun)
            begin = asyncio.get_running_loop().time()
            told = await _read_all(reader)
            return told, asyncio.get_running_loop().time() - begin

    told, seconds = asyncio.run(speak())
    assert (told, seconds >= 0.15) == (b"", True)


def test_the_rest_of_a_body_that_was_answered_early_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heads, "SECONDS", 0.2)

    async def speak() -> bytes:
        async with connected() as (reader, writer):
            writer.write(b"POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
            told = await asyncio.wait_for(reader.readuntil(b"early"), PATIENCE)
            writer.write(b"x")
            return told + await _read_all(reader)

    told = asyncio.run(speak())
    assert told.startswith(b"HTTP/1.1 200 OK")
    assert told.endswith(b"early")


async def _read_all(reader: asyncio.StreamReader) -> bytes:
    """Return what comes until the connection ends, however it does."""
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE)
    except ConnectionError:
        return b""


def test_slow_answers_and_later_requests_are_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "SECONDS", 0.3)

    async def speak() -> list[bytes]:
        told = []
        async with connected() as (reader, writer):
            for _ in range(2):
                writer.write(WHOLE[:9])
                await asyncio.sleep(heads.SECONDS / 3)
                writer.write(WHOLE[9:])
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                told.append(head.split(b"\r\n")[0] + await reader.readexactly(4))
                # Between requests the time of uvicorn counts, not that of heads.
                await asyncio.sleep(2 * heads.SECONDS)
        return told

    assert asyncio.run(speak()) == [b"HTTP/1.1 200 OKhere"] * 2
