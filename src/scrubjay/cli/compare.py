"""`scrubjay compare`: two or more systems on the same documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli._corpora import (
    FormatOption,
    GoldArgument,
    LabelMapOption,
    LabelSetOption,
    UnpairedOption,
)
from scrubjay.cli._report import HtmlOption, JsonOption, ShowTextOption
from scrubjay.errors import ConfigError

if TYPE_CHECKING:
    from scrubjay.evaluation.aligned import AlignedCorpora


def compare(
    gold: GoldArgument,
    predicted: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME=]PREDICTED...",
            help="The same corpus as two or more systems labelled it.",
            show_default=False,
        ),
    ],
    json_file: JsonOption = "",
    html: HtmlOption = None,
    show_text: ShowTextOption = False,
    reference: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Compare this system with each other; else every two of them."
        ),
    ] = "",
    every_change: Annotated[
        bool, typer.Option("--list", help="Show every change with its document and offsets, too.")
    ] = False,
    examples: Annotated[
        int, typer.Option(min=0, help="How many changes of each kind the report shows.")
    ] = 25,
    confidence: Annotated[float, typer.Option(help="The confidence of the intervals.")] = 0.95,
    shuffles: Annotated[int, typer.Option(help="Shuffles of each test.")] = 9_999,
    resamples: Annotated[int, typer.Option(help="Draws of documents for the intervals.")] = 2_000,
    seed: Annotated[int, typer.Option(min=0, help="Decides shuffles and draws.")] = 0,
    format: FormatOption = "",
    predicted_format: Annotated[
        str, typer.Option(help="The format of the predicted corpora (auto-detected).")
    ] = "",
    label_set: LabelSetOption = "",
    label_map: LabelMapOption = "",
    unpaired: UnpairedOption = "error",
) -> None:
    """Compare two or more systems on the same documents.

    Shows what each reaches with intervals, whether they differ by more than chance (paired
    approximate randomization), overall and by label, and which spans and documents changed from
    one to the other. Every figure is defined in docs/compare.md.
    """
    from itertools import combinations

    from scrubjay.analysis.changes import CONTEXT, ChangeCollector
    from scrubjay.cli._corpora import require_gold
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.corpora import read_corpus
    from scrubjay.errors import LabelError
    from scrubjay.evaluation.aligned import AlignedCorpora
    from scrubjay.evaluation.comparison import SystemRows, require_settings
    from scrubjay.evaluation.pairs import require_unpaired
    from scrubjay.labels import parse_label_map
    from scrubjay.reports.comparison import comparison_tables, compose_comparison

    places = name_systems(predicted)
    settings: dict[str, Any] = {"confidence": confidence, "shuffles": shuffles}
    settings |= {"resamples": resamples, "seed": seed}
    require_settings(**settings)
    files = plan_report(json_file, html, inputs=(gold, *places.values()))
    pairs = _pairs_against(reference, tuple(places)) if reference else list(combinations(places, 2))
    corpora = AlignedCorpora(
        read_corpus(gold, format=format or None),
        {name: read_corpus(path, format=predicted_format or None) for name, path in places.items()},
        label_set=label_set or None,
        label_map=parse_label_map(label_map),
        unpaired=require_unpaired(unpaired),
    )
    rows = SystemRows(corpora.systems, corpora.label_set)
    collector = ChangeCollector(
        corpora.systems,
        pairs,
        corpora.label_set,
        examples=examples,
        context=CONTEXT if show_text else None,
    )
    documents = spans = 0
    try:
        for aligned in corpora:
            documents, spans = documents + 1, spans + len(aligned.gold.spans)
            rows.add(aligned)
            collector.add(aligned)
    except LabelError as error:
        raise corpora.explain(error) from None
    left_out = sum(corpora.outside.values())
    require_gold(gold, documents=documents, spans=spans, left_out=left_out, format=format)
    comparison, changes = rows.compare(pairs, **settings), collector.changes()
    write_report(
        files,
        figures=lambda: {
            "format_version": 1,
            "skipped": corpora.skipped,
            "unlabelled": corpora.unlabelled,
            "outside_label_map": corpora.outside,
            **comparison.record(),
            "changes": [one.record() for one in changes],
        },
        page=lambda: compose_comparison(comparison, changes, facts=_facts(corpora, gold, places)),
        tables=lambda: comparison_tables(comparison, changes, every_change=every_change),
    )


def name_systems(given: Sequence[str]) -> dict[str, Path]:
    """Return the corpus of each system by its name, in the order they were given.

    `NAME=PATH` names one; else it has the last parts of its path, as many as tell all apart, the
    ending of a file left out. Raises `ConfigError` for less than two, and for a name or a path
    that stands twice.
    """
    names: list[str] = []
    paths: list[Path] = []
    for one in given:
        name, equals, place = one.partition("=")
        named = bool(equals and name) and not Path(one).exists()
        names.append(name if named else "")
        paths.append(Path(place if named else one))
    if len(paths) < 2:
        raise ConfigError(
            "a comparison needs two systems or more, there is one",
            hint="Give gold and two predicted corpora",
        )
    unnamed = [path.absolute() for path, name in zip(paths, names, strict=True) if not name]
    found = iter(_path_names(unnamed))
    names = [name or next(found) for name in names]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ConfigError(
            f"two systems are called {twice[0]!r}", hint="Give them names: NAME=PREDICTED"
        )
    return dict(zip(names, paths, strict=True))


def _path_names(paths: Sequence[Path]) -> list[str]:
    depth = max((len(path.parts) for path in paths), default=0)
    names: list[str] = []
    for size in range(1, depth + 1):
        names = [_last_parts(path.with_suffix(""), size) for path in paths]
        if len(set(names)) < len(names):
            names = [_last_parts(path, size) for path in paths]
        if len(set(names)) == len(names):
            break
    return names


def _last_parts(path: Path, size: int) -> str:
    # A path joins its root to the next part without a second slash.
    return Path(*path.parts[-size:]).as_posix()


def _pairs_against(reference: str, systems: Sequence[str]) -> list[tuple[str, str]]:
    if reference not in systems:
        raise ConfigError(
            f"the reference {reference!r} is none of the systems",
            hint=f"There are: {', '.join(systems)}",
        )
    return [(reference, name) for name in systems if name != reference]


def _facts(
    corpora: AlignedCorpora, gold: Path, places: Mapping[str, Path]
) -> list[tuple[str, str]]:
    facts = [("gold", gold.name)]
    facts += [(f"system {name}", path.name) for name, path in places.items()]
    if corpora.skipped:
        facts.append(("skipped, not in every corpus", str(corpora.skipped)))
    for name, size in corpora.unlabelled.items():
        facts.append((f"left out in regions without labels, {name}", str(size)))
    return facts + [(f"left out, {label}", str(size)) for label, size in corpora.outside.items()]
