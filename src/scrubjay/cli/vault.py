"""`scrubjay vault`: describe a vault, and change its key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli import _vault
from scrubjay.cli._options import AsJson
from scrubjay.errors import counted

app = typer.Typer()

VaultFile = Annotated[Path, typer.Argument(metavar="FILE", help="The vault.")]


@app.command()
def info(
    vault: VaultFile,
    vault_key: _vault.VaultKeyOption = None,
    as_json: AsJson = False,
) -> None:
    """Tell version and size of a vault, and with its key how much it holds.

    With the key the whole vault is verified. Ids and originals are never shown.
    """
    import json

    from scrubjay.cli._output import show_table
    from scrubjay.transform.vault import describe_vault, read_vault_key

    facts = describe_vault(vault, read_vault_key(vault_key)).to_json()
    if as_json:
        typer.echo(json.dumps(facts, indent=1))
        return
    labels = facts.pop("mentions_per_label") or {}
    rows = [(name, f"{value:,}") for name, value in facts.items() if value is not None]
    rows += [(f"mentions {label}", f"{count:,}") for label, count in labels.items()]
    show_table(str(vault), ("fact", "value"), rows)


@app.command()
def rotate(
    vault: VaultFile,
    vault_key: _vault.VaultKeyOption = None,
    new_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The new key, else $SCRUBJAY_NEW_VAULT_KEY."),
    ] = None,
) -> None:
    """Encrypt a vault anew under another key; the old key opens it no longer.

    The new file is verified before it takes the place of the old one. Copies of the old file
    still open with the old key: delete them.
    """
    from scrubjay.cli._keys import warn_of_open_keys
    from scrubjay.transform.vault import (
        NEW_KEY_VARIABLE,
        read_vault_key,
        require_apart,
        rotate_vault,
    )

    require_apart(vault=vault, keys=[vault_key, new_key])
    warn_of_open_keys(new_key)
    new = read_vault_key(new_key, variable=NEW_KEY_VARIABLE)
    count = rotate_vault(vault, old=read_vault_key(vault_key), new=new)
    typer.echo(f"{counted(count, 'record')} under the new key", err=True)
