"""Why a system fails, for `scrubjay errors`: its options for training, tokens and worksheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli._output import require_writable
from scrubjay.errors import ConfigError, OutputError

if TYPE_CHECKING:
    from scrubjay.analysis.familiarity import FamiliarityReport, FamiliarityScorer
    from scrubjay.analysis.token_borders import BorderReport, BorderScorer
    from scrubjay.analysis.worksheet import CategoryTable, WorksheetCollector, WorksheetRow
    from scrubjay.evaluation.pairs import Pair
    from scrubjay.labels import LabelMap, LabelSet
    from scrubjay.reports.blocks import Section, Table

TrainOption = Annotated[
    Path | None,
    typer.Option(
        "--train",
        metavar="DIR",
        help="The training corpus: recall by how often PHI was seen there.",
    ),
]
TrainFormatOption = Annotated[
    str, typer.Option(help="The format of the training corpus (auto-detected).")
]
StringsOption = Annotated[
    str,
    typer.Option(
        "--strings",
        metavar="exact|spaces|case",
        help="What of strings is passed over where they are compared with training.",
    ),
]
TokenizerOption = Annotated[
    str,
    typer.Option(metavar="NAME", help="Tell the errors that this tokenizer makes unavoidable."),
]
ModelOption = Annotated[
    str,
    typer.Option(metavar="NAME|DIR", help="The same with the tokenizer of a model."),
]
WorksheetOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Write every error there to be judged by hand (.csv or .jsonl)."
    ),
]
FilledOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Count the judgements of a filled worksheet.")
]


@dataclass(slots=True)
class CauseOptions:
    """What was asked for besides the errors themselves; nothing by default.

    Raises `ConfigError`, `InputError` or `OutputError` before any work is done, for options that
    do not go together, an unknown name, or a worksheet that exists.
    """

    train: Path | None = None
    train_format: str = ""
    strings: str = "case"
    tokenizer: str = ""
    model: str = ""
    worksheet: Path | None = None
    filled: Path | None = None

    def __post_init__(self) -> None:
        from scrubjay.analysis._sheets import require_sheet_name
        from scrubjay.analysis.training_strings import find_normalisation

        if self.tokenizer and self.model:
            raise ConfigError(
                "a tokenizer and a model are given", hint="Give --tokenizer or --model"
            )
        find_normalisation(self.strings)
        for sheet in (self.worksheet, self.filled):
            if sheet is not None:
                require_sheet_name(sheet)
        if self.worksheet is not None and self.worksheet.exists():
            raise OutputError(
                "the worksheet exists already and may hold judgements",
                path=self.worksheet,
                hint="Give another name, or count its judgements with --filled",
            )

    @property
    def inputs(self) -> tuple[Path, ...]:
        """The files and folders that are read."""
        return tuple(path for path in (self.train, self.filled) if path is not None)

    def require_place(self, inputs: Sequence[Path], *, outputs: Sequence[Path | None]) -> None:
        """Raise `OutputError` where the worksheet cannot be written beside inputs and outputs."""
        if self.worksheet is None:
            return
        place = require_writable(self.worksheet, inputs).resolve()
        if place in (path.resolve() for path in outputs if path is not None):
            raise OutputError("is named for two files", path=place, hint="Name two files")


@dataclass(slots=True)
class Causes:
    """Takes pairs in for everything that was asked for; `finish` then has it all."""

    options: CauseOptions
    familiarity: FamiliarityScorer | None
    borders: BorderScorer | None
    rows: WorksheetCollector | None

    def add(self, pair: Pair) -> None:
        """Take in one pair."""
        for collector in (self.familiarity, self.borders, self.rows):
            if collector is not None:
                collector.add(pair)

    def finish(self) -> FoundCauses:
        """Return what was found; reads the filled worksheet and writes the empty one.

        Raises `FormatError` by line for a filled worksheet that is not of these errors.
        """
        from scrubjay.analysis.worksheet import read_worksheet, tabulate, write_worksheet

        found = FoundCauses()
        if self.familiarity is not None:
            found.familiarity = self.familiarity.report()
        if self.borders is not None:
            found.borders = self.borders.report()
        rows: tuple[WorksheetRow, ...] = ()
        if self.rows is not None:
            rows = self.rows.rows(found.borders.errors if found.borders is not None else ())
        if self.options.filled is not None:
            found.judged = tabulate(read_worksheet(self.options.filled, rows))
        if self.options.worksheet is not None:
            found.written = write_worksheet(self.options.worksheet, rows)
        return found


@dataclass(slots=True)
class FoundCauses:
    """What was found, None where it was not asked for."""

    familiarity: FamiliarityReport | None = None
    borders: BorderReport | None = None
    judged: CategoryTable | None = None
    written: int | None = None

    def record(self) -> dict[str, Any]:
        """Return it as JSON values, by what it is."""
        named = (
            ("familiarity", self.familiarity),
            ("tokenization", self.borders),
            ("judged", self.judged),
        )
        return {name: found.record() for name, found in named if found is not None}

    def tables(self) -> list[Table]:
        """Return it as tables for the screen."""
        from scrubjay.reports.causes import border_tables, category_tables, familiarity_tables

        tables: list[Table] = []
        if self.familiarity is not None:
            tables += familiarity_tables(self.familiarity)
        if self.borders is not None:
            tables += border_tables(self.borders)
        if self.judged is not None:
            tables += category_tables(self.judged)
        return [table for table in tables if table.rows]

    def sections(self) -> list[Section]:
        """Return it as sections of a page."""
        from scrubjay.reports.causes import border_section, category_section, familiarity_section

        sections: list[Section] = []
        if self.familiarity is not None:
            sections.append(familiarity_section(self.familiarity))
        if self.borders is not None:
            sections.append(border_section(self.borders))
        if self.judged is not None:
            sections.append(category_section(self.judged))
        return sections


def start_causes(
    options: CauseOptions,
    *,
    label_set: LabelSet | None,
    label_map: LabelMap | None,
    show_text: bool,
) -> Causes:
    """Return the collectors of what was asked for; reads the training corpus, one document a time.

    Raises what reading raises, and `LabelError` for a training label that the label set lacks.
    """
    from scrubjay.analysis.familiarity import FamiliarityScorer
    from scrubjay.analysis.token_borders import BorderScorer, read_tokenizers
    from scrubjay.analysis.training_strings import read_training
    from scrubjay.analysis.worksheet import WorksheetCollector
    from scrubjay.corpora import read_corpus
    from scrubjay.evaluation.reading import Relabelling
    from scrubjay.text.tokenizers import make_tokenizer

    label_of: Callable[[str], str] = label_set.spelled if label_set is not None else str
    familiarity, borders, rows = None, None, None
    if options.tokenizer:
        # Borders do not depend on sentences, which take time to find.
        tokenizer = make_tokenizer(options.tokenizer, sentences="none")
        borders = BorderScorer([tokenizer], label_of=label_of)
    elif options.model:
        borders = BorderScorer(read_tokenizers(options.model), label_of=label_of)
    if options.worksheet is not None or options.filled is not None:
        rows = WorksheetCollector(label_of=label_of, show_text=show_text)
    if options.train is not None:
        documents = read_corpus(options.train, format=options.train_format or None)
        training = read_training(
            Relabelling(label_map)(documents), normalisation=options.strings, label_of=label_of
        )
        familiarity = FamiliarityScorer(training)
    return Causes(options, familiarity, borders, rows)
