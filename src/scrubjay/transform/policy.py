"""Policies: which operator replaces the mentions of which label.

A policy has a mandatory default, for every label that it does not name, and the default never
keeps. Four policies have names, each one operator for all labels: `placeholder`, `mask`,
`redact` and `hash`. Others are TOML files:

    name = "ward"
    default = "placeholder"

    [labels]
    AGE = "keep"
    DATE = { operator = "mask", filler = "#" }
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, LabelError
from scrubjay.labels import kind_of
from scrubjay.transform.edits import Edit
from scrubjay.transform.operators import (
    OPERATORS,
    Keep,
    Mention,
    Operator,
    Record,
    RecordOperator,
)

POLICIES = ("placeholder", "mask", "redact", "hash")
"""The policies with a name: one operator with its default parameters for every label."""

_SETTINGS = ("name", "default", "labels")


@dataclass(frozen=True, slots=True)
class Policy:
    """Label -> operator, with a default for every other label that never keeps.

    Raises `ConfigError` if the default keeps.
    """

    name: str
    default: Operator
    operators: Mapping[str, Operator] = field(default_factory=dict)
    kinds: Mapping[str, Operator] = field(default_factory=dict)
    min_scores: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.default, Keep):
            raise ConfigError(
                f"the default of the policy {self.name!r} may not be 'keep'",
                hint="Name the labels to keep one by one, and give another default",
            )

    def operator(self, label: str) -> Operator:
        """Return the operator for a label: its own, that of its kind, or the default."""
        own = self.operators.get(label)
        return own if own is not None else self.kinds.get(kind_of("", label), self.default)

    def select(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return the spans that the policy replaces or keeps: those of sufficient score.

        A span whose score is below the least one of its label is dropped, as if it had not been
        found; one without a score stays.
        """
        least = self.min_scores
        return tuple(
            span for span in spans if span.score is None or span.score >= least.get(span.label, 0.0)
        )

    def plan(
        self, document: Document, spans: Iterable[Span], *, patient: str = "", language: str = ""
    ) -> list[Edit]:
        """Return the edits that replace `select(spans)` in the text of `document`, in order.

        An operator that must see its mentions together (`RecordOperator`) gets all of the
        document in one call; labels with equal operators share it. `patient` is the key of the
        patient whose record this is, `language` a code such as "en"; "" where not known.
        """
        text, document_id = document.text, document.id
        record = Record(document_id, patient, text, language)
        mentions = [
            Mention(span, text[span.start : span.end], document_id, patient)
            for span in self.select(spans)
        ]
        replacements = [""] * len(mentions)
        for operator, numbers in self._grouped(mentions):
            mine = [mentions[number] for number in numbers]
            texts = (
                operator.replace_all(mine, record)
                if isinstance(operator, RecordOperator)
                else [operator.replace(mention) for mention in mine]
            )
            for number, new in zip(numbers, texts, strict=True):
                replacements[number] = new
        return [
            Edit(mention.span.start, mention.span.end, new)
            for mention, new in zip(mentions, replacements, strict=True)
        ]

    def _grouped(self, mentions: Sequence[Mention]) -> list[tuple[Operator, list[int]]]:
        """Return each operator with the numbers of its mentions; equal operators are one."""
        groups: list[tuple[Operator, list[int]]] = []
        of_label: dict[str, list[int]] = {}
        for number, mention in enumerate(mentions):
            label = mention.span.label
            if label not in of_label:
                operator = self.operator(label)
                found = next((numbers for known, numbers in groups if known == operator), None)
                if found is None:
                    found = []
                    groups.append((operator, found))
                of_label[label] = found
            of_label[label].append(number)
        return groups

    def require_labels(self, known: Iterable[str]) -> None:
        """Raise `LabelError` for a label of the policy that is none of `known`.

        A misspelled label would silently fall to the default.
        """
        names = sorted(set(known))
        for label in sorted(self.operators):
            if label not in names:
                raise LabelError(
                    f"the policy {self.name!r} names the unknown label {label!r}",
                    hint=_suggest(label, names),
                )


