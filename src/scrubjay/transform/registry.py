"""Operators by name: the table of them, and how one is made from the parameters of a policy."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.near_names import did_you_mean
from scrubjay.transform.operators import Operator

OPERATORS: Mapping[str, str] = {
    "placeholder": "scrubjay.transform.operators:Placeholder",
    "mask": "scrubjay.transform.operators:Mask",
    "redact": "scrubjay.transform.operators:Redact",
    "hash": "scrubjay.transform.operators:KeyedHash",
    "pseudonym": "scrubjay.transform.pseudonyms:Pseudonym",
    "keep": "scrubjay.transform.operators:Keep",
    "safe-age": "scrubjay.transform.safe_harbor:SafeAge",
    "safe-date": "scrubjay.transform.safe_harbor:SafeDate",
    "safe-zip": "scrubjay.transform.safe_harbor:SafeZip",
    "surrogate": "scrubjay.transform.surrogates.operator:Surrogate",
}
"""Name in a policy -> `module:attribute` of the operator; what it is made of are its parameters."""

_KEY = "key"
_SETTABLE = ("str", "int", "float", "bool")


def load_operator(name: str) -> Any:
    """Return the class of an operator.

    Raises `ConfigError` for an unknown name, offering the nearest.
    """
    if name not in OPERATORS:
        raise ConfigError(f"unknown operator {name!r}", hint=suggest(name, OPERATORS))
    module, _, attribute = OPERATORS[name].partition(":")
    return getattr(import_module(module), attribute)


def operator_parameters(name: str) -> dict[str, str]:
    """Return the parameters that a policy may give to an operator, and the type of each."""
    return {
        parameter: kind
        for parameter, kind in _signature(load_operator(name)).items()
        if kind in _SETTABLE
    }


def needs_key(name: str) -> bool:
    """Tell whether an operator is made with the secret key."""
    return _KEY in _signature(load_operator(name))


def make_operator(
    name: str, parameters: Mapping[str, Any] | None = None, *, key: bytes | None = None
) -> Operator:
    """Return the operator of that name with its parameters.

    A parameter of two words is written `min-age` or `min_age`. Raises `ConfigError` for an
    unknown name or parameter (the nearest is offered), for a parameter of the wrong type or
    value, and for an operator that needs a `key` where there is none.
    """
    known = operator_parameters(name)
    given: dict[str, Any] = {}
    for written, value in (parameters or {}).items():
        parameter = written.replace("-", "_")
        if parameter not in known:
            hint = suggest(written, known) if known else "It takes none"
            raise ConfigError(f"unknown parameter {written!r} of the operator {name!r}", hint=hint)
        if parameter in given:
            raise ConfigError(f"the parameter {written!r} of the operator {name!r} is given twice")
        wanted = known[parameter]
        if type(value).__name__ != wanted and not (wanted == "float" and type(value) is int):
            raise ConfigError(
                f"the parameter {written!r} of the operator {name!r} must be of type {wanted}"
            )
        given[parameter] = value
    if needs_key(name):
        given[_KEY] = key or b""
    operator: Operator = load_operator(name)(**given)
    return operator


def describe_operator(operator: Operator) -> dict[str, Any]:
    """Return an operator as a policy writes it, all parameters named; never its key."""
    settings: dict[str, Any] = {"operator": operator.name}
    if is_dataclass(operator):
        for entry in fields(operator):
            value = getattr(operator, entry.name)
            if entry.name != _KEY and entry.repr and isinstance(value, str | int | float):
                settings[entry.name] = value
    return settings


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a hint that offers the nearest known name, else all of them."""
    names = list(known)
    folded = {each.casefold(): each for each in reversed(names)}
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6) or [
        folded[each] for each in difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    ]
    return did_you_mean(*near).rstrip() or f"Known: {', '.join(names)}"


def _signature(kind: Any) -> dict[str, str]:
    """Return the arguments that make an operator; annotations are text, none is looked up."""
    return {
        name: parameter.annotation
        if isinstance(parameter.annotation, str)
        else getattr(parameter.annotation, "__name__", "")
        for name, parameter in inspect.signature(kind).parameters.items()
    }
