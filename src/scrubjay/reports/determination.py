"""The report for an expert determination under HIPAA, 45 CFR 164.514(b)(1).

It states the method and its result line by line: method, hashes of model and configuration, the
sample and how it was drawn, agreement of annotators, recall of each type with intervals, the
share of documents with any leak, the surrogate policy, and what remains. What was not given
stands there as not given. It concludes nothing: that is the expert's to do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from scrubjay import __version__
from scrubjay.analysis.plots import draw_interval_bars
from scrubjay.evaluation.bounds import Share
from scrubjay.evaluation.counts import show_ratio
from scrubjay.evaluation.leakage import UnitLeaks
from scrubjay.evaluation.risk import Risk
from scrubjay.reports.blocks import NOT_GIVEN, Block, Figure, Page, Prose, Section, Table
from scrubjay.reports.determination_checks import require_consistent
from scrubjay.reports.determination_facts import DeterminationFacts, PolicyFacts

Facts = DeterminationFacts
Line = tuple[str, Callable[[Risk, Facts], Iterable[Block]], Callable[[Risk, Facts], str]]

_PURPOSE = (
    "This report puts the method of a de-identification and its measured result on paper, for "
    "an expert who determines the risk under 45 CFR 164.514(b)(1). It draws no conclusion. "
    "Every figure is one of the labelled sample; that the sample stands for the release, and "
    "that the predicted spans were made by the model and the policy named here, is for those "
    "to vouch for who prepared it.\n\n"
    "Under the GDPR, pseudonymised data stay personal data."
)
_SHIFTED = (
    "Shifted dates, and surrogates of dates in general, are not Safe Harbor (164.514(b)(2)): a "
    "release with them needs this determination, or goes out as a limited data set (164.514(e))."
)
_CODES = (
    "A code for re-identification may not be derived from information about the person "
    "(164.514(c)). The policy has the operator hash, whose digests depend on the text and a "
    "secret key: the key must stay apart from the release, and the expert must judge it."
)
_UNITS = (
    "The bound with mentions as units takes each mention for a trial of its own, as if one "
    "told nothing of the next. Mentions of one document are not: a name that is missed once is "
    "often missed throughout. The bound with documents as units takes all mentions of a document "
    "to stand and fall together, and so has only as many trials as documents with PHI. The truth "
    "lies between both assumptions; go by the wider bound, which stands first, unless you can "
    "show that mentions leak independently."
)
_HIDING = (
    "Where realistic surrogates stand around a leak, it may pass for one. The figures below "
    "are leaks x (1 - found), of all mentions, for what readers and a trained attacker found "
    "in published studies; at most is the same of the wider bound above. They hold for realistic "
    "surrogates alone: next to placeholders or masks every leak is plain to see, and none is "
    "hidden."
)


def compose_determination(risk: Risk, facts: DeterminationFacts) -> Page:
    """Return the page; figures are those of `risk`, the rest is what was given.

    No text of a document is in it, whatever `risk` holds. Raises `ConfigError` for facts that
    contradict the measurement (`require_consistent`).
    """
    require_consistent(risk, facts)
    numbered = list(enumerate(_LINES, start=1))
    checklist = tuple(
        (f"{number}. {title}", state(risk, facts)) for number, (title, _, state) in numbered
    )
    sections = [
        Section(f"{number}. {title}", tuple(blocks(risk, facts)))
        for number, (title, blocks, _) in numbered
    ]
    return Page(
        facts.text("release", "title") or "Expert determination: method and result",
        _release(facts),
        (
            Section(
                "Overview",
                (
                    Prose(_PURPOSE),
                    Table("What this report holds", ("line", "state"), checklist, text_columns=2),
                ),
            ),
            *sections,
        ),
    )


def _release(facts: Facts) -> tuple[tuple[str, str], ...]:
    names = {
        "recipients": "recipients",
        "purpose": "purpose",
        "prepared_by": "prepared by",
        "expert": "expert",
        "date": "date",
    }
    given = [(name, facts.text("release", setting) or NOT_GIVEN) for setting, name in names.items()]
    return (*given, ("computed with", f"Scrubjay {__version__}"))


def _method(risk: Risk, facts: Facts) -> Iterable[Block]:
    yield Prose(facts.text("method", "description") or f"Description: {NOT_GIVEN}.")
    rows = (
        ("command", facts.text("method", "command") or NOT_GIVEN),
        ("label set of the measurement", risk.label_set or "none that is known"),
        ("direct identifiers by", risk.direct.source),
        ("confidence of intervals and bounds", f"{risk.confidence:g}"),
        ("seed of the bootstrap", str(risk.seed)),
    )
    yield Table("How it was done and measured", ("fact", "value"), rows, text_columns=2)
    yield Prose(
        "A leak is a letter or digit of a gold mention that no predicted span covers, under "
        "whatever label: what is removed is removed."
    )


def _method_state(risk: Risk, facts: Facts) -> str:
    return _given(facts.text("method", "description"))


def _hashes(risk: Risk, facts: Facts) -> Iterable[Block]:
    model = facts.model
    if model is None:
        yield Prose(f"Model: {NOT_GIVEN}. Configuration: {NOT_GIVEN}.")
        return
    training = [
        (f"training data, {name.replace('_', ' ')}", str(value))
        for name, value in sorted(model.training_data.items())
        if isinstance(value, str | int | float)
    ]
    rows = (
        ("model", model.name),
        ("kind", model.kind),
        ("language", model.language),
        ("trained with", f"Scrubjay {model.package_version}"),
        ("seed", NOT_GIVEN if model.seed is None else str(model.seed)),
        ("sha256 of the manifest, which seals all files", model.manifest_sha256),
        ("sha256 of the configuration", model.config_sha256),
        *training,
    )
    yield Table("Model and configuration", ("fact", "value"), rows, text_columns=2)
    yield Table(
        "Files of the model, each verified",
        ("file", "sha256"),
        tuple((file.name, file.sha256) for file in model.files),
        text_columns=2,
    )


def _hashes_state(risk: Risk, facts: Facts) -> str:
    return _given(facts.model)


def _sample(risk: Risk, facts: Facts) -> Iterable[Block]:
    units = risk.leakage.documents
    patients = risk.leakage.patients
    rows = [
        ("documents of the release", facts.text("sample", "population") or NOT_GIVEN),
        ("documents of the sample", str(units.units)),
        ("of them with PHI", str(units.with_phi)),
        ("patients of the sample", "not known" if patients is None else str(patients.units)),
        ("mentions of PHI", str(risk.leakage.mentions)),
        ("how it was drawn", facts.text("sample", "drawn") or NOT_GIVEN),
        ("drawn by", facts.text("sample", "drawn_by") or NOT_GIVEN),
        ("documents skipped, gold alone", str(risk.gold_alone)),
        ("documents skipped, predicted alone", str(risk.predicted_alone)),
        ("found in regions without labels, left out", str(risk.unlabelled)),
        *((f"mentions left out, {label}", str(size)) for label, size in risk.outside.items()),
    ]
    yield Table("The sample", ("fact", "value"), tuple(rows), text_columns=2)
    if facts.plan is None:
        yield Prose(f"Sampling plan: {NOT_GIVEN}.")
    else:
        plan = (("sha256", facts.plan.file.sha256), *facts.plan.values)
        title = f"Sampling plan, {facts.plan.file.name}"
        yield Table(title, ("fact", "value"), plan, text_columns=2)


def _sample_state(risk: Risk, facts: Facts) -> str:
    drawn = facts.text("sample", "drawn") or facts.plan
    return "measured; " + ("how it was drawn is given" if drawn else f"how drawn: {NOT_GIVEN}")


def _agreement(risk: Risk, facts: Facts) -> Iterable[Block]:
    yield Prose(facts.text("agreement", "description") or f"How it was annotated: {NOT_GIVEN}.")
    if facts.agreement is None:
        yield Prose(f"Measured agreement: {NOT_GIVEN}.")
        return
    found = facts.agreement
    rows = tuple((label, *map(show_ratio, figures)) for label, *figures in found.rows)
    yield Table(
        f"Agreement of {found.annotators} annotators on {found.documents} documents",
        ("label", "strict F1", "relaxed F1", "overlap F1", "kappa"),
        rows,
    )
    yield Prose(f"From {found.file.name}, sha256 {found.file.sha256}.")


def _agreement_state(risk: Risk, facts: Facts) -> str:
    return "measured" if facts.agreement is not None else NOT_GIVEN


def _recall(risk: Risk, facts: Facts) -> Iterable[Block]:
    shares = [(row.label, risk.label_recall(row)) for row in risk.leakage.labels]
    if not shares:
        yield Prose("The sample holds no mention of PHI, so that nothing can be said of recall.")
        return
    direct = risk.leakage.direct
    yield Prose(
        "The share of the mentions of each type of which nothing would stay, under whatever "
        "label it was found. Intervals are exact (Clopper and Pearson), two-sided, and take "
        "each mention for a trial of its own. Figures of few mentions say little: look at "
        "their lower ends."
    )
    bars = {
        label: (share.interval.low, share.value, share.interval.high) for label, share in shares
    }
    title = "Recall by type"
    caption = f"Lines show {risk.confidence:.0%} intervals; the numbers stand in the table below."
    yield Figure(title, draw_interval_bars(title, bars, x="recall"), caption)
    rows = [
        *shares,
        ("direct identifiers", risk.label_recall(direct)),
    ]
    header = ("type", "mentions", "removed", "recall", "from", "to", "at least")
    cells = tuple((label, *_share_cells(share), _at_least(share.lower)) for label, share in rows)
    yield Table(f"Recall by type ({risk.confidence:.0%})", header, cells)
    yield Table(
        "Recall over all types, without regard to labels",
        ("level", "gold", "removed", "recall", "from", "to"),
        tuple(
            (
                recall.level,
                str(recall.gold),
                str(recall.found),
                show_ratio(recall.value),
                show_ratio(recall.interval.low if recall.interval else None),
                show_ratio(recall.interval.high if recall.interval else None),
            )
            for recall in risk.recalls
        ),
    )
    yield Prose("The intervals over all types are percentiles of a bootstrap over documents.")


def _measured(risk: Risk, facts: Facts) -> str:
    return "measured"


def _recall_state(risk: Risk, facts: Facts) -> str:
    return "measured" if risk.leakage.labels else "no mention in the sample"


def _documents(risk: Risk, facts: Facts) -> Iterable[Block]:
    rows = [*_unit_rows(risk, "documents", risk.leakage.documents)]
    if risk.leakage.patients is not None:
        rows += _unit_rows(risk, "patients", risk.leakage.patients)
    header = ("share", "of", "leaking", "share of all", "from", "to", "at most")
    yield Table(f"Documents with any leak ({risk.confidence:.0%})", header, tuple(rows))
    if risk.leakage.patients is None:
        yield Prose("Patients: not known for these documents.")
    if not risk.leakage.documents.leaking:
        yield Prose(
            "No leak was seen. That does not show that there is none: the last column is the "
            "share that a release may have, at this confidence, and still show none in a "
            "sample of this size (about 3 / documents at 95%)."
        )


def _unit_rows(risk: Risk, name: str, units: UnitLeaks) -> Iterable[tuple[str, ...]]:
    for what, leaking in (
        ("any leak", units.leaking),
        ("a direct identifier", units.leaking_direct),
    ):
        share = risk.share(leaking, units.units)
        yield (f"{name} with {what}", *_share_cells(share), _at_most(share.upper))


def _policy(risk: Risk, facts: Facts) -> Iterable[Block]:
    yield Prose(facts.text("policy", "description") or f"Description: {NOT_GIVEN}.")
    policy = facts.policy
    if policy is None:
        yield Prose(f"Policy: {NOT_GIVEN}.")
        return
    source = (
        f"The policy {policy.name!r}, which ships with Scrubjay {__version__}."
        if policy.file is None
        else f"The policy {policy.name!r} from {policy.file.name}, sha256 {policy.file.sha256}."
    )
    yield Prose(source)
    yield Table("Policy", ("label", "operator", "settings"), policy.rows, text_columns=3)


def _policy_state(risk: Risk, facts: Facts) -> str:
    return _given(facts.policy)


def _remains(risk: Risk, facts: Facts) -> Iterable[Block]:
    yield Prose(facts.text("remains", "description") or f"Description: {NOT_GIVEN}.")
    yield from _left(risk, facts.policy)
    yield Prose(_HIDING)
    yield _hidden(risk)
    known = tuple((item,) for item in facts.known) or ((NOT_GIVEN,),)
    yield Table("Known risks beside the measured", ("risk",), known)
    safeguards = (("safeguards", facts.text("remains", "safeguards") or NOT_GIVEN),)
    yield Table("Safeguards around the release", ("fact", "value"), safeguards, text_columns=2)
    yield Prose(_SHIFTED)
    if facts.policy is not None and "hash" in facts.policy.operators:
        yield Prose(_CODES)


def _left(risk: Risk, policy: PolicyFacts | None) -> Iterable[Block]:
    leaks, characters = risk.mention_leaks, risk.leakage.characters
    bounds = (
        ("documents as units", risk.leak_bound_by_document),
        ("mentions as units", leaks.upper),
    )
    wider, closer = sorted(bounds, key=lambda bound: -bound[1])
    rows = (
        ("mentions of which anything would stay", f"{leaks.events} of {leaks.trials}"),
        (f"share of mentions, at most, {wider[0]}", _at_most(wider[1])),
        (f"share of mentions, at most, {closer[0]}", _at_most(closer[1])),
        ("letters and digits of PHI that would stay", f"{characters.fn} of {characters.gold}"),
        ("letters and digits beside PHI that would go", str(characters.fp)),
        *((f"kept by the policy, {label}", "every mention stays") for label in _kept(policy)),
    )
    yield Table("What remains, measured", ("fact", "value"), rows, text_columns=2)
    yield Prose(_UNITS)
    left = tuple(
        (row.label, "yes" if row.direct else "no", str(row.partly), str(row.missed))
        for row in risk.leakage.labels
        if row.leaks
    )
    header = ("type", "direct identifier", "left in part", "left whole")
    yield Table("Types that leak", header, left, text_columns=2)


def _hidden(risk: Risk) -> Table:
    rows = tuple(
        (
            row.finder.name,
            row.finder.source,
            f"{row.finder.found:.2f}",
            show_ratio(row.hidden),
            _at_most(row.hidden_bound),
        )
        for row in risk.hidden
    )
    header = ("who looks", "source", "found", "unnoticed", "at most")
    return Table("Leaks hidden in plain sight", header, rows, text_columns=2)


def _remains_state(risk: Risk, facts: Facts) -> str:
    description = _given(facts.text("remains", "description"))
    return f"measured; description: {description}; known risks: {_given(facts.known)}"


def _kept(policy: PolicyFacts | None) -> Iterable[str]:
    rows = () if policy is None else policy.rows
    return (label for label, operator, _ in rows if operator == "keep")


_LINES: tuple[Line, ...] = (
    ("Method", _method, _method_state),
    ("Model and configuration, with hashes", _hashes, _hashes_state),
    ("Sample and how it was drawn", _sample, _sample_state),
    ("Agreement of annotators", _agreement, _agreement_state),
    ("Recall by type, with intervals", _recall, _recall_state),
    ("Documents with any leak", _documents, _measured),
    ("Surrogate policy", _policy, _policy_state),
    ("What remains", _remains, _remains_state),
)
"""Title, its blocks, and its state in the overview, for each line of the determination."""


def _given(what: object) -> str:
    return "given" if what else NOT_GIVEN


def _share_cells(share: Share) -> tuple[str, ...]:
    counts = (str(share.trials), str(share.events))
    return (
        *counts,
        show_ratio(share.value),
        _at_least(share.interval.low),
        _at_most(share.interval.high),
    )


def _at_most(value: float) -> str:
    """Return an upper bound, rounded up, so that the claim still holds."""
    return f"{math.ceil(value * 10_000) / 10_000:.4f}"


def _at_least(value: float) -> str:
    """Return a lower bound, rounded down."""
    return f"{math.floor(value * 10_000) / 10_000:.4f}"
