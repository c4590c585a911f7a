"""The dates of a policy: their order, set for all documents, usual, or told by each, and where
they move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Operator, Record
from scrubjay.transform.policy import Policy
from scrubjay.transform.safe_harbor import SafeDate
from scrubjay.transform.surrogates._date_order import share_orders
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.operator import Surrogate, UsualOrder


def set_dates(policy: Policy, *, order: str = "", direction: str = "") -> Policy:
    """Return the policy with an order for the numbers of all dates that it shifts, a direction.

    "dmy" reads 3/4/2012 as the 3rd of April, "mdy" as the 4th of March; dates move to the "past" or
    the "future". "" leaves each as it is. Raises `ConfigError` for others, and for a policy that
    shifts no dates.
    """
    if not (order or direction):
        return policy
    if not shifts_dates(policy):
        what = "order" if order else "direction"
        raise ConfigError(
            f"the policy {policy.name!r} shifts no dates: to set their {what} is of no use",
            hint="Leave it out, or take the policy 'surrogate'",
        )

    def change(operator: Surrogate) -> Surrogate:
        return replace(
            operator,
            date_order=order or operator.date_order,
            date_direction=direction or operator.date_direction,
        )

    return _changed(policy, change)


def set_shifted_dates(policy: Policy, *, order: str = "", direction: str = "") -> Policy:
    """Return what `set_dates` does of a policy that shifts dates; others come back as they are."""
    return set_dates(policy, order=order, direction=direction) if shifts_dates(policy) else policy


def suppose_date_order(policy: Policy, order: UsualOrder) -> Policy:
    """Return the policy with an order for the dates of documents that do not tell theirs.

    It is no part of the policy's fingerprint: it tells of the documents. "" leaves those to the
    default of the language.
    """
    return _changed(policy, lambda operator: replace(operator, usual_order=order))


def asks_documents(policy: Policy, language: str) -> bool:
    """Tell whether a policy shifts dates whose order is left to the documents of a language.

    It is not in Spanish and Dutch, where nothing but whole dates tells it: some foreign slips among
    them would turn the dates of all others.
    """
    return bool(words_of(language).order_signs) and any(
        isinstance(operator, Surrogate) and not operator.date_order
        for operator in _of_dates(policy)
    )


def shifts_dates(policy: Policy) -> bool:
    """Tell whether a policy shifts dates, so that it may be given their order."""
    return any(isinstance(operator, Surrogate) for operator in _of_dates(policy))


def moves_either_way(policy: Policy) -> bool:
    """Tell whether a policy shifts the dates of some patients on, so that they may be to come."""
    return any(
        isinstance(each, Surrogate) and not each.date_direction for each in _of_dates(policy)
    )


def leaves_years(policy: Policy) -> bool:
    """Tell whether a policy leaves no more of dates than their years, as Safe Harbor asks."""
    return any(isinstance(operator, SafeDate) for operator in _of_dates(policy))


def _of_dates(policy: Policy) -> tuple[Operator, ...]:
    """Return the operators that dates may meet."""
    of_labels = (each for label, each in policy.operators.items() if policy.kind(label) == "date")
    return (policy.kinds.get("date", policy.default), *of_labels)


def _changed(policy: Policy, change: Callable[[Surrogate], Surrogate]) -> Policy:
    """Return the policy with each of its operators changed that makes surrogates."""

    def changed(operator: Operator) -> Operator:
        return change(operator) if isinstance(operator, Surrogate) else operator

    return replace(
        policy,
        default=changed(policy.default),
        operators={label: changed(each) for label, each in policy.operators.items()},
        kinds={kind: changed(each) for kind, each in policy.kinds.items()},
    )


def told_orders(
    policy: Policy, record: Sequence[tuple[Document, Sequence[Span]]], *, language: str
) -> list[str]:
    """Return what each document of a record tells (`told_order`), the open ones as the others do.

    Only languages in which both orders are in use have open ones.
    """
    return share_orders([told_order(policy, *each, language=language) for each in record])


def told_order(policy: Policy, document: Document, found: Sequence[Span], *, language: str) -> str:
    """Return what a document tells of the order of its dates, where the policy asks it.

    "dmy" or "mdy"; "open" where nothing tells it though a date may be read either way, so that the
    default of the language holds; "" where there is nothing to tell.
    """
    asked: dict[str, Surrogate] = {}
    for label in dict.fromkeys([span.label for span in found]):
        operator = policy.operator(label)
        if isinstance(operator, Surrogate) and policy.kind(label) == "date":
            asked[label] = operator
    if not asked:
        return ""
    labels: dict[Surrogate, set[str]] = {}
    for label, operator in asked.items():
        labels.setdefault(operator, set()).add(label)
    text = document.text
    record = Record(document.id, "", text, language)
    for operator, own in labels.items():
        texts = [text[span.start : span.end] for span in found if span.label in own]
        if told := operator.date_order_of(texts, record).told:
            return told
    return ""
