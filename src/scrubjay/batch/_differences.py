"""What differs between an interrupted run and one that is to go on with it, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_SHOWN: Mapping[str, str] = {
    "command": "the command",
    "model": "--model",
    "policy": "--policy",
    "format": "--format",
    "patient_key": "--patient-key",
    "recall_dial": "--recall-dial",
    "min_score": "--min-score",
    "propagate": "--propagate",
    "date_order": "--date-order",
    "date_direction": "--date-direction",
    "unknown_patient": "--unknown-patient",
    "fhir_ids": "--fhir-ids",
    "time_limit": "--time-limit",
    "memory_limit": "--memory-limit",
    "keep_columns": "--keep-column",
    "gather_patients": "--gather-patients",
    "code_columns": "--code-column",
    "code_ids": "--code-ids",
    "list_kept": "--list-kept",
}
"""Settings that are told with what they were and what they are now."""

_CHANGED: Mapping[str, str] = {
    "scrubjay": "scrubjay itself: it was another version, or was changed",
    "input": "the input: files came, went, or were changed (names, sizes and times are compared)",
    "model_sha256": "the model of that name was changed",
    "policy_sha256": "the policy of that name was changed",
    "date_look": "what the documents tell of the order of their dates (--date-order sets it)",
    "reference_years": "the year up to which the policy counts ages (it was begun in another year)",
    "key": "the key of the policy (--key-file, or SCRUBJAY_KEY)",
    "identifiers": "--identifiers",
    "allow": "--allow",
    "deny": "--deny",
    "strict_language": "--strict-language",
    "lists": "the files of --identifiers, --allow or --deny were changed",
    "vault": "--vault",
    "vault_file": "--vault is another file",
}
"""Settings that are told by these words alone."""

_OPTIONS: Mapping[str, str] = {
    "unknown": "--unknown-parts",
    "registers": "the files in which patients are looked for",
}
"""Options of readers that are called otherwise on the command line."""

_FOLLOWS: Mapping[str, tuple[str, ...]] = {
    "model_sha256": ("model",),
    "language": ("model", "model_sha256"),
    "label_set": ("model", "model_sha256"),
    "policy_sha256": ("policy", "reference_years", "date_order", "date_direction", "scrubjay"),
    "date_look": (
        "input",
        "format",
        "options",
        "policy",
        "policy_sha256",
        "date_order",
        "scrubjay",
    ),
    "reference_years": ("policy",),
    "missed": ("propagate",),
    "lists": ("identifiers", "allow", "deny"),
    "vault_file": ("vault",),
}
"""What differs for no reason of its own where one of others does."""


def tell_differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return the settings in which two runs differ, as somebody who gives options knows them.

    Nothing where they are the same. A key is never in them but as a mark of it, which is not told.
    """
    names = [*before, *(name for name in now if name not in before)]
    changed = [name for name in names if before.get(name) != now.get(name)]
    told = [name for name in changed if not {*_FOLLOWS.get(name, ())} & {*changed}]
    return [words for name in told for words in _words(name, before.get(name), now.get(name))]


def _words(name: str, before: Any, now: Any) -> Iterator[str]:
    if name == "options":
        old, new = before or {}, now or {}
        for each in sorted({*old, *new}):
            if old.get(each) != new.get(each):
                yield _OPTIONS.get(each, f"--{each.replace('_', '-')}")
    elif name in _SHOWN:
        yield f"{_SHOWN[name]} (it was {_value(before)}, and is {_value(now)})"
    else:
        yield _CHANGED.get(name, name)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        value = [f"{name}={kind}" for name, kind in value.items()]
    if value is None or value == []:
        return "not given"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ", ".join(map(repr, value))
    return repr(value)
