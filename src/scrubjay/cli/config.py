"""`scrubjay config`: list, show and check configurations of what is trained."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.cli._options import AsJson

app = typer.Typer()

ConfigName = Annotated[
    str, typer.Argument(metavar="CONFIG", help="The name of a configuration, or its TOML file.")
]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the configurations that ship with the package."""
    from scrubjay.learning.configs import config_names, find_config

    found = [(name, find_config(name)) for name in config_names()]
    rows = [(name, config.kind, config.citation) for name, config in found]
    header = ("configuration", "kind", "citation")
    if as_json:
        from scrubjay.cli._output import dump_json

        typer.echo(dump_json([dict(zip(header, row, strict=True)) for row in rows]))
        return
    from scrubjay.cli._output import show_table

    show_table("Configurations", header, rows, text_columns=3)


@app.command()
def show(config: ConfigName) -> None:
    """Show a configuration as its TOML, a file to begin your own with."""
    from scrubjay.learning.configs import config_source

    typer.echo(config_source(config), nl=False)


@app.command()
def check(config: ConfigName) -> None:
    """Check a configuration: its settings, features, and the members of an ensemble.

    The exit code is 2 for an unknown setting, attribute or value. Nothing is trained, and files
    that it names, such as vectors, are not opened.
    """
    from scrubjay.learning.configs import find_config

    found = find_config(config)
    typer.echo(f"{found.name}: a sound configuration of the kind {found.kind}")
