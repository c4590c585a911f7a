"""`scrubjay restore`: the original texts of de-identified documents, from a vault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scrubjay.cli import _run_input, _run_options, _run_output, _vault
from scrubjay.cli._options import Permissions
from scrubjay.cli._progress import progress
from scrubjay.cli._summary import SHOWN_FAILURES, tell_place

if TYPE_CHECKING:
    from scrubjay.batch.restore import RestoreSummary


def restore(
    inputs: _run_options.Inputs,
    vault: Annotated[
        Path, typer.Option(metavar="FILE", help="The vault that scrubjay deid has written.")
    ],
    out: _run_options.Out = None,
    vault_key: _vault.VaultKeyOption = None,
    edited: Annotated[
        Literal["refuse", "partial"],
        typer.Option(help="Documents that were edited: fail, or restore what is certain."),
    ] = "refuse",
    format: _run_options.FormatOption = "",
    encoding: _run_options.EncodingOption = "",
    text_column: _run_options.TextColumn = None,
    id_column: _run_options.IdColumn = "",
    delimiter: _run_options.Delimiter = "",
    existing: _run_options.ExistingOption = "error",
    permissions: Permissions = "private",
    summary: _run_options.SummaryOption = None,
) -> None:
    """Put the original texts back into documents that scrubjay deid --vault has written.

    The whole vault is verified before anything is written. A document that was not changed
    since comes back character for character. One that was edited fails; with --edited partial
    those mentions come back that are certain, and it is listed with how many did. The exit code
    is 0 only if every document is exactly as it was.
    """
    from scrubjay.batch.restore import restore_corpus
    from scrubjay.cli._keys import warn_of_open_keys
    from scrubjay.transform.vault import open_vault, read_vault_key, require_apart

    _run_output.require_out(out, inputs)
    _run_output.require_summary(summary, inputs=inputs, out=out)
    require_apart(vault=vault, keys=[vault_key], out=out)
    warn_of_open_keys(vault_key)
    source = _run_input.make_input(
        inputs, format=format, encoding=encoding, text_column=text_column, id_column=id_column,
        delimiter=delimiter,
    )  # fmt: skip
    output = _run_output.make_output(
        out, format=None, encoding=encoding, existing=existing,
        options=_run_output.alike(delimiter), permissions=permissions,
    )  # fmt: skip
    with (
        open_vault(vault, read_vault_key(vault_key)) as opened,
        progress(source.fraction_read) as report,
    ):
        result = restore_corpus(source, output, vault=opened, edited=edited, report=report)
    _run_output.write_summary(result.to_text(), summary, out=out)
    for line in _lines(result):
        typer.echo(line, err=True)
    raise typer.Exit(result.exit_code)


def _lines(summary: RestoreSummary) -> Iterator[str]:
    from scrubjay.batch.reasons import explain
    from scrubjay.errors import counted

    count = sum(summary.labels.values())
    written = summary.documents - len(summary.failures)
    yield (
        f"{counted(summary.documents, 'document')}: {summary.exact:,} exactly as they were, "
        f"{len(summary.partial):,} in part, {len(summary.failures):,} failed; "
        f"{counted(count, 'mention')} restored; {tell_place(summary.output, written=written)}"
    )
    shown = [
        f"in part: {each.id!r} ({each.restored} of {each.mentions} mentions)"
        for each in summary.partial
    ] + [f"failed: {each.id!r} ({each.stage}: {each.code})" for each in summary.failures]
    yield from shown[:SHOWN_FAILURES]
    if len(shown) > SHOWN_FAILURES:
        yield f"... and {len(shown) - SHOWN_FAILURES:,} more, see the summary"
    yield from explain(summary.failures)
