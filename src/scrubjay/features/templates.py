"""Feature templates: which attributes, at which offsets, alone or crossed.

A template is written as `attribute@offset`, a cross as several of them: `lower@-1 shape@0`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from scrubjay.errors import ConfigError, require_choice

MAX_OFFSET = 4
MAX_PARTS = 3
MAX_CROSSES = 256

SCOPES = ("document", "sentence")
"""What windows stay within."""


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
    """Parse `lower@-1 shape@0`; a part without `@` has offset 0.

    Raises `ConfigError` for an offset beyond `MAX_OFFSET` and for more than `MAX_PARTS` parts.
    """
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
    if len(parts) > MAX_PARTS:
        raise ConfigError(f"feature {text!r}: a cross has at most {MAX_PARTS} parts")
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
        require_choice("scope", self.scope, SCOPES)
        if sum(template.is_cross for template in self.templates()) > MAX_CROSSES:
            raise ConfigError(f"a configuration has at most {MAX_CROSSES} feature crosses")

    def templates(self) -> tuple[Template, ...]:
        """Return every template once, in the order of declaration."""
        ordered = (template for group in self.groups.values() for template in group)
        return tuple(dict.fromkeys(ordered))

    def only(self, groups: Iterable[str]) -> FeatureConfig:
        """Return the configuration with these groups alone; raises `ConfigError`."""
        groups = tuple(groups)
        for name in groups:
            if name not in self.groups:
                raise ConfigError(
                    f"no feature group {name!r}", hint=f"Known: {', '.join(self.groups)}"
                )
        chosen = {name: self.groups[name] for name in groups}
        return FeatureConfig(chosen, self.scope, self.dictionary_documents)


SETTINGS = {"scope", "dictionary-documents", "groups"}
"""What a table of features holds, and one of the templates of rules."""
_GROUP_KEYS = {"attributes", "offsets", "crosses"}


def read_feature_config(table: Mapping[str, Any]) -> FeatureConfig:
    """Read the `[features]` table of a configuration; raises `ConfigError` on a wrong setting."""
    require_known(table, SETTINGS, where="[features]")
    groups = {
        name: tuple(_read_group(name, require_table(group, where=f"[features.groups.{name}]")))
        for name, group in require_table(table.get("groups", {}), where="features.groups").items()
    }
    if not any(groups.values()):
        raise ConfigError("a configuration needs at least one feature group")
    documents = table.get("dictionary-documents", 2)
    if not isinstance(documents, int) or isinstance(documents, bool) or documents < 1:
        raise ConfigError("dictionary-documents must be a whole number of at least 1")
    return FeatureConfig(groups, table.get("scope", "document"), documents)


def _read_group(name: str, group: Mapping[str, Any]) -> list[Template]:
    where = f"[features.groups.{name}]"
    require_known(group, _GROUP_KEYS, where=where)
    offsets = _read_list(group, "offsets", [0], kind=int, where=where)
    templates = [
        parse_template(f"{attribute}@{offset}")
        for attribute in _read_list(group, "attributes", [], kind=str, where=where)
        for offset in offsets
    ]
    crosses = _read_list(group, "crosses", [], kind=str, where=where)
    return templates + [parse_template(text) for text in crosses]


def _read_list(
    table: Mapping[str, Any], name: str, default: list[Any], *, kind: type, where: str
) -> list[Any]:
    values = table.get(name, default)
    if not isinstance(values, list) or not all(type(value) is kind for value in values):
        wanted = "strings" if kind is str else "whole numbers"
        raise ConfigError(f"{where}: {name} must be a list of {wanted}")
    return values


def require_table(value: Any, *, where: str) -> Mapping[str, Any]:
    """Return a table of a configuration; raises `ConfigError` for any other value."""
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} must be a table")
    return value


def require_known(table: Mapping[str, Any], known: AbstractSet[str], *, where: str) -> None:
    """Raise `ConfigError` that names the first setting of a table that is not known."""
    unknown = sorted(set(table) - known)
    if unknown:
        raise ConfigError(
            f"{where} has an unknown setting {unknown[0]!r}",
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
