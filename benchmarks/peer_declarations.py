"""What is declared of each peer beside its adapter, and what its types become."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.labels import LabelSet, find_label_set

PEERS = Path(__file__).resolve().parent / "peers"
NO_PEER = "coarse"
UNNAMED = "UNNAMED"
_KEYS = {
    "title", "package", "language", "licence", "requirements", "adapter", "arguments", "drop",
    "note", "never", "types", "unavailable",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Peer:
    """A system to compare with.

    `types` maps each of its types to a category, or to "" where the type is no PHI by the
    conventions of the notes and its finds are left out. `never` are the categories that it was
    not made to find, with the reason. `drop` are paths below its site-packages that are deleted
    before it first runs. One that cannot be had says why in `unavailable`.
    """

    name: str
    title: str
    package: str
    language: str
    licence: str
    requirements: Path | None = None
    command: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    note: str = ""
    never: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    unavailable: str = ""

    @property
    def labelled(self) -> bool:
        """Whether any of its types has a category of its own."""
        return any(category not in ("", UNNAMED) for category in self.types.values())

    def map_spans(self, spans: Iterable[tuple[int, int, str]]) -> tuple[Span, ...]:
        """Return spans with categories; raises `ConfigError` for a type that is not declared."""
        mapped = []
        for start, end, kind in spans:
            if kind not in self.types:
                raise ConfigError(f"{self.name}: the type {kind!r} is not in its TOML file")
            if category := self.types[kind]:
                mapped.append(Span(start, end, category))
        return tuple(dict.fromkeys(sorted(mapped, key=lambda span: (span.start, span.end))))


def coarse_labels() -> LabelSet:
    """Return the categories common to all."""
    return find_label_set(PEERS / f"{NO_PEER}.toml")


def read_peers(folder: Path = PEERS) -> tuple[Peer, ...]:
    """Return every declared peer, by name; raises `ConfigError` for a broken declaration."""
    paths = sorted(path for path in folder.glob("*.toml") if path.stem != NO_PEER)
    return tuple(read_peer(path) for path in paths)


def read_peer(path: Path) -> Peer:
    """Return the peer that a TOML file declares; the adapter stands beside the file."""
    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    if unknown := sorted(data.keys() - _KEYS):
        raise ConfigError(f"unknown setting {unknown[0]!r}", path=path)
    facts = {key: data[key] for key in ("title", "package", "language", "licence")}
    if "unavailable" in data:
        return Peer(path.stem, **facts, unavailable=data["unavailable"])
    types = {name: _category(name, entry, path) for name, entry in data["types"].items()}
    never = data.get("never", {})
    for category in never:
        coarse_labels().require(category)
    return Peer(
        path.stem,
        **facts,
        requirements=path.parent / "requirements" / f"{data['requirements']}.txt",
        command=(str(path.parent / data["adapter"]), *data.get("arguments", [])),
        drop=tuple(data.get("drop", [])),
        note=data.get("note", ""),
        never=never,
        types=types,
    )


def _category(name: str, entry: Mapping[str, str], path: Path) -> str:
    if set(entry) != {"category", "reason"} or not entry["reason"]:
        raise ConfigError("a type needs `category` and `reason`", path=path, place=name)
    return coarse_labels().require(entry["category"]) if entry["category"] else ""
