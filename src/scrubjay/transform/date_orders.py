"""The order of numeric dates in a policy: set for all documents, or told by each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Operator, Record
from scrubjay.transform.policy import Policy
from scrubjay.transform.surrogates.operator import Surrogate


def set_date_order(policy: Policy, order: str) -> Policy:
    """Return the policy with an order for the numbers of all dates that it shifts.

    "dmy" reads 3/4/2012 as the 3rd of April, "mdy" as the 4th of March. Raises `ConfigError` for
    another order, and for a policy that shifts no dates.
    """
    of_labels = (each for label, each in policy.operators.items() if policy.kind(label) == "date")
    of_dates = (policy.kinds.get("date", policy.default), *of_labels)
    if not any(isinstance(operator, Surrogate) for operator in of_dates):
        raise ConfigError(
            f"the policy {policy.name!r} shifts no dates: their order is of no use",
            hint="Leave --date-order out, or take the policy 'surrogate'",
        )

    def ordered(operator: Operator) -> Operator:
        return replace(operator, date_order=order) if isinstance(operator, Surrogate) else operator

    return replace(
        policy,
        default=ordered(policy.default),
        operators={label: ordered(each) for label, each in policy.operators.items()},
        kinds={kind: ordered(each) for kind, each in policy.kinds.items()},
    )


def told_order(policy: Policy, document: Document, found: Sequence[Span], *, language: str) -> str:
    """Return what a document tells of the order of its dates, where the policy asks it.

    "dmy" or "mdy"; "open" where nothing tells it though a date may be read either way, so that the
    default of the language holds; "" where there is nothing to tell.
    """
    asked: dict[str, Surrogate] = {}
    for label in {span.label for span in found}:
        operator = policy.operator(label)
        if isinstance(operator, Surrogate) and policy.kind(label) == "date":
            asked[label] = operator
    if not asked:
        return ""
    dates: dict[Surrogate, list[str]] = {}
    for span in found:
        if span.label in asked:
            mention = document.text[span.start : span.end]
            dates.setdefault(asked[span.label], []).append(mention)
    record = Record(document.id, "", document.text, language)
    for operator, texts in dates.items():
        if told := operator.date_order_of(texts, record).told:
            return told
    return ""
