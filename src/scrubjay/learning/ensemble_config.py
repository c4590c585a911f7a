"""The configuration of an ensemble: its members, its combiner, and the folds between them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, get_args

from scrubjay.errors import ConfigError, require_choice
from scrubjay.features.templates import require_known, require_table
from scrubjay.learning.sections import section_values, write_section
from scrubjay.taggers._combining.pool import DOUBT, Decode

METHODS = ("svm", "majority", "weighted", "pool", "union", "intersection", "per-label")
"""The ways to combine: see `taggers._combining`."""

MEMBERS_DIALLED = ("union", "intersection", "per-label")
"""Those whose recall dial is that of the members."""

PATTERNS = "patterns"
"""The configuration of a member that learns nothing: the patterns of the language."""

_LATE_ALONE = 'Leave late out of [combiner], or write method = "pool"'
_POOL_ALONE = 'Leave decode out of [combiner], or write method = "pool"'

GROUPINGS = ("auto", "patient", "document")

_SETTINGS = {"name", "kind", "citation", "description", "members", "combiner", "crossfit"}
_MEMBER = {"name", "config", "model", "member", "overrides", "files", "weight"}
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class MemberConfig(Protocol):
    """What an ensemble needs to know of the configuration of a member."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    def table(self) -> dict[str, Any]: ...


FindMember = Callable[[str, Mapping[str, Any]], MemberConfig]
"""The name or file of a configuration, and settings to change in it -> the configuration."""


@dataclass(frozen=True, slots=True)
class MemberSettings:
    """A member under its name: a configuration to train, patterns, or a model that is trained.

    `config` is None for patterns and for a `model`, the name or folder of a trained one, of which
    `member` is meant where it is an ensemble and one of its members is named. `files`
    are pattern files of one's own. `weight` is its vote in a weighted one, None to measure it, or
    its say in a pool, None for 1.
    """

    name: str
    config: MemberConfig | None = None
    model: str = ""
    member: str = ""
    files: tuple[str, ...] = ()
    weight: float | None = None

    @property
    def kind(self) -> str:
        """The kind of its configuration, "regex" for patterns, "model" for a trained one."""
        return self.config.kind if self.config else "model" if self.model else "regex"

    def table(self) -> dict[str, Any]:
        """Return the settings as plain values."""
        values: dict[str, Any] = {"name": self.name}
        if self.config is not None:
            values["config"] = self.config.table()
        elif self.model:
            values |= {"model": self.model} | ({"member": self.member} if self.member else {})
        else:
            values |= {"config": PATTERNS, "files": list(self.files)}
        return values if self.weight is None else {**values, "weight": self.weight}


@dataclass(frozen=True, slots=True)
class CombinerSettings:
    """How proposals become one set of spans.

    With a `model`, a trained ensemble with members of the same names, its combiner is taken as it
    is: what was learned on some documents serves members that are trained on more. Members that
    `fill` names are not combined: their spans are taken where the others leave the text free.
    `decode` is for `pool`: the best path through its scores, or through "marginals". So is `late`:
    members that are asked where the pool of the others doubts alone, which is where it holds other
    tags than its own for at least as likely as `doubt`, ten times that where its own is `O`.

    For `svm`: the costs of errors on right and on wrong candidates and the width of the kernel,
    by default those of Zhao 2020, Table 3; `opinions` lets members that can say how likely they
    hold what others propose; `rules` is how many rules have a feature of their
    own, each proposing at least `rule_count` training candidates; `protected` adds how far clinical
    terms cover a candidate, in languages that have lists of them. `threshold` is the least
    probability of a span: "best" for the one with the best F1 on held-out candidates, "margin"
    for the machine's own decision, or a number.
    """

    method: str = "svm"
    model: str = ""
    fill: tuple[str, ...] = ()
    decode: Decode = "path"
    late: tuple[str, ...] = ()
    doubt: float = DOUBT
    c_positive: float = 5.2
    c_negative: float = 12.48
    gamma: float = 0.009
    threshold: str | float = "best"
    opinions: bool = True
    rules: int = 40
    rule_count: int = 10
    protected: bool = True

    def __post_init__(self) -> None:
        require_choice("combiner.method", self.method, METHODS)
        require_choice("combiner.decode", self.decode, get_args(Decode))
        if self.decode != "path" and self.method != "pool":
            raise ConfigError(f"the method {self.method!r} decodes nothing", hint=_POOL_ALONE)
        if self.late and self.method != "pool":
            raise ConfigError(f"the method {self.method!r} knows no doubt", hint=_LATE_ALONE)
        _require_number("combiner.doubt", self.doubt, above=0.0, below=1.0)
        if not isinstance(self.model, str):
            raise ConfigError("combiner.model must be a string")
        for field_name in ("fill", "late"):
            value = getattr(self, field_name)
            if not isinstance(value, tuple) or not all(isinstance(name, str) for name in value):
                raise ConfigError(f"combiner.{field_name} must be a list of members")
        for name in ("c_positive", "c_negative", "gamma"):
            _require_number(f"combiner.{name}", getattr(self, name), above=0.0)
        if isinstance(self.threshold, str):
            require_choice("combiner.threshold", self.threshold, ("best", "margin"))
        else:
            _require_number("combiner.threshold", self.threshold, above=0.0, below=1.0)
        for name in ("opinions", "protected"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"combiner.{name} must be true or false")
        for name in ("rules", "rule_count"):
            _require_whole(f"combiner.{name}", getattr(self, name), least=0)


