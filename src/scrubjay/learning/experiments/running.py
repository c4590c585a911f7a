"""One experiment from its declaration and corpora to a folder of results."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay import __version__
from scrubjay.errors import InputError
from scrubjay.files import write_whole
from scrubjay.learning.experiments.bench import Bench, SilentWatch, Watch
from scrubjay.learning.experiments.data import ExperimentData
from scrubjay.learning.experiments.declaration import Experiment
from scrubjay.learning.experiments.report import Report, render_markdown
from scrubjay.learning.experiments.store import RESULT, open_store
from scrubjay.learning.learners import KEEPING
from scrubjay.learning.preparation import require_device_name
from scrubjay.learning.requirements import require_device, require_ready


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """Where the results are, and what they are."""

    folder: Path
    report: Report
    record: Mapping[str, Any]


def require_systems(experiment: Experiment, *, language: str, device: str = "auto") -> None:
    """Refuse, before any corpus is read, systems that no corpus can make good.

    Raises like `require_ready` and `require_device` of `learning.requirements`; an unknown device
    is refused where no system is trained on any, too.
    """
    require_device_name(device)
    for system in experiment.systems:
        config = system.config()
        if config is not None:
            require_ready(config, language=language)
            require_device(config, device)


def run_experiment(
    experiment: Experiment,
    data: ExperimentData,
    out: Path | str,
    *,
    jobs: int = 1,
    work: Path | None = None,
    watch: Watch | None = None,
) -> ExperimentResult:
    """Run an experiment, or what is missing of it, and write its results.

    `out` is a new folder, or that of an earlier run of the same experiment on the same documents.
    `work` is a folder for what several experiments may share; see `open_store`. `result.json` and
    `result.md` are made from the cells, anew each time. Raises `OutputError` for
    a folder of another experiment, `InputError` and `ConfigError` as its kind does.
    """
    if jobs < 1:
        raise InputError(f"an experiment needs at least one job, not {jobs}")
    if not data.train and experiment.systems:
        raise InputError("there is nothing to train on", hint="Give --train, a labelled corpus")
    identity = {
        **experiment.identity(),
        "data": data.identity(),
        "package-version": __version__,
    }
    store = open_store(out, identity, extent=experiment.extent(), work=work)
    ensembles = any(system.kind in KEEPING for system in experiment.systems)
    bench = Bench(data, store, jobs, watch or SilentWatch(), as_members=ensembles)
    report = experiment.plan.run(experiment, bench)
    record = result_record(experiment, data, report)
    store.begin()
    for name, text in {**report.plots, **report.files}.items():
        write_whole(store.folder / name, text, private=True)
    page = render_markdown(
        experiment.title, report, citation=experiment.citation, facts=_facts(experiment, data)
    )
    write_whole(store.folder / "result.md", page, private=True)
    figures = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    write_whole(store.folder / RESULT, figures, private=True)
    store.finish()
    return ExperimentResult(store.folder, report, record)


def result_record(experiment: Experiment, data: ExperimentData, report: Report) -> dict[str, Any]:
    """Return what `result.json` holds."""
    return {
        "format_version": 1,
        "experiment": {
            "name": experiment.name,
            "kind": experiment.kind,
            "title": experiment.title,
            "citation": experiment.citation,
            "seeds": list(experiment.seeds),
        },
        "data": data.identity(),
        "rows": [row.to_json() for row in report.rows],
        **report.details,
        "notes": list(report.notes),
        "run": {"package_version": __version__, "python": platform.python_version()},
    }


def _facts(experiment: Experiment, data: ExperimentData) -> Sequence[str]:
    pools = {"trained on": data.train, "dev": data.dev, "test": data.test}
    sizes = ", ".join(f"{name} {len(numbers)}" for name, numbers in pools.items() if numbers)
    facts = [
        f"Documents: {sizes}; language {data.language}; label set {data.label_set_name or '-'}.",
        f"Seeds: {', '.join(map(str, experiment.seeds))}; scrubjay {__version__}.",
    ]
    if not data.test and data.dev and experiment.kind != "crossval":
        facts.append("Scored on the dev corpus; no learner saw it.")
    return facts
