"""Policies: which operator replaces the mentions of which label.

A policy has a mandatory default, for every label that it does not name, and the default never
keeps. Some policies ship with the package (`POLICIES`); others are TOML files of the same form:

    name = "ward"
    default = "placeholder"

    [kinds]
    date = { operator = "mask", filler = "#" }

    [labels]
    AGE = "keep"

    [min-score]
    PROFESSION = 0.6
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, LabelError, told_type
from scrubjay.files import parse_toml, read_text
from scrubjay.labels import KINDS, LabelSet, find_label_set, kind_of
from scrubjay.resources import resource
from scrubjay.transform._plans import Plan, make_mention, replace_many, replace_mine, sees_many
from scrubjay.transform.edits import Edit
from scrubjay.transform.operators import Keep, Operator
from scrubjay.transform.registry import describe_operator, make_operator, suggest

POLICIES = (
    "safe-harbor", "limited-dataset", "surrogate", "placeholder", "mask", "redact", "hash",
    "pseudonym",
)  # fmt: skip
"""The policies that ship with the package, as `resources/policies/NAME.toml`."""

_BY_PATIENT = ("surrogate", "pseudonym")
_WORDS = ("name", "description", "label-set")
_TABLES = ("kinds", "labels", "min-score")
_UNKNOWN = "other"  # the kind of every label that nothing is known of


@dataclass(frozen=True, slots=True)
class Policy:
    """Label -> operator: that of the label, else that of its kind, else the default.

    `kinds` are those of `scrubjay.labels.kind_of` in `label_set`, or in all sets that ship with
    the package. `min_scores` is the least score of a span by its label. Raises `ConfigError` if
    the default keeps, or what stands for labels that nothing is known of; for an unknown kind;
    and for a least score outside 0 to 1.
    """

    name: str
    default: Operator
    operators: Mapping[str, Operator] = field(default_factory=dict)
    kinds: Mapping[str, Operator] = field(default_factory=dict)
    min_scores: Mapping[str, float] = field(default_factory=dict)
    label_set: LabelSet | None = None
    description: str = field(default="", compare=False)
    _known: dict[str, tuple[str, int]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # of the labels met so far: the kind, and the number of the operator
    _distinct: tuple[Operator, ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise ConfigError(
                    f"the policy {self.name!r} names the unknown kind {kind!r}",
                    place=f"kinds.{kind}",
                    hint=suggest(kind, KINDS),
                )
        for place, operator in (
            ("default", self.default),
            (f"kind {_UNKNOWN!r}", self.kinds.get(_UNKNOWN)),
        ):
            if isinstance(operator, Keep):
                raise ConfigError(
                    f"the {place} of the policy {self.name!r} may not be 'keep'",
                    hint="Name the labels to keep one by one, and give another operator",
                )
        for label, least in self.min_scores.items():
            if not 0.0 <= least <= 1.0:
                raise ConfigError(
                    f"the least score of {label!r} in the policy {self.name!r} must be 0 to 1, "
                    f"not {least:g}",
                    place=f"min-score.{label}",
                )

        distinct: list[Operator] = []  # equal operators are one
        for operator in (self.default, *self.kinds.values(), *self.operators.values()):
            if operator not in distinct:
                distinct.append(operator)
        object.__setattr__(self, "_distinct", tuple(distinct))

    def operator(self, label: str) -> Operator:
        """Return the operator for a label: its own, that of its kind, or the default."""
        own = self.operators.get(label)
        return own if own is not None else self.kinds.get(self.kind(label), self.default)

    def kind(self, label: str) -> str:
        """Return the kind of a label: in the policy's label set, or in those that ship."""
        return kind_of(self.label_set if self.label_set is not None else "", label)

    def select(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return the spans that the policy replaces or keeps: those of sufficient score.

        A span whose score is below the least one of its label is dropped, as if it had not been
        found; one without a score stays.
        """
        least = self.min_scores
        if not least:
            return tuple(spans)
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
        (edits,) = self.plan_all([(document, spans, patient)], language=language)
        if isinstance(edits, Exception):
            raise edits
        return edits

    def plan_all(
        self,
        documents: Sequence[tuple[Document, Iterable[Span], str]],
        *,
        language: str = "",
        shared: Sequence[int] = (),
    ) -> list[list[Edit] | Exception]:
        """Return what `plan` gives for each document, or the exception that it raises.

        Each stands with its spans and its patient; `shared` has the number of the record of each,
        none where each stands alone. No document has a part in what comes of one of another
        record; an operator that likes to see many (`BatchOperator`) gets all in one call.
        """
        plans = [
            Plan(document, patient, language, number)
            for (document, _, patient), number in zip(
                documents, shared or [-1] * len(documents), strict=True
            )
        ]
        together: dict[int, list[Plan]] = {}  # of operators: the documents that need them
        for plan, (_, spans, _) in zip(plans, documents, strict=True):
            try:
                self._begin(plan, spans)
                for number, numbers in plan.groups.items():
                    operator = self._distinct[number]
                    if sees_many(operator):
                        together.setdefault(number, []).append(plan)
                    else:
                        plan.put(numbers, replace_mine(operator, plan.mine(numbers), plan.record))
            except Exception as error:
                plan.error = error
        for number, waiting in together.items():
            mine = [(plan.mine(plan.groups[number]), plan.record) for plan in waiting]
            texts = replace_many(self._distinct[number], mine)
            for plan, new in zip(waiting, texts, strict=True):
                plan.put_or_fail(plan.groups[number], new)
        return [plan.edits() if plan.error is None else plan.error for plan in plans]

    def _begin(self, plan: Plan, spans: Iterable[Span]) -> None:
        """Note the mentions of a document, and which of them belong to which operator."""
        document, known, groups = plan.document, self._known, plan.groups
        text, document_id, patient = document.text, document.id, plan.record.patient
        plan.chosen = chosen = self.select(spans)
        for label in {span.label for span in chosen}:
            if label not in known:
                known[label] = self.kind(label), self._distinct.index(self.operator(label))
        told = [known[span.label] for span in chosen]
        plan.mentions = [
            make_mention((span, text[span.start : span.end], document_id, patient, kind))
            for span, (kind, _) in zip(chosen, told, strict=True)
        ]
        for number, (_, operator_number) in enumerate(told):
            if operator_number in groups:
                groups[operator_number].append(number)
            else:
                groups[operator_number] = [number]
        plan.new = [""] * len(chosen)

    def require_labels(self, known: Iterable[str], *, path: Path | str | None = None) -> None:
        """Raise `LabelError` for labels of the policy that are none of `known`, naming all.

        A misspelled label would silently fall to the default. `path` is named in the message.
        """
        names = sorted(set(known))
        wrong = [
            (f"{table}.{label}", f"the unknown label {label!r}", suggest(label, names))
            for table, given in (("labels", self.operators), ("min-score", self.min_scores))
            for label in sorted(given)
            if label not in names
        ]
        if len(wrong) == 1:
            ((place, what, hint),) = wrong
            raise LabelError(
                f"the policy {self.name!r} names {what}", path=path, place=place, hint=hint
            )
        if wrong:
            told = "; ".join(f"{place}: {what}. {hint}" for place, what, hint in wrong)
            raise LabelError(
                f"the policy {self.name!r} names {len(wrong)} unknown labels: {told}", path=path
            )

    def reference_years(self) -> list[int]:
        """Return the years up to which ages are counted, none where no operator does so."""
        found = {getattr(operator, "reference", None) for operator in self._distinct}
        return sorted(year for year in found if isinstance(year, int))

    def goes_by_patient(self) -> bool:
        """Tell whether what it gives is the same over all documents of a patient, and other for
        other patients."""
        return any(operator.name in _BY_PATIENT for operator in self._distinct)

    def describe(self) -> dict[str, Any]:
        """Return the policy as JSON: every operator with all its parameters, and no key."""
        return {
            "name": self.name,
            "default": describe_operator(self.default),
            "label_set": self.label_set.name if self.label_set is not None else "",
            "kinds": {kind: describe_operator(self.kinds[kind]) for kind in sorted(self.kinds)},
            "labels": {
                label: describe_operator(self.operators[label]) for label in sorted(self.operators)
            },
            "min_score": {label: self.min_scores[label] for label in sorted(self.min_scores)},
        }

    def fingerprint(self) -> str:
        """Return the SHA-256 of `describe()`, as 64 hexadecimal digits: no key has a part in it."""
        text = json.dumps(self.describe(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def find_policy(name_or_path: str | Path, *, key: bytes | None = None) -> Policy:
    """Return a policy by its name (`POLICIES`), or from a TOML file.

    `key` is the secret of the operators that need one (see `operators.read_key`). Raises
    `ConfigError` for an unknown name, setting, kind, operator or parameter, offering the nearest
    name, and for an operator without the key that it needs.
    """
    if not isinstance(name_or_path, str | os.PathLike) or not str(name_or_path):
        told = "is empty" if name_or_path == "" else f"is {told_type(name_or_path)}"
        raise ConfigError(
            f"the policy {told}, not a name or the path of a file",
            hint=f"Give {', '.join(POLICIES)}",
        )
    if key is not None and not isinstance(key, bytes):
        raise ConfigError(
            f"the key is {told_type(key)}, not bytes",
            hint='In Python give key=b"...", or key=text.encode()',
        )
    name, path = str(name_or_path), Path(name_or_path)
    shipped = name in POLICIES
    settings = parse_toml(policy_source(name_or_path), path=None if shipped else path)
    if not shipped:
        return parse_policy(settings, name=path.stem, key=key, path=path)
    try:
        return parse_policy(settings, name=name, key=key)
    except ConfigError as error:
        # It is the key: its place in a file that the user never sees would tell nothing.
        raise ConfigError(error.what, hint=error.hint) from None


def policy_path(name_or_path: str | Path) -> Path | None:
    """Return the file of a policy, for messages; None for one that ships with the package."""
    return None if str(name_or_path) in POLICIES else Path(name_or_path)


def policy_source(name_or_path: str | Path) -> str:
    """Return a policy as it is written, by its name or its path.

    Raises `ConfigError` for an unknown name and a file that cannot be read.
    """
    name, path = str(name_or_path), Path(name_or_path)
    if name in POLICIES:
        return resource("policies", f"{name}.toml").read_text("utf-8")
    known = f"a policy by its name: {', '.join(POLICIES)}"
    if path.suffix != ".toml" and not path.is_file():
        raise ConfigError(
            f"unknown policy {name!r}",
            hint=f"{suggest(name, POLICIES).rstrip('.')} (a policy of your own is a TOML file)",
        )
    return read_text(path, kind=ConfigError, hint=f"Give the path of a TOML file, or {known}")


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
    words, tables = _parse_settings(settings, path)

    def operators(table: str) -> dict[str, Operator]:
        return {
            entry: _parse_operator(value, place=f"{table}.{entry}", key=key, path=path)
            for entry, value in tables[table].items()
        }

    default = _parse_operator(settings["default"], place="default", key=key, path=path)
    try:
        return Policy(
            words.get("name", name),
            default,
            operators("labels"),
            operators("kinds"),
            {label: _score(label, least) for label, least in tables["min-score"].items()},
            _label_set(words.get("label-set"), path),
            words.get("description", ""),
        )
    except ConfigError as error:
        if path is None or error.path is not None:
            raise
        raise ConfigError(error.what, path=path, place=error.place, hint=error.hint) from None


def _parse_settings(
    settings: Mapping[str, Any], path: Path | None
) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """Return the settings that are strings and those that are tables; an absent table is empty."""
    for setting in settings:
        if setting not in ("default", *_WORDS, *_TABLES):
            known = ("default", *_WORDS, *_TABLES)
            raise ConfigError(
                f"unknown setting {setting!r}", path=path, hint=suggest(setting, known)
            )
    if "default" not in settings:
        raise ConfigError(
            "the policy has no default",
            path=path,
            hint='It replaces the labels that are not named: default = "placeholder"',
        )
    words = {setting: settings[setting] for setting in _WORDS if setting in settings}
    tables = {setting: settings.get(setting, {}) for setting in _TABLES}
    for setting, value in words.items():
        if not isinstance(value, str):
            raise ConfigError(f"{setting!r} must be a string", path=path)
    for setting, value in tables.items():
        if not isinstance(value, dict):
            raise ConfigError(f"{setting!r} must be a table", path=path)
    return words, tables


def _label_set(name: str | None, path: Path | None) -> LabelSet | None:
    """Return the label set of a policy: by its name, or a file named from the policy's folder."""
    if name is None:
        return None
    beside = path is not None and name.endswith(".toml")
    return find_label_set(path.parent / name if path is not None and beside else name)


def _score(label: str, least: Any) -> float:
    if isinstance(least, bool) or not isinstance(least, int | float):
        raise ConfigError(f"the least score of {label!r} must be a number from 0 to 1")
    return float(least)


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
        raise ConfigError(error.what, path=path, place=place, hint=error.hint) from None
