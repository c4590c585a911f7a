"""Pools of taggers, against enumeration of all paths."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Manifest, save_artifact
from scrubjay.errors import ConfigError
from scrubjay.learning.crf import CrfLearner
from scrubjay.models import load_model
from scrubjay.taggers._combining.pool import Pool, pool_readings
from scrubjay.taggers._combining.stored_combiners import read_combiner
from scrubjay.taggers._decoding.chain import ChainDecoder, Reading
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import Member
from scrubjay.taggers.regex import describe_regex, make_regex_detector
from scrubjay.tags import find_scheme
from scrubjay.text.tokenizers import make_tokenizer
from tests.corpus_samples import make_notes
from tests.tiny_crf import tiny_config

BATCH = [make_tokenizer("whitespace").tokenize("aa bb cc dd")]
BOUNDS = np.array([0, 4], dtype=np.int32)


def reading(scheme: str, labels: tuple[str, ...], *, seed: int) -> Reading:
    """Return a tagger's random scores of four tokens, and its random moves."""
    random = np.random.default_rng(seed)
    size = 1 + len(labels) * len(find_scheme(scheme).prefixes)
    decoder = ChainDecoder(random.standard_normal((size, size)), scheme=scheme, labels=labels)
    return Reading(decoder, random.standard_normal((4, size)) * 2, BOUNDS, BATCH)


def score_of(one: Reading, names: tuple[str, ...]) -> float:
    """Return what a tagger says of a path of tag names: the oracle."""
    own = one.decoder.scheme.tag_names(one.decoder.labels)
    swapped = {"E": "I", "U": "B"} if one.decoder.scheme.name == "BIO" else {}
    plain = [swapped.get(name[0], name[0]) + name[1:] for name in names]
    path = [own.index(name) if name in own else 0 for name in plain]
    emitted = sum(one.scores[n, tag] for n, tag in enumerate(path))
    return float(emitted + sum(one.decoder.transitions[a, b] for a, b in pairwise(path)))


@pytest.mark.parametrize("dial", [-1.0, 0.0, 2.0])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "kinds",
    [
        [("BIO", ("A",)), ("BIOEU", ("A",))],
        [("BIOEU", ("A",)), ("BIO", ("A", "B"))],
        [("BIO", ("A", "B")), ("BIO", ("B",)), ("BIO", ("A", "B"))],
    ],
)
def test_a_pool_takes_the_path_with_the_largest_sum(
    kinds: list[tuple[str, tuple[str, ...]]], seed: int, dial: float
) -> None:
    taggers = [
        reading(scheme, labels, seed=10 * seed + n) for n, (scheme, labels) in enumerate(kinds)
    ]
    shares = [0.5, 0.3, 0.2][: len(taggers)]
    pooled = pool_readings(taggers, shares, dial=dial)
    names = pooled.decoder.scheme.tag_names(pooled.decoder.labels)
    assert len(names) == 1 + len({x for _, labels in kinds for x in labels}) * max(
        len(find_scheme(scheme).prefixes) for scheme, _ in kinds
    )
    totals = {
        path: sum(s * score_of(t, path) for s, t in zip(shares, taggers, strict=True))
        - dial * path.count("O")
        for path in product(names, repeat=4)
    }
    best = max(totals, key=totals.__getitem__)
    assert tuple(names[tag] for tag in pooled.decoded.tags.tolist()) == best


def test_a_tag_that_one_tagger_has_never_seen_can_be_given_and_one_that_none_has_cannot() -> None:
    taggers = [reading("BIO", ("A", "B"), seed=seed) for seed in (1, 2)]
    for one in taggers:
        one.decoder.transitions[:, 4] = -np.inf  # I-B
    taggers[0].decoder.transitions[:, 2] = -np.inf  # I-A
    moves = pool_readings(taggers, [0.5, 0.5], dial=0.0).decoder.transitions
    assert np.isneginf(moves[:, 4]).all()
    assert np.isfinite(moves[:, :4]).all()
    possible = np.isfinite(taggers[0].decoder.transitions)
    least = taggers[0].decoder.transitions[possible].min()
    np.testing.assert_allclose(
        moves[:, 2], (least + taggers[1].decoder.transitions[:, 2]) / 2, atol=1e-12
    )


def test_members_that_see_other_tokens_cannot_be_pooled() -> None:
    one, other = reading("BIO", ("A",), seed=1), reading("BIO", ("A",), seed=2)
    shorter = Reading(other.decoder, other.scores[:3], np.array([0, 3], dtype=np.int32), BATCH)
    with pytest.raises(ValueError, match="different tokens"):
        pool_readings([one, shorter], [0.5, 0.5], dial=0.0)


def test_scores_are_pooled_before_paths_are_sought_and_moves_are_numbers() -> None:
    one, other = reading("BIO", ("A",), seed=1), reading("BIO", ("A",), seed=2)
    assert len(one.decoded.tags) == 4
    with pytest.raises(ValueError, match="before its paths are sought"):
        pool_readings([one, other], [0.5, 0.5], dial=0.0)
    other.decoder.transitions[1, 1] = np.nan
    with pytest.raises(ValueError, match="no finite numbers"):
        pool_readings([other], [1.0], dial=0.0)


