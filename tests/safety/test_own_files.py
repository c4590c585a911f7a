"""Files that users give and that cannot be read: all are told alike, and none of them quoted."""

from __future__ import annotations

import ast
import errno
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scrubjay
from scrubjay.analysis._sheets import read_sheet
from scrubjay.analysis.probe_sets import find_probes
from scrubjay.cli import main as cli
from scrubjay.cli._options import read_own_lists
from scrubjay.corpora.splits import read_together
from scrubjay.errors import InputError
from scrubjay.evaluation.direct import find_direct_labels
from scrubjay.evaluation.meddocan import read_sentence_counts
from scrubjay.features.vectors import read_text_vectors
from scrubjay.files import parse_toml, read_bytes, read_text, read_toml
from scrubjay.known.reading import read_identifiers
from scrubjay.known.terms import read_terms
from scrubjay.labels import load_label_map, load_label_set
from scrubjay.learning.configs import find_config
from scrubjay.learning.experiments.declaration import find_experiment
from scrubjay.learning.experiments.domains import read_domain_file
from scrubjay.reports.determination_facts import read_determination_facts
from scrubjay.review.signing import read_report, read_signer, read_verifier
from scrubjay.synthesis.grammar import read_templates
from scrubjay.synthesis.noise import noise_rates
from scrubjay.taggers.patterns import find_patterns
from scrubjay.taggers.rules import read_rule_file
from scrubjay.transform.operators import read_key
from scrubjay.transform.policy import find_policy
from scrubjay.web.tokens import read_tokens

SECRET = "Zebedee"
NO_TEXT = SECRET.encode() + b"\n\xff\n" + SECRET.encode()
SOURCES = Path(scrubjay.__file__).parent

TEXTS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "configurations": (".toml", lambda path: find_config(str(path))),
    "direct identifiers": (".toml", lambda path: find_direct_labels(None, file=path)),
    "domains": (".tsv", read_domain_file),
    "experiments": (".toml", lambda path: find_experiment(str(path))),
    "facts of a determination": (".toml", read_determination_facts),
    "known identifiers": (".csv", read_identifiers),
    "label maps": (".toml", load_label_map),
    "label sets": (".toml", load_label_set),
    "lists of names": (".txt", lambda path: read_own_lists([f"cities={path}"])),
    "noise": (".toml", lambda path: noise_rates(str(path))),
    "patterns": (".toml", lambda path: find_patterns("en", [path])),
    "policies": (".toml", find_policy),
    "probes": (".toml", lambda path: find_probes(str(path))),
    "rules": (".jsonl", read_rule_file),
    "sentences": (".json", read_sentence_counts),
    "terms": (".txt", read_terms),
    "what stays together": (".tsv", read_together),
    "word vectors": (".vec", read_text_vectors),
    "worksheets as CSV": (".csv", lambda path: read_sheet(path, ["case"])),
    "worksheets as JSON": (".jsonl", lambda path: read_sheet(path, ["case"])),
}
"""Who reads a file of text: the ending that it wants, and the call."""

OTHERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "keys": (".key", read_key),
    "keys that sign": (".pem", read_signer),
    "keys that verify": (".pem", read_verifier),
    "reports": (".json", read_report),
    "tokens": (".json", read_tokens),
}
"""Who reads a file of bytes."""

ALL = TEXTS | OTHERS
PLAIN = {"word vectors"}
"""Whose message tells what and where alone, in some cases."""

EXCEPT = {
    "artifacts.py": "models are no file of a user's own hand",
    "features/encoders.py": "a part of a model",
    "features/subtokens.py": "a part of a model",
    "features/vectors.py": "it tells a line, since the file is read by lines",
    "files.py": "the one place",
    "learning/neural/encoders.py": "a folder of another program",
    "transform/_vault_file.py": "a vault is damaged, not badly written",
}
"""Modules that may tell by themselves of bytes that are no text, or cannot be read, and why."""


