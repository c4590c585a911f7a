"""What `deid` says and asks of the order of the numbers in dates: 3/4/2012."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from scrubjay.batch.date_look import DateLook
    from scrubjay.batch.input import Input
    from scrubjay.batch.setup import DeidSetup
    from scrubjay.transform.policy import Policy

EACH = "each"
"""The order of dates that leaves each document to itself."""

DateOrder = Annotated[
    Literal["dmy", "mdy", "each"] | None,
    typer.Option(
        help="What 3/4/2012 is where dates are shifted: the 3rd of April or the 4th of March; "
        "each: as each document tells for itself (default: so, and where one does not, as most of "
        "the others tell)."
    ),
]


def set_order(order: str | None) -> str:
    """Return the order that is set for all documents, "" where none is."""
    return "" if order is None or order == EACH else order


def look_at_dates(
    setup: DeidSetup, source: Input, rules: Policy, *, order: str | None, language: str
) -> tuple[DeidSetup, DateLook | None]:
    """Return a setup with the order that is usual in an input, and on what that rests.

    Nobody looks where it is of no use, was told otherwise, or the input cannot be read twice.
    """
    from scrubjay.batch.date_look import look_at
    from scrubjay.batch.sampling import sample
    from scrubjay.transform.date_orders import asks_documents

    asks = order is None and asks_documents(rules, language)
    if not asks or not source.can_be_read_again():
        return setup, None
    look = look_at(sample(source))
    return replace(setup, usual_order=look.usual), look
