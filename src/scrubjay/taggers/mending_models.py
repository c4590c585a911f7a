"""Which models mend what they find, and of which mentions that needs the score.

A manifest tells whether its model mends (`mending`). Scores take time: `MendingScores` tells which
mentions mending asks how sure the model is of, and the others need none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrubjay.artifacts import Manifest
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.features.protected import protected_lists
from scrubjay.taggers._decoding.chain import Wanted
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.people.person_labels import require_person_labels
from scrubjay.taggers._mending.people.persons import may_vote
from scrubjay.taggers._mending.sparing.lookalike_search import may_doubt
from scrubjay.taggers._mending.sparing.spared import WITH_TERMS, may_spare
from scrubjay.taggers.kinds import Loaded

_ENGLISH = "en"
_MOST = 20.0
"""Log-odds that count most: nothing changes a label then."""
_SETTING, _MENDED = "spans", "mended"
_PERSONS = "persons"
"""Settings of a manifest: what its model mends, and how far it trusts its labels of persons."""


def is_mending(manifest: Manifest) -> bool:
    """Tell whether the model of a manifest mends what it finds."""
    return manifest.config.get(_SETTING) == _MENDED


def read_trust(manifest: Manifest) -> float | None:
    """Return how much the labels of persons count that a model gave, in log-odds.

    None where they stay as they are. Raises `ArtifactError` for what is no such number.
    """
    trust = manifest.config.get(_PERSONS)
    if trust is None:
        return None
    if isinstance(trust, bool) or not isinstance(trust, int | float) or not 0 <= trust <= _MOST:
        raise ArtifactError(
            f"the manifest of the model {manifest.name!r} trusts labels of persons by {trust!r}, "
            f"not by a number from 0 to {_MOST:g}"
        )
    return float(trust)


@dataclass(frozen=True, slots=True)
class MendingScores:
    """Tells which mentions mending asks for their score: the others may do without.

    `speaks_first` where others add mentions beside these alone, and take none from them.
    """

    language: str
    speaks_first: bool = True

    def __call__(self, text: str, mentions: Sequence[tuple[int, int, str]], /) -> list[bool]:
        if self.language != _ENGLISH:
            if self.language not in WITH_TERMS:
                return [False] * len(mentions)
            spared = may_spare(text, [mention[:2] for mention in mentions], self.language)
            return [
                spare or may_doubt(text[start:end], label, self.language)
                for (start, end, label), spare in zip(mentions, spared, strict=True)
            ]
        wanted = may_vote(text, mentions, speaks_first=self.speaks_first)
        others = [
            mention for mention, is_wanted in zip(mentions, wanted, strict=True) if not is_wanted
        ]
        spared = may_spare(text, [mention[:2] for mention in others], self.language)
        may = (
            spare or may_doubt(text[start:end], label, self.language)
            for (start, end, label), spare in zip(others, spared, strict=True)
        )
        return [is_wanted or next(may) for is_wanted in wanted]


def scores_to_mend(manifest: Manifest) -> MendingScores | None:
    """Return which spans need a score for the model of a manifest to mend; none if it does not."""
    return MendingScores(manifest.language) if is_mending(manifest) else None


def behind_others(wanted: Wanted) -> Wanted:
    """Return which spans of a detector need a score where others may speak before it."""
    return replace(wanted, speaks_first=False) if isinstance(wanted, MendingScores) else wanted


def mending_manifest(detector: Loaded, *, trust: float | None = None) -> Manifest:
    """Return the manifest of the same model, that mends what it finds.

    With a `trust` persons get their labels by all that a text tells of them, too: it is how much
    the label counts that the model gave, in log-odds.

    Raises `ConfigError` for a model that finds by rules alone, for one of a language without
    lists of clinical terms, for an English one of other labels than those of i2b2 2014, and for a
    trust that no model can have.
    """
    manifest = getattr(detector, "manifest", None)
    if not isinstance(manifest, Manifest) or manifest.kind in ("regex", "tbed"):
        raise ConfigError(
            "a model of rules sets its borders itself",
            hint="Give a model of another kind, or change its rules",
        )
    if not protected_lists(manifest.language):
        raise ConfigError(
            f"there are no clinical terms to spare in {manifest.language!r}",
            hint="Leave the model as it is",
        )
    if manifest.language == _ENGLISH and not set(manifest.labels) >= STAFF_AND_PATIENTS:
        raise ConfigError(
            f"the model {manifest.name!r} has no labels {' and '.join(sorted(STAFF_AND_PATIENTS))}",
            hint="In English spans are mended for the labels of i2b2-2014 alone",
        )
    config = {**manifest.config, _SETTING: _MENDED}
    if trust is not None:
        require_person_labels(manifest.language, manifest.labels)
        if not 0 <= trust <= _MOST:
            raise ConfigError(f"labels are trusted by 0 to {_MOST:g} log-odds, not by {trust:g}")
        config[_PERSONS] = trust
    return replace(manifest, config=config, files={})
