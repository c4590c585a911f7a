"""The server as a process: it starts, answers, logs no text, and ends in order."""

from __future__ import annotations

import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from scrubjay.cli.main import run
from scrubjay.errors import ConfigError, OutputError
from scrubjay.web.server import Address, open_tokens
from scrubjay.web.tokens import new_token

ROOT = Path(__file__).resolve().parents[2]
CANARY = "Zebulon Quackenbush"


class Running:
    """A running server and what it has written to standard error."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", *arguments]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        self.lines: list[str] = []
        assert self.process.stderr is not None
        self._reader = threading.Thread(
            target=lambda: self.lines.extend(self.process.stderr or ()), daemon=True
        )
        self._reader.start()

    def url(self) -> str:
        end = time.monotonic() + 240
        while time.monotonic() < end:
            for line in list(self.lines):
                if found := re.search(r"at (https?://\S+)", line):
                    return found[1]
            assert self.process.poll() is None, self.lines
            time.sleep(0.05)
        raise AssertionError("it did not start")

    def end(self) -> str:
        """End it with a signal; return all that it wrote."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=120) == 0
        self._reader.join(timeout=60)
        return "".join(self.lines)


@pytest.fixture
def tokens(tmp_path: Path) -> tuple[Path, str]:
    file = tmp_path / "tokens.json"
    return file, new_token(file, "ward")[0]


@pytest.fixture
def server(tokens: tuple[Path, str]) -> Iterator[Running]:
    options = ["--port", "0", "--model", "en-fast", "--workers", "1"]
    with ended(
        Running("scrubjay.cli.main", "serve", *options, "--token-file", str(tokens[0]))
    ) as running:
        yield running


@contextmanager
def ended(running: Running) -> Iterator[Running]:
    """Give a running server, and end it in any case."""
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
        running.process.wait(timeout=60)
        for stream in (running.process.stdout, running.process.stderr):
            assert stream is not None
            stream.close()


def test_it_serves_and_ends_without_a_word_of_a_note(
    server: Running, tokens: tuple[Path, str]
) -> None:
    headers = {"Authorization": f"Bearer {tokens[1]}"}
    with httpx.Client(base_url=server.url(), headers=headers, timeout=120, trust_env=False) as web:
        described = web.get("/openapi.json").json()
        example = described["components"]["schemas"]["DetectText"]["examples"][0]
        for path, methods in described["paths"].items():
            # As a generated client would: each route by what OpenAPI tells of it.
            for method in methods:
                answer = web.request(method, path, json=example if method == "post" else None)
                assert str(answer.status_code) in methods[method]["responses"]
                assert answer.status_code == 200, (path, answer.text)
        known = {"name": [CANARY]}
        answer = web.post("/v1/deidentify", json={"text": f"Seen: {CANARY}.", "known": known})
        assert CANARY not in answer.json()["text"]
        web.post("/v1/deidentify", json={"text": 5, CANARY: CANARY})
        web.get(f"/{CANARY}")
        web.post("/v1/detect", content=b"\xff" + CANARY.encode(), headers={"X-A": CANARY})
        assert httpx.get(f"{server.url()}/v1/models", trust_env=False).status_code == 401
    written = server.end()
    assert "POST /v1/deidentify 200" in written
    assert "GET - 404" in written
    assert not any(word in written for word in (*CANARY.split(), "Ann Lee", tokens[1]))


def test_over_tls_it_answers_whoever_trusts_its_certificate(tmp_path: Path) -> None:
    cert, key = self_signed(tmp_path)
    files = ["--tls-cert", str(cert), "--tls-key", str(key)]
    options = ["--port", "0", "--model", "en-fast", "--workers", "1", *files]
    with ended(Running("scrubjay.cli.main", "serve", *options)) as running:
        url = running.url()
        trusting = ssl.create_default_context(cafile=cert)
        with httpx.Client(verify=trusting, timeout=120, trust_env=False) as web:
            answer = web.post(f"{url}/v1/deidentify", json={"text": "Seen by Dr. Ann Lee."})
        assert "Ann" not in answer.json()["text"]
        with pytest.raises(httpx.ConnectError, match=r"self.signed"):
            httpx.get(f"{url}/healthz", trust_env=False)
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            httpx.get(f"{url.replace('https', 'http')}/healthz", trust_env=False)
        running.end()


