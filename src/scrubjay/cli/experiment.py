"""`scrubjay experiment`: repeat the tables and figures of the papers on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli._options import Language, RequiredLabelSet, TrainingFormat
from scrubjay.cli._report import HtmlOption


def _show_list(wanted: bool) -> None:
    if not wanted:
        return
    from scrubjay.cli._output import show_table
    from scrubjay.learning.experiments.declaration import describe_experiments

    show_table(
        "Experiments", ("name", "what", "after"), list(describe_experiments()), text_columns=3
    )
    raise typer.Exit


def experiment(
    name: Annotated[
        str,
        typer.Argument(
            metavar="EXPERIMENT", help="One that ships (--list) or a TOML file.", show_default=False
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder of the results; an earlier run goes on there.")],
    train: Annotated[
        list[Path] | None, typer.Option(help="Labelled corpus to train on; may be repeated.")
    ] = None,
    dev: Annotated[
        Path | None, typer.Option(help="Labelled corpus to score on, or to stop and choose by.")
    ] = None,
    test: Annotated[
        Path | None, typer.Option(help="Labelled corpus to score on in place of dev.")
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option(help="Run these configurations in place of the declared systems."),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Run this one of the systems alone; repeat it for more."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help="Change a setting of the experiment."),
    ] = None,
    seed: Annotated[
        list[int] | None, typer.Option(help="Seeds in place of the declared ones; repeat it.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Trainings to run at once.")] = 1,
    language: Language = "en",
    label_set: RequiredLabelSet = None,
    format: TrainingFormat = None,
    domains: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|folder|id:REGEX|KEY", help="What tells the domain of a document."
        ),
    ] = None,
    patient_key: Annotated[
        str | None,
        typer.Option(
            metavar="id:REGEX|KEY", help="What tells the patient of a document, to group by."
        ),
    ] = None,
    predicted: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FOLDER", help="Predicted corpus or results to test; repeat it."),
    ] = None,
    device: Annotated[str, typer.Option(help="Where networks are trained: auto, cpu, cuda.")] = (
        "auto"
    ),
    work: Annotated[
        Path | None,
        typer.Option(help="Folder in which experiments share the members of ensembles."),
    ] = None,
    html: HtmlOption = None,
    list_: Annotated[
        bool,
        typer.Option(
            "--list", help="List the experiments that ship.", is_eager=True, callback=_show_list
        ),
    ] = False,
) -> None:
    """Repeat a table or figure of a paper on a corpus, or run an experiment of your own.

    Results are written to a folder as result.json, result.md and plots, with the predictions of
    every training. An interrupted run goes on when the command is given again; a folder with
    another experiment is refused. See docs/experiments.md.
    """
    from rich.console import Console

    from scrubjay.cli._experiment import cell_view, parse_places, parse_setting
    from scrubjay.cli._output import show_table
    from scrubjay.cli._report import plan_report, write_page
    from scrubjay.learning.experiments.data import read_data
    from scrubjay.learning.experiments.declaration import find_experiment
    from scrubjay.learning.experiments.running import require_systems, run_experiment
    from scrubjay.reports.blocks import Table
    from scrubjay.reports.curves import compose_experiment

    plan_report("", html, inputs=[path for path in (*(train or ()), dev, test) if path])
    settings = dict(map(parse_setting, changes or ()))
    if seed:
        settings["seeds"] = seed
    if domains is not None:
        settings["domains"] = domains
    if patient_key is not None:
        settings |= {"groups.by": "patient", "groups.key": patient_key}
    if predicted:
        settings["predicted"] = parse_places(predicted)
    declared = find_experiment(name, configs=config or (), only=system or (), changes=settings)
    require_systems(declared, language=language, device=device)
    data = read_data(
        train or (),
        dev=dev,
        test=test,
        language=language,
        label_set=label_set,
        format=format,
        device=device,
    )
    console = Console(stderr=True)
    with cell_view(console, out) as view:
        result = run_experiment(declared, data, out, jobs=jobs, work=work, watch=view)
    if html is not None:
        tables = [
            Table(
                table.title, tuple(table.header), tuple(map(tuple, table.rows)), table.text_columns
            )
            for table in result.report.tables
        ]
        page = compose_experiment(result.record, tables=tables, plots=result.report.plots)
        write_page(page, html)
    for number, table in enumerate(result.report.tables):
        if number:
            typer.echo()
        show_table(table.title, table.header, table.rows, text_columns=table.text_columns)
    for note in result.report.notes:
        console.print(note, highlight=False, markup=False)
    console.print(f"Results in {result.folder}", highlight=False, markup=False)
