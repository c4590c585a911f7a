"""`scrubjay token`: who may use the service, and until when."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()


@app.callback()
def _needs_extra() -> None:
    """Make, list and revoke tokens of the service."""
    from scrubjay.web import require_extra

    require_extra()


FileOption = Annotated[
    Path, typer.Option("--file", metavar="FILE", help="The file of tokens, which holds hashes.")
]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Whose token it is.")]


@app.command()
def new(
    name: NameArgument,
    file: FileOption,
    days: Annotated[int, typer.Option(help="How many days it lasts (1 to 3650).")] = 90,
    api_only: Annotated[
        bool,
        typer.Option("--api-only", help="For /v1 and the playground: not for a project served."),
    ] = False,
) -> None:
    """Make a token, and show it this once on standard output; the file gets its hash alone."""
    from scrubjay.web.tokens import new_token

    secret, token = new_token(file, name, days=days, api_only=api_only)
    typer.echo(secret)
    typer.echo(f"{name}: ends {token.expires}; it cannot be shown again", err=True)


@app.command(name="list")
def list_tokens(file: FileOption) -> None:
    """List the tokens of a file: names, when they were made, and when they end."""
    from datetime import UTC, datetime

    from scrubjay.web.tokens import read_tokens

    now = datetime.now(UTC)
    for token in read_tokens(file):
        over = "\tAPI only" if token.api_only else ""
        over += "\texpired" if token.is_expired(now) else ""
        typer.echo(f"{token.name}\t{token.created}\t{token.expires}{over}")


@app.command()
def revoke(name: NameArgument, file: FileOption) -> None:
    """Take a token out of a file; a running service refuses it at once."""
    from scrubjay.web.tokens import revoke_token

    revoke_token(file, name)
    typer.echo(f"{name}: revoked", err=True)
