"""A grammar: the templates of a language, parsed, with their fragments, and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scrubjay.errors import ConfigError, FormatError
from scrubjay.files import read_text
from scrubjay.synthesis.languages import Language, find_language, folder
from scrubjay.synthesis.nodes import Block, Call, Choice, Literal, Marked, Nodes, Problem, Slot
from scrubjay.synthesis.parsing import nearest, parse_file
from scrubjay.synthesis.slots import PLAIN, SLOTS

TRAPS = ("trap", "trap-sentence")
"""The names of the fragments that are put into notes as lines of their own."""

# Text outside of PHI that looks like it: an unlabelled name teaches a model to leak.
_SUSPECTS = (
    (re.compile(r"\b(?:19[3-9]|20[0-3])\d\b(?! *(?:mg|m[lL]|kcal|units|g|cc)\b)"), "a year"),
    (re.compile(r"\b\d{1,2}[/-]\d{1,2}[/-]\d{2,4}\b"), "a date"),
    (re.compile(r"(?<![\d-])\(?\d{3}\)?[ -]\d{3}-\d{4}\b|\b\d{3}-\d{4}\b"), "a telephone number"),
    (re.compile(r"[\w.]@\w+\.\w{2,}"), "an e-mail address"),
    (re.compile(r"\b(?:Dr|Mr|Mrs|Ms|dhr|mw|mevr|Sr|Sra|Dra)\.? +[A-Z][a-z]{2,}"), "a name"),
    (re.compile(r"\b(?:https?://|www\.)\w"), "a web address"),
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Grammar:
    """Templates of whole notes, in the order of their files, and fragments by name."""

    language: Language
    documents: tuple[Block, ...]
    fragments: Mapping[str, tuple[Block, ...]]

    def __repr__(self) -> str:
        return f"Grammar({self.language.name!r}, {len(self.documents)} templates)"

    @property
    def genres(self) -> tuple[str, ...]:
        """The genres of the templates, sorted."""
        return tuple(sorted({block.name for block in self.documents}))


def read_templates(language: str, path: Path | None = None) -> dict[str, str]:
    """Return the template files of a language by name: those shipped, or those of a folder."""
    place = folder().joinpath(language) if path is None else path
    if path is not None and not path.is_dir():
        raise ConfigError(
            "is no folder of templates", path=str(path), hint="Give a folder with *.txt files"
        )
    files = sorted((f for f in place.iterdir() if f.name.endswith(".txt")), key=lambda f: f.name)
    if path is None:
        return {f"{language}/{file.name}": file.read_bytes().decode("utf-8") for file in files}
    return {str(file): read_text(Path(str(file)), kind=FormatError) for file in files}


def parse_grammar(files: Mapping[str, str], *, language: str) -> Grammar:
    """Return the grammar of template files, given by path and text.

    Raises `FormatError` with the first problem (file, line, what) and the number of others, and
    `ConfigError` where there is no template of a document.
    """
    grammar, problems = inspect_grammar(files, language=language)
    grave = [problem for problem in problems if problem.grave]
    if grave:
        more = f"{len(grave) - 1} more" if len(grave) > 1 else ""
        raise FormatError(
            grave[0].what,
            path=grave[0].path,
            place=f"line {grave[0].line}",
            hint=f"{more}; list all with: scrubjay synth --check" if more else "",
        )
    if not grammar.documents:
        raise ConfigError(
            f"there is no `=== document` among the templates of {language!r}",
        )
    return grammar


@cache
def find_grammar(language: str) -> Grammar:
    """Return the grammar of a language as it ships with the package."""
    find_language(language)
    return parse_grammar(read_templates(language), language=language)


def inspect_grammar(
    files: Mapping[str, str], *, language: str
) -> tuple[Grammar, tuple[Problem, ...]]:
    """Return what can be read of template files, and everything that is wrong, by file and line.

    Warnings (problems that are not grave): text that looks like PHI without a label, fragments
    that nothing uses, choices without a choice.
    """
    tables = find_language(language)
    known = tuple(slot for slot in SLOTS if slot in PLAIN or slot in tables.labels)
    blocks: list[Block] = []
    problems: list[Problem] = []
    for path, text in files.items():
        found, wrong = parse_file(text, path=path, labels=tables.label_set.labels, slots=known)
        blocks += found
        problems += wrong
    fragments: dict[str, list[Block]] = {}
    for block in blocks:
        if block.kind == "fragment":
            fragments.setdefault(block.name, []).append(block)
    broken = any(problem.grave for problem in problems)
    problems += _unknown_calls(blocks, fragments, broken=broken)
    if not broken:
        problems += _endless(fragments)
        problems += _unused(blocks, fragments)
    for block in blocks:
        problems += _suspects(block)
    documents = tuple(block for block in blocks if block.kind == "document")
    grammar = Grammar(tables, documents, {name: tuple(rows) for name, rows in fragments.items()})
    return grammar, tuple(sorted(problems))


def calls_in(nodes: Nodes) -> Iterator[Call]:
    """Yield every call of a fragment, from left to right."""
    for node in nodes:
        if isinstance(node, Call):
            yield node
        elif isinstance(node, Choice):
            for option in node.options:
                yield from calls_in(option)
        elif isinstance(node, Marked):
            yield from calls_in(node.inside)


def _unknown_calls(
    blocks: list[Block], fragments: Mapping[str, object], *, broken: bool
) -> Iterator[Problem]:
    for block in blocks:
        for call in calls_in(block.nodes):
            if call.name not in fragments:
                hint = nearest(call.name, fragments.keys(), "fragment", limit=8)
                if broken:
                    hint += " (or it is in a block with an error)"
                yield Problem(block.path, call.line, f"{{@{call.name}}}: {hint}")


def _endless(fragments: Mapping[str, list[Block]]) -> Iterator[Problem]:
    """Yield a problem for each fragment that can insert itself."""
    targets = {
        name: {call.name for block in rows for call in calls_in(block.nodes)}
        for name, rows in fragments.items()
    }
    for name, rows in fragments.items():
        seen: set[str] = set()
        waiting = list(targets[name])
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += targets.get(other, ())
        if name in seen:
            yield Problem(rows[0].path, rows[0].line, f"the fragment {name!r} can insert itself")


def _unused(blocks: list[Block], fragments: Mapping[str, list[Block]]) -> Iterator[Problem]:
    used = {call.name for block in blocks for call in calls_in(block.nodes)}
    for name, rows in fragments.items():
        if name not in used and name not in TRAPS:
            what = f"nothing uses the fragment {name!r}"
            yield Problem(rows[0].path, rows[0].line, what, grave=False)


def _suspects(block: Block) -> Iterator[Problem]:
    """Yield a warning for text outside of labels that looks like PHI."""

    def walk(nodes: Nodes, line: int) -> Iterator[Problem]:
        for node in nodes:
            if isinstance(node, Literal):
                for pattern, what in _SUSPECTS:
                    if pattern.search(node.text):
                        note = f"text without a label looks like {what}"
                        yield Problem(block.path, line, note, grave=False)
            elif isinstance(node, Slot | Call):
                line = node.line
            elif isinstance(node, Choice):
                for option in node.options:
                    yield from walk(option, line)

    yield from walk(block.nodes, block.line)
