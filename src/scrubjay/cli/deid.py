"""`scrubjay deid`: remove PHI from documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli import _run

if TYPE_CHECKING:
    from scrubjay.artifacts import Manifest


def deid(
    inputs: _run.Inputs,
    out: _run.Out = None,
    model: _run.ModelOption = "en",
    policy: Annotated[
        str,
        typer.Option(metavar="NAME|FILE", help="placeholder, mask, redact, hash, or a TOML file."),
    ] = "placeholder",
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The secret key of hash, else $SCRUBJAY_KEY."),
    ] = None,
    format: _run.FormatOption = "",
    encoding: _run.EncodingOption = "",
    text_column: _run.TextColumn = "",
    id_column: _run.IdColumn = "",
    keep_column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Copy this column unchanged (may be repeated)."),
    ] = None,
    recall_dial: _run.RecallDial = None,
    min_score: _run.MinScore = None,
    existing: _run.ExistingOption = "replace",
    summary: _run.SummaryOption = None,
) -> None:
    """Remove PHI from documents and write them in the format they came in.

    Every span that the model finds is replaced as the policy says. Annotations of the input
    and other columns of a table are left out; file names and document ids stay as they are.
    The exit code is 0 only if no document failed; a failed document has no output and is
    listed by its id. A summary goes to the screen and, as JSON, to standard output.
    """
    from scrubjay.batch.run import deidentify_corpus
    from scrubjay.cli._output import require_writable
    from scrubjay.deidentifier import Deidentifier
    from scrubjay.models import describe_model
    from scrubjay.transform.operators import read_key
    from scrubjay.transform.policy import find_policy

    if summary is not None:
        require_writable(summary, [Path(path) for path in inputs if path != "-"])
    rules = find_policy(policy, key=read_key(key_file))
    manifest = describe_model(model).manifest
    rules.require_labels(_known_labels(manifest))
    _require_key_apart(key_file, out)
    source = _run.make_input(
        inputs, format=format, encoding=encoding, text_column=text_column, id_column=id_column
    )
    output = _run.make_output(
        out, inputs, format=None, encoding=encoding, existing=existing, options={}
    )
    detector = _run.load_detector(model, recall_dial=recall_dial, min_score=min_score)
    with _run.progress() as report:
        result = deidentify_corpus(
            source,
            output,
            deidentifier=Deidentifier(detector, rules),
            model=manifest.name,
            keep_columns=tuple(keep_column or ()),
            report=report,
        )
    _run.finish(result, file=summary, to_stdout=out is not None)


def _known_labels(manifest: Manifest) -> set[str]:
    """Return the labels that a policy may name: the model's, and those of its label set."""
    from scrubjay.errors import ConfigError
    from scrubjay.labels import find_label_set

    try:
        return {*manifest.labels, *find_label_set(manifest.label_set).labels}
    except ConfigError:
        # A label set of the user's own, which a model knows by name alone.
        return set(manifest.labels)


def _require_key_apart(key_file: Path | None, out: Path | None) -> None:
    from scrubjay.errors import ConfigError

    if key_file is not None and out is not None and out.resolve() in key_file.resolve().parents:
        raise ConfigError(
            "the key lies in the output folder",
            path=key_file,
            hint="Keep it where nobody who gets the output can read it",
        )