def find_policy(name_or_path: str | Path, *, key: bytes | None = None) -> Policy:
    """Return a policy by its name, or from a TOML file.

    `key` is the secret of the operator `hash` (see `operators.read_key`). Raises `ConfigError`
    for an unknown name, setting, operator or parameter, offering the nearest name, and for
    `hash` without a key.
    """
    name = str(name_or_path)
    if name in POLICIES:
        return Policy(name, make_operator(name, key=key))
    path = Path(name_or_path)
    if path.suffix != ".toml" and not path.is_file():
        raise ConfigError(
            f"unknown policy {name!r}",
            hint=f"{_suggest(name, POLICIES)}. A policy of your own is a TOML file",
        )
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"the policy cannot be read ({type(error).__name__})",
            path=path,
            hint=f"Give a TOML file, or a policy by its name: {', '.join(POLICIES)}",
        ) from error
    except ValueError as error:
        # A TOML or a UTF-8 error; both tell a place and no content worth hiding.
        raise ConfigError(f"not valid TOML ({error})", path=path) from error
    return parse_policy(settings, name=path.stem, key=key, path=path)


def parse_policy(
    settings: Mapping[str, Any],
    *,
    name: str = "policy",
    key: bytes | None = None,
    path: Path | None = None,
) -> Policy:
    """Return the policy of a parsed TOML table; raises `ConfigError` like `find_policy`.

    `name` stands in where the table names none, and `path` is named in messages.
    """
    for setting in settings:
        if setting not in _SETTINGS:
            raise ConfigError(
                f"unknown setting {setting!r}", path=path, hint=_suggest(setting, _SETTINGS)
            )
    if "default" not in settings:
        raise ConfigError(
            "the policy has no default",
            path=path,
            hint='It replaces the labels that are not named: default = "placeholder"',
        )
    name, labels = settings.get("name", name), settings.get("labels", {})
    if not isinstance(name, str) or not isinstance(labels, dict):
        raise ConfigError("'name' must be a string and 'labels' a table", path=path)
    default = _parse_operator(settings["default"], place="default", key=key, path=path)
    operators = {
        label: _parse_operator(value, place=f"labels.{label}", key=key, path=path)
        for label, value in labels.items()
    }
    return Policy(name, default, operators)


def make_operator(
    name: str, parameters: Mapping[str, Any] | None = None, *, key: bytes | None = None
) -> Operator:
    """Return the operator of that name with its parameters.

    Raises `ConfigError` for an unknown name or parameter (the nearest is offered), for a
    parameter of the wrong type, and for `hash` without a `key`.
    """
    given = dict(parameters or {})
    if name not in OPERATORS:
        raise ConfigError(f"unknown operator {name!r}", hint=_suggest(name, OPERATORS))
    kind = OPERATORS[name]
    known = {entry.name: entry.type for entry in fields(kind) if entry.name != "key"}
    for parameter, value in given.items():
        if parameter not in known:
            hint = _suggest(parameter, known) if known else "It takes none"
            raise ConfigError(
                f"unknown parameter {parameter!r} of the operator {name!r}", hint=hint
            )
        if type(value).__name__ != known[parameter]:
            raise ConfigError(
                f"the parameter {parameter!r} of the operator {name!r} must be of type "
                f"{known[parameter]}"
            )
    if name == "hash":
        given["key"] = key or b""
    operator: Operator = kind(**given)
    return operator


def _parse_operator(value: Any, *, place: str, key: bytes | None, path: Path | None) -> Operator:
    """Return the operator of one entry: its name, or a table with its name and parameters."""
    parameters = {"operator": value} if isinstance(value, str) else value
    if not isinstance(parameters, dict) or not isinstance(parameters.get("operator"), str):
        raise ConfigError(
            "an operator is its name, or a table with its name and parameters",
            path=path,
            place=place,
            hint='For example: DATE = { operator = "mask", filler = "#" }',
        )
    rest = {name: setting for name, setting in parameters.items() if name != "operator"}
    try:
        return make_operator(parameters["operator"], rest, key=key)
    except ConfigError as error:
        raise ConfigError(error.what, path=path, place=place, hint=error.hint) from error


def _suggest(name: str, known: Iterable[str]) -> str:
    """Return a hint that offers the nearest known name, else all of them."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6) or difflib.get_close_matches(
        name.casefold(), names, n=1, cutoff=0.6
    )
    return f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(names)}"