@dataclass(frozen=True, slots=True)
class CrossfitSettings:
    """The folds of the training data in which members predict what they have not seen.

    `by` is "patient" (`patient_key` as for `scrubjay corpus split`), "document", or "auto": by
    patient where every id tells one and there are enough of them for the folds.
    `seed` deals the folds. It is not the seed of the training: others share the same folds.
    """

    folds: int = 5
    by: str = "auto"
    patient_key: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        _require_whole("crossfit.folds", self.folds, least=2)
        _require_whole("crossfit.seed", self.seed, least=0)
        require_choice("crossfit.by", self.by, GROUPINGS)
        if not isinstance(self.patient_key, str):
            raise ConfigError("crossfit.patient-key must be a string")


@dataclass(frozen=True, slots=True)
class EnsembleConfig:
    """An ensemble: at least one member, in order of priority, and how they are combined."""

    name: str
    members: tuple[MemberSettings, ...]
    combiner: CombinerSettings = field(default_factory=CombinerSettings)
    crossfit: CrossfitSettings = field(default_factory=CrossfitSettings)
    citation: str = ""

    @property
    def kind(self) -> str:
        """The kind of model that is trained from it."""
        return "ensemble"

    @property
    def combined(self) -> tuple[MemberSettings, ...]:
        """The members that are combined: those that do not just fill."""
        return tuple(m for m in self.members if m.name not in self.combiner.fill)

    @property
    def needs_crossfit(self) -> bool:
        """Tell whether the combiner learns from what members say of documents unseen by them."""
        if self.combiner.model:
            return False
        if self.combiner.method == "weighted":
            return any(member.weight is None for member in self.combined)
        return self.combiner.method in ("svm", "per-label")

    def table(self) -> dict[str, Any]:
        """Return the configuration as plain values, as manifests keep it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "citation": self.citation,
            "members": [member.table() for member in self.members],
            "combiner": write_section(self.combiner),
            "crossfit": write_section(self.crossfit),
        }


def build_ensemble_config(
    table: Mapping[str, Any], *, default_name: str, find_member: FindMember
) -> EnsembleConfig:
    """Build a configuration from its table; the errors do not name the file yet."""
    require_known(table, _SETTINGS, where="the configuration")
    for name in ("name", "citation"):
        if not isinstance(table.get(name, ""), str):
            raise ConfigError(f"{name} must be a string")
    members = tuple(
        _read_member(entry, find_member) for entry in _member_entries(table.get("members", ()))
    )
    names = [member.name for member in members]
    if not members:
        raise ConfigError("an ensemble needs members", hint="Write [members.crf] and so on")
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two members have the name {name!r}", hint="Give each its own name")
    config = EnsembleConfig(
        name=table.get("name", default_name),
        members=members,
        combiner=CombinerSettings(**_read(table, "combiner", CombinerSettings)),
        crossfit=CrossfitSettings(**_read(table, "crossfit", CrossfitSettings)),
        citation=table.get("citation", ""),
    )
    for setting in ("fill", "late"):
        for name in getattr(config.combiner, setting):
            if name not in names:
                raise ConfigError(
                    f"combiner.{setting} names {name!r}, which is no member",
                    hint=f"Members: {', '.join(names)}",
                )
    if not config.combined:
        raise ConfigError("combiner.fill names all members; at least one must be combined")
    _require_early(config)
    for member in members:
        if member.kind == config.kind:
            raise ConfigError(
                f"the member {member.name!r} is an ensemble; name its members instead"
            )
        if config.combiner.method == "pool" and member in config.combined:
            _require_poolable(member)
        if member.model and member in config.combined and config.needs_crossfit:
            raise ConfigError(
                f"the member {member.name!r} is a trained model, and {config.combiner.method!r} "
                "learns from what members say of documents that they have not seen",
                hint="Give its configuration instead, or another [combiner] method",
            )
    return config


def _require_early(config: EnsembleConfig) -> None:
    """Refuse late members that are not combined, and none that could be asked before them."""
    late = config.combiner.late
    if both := sorted({*late} & {*config.combiner.fill}):
        raise ConfigError(f"the member {both[0]!r} cannot both fill and be late")
    if late and not {member.name for member in config.combined} - {*late}:
        raise ConfigError(
            "combiner.late names all members; those that doubt must be asked before",
            hint="Leave the fastest members out of it",
        )


def _require_poolable(member: MemberSettings) -> None:
    if member.kind in ("regex", "tbed"):
        raise ConfigError(
            f"the member {member.name!r} has rules, and no scores that could be pooled",
            hint=f'Let it fill: fill = ["{member.name}"] in [combiner]',
        )


def _member_entries(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of `[members.NAME]` or of `[[members]]`."""
    if isinstance(value, Mapping):
        for name, entry in value.items():
            yield {**require_table(entry, where=f"[members.{name}]"), "name": name}
    elif isinstance(value, list | tuple):
        for entry in value:
            yield require_table(entry, where="[[members]]")
    else:
        raise ConfigError("members must be tables", hint="Write [members.crf] and so on")


