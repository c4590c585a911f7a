"""The command table, the exit codes, and that no failure shows text of a document."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from types import ModuleType

import pytest
import typer

from scrubjay import __version__
from scrubjay.cli import main as cli
from scrubjay.errors import FormatError, MissingExtraError

CANARY = "Wilhelmina Canary"


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Return a function that puts another function in the place of `scrubjay deid`."""

    def planted(function: Callable[[], None]) -> None:
        module = ModuleType("scrubjay_planted_command")
        module.planted = function  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        entry = cli.CommandEntry(f"{module.__name__}:planted", "A planted command.")
        monkeypatch.setitem(cli.COMMANDS, "deid", entry)

    return planted


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_command_loads_and_explains_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in _paths(name):
        assert cli.run([*path, "--help"]) == 0
        page = capsys.readouterr().out
        assert page.startswith(f"Usage: scrubjay {' '.join(path)} ")
        assert "--help" in page


def _paths(name: str) -> list[list[str]]:
    children = sorted(getattr(cli.load_command(name), "commands", {}))
    return [[name], *([name, child] for child in children)]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_an_unknown_option_is_a_usage_error(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([name, "--no-such-option"]) == 2
    assert "no-such-option" in capsys.readouterr().err.lower()


def test_the_help_page_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--help"]) == 0
    page = capsys.readouterr().out
    for name, entry in cli.COMMANDS.items():
        assert f"{name} " in page
        assert entry.help in page


OTHER_WORDS = {
    "stats": ("Describe",),
    "info": ("Describe", "describe", "show"),
    "rotate": ("change its key",),
    "new": ("Make",),
    "charlm": ("language models",),
    "quantize": ("shrink",),
    "prune": ("shrink",),
    "weights": ("show",),
}
"""What the line of a group says of a command of it whose name is not in the line."""

GROUPS = [name for name, entry in cli.COMMANDS.items() if entry.target.endswith(":app")]


@pytest.mark.parametrize("name", [name for name in GROUPS if name != "project"])  # has too many
def test_the_help_line_of_a_group_tells_of_each_of_its_commands(name: str) -> None:
    group = cli.load_command(name)
    for line in (cli.COMMANDS[name].help, group.help or ""):
        for child in group.commands:
            words = {child, child.capitalize(), *OTHER_WORDS.get(child, ())}
            assert any(word in line for word in words), (child, line)


def test_help_and_version_are_understood_as_words(capsys: pytest.CaptureFixture[str]) -> None:
    def shown(*call: str) -> str:
        assert cli.run(list(call)) == 0
        return capsys.readouterr().out

    assert shown("help") == shown("Help") == shown("--help")
    assert shown("help", "deid") == shown("deid", "--help")
    assert shown("help", "models", "info") == shown("models", "info", "--help")
    assert shown("version") == shown("--version")
    assert cli.run(["help", "nothing"]) == 2
    assert "No such command 'nothing'" in capsys.readouterr().err


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"scrubjay {__version__}\n"


def test_a_mistyped_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["evalute"]) == 2
    assert "'evaluate'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "command"),
    [
        *(("deidentify", "deid"), ("anonymize", "deid"), ("Redact", "deid"), ("DEID", "deid")),
        *(
            ("de_identify", "deid"),
            ("eval", "evaluate"),
            ("fit", "train"),
            ("reidentify", "restore"),
        ),
    ],
)
def test_another_word_for_a_command_gets_the_command(
    word: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([word, "notes"]) == 2
    assert f"No such command {word!r}. Did you mean {command!r}?" in capsys.readouterr().err


def test_the_help_page_loads_nothing_heavy() -> None:
    code = (
        "import sys; from scrubjay.cli.main import run; run(['--help']);"
        "heavy = {'numpy', 'lxml', 'rich', 'numba', 'pyarrow', 'pycrfsuite', 'spacy', 'torch'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stderr.decode().strip() == "[]"


def test_a_foreseen_error_is_one_line_and_exit_code_2(
    plant: Callable[[Callable[[], None]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise FormatError("the tag is not closed", path="a.xml", place="line 3", hint="Close it")

    plant(fails)
    assert cli.run(["deid"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "error: a.xml, line 3: the tag is not closed. Close it\n"
    assert captured.out == ""


def test_a_missing_extra_names_the_install_command(
    plant: Callable[[Callable[[], None]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise MissingExtraError("pyarrow", "parquet")

    plant(fails)
    assert cli.run(["deid"]) == 2
    shown = capsys.readouterr().err
    assert "in a clone of Scrubjay, with: pip install -c constraints.txt '.[parquet]' (" in shown
    assert shown.endswith('from a package index: pip install "scrubjay[parquet]")\n')


def test_without_networks_the_models_that_need_none_are_named() -> None:
    told = str(MissingExtraError("onnxruntime", "neural"))
    assert told.endswith(". Or take a model that needs nothing: en-fast, es-fast, nl-fast")


def test_a_file_that_cannot_be_opened_is_named(
    plant: Callable[[Callable[[], None]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise PermissionError(13, "Permission denied", "out/a.txt")

    plant(fails)
    assert cli.run(["deid"]) == 2
    assert capsys.readouterr().err == "error: out/a.txt: Permission denied\n"


def test_a_full_disk_behind_a_stream_is_foreseen(
    plant: Callable[[Callable[[], None]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    plant(fail)
    assert cli.run(["deid"]) == 2
    assert capsys.readouterr().err == (
        "error: standard output: cannot be written (No space left on device). "
        "The disk is full: make room, or choose another place\n"
    )


def test_an_unexpected_error_shows_class_and_place_alone(
    plant: Callable[[Callable[[], None]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(cli.DEBUG_VARIABLE, raising=False)
    plant(_fail_with_text)
    assert cli.run(["deid"]) == cli.EXIT_UNEXPECTED
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "unexpected RuntimeError at scrubjay." in captured.err
    assert f"{cli.DEBUG_VARIABLE}=1" in captured.err
    assert CANARY not in captured.err
    assert "Canary" not in captured.err
    assert captured.err.count("\n") == 1


def _fail_with_text() -> None:
    text = f"Seen: {CANARY}"
    try:
        text.encode("ascii").index(b"\xff")
    except ValueError as error:
        raise RuntimeError(text) from error


def test_debugging_shows_the_traceback_without_local_variables(
    plant: Callable[[Callable[[], None]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(cli.DEBUG_VARIABLE, "1")

    def fails() -> None:
        local = CANARY
        raise RuntimeError(len(local))

    plant(fails)
    assert cli.run(["deid"]) == cli.EXIT_UNEXPECTED
    captured = capsys.readouterr()
    assert "Traceback (most recent call last)" in captured.err
    assert CANARY not in captured.err


def test_an_error_in_a_thread_shows_no_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(cli.DEBUG_VARIABLE, raising=False)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    cli._guard_background_errors()
    worker = threading.Thread(target=_fail_with_text)
    worker.start()
    worker.join()
    captured = capsys.readouterr()
    assert "unexpected RuntimeError" in captured.err
    assert CANARY not in captured.err


def test_an_interrupt_ends_with_130(plant: Callable[[Callable[[], None]], None]) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    plant(interrupted)
    assert cli.run(["deid"]) == cli.EXIT_INTERRUPTED


@pytest.mark.parametrize("code", [0, 1, 2])
def test_a_command_may_choose_its_exit_code(
    code: int, plant: Callable[[Callable[[], None]], None]
) -> None:
    def ends() -> None:
        raise typer.Exit(code)

    plant(ends)
    assert cli.run(["deid"]) == code


def test_a_real_process_shows_no_text_either() -> None:
    code = (
        "import sys, types; from scrubjay.cli import main as cli\n"
        "module = types.ModuleType('planted')\n"
        "def fails():\n    name = 'Wilhelmina ' + 'Canary'\n    raise KeyError(name)\n"
        "module.fails = fails\nsys.modules['planted'] = module\n"
        "cli.COMMANDS['deid'] = cli.CommandEntry('planted:fails', '')\n"
        "sys.argv = ['scrubjay', 'deid']\ncli.main()\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != cli.DEBUG_VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, check=False
    )
    assert done.returncode == cli.EXIT_UNEXPECTED
    assert b"unexpected KeyError" in done.stderr
    assert b"Canary" not in done.stdout + done.stderr
