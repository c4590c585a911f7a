"""One CRF for several that are pooled: the same spans, in the time of one.

The scores of a pool are weighted sums, and so are those of a CRF: where CRFs look at the same
features, the pool of them is the CRF whose weights are the weighted sums of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoder
from scrubjay.taggers._combining.combiners import Filled
from scrubjay.taggers._combining.pool import Pool, pool_decoders
from scrubjay.taggers._decoding.chain import ChainDecoder
from scrubjay.taggers._linear.weights import FeatureWeights
from scrubjay.taggers.crf import CrfDetector, CrfModel, CrfTagger, is_crf
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import Member

Alphabets = dict[str, dict[str, int]]


def merge(detector: Any) -> EnsembleDetector:
    """Return a pool with its CRFs made into one, under the name of the first of them.

    Its share is that of all of them together. Raises `ConfigError` for a model that is no pool of
    two CRFs or more, and for CRFs that differ in features, labels or tag scheme, that are late in
    a cascade, or that could not be replaced exactly.
    """
    pool, fill = _pool_of(detector)
    weights = dict(zip(pool.members, pool.weights, strict=True))
    members = {member.name: member for member in detector.members}
    crfs = [name for name in pool.members if is_crf(members[name].detector)]
    if len(crfs) < 2:
        raise ConfigError(
            "the pool has no two CRFs that could be made into one", hint="Leave it as it is"
        )
    if late := sorted({*crfs} & {*pool.late}):
        raise ConfigError(
            f"the CRF {late[0]!r} is late: one in the place of all would be asked before",
            hint="Leave CRFs out of late in [combiner]; they read whole texts in any case",
        )
    total = sum(weights[name] for name in crfs)
    first = members[crfs[0]]
    one = merge_crfs(
        [members[name].detector for name in crfs], [weights[name] / total for name in crfs]
    )
    reached = np.isfinite(one.tagger.model.transitions).any(axis=0)
    if len(crfs) < len(pool.members) and np.count_nonzero(reached) < np.size(reached):
        raise ConfigError(
            "the CRFs have tags that none of them has ever seen, so that one in their place would "
            "not weigh the same beside the other members",
            hint="Leave the pool as it is",
        )
    facts = {name: dict(members[name].manifest.training_data) for name in crfs}
    manifest = replace(
        first.manifest,
        config={**first.manifest.config, "recall-dial": one.tagger.dial},
        training_data={"merged": facts},
        metrics={},
        files={},
    )
    members[first.name] = Member(first.name, replace(one, manifest=manifest), manifest)
    weights[first.name] = total
    kept = [name for name in pool.members if name == first.name or name not in crfs]
    combiner: Any = replace(
        pool, members=tuple(kept), weights=tuple(weights[name] for name in kept)
    )
    if fill:
        combiner = Filled(combiner, (*kept, *fill), fill)
    config = dict(detector.manifest.config)
    entries = {entry["name"]: entry for entry in config.get("members", ())}
    if entries:
        of_first = {"name": first.name, "model": first.name, "weight": total}
        entries[first.name] = of_first
        config["members"] = [entries[name] for name in (*kept, *fill)]
    return EnsembleDetector(
        [members[name] for name in (*kept, *fill)],
        combiner,
        manifest=replace(detector.manifest, config=config, files={}),
        dial=detector.dial,
    )


def _pool_of(detector: Any) -> tuple[Pool, tuple[str, ...]]:
    combiner = getattr(detector, "combiner", None)
    fill: tuple[str, ...] = ()
    if isinstance(combiner, Filled):
        fill = combiner.fill
        combiner = combiner.base
    if not isinstance(combiner, Pool):
        raise ConfigError("the model is no pool", hint="See docs/ensemble.md")
    return combiner, fill


def merge_crfs(crfs: Sequence[CrfDetector], shares: Sequence[float]) -> CrfDetector:
    """Return the CRF whose scores are the sums of the scores of others, each times its share.

    So is its recall dial.
    Raises `ConfigError` for CRFs that differ in features, labels or tag scheme.
    """
    models = [crf.tagger.model for crf in crfs]
    _require_alike(models)
    chains = [
        ChainDecoder(m.transitions, scheme=m.scheme, labels=m.labels, dial=crf.tagger.dial)
        for m, crf in zip(models, crfs, strict=True)
    ]
    decoder, _ = pool_decoders(chains, shares, dial=0.0)
    if decoder.labels != models[0].labels:
        raise ConfigError("the labels of the CRFs are not sorted", hint="Train them again")
    first = models[0].encoder
    alphabets: Alphabets = {name: {} for name in first.alphabets}
    entries = np.concatenate([_entries(model, alphabets) for model in models])
    weights = np.concatenate(
        [share * model.features.weights for model, share in zip(models, shares, strict=True)]
    )
    rows, places = np.unique(entries, axis=0, return_inverse=True)
    heads, counts = np.unique(rows[:, :-1], axis=0, return_counts=True)
    features = FeatureWeights(
        templates=heads[:, 0].astype(np.uint16),
        values=heads[:, 1:].astype(np.int32),
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        tags=rows[:, -1].astype(np.uint16),
        weights=np.bincount(places.ravel(), weights=weights).astype(np.float32),
    )
    encoder = Encoder(
        first.templates, alphabets, scope=first.scope, dictionaries=first.dictionaries
    )
    model = CrfModel(encoder, features, decoder.transitions, models[0].scheme, models[0].labels)
    return replace(crfs[0], tagger=CrfTagger(model, dial=decoder.dial))


def _require_alike(models: Sequence[CrfModel]) -> None:
    def facts(model: CrfModel) -> dict[str, object]:
        encoder = model.encoder
        return {
            "features": (encoder.templates, encoder.scope),
            "training dictionaries": encoder.dictionaries,
            "labels": model.labels,
            "tag scheme": model.scheme,
        }

    first = facts(models[0])
    for model in models[1:]:
        for what, value in facts(model).items():
            if value != first[what]:
                raise ConfigError(
                    f"the CRFs have different {what}, so they cannot be made into one",
                    hint="Leave the pool as it is",
                )


def _entries(model: CrfModel, alphabets: Alphabets) -> npt.NDArray[np.int32]:
    """Return template, values and tag of each weight, by numbers of joint alphabets, which grow."""
    features, encoder = model.features, model.encoder
    lookups = {}
    for name, alphabet in encoder.alphabets.items():
        joint = alphabets[name]
        numbers = [joint.setdefault(value, len(joint) + 1) for value in alphabet]
        lookups[name] = np.array([0, *numbers], dtype=np.int32)
    values = features.values.copy()
    for number, template in enumerate(encoder.templates):
        chosen = features.templates == number
        for column, (name, _) in enumerate(template.parts):
            values[chosen, column] = lookups[name][values[chosen, column]]
    owners = np.repeat(np.arange(len(values)), np.diff(features.indptr))
    columns = (features.templates[owners], values[owners], features.tags)
    return np.column_stack(columns).astype(np.int32)
