"""`scrubjay deid`: remove PHI from documents."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli import (
    _dates,
    _run,
    _run_input,
    _run_options,
    _run_output,
    _stopping,
    _tables,
    _vault,
)
from scrubjay.cli._languages import require_language, tell_default, warning_early
from scrubjay.cli._options import KnownFile, Permissions, UnknownPatient
from scrubjay.cli._progress import progress

if TYPE_CHECKING:
    from scrubjay.transform.vault import Interrupted


def deid(
    context: typer.Context,
    inputs: _run_options.Inputs,
    out: _run_options.Out = None,
    model: _run_options.ModelOption = _run_options.DEFAULT_MODEL,
    policy: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE", help="A policy (scrubjay policy list), or a TOML file of one."
        ),
    ] = "placeholder",
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The secret key of the policy, else $SCRUBJAY_KEY."),
    ] = None,
    patient_key: Annotated[
        str,
        typer.Option(
            "--patient-key",
            "--patient-column",
            metavar="KEY",
            help="Where the patient stands: a column, or id:REGEX for the id (default: each "
            "document is a patient of its own).",
        ),
    ] = "",
    gather_patients: Annotated[
        bool,
        typer.Option(
            "--gather-patients",
            help="Read and write the documents of each patient together, wherever they stand in "
            "their file, as the record that they are; those in several files of many documents "
            "stay apart.",
        ),
    ] = False,
    date_order: _dates.DateOrder = None,
    date_direction: _dates.DateDirection = None,
    identifiers: KnownFile = None,
    unknown_patient: UnknownPatient = "fail",
    allow: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Terms that the model may not remove, or a TOML file of look-alikes.",
        ),
    ] = None,
    deny: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Terms that are always removed.")
    ] = None,
    propagate: Annotated[
        bool,
        typer.Option(
            "--propagate/--no-propagate", help="Remove everywhere what was found once in a record."
        ),
    ] = True,
    vault: _vault.VaultOption = None,
    vault_key: _vault.VaultKeyOption = None,
    format: _run_options.FormatOption = "",
    encoding: _run_options.EncodingOption = "",
    text_column: _run_options.TextColumn = None,
    id_column: _run_options.IdColumn = "",
    delimiter: _run_options.Delimiter = "",
    keep_column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="Copy the columns of this name unchanged, * and ? are wild (may be repeated).",
        ),
    ] = None,
    code_column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=KIND]",
            help="Write a code by the key for each value of a column: one for each patient in the "
            "patient's column, in all tables; else for each KIND (the name of the column; may be "
            "repeated).",
        ),
    ] = None,
    code_ids: Annotated[
        bool,
        typer.Option(
            "--code-ids",
            help="Write codes by the key for the ids of documents, in their column or as names of "
            "files.",
        ),
    ] = False,
    unknown_parts: _tables.UnknownParts = None,
    fhir_ids: _tables.ResourceIds = "digest",
    recall_dial: _run_options.RecallDial = None,
    min_score: _run_options.MinScore = None,
    workers: _run_options.WorkersOption = 1,
    time_limit: _run_options.TimeLimit = None,
    memory_limit: _run_options.MemoryLimit = "",
    existing: _run_options.ExistingOption = "replace",
    permissions: Permissions = "private",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an interrupted run.")
    ] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="Begin an interrupted run anew; not with --resume.")
    ] = False,
    summary: _run_options.SummaryOption = None,
    list_kept: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="List there the mentions that the policy keeps, by document, label and place, as "
            "lines of JSON.",
        ),
    ] = None,
    strict_language: Annotated[
        bool,
        typer.Option(
            "--strict-language",
            help="Fail each document of which the beginning, or any further piece, looks to be in "
            "another language than the model's; where the first documents together do, stop with "
            "exit code 2 before anything is written.",
        ),
    ] = False,
) -> None:
    """Remove PHI from documents and write them in the format they came in.

    Every span that the model finds is replaced as the policy says, and every output is proved:
    nothing found is left in it, and nothing else was changed. Annotations of the input and
    other columns of a table are left out; file names and document ids stay as they are, unless
    --code-ids makes codes of them.
    The exit code is 0 only if no document failed, and not if most look to be in another
    language than the model's; a failed document has no output and is listed by its id. A
    summary goes to standard error; --summary writes it as JSON, too.
    """
    began = time.monotonic()
    from scrubjay.batch.coding import read_kinds
    from scrubjay.batch.kept_mentions import KeptList
    from scrubjay.batch.run import deidentify_corpus
    from scrubjay.batch.setup import DeidSetup
    from scrubjay.batch.tables import require_restorable
    from scrubjay.cli._keys import warn_of_open_keys
    from scrubjay.models import describe_model, label_set_of
    from scrubjay.transform.operators import read_key

    _run_output.require_out(out, inputs)
    interrupted = _interrupted(out, resume=resume, restart=restart)
    _run_output.require_summary(summary, inputs=inputs, out=out)
    _run_output.require_list(list_kept, inputs=inputs)
    key = read_key(key_file)
    setup = DeidSetup(
        model, policy, key, patient_key, identifiers, allow=allow, deny=deny,
        unknown_patient=unknown_patient,
        propagate=propagate, recall_dial=recall_dial, min_score=min_score,
        keep_columns=tuple(keep_column or ()), date_order=_dates.set_order(date_order),
        date_direction=date_direction or "",
        code_columns=read_kinds(code_column or (), patient_key=patient_key), code_ids=code_ids,
    )  # fmt: skip
    coding = setup.coding()
    manifest = describe_model(model).manifest
    tell_default(context, manifest)
    rules = setup.find_policy()
    _tell_everyday(deny, language=manifest.language)
    _require_apart("the key", key_file, out)
    warn_of_open_keys(key_file)
    _require_apart("the file of identifiers", identifiers, out)
    _require_apart("the list of what is kept", list_kept, out)
    source = _run_input.make_input(
        inputs, format=format, encoding=encoding, text_column=text_column, id_column=id_column,
        delimiter=delimiter,
    )  # fmt: skip
    source = _tables.with_records(source, unknown_parts)
    if vault is not None:
        labels = label_set_of(manifest)
        require_restorable(source.formats(), rules, labels, language=manifest.language)
    tells = _tables.check_input(
        source, patient_key=patient_key, keep_columns=keep_column or [], coding=coding
    )
    source = _tables.watch_keys(source, keep_column or [])
    source = _tables.watch_refused(source)
    source = _tables.require_coded(source, coding)
    source = _tables.require_patients(source, patient_key=patient_key)
    _tables.tell_patients(source, rules, patient_key=patient_key, records_tell=tells)
    source.read_ahead()
    setup = replace(setup, records_tell=tells, strict_language=strict_language)
    if strict_language:
        source = require_language(context, source, language=manifest.language)
    setup, look = _dates.look_at_dates(
        setup, source, rules, order=date_order, language=manifest.language
    )
    _dates.tell_direction(rules)
    source = _dates.warn_of_kept_dates(source, rules, keep_column or [])
    if gather_patients:
        source = _run_input.gather_patients(source, patient_key=patient_key)
    output = _run_output.make_output(
        out, format=None, encoding=encoding, existing=existing,
        options=_tables.id_options(source, key, ids=fhir_ids) | _run_output.alike(delimiter),
        permissions=permissions,
    )  # fmt: skip
    setup = replace(setup, ids_stay=output.ids_stay, vault=vault is not None)
    setup = replace(setup, list_kept=list_kept is not None)
    limits = _run.Limits(workers, time_limit, memory_limit)
    facts = {
        **setup.facts(),
        "gather_patients": gather_patients,
        "date_order": date_order,
        "date_look": None if look is None else look.to_json(),
        **limits.facts(),
    }
    with _stopping.stopping(resumable=out is not None) as stop, ExitStack() as stack:
        kept = stack.enter_context(KeptList())
        work, processes = stack.enter_context(_run.open_work(setup, limits))
        writer = stack.enter_context(
            _vault.vault_writer(vault, vault_key, out=out, inputs=inputs, interrupted=interrupted)
        )
        _run_output.tell_existing(out, inputs, existing=existing, resume=resume)
        report = warning_early(
            stack.enter_context(progress(source.fraction_read)), language=manifest.language
        )
        startup = time.monotonic() - began
        result = deidentify_corpus(
            source,
            output,
            work=work,
            model=manifest.name,
            workers=processes,
            vault=writer,
            interrupted=interrupted,
            facts=facts,
            same={
                "key": None if key is None else _run.key_check(key),
                "unknown_patient": unknown_patient,
                "fhir_ids": fhir_ids,
                "lists": _run.file_states([identifiers, allow, deny]),
                "vault_file": None if vault is None else str(vault.resolve()),
            },
            report=report,
            stop=stop,
            kept=kept,
        )
        if list_kept is not None:
            kept.publish(list_kept)
    _run_output.finish(context, result, file=summary, startup=startup)


_SHOWN_LINES = 10


def _interrupted(out: Path | None, *, resume: bool, restart: bool) -> Interrupted:
    from scrubjay.errors import ConfigError

    if resume and restart:
        raise ConfigError(
            "--resume goes on with an interrupted run, and --restart throws it away",
            hint="Give one of them",
        )
    given: Interrupted = "resume" if resume else "restart" if restart else "refuse"
    if given != "refuse" and out is None:
        raise ConfigError(
            "only a run into a folder can be resumed", hint=f"Give --out, or leave --{given} out"
        )
    return given


def _require_apart(what: str, file: Path | None, out: Path | None) -> None:
    from scrubjay.errors import ConfigError

    if file is not None and out is not None and out.resolve() in file.resolve().parents:
        raise ConfigError(
            f"{what} lies in the output folder",
            path=file,
            hint="Keep it where nobody who gets the output can read it",
        )


def _tell_everyday(deny: Path | None, *, language: str) -> None:
    """Warn of terms to deny that are everyday words: case is no matter, so each is hidden."""
    from scrubjay.known.people import common_words
    from scrubjay.known.terms import everyday_lines

    if deny is None or not (lines := everyday_lines(deny, words=common_words(language))):
        return
    where = ", ".join(map(str, lines[:_SHOWN_LINES])) + (" ..." if lines[_SHOWN_LINES:] else "")
    typer.echo(
        f"warning: --deny has everyday words (line {where}): a term is found in capitals and in "
        "small letters, so that the word is hidden in each sentence. Give the term with a word "
        "beside it, such as the name of a town with its state",
        err=True,
    )