def test_a_key_of_another_certificate_or_with_a_password_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (cert, key), (_, other) = self_signed(tmp_path), self_signed(tmp_path / "other")
    locked = tmp_path / "locked.pem"
    locked.write_bytes(
        serialization.load_pem_private_key(key.read_bytes(), None).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    for wrong in (other, locked):
        files = ["--tls-cert", str(cert), "--tls-key", str(wrong)]
        assert run(["serve", "--model", "en-fast", *files]) == 2
        assert "cannot be used" in capsys.readouterr().err


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Return a new certificate for 127.0.0.1 and its key, as files."""
    folder.mkdir(exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


def test_at_a_signal_it_finishes_what_runs_and_takes_nothing_new(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    answers: list[httpx.Response] = []
    with ended(Running("tests.web.slow_server", str(gate))) as server:
        url = server.url()

        def ask() -> None:
            body = {"text": "wait"}
            answers.append(httpx.post(f"{url}/v1/detect", json=body, timeout=120, trust_env=False))

        asking = threading.Thread(target=ask)
        asking.start()
        until(lambda: in_flight(url) == 2)  # the note, and the question itself
        server.process.send_signal(signal.SIGTERM)
        until(lambda: refuses(url))
        assert not answers
        gate.touch()
        asking.join(timeout=120)
        assert server.process.wait(timeout=120) == 0
    assert [answer.status_code for answer in answers] == [200]


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true, for a minute at most."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "it did not become true within a minute"
        time.sleep(0.05)


def in_flight(url: str) -> int:
    told = httpx.get(f"{url}/metrics", timeout=60, trust_env=False).text
    found = re.search(r"^scrubjay_requests_in_flight (\d+)", told, re.MULTILINE)
    assert found is not None
    return int(found[1])


def refuses(url: str) -> bool:
    """Tell whether a new request is turned away: by the service, or by the system."""
    try:
        answer = httpx.post(f"{url}/v1/detect", json={"text": "a"}, timeout=60, trust_env=False)
    except httpx.TransportError:
        return True
    return answer.status_code == 503 and answer.json()["code"] == "draining"


def test_beyond_this_machine_a_token_is_needed(tokens: tuple[Path, str]) -> None:
    everywhere, here = Address("0.0.0.0"), Address("127.0.0.1")
    with pytest.raises(ConfigError, match="--token-file"):
        open_tokens(None, wanted=True, address=everywhere)
    assert open_tokens(None, wanted=False, address=everywhere) is None
    assert open_tokens(None, wanted=True, address=here) is None
    for address in (everywhere, here):
        opened = open_tokens(tokens[0], wanted=True, address=address)
        assert opened is not None
        assert opened.check(tokens[1]).name == "ward"
    with pytest.raises(ConfigError):
        open_tokens(tokens[0], wanted=False, address=here)


def test_a_file_without_a_valid_token_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    file.write_text('{"version": 1, "tokens": []}', "utf-8")
    with pytest.raises(ConfigError, match="no valid token"):
        open_tokens(file, wanted=True, address=Address())


def test_which_addresses_are_this_machine() -> None:
    for host in ("127.0.0.1", "127.1.2.3", "::1", "localhost"):
        assert Address(host).is_loopback
    for host in ("0.0.0.0", "10.0.0.1", "::", "localhost.evil.example"):
        assert not Address(host).is_loopback
    assert Address("0.0.0.0").hosts([]) is None
    assert Address("0.0.0.0").hosts(["Ward.example"]) == {"ward.example"}
    assert "localhost" in (Address().hosts([]) or ())


def test_what_is_accepted_sends_at_once() -> None:
    with (
        Address(port=0).listen() as listening,
        socket.create_connection(listening.getsockname(), timeout=30),
    ):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_an_address_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with Address(port=0).listen() as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OutputError, match="cannot be listened on"):
            Address(port=port).listen()
        assert run(["serve", "--model", "en-fast", "--port", str(port)]) == 2
    assert f"port {port}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--model", "nothing"], "unknown model"),
        (["--model", "en-fast", "--model", "en-fast"], "two models"),
        (["--model", "en-fast", "--policy", "hash"], "key"),
        (["--model", "en-fast", "--policy", "nothing"], "unknown policy"),
        (["--model", "en-fast", "--host", "0.0.0.0"], "--token-file"),
        (["--model", "en-fast", "--token-file", "nothing.json"], "cannot be read"),
        (["--model", "en-fast", "--tls-cert", "x"], "belong together"),
        (["--model", "en-fast", "--tls-cert", "x", "--tls-key", "x"], "cannot be used"),
    ],
)
def test_what_cannot_be_served_is_told_before_it_starts(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", *options]) == 2
    assert told in capsys.readouterr().err
