"""Tokens are kept as hashes, end, and can be revoked while a service runs."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from scrubjay.cli.main import run
from scrubjay.errors import ConfigError, FormatError, InputError, OutputError
from scrubjay.files import alone_with
from scrubjay.web import tokens as tokens_module
from scrubjay.web.problems import Problem
from scrubjay.web.tokens import Sessions, TokenFile, new_token, read_tokens, revoke_token


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def code(tokens: TokenFile, secret: str) -> str:
    try:
        tokens.check(secret)
    except Problem as problem:
        return problem.code
    return ""


def test_the_file_holds_the_hash_alone_and_is_the_owners(file: Path) -> None:
    secret, token = new_token(file, "ward")
    content = file.read_text("utf-8")
    assert secret not in content
    assert secret.removeprefix("sjt_") not in content
    assert token.sha256 in content
    assert os.name != "posix" or file.stat().st_mode & 0o077 == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_no_token_is_lost_where_several_are_made_at_once(file: Path) -> None:
    names = [f"ward-{number}" for number in range(12)]
    new_token(file, "leaver")
    with ThreadPoolExecutor(8) as pool:
        made = [pool.submit(new_token, file, name) for name in names]
        revoked = pool.submit(revoke_token, file, "leaver")
        secrets = [each.result()[0] for each in made]
        revoked.result()
    tokens = TokenFile(file)
    assert sorted(tokens.names()) == sorted(names)
    assert [code(tokens, secret) for secret in secrets] == [""] * len(names)
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_who_keeps_the_file_is_waited_for_not_for_ever(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_token(file, "ward")
    monkeypatch.setattr(tokens_module, "alone_with", partial(alone_with, seconds=0.05))
    with alone_with(file), pytest.raises(OutputError, match="another process"):
        revoke_token(file, "ward")
    revoke_token(file, "ward")


def test_a_running_service_sees_new_and_revoked_tokens(file: Path) -> None:
    first, _ = new_token(file, "one")
    tokens = TokenFile(file)
    second, _ = new_token(file, "two")
    assert tokens.check(first).name == "one"
    assert tokens.check(second).name == "two"
    revoke_token(file, "one")
    assert code(tokens, first) == "bad-token"
    assert tokens.names() == ("two",)
    file.write_text("{}", "utf-8")
    assert code(tokens, second) == "bad-token"
    file.unlink()
    assert code(tokens, second) == "bad-token"


def test_a_file_that_is_damaged_lets_nobody_in_and_says_so_once(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    secret, _ = new_token(file, "ward")
    tokens = TokenFile(file)
    assert code(tokens, secret) == ""
    file.write_text("no JSON")
    assert [code(tokens, secret) for _ in range(3)] == ["bad-token"] * 3
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "is no file of tokens" in caplog.text


def test_a_token_ends(file: Path) -> None:
    secret, token = new_token(file, "ward", days=1)
    end = datetime.fromisoformat(token.expires)
    assert TokenFile(file, now=lambda: end - timedelta(seconds=1)).check(secret).name == "ward"
    late = TokenFile(file, now=lambda: end)
    assert code(late, secret) == "token-expired"
    assert late.names() == ()


def test_a_session_ends_by_itself_with_its_token_and_at_sign_out(file: Path) -> None:
    secret, token = new_token(file, "ward")
    time = 0.0
    now = datetime.now(UTC)
    sessions = Sessions(TokenFile(file, now=lambda: now), clock=lambda: time)
    mark = sessions.sign_in(secret)
    assert sessions.check(mark).name == "ward"
    time = 12 * 3600.0
    with pytest.raises(Problem):
        sessions.check(mark)
    time = 0.0
    now = datetime.fromisoformat(token.expires)
    with pytest.raises(Problem):
        sessions.check(mark)
    now = datetime.now(UTC)
    assert sessions.check(mark).name == "ward"
    sessions.sign_out(mark)
    for unknown in (mark, "", "x"):
        with pytest.raises(Problem):
            sessions.check(unknown)
    with pytest.raises(Problem):
        sessions.sign_in("wrong")


def test_a_session_is_none_of_a_new_token_of_the_same_name(file: Path) -> None:
    secret, _ = new_token(file, "ward", api_only=True)
    sessions = Sessions(TokenFile(file))
    mark = sessions.sign_in(secret)
    assert sessions.check(mark).api_only
    revoke_token(file, "ward")
    new_token(file, "ward")
    with pytest.raises(Problem):
        sessions.check(mark)


def test_a_file_with_a_name_twice_is_refused(file: Path) -> None:
    new_token(file, "ward")
    told = json.loads(file.read_text())
    assert "api_only" not in told["tokens"][0]
    told["tokens"].append({**told["tokens"][0], "sha256": "0" * 64, "api_only": True})
    file.write_text(json.dumps(told))
    with pytest.raises(FormatError):
        read_tokens(file)


@pytest.mark.parametrize("name", ["", "a b", "../x", "a" * 65, "é"])
def test_a_name_that_is_none_is_refused(file: Path, name: str) -> None:
    with pytest.raises(ConfigError):
        new_token(file, name)
    assert not file.exists()


def test_what_cannot_be_is_refused(file: Path) -> None:
    with pytest.raises(InputError):
        read_tokens(file)
    for days in (0, -1, 3651):
        with pytest.raises(ConfigError):
            new_token(file, "a", days=days)
    new_token(file, "a")
    with pytest.raises(ConfigError, match="already"):
        new_token(file, "a")
    with pytest.raises(ConfigError, match="Known: a"):
        revoke_token(file, "b")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"version": 1}',
        '{"version": 2, "tokens": []}',
        '{"version": 1, "tokens": [{}]}',
        '{"version": 1, "tokens": [{"name": "a", "sha256": "x", "created": "", "expires": ""}]}',
        json.dumps({"version": 1, "tokens": [
            {"name": "a", "sha256": "0" * 64, "created": "", "expires": "2030-01-01"}]}),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused(file: Path, content: str) -> None:
    file.write_text(content, "utf-8")
    with pytest.raises(FormatError):
        read_tokens(file)
    before = file.read_bytes()
    with pytest.raises(FormatError):
        new_token(file, "b")
    assert file.read_bytes() == before


def test_the_commands(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["token", "new", "ward", "--file", str(file), "--days", "3"]) == 0
    secret = capsys.readouterr().out.strip()
    assert TokenFile(file).check(secret).name == "ward"
    assert run(["token", "list", "--file", str(file)]) == 0
    assert capsys.readouterr().out.split("\t")[0] == "ward"
    assert run(["token", "revoke", "ward", "--file", str(file)]) == 0
    assert read_tokens(file) == ()
    assert run(["token", "revoke", "ward", "--file", str(file)]) == 2
    assert "no token of that name" in capsys.readouterr().err
