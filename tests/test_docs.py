"""The documentation runs: its Python is executed, its command lines meet the real options."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scrubjay.cli import main as cli

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
LINKED = (*PAGES, *(ROOT / name / "README.md" for name in ("benchmarks", "corpora", "examples")))
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
OUT = re.compile(r"^\s*# Out: ?(.*)$", re.MULTILINE)


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, first line number, language and body."""

    page: Path
    line: int
    language: str
    body: str

    @property
    def place(self) -> str:
        return f"{_name(self.page)}:{self.line}"


def _blocks(page: Path) -> Iterator[Block]:
    language, begin = None, 0
    body: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("```"):
            if language is None:
                language, begin, body = line[3:].strip(), number, []
            else:
                yield Block(page, begin, language, "\n".join(body) + "\n")
                language = None
        elif language is not None:
            body.append(line)
    assert language is None, f"{page.name}: the fence of line {begin} is not closed"


def _command_lines() -> Iterator[Any]:
    for page in PAGES:
        for block in _blocks(page):
            if block.language not in {"bash", "console"}:
                continue
            for words in _calls(block.body):
                yield pytest.param(words, id=f"{block.place} {' '.join(words[:2])}")


def _calls(body: str) -> Iterator[list[str]]:
    """Yield the words after `scrubjay` of each call in a shell block."""
    for line in body.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        call: list[str] | None = None
        for word in lexer:
            if set(word) <= set("|&;<>()"):
                if call is not None:
                    yield call
                call = None
            elif call is not None:
                call.append(word)
            elif word.rpartition("/")[2] == "scrubjay" and (word == "scrubjay" or "bin/" in word):
                call = []
        if call is not None:
            yield call


@pytest.mark.parametrize("words", list(_command_lines()))
def test_command_lines_meet_real_options(words: list[str]) -> None:
    if words[0].startswith("-"):
        assert words in (["--help"], ["--version"])
        return
    assert words[0] in cli.COMMANDS
    command, rest = cli.load_command(words[0]), words[1:]
    if hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        assert rest[0] in command.commands
        command, rest = command.commands[rest[0]], rest[1:]
    used = {word.partition("=")[0] for word in rest if re.match(r"--?[A-Za-z]", word)}
    assert used <= _options_of(command)


def _options_of(command: Any) -> set[str]:
    own = (option for each in command.params for option in (*each.opts, *each.secondary_opts))
    return {"--help", *own}


def _options(name: str = "", sub: str = "") -> set[str]:
    """Return the options of a command and its parts, of one part, or of all commands."""
    if not name:
        return {"--version"}.union(*map(_options, cli.COMMANDS))
    command: Any = cli.load_command(name)
    parts = getattr(command, "commands", {})
    if sub in parts:
        return _options_of(parts[sub])
    return _options_of(command).union(*map(_options_of, parts.values()))


OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
CALL = re.compile(r"\bscrubjay ([a-z]+)\b([^`.,;]*)")


def _strings() -> Iterator[tuple[str, str]]:
    """Yield what the source says in strings, and the documentation in code within a line."""
    for path in sorted((ROOT / "src" / "scrubjay").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield _name(path), node.value
    for page in PAGES:
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for code in re.findall(r"`(scrubjay [^`\n]+)`", text):
            yield _name(page), code


OF_OTHERS = {"--headless", "--convert-to"}
"""Options of other programs that hints tell of: LibreOffice."""


def test_hints_and_pages_name_options_that_there_are() -> None:
    known, wrong = _options() | OF_OTHERS, []
    for place, text in _strings():
        wrong += [(place, option) for option in OPTION.findall(text) if option not in known]
        for name, rest in CALL.findall(text):
            if name in cli.COMMANDS:
                sub = rest.split()[0] if rest.split() else ""
                own = _options(name, sub)
                wrong += [(place, name, each) for each in OPTION.findall(rest) if each not in own]
    assert wrong == []
    assert "--label-map" in known
    assert "--labels" not in known


def _pages_with_python() -> list[Path]:
    return [page for page in PAGES if any(block.language == "python" for block in _blocks(page))]


@pytest.mark.parametrize("page", _pages_with_python(), ids=_name)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [block for block in _blocks(page) if block.language == "python"]
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "tests" / "fixtures", tmp_path / "tests" / "fixtures")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "docs"}
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            # The page's own code, which is under version control beside this test.
            exec(compile(block.body, block.place, "exec"), names)
        if expected := OUT.findall(block.body):
            assert printed.getvalue().splitlines() == expected, block.place


def test_the_snippet_of_patterns_of_ones_own_runs_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = [one for one in _blocks(ROOT / "docs" / "patterns.md") if one.language == "python"][-1]
    monkeypatch.chdir(tmp_path)
    exec(compile(block.body, block.place, "exec"), {"__name__": "docs"})


@pytest.mark.parametrize("page", LINKED, ids=_name)
def test_links_lead_to_files(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


def test_the_readme_names_every_format_and_preset() -> None:
    from scrubjay.corpora import FORMATS

    page = (ROOT / "README.md").read_text(encoding="utf-8")
    table = page.split("## Formats")[1].split("## ")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row)} == set(FORMATS)
    folder = ROOT / "src" / "scrubjay" / "resources" / "configs"
    assert [path.stem for path in folder.glob("*.toml") if f"`{path.stem}`" not in page] == []


def test_the_index_leads_to_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link).resolve() for link in LINK.findall(index.read_text("utf-8"))}
    assert set(PAGES) - linked == {index}


def test_the_call_reader_sees_every_call() -> None:
    body = "python3 -m venv v && \\\n  v/bin/scrubjay deid a --out 'b c' | scrubjay models list\n"
    assert list(_calls(body)) == [["deid", "a", "--out", "b c"], ["models", "list"]]


def test_the_page_of_commands_is_fresh() -> None:
    from scripts.write_cli_docs import TARGET, render

    fresh = TARGET.read_text(encoding="utf-8") == render()
    assert fresh, "run scripts/write_cli_docs.py"


def test_the_tables_of_the_papers_are_fresh() -> None:
    from scripts.write_paper_tables import MARK, PAGES, read_tables, render

    pages = {path: path.read_text(encoding="utf-8") for path in sorted(PAGES.glob("*.md"))}
    assert [path.name for path, page in pages.items() if render(page) != page] == []
    marked = [found[2] for page in pages.values() for found in MARK.finditer(page)]
    assert sorted(marked) == sorted(read_tables())


def test_the_tables_of_the_papers_name_experiments_and_systems_that_ship() -> None:
    from scripts.write_paper_tables import read_tables

    from scrubjay.learning.experiments.declaration import find_experiment

    for table in read_tables().values():
        names = {system.name for system in find_experiment(table["experiment"]).systems}
        for row in table["rows"]:
            known = str(row.get("system", "")).split(", ")[0]
            assert known in names | {"", "best", "with lexical"}, (table["id"], known)
        shown = {row.get("system") for row in table["rows"]}
        for measured in table.get("measured", {}).values():
            assert set(measured) <= shown, table["id"]