def _read_member(entry: Mapping[str, Any], find_member: FindMember) -> MemberSettings:
    name = entry.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ConfigError(
            f"a member cannot have the name {name!r}", hint="Use small letters, digits, hyphens"
        )
    where = f"[members.{name}]"
    require_known(entry, _MEMBER, where=where)
    weight = entry.get("weight")
    if weight is not None:
        weight = _require_number(f"{where} weight", weight, above=0.0)
    config, model, files = entry.get("config", ""), entry.get("model", ""), entry.get("files", [])
    if isinstance(config, Mapping):  # as `table` writes it
        return MemberSettings(name, find_member("", config), weight=weight)
    if not isinstance(config, str) or not isinstance(model, str) or bool(config) == bool(model):
        raise ConfigError(f"{where} needs either config or model, a string")
    if not isinstance(files, list) or not all(isinstance(file, str) for file in files):
        raise ConfigError(f"{where} files must be a list of files")
    if files and config != PATTERNS:
        raise ConfigError(f"{where} has files, which patterns alone can have")
    inner = entry.get("member", "")
    if not isinstance(inner, str) or (inner and not model):
        raise ConfigError(f"{where} member must be a string, the name of a member of its model")
    overrides = require_table(entry.get("overrides", {}), where=f"{where} overrides")
    if overrides and (model or config == PATTERNS):
        raise ConfigError(f"{where} has no settings that overrides could change")
    if model or config == PATTERNS:
        return MemberSettings(name, model=model, member=inner, files=tuple(files), weight=weight)
    try:
        return MemberSettings(name, find_member(config, overrides), weight=weight)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None


def merge_tables(table: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with settings changed; tables within it are changed in the same way."""
    merged = dict(table)
    for name, value in changes.items():
        old = merged.get(name)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[name] = merge_tables(old, value) if both else value  # type: ignore[arg-type]
    return merged


def _read(table: Mapping[str, Any], name: str, kind: type) -> dict[str, Any]:
    return {
        entry.name: tuple(value) if isinstance(value, list) else value
        for entry, value in section_values(kind, table.get(name, {}), where=f"[{name}]")
    }


def _require_number(name: str, value: Any, *, above: float, below: float = math.inf) -> float:
    shown = name.replace("_", "-")
    if type(value) not in (int, float) or not above < value < below:
        bound = f" and below {below:g}" if below < math.inf else ""
        raise ConfigError(f"{shown} must be a number above {above:g}{bound}, not {value!r}")
    return float(value)


def _require_whole(name: str, value: Any, *, least: int) -> None:
    if type(value) is not int or value < least:
        shown = name.replace("_", "-")
        raise ConfigError(f"{shown} must be a whole number of at least {least}, not {value!r}")
