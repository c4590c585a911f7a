"""Feature templates: which attributes, at which offsets, alone or crossed.

A template is written as `attribute@offset`, a cross as several of them: `lower@-1 shape@0`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrubjay.errors import ConfigError

MAX_OFFSET = 4


@dataclass(frozen=True, slots=True)
class Template:
    """The parts `(attribute, offset)` whose values together make one feature."""

    parts: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return " ".join(f"{name}@{offset}" for name, offset in self.parts)

    @property
    def is_cross(self) -> bool:
        return len(self.parts) > 1


def parse_template(text: str) -> Template:
    """Parse `lower@-1 shape@0`; a part without `@` has offset 0. Raises `ConfigError`."""
    parts: list[tuple[str, int]] = []
    for part in text.split():
        name, _, offset = part.partition("@")
        try:
            number = int(offset or "0")
        except ValueError:
            raise ConfigError(f"feature {text!r}: {offset!r} is not an offset") from None
        if not -MAX_OFFSET <= number <= MAX_OFFSET:
            raise ConfigError(f"feature {text!r}: offsets reach from -{MAX_OFFSET} to {MAX_OFFSET}")
        parts.append((name, number))
    if not parts:
        raise ConfigError("an empty feature template")
    return Template(tuple(parts))


@dataclass(frozen=True, slots=True)
class FeatureConfig:
    """The declared features of a configuration.

    `groups` maps a group's name to its templates, in the order in which experiments add them.
    `scope` says whether a window sees over the sentence's border ("document") or not
    ("sentence"). `dictionary_documents` is the number of training documents in which a word
    must be PHI of a label to enter that label's training dictionary (He 2015, section 2.2).
    """

    groups: Mapping[str, tuple[Template, ...]]
    scope: str = "document"
    dictionary_documents: int = 2

    def __post_init__(self) -> None:
        if self.scope not in ("document", "sentence"):
            raise ConfigError(f"unknown scope {self.scope!r}", hint="Known: document, sentence")

    def templates(self) -> tuple[Template, ...]:
        """Return every template once, in the order of declaration."""
        ordered = (template for group in self.groups.values() for template in group)
        return tuple(dict.fromkeys(ordered))

    def only(self, groups: Iterable[str]) -> FeatureConfig:
        """Return the configuration with these groups alone."""
        chosen = {name: self.groups[name] for name in groups}
        return FeatureConfig(chosen, self.scope, self.dictionary_documents)


_KEYS = {"scope", "dictionary-documents", "groups"}
_GROUP_KEYS = {"attributes", "offsets", "crosses"}


def read_feature_config(table: Mapping[str, Any]) -> FeatureConfig:
    """Read the `[features]` table of a configuration; raises `ConfigError` on unknown keys."""
    _require_known(table, _KEYS, "features")
    groups = {
        name: tuple(_read_group(name, group)) for name, group in table.get("groups", {}).items()
    }
    if not any(groups.values()):
        raise ConfigError("a configuration needs at least one feature group")
    return FeatureConfig(
        groups, table.get("scope", "document"), table.get("dictionary-documents", 2)
    )


def _read_group(name: str, group: Mapping[str, Any]) -> list[Template]:
    _require_known(group, _GROUP_KEYS, f"features.groups.{name}")
    offsets: Sequence[int] = group.get("offsets", [0])
    templates = [
        parse_template(f"{attribute}@{offset}")
        for attribute in group.get("attributes", [])
        for offset in offsets
    ]
    return templates + [parse_template(text) for text in group.get("crosses", [])]


def _require_known(table: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise ConfigError(
            f"[{where}] has an unknown setting {unknown[0]!r}",
            hint=f"Known: {', '.join(sorted(known))}",
        )


def write_feature_config(config: FeatureConfig) -> dict[str, Any]:
    """Return the table that `read_feature_config` reads back to the same configuration."""
    return {
        "scope": config.scope,
        "dictionary-documents": config.dictionary_documents,
        "groups": {
            name: {"crosses": [str(template) for template in templates]}
            for name, templates in config.groups.items()
        },
    }
