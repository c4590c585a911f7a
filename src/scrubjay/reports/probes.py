"""The report of `scrubjay models probe`: clinical terms taken for PHI, and names by origin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrubjay.analysis.origin_probes import OriginReport
from scrubjay.analysis.probe_sets import KEEP
from scrubjay.analysis.probe_terms import TermReport
from scrubjay.analysis.probes import ProbeReport
from scrubjay.analysis.protected_probes import ProtectedReport
from scrubjay.reports.blocks import Block, Page, Prose, Section, Table
from scrubjay.reports.evaluation import share_figure, share_table

_ALL = "all"


def compose_probes(
    probes: ProbeReport,
    *,
    origins: OriginReport | None = None,
    terms: TermReport | None = None,
    protected: ProtectedReport | None = None,
    facts: Sequence[tuple[str, str]] = (),
) -> Page:
    """Return the page of a run over the probes; raises `MissingExtraError` without scipy."""
    own = (("language of the probes", probes.language), ("probes", str(probes.probes)))
    kept = [(one.category, one.hit.count, one.hit.of) for one in probes.categories if one.hit.of]
    blocks: list[Block] = [
        Section(
            "Clinical terms",
            (
                Prose(_TERMS),
                *([share_figure("Terms taken for PHI", kept, x="share hit")] if kept else []),
                *_probe_tables(probes),
            ),
        )
    ]
    if protected is not None:
        blocks.append(Section("Protected terms", (Prose(_PROTECTED), *protected_tables(protected))))
    if terms is not None:
        blocks.append(Section("Terms in the corpus", (Prose(TERMS_IN_CORPUS), *term_tables(terms))))
    if origins is not None:
        rows = [(one.title, one.found.count, one.found.of) for one in origins.origins]
        figure = share_figure("Recall of names by origin", rows, x="recall")
        blocks.append(Section("Names by origin", (Prose(_ORIGINS), figure, origin_table(origins))))
    if probes.misses:
        blocks.append(Section("Probes that went wrong", (Prose(_MISSES), miss_table(probes))))
    return Page("Probes", (*facts, *own), tuple(blocks))


def probe_tables(
    probes: ProbeReport,
    *,
    origins: OriginReport | None = None,
    terms: TermReport | None = None,
    protected: ProtectedReport | None = None,
    every_miss: bool = False,
) -> tuple[Table, ...]:
    """Return the tables for a screen; with `every_miss` a row for each wrong place, too."""
    tables = list(_probe_tables(probes))
    if protected is not None:
        tables += protected_tables(protected, worst=every_miss)
    if terms is not None:
        tables += term_tables(terms)
    if origins is not None:
        tables.append(origin_table(origins))
    if every_miss:
        tables.append(miss_table(probes))
    return tuple(table for table in tables if table.rows)


def _probe_tables(probes: ProbeReport) -> Iterator[Table]:
    kept = [(one.category, one.hit.count, one.hit.of) for one in probes.categories if one.hit.of]
    kept.append((_ALL, probes.hit.count, probes.hit.of))
    yield share_table("Terms taken for PHI", ("category", "terms", "hit"), kept)
    names = [
        (one.category, one.found.count, one.found.of) for one in probes.categories if one.found.of
    ]
    if names:
        names.append((_ALL, probes.found.count, probes.found.of))
        yield share_table("Names of the same words", ("category", "names", "found"), names)


def protected_tables(report: ProtectedReport, *, worst: bool = True) -> Iterator[Table]:
    """Yield the share of protected terms hit by kind, and with `worst` the terms hit."""
    rows = [(one.kind, one.hit.count, one.hit.of) for one in report.kinds]
    rows.append((_ALL, report.hit.count, report.hit.of))
    yield share_table("Protected terms in carrier sentences", ("kind", "sentences", "hit"), rows)
    hits = [(term, one.kind, str(count)) for one in report.kinds for term, count in one.terms]
    if worst and hits:
        yield Table("Protected terms hit", ("term", "kind", "hit"), tuple(hits), text_columns=2)


def term_tables(terms: TermReport) -> Iterator[Table]:
    """Yield terms of a corpus that are taken for PHI by category, and those hit most often."""
    rows = [(name, share.count, share.of) for name, share in terms.categories.items()]
    rows.append((_ALL, terms.hit.count, terms.hit.of))
    header = ("category", "occurrences", "hit")
    yield share_table("Terms outside gold that are taken for PHI", header, rows)
    worst = terms.worst()
    if worst:
        yield Table(
            "Terms hit most often",
            ("term", "category", "occurrences", "hit"),
            tuple((term, name, str(share.of), str(share.count)) for name, term, share in worst),
            text_columns=2,
        )


def origin_table(report: OriginReport) -> Table:
    """Return recall by origin: mentions, found, the exact interval, the gap, missed wholly."""
    shares = [(one.title, one.found.count, one.found.of) for one in report.origins]
    shares.append((_ALL, report.found.count, report.found.of))
    table = share_table("Names by origin in the same sentences", _ORIGIN_HEADER, shares)
    last = [(_signed(report.gap(one)), str(one.missed.count)) for one in report.origins]
    missed = sum(one.missed.count for one in report.origins)
    last.append(("", str(missed)))
    rows = tuple((*row, *more) for row, more in zip(table.rows, last, strict=True))
    return Table(table.title, (*table.header, "gap to the others", "missed wholly"), rows)


_ORIGIN_HEADER = ("origin", "mentions", "found")


def miss_table(probes: ProbeReport) -> Table:
    """Return every place of the probes that went wrong, with its text, which is ours."""
    rows = tuple(
        (
            one.category,
            "hit" if one.label == KEEP else "not found",
            one.surface,
            one.label if one.label != KEEP else "-",
            ", ".join(one.predicted) or "-",
            " / ".join(one.text.splitlines()),
        )
        for one in probes.misses
    )
    header = ("category", "what", "place", "label", "predicted", "probe")
    return Table("Probes that went wrong", header, rows, text_columns=len(header))


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.4f}"


_TERMS = (
    "Terms are clinical words that are no PHI where they stand. One is hit where any letter or "
    "digit of it lies in a predicted span, whatever the label. Names of the same words are PHI, "
    "and one is found where every letter and digit of it lies in predicted spans: a detector that "
    "spares terms by never redacting the words misses these.\n\n"
    "Each probe is a document of one or two sentences. A detector that learned from whole notes "
    "may do better or worse there than here."
)
_PROTECTED = (
    "Terms of the shipped lists, each put into a plain sentence. One is hit where any letter or "
    "digit of it lies in a predicted span."
)
TERMS_IN_CORPUS = (
    "Terms of the lists that stand in the corpus outside of gold spans, and how many of them "
    "predictions touch. Terms that the lists lack are not counted."
)
_ORIGINS = (
    "The same sentences were filled with names of each origin, so that a difference comes from "
    "the names alone. A mention is found where every letter of it lies in predicted spans. The "
    "groups are of names, never of persons: many names are of several."
)
_MISSES = "All texts here were written for the probes; none is of a patient."
