"""Text in HTML and XHTML: taken out of its tags, and put between the same tags again.

The texts between tags become one text. Where tags stood it has a space of a kind that the text
does not hold otherwise (after a line end or a tab, where the tags end a line or a cell), so that a
name that runs on behind `</b>` is read as one, and its pieces find their places again. Detectors
pass over such a space inside a word (`scrubjay.text.entities`).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scrubjay.errors import FormatError
from scrubjay.text.entities import UNSEEN_MARKS

_SPACES = f"{UNSEEN_MARKS}\u2008\u2009\u200a\u205f\u3000\u2000\u2001\u2002\u2003"
_ENTITY = r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_TOKEN = re.compile(
    r"(?P<begin><!--|<!\[CDATA\[|<(?:script|style)\b)"
    r"|<[!?](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>"
    r"|<(?P<name>/?[A-Za-z][A-Za-z0-9:]*)(?P<rest>[\s/](?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?>"
    rf"|(?P<entity>{_ENTITY})",
    re.IGNORECASE,
)
_TAG = re.compile(r"<!?[A-Za-z\[-](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
_ENDS = {
    "<!--": re.compile("-->"),
    "<![cdata[": re.compile(r"\]\]>"),
    "<script": re.compile(r"</script\s*>", re.IGNORECASE),
    "<style": re.compile(r"</style\s*>", re.IGNORECASE),
}
"""How what is not read as tags begins, in small letters, and what ends it."""
_ATTRIBUTE = re.compile(
    r"[\s/]*+(?:([^\s=/>\"']+)(?:\s*+=\s*+(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?"
    r"|\"[^\"]*\"|'[^']*'|[=>\"']|\Z)"
)
_DOCTYPE = re.compile(
    r"<!doctype\s+html(?:\s+public\s+(?P<q>[\"'])-//W3C//DTD X?HTML [0-9.]+(?: [a-z]+)?//EN(?P=q)"
    r"(?:\s+(?P<r>[\"'])http://www\.w3\.org/TR/[a-z0-9./-]+(?P=r))?)?\s*>",
    re.IGNORECASE,
)
_HARMLESS = frozenset([
    "align", "border", "cellpadding", "cellspacing", "class", "colspan", "dir", "height", "lang",
    "rowspan", "scope", "span", "start", "style", "type", "valign", "width", "xml:lang", "xmlns",
])  # fmt: skip
_ELEMENTS = frozenset([
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b",
    "base", "basefont", "bdi", "bdo", "big", "blink", "blockquote", "body", "br", "button",
    "canvas", "caption", "center", "cite", "code", "col", "colgroup", "data", "datalist", "dd",
    "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed", "fieldset",
    "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "img", "input",
    "ins", "kbd", "label", "legend", "li", "link", "main", "map", "mark", "marquee", "menu",
    "meta", "meter", "nav", "nobr", "noframes", "noscript", "object", "ol", "optgroup",
    "option", "output", "p", "param", "picture", "pre", "progress", "q", "rb", "rp", "rt",
    "rtc", "ruby", "s", "samp", "script", "section", "select", "slot", "small", "source",
    "span", "strike", "strong", "style", "sub", "summary", "sup", "table", "tbody", "td",
    "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u",
    "ul", "var", "video", "wbr", "xml", "xmp", "circle", "defs", "ellipse", "g", "image",
    "line", "path", "polygon", "polyline", "rect", "svg", "symbol", "text", "tspan", "use",
    "math", "mfrac", "mi", "mn", "mo", "mrow", "msub", "msup",
])  # fmt: skip
_PREFIXES = frozenset(["h", "html", "o", "st1", "st2", "svg", "v", "w", "xhtml"])
"""Those of elements of XHTML, and of what word processors add."""
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
    parts: list[list[str]] = [[]]  # of each piece: texts and entities
    tags: list[list[str]] = [[""]]
    written: dict[str, set[str]] = {}
    for kind, value in _tokens(source):
        if kind == "tag":
            if parts[-1]:
                parts.append([])
                tags.append([])
            tags[-1].append(value)
            continue
        char = html.unescape(value) if kind == "entity" else value
        for each in char if kind == "text" else [char]:
            if (not each.isalnum() and not each.isspace()) or kind == "entity":
                written.setdefault(each, set()).add(value if kind == "entity" else each)
        if char:
            parts[-1].append(char)
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
        last = tags.pop()
    else:
        last = []
    pieces = list(map("".join, parts))
    runs = list(map("".join, (*tags, last)))
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
    place, endless = 0, set[str]()
    start = 0  # of the text that is not yielded yet
    while found := _TOKEN.search(source, place):
        kind, value, place = _token(source, found, endless)
        if kind:
            if found.start() > start:
                yield "text", source[start : found.start()]
            yield kind, value
            start = place
    if start < len(source):
        yield "text", source[start:]


def _token(source: str, found: re.Match[str], endless: set[str]) -> tuple[str, str, int]:
    """Return the kind of a token, its value and where it ends; no kind is text like all else.

    `endless` collects what begins and never ends, so that nothing looks for the end again.
    """
    value, end = found.group(), found.end()
    if begin := found["begin"]:
        closing = None
        if begin.lower() not in endless:
            closing = _ENDS[begin.lower()].search(source, end)
        if closing is None:
            endless.add(begin.lower())
            found_tag = _TAG.match(source, found.start())
            return ("tag", "", found_tag.end()) if found_tag else ("", "", found.start() + 1)
        if begin[:3] == "<![":
            return "text", source[end : closing.start()], closing.end()
        return "tag", "", closing.end()
    if found["entity"]:
        # A name that HTML does not know is no entity.
        return "entity" if html.unescape(value) != value else "", value, end
    if value[1] in "!?":
        return "tag", value if _DOCTYPE.fullmatch(value) else "", end
    if not _is_element(found["name"].removeprefix("/").lower()):
        return "", "", found.start() + 1
    return "tag", _bare(found["name"], found["rest"] or ""), end


def _is_element(name: str) -> bool:
    """Tell whether a name is one of HTML: an address of mail in angle brackets is no tag."""
    prefix, colon, _ = name.partition(":")
    return prefix in _PREFIXES if colon else name in _ELEMENTS


def _bare(name: str, rest: str) -> str:
    """Return a tag with the attributes of layout alone."""
    inner = rest.rstrip().removesuffix("/").rstrip()
    kept = [
        found.group() if found.group()[0].isspace() else f" {found.group().lstrip('/')}"
        for found in _ATTRIBUTE.finditer(inner)
        if found[1] and found[1].lower() in _HARMLESS
    ]
    return f"<{name}{''.join(kept)}{rest[len(inner) :]}>"


def _end(run: str) -> str:
    """Return what tags between two pieces are in the text: a line end, a tab or nothing."""
    names = {name.lower() for name in re.findall(r"</?([A-Za-z][A-Za-z0-9]*)", run)}
    return "\n" if names & _BLOCKS else "\t" if names & _CELLS else ""