@pytest.mark.parametrize(
    "weights",
    [(1.0,), (1.0, 0.0), (1.0, -1.0), (1.0, np.inf), (1.0, np.nan), (1e308, 1e308)],
)
def test_each_member_has_a_weight_above_0(weights: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="a weight above 0"):
        Pool(("x", "y"), weights)


# In an ensemble

NOTES = make_notes(24, seed=3)


@pytest.fixture(scope="module")
def members() -> list[Member]:
    """Two CRFs that learned from different halves of some notes, and patterns."""
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    patterns = make_regex_detector("en", "i2b2-2014").only(["PHONE"])
    crfs = [
        CrfLearner(tiny_config(max_iterations=8), language="en").fit(half)
        for half in (NOTES[:12], NOTES[12:])
    ]
    return [
        *(Member(name, crf, crf.manifest) for name, crf in zip("xy", crfs, strict=True)),
        Member(
            "patterns",
            patterns,
            describe_regex(patterns, "en", label_set="i2b2-2014", name="patterns"),
        ),
    ]


def ensemble(members: list[Member], combiner: Any, **settings: Any) -> EnsembleDetector:
    labels = tuple(sorted({label for member in members for label in member.detector.labels}))
    manifest = Manifest(
        name="pool", kind="ensemble", language="en", label_set="", labels=labels, stores_words=True
    )
    return EnsembleDetector(members, combiner, manifest=manifest, **settings)


def test_a_pool_of_one_is_that_tagger(members: list[Member]) -> None:
    alone = ensemble(members[:1], Pool(("x",), (2.0,)))
    expected = members[0].detector.detect(NOTES)
    found = alone.detect(NOTES)
    assert found == expected
    assert any(found)
    for spans, others in zip(found, expected, strict=True):
        assert [s.score for s in spans] == pytest.approx([s.score for s in others], abs=1e-5)
        assert {s.source for s in spans} <= {"pool:x"}


def test_the_dials_of_members_count_with_their_weights(members: list[Member]) -> None:
    pool = Pool(("x", "y"), (3.0, 1.0))
    turned = [member.with_dial(2.0 * number) for number, member in enumerate(members[:2], 1)]
    found = ensemble(turned, pool, dial=0.5).detect(NOTES)
    assert found == ensemble(members[:2], pool, dial=0.5 + 0.75 * 2.0 + 0.25 * 4.0).detect(NOTES)
    assert found != ensemble(members[:2], pool, dial=0.5).detect(NOTES)


@pytest.mark.parametrize("decode", [{}, {"decode": "marginals"}])
def test_a_pool_is_saved_filled_turned_and_silenced(
    members: list[Member], tmp_path: Path, decode: dict[str, str]
) -> None:
    record = {"method": "pool", "weights": [1.0, 0.5], "fill": ["patterns"], **decode}
    names = tuple(member.name for member in members)
    pool = read_combiner(record, {}, members=names, labels=())
    assert pool.record() == record
    detector = ensemble(members, pool)
    save_artifact(tmp_path / "model", detector.manifest, files=detector.files())
    twin: Any = load_model(tmp_path / "model")
    found = detector.detect(NOTES)
    assert [[(s, s.score, s.source) for s in spans] for spans in twin.detect(NOTES)] == [
        [(s, s.score, s.source) for s in spans] for spans in found
    ]
    sources = {span.source for spans in found for span in spans}
    assert "pool:x+y" in sources
    assert sources <= {"pool:x+y", "pool:patterns"}
    sizes = [
        sum(s.end - s.start for spans in detector.with_dial(dial).detect(NOTES) for s in spans)
        for dial in (-30.0, 0.0, 30.0)
    ]
    assert sizes[0] < sizes[1] < sizes[2]
    assert any(span.score for spans in found for span in spans)
    plain = ensemble(members[:2], replace(Pool(("x", "y"), (1.0, 0.5)), **decode))
    assert plain.without_scores().detect(NOTES) == plain.detect(NOTES)
    assert all(s.score is None for spans in plain.without_scores().detect(NOTES) for s in spans)
    quiet = detector.without_scores().detect(NOTES)
    assert quiet == found
    assert {s.score for spans in quiet for s in spans if s.source == "pool:x+y"} == {None}


def test_marginals_decide_where_they_are_asked_and_other_words_are_refused(
    members: list[Member],
) -> None:
    path, marginals = (
        ensemble(members[:2], Pool(("x", "y"), (1.0, 0.5), decode=decode)).with_dial(3.0)
        for decode in ("path", "marginals")
    )
    assert path.detect(NOTES) != marginals.detect(NOTES)
    with pytest.raises(ValueError, match="unknown way to decode 'best'"):
        read_combiner(
            {"method": "pool", "weights": [1, 1], "decode": "best"},
            {},
            members=("x", "y"),
            labels=(),
        )


def test_only_taggers_over_the_same_tokens_are_pooled(members: list[Member]) -> None:
    names = tuple(member.name for member in members)
    with pytest.raises(ConfigError, match=r"'patterns' has no scores.*let others fill"):
        ensemble(members, Pool(names, (1.0, 1.0, 1.0)))
    crf: Any = members[1].detector
    other = replace(members[1], detector=replace(crf, tokenizer=make_tokenizer("whitespace")))
    with pytest.raises(ConfigError, match="'x' and 'y' have different tokenizers"):
        ensemble([members[0], other], Pool(("x", "y"), (1.0, 1.0)))
