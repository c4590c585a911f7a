"""The report of `scrubjay risk`, and that of an audited sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrubjay.analysis.audit import Audit
from scrubjay.analysis.plots import draw_interval_bars
from scrubjay.analysis.probe_terms import TermReport
from scrubjay.evaluation.bounds import SampleSize, Share
from scrubjay.evaluation.counts import show_ratio
from scrubjay.evaluation.groups import FEW_DOCUMENTS, FEW_MENTIONS, GroupTable
from scrubjay.evaluation.leakage import LabelLeaks, Leak, UnitLeaks
from scrubjay.evaluation.risk import Risk
from scrubjay.evaluation.sampling import SamplingPlan
from scrubjay.reports.blocks import Block, Example, Examples, Figure, Page, Prose, Section, Table
from scrubjay.reports.probes import TERMS_IN_CORPUS, term_tables

SHOWN_LEAKS = 200
"""How many leaks a page shows, direct identifiers first; JSON has all of them."""

LIMITS = (
    "These figures hold for the documents that were measured and for others like them. None of "
    "them says that nobody can be recognised: pseudonymised data stay personal data (GDPR, "
    "recital 26), and whether the risk is very small is for an expert to conclude (45 CFR "
    "164.514(b)(1))."
)
MEANING = (
    "A leak is a letter or digit of a gold span that no predicted span covers, whatever the "
    "labels: every predicted span is taken to be replaced. A policy that keeps labels leaves "
    "them in the text beyond what is counted here. A mention is removed if nothing of it stays."
)
_INTERVALS = (
    "Intervals of shares are exact ones of Clopper and Pearson, two-sided; bounds are one-sided "
    "at the same confidence. They take each trial as independent. Mentions of one document are "
    "not, so the intervals by label and by group are a little too narrow; those of label-blind "
    "recall are drawn by whole documents (bootstrap) and have no such fault; where nothing is "
    "left they are the exact ones of as many trials as there are documents with PHI."
)
_HIDING = (
    "Where leaks stand among realistic surrogates, who looks for them takes some for surrogates. "
    "Hidden is leak x (1 - found), exposed leak x found, as shares of all mentions; the bounds "
    "are those of the leak's upper bound, the wider of two: with mentions as independent trials, "
    "and with documents as units, as if all mentions of a document stood and fell together. They "
    "hold for surrogates alone: among placeholders every leak is plain to see."
)
_SIZES = (
    "How many mentions must be checked, of which so many may be missed, so that the claim holds. "
    "Mentions are multiplied by the design effect of this sample (1 at least), documents follow "
    "from its mentions per document. Documents for clean share is how many documents show that so "
    "large a share of documents leaks nothing. Chance is the probability, from 0 to 1, that such "
    "a sample has no more than the allowed misses, so that the claim can be made at all, if the "
    "true recall is the one seen here."
)
_NO_EFFECT = (
    "The design effect of this sample cannot be measured: no mention leaks, or all do, or only "
    "one document holds PHI. A design effect of 1 is assumed, that is independent mentions; "
    "where they stand and fall together by document, more must be checked."
)
_TOKENS = (
    "Token recall can be below 1 though no mention leaks: a token is a run of letters and digits "
    "inside a gold span, and it counts as removed only if a predicted span holds exactly that "
    "run. Where gold ends inside a word and the predicted span goes on to the end of the word, "
    "the predicted run is longer than that of gold and does not count, though nothing stays."
)


def compose_risk(
    risk: Risk,
    *,
    terms: TermReport | None = None,
    facts: Sequence[tuple[str, str]] = (),
) -> Page:
    """Return the page of a measurement."""
    blocks: list[Block] = [
        Section("What would stay", (Prose(f"{MEANING}\n\n{_TOKENS}\n\n{LIMITS}"), *_summary(risk))),
        Section("By label", (Prose(_INTERVALS), *_label_blocks(risk))),
        Section("Hiding in plain sight", (Prose(_HIDING), _hiding_table(risk))),
    ]
    if risk.groups:
        blocks.append(Section("By group", tuple(_group_blocks(risk))))
    if terms is not None:
        blocks.append(Section("Clinical terms", (Prose(TERMS_IN_CORPUS), *term_tables(terms))))
    sizes = _SIZES if risk.design_effect is not None else f"{_SIZES}\n\n{_NO_EFFECT}"
    blocks.append(Section("Sample sizes", (Prose(sizes), size_table(risk.sizes))))
    if risk.leakage.leaks:
        blocks.append(_leak_section(risk.leakage.leaks))
    return Page("Risk of leaks", (*facts, *risk_facts(risk)), tuple(blocks))


def risk_tables(risk: Risk, *, terms: TermReport | None = None) -> tuple[Table, ...]:
    """Return the tables of a measurement, for a screen."""
    tables = (
        Table("Risk", ("fact", "value"), risk_facts(risk), text_columns=2),
        *_summary(risk),
        label_table(risk),
        _hiding_table(risk),
        *(group_table(table) for table in risk.groups),
        *(() if terms is None else term_tables(terms)),
        size_table(risk.sizes),
    )
    return tuple(table for table in tables if table.rows)


def risk_facts(risk: Risk) -> tuple[tuple[str, str], ...]:
    """Return how the measurement was made, as names and values."""
    facts = [
        ("label set", risk.label_set or "none that is known"),
        ("direct identifiers", risk.direct.source),
        ("patients told by", risk.patient_key or "nothing: give --patient-key"),
        ("documents", str(risk.leakage.documents.units)),
        ("confidence", f"{risk.confidence:g}"),
        ("seed of the bootstrap", str(risk.seed)),
        ("design effect", _effect(risk)),
    ]
    if risk.gold_alone or risk.predicted_alone:
        facts.append(("skipped, in gold alone", str(risk.gold_alone)))
        facts.append(("skipped, in predicted alone", str(risk.predicted_alone)))
    if risk.unlabelled:
        facts.append(("left out, in regions without labels", str(risk.unlabelled)))
    facts += [(f"left out, {label}", str(size)) for label, size in risk.outside.items()]
    return tuple(facts)


def recall_table(risk: Risk) -> Table:
    """Return label-blind recall by mention, token and character, and what goes beside PHI."""
    extra = {
        "token": str(risk.leakage.tokens.fp),
        "character": str(risk.leakage.characters.fp),
    }
    rows = tuple(
        (
            recall.level,
            str(recall.gold),
            str(recall.found),
            str(recall.gold - recall.found),
            extra.get(recall.level, ""),
            show_ratio(recall.value),
            show_ratio(recall.interval.low),
            show_ratio(recall.interval.high),
        )
        for recall in risk.recalls
    )
    header = ("by", "gold", "removed", "left", "over-redacted", "recall", "low", "high")
    return Table("Label-blind recall (intervals by document)", header, rows)


def unit_table(risk: Risk) -> Table:
    """Return documents and patients with any leak, and with any direct identifier leaked."""
    rows = _unit_rows(risk, "documents", risk.leakage.documents)
    if risk.leakage.patients is not None:
        rows += _unit_rows(risk, "patients", risk.leakage.patients)
    header = ("unit", "leak", "number", "of", *_SHARE)
    return Table("Documents and patients with leaks", header, tuple(rows), text_columns=2)


def label_table(risk: Risk) -> Table:
    """Return what becomes of each gold label, label-blind, with exact intervals."""
    leakage = risk.leakage
    rows = [_label_row(risk, row) for row in leakage.labels]
    if leakage.direct.mentions:
        rows.append(_label_row(risk, leakage.direct, name="all direct"))
    header = (
        "label", "direct", "mentions", "removed", "partly", "missed", "recall", "low", "high",
        "at least",
    )  # fmt: skip
    return Table("Mentions removed, by gold label", header, tuple(rows), text_columns=2)


def group_table(table: GroupTable) -> Table:
    """Return recall by the groups of one key, and how far each lies from all others."""
    rows = tuple(
        (
            row.group,
            "too small" if row.too_small else "",
            str(row.documents),
            str(row.mentions),
            str(row.leaks),
            *_share_cells(row.recall)[:3],
            "-" if row.gap is None else f"{row.gap:+.4f}",
            "-" if row.gap_interval is None else f"{row.gap_interval.low:+.4f}",
            "-" if row.gap_interval is None else f"{row.gap_interval.high:+.4f}",
        )
        for row in table.rows
    )
    header = (
        "group", "note", "documents", "mentions", "leaks", "recall", "low", "high",
        "gap to others", "gap low", "gap high",
    )  # fmt: skip
    return Table(f"Recall by {table.key}", header, rows, text_columns=2)


def size_table(sizes: Sequence[SampleSize]) -> Table:
    """Return sample sizes by the number of misses that are allowed."""
    if not sizes:
        return Table("Sample sizes", ("misses",), ())
    first = sizes[0]
    title = f"To claim recall >= {first.claim:g} at {first.confidence:.0%} confidence"
    header = ("allowed misses", "mentions", "documents", "documents for clean share", "chance")
    rows = tuple(
        (
            str(size.allowed),
            str(size.mentions),
            "-" if size.documents is None else str(size.documents),
            str(size.clean_documents),
            "-" if size.chance is None else f"{size.chance:.3f}",
        )
        for size in sizes
    )
    return Table(title, header, rows)


def plan_table(plan: SamplingPlan) -> Table:
    """Return how many documents of each stratum are drawn."""
    rows = [(one.name, str(one.documents), str(one.sampled)) for one in plan.strata]
    rows.append(("all", str(plan.frame_documents), str(len(plan.chosen))))
    title = f"Sample (seed {plan.seed}, frame {plan.frame_sha256[:16]})"
    return Table(title, ("stratum", "documents", "drawn"), tuple(rows))


def audit_tables(audit: Audit) -> tuple[Table, ...]:
    """Return what an audited sample allows to claim."""
    facts = (
        ("documents of the run", str(audit.frame_documents)),
        ("documents checked", str(len(audit.documents))),
        ("drawn with seed", str(audit.seed)),
        ("frame (sha256)", audit.frame_sha256),
        ("sample", "in proportion" if audit.proportional else "not in proportion to the strata"),
        ("confidence", f"{audit.confidence:g}"),
        ("leaks found", str(audit.leaks)),
        ("of these direct identifiers", str(audit.direct_leaks)),
    )
    documents = (
        ("any", *_counts(audit.leaking), *_share_cells(audit.leaking), _of_run(audit, 0)),
        (
            "direct identifier",
            *_counts(audit.leaking_direct),
            *_share_cells(audit.leaking_direct),
            _of_run(audit, 1),
        ),
    )
    header = ("leak", "number", "of", *_SHARE, "at most of the run")
    strata = tuple(
        (
            row.stratum.name,
            *map(str, (row.stratum.documents, row.stratum.sampled, row.leaking)),
            *map(str, (row.leaking_direct, row.leaks, row.most_leaking)),
        )
        for row in audit.strata
    )
    tables = [
        Table("Audit", ("fact", "value"), facts, text_columns=2),
        Table("Documents with leaks", header, documents),
        Table(
            "By stratum",
            ("stratum", "documents", "checked", "leaking", "direct", "leaks", "leaking at most"),
            strata,
        ),
    ]
    if audit.recall is not None:
        cells = (
            *_counts(audit.recall),
            *_share_cells(audit.recall)[:3],
            f"{audit.recall.lower:.4f}",
        )
        columns = ("by", "removed", "of", "recall", "low", "high", "at least")
        tables.append(Table("Mentions removed", columns, (("mention", *cells),)))
    return tuple(tables)


def compose_audit(audit: Audit, *, facts: Sequence[tuple[str, str]] = ()) -> Page:
    """Return the page of an audited sample."""
    summary, *tables = audit_tables(audit)
    own = tuple((name, value) for name, value in summary.rows)
    return Page("Audit of a run", (*facts, *own), (Section("Result", (Prose(LIMITS), *tables)),))


_SHARE = ("share", "low", "high", "at most", "3/n")


def _of_run(audit: Audit, column: int) -> str:
    most = (audit.most_leaking, audit.most_leaking_direct)[column]
    return f"{most} ({most / audit.frame_documents:.2%})"


def _counts(share: Share) -> tuple[str, str]:
    return str(share.events), str(share.trials)


def _summary(risk: Risk) -> tuple[Table, ...]:
    return recall_table(risk), unit_table(risk)


def _unit_rows(risk: Risk, name: str, units: UnitLeaks) -> list[tuple[str, ...]]:
    rows = []
    for leak, number in (("any", units.leaking), ("direct identifier", units.leaking_direct)):
        share = risk.share(number, units.units)
        rows.append((name, leak, *_counts(share), *_share_cells(share)))
    return rows


def _share_cells(share: Share) -> tuple[str, ...]:
    return (
        show_ratio(share.value),
        f"{share.interval.low:.4f}",
        f"{share.interval.high:.4f}",
        f"{share.upper:.4f}",
        show_ratio(share.rule_of_three),
    )


def _label_row(risk: Risk, row: LabelLeaks, *, name: str = "") -> tuple[str, ...]:
    recall = risk.label_recall(row)
    return (
        name or row.label,
        "direct" if row.direct else "",
        *map(str, (row.mentions, row.removed, row.partly, row.missed)),
        *_share_cells(recall)[:3],
        f"{recall.lower:.4f}",
    )


def _hiding_table(risk: Risk) -> Table:
    rows = tuple(
        (
            row.finder.name,
            row.finder.source,
            f"{row.finder.found:.2f}",
            show_ratio(row.hidden),
            show_ratio(row.hidden_bound),
            show_ratio(row.exposed),
            show_ratio(row.exposed_bound),
        )
        for row in risk.hidden
    )
    header = (
        "who looks", "source", "found", "hidden", "hidden at most", "exposed", "exposed at most",
    )  # fmt: skip
    return Table("Leaks among surrogates, of all mentions", header, rows, text_columns=2)


def _label_blocks(risk: Risk) -> Iterator[Block]:
    rows = risk.leakage.labels
    bars = {row.label: _bar(risk.label_recall(row)) for row in rows}
    if bars:
        title = "Share of mentions removed, by gold label"
        yield Figure(title, draw_interval_bars(title, bars, x="mentions removed"), _words(bars))
    yield label_table(risk)


def _group_blocks(risk: Risk) -> Iterator[Block]:
    yield Prose(
        "The gap is the recall of a group minus that of all other mentions; its interval is "
        "Newcombe's over exact intervals. A group with less than "
        f"{FEW_MENTIONS} mentions or {FEW_DOCUMENTS} documents is too small to tell."
    )
    for table in risk.groups:
        bars = {row.group: _bar(row.recall) for row in table.rows}
        if bars:
            title = f"Share of mentions removed, by {table.key}"
            picture = draw_interval_bars(title, bars, x="mentions removed")
            yield Figure(title, picture, _words(bars))
        yield group_table(table)
        told = [] if table.widest is None else [f"Widest gap between groups: {table.widest:.4f}."]
        if table.ungrouped:
            told.append(f"Mentions that belong to no group: {table.ungrouped}.")
        if told:
            yield Prose(" ".join(told))


def _bar(share: Share) -> tuple[float, float | None, float]:
    return share.interval.low, share.value, share.interval.high


def _words(bars: dict[str, tuple[float, float | None, float]]) -> str:
    return f"{len(bars)} bars with exact intervals; the table below has the figures."


def _leak_section(leaks: Sequence[Leak]) -> Section:
    ordered = sorted(leaks, key=lambda leak: not leak.mention.direct)
    shown = ordered[:SHOWN_LEAKS]
    told = f"{len(shown)} of {len(leaks)} leaks, direct identifiers first. JSON lists every one."
    return Section("Leaks", (Prose(told), Examples("Leaks", tuple(map(_example, shown)))))


def _example(leak: Leak) -> Example:
    mention = leak.mention
    kind = f"{mention.outcome}, direct identifier" if mention.direct else mention.outcome
    return Example(
        leak.document,
        mention.start,
        mention.end,
        kind,
        gold_label=mention.label,
        shape=leak.shape,
        before=leak.before,
        text=leak.text,
        after=leak.after,
    )


def _effect(risk: Risk) -> str:
    effect = risk.design_effect
    return "- (sample sizes assume 1)" if effect is None else f"{effect:.2f}"
