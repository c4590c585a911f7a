"""What a template is parsed into: text, slots, calls of fragments, choices, marked PHI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that goes into the note as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """`{name:entity.form}`: filled anew in each note; `entity` and `form` may be empty."""

    name: str
    entity: str
    form: str
    line: int


@dataclass(frozen=True, slots=True)
class Call:
    """`{@name}`: one of the fragments of that name."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Choice:
    """`[[a|b]]`: one of the options, all equally likely."""

    options: tuple[Nodes, ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """`<LABEL>..</LABEL>`: PHI that is written out; what is inside has no label of its own."""

    label: str
    inside: Nodes


Node = Literal | Slot | Call | Choice | Marked
Nodes = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a template file. `kind` is "document" or "fragment", `line` that of its head.

    `id` is the file's name and the number of the block among those of its kind in the file.
    """

    kind: str
    name: str
    id: str
    nodes: Nodes
    path: str
    line: int


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong in a template file; `grave` ones make the grammar unusable."""

    path: str
    line: int
    what: str
    grave: bool = True

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {'' if self.grave else 'warning: '}{self.what}"
