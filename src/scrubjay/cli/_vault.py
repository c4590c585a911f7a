"""What `deid`, `restore` and `vault` share: the vault, its key, and that they lie apart."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._keys import warn_of_open_keys

if TYPE_CHECKING:
    from scrubjay.transform.vault import Interrupted, VaultWriter

VaultOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep what was replaced in this encrypted vault."),
]
VaultKeyOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The key of the vault, else $SCRUBJAY_VAULT_KEY."),
]


def vault_writer(
    vault: Path | None,
    key_file: Path | None,
    *,
    out: Path | None,
    inputs: list[str],
    interrupted: Interrupted,
) -> AbstractContextManager[VaultWriter | None]:
    """Return the writer of a vault, or of none; raises before anything is written."""
    from scrubjay.cli._output import require_writable
    from scrubjay.errors import ConfigError
    from scrubjay.transform.vault import VaultWriter, read_vault_key, require_apart

    if vault is None:
        if key_file is not None:
            raise ConfigError("a key of a vault without a vault", hint="Give --vault FILE, too")
        return nullcontext()
    require_apart(vault=vault, keys=[key_file], out=out)
    require_writable(vault, [Path(path) for path in inputs if path != "-"])
    warn_of_open_keys(key_file)
    return VaultWriter(vault, read_vault_key(key_file), interrupted=interrupted)
