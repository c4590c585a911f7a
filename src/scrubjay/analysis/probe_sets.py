"""Probes: short texts with clinical terms that must stay, and with the same words as names.

They stand in `resources/probes/LANGUAGE.toml`, written for Scrubjay, so that they may be shown
anywhere. A file has the `language`, `frames` (sentences into which names are put, see
`scrubjay.analysis.origin_probes`), `carriers` (for each kind of protected term sentences with one
`{term}` or `{TERM}`, see `scrubjay.analysis.protected_probes`), and one table for each category:
its `title`, the texts of `keep`, where `<KEEP>` marks what must stay, and those of `names`, where
a word of the category's terms is a name, a place or a date, marked with its label. The markup is
that of the format `inline`. With `lines = true` the texts are lines of notes, of which any may
hold both; what is marked in them is looked up nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError
from scrubjay.features.protected import PROTECTED_KINDS
from scrubjay.files import decode_text, parse_toml, read_bytes
from scrubjay.resources import resource, table_names

KEEP = "KEEP"
"""The label of what must stay."""

_SLOT = re.compile(r"\{(\w*)\}")
_SLOTS = {"given", "family"}
_KEYS = {"title", "lines", "keep", "names"}
_TERM = re.compile(r"\{(?:term|TERM)\}")


@dataclass(frozen=True, slots=True)
class Probe:
    """One text, of one category; the spans labelled `KEEP` must stay, all others are PHI."""

    category: str
    document: Document

    @property
    def kept(self) -> tuple[Span, ...]:
        """Return the spans of what must stay."""
        return tuple(span for span in self.document.spans if span.label == KEEP)

    @property
    def names(self) -> tuple[Span, ...]:
        """Return the spans of PHI."""
        return tuple(span for span in self.document.spans if span.label != KEEP)


@dataclass(frozen=True, slots=True)
class ProbeSet:
    """The probes of one language, in the order of their file, and titles by category.

    `lines` are the categories whose texts are lines of notes.
    """

    language: str
    titles: Mapping[str, str]
    probes: tuple[Probe, ...]
    frames: tuple[str, ...]
    carriers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: frozenset[str] = frozenset()

    def terms(self) -> Iterator[tuple[str, str]]:
        """Yield the terms with their category: (category, term); not those of `lines`."""
        for probe in self.probes:
            if probe.category in self.lines:
                continue
            for span in probe.kept:
                yield probe.category, probe.document.text[span.start : span.end]


def probe_languages() -> tuple[str, ...]:
    """Return the languages that have probes, sorted."""
    return table_names("probes")


@cache
def find_probes(language_or_path: str) -> ProbeSet:
    """Return the shipped probes of a language, or those of a TOML file of one's own.

    Raises `ConfigError` for a language without probes and a file that cannot be read,
    `FormatError` for one that breaks the format of the module's description.
    """
    languages = probe_languages()
    if language_or_path in languages:
        name = f"{language_or_path}.toml"
        return parse_probes(resource("probes", name).read_bytes(), path=name)
    path = Path(language_or_path)
    if path.suffix == ".toml":
        hint = f"Give a TOML file of probes, or a language that has some: {', '.join(languages)}"
        return parse_probes(read_bytes(path, kind=ConfigError, hint=hint), path=path)
    raise ConfigError(
        f"there are no probes for {language_or_path!r}",
        hint=f"Known: {', '.join(languages)}; or give a TOML file of your own",
    )


def parse_probes(content: bytes, *, path: Path | str) -> ProbeSet:
    """Read probes from the bytes of a TOML file; raises `FormatError` with the faulty place."""
    text = decode_text(content, path=path, kind=FormatError)
    table = parse_toml(text, path=path, kind=FormatError)
    language = table.pop("language", None)
    if not isinstance(language, str) or not language:
        raise FormatError("names no language", path=path, hint='Write language = "en"')
    frames = _strings(table.pop("frames", []), "frames", path)
    for number, frame in enumerate(frames, start=1):
        _require_frame(frame, number, path)
    carriers = _read_carriers(table.pop("carriers", {}), path)
    titles: dict[str, str] = {}
    probes: list[Probe] = []
    lines: set[str] = set()
    for category, entry in table.items():
        if not isinstance(entry, dict) or not isinstance(entry.get("title"), str):
            raise FormatError("is no category with a title", path=path, place=category)
        titles[category] = entry["title"]
        if _is_of_lines(entry, category, path):
            lines.add(category)
        probes += _read_category(category, entry, path)
    if not probes:
        raise FormatError("has no probes", path=path, hint="Write a table for each category")
    return ProbeSet(language, titles, tuple(probes), frames, carriers, frozenset(lines))


def _read_carriers(value: Any, path: Path | str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise FormatError("is no table of kinds", path=path, place="carriers")
    carriers = {kind: _strings(texts, f"carriers.{kind}", path) for kind, texts in value.items()}
    for kind, texts in carriers.items():
        if kind not in PROTECTED_KINDS:
            raise FormatError(
                f"names the unknown kind {kind!r}",
                path=path,
                place="carriers",
                hint=f"Known: {', '.join(PROTECTED_KINDS)}",
            )
        for number, text in enumerate(texts, start=1):
            if len(_TERM.findall(text)) != 1:
                raise FormatError(
                    "is no carrier",
                    path=path,
                    place=f"carriers.{kind}/{number}",
                    hint="Write {term} or {TERM} once",
                )
        if not texts:
            raise FormatError("has no carriers", path=path, place=f"carriers.{kind}")
    return carriers


def _is_of_lines(entry: dict[str, Any], category: str, path: Path | str) -> bool:
    value = entry.get("lines", False)
    if not isinstance(value, bool):
        raise FormatError("says neither true nor false", path=path, place=f"{category}.lines")
    return value


def _read_category(category: str, entry: dict[str, Any], path: Path | str) -> Iterator[Probe]:
    if unknown := sorted(entry.keys() - _KEYS):
        raise FormatError(f"has the unknown key {unknown[0]!r}", path=path, place=category)
    for kind in ("keep", "names"):
        texts = _strings(entry.get(kind, []), f"{category}.{kind}", path)
        for number, text in enumerate(texts, start=1):
            name = f"{category}/{kind}/{number}"
            probe = Probe(category, parse_inline(text, id=name, path=f"{path}, {name}"))
            if not (probe.kept if kind == "keep" else probe.names):
                what = f"<{KEEP}>" if kind == "keep" else "label"
                raise FormatError(f"marks nothing with a {what}", path=path, place=name)
            yield probe


def _strings(value: Any, name: str, path: Path | str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise FormatError("is no list of strings", path=path, place=name)
    return tuple(value)


def _require_frame(frame: str, number: int, path: Path | str) -> None:
    document = parse_inline(frame, path=f"{path}, frames/{number}")
    slots = list(_SLOT.finditer(document.text))
    inside = all(
        any(span.start <= slot.start() and slot.end() <= span.end for span in document.spans)
        for slot in slots
    )
    if not slots or not inside or {slot[1] for slot in slots} - _SLOTS:
        raise FormatError(
            "is no frame",
            path=path,
            place=f"frames/{number}",
            hint="Write {given} or {family} inside of a label",
        )
