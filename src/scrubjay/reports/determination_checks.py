"""Facts of a determination that contradict each other, or what was measured, are refused."""

from __future__ import annotations

from scrubjay.errors import ConfigError
from scrubjay.evaluation.risk import Risk
from scrubjay.reports.determination_facts import DeterminationFacts, PlanFacts

POPULATION = "sample.population"


def require_consistent(risk: Risk, facts: DeterminationFacts) -> None:
    """Raise `ConfigError`, naming file and key, where facts cannot all be true.

    The population holds the sample and is the frame of the plan; the documents that the plan
    drew are those that were measured, all of them and no others.
    """
    population = facts.text("sample", "population")
    measured = risk.leakage.documents.units
    if population and int(population) < measured:
        raise ConfigError(
            f"{population} documents cannot hold the {measured} that were measured",
            path=facts.path,
            place=POPULATION,
            hint="Give the number of documents of the whole release",
        )
    if facts.plan is None:
        return
    frame = facts.plan.frame_documents
    if population and frame is not None and frame != int(population):
        raise ConfigError(
            f"{population} documents, but the plan was drawn from {frame} (frame_documents of "
            f"{facts.plan.file.name})",
            path=facts.path,
            place=POPULATION,
            hint="Name the plan of this release, or give the size of its frame",
        )
    _require_drawn(risk, facts.plan)


def _require_drawn(risk: Risk, plan: PlanFacts) -> None:
    if plan.documents is None:
        return
    drawn, frame = set(plan.documents), plan.frame_documents
    if frame is not None and len(drawn) > frame:
        raise ConfigError(
            f"{len(drawn)} documents cannot be drawn from {frame}", path=plan.path,
            place="documents",
        )  # fmt: skip
    measured = {row.document for row in risk.leakage.by_document}
    absent, others = sorted(drawn - measured), sorted(measured - drawn)
    if absent or others:
        example = f"{absent[0]!r} was not measured" if absent else f"{others[0]!r} was not drawn"
        raise ConfigError(
            f"the documents drawn are not the measured ones: {len(absent)} of {len(drawn)} drawn "
            f"were not measured, {len(others)} of {len(measured)} measured were not drawn, such "
            f"as {example}",
            path=plan.path,
            place="documents",
            hint="Measure the documents of the plan, or name the plan of these documents",
        )