def _refusal(read: Callable[[Path], Any], path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read(path)
    message = str(caught.value)
    assert caught.value.exit_code == 2
    assert caught.value.path == str(path)
    assert message.startswith(str(path))
    assert "\n" not in message
    assert SECRET not in message
    return message.removeprefix(str(path))


def _require_advice(name: str, message: str) -> None:
    assert name in PLAIN or re.search(r"[^.]\. [A-Z].*[^.]$", message)


@pytest.mark.parametrize("name", ALL)
def test_a_file_that_is_not_there(name: str, tmp_path: Path) -> None:
    ending, read = ALL[name]
    message = _refusal(read, tmp_path / f"absent{ending}")
    assert re.match(
        r": (cannot be read \(No such file or directory\)|there is no such file)", message
    )
    _require_advice(name, message)


@pytest.mark.parametrize("name", ALL)
def test_a_folder(name: str, tmp_path: Path) -> None:
    ending, read = ALL[name]
    path = tmp_path / f"folder{ending}"
    path.mkdir()
    message = _refusal(read, path)
    assert message.startswith(": cannot be read (Is a directory)")
    _require_advice(name, message)


@pytest.mark.parametrize("name", ALL)
def test_a_file_of_somebody_else(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending, read = ALL[name]
    path = tmp_path / f"theirs{ending}"
    path.write_bytes(b"x")
    whole = Path.open

    def refuse(self: Path, *arguments: Any, **named: Any) -> Any:
        if self == path:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return whole(self, *arguments, **named)

    monkeypatch.setattr(Path, "open", refuse)
    message = _refusal(read, path)
    assert message.startswith(": cannot be read (Permission denied)")
    assert message.endswith(". Ask its owner for leave to read it")


@pytest.mark.parametrize("name", TEXTS)
def test_bytes_that_are_no_text(name: str, tmp_path: Path) -> None:
    ending, read = TEXTS[name]
    path = tmp_path / f"bytes{ending}"
    path.write_bytes(NO_TEXT)
    message = _refusal(read, path)
    place = "line 2" if name == "word vectors" else f"byte {NO_TEXT.index(255)}"
    if name == "word vectors":  # what stands before is no vector
        path.write_bytes(b"a 1 2\n\xffb 1 2\n")
        message = _refusal(read, path)
    assert message.startswith(f", {place}: not UTF-8")
    _require_advice(name, message)


def test_templates_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(NO_TEXT)
    message = _refusal(lambda path: read_templates("en", path.parent), tmp_path / "a.txt")
    assert message.startswith(f", byte {NO_TEXT.index(255)}: not UTF-8. ")
    (tmp_path / "a.txt").unlink()
    (tmp_path / "a.txt").mkdir()
    message = _refusal(lambda path: read_templates("en", path.parent), tmp_path / "a.txt")
    assert message.startswith(": cannot be read (Is a directory). ")


def test_the_command_line_ends_with_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.md").write_bytes(NO_TEXT)
    for arguments, wrong in [
        (["project", "create", "p", "--guidelines", "none.md"], "none.md: cannot be read (No"),
        (["project", "create", "p", "--guidelines", "notes.md"], "notes.md, byte 8: not UTF-8"),
        (["synth", "--language", "en", "--out", "o", "--names-file", "."], ".: cannot be read (Is"),
        (["policy", "show", "none.toml"], "none.toml: cannot be read (No such"),
        (["config", "show", "none.toml"], "none.toml: there is no such file"),
    ]:
        assert cli.run(arguments) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"error: {wrong}")
        assert SECRET not in told
    assert [path.name for path in tmp_path.iterdir()] == ["notes.md"]


@pytest.mark.parametrize(
    "text",
    [
        f"[{SECRET}]\n[{SECRET}]",
        f"x = {{{SECRET} = 1, {SECRET} = 2}}",
        f'x = {{"{SECRET} (at \\" twice" = 1, "{SECRET} (at \\" twice" = 2}}',
        f"x = {{a = 1}}\nx.{SECRET} = 1",
        f"{SECRET}",
        f"x = {SECRET}",
        f'x = "{SECRET}',
        f"[[{SECRET}]]\n[{SECRET}]",
    ],
)
def test_what_is_wrong_in_settings_shows_none_of_their_words(text: str) -> None:
    with pytest.raises(InputError, match=r"^mine\.toml: not valid TOML: .*\(at ") as caught:
        parse_toml(text, path="mine.toml")
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_text_is_given_as_it_stands_or_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n\xc2\x85")
    assert read_text(path) == "a\r\nb\rc\n\x85"
    assert read_text(path, newlines=True) == "a\nb\nc\n\x85"
    assert read_bytes(path)[:3] == b"\xef\xbb\xbf"
    path.write_bytes(b"a = " + b"9" * 5_000)
    with pytest.raises(InputError, match="not valid TOML"):
        read_toml(path)
    path.write_bytes(b"a = " + b"[" * 5_000)
    with pytest.raises(InputError, match="not valid TOML"):
        read_toml(path)


def test_nobody_else_tells_of_files_that_are_no_text() -> None:
    found = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Raise):
                continue
            words = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
            if any(isinstance(word, str) and _tells(word) for word in words):
                found.add(path.relative_to(SOURCES).as_posix())
    assert found == set(EXCEPT)


def _tells(word: str) -> bool:
    return bool(re.search(r"\bcannot be read \($|^(is )?not UTF-8$", word))
