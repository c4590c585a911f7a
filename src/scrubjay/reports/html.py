"""A page as one self-contained HTML file: nothing is loaded, everything is escaped.

The page's own style and script are named by their hashes in its content security policy; a
browser runs and fetches nothing else, whatever stands in the documents that are shown.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from scrubjay.errors import MissingExtraError
from scrubjay.reports.blocks import Block, Examples, Page, Section

if TYPE_CHECKING:
    from jinja2 import Environment

_KINDS = 8
"""How many colours examples have; more kinds begin again with the first."""

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef"
    "\ufffe\uffff]"
)
"""What HTML cannot hold, and what would turn the order of the characters around it."""

_SVG_ELEMENTS = frozenset(
    ["circle", "g", "line", "path", "polyline", "rect", "svg", "text", "title", "tspan"]
)
_ELEMENT = re.compile(r"<\s*/?\s*([^\s/>]*)")


def require_renderer() -> None:
    """Raise `MissingExtraError` where the template language is not installed."""
    _environment()


def render_page(page: Page) -> str:
    """Return a page as one HTML file (the same page, the same characters).

    Raises `MissingExtraError` without jinja2, and `ValueError` for a figure that is no plain
    SVG, such as one with a script in it.
    """
    style, script = _read_template("page.css"), _read_template("page.js")
    return (
        _environment()
        .get_template("page.html")
        .render(
            page=page,
            nodes=_nodes(page.blocks, "s"),
            style=style,
            script=script,
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
    )


@dataclass(frozen=True, slots=True)
class _Node:
    """A block with what only its drawing needs: an id in the page, and the blocks in it.

    `repeats` tells that the block bears the title of the section that it stands in: that one
    heading, and one line of the contents, are for both.
    """

    kind: str
    id: str
    block: Any
    nodes: tuple[_Node, ...] = ()
    repeats: bool = False
    kinds: dict[str, tuple[int, int]] | None = None
    labels: dict[str, int] | None = None


def _nodes(blocks: Sequence[Block], prefix: str, *, above: str = "") -> tuple[_Node, ...]:
    return tuple(
        _node(block, f"{prefix}{number}", above) for number, block in enumerate(blocks, start=1)
    )


def _node(block: Block, place: str, above: str) -> _Node:
    kind = type(block).__name__.lower()
    if isinstance(block, Section):
        return _Node(kind, place, block, _nodes(block.blocks, f"{place}-", above=block.title))
    if isinstance(block, Examples):
        return _Node(
            kind,
            place,
            block,
            repeats=block.title == above,
            kinds=_count_kinds(block),
            labels=_count_labels(block),
        )
    return _Node(kind, place, block)


def _count_kinds(block: Examples) -> dict[str, tuple[int, int]]:
    """Return kind -> (number of its colour, examples), in the order of first appearance."""
    sizes: dict[str, int] = {}
    for example in block.examples:
        sizes[example.kind] = sizes.get(example.kind, 0) + 1
    return {kind: (number % _KINDS, size) for number, (kind, size) in enumerate(sizes.items())}


def _count_labels(block: Examples) -> dict[str, int]:
    """Return label -> examples that have it on either side, sorted; "" where neither has one."""
    sizes: dict[str, int] = {}
    for example in block.examples:
        for label in {example.gold_label, example.predicted_label} - {""}:
            sizes[label] = sizes.get(label, 0) + 1
    return dict(sorted(sizes.items()))


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        raise MissingExtraError("jinja2", "report") from None
    environment = Environment(
        loader=FunctionLoader(_read_template),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["svg"] = lambda text: Markup(_printable(_require_svg(text)))
    environment.filters["own"] = Markup
    return environment


def _read_template(name: str) -> str:
    return (files("scrubjay.reports") / "templates" / name).read_text(encoding="utf-8")


def _printable(value: Any) -> Any:
    """Return text with U+FFFD for each character that cannot be shown as it is."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", value) if type(value) is str else value


def _require_svg(text: str) -> str:
    others = set(_ELEMENT.findall(text)) - _SVG_ELEMENTS
    if others or not text.startswith("<svg ") or not text.rstrip().endswith("</svg>"):
        raise ValueError("a figure must be one <svg> element of plain shapes and text")
    return text


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
