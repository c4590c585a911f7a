"""Text in HTML and XHTML: taken out of its tags, and put between the same tags again.

The texts between tags become one text. Where tags stood it has a space of a kind that the text
does not hold otherwise (after a line end or a tab, where the tags end a line or a cell), so that a
name that runs on behind `</b>` is read as one, and its pieces find their places again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scrubjay.errors import FormatError

_SPACES = "\u2005\u2004\u2006\u2008\u2009\u200a\u205f\u3000\u2000\u2001\u2002\u2003"
_ENTITY = r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_TOKEN = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[!?](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>"
    r"|<(?P<unread>script|style)\b.*?</(?P=unread)\s*>"
    r"|</?[A-Za-z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>"
    rf"|(?P<entity>{_ENTITY})",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""\s+([^\s=/>"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_HARMLESS = frozenset([
    "align", "border", "cellpadding", "cellspacing", "class", "colspan", "dir", "height", "lang",
    "rowspan", "scope", "span", "start", "style", "type", "valign", "width", "xml:lang", "xmlns",
])  # fmt: skip
_CELLS = frozenset(["td", "th"])
_BLOCKS = frozenset([
    "address", "article", "blockquote", "br", "center", "dd", "div", "dl", "dt", "fieldset",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "body",
    "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "title",
    "tr", "ul",
])  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class Markup:
    """What is left of a marked-up text without its text.

    `tags` stand between the pieces of the text, before the first and after the last one; `ends`
    tells what precedes the mark in the text at each border ("\\n", "\\t" or nothing). `entities`
    are the characters that are written as entities.
    """

    tags: tuple[str, ...]
    ends: tuple[str, ...]
    mark: str
    entities: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the markup as plain values."""
        return {"tags": list(self.tags), "ends": list(self.ends), "mark": self.mark,
                "entities": dict(self.entities)}  # fmt: skip

    @staticmethod
    def from_json(values: dict[str, Any]) -> Markup:
        """Return the markup that `to_json` gave."""
        return Markup(
            tuple(values["tags"]), tuple(values["ends"]), values["mark"], values["entities"]
        )

    def render(self, text: str) -> str:
        """Return the markup around a text; raises `FormatError` for one of other pieces."""
        pieces = text.split(self.mark)
        if len(pieces) != len(self.tags) - 1:
            raise FormatError(f"{len(pieces)} pieces of text, not {len(self.tags) - 1}")
        table = str.maketrans({"&": "&amp;", "<": "&lt;", **self.entities})
        out = [self.tags[0]]
        for piece, end, tags in zip(pieces, (*self.ends, ""), self.tags[1:], strict=True):
            out += [piece.removesuffix(end).translate(table), tags]
        return "".join(out)


def read_markup(source: str) -> tuple[str, Markup]:
    """Return the text of a marked-up one, and what is left without it.

    Comments, scripts and styles are left out, and so are attributes but those of layout: they can
    hold what nobody sees. What looks like no tag is text.
    """
    pieces: list[str] = [""]
    tags: list[list[str]] = [[""]]
    written: dict[str, set[str]] = {}
    for kind, value in _tokens(source):
        if kind == "tag":
            if pieces[-1]:
                pieces.append("")
                tags.append([])
            tags[-1].append(value)
            continue
        char = html.unescape(value) if kind == "entity" else value
        for each in char if kind == "text" else [char]:
            if (not each.isalnum() and not each.isspace()) or kind == "entity":
                written.setdefault(each, set()).add(value if kind == "entity" else each)
        pieces[-1] += char
    if len(pieces) > 1 and not pieces[-1]:
        pieces.pop()
        last = tags.pop()
    else:
        last = []
    runs = [_joined(run) for run in (*tags, last)]
    mark = next((space for space in _SPACES if space not in source and
                 space not in "".join(pieces)), "")  # fmt: skip
    if not mark:
        raise FormatError("a text with every kind of space that Unicode has")
    ends = tuple(map(_end, runs[1:-1]))
    text = (
        "".join(piece + end + mark for piece, end in zip(pieces, ends, strict=False)) + pieces[-1]
    )
    entities = {char: forms.copy().pop() for char, forms in written.items()
                if len(forms) == 1 and len(char) == 1 and forms != {char}}  # fmt: skip
    if written.get(">") == {">"}:
        entities.pop(">", None)
    return text, Markup(tuple(runs), ends, mark, entities)


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    place = 0
    for found in _TOKEN.finditer(source):
        if found.start() > place:
            yield "text", source[place : found.start()]
        value = found.group()
        place = found.end()
        if found["entity"]:
            # A name that HTML does not know is no entity.
            yield ("entity" if html.unescape(value) != value else "text"), value
        elif value.startswith("<![CDATA["):
            yield "text", value[9:-3]
        elif value[1] in "!?" or found["unread"]:
            yield "tag", value if value[:9].lower() == "<!doctype" else ""
        else:
            yield "tag", _bare(value)
    if place < len(source):
        yield "text", source[place:]


def _bare(tag: str) -> str:
    """Return a tag with the attributes of layout alone."""

    def keep(found: re.Match[str]) -> str:
        return found.group() if found[1].lower() in _HARMLESS else ""

    return _ATTRIBUTE.sub(keep, tag)


def _joined(run: list[str]) -> str:
    return "".join(run)


def _end(run: str) -> str:
    """Return what tags between two pieces are in the text: a line end, a tab or nothing."""
    names = {name.lower() for name in re.findall(r"</?([A-Za-z][A-Za-z0-9]*)", run)}
    return "\n" if names & _BLOCKS else "\t" if names & _CELLS else ""
