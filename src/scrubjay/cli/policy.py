"""`scrubjay policy`: list, show and check policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._options import AsJson
from scrubjay.cli._output import print_json, show_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrubjay.labels import LabelSet
    from scrubjay.transform.operators import Operator
    from scrubjay.transform.policy import Policy

app = typer.Typer()

_ANY_KEY = bytes(32)  # to look at a policy without its key; nothing is replaced with it

PolicyName = Annotated[
    str, typer.Argument(metavar="POLICY", help="The name of a policy, or its TOML file.")
]
LabelSetName = Annotated[
    str, typer.Option("--label-set", metavar="NAME|FILE", help="The label set of the documents.")
]
ModelName = Annotated[
    str, typer.Option("--model", metavar="NAME|DIR", help="The model whose labels to check.")
]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the policies that ship with the package."""
    from scrubjay.transform.policy import POLICIES, find_policy

    policies = [find_policy(name, key=_ANY_KEY) for name in POLICIES]
    if as_json:
        facts = [
            {"name": policy.name, "description": policy.description, "key": _needs_key(policy)}
            for policy in policies
        ]
        print_json(facts)
        return
    rows = [
        (policy.name, "yes" if _needs_key(policy) else "no", policy.description)
        for policy in policies
    ]
    show_table("Policies", ("policy", "key", "description"), rows, text_columns=3)


@app.command()
def show(policy: PolicyName, label_set: LabelSetName = "", as_json: AsJson = False) -> None:
    """Show a policy as its TOML, a file to begin your own with.

    With --label-set it is shown label by label, as it is applied; with --json as the facts that
    go into its fingerprint.
    """
    from scrubjay.transform.policy import find_policy, policy_source

    rules = find_policy(policy, key=_ANY_KEY)
    if as_json:
        print_json({**rules.describe(), "fingerprint": rules.fingerprint()})
    elif label_set:
        _show_labels(rules, label_set)
    else:
        typer.echo(policy_source(policy), nl=False)


@app.command()
def check(policy: PolicyName, label_set: LabelSetName = "", model: ModelName = "") -> None:
    """Check a policy, and its labels against a label set or those of a model.

    The exit code is 2 for an unknown setting, kind, label, operator or parameter, and the
    nearest known name is offered. No key is needed, and none is read.
    """
    from scrubjay.errors import ConfigError
    from scrubjay.transform.policy import find_policy, policy_path

    if label_set and model:
        raise ConfigError("give --label-set or --model, not both")
    rules = find_policy(policy, key=_ANY_KEY)
    known = _labels(rules, label_set, model)
    rules.require_labels(known, path=policy_path(policy))
    typer.echo(
        f"{rules.name}: {len(rules.operators)} labels and {len(rules.kinds)} kinds named, the "
        f"default is {rules.default.name}; "
        + ("it needs a key" if _needs_key(rules) else "it needs no key")
    )


def _labels(policy: Policy, label_set: str, model: str) -> Iterable[str]:
    """Return the labels that the policy may name: of the set or model given, else of any set."""
    from scrubjay.labels import find_label_set, label_set_names

    if model:
        from scrubjay.models import describe_model

        manifest = describe_model(model).manifest
        found: set[str] = set(manifest.labels)
        return found | _of_set(manifest.label_set)
    if label_set:
        return find_label_set(label_set).labels
    if policy.label_set is not None:
        return policy.label_set.labels
    return {label for name in label_set_names() for label in find_label_set(name).labels}


def _of_set(name: str) -> set[str]:
    from scrubjay.errors import ConfigError
    from scrubjay.labels import find_label_set

    try:
        return set(find_label_set(name).labels)
    except ConfigError:
        # A label set of the user's own, which a model knows by name alone.
        return set()


def _show_labels(policy: Policy, name: str) -> None:
    from scrubjay.labels import find_label_set

    labels: LabelSet = find_label_set(name)
    rows = [
        (
            label.name,
            label.kind,
            _written(policy.operator(label.name)),
            f"{policy.min_scores[label.name]:g}" if label.name in policy.min_scores else "",
        )
        for label in labels.definitions
    ]
    header = ("label", "kind", "operator", "least score")
    show_table(f"{policy.name} on {labels.name}", header, rows, text_columns=3)


def _written(operator: Operator) -> str:
    """Return an operator in short: its name, and the parameters that are not its defaults."""
    from scrubjay.transform.registry import describe_operator, make_operator

    usual = describe_operator(make_operator(operator.name, key=_ANY_KEY))
    own = {
        name: value
        for name, value in describe_operator(operator).items()
        if usual.get(name) != value
    }
    return " ".join((operator.name, *(f"{name}={value!r}" for name, value in own.items())))


def _needs_key(policy: Policy) -> bool:
    from scrubjay.transform.registry import needs_key

    every = (policy.default, *policy.operators.values(), *policy.kinds.values())
    return any(needs_key(operator.name) for operator in every)
