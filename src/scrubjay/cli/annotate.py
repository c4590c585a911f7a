"""`scrubjay annotate`: find PHI and write the spans alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli import _run, _run_input, _run_options, _run_output, _stopping, _tables
from scrubjay.cli._languages import tell_default, warning_early
from scrubjay.cli._options import KnownFile, Permissions, UnknownPatient
from scrubjay.cli._progress import progress


def annotate(
    context: typer.Context,
    inputs: _run_options.Inputs,
    out: _run_options.Out = None,
    to: Annotated[
        str, typer.Option(metavar="FORMAT", help="brat, i2b2, jsonl, conll, ... (docs/formats.md)")
    ] = "brat",
    model: _run_options.ModelOption = _run_options.DEFAULT_MODEL,
    format: _run_options.FormatOption = "",
    encoding: _run_options.EncodingOption = "",
    text_column: _run_options.TextColumn = None,
    id_column: _run_options.IdColumn = "",
    delimiter: _run_options.Delimiter = "",
    unknown_parts: _tables.UnknownParts = None,
    recall_dial: _run_options.RecallDial = None,
    min_score: _run_options.MinScore = None,
    propagate: Annotated[
        bool,
        typer.Option(
            "--propagate",
            help="Mark everywhere what was found once in a record, as deid hides it: with the same "
            "options the spans are those that deid hides.",
        ),
    ] = False,
    patient_key: Annotated[
        str,
        typer.Option(
            "--patient-key",
            "--patient-column",
            metavar="KEY",
            help="Where the patient stands: a column, or id:REGEX for the id, as for deid.",
        ),
    ] = "",
    identifiers: KnownFile = None,
    unknown_patient: UnknownPatient = "fail",
    allow: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Terms that the model may not mark, or a TOML file of look-alikes.",
        ),
    ] = None,
    deny: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Terms that are always marked.")
    ] = None,
    workers: _run_options.WorkersOption = 1,
    time_limit: _run_options.TimeLimit = None,
    memory_limit: _run_options.MemoryLimit = "",
    existing: _run_options.ExistingOption = "replace",
    permissions: Permissions = "private",
    summary: _run_options.SummaryOption = None,
) -> None:
    """Find PHI and write the documents with the spans found; the text stays as it is.

    The output holds the original text and is as sensitive as the input. Annotations of the
    input do not come along. Exit code and summary are those of deid.
    """
    began = time.monotonic()
    from scrubjay.batch.run import annotate_corpus
    from scrubjay.batch.setup import AnnotateSetup
    from scrubjay.corpora import find_format
    from scrubjay.errors import ConfigError
    from scrubjay.models import describe_model

    _run_output.require_out(out, inputs)
    _run_output.require_summary(summary, inputs=inputs, out=out)
    if not find_format(to).holds_spans:
        raise ConfigError(
            f"{to} has no place for spans", hint="Give --to jsonl or another format with spans"
        )
    manifest = describe_model(model).manifest
    tell_default(context, manifest)
    source = _run_input.make_input(
        inputs, format=format, encoding=encoding, text_column=text_column, id_column=id_column,
        delimiter=delimiter,
    )  # fmt: skip
    source = _tables.with_records(source, unknown_parts)
    tells = _tables.check_input(source, patient_key=patient_key)
    source = _tables.require_patients(source, patient_key=patient_key)
    source.read_ahead()
    options = {"spans_column": "spans"} if to in ("csv", "tsv", "parquet") else {}
    options |= _run_output.alike(delimiter) if to in ("csv", "tsv") else {}
    output = _run_output.make_output(
        out, format=to, encoding="", existing=existing, options=options,
        permissions=permissions,
    )  # fmt: skip
    setup = AnnotateSetup(
        model, recall_dial, min_score, propagate, patient_key, identifiers, unknown_patient,
        allow, deny, records_tell=tells and propagate,
    )  # fmt: skip
    _run_output.tell_existing(out, inputs, existing=existing)
    limits = _run.Limits(workers, time_limit, memory_limit)
    with (
        _stopping.stopping(resumable=False),
        _run.open_work(setup, limits) as (work, processes),
        progress(source.fraction_read) as report,
    ):
        startup = time.monotonic() - began
        result = annotate_corpus(
            source,
            output,
            work=work,
            model=manifest.name,
            workers=processes,
            facts={**limits.facts(), "propagate": propagate},
            report=warning_early(report, language=manifest.language),
        )
    _run_output.finish(context, result, file=summary, startup=startup)
