"""The server: a socket, the workers, the log, and an orderly end.

At a signal it takes no new request, finishes those that run, and ends its workers.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from scrubjay.errors import ConfigError, OutputError
from scrubjay.web.app import create_app
from scrubjay.web.gate import describe, loopback_hosts
from scrubjay.web.heads import PunctualProtocol
from scrubjay.web.service import Service
from scrubjay.web.tokens import TokenFile

if TYPE_CHECKING:
    from scrubjay.review.project import Project

_BACKLOG = 256
_KEEP_ALIVE = 30
_GRACE = 5.0


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens; `cert` and `key` are files for TLS."""

    host: str = "127.0.0.1"
    port: int = 8000
    cert: Path | None = None
    key: Path | None = None

    @property
    def is_loopback(self) -> bool:
        """Tell whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def hosts(self, names: list[str]) -> frozenset[str] | None:
        """Return the names that requests may ask for, None for any.

        On loopback they are those of this machine, so that no page elsewhere can have a name of
        its own lead here.
        """
        if self.is_loopback:
            return loopback_hosts([self.host, *names])
        return frozenset(name.lower() for name in names) or None

    def listen(self) -> socket.socket:
        """Return the bound socket; raises `OutputError` where the address cannot be had."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            made = socket.create_server((self.host, self.port), family=family, backlog=_BACKLOG)
        except OSError as error:
            raise OutputError(
                f"{self.host} port {self.port} cannot be listened on ({error.strerror})",
                hint="Give another --port, or 0 for any that is free",
            ) from None
        # What is accepted inherits this. Head and body of an answer are written apart, and the
        # second would wait some 40 ms for the client to acknowledge the first.
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return made


def require_tls(address: Address) -> None:
    """Raise `ConfigError` for a certificate and key that no connection could be made with."""
    if address.cert is None:
        return
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # A key that is encrypted would else be asked for at the terminal.
        context.load_cert_chain(address.cert, address.key, password="")
    except OSError as error:  # those of ssl among them
        raise ConfigError(
            f"the certificate {address.cert} and the key {address.key} cannot be used "
            f"({error.strerror or error.args[0]})",
            hint="Give both in PEM, the key without a password, and the one of the certificate",
        ) from None


def open_tokens(file: Path | None, *, wanted: bool, address: Address) -> TokenFile | None:
    """Return the tokens that are asked for, or None where none are.

    They are asked for where a file is given, and must be beyond loopback unless `wanted` says
    otherwise. Raises `ConfigError` where there is no file, or none of its tokens is valid.
    """
    if file is None:
        if wanted and not address.is_loopback:
            raise ConfigError(
                f"whoever reaches {address.host} could use this service",
                hint="Give --token-file FILE (make it with: scrubjay token new NAME --file FILE), "
                "or --no-token where something in front of it asks for one",
            )
        return None
    if not wanted:
        raise ConfigError("there are a file of tokens and --no-token", hint="Leave one of them out")
    tokens = TokenFile(file)
    if not tokens.names():
        raise ConfigError(
            "there is no valid token", path=file,
            hint=f"Make one with: scrubjay token new NAME --file {file}",
        )  # fmt: skip
    return tokens


def serve(
    service: Service,
    address: Address,
    *,
    project: Project | Path | None = None,
    started: Callable[[str], None] = lambda url: None,
) -> None:
    """Serve until a signal asks to end; `started` is called with the URL once all is ready."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(_quiet_log())
        listening = stack.enter_context(contextlib.closing(address.listen()))
        stack.enter_context(service)
        config = uvicorn.Config(
            create_app(service, project=project),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            ws="none",
            http=PunctualProtocol,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=int(2 * service.settings.time_limit + _GRACE),
            ssl_certfile=address.cert,
            ssl_keyfile=address.key,
        )
        started(_url(address, listening))
        _Server(config, service).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends in order at a signal, and leaves the signal at that."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Refuse new requests from now on, and end when those that run have ended."""
        self._service.draining = True
        super().handle_exit(sig, frame)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals while the server runs; they are not raised again after it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        wanted = (signal.SIGINT, signal.SIGTERM)
        before = {each: signal.signal(each, self.handle_exit) for each in wanted}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def _url(address: Address, listening: socket.socket) -> str:
    scheme = "https" if address.cert is not None else "http"
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{scheme}://{host}:{listening.getsockname()[1]}"


class _NoWords(logging.Formatter):
    """Formats a record without the words of an exception, which may quote a document."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        record.exc_info = record.exc_text = record.stack_info = None
        if error is not None:
            record.msg, record.args = describe(error), ()
        return super().format(record)


@contextlib.contextmanager
def _quiet_log() -> Iterator[None]:
    """Log to standard error, one line a request, for as long as the server runs."""
    root = logging.getLogger()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_NoWords("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handlers, level = root.handlers[:], root.level
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
