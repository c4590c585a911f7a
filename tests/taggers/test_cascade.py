"""Cascades: late members are asked where the others doubt, and count there alone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.artifacts import Manifest, save_artifact
from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.models import load_model
from scrubjay.taggers._combining.cascade import JOIN, MOST, OUTSIDE, REACH, doubtful_ranges, widen
from scrubjay.taggers._combining.pool import Pool, pool_readings
from scrubjay.taggers._combining.stored_combiners import read_combiner
from scrubjay.taggers._decoding.chain import ChainDecoder, Reading
from scrubjay.taggers._decoding.probabilities import marginals
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import Member
from scrubjay.tags import IndexArray
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens

LABELS = ("A",)
TAGS = 5
TOKENIZER = make_tokenizer("whitespace")


def batch_of(sizes: list[int]) -> list[Tokens]:
    """Return texts with so many words each."""
    return [TOKENIZER.tokenize("w " * size) for size in sizes]


def reading(sizes: list[int], *, seed: int, dial: float = 0.0, spread: float = 3.0) -> Reading:
    """Return random scores of texts with so many words, each a stretch of its own."""
    random = np.random.default_rng(seed)
    decoder = ChainDecoder(
        random.standard_normal((TAGS, TAGS)), scheme="BIOEU", labels=LABELS, dial=dial
    )
    bounds = np.unique(np.cumsum([0, *sizes])).astype(np.int32)
    scores = random.standard_normal((sum(sizes), TAGS)) * spread
    return Reading(decoder, scores, bounds, batch_of(sizes))


def around(places: list[int], borders: list[int], *, reach: int, join: int) -> list[list[int]]:
    """Return the ranges around places, token by token: the oracle of `widen`."""
    ranges: list[list[int]] = []
    for begin, end in pairwise(borders):
        wanted = [
            any(abs(place - token) <= reach and begin <= place < end for place in places)
            for token in range(begin, end)
        ]
        own: list[list[int]] = []
        for token in (begin + n for n, one in enumerate(wanted) if one):
            if own and token - own[-1][1] < max(1, join):
                own[-1][1] = token + 1
            else:
                own.append([token, token + 1])
        ranges += own
    return ranges


@given(st.lists(st.integers(0, 30), max_size=5), st.data())
def test_ranges_reach_around_places_and_stay_in_their_texts(sizes: list[int], data: Any) -> None:
    borders = np.cumsum([0, *sizes]).tolist()
    all_places = st.integers(0, max(0, borders[-1] - 1))
    places = sorted(data.draw(st.sets(all_places, max_size=6))) if borders[-1] else []
    reach, join = data.draw(st.integers(0, 4)), data.draw(st.integers(0, 9))
    found = widen(
        np.array(places, dtype=np.int64), np.array(borders, dtype=np.int32), reach=reach, join=join
    )
    assert found.tolist() == around(places, borders, reach=reach, join=join)


@settings(max_examples=30)
@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=4),
    st.integers(0, 50),
    st.sampled_from([-2.0, 0.0, 1.5]),
    st.sampled_from([0.01, 0.2, 0.6]),
)
def test_a_token_is_doubtful_by_its_marginal_probability(
    sizes: list[int], seed: int, dial: float, doubt: float
) -> None:
    given_ = reading(sizes, seed=seed, dial=dial, spread=6.0)
    shifted = given_.scores.copy()
    shifted[:, 0] -= dial
    found = doubtful_ranges(given_, doubt=doubt)
    places = []
    for begin, end in pairwise(given_.bounds.tolist()):
        chances = marginals(shifted[begin:end], given_.decoder.transitions)
        tags = given_.decoded.tags[begin:end]
        sure = chances[np.arange(end - begin), tags]
        outside = max(doubt, min(OUTSIDE * doubt, 0.5))
        allowed = np.array([outside if tag == 0 else doubt for tag in tags.tolist()])
        # Right at the border the last bit decides.
        assert not (np.abs(sure - (1 - allowed)) < 1e-9).any()
        places += [begin + n for n in np.flatnonzero(sure <= 1 - allowed).tolist()]
    borders = np.cumsum([0, *sizes]).tolist()
    assert found.tolist() == filled_up(around(places, borders, reach=REACH, join=JOIN), borders)


def filled_up(ranges: list[list[int]], borders: list[int]) -> list[list[int]]:
    """Return the ranges, with whole texts where more than half is asked for."""
    kept: list[list[int]] = []
    for begin, end in pairwise(borders):
        own = [one for one in ranges if begin <= one[0] < end]
        kept += [[begin, end]] if sum(b - a for a, b in own) > MOST * (end - begin) else own
    return kept


def test_what_is_no_number_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    from scrubjay.taggers._combining import cascade as _cascade

    given_ = reading([4, 200], seed=1)
    sure = np.ones(204)
    sure[150] = np.nan
    monkeypatch.setattr(_cascade, "segment_probabilities", lambda *given: sure)
    assert doubtful_ranges(given_, doubt=0.01).tolist() == [[150 - REACH, 151 + REACH]]


def test_a_reading_of_some_tokens_counts_at_those_alone() -> None:
    one, other, late = (reading([6], seed=seed) for seed in (1, 2, 3))
    known = np.array([False, True, True, False, False, True])
    part = Reading(late.decoder, late.scores, late.bounds, late.batch, known=known)
    shares = [0.2, 0.5, 0.3]
    found = pool_readings([part, one, other], shares, dial=1.0)
    whole = pool_readings([late, one, other], shares, dial=1.0)
    rest = pool_readings([one, other], [0.5 / 0.8, 0.3 / 0.8], dial=0.0)
    assert (found.scores[known] == whole.scores[known]).all()
    np.testing.assert_allclose(found.scores[~known], rest.scores[~known], rtol=1e-12)
    assert (found.decoder.transitions == whole.decoder.transitions).all()
    assert found.decoder.dial == whole.decoder.dial
    assert found.bounds is one.bounds
    nobody = Reading(late.decoder, late.scores, late.bounds, late.batch, known=known & False)
    silent = pool_readings([nobody, one, other], shares, dial=0.0)
    np.testing.assert_allclose(silent.scores, rest.scores, rtol=1e-12)
    with pytest.raises(ValueError, match="no member of the pool has scores for all"):
        pool_readings([part], [1.0], dial=0.0)
    with pytest.raises(ValueError, match="has no paths"):
        part.decoded  # noqa: B018


def test_where_a_late_reading_is_silent_no_token_gets_a_label_that_it_alone_knows() -> None:
    """Those who do not know a label take it for `O`, from which a dial takes away."""
    one = reading([6], seed=1)
    random = np.random.default_rng(2)
    decoder = ChainDecoder(np.zeros((9, 9)), scheme="BIOEU", labels=("A", "B"))
    known = np.array([False, True, True, False, False, True])
    scores = random.standard_normal((6, 9))
    late = Reading(decoder, scores, one.bounds, one.batch, known=known)
    pooled = pool_readings([one, late], [0.5, 0.5], dial=50.0)
    names = pooled.decoder.scheme.tag_names(pooled.decoder.labels)
    silent = [names[tag] for tag in pooled.decoded.tags[~known]]
    assert all(name.endswith("A") for name in silent)


class Toy:
    """A tagger of whitespace tokens with scores by a seed, that tells what it was asked for."""

    labels = LABELS
    tokenizer = TOKENIZER

    def __init__(self, seed: int, *, spread: float) -> None:
        self.seed, self.spread = seed, spread
        self.asked: list[list[list[int]]] = []

    def read_tokens(self, batch: list[Tokens]) -> Reading:
        whole = reading([len(tokens) for tokens in batch], seed=self.seed, spread=self.spread)
        return Reading(whole.decoder, whole.scores, whole.bounds, batch)

    def read_ranges(self, batch: list[Tokens], ranges: IndexArray) -> Reading:
        self.asked.append(ranges.tolist())
        whole = self.read_tokens(batch)
        known = np.zeros(len(whole.scores), dtype=np.bool_)
        for first, last in ranges.tolist():
            known[first:last] = True
        whole.scores[~known] = np.nan
        return Reading(whole.decoder, whole.scores, whole.bounds, batch, known=known)

    def detect_tokens(self, batch: list[Tokens]) -> Any:
        raise AssertionError("a pool asks for scores")

    def detect(self, documents: list[Document]) -> Any:
        raise AssertionError("a pool asks for scores")


def manifest(name: str) -> Manifest:
    return Manifest(
        name=name, kind="ensemble", language="en", label_set="", labels=LABELS, stores_words=False
    )


def ensemble(pool: Pool, *toys: Toy, dial: float = 0.0) -> EnsembleDetector:
    names = ("slow", "fast", "other")
    members: list[Any] = [
        Member(name, toy, manifest(name))  # type: ignore[arg-type]
        for name, toy in zip(names, toys, strict=True)
    ]
    return EnsembleDetector(members, pool, manifest=manifest("both"), dial=dial)


NOTES = [Document("1", "w " * 300), Document("2", ""), Document("3", "w " * 90)]


@pytest.mark.parametrize("dial", [0.0, 2.0])
def test_late_members_are_asked_for_what_is_in_doubt(dial: float) -> None:
    slow, fast, other = Toy(1, spread=900.0), Toy(2, spread=400.0), Toy(3, spread=400.0)
    names, weights = ("slow", "fast", "other"), (2.0, 1.0, 1.0)
    pool = Pool(names, weights, late=("slow",), doubt=0.2)
    found = ensemble(pool, slow, fast, other, dial=dial).detect(NOTES)
    batch = [TOKENIZER.tokenize(note.text) for note in NOTES]
    early = [fast.read_tokens(batch), other.read_tokens(batch)]
    ranges = doubtful_ranges(pool_readings(early, [0.5, 0.5], dial=dial), doubt=0.2)
    assert slow.asked == [ranges.tolist()]
    assert 0 < sum(last - first for first, last in ranges.tolist()) < 390
    parts = [slow.read_ranges(batch, ranges), fast.read_tokens(batch), other.read_tokens(batch)]
    wanted = pool_readings(parts, [0.5, 0.25, 0.25], dial=dial).spans(source="")
    assert found == wanted


def test_where_everything_is_in_doubt_a_cascade_is_the_whole_pool() -> None:
    toys = [Toy(seed, spread=1.0) for seed in (1, 2, 3)]
    names, weights = ("slow", "fast", "other"), (2.0, 1.0, 1.0)
    plain = ensemble(Pool(names, weights), *toys).detect(NOTES)
    late = ensemble(Pool(names, weights, late=("slow",), doubt=1e-9), *toys).detect(NOTES)
    assert late == plain
    assert toys[0].asked == [[[0, 300], [300, 390]]]
    scores = [[span.score for span in spans] for spans in late]
    assert scores == [[span.score for span in spans] for spans in plain]


def test_a_cascade_is_kept(tmp_path: Any) -> None:
    pool = Pool(("x", "y"), (1.0, 2.0), late=("y",), doubt=0.03)
    assert read_combiner(pool.record(), {}, members=("x", "y"), labels=LABELS) == pool
    assert "late" not in Pool(("x", "y"), (1.0, 2.0)).record()
    with pytest.raises(ValueError, match="no members, or all of them"):
        Pool(("x", "y"), (1.0, 2.0), late=("x", "y"))
    with pytest.raises(ValueError, match="no members, or all of them"):
        Pool(("x", "y"), (1.0, 2.0), late=("z",))
    with pytest.raises(ValueError, match="a doubt is a probability"):
        Pool(("x", "y"), (1.0, 2.0), doubt=1.0)


@pytest.mark.parametrize(
    ("combiner", "message"),
    [
        ('method = "union"\nlate = ["two"]', "'union' knows no doubt"),
        ('method = "pool"\nlate = ["two", "one"]', "combiner.late names all members"),
        ('method = "pool"\nlate = ["three"]', "combiner.late names 'three', which is no member"),
        ('method = "pool"\nlate = "two"', "combiner.late must be a list of members"),
        ('method = "pool"\ndoubt = 1.5', "combiner.doubt must be a number above 0 and below 1"),
        ('method = "pool"\nfill = ["two"]\nlate = ["two"]', "cannot both fill and be late"),
    ],
)
def test_settings_that_do_not_fit_are_refused(combiner: str, message: str) -> None:
    from scrubjay.learning.configs import parse_config

    text = f"""
