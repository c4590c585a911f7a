"""What `deid` says and asks of dates: the order of their numbers, and columns that keep them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scrubjay.errors import counted

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


DateDirection = Annotated[
    Literal["past", "future"] | None,
    typer.Option(
        help="Where all shifted dates move, so that none of a recent note lies in the future, or "
        "all do (default: those of some patients back, of others on)."
    ),
]


def tell_direction(rules: Policy) -> None:
    """Say on standard error that dates may lie in the future, if no direction is set."""
    from scrubjay.transform.date_orders import moves_either_way

    if moves_either_way(rules):
        typer.echo(
            "note: the dates of about half of the patients move on, by up to three years, so that "
            "those of recent notes may lie in the future; --date-direction past moves all back",
            err=True,
        )


def set_order(order: str | None) -> str:
    """Return the order that is set for all documents, "" where none is."""
    return "" if order is None or order == EACH else order


def look_at_dates(
    setup: DeidSetup, source: Input, rules: Policy, *, order: str | None, language: str
) -> tuple[DeidSetup, DateLook | None]:
    """Return a setup with the order that is usual in an input, and on what that rests.

    Nobody looks where it is of no use, or the input cannot be read twice. An order that was set
    wins; where most of the documents that tell one tell the other, a warning says so on standard
    error.
    """
    from scrubjay.batch.date_look import look_at
    from scrubjay.batch.sampling import sample
    from scrubjay.transform.date_orders import asks_documents, shifts_dates

    own = set_order(order)
    asks = order is None and asks_documents(rules, language)
    if not (asks or (own and shifts_dates(rules))) or not source.can_be_read_again():
        return setup, None
    look = look_at(sample(source))
    if asks:
        return replace(setup, usual_order=look.usual), look
    if told := describe_contradiction(look, own):
        typer.echo(told, err=True)
    return setup, None


def describe_contradiction(look: DateLook, order: str) -> str:
    """Return a warning where documents tell another order than the one that is set, else ""."""
    if not look.usual or look.usual == order:
        return ""
    day_first = look.usual == "dmy"
    most, few = (
        (look.day_first, look.month_first) if day_first else (look.month_first, look.day_first)
    )
    part, example = ("day", "25/12/2020") if day_first else ("month", "12/25/2020")
    return (
        f"warning: --date-order {order} is set, but of {counted(most + few, 'document')} looked at "
        f"that tell an order {most:,} {'puts' if most == 1 else 'put'} the {part} first, as in "
        f"{example}: dates such as 3/4/2012 may be read wrongly. Give --date-order {look.usual}, "
        "or leave it out"
    )


def warn_of_kept_dates(source: Input, rules: Policy, keep_columns: Sequence[str]) -> Input:
    """Tell on standard error which kept columns look to hold dates while those of texts change.

    Of an input that cannot be read twice it is told while the run reads it: the input returned
    does that.
    """
    from scrubjay.batch.input import Input
    from scrubjay.batch.kept_dates import DateColumn, date_columns, passing_rows, why_no_days

    reason = why_no_days(rules)
    if reason is None or not keep_columns:
        return source
    patterns = tuple(keep_columns)

    def tell(columns: list[DateColumn]) -> None:
        for column in columns:
            typer.echo(column.describe(reason), err=True)

    if source.can_be_read_again():
        beginning = Input(source.paths, source.format, source.options).read()
        tell(date_columns(beginning, patterns))
        return source
    look = partial(passing_rows, patterns=patterns, tell=tell)
    return replace(source, looks=(*source.looks, look))
