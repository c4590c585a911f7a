"""Tokens of the service: kept as hashes in a file, with a name and an end; and sessions.

A token is 32 random bytes, so that a plain SHA-256 of it cannot be searched for. The file is
JSON, written whole, for the owner's eyes alone; a running service sees its changes. Of several who
change it at once each waits for the other.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from scrubjay.errors import ConfigError, FormatError, InputError
from scrubjay.files import alone_with, read_bytes, replacing
from scrubjay.web.problems import Problem

VERSION = 1
PREFIX = "sjt_"
SESSION_SECONDS = 12 * 3600.0
LONGEST_DAYS = 3650

_LOG = logging.getLogger("scrubjay.service")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_MOST_SESSIONS = 1_000
_CHALLENGE = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token as the file has it: whose it is, its hash, and when it was made and ends (UTC).

    One that is `api_only` does not open the project that a service shows.
    """

    name: str
    sha256: str
    created: str
    expires: str
    api_only: bool = False

    def is_expired(self, now: datetime) -> bool:
        """Tell whether the token has ended."""
        return now >= datetime.fromisoformat(self.expires)


def read_tokens(path: Path) -> tuple[Token, ...]:
    """Return the tokens of a file, in their order; raises `FormatError` and `InputError`."""
    content = read_bytes(path, hint=f"Make it with: scrubjay token new NAME --file {path}")
    try:
        told = json.loads(content)
        if told["version"] != VERSION:
            raise FormatError(
                f"a file of tokens of version {int(told['version'])}", path=path,
                hint=f"This release reads version {VERSION}",
            )  # fmt: skip
        tokens = tuple(Token(**entry) for entry in told["tokens"])
        for token in tokens:
            _require_token(token)
        if len({token.name for token in tokens}) < len(tokens):
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError):
        raise FormatError(
            "is no file of tokens", path=path, hint="Make one with: scrubjay token new"
        ) from None
    return tokens


def new_token(
    path: Path, name: str, *, days: int = 90, api_only: bool = False
) -> tuple[str, Token]:
    """Add a token to a file, which is made where there is none; return it and its entry.

    The token itself is told this once. Raises `ConfigError` for a name that is taken or cannot
    be one, and for an end that is not 1 to 3650 days off.
    """
    if _NAME.fullmatch(name) is None:
        raise ConfigError(
            "the name of a token is 1 to 64 letters, digits, dots, hyphens and underscores"
        )
    if not 1 <= days <= LONGEST_DAYS:
        raise ConfigError(f"a token lasts 1 to {LONGEST_DAYS} days, not {days}")
    secret = PREFIX + secrets.token_urlsafe(32)
    now = datetime.now(UTC).replace(microsecond=0)
    ends = now + timedelta(days=days)
    token = Token(name, _hash(secret), now.isoformat(), ends.isoformat(), api_only)
    with alone_with(path):
        tokens = read_tokens(path) if path.exists() else ()
        if any(other.name == name for other in tokens):
            raise ConfigError(
                f"there is a token named {name!r} already", path=path,
                hint="Revoke it, or name another",
            )  # fmt: skip
        _write(path, (*tokens, token))
    return secret, token


def revoke_token(path: Path, name: str) -> None:
    """Take a token out of a file; a running service refuses it from then on."""
    read_tokens(path)  # what is no such file is told before anything is made beside it
    with alone_with(path):
        tokens = read_tokens(path)
        if all(token.name != name for token in tokens):
            raise ConfigError(
                "there is no token of that name", path=path,
                hint=f"Known: {', '.join(token.name for token in tokens) or 'none'}",
            )  # fmt: skip
        _write(path, tuple(token for token in tokens if token.name != name))


