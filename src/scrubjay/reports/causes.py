"""Why a system fails, as tables and sections: what training had, tokens, and judgement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scrubjay.analysis.familiarity import FamiliarityReport, Found, LabelFamiliarity
from scrubjay.analysis.token_borders import FITS, BorderReport, LabelBorders
from scrubjay.analysis.training_strings import LEVELS
from scrubjay.analysis.worksheet import GROUPS, CategoryTable, show_percent
from scrubjay.evaluation.counts import show_ratio
from scrubjay.reports.blocks import Prose, Section, Table

_ALL = "all"


def familiarity_tables(report: FamiliarityReport) -> Iterator[Table]:
    """Yield recall by seen and unseen, by level and by frequency, then training's frequencies."""
    yield Table(
        "Recall by seen and unseen in training",
        ("label", "seen", "recall", "covered", "unseen", "recall", "covered"),
        tuple((row.label or _ALL, *_found(row.seen), *_found(row.unseen)) for row in report.labels),
    )
    whole = report.all_labels
    yield Table(
        "Recall by how well the string is known",
        ("string in training", "gold", "recall", "covered"),
        tuple(
            (_LEVEL_NAMES[level], *_found(found))
            for level, found in zip(LEVELS, whole.levels, strict=True)
        ),
    )
    for counted, parts in (("documents", whole.by_documents), ("spans", whole.by_mentions)):
        named = zip(map(str, report.bands), parts, strict=True)
        yield Table(
            f"Recall by training {counted} with the string",
            (counted, "gold", "recall", "covered"),
            tuple((name, *_found(found)) for name, found in named),
        )
    yield Table(
        "Document frequency of the strings of training",
        ("label", "spans", "strings", "mean", "median", *(f"in {b}" for b in report.bands[1:])),
        tuple(
            (
                row.label,
                str(row.mentions),
                str(row.strings),
                f"{row.mean:.2f}",
                f"{row.median:g}",
                *map(str, row.bands[1:]),
            )
            for row in report.training
        ),
    )


def familiarity_by_label_table(report: FamiliarityReport) -> Table:
    """Return, for each label, gold spans and strict recall by training documents."""

    def cells(row: LabelFamiliarity) -> Iterator[str]:
        for found in row.by_documents:
            yield f"{show_ratio(found.strict_recall)} ({found.gold})" if found.gold else ""

    return Table(
        "Recall (gold spans) by label and training documents",
        ("label", *map(str, report.bands)),
        tuple((row.label or _ALL, *cells(row)) for row in report.labels),
    )


def familiarity_section(report: FamiliarityReport) -> Section:
    """Return the section on what training had."""
    note = _FAMILIARITY.format(
        documents=report.training_documents, how=_NORMALISATION_NAMES[report.normalisation]
    )
    tables = (*familiarity_tables(report), familiarity_by_label_table(report))
    return Section("Seen in training", (Prose(note), *_filled(tables)))


def border_tables(report: BorderReport) -> Iterator[Table]:
    """Yield how gold spans fit the tokens, the errors by cause, and what is left of them.

    Labels all of whose spans fit, or that have no errors, stand in no row.
    """
    off = [row for row in report.labels if _is_off(row)]
    wrong = [row for row in report.labels if row.label is None or row.counts.fn + row.counts.fp]
    yield Table(
        f"Gold spans on the tokens of {' or '.join(report.tokenizers)}",
        ("label", "gold", *FITS, "predicted off tokens"),
        tuple(
            (row.label or _ALL, *map(str, (sum(row.fits), *row.fits, row.predicted_off)))
            for row in off
        ),
    )
    yield Table(
        "Errors by cause, tokens or model",
        ("label", "missed", "tokens", "both", "model", "wrong", "tokens", "model"),
        tuple(
            (
                row.label or _ALL,
                *map(str, (row.counts.fn, *row.missed)),
                *map(str, (row.counts.fp, row.wrong[0], row.wrong[2])),
            )
            for row in wrong
        ),
    )
    yield Table(
        "Strict figures, without errors of tokens, and at best",
        ("label", "P", "R", "F", "P forgiven", "R", "F", "P at best", "R", "F"),
        tuple(
            (
                row.label or _ALL,
                *(
                    show_ratio(ratio)
                    for counts in (row.counts, row.forgiven, row.ceiling)
                    for ratio in (counts.precision, counts.recall, counts.f1)
                ),
            )
            for row in off
        ),
    )


def _is_off(row: LabelBorders) -> bool:
    return row.label is None or sum(row.fits[1:]) + row.predicted_off > 0


def border_section(report: BorderReport) -> Section:
    """Return the section on tokenization."""
    return Section("Tokenization", (Prose(_BORDERS), *_filled(border_tables(report))))


def category_tables(table: CategoryTable) -> Iterator[Table]:
    """Yield the judgements of a filled worksheet (Trienes 2020, Table 7)."""
    rows = []
    for group, title in GROUPS.items():
        missed, wrong = table.group(group)
        rows.append((title, *_shares(table, missed, wrong)))
        rows += [
            (f"- {row.category.title}", *_shares(table, row.missed, row.wrong))
            for row in table.rows
            if row.category.group == group
        ]
    if table.open_missed or table.open_wrong:
        rows.append(("Not judged yet", str(table.open_missed), "", str(table.open_wrong), ""))
    yield Table(
        f"Errors as judged (FN n = {table.missed}, FP n = {table.wrong})",
        ("category", "FN", "%", "FP", "%"),
        tuple(rows),
    )


def category_section(table: CategoryTable) -> Section:
    """Return the section on what people judged."""
    return Section("Judged by hand", (Prose(_JUDGED), *category_tables(table)))


def _found(found: Found) -> tuple[str, str, str]:
    return str(found.gold), show_ratio(found.strict_recall), show_ratio(found.covered_recall)


def _shares(table: CategoryTable, missed: int, wrong: int) -> tuple[str, str, str, str]:
    return (
        str(missed),
        show_percent(missed, table.missed),
        str(wrong),
        show_percent(wrong, table.wrong),
    )


def _filled(tables: Iterable[Table]) -> Iterator[Table]:
    return (table for table in tables if table.rows)


_LEVEL_NAMES = {
    "same-label": "with the same label",
    "other-label": "with another label only",
    "all-words": "never, but each of its words in PHI",
    "some-words": "never, but one of its words in PHI",
    "new": "never, and none of its words in PHI",
}
_NORMALISATION_NAMES = {
    "exact": "character by character",
    "spaces": "without regard to the kind and number of spaces",
    "case": "without regard to letter case and to the kind and number of spaces",
}
_FAMILIARITY = (
    "A string is seen where one of the {documents} training documents has it as a span of the "
    "same label; strings are compared {how}. Recall is strict; covered is the share of gold "
    "spans of which nothing but white space is outside of predicted spans, whatever their label."
)
_BORDERS = (
    "A tagger's spans begin and end where tokens do, so a gold span with other borders can never "
    "be found exactly. An error is one of tokens where the model gave the next best for such a "
    "span: all the tokens that it touches, or those wholly inside it, with the right label. Both "
    "are to blame where it gave something else or nothing. Forgiven are the figures if errors of "
    "tokens were none; at best is what gold itself scores when it is laid on the tokens. "
    "Labels without such spans, or without errors, stand in no row."
)
_JUDGED = (
    "The categories are those of Trienes et al. 2020, each error has one. FN are gold spans that "
    "no predicted span equals, FP predicted spans that no gold span equals; shares are of those "
    "that were judged."
)