kind = "ensemble"
[members.one]
config = "he2015"
[members.two]
config = "he2015"
[combiner]
{combiner}
"""
    with pytest.raises(ConfigError, match=message):
        parse_config(text, origin="x.toml")


def test_a_trained_pool_has_its_late_members(tmp_path: Any) -> None:
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    from scrubjay.learning.configs import find_config
    from scrubjay.learning.ensemble import EnsembleLearner
    from tests.corpus_samples import make_notes
    from tests.tiny_crf import TINY

    (tmp_path / "tiny.toml").write_text(TINY)
    place = tmp_path / "both.toml"
    place.write_text("""
kind = "ensemble"
[members.one]
config = "tiny.toml"
[members.two]
config = "tiny.toml"
weight = 2
[combiner]
method = "pool"
late = ["two"]
doubt = 0.05
""")
    config = find_config(str(place))
    fitted = EnsembleLearner(config, "en").fit(make_notes(8, seed=1))  # type: ignore[arg-type]
    save_artifact(tmp_path / "model", fitted.manifest, files=fitted.files())
    loaded: Any = load_model(str(tmp_path / "model"))
    assert (loaded.combiner.late, loaded.combiner.doubt) == (("two",), 0.05)
    notes = make_notes(3, seed=2)
    # A CRF reads whole texts whatever it is asked for.
    plain = EnsembleDetector(
        loaded.members, Pool(("one", "two"), (1.0, 2.0)), manifest=loaded.manifest
    )
    assert loaded.detect(notes) == plain.detect(notes)
