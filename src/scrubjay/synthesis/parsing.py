"""Reading the template language: blocks, slots, fragments, choices, marked PHI.

A file holds blocks, each from a line `=== document GENRE` or `=== fragment NAME` to the next
such line. In a block `{slot:entity.form}` is filled, `{@NAME}` inserts a fragment, `[[a|b]]`
is one of its options (`[[?a]]`: a or nothing), `<LABEL>..</LABEL>` is PHI that is written out,
and lines that begin with `#!` are comments. docs/synthesis.md describes the language.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection
from difflib import get_close_matches

from scrubjay.synthesis.nodes import (
    Block,
    Call,
    Choice,
    Literal,
    Marked,
    Node,
    Nodes,
    Problem,
    Slot,
)
from scrubjay.synthesis.slots import SLOTS

_HEAD = re.compile(r"=== *(document|fragment) +([\w-]+(?: +[\w-]+)*) *")
_ALMOST_HEAD = re.compile(r"=== *([a-z]+)\b(?!.*===)", re.IGNORECASE)
_MARK = re.compile(
    r"(?P<open>\[{2,})|(?P<close>\]{2,})|(?P<bar>\|)|(?P<slot>\{[^{}\n]*\})"
    r"|(?P<label></?[A-Z][A-Z0-9_-]*>)|(?P<stray>[{}]|<(?=[A-Za-z/]))"
)
_CALL = re.compile(r"@([\w-]+)")
_SLOT = re.compile(
    r"([A-Za-z]\w*)(?::(?P<entity>[\w:-]+))?(?:\.(?P<form>[\w-]+))?(?::(?P<late>[\w-]+))?"
)


class _BrokenBlockError(Exception):
    """The block cannot be read further; the problem is noted already."""


def parse_file(
    text: str, *, path: str, labels: Collection[str], slots: Collection[str] = tuple(SLOTS)
) -> tuple[list[Block], list[Problem]]:
    """Return the blocks of a template file and everything that is wrong in it.

    `labels` are the label set's, `slots` those that the language can fill. A block with a grave
    problem is left out.
    """
    blocks: list[Block] = []
    problems: list[Problem] = []
    if "\r" in text:
        problems.append(Problem(path, 1, "has carriage returns; write line feeds alone"))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    counts = {"document": 0, "fragment": 0}
    for number, head, lines in _split(text, path, problems):
        match = _HEAD.fullmatch(head)
        if match is None:
            what = f"the head {head!r} is not `=== document GENRE` or `=== fragment NAME`"
            problems.append(Problem(path, number, what))
            continue
        kind, name = match[1], "-".join(match[2].split())
        counts[kind] += 1
        parser = _BlockParser(lines, path, number, frozenset(labels), tuple(slots))
        nodes = parser.parse()
        problems += parser.problems
        if not any(problem.grave for problem in parser.problems):
            stem = path.rpartition("/")[2].removesuffix(".txt")
            id_ = f"{stem}/{'' if kind == 'document' else 'fragment-'}{counts[kind]}"
            blocks.append(Block(kind, name, id_, nodes, path, number))
    return blocks, problems


def _split(
    text: str, path: str, problems: list[Problem]
) -> list[tuple[int, str, list[tuple[int, str]]]]:
    """Return (line of the head, head, numbered lines) of each block, without comments."""
    found: list[tuple[int, str, list[tuple[int, str]]]] = []
    lost = False
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("#!"):
            continue
        if line.startswith("==="):
            word = _ALMOST_HEAD.match(line)
            if word and get_close_matches(word[1].lower(), ("document", "fragment"), cutoff=0.7):
                found.append((number, line, []))
                continue
        if found:
            found[-1][2].append((number, line))
        elif line.strip() and not lost:
            problems.append(Problem(path, number, "this text stands before the first `===` line"))
            lost = True
    for _, _, lines in found:
        while lines and not lines[-1][1].strip():
            lines.pop()
    return found


class _BlockParser:
    """Parses the text of one block, by recursive descent over its marks."""

    def __init__(
        self,
        lines: list[tuple[int, str]],
        path: str,
        line: int,
        labels: frozenset[str],
        slots: tuple[str, ...],
    ) -> None:
        self.text = "\n".join(line for _, line in lines)
        self.problems: list[Problem] = []
        self._path, self._head, self._labels, self._slots = path, line, labels, slots
        self._numbers = [number for number, _ in lines]
        self._starts = [0]
        for _, content in lines:
            self._starts.append(self._starts[-1] + len(content) + 1)
        self._marks = list(_expand(self.text))
        self._next = self._position = 0

    def parse(self) -> Nodes:
        """Return the nodes of the block; what is wrong is in `problems`."""
        if not self.text.strip():
            self._report(0, "the block is empty")
            return ()
        try:
            nodes = self._sequence(None, in_choice=False)
        except _BrokenBlockError:
            return ()
        return nodes

    def _line(self, offset: int) -> int:
        if not self._numbers:
            return self._head
        return self._numbers[min(bisect_right(self._starts, offset), len(self._numbers)) - 1]

    def _report(self, offset: int, what: str, *, grave: bool = True) -> None:
        self.problems.append(Problem(self._path, self._line(offset), what, grave))

    def _fail(self, offset: int, what: str) -> _BrokenBlockError:
        self._report(offset, what)
        return _BrokenBlockError()

    def _sequence(self, inside: tuple[str, int] | None, *, in_choice: bool) -> Nodes:
        """Parse up to what ends it: `|` or `]]` in a choice, `</LABEL>` in a label, the end."""
        nodes: list[Node] = []
        pending: list[str] = []

        def flush() -> None:
            if text := "".join(pending):
                nodes.append(Literal(text))
            pending.clear()

        choice = inside is not None and inside[0] == "[["
        while True:
            if self._next == len(self._marks):
                if inside is not None:
                    opened = inside[0] if choice else f"<{inside[0]}>"
                    raise self._fail(inside[1], f"{opened} is not closed")
                pending.append(self.text[self._position :])
                self._position = len(self.text)
                flush()
                return tuple(nodes)
            kind, value, start, end = self._marks[self._next]
            pending.append(self.text[self._position : start])
            if kind == "bar" and not in_choice:
                kind = "text"
            if kind in ("bar", "close"):
                if choice:
                    self._position = start
                    flush()
                    return tuple(nodes)
                if kind == "close":
                    hint = f" before </{inside[0]}>" if inside else ""
                    raise self._fail(start, f"]]{hint} closes no [[")
                label = inside[0] if inside else ""
                raise self._fail(start, f"| inside <{label}>: write <{label}>[[a|b]]</{label}>")
            self._next += 1
            self._position = end
            if kind == "text":
                pending.append(value)
            elif kind == "open":
                flush()
                nodes.append(self._choice(start))
            elif kind == "slot":
                flush()
                if (node := self._slot(value[1:-1], start)) is not None:
                    nodes.append(node)
            elif kind == "label":
                flush()
                if value.startswith("</"):
                    if inside is None or choice or value != f"</{inside[0]}>":
                        wanted = f", </{inside[0]}> is due" if inside and not choice else ""
                        raise self._fail(start, f"{value} closes nothing here{wanted}")
                    return tuple(nodes)
                nodes.append(self._marked(value[1:-1], start, inside, in_choice))
            else:
                what = f"a single {value!r}"
                hint = (
                    "write a space or a digit after <"
                    if value == "<"
                    else "it begins or ends no slot"
                )
                self._report(start, f"{what}: {hint}")

    def _choice(self, start: int) -> Choice:
        optional = self.text.startswith("?", self._position)
        if optional:
            self._position += 1
        options: list[Nodes] = []
        while True:
            options.append(self._sequence(("[[", start), in_choice=True))
            kind, _, _, end = self._marks[self._next]
            self._next += 1
            self._position = end
            if kind == "close":
                break
        if optional:
            options.append(())
        elif len(options) == 1:
            self._report(start, "[[..]] has one option only; for x or nothing write [[?x]]",
                         grave=False)  # fmt: skip
        return Choice(tuple(options))

    def _marked(
        self, label: str, start: int, inside: tuple[str, int] | None, in_choice: bool
    ) -> Marked:
        if label not in self._labels:
            self._report(start, f"<{label}>: {nearest(label, self._labels, 'label')}")
        if inside is not None and inside[0] != "[[":
            raise self._fail(start, f"<{label}> inside <{inside[0]}>")
        nodes = self._sequence((label, start), in_choice=in_choice)
        if not nodes:
            self._report(start, f"<{label}> is empty")
        return Marked(label, nodes)

    def _slot(self, text: str, start: int) -> Node | None:
        line = self._line(start)
        if call := _CALL.fullmatch(text):
            return Call(call[1], line)
        match = _SLOT.fullmatch(text)
        if match is None or (match["entity"] and match["late"]):
            self._report(
                start, f"{{{text}}} is no slot: write {{name}}, {{name:2}}, {{name:2.form}}"
            )
            return None
        name, form = match[1], match["form"] or ""
        if name not in self._slots:
            self._report(start, f"{{{text}}}: {nearest(name, self._slots, 'slot')}")
            return None
        if form and form not in SLOTS[name]:
            hint = nearest(form, SLOTS[name], f"form of {{{name}}}")
            self._report(start, f"{{{text}}}: {hint}")
            return None
        return Slot(name, match["entity"] or match["late"] or "", form, line)


def _expand(text: str) -> list[tuple[str, str, int, int]]:
    """Return the marks as (kind, text, start, end); rows of brackets are taken by twos."""
    marks: list[tuple[str, str, int, int]] = []
    for match in _MARK.finditer(text):
        kind = match.lastgroup or ""
        start, end = match.span()
        if kind not in ("open", "close"):
            marks.append((kind, match.group(), start, end))
            continue
        # Of an odd row, the single bracket is text: the last one of [[[, the first one of ]]].
        first = start + (end - start) % 2 if kind == "close" else start
        for place in range(first, end - 1, 2):
            marks.append((kind, match.group()[:2], place, place + 2))
    return marks


def nearest(name: str, known: Collection[str], what: str, *, limit: int = 99) -> str:
    """Return what to say of an unknown name: the nearest known one, or up to `limit` of them."""
    close = get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    if not known:
        return f"there is no {what} {name!r}; it has none"
    if close:
        hint = f"did you mean {close[0]!r}?"
    else:
        hint = f"known: {', '.join(sorted(known)[:limit])}{' ...' if len(known) > limit else ''}"
    return f"there is no {what} {name!r}; {hint}"