class TokenFile:
    """The tokens of a file, read anew where it has changed; safe to use from several threads.

    A file that cannot be read any more lets nobody in.
    """

    def __init__(self, path: Path, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        self._path = path
        self._now = now
        self._lock = threading.Lock()
        self._tokens: tuple[Token, ...] = ()
        self._state: tuple[int, int, int] | None = None
        self._refresh()

    def names(self) -> tuple[str, ...]:
        """Return the names of the tokens that have not ended."""
        now = self._now()
        return tuple(token.name for token in self._current() if not token.is_expired(now))

    def find(self, sha256: str) -> Token | None:
        """Return the token with a hash, None where it was revoked or is over."""
        now = self._now()
        for token in self._current():
            if token.sha256 == sha256 and not token.is_expired(now):
                return token
        return None

    def check(self, secret: str) -> Token:
        """Return a token; raises `Problem` for one that is unknown, absent or over."""
        if not secret:
            raise Problem("no-token", hint=_HINT, headers=_CHALLENGE)
        digest = _hash(secret)
        found: Token | None = None
        for token in self._current():
            # Each is compared, in a time that does not tell how much of it was right.
            if hmac.compare_digest(token.sha256, digest):
                found = token
        if found is None:
            raise Problem("bad-token", hint=_HINT, headers=_CHALLENGE)
        if found.is_expired(self._now()):
            raise Problem(
                "token-expired",
                hint="Have a new one made: scrubjay token new",
                headers=_CHALLENGE,
            )
        return found

    def _current(self) -> tuple[Token, ...]:
        with self._lock:
            try:
                self._refresh()
            except InputError as error:
                if self._tokens or self._state is not None:
                    _LOG.error("nobody is let in any more: %s", error)
                self._tokens, self._state = (), None
            return self._tokens

    def _refresh(self) -> None:
        try:
            found = self._path.stat()
            state = (found.st_mtime_ns, found.st_size, found.st_ino)
        except OSError:
            state = None
        if state is None or state != self._state:
            self._tokens = read_tokens(self._path)
            self._state = state


@dataclass(frozen=True, slots=True)
class _Session:
    sha256: str
    ends: float


class Sessions:
    """Who has signed in with a browser: a random mark for each, in memory, for twelve hours.

    A session ends with its token, too. There are none where no tokens are asked for.
    """

    def __init__(
        self, tokens: TokenFile | None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tokens = tokens
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: dict[str, _Session] = {}

    def sign_in(self, secret: str) -> str:
        """Return the mark of a new session, for its cookie; raises `Problem` as `check` does."""
        if self._tokens is None:
            raise Problem("bad-token", hint="This service asks for no tokens")
        token = self._tokens.check(secret)
        mark = secrets.token_urlsafe(32)
        with self._lock:
            now = self._clock()
            self._sessions = {k: v for k, v in self._sessions.items() if v.ends > now}
            while len(self._sessions) >= _MOST_SESSIONS:
                del self._sessions[min(self._sessions, key=lambda key: self._sessions[key].ends)]
            self._sessions[_hash(mark)] = _Session(token.sha256, now + SESSION_SECONDS)
        return mark

    def check(self, mark: str) -> Token:
        """Return the token that a session began with; raises `Problem` otherwise."""
        with self._lock:
            session = self._sessions.get(_hash(mark)) if mark else None
        if session is None or self._tokens is None or session.ends <= self._clock():
            raise Problem("no-token", hint=_HINT, headers=_CHALLENGE)
        token = self._tokens.find(session.sha256)
        if token is None:
            raise Problem("token-expired", hint=_HINT, headers=_CHALLENGE)
        return token

    def sign_out(self, mark: str) -> None:
        """End a session; nothing happens where there is none."""
        with self._lock:
            self._sessions.pop(_hash(mark), None)


_HINT = "Send it in a header: Authorization: Bearer TOKEN"


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _require_token(token: Token) -> None:
    """Raise `ValueError` for an entry that cannot be one."""
    if not re.fullmatch(r"[0-9a-f]{64}", token.sha256) or not isinstance(token.name, str):
        raise ValueError
    if not isinstance(token.api_only, bool):
        raise ValueError
    if datetime.fromisoformat(token.expires).tzinfo is None:
        raise ValueError


def _record(token: Token) -> dict[str, Any]:
    """Return the entry of a token; what it may do stands there where it is less than all."""
    entry = asdict(token)
    if not token.api_only:
        del entry["api_only"]
    return entry


def _write(path: Path, tokens: tuple[Token, ...]) -> None:
    told: Mapping[str, Any] = {"version": VERSION, "tokens": [_record(token) for token in tokens]}
    content = (json.dumps(told, indent=1) + "\n").encode("utf-8")
    with replacing(path, private=True) as file:
        file.write(content)
