"""How good and how fast the shipped models were measured to be, and their order by it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from scrubjay.resources import resource

if TYPE_CHECKING:
    from scrubjay.models import ModelDescription

MEASURED = (
    "figures: on test notes of an ordinary archive, of authors by whom no model was chosen, though "
    "some rules came of reading errors in them; on notes of yours they may be other ones "
    "(scrubjay evaluate). Tokens a second: from file to file on two cores with the extra 'fast', "
    "in long runs"
)
"""What the figures are of."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of a model.

    Strict micro F1 and binary token recall, both 0 to 1, false positives among 1,000 tokens that
    are no PHI, and tokens a second, 0 where nobody measured them.
    """

    f1: float
    token_recall: float
    false_positives: float
    tokens_per_second: int = 0


def figures_of(model: ModelDescription) -> Figures | None:
    """Return the figures of a model that ships, None of any other and of one that has changed."""
    from scrubjay.artifacts import hash_manifest

    row = _measured().get(model.manifest.name)
    if row is None or row["manifest"] != hash_manifest(model.folder):
        return None
    return Figures(
        row["f1"], row["binary-token-recall"], row["false-positives-per-1000"],
        row.get("tokens-per-second", 0),
    )  # fmt: skip


def best_first(models: Iterable[ModelDescription]) -> list[ModelDescription]:
    """Return models by language, in each the one with the best F1 first, unmeasured ones last."""

    def rank(model: ModelDescription) -> tuple[str, float, str]:
        figures = figures_of(model)
        return model.manifest.language, -(figures.f1 if figures else 0.0), model.manifest.name

    return sorted(models, key=rank)


@cache
def _measured() -> Mapping[str, Any]:
    place = resource("figures", "models.json")
    found: dict[str, Any] = json.loads(place.read_text("utf-8"))
    return found
