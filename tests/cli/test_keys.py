"""Files of keys that others can read are warned of, and used all the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrubjay.cli._keys import warn_of_open_keys, warn_of_open_tokens
from scrubjay.cli.main import run
from scrubjay.taggers.regex import save_regex_model

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")
KEY = "ab" * 32


@pytest.fixture
def key(tmp_path: Path) -> Path:
    (tmp_path / "keys").mkdir()
    file = tmp_path / "keys" / "policy.key"
    file.write_text(KEY)
    return file


@pytest.mark.parametrize(
    ("mode", "warned"), [(0o600, False), (0o400, False), (0o640, True), (0o604, True)]
)
def test_a_key_that_others_can_read(
    key: Path, capsys: pytest.CaptureFixture[str], mode: int, warned: bool
) -> None:
    key.chmod(mode)
    warn_of_open_keys(key, None, key, key.parent, key.parent / "none")
    told = capsys.readouterr().err
    assert told.count("the key can be read by others") == warned
    assert KEY not in told


@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o644, False), (0o660, True)])
def test_a_file_of_tokens_that_others_can_change(
    key: Path, capsys: pytest.CaptureFixture[str], mode: int, warned: bool
) -> None:
    key.chmod(mode)
    warn_of_open_tokens(key)
    assert ("can be changed by others" in capsys.readouterr().err) == warned


def test_a_run_warns_of_each_key(
    key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "vaults").mkdir()
    vault_key = key.with_name("vault.key")
    vault_key.write_text(KEY[::-1])
    for file in (key, vault_key):
        file.chmod(0o644)
    (tmp_path / "note.txt").write_text("Seen on 3/4/2019.")
    save_regex_model(tmp_path / "patterns", "en", label_set="i2b2-2014")
    vault = ["--vault", str(tmp_path / "vaults" / "a.vault"), "--vault-key", str(vault_key)]
    words = ["--model", str(tmp_path / "patterns"), "--policy", "hash", "--key-file", str(key)]
    out = str(tmp_path / "out")
    assert run(["deid", str(tmp_path / "note.txt"), "--out", out, *words, *vault]) == 0
    told = capsys.readouterr().err.replace("\n", "")
    assert told.count("can be read by others") == 2
    assert "policy.key" in told
    assert "vault.key" in told
    assert run(["restore", out, "--out", str(tmp_path / "back"), *vault]) == 0
    assert capsys.readouterr().err.count("can be read by others") == 1
