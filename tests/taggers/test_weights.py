"""Emission scores: both kernels against a plain sum over the features of each token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.features import encoder as encoder_module
from scrubjay.features.encoder import Encoded, Encoder, fit_encoder
from scrubjay.features.templates import FeatureConfig, Template, parse_template
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.taggers._linear import cross_families as _cross_families
from scrubjay.taggers._linear import direct_crosses as _direct_crosses
from scrubjay.taggers._linear import weights as _weights
from scrubjay.taggers._linear.cross_families import find_families
from scrubjay.taggers._linear.cross_table import build_table
from scrubjay.taggers._linear.units import Units
from scrubjay.taggers._linear.weights import Emissions, FeatureWeights
from scrubjay.taggers._reading_loops import scores_loop, words_loop
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import IntArray, Tokens
from tests.corpus_samples import tokenized_notes
from tests.oracles.features import Feature, token_features
from tests.strategies import tokens

TAGS = 5
SINGLES = ["lower@0", "lower@-1", "short-shape@0", "suffix2@2", "key@0", "space-before@-1"]
CROSSES = ["lower@-1 lower@0", "key@0 short-shape@1 lower@0", "space-before@0 length@-2"]
SETS = {
    "all": [*SINGLES, *CROSSES],
    "words": ["lower@0", "short-shape@1"],
    "places": ["key@0", "space-before@1"],
    "crosses": CROSSES,
    "families": [
        *("lower@-1 lower@0", "lower@1 lower@0", "lower@2 lower@3", "lower@0 lower@2"),
        *("key@0 short-shape@-2 space-before@1", "short-shape@1 key@3 space-before@4"),
        *("key@-4", "key@4 key@-4", "lower@-4 lower@-3"),
    ],
}

Weights = dict[Feature, dict[int, float]]


def _templates(name: str) -> tuple[Template, ...]:
    return tuple(map(parse_template, SETS[name]))


def _draw_weights(
    templates: Sequence[Template],
    batch: Sequence[Tokens],
    scope: str,
    seed: int,
    *,
    share: float = 0.5,
) -> Weights:
    """Return weights in quarters, exact in any order, for about half of all features."""
    generator = np.random.default_rng(seed)
    features = {
        f for drawn in batch for t in token_features(templates, drawn, scope=scope) for f in t
    }
    weights: Weights = {}
    for feature in sorted(features):
        if generator.random() < share:
            tags = generator.choice(TAGS, size=int(generator.integers(1, TAGS)), replace=False)
            numbers = generator.integers(-8, 9, size=len(tags)) / 4
            weights[feature] = dict(zip(tags.tolist(), numbers.tolist(), strict=True))
    return weights


def _lay_out(encoder: Encoder, weights: Weights) -> FeatureWeights:
    order = {str(template): number for number, template in enumerate(encoder.templates)}
    rows = []
    for (text, values), entries in weights.items():
        names = [name for name, _ in encoder.templates[order[text]].parts]
        numbers = [encoder.alphabets[n][v] for n, v in zip(names, values, strict=True)]
        rows.append((order[text], [*numbers, 0, 0][:3], sorted(entries.items())))
    rows.sort(key=lambda row: row[:2])
    flat = [entry for _, _, entries in rows for entry in entries]
    return FeatureWeights(
        np.array([number for number, _, _ in rows], dtype=np.uint16),
        np.array([values for _, values, _ in rows], dtype=np.int32).reshape(-1, 3),
        np.cumsum([0, *(len(entries) for _, _, entries in rows)], dtype=np.int32),
        np.array([tag for tag, _ in flat], dtype=np.uint16),
        np.array([weight for _, weight in flat], dtype=np.float32),
    )


def _plain_sum(
    templates: Sequence[Template], weights: Weights, batch: Sequence[Tokens], scope: str
) -> FloatArray:
    rows = []
    for drawn in batch:
        for features in token_features(templates, drawn, scope=scope):
            row = np.zeros(TAGS)
            for feature in features:
                for tag, weight in weights.get(feature, {}).items():
                    row[tag] += weight
            rows.append(row)
    return np.array(rows).reshape(-1, TAGS)


def _by_loop(emissions: Emissions, encoded: Encoded) -> FloatArray:
    """Run the compiled kernels' source as plain Python; a hash overflows on purpose."""
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        patch.setattr(_weights, "compiled_scores", lambda: scores_loop)
        patch.setattr(_weights, "compiled_words", lambda: words_loop)
        return emissions.held().score(encoded)


def _check(
    name: str, scope: str, batch: Sequence[Tokens], unseen: Sequence[Tokens], *, compiled: bool
) -> None:
    templates = _templates(name)
    encoder, encoded = fit_encoder(FeatureConfig({"all": templates}, scope), batch)
    weights = _draw_weights(templates, batch, scope, seed=len(encoded))
    emissions = Emissions(encoder, _lay_out(encoder, weights), TAGS)
    others = Emissions(encoder, _lay_out(encoder, weights), TAGS)  # with sums of words of its own
    for some in (batch, unseen):
        again = encoder.encode(some)
        expected = _plain_sum(templates, weights, some, scope)
        np.testing.assert_array_equal(emissions.score_numpy(again), expected)
        np.testing.assert_array_equal(emissions.score(again), expected)
        found = others.held().score(again) if compiled else _by_loop(others, again)
        np.testing.assert_array_equal(found, expected)


def test_two_threads_that_meet_the_same_new_words_sum_them_once() -> None:
    templates, batch = _templates("words"), tokenized_notes(2, seed=3)
    encoder, encoded = fit_encoder(FeatureConfig({"all": templates}, "document"), batch)
    weights = _draw_weights(templates, batch, "document", seed=1)
    expected = _plain_sum(templates, weights, batch, "document")
    for _ in range(20):
        emissions = Emissions(encoder, _lay_out(encoder, weights), TAGS)
        together = Barrier(4)

        def score(emissions: Emissions = emissions, together: Barrier = together) -> FloatArray:
            together.wait()
            return emissions.score_numpy(encoded)

        with ThreadPoolExecutor(4) as pool:
            for found in [pool.submit(score) for _ in range(4)]:
                np.testing.assert_array_equal(found.result(), expected)


def test_sums_of_words_that_a_new_generation_keeps_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(encoder_module, "MAX_CACHED_WORDS", 60)
    templates = _templates("all")
    batches = [tokenized_notes(1, seed=seed) for seed in range(12)]
    whole = [drawn for batch in batches for drawn in batch]
    encoder, _ = fit_encoder(FeatureConfig({"all": templates}), whole)
    weights = _draw_weights(templates, whole, "document", seed=1)
    emissions = Emissions(encoder, _lay_out(encoder, weights), TAGS)
    summed: list[int] = []

    def counting(values: IntArray, sums: IntArray) -> None:
        summed.append(len(values))
        emissions.sum_words_numpy(values, sums)

    seen, first = 0, encoder.generation
    for batch in batches:
        encoded = encoder.encode(batch)
        emissions._word_sums(counting)
        seen += len(encoder.kept_words) if encoder.generation > first else 0
        first = encoder.generation
        expected = _plain_sum(templates, weights, batch, "document")
        np.testing.assert_array_equal(emissions.score_numpy(encoded), expected)
    assert seen > 60
    assert sum(summed) < sum(len(set(d.words())) for batch in batches for d in batch)


@pytest.mark.parametrize("scope", ["document", "sentence"])
@pytest.mark.parametrize("name", SETS)
def test_scores_are_plain_sums(name: str, scope: str) -> None:
    @settings(max_examples=15)
    @given(st.lists(tokens(), max_size=2), st.lists(tokens(), max_size=2))
    def check(batch: list[Tokens], unseen: list[Tokens]) -> None:
        _check(name, scope, batch, unseen, compiled=False)

    check()


@pytest.mark.parametrize("name", SETS)
def test_compiled_scores_are_plain_sums(name: str) -> None:
    pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")
    _check(name, "document", tokenized_notes(4, seed=1), tokenized_notes(4, seed=2), compiled=True)


@pytest.mark.parametrize("scope", ["document", "sentence"])
@pytest.mark.parametrize("name", ["all", "crosses", "families"])
def test_crosses_with_tables_of_their_own_are_plain_sums(
    name: str, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all families have one that may: those of more cells than told go by their keys."""
    monkeypatch.setattr(_direct_crosses, "LEAST_WEIGHTS", 1)
    tables = set()
    for most_cells in (1, 2_000, 1 << 17):
        monkeypatch.setattr(_direct_crosses, "MOST_CELLS", most_cells)
        templates, batch = _templates(name), tokenized_notes(2, seed=1)
        encoder, _ = fit_encoder(FeatureConfig({"all": templates}, scope), batch)
        weights = _draw_weights(templates, batch, scope, seed=5)
        emissions = Emissions(encoder, _lay_out(encoder, weights), TAGS)
        for some in (batch, tokenized_notes(1, seed=2)):
            found = _by_loop(emissions, encoder.encode(some))
            np.testing.assert_array_equal(found, _plain_sum(templates, weights, some, scope))
        families, _, direct, _ = emissions._families
        assert len(families.parts) + len(direct.bases) == len(find_families(emissions._crosses))
        tables.add(len(direct.bases))
    assert min(tables) == 0 < max(tables)


@pytest.mark.parametrize(("name", "dense_from"), [("crosses", 2), ("families", 1)])
def test_weights_that_are_whole_rows_are_plain_sums(
    name: str, dense_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cross_families, "DENSE_FROM", dense_from)
    templates, batch = _templates(name), tokenized_notes(2, seed=1)
    encoder, encoded = fit_encoder(FeatureConfig({"all": templates}), batch)
    weights = _draw_weights(templates, batch, "document", seed=5)
    emissions = Emissions(encoder, _lay_out(encoder, weights), TAGS)
    found = _by_loop(emissions, encoded)
    assert len(emissions._families[1].dense)
    np.testing.assert_array_equal(found, _plain_sum(templates, weights, batch, "document"))


def test_both_kernels_give_the_same_sums() -> None:
    """With weights of any size, too, to the last bit: they add whole units."""
    pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")
    batch = tokenized_notes(3, seed=3)
    encoder, encoded = fit_encoder(FeatureConfig({"all": _templates("all")}), batch)
    weights = _lay_out(encoder, _draw_weights(_templates("all"), batch, "document", seed=3))
    noise = np.random.default_rng(4).normal(size=len(weights.weights)).astype(np.float32)
    noisy = FeatureWeights(weights.templates, weights.values, weights.indptr, weights.tags, noise)
    emissions = Emissions(encoder, noisy, TAGS)
    found = emissions.held().score(encoded)
    np.testing.assert_array_equal(found, Emissions(encoder, noisy, TAGS).score_numpy(encoded))
    counted = found * emissions.units.scale
    assert np.array_equal(counted, np.rint(counted))


@pytest.mark.parametrize(
    ("size", "kind"), [(1e-6, "int16"), (1.0, "int16"), (300.0, "int32"), (1e5, "int32")]
)
def test_weights_of_any_size_have_units_that_fit(size: float, kind: object) -> None:
    batch = tokenized_notes(2, seed=5)
    encoder, encoded = fit_encoder(FeatureConfig({"all": _templates("all")}), batch)
    weights = _draw_weights(_templates("all"), batch, "document", seed=5)
    grown = {f: {t: w * size for t, w in row.items()} for f, row in weights.items()}
    emissions = Emissions(encoder, _lay_out(encoder, grown), TAGS)
    units = emissions.units
    assert units.kind == kind
    assert units.scale >= (64 if kind == "int16" else 1024)
    found = emissions.score_numpy(encoded)
    expected = _plain_sum(_templates("all"), grown, batch, "document")
    rounding = len(_templates("all")) / 2 / units.scale
    np.testing.assert_allclose(found, expected, rtol=0, atol=rounding)


def _check_equal_weights(name: str, total: float, batch: Sequence[Tokens]) -> Units:
    """Give all features the same weight for a tag, and the opposite one for another.

    Those of the largest sum that is added apart come to `total`.
    """
    templates = _templates(name)
    encoder, encoded = fit_encoder(FeatureConfig({"all": templates}), batch)
    drawn = _draw_weights(templates, batch, "document", seed=1, share=1.0)
    groups = Emissions(encoder, _lay_out(encoder, {}), TAGS)._groups()
    size = np.floor(total / max(Counter(groups).values()) * 8) / 8  # exact in all units
    weights = _lay_out(encoder, {feature: {1: size, 3: -size} for feature in drawn})
    emissions = Emissions(encoder, weights, TAGS)
    expected = np.zeros((len(encoded), TAGS))
    rows = [f for d in batch for f in token_features(templates, d, scope="document")]
    expected[:, 1] = [size * len(features) for features in rows]
    expected[:, 3] = -expected[:, 1]
    np.testing.assert_array_equal(emissions.score_numpy(encoded), expected)
    with pytest.MonkeyPatch.context() as patch:
        for least_weights in (1, 10**9):
            patch.setattr(_direct_crosses, "LEAST_WEIGHTS", least_weights)
            emissions = Emissions(encoder, weights, TAGS)
            np.testing.assert_array_equal(_by_loop(emissions, encoded), expected)
    return emissions.units


@settings(max_examples=30)
@given(st.sampled_from(list(SETS)), st.floats(1.0, 2e6), st.lists(tokens(), max_size=2))
def test_no_sum_overflows(name: str, total: float, batch: list[Tokens]) -> None:
    _check_equal_weights(name, total, batch)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("total", "kind"), [(511.0, "int16"), (1100.0, "int32"), (2e6, "int32")])
def test_sums_as_large_as_their_type_holds_do_not_overflow(
    name: str, total: float, kind: str
) -> None:
    assert _check_equal_weights(name, total, tokenized_notes(1, seed=3)).kind == kind


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1e30, 3e6])
def test_weights_that_leave_no_units_for_the_others_are_refused(odd: float) -> None:
    batch = tokenized_notes(1, seed=5)
    encoder, _ = fit_encoder(FeatureConfig({"all": _templates("all")}), batch)
    weights = _lay_out(encoder, _draw_weights(_templates("all"), batch, "document", seed=5))
    weights.weights[7] = odd
    with pytest.raises(ConfigError, match="too large or no finite"):
        Emissions(encoder, weights, TAGS)


def test_a_word_cache_that_starts_afresh_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    templates = _templates("all")
    batches = [tokenized_notes(2, seed=seed) for seed in range(4)]
    whole = [drawn for batch in batches for drawn in batch]
    encoder, _ = fit_encoder(FeatureConfig({"all": templates}), whole)
    weights = _draw_weights(templates, whole, "document", seed=1)
    first = Emissions(encoder, _lay_out(encoder, weights), TAGS)
    second = Emissions(encoder, _lay_out(encoder, weights), TAGS)
    monkeypatch.setattr(encoder_module, "MAX_CACHED_WORDS", 10)
    for batch in batches:
        expected = _plain_sum(templates, weights, batch, "document")
        for emissions in (first, second):  # two that share one encoder
            np.testing.assert_array_equal(emissions.score(encoder.encode(batch)), expected)


def test_the_word_cache_grows() -> None:
    text = " ".join(f"w{number}" for number in range(3000))
    drawn = make_tokenizer("whitespace").tokenize(text)
    templates = (parse_template("suffix2@1"),)
    encoder, _ = fit_encoder(FeatureConfig({"all": templates}), [drawn])
    weights = _draw_weights(templates, [drawn], "document", seed=1)
    emissions = Emissions(encoder, _lay_out(encoder, weights), TAGS)
    some = make_tokenizer("whitespace").tokenize("w1 w2 w3")
    emissions.score(encoder.encode([some]))
    np.testing.assert_array_equal(
        emissions.score(encoder.encode([drawn])),
        _plain_sum(templates, weights, [drawn], "document"),
    )


def test_a_model_without_weights_and_a_batch_without_tokens() -> None:
    templates = _templates("all")
    batch = tokenized_notes(1, seed=1)
    encoder, encoded = fit_encoder(FeatureConfig({"all": templates}), batch)
    emissions = Emissions(encoder, _lay_out(encoder, {}), TAGS)
    assert emissions.score(encoded).tolist() == [[0.0] * TAGS] * len(encoded)
    for kernel in (emissions.score, emissions.score_numpy):
        assert kernel(encoder.encode([])).shape == (0, TAGS)
    assert _by_loop(emissions, encoder.encode([])).shape == (0, TAGS)


@settings(max_examples=40)
@given(
    st.sets(st.integers(0, 2**64 - 1) | st.integers(0, 40).map(lambda n: n << 40), max_size=60),
    st.lists(st.integers(0, 2**64 - 1), max_size=20),
)
def test_the_cross_table_finds_what_it_holds_and_nothing_else(
    keys: set[int], others: list[int]
) -> None:
    held = np.array(sorted(keys), dtype=np.uint64)
    table = build_table(held, np.arange(len(held), dtype=np.int32))
    assert table.find(held).tolist() == list(range(len(held)))
    absent = np.array([key for key in others if key not in keys], dtype=np.uint64)
    assert table.find(absent).tolist() == [-1] * len(absent)


def test_crosses_with_more_values_than_a_key_holds_are_refused() -> None:
    alphabet = {str(number): number for number in range(1, 400_001)}
    template = parse_template("lower@-1 lower@0 lower@1")
    encoder = Encoder([template], {"lower": alphabet})
    with pytest.raises(ConfigError, match=r"'lower@-1 lower@0 lower@1' has too many values"):
        Emissions(encoder, _lay_out(encoder, {}), TAGS)


def test_too_many_crosses_are_refused_before_training() -> None:
    def crosses(count: int) -> dict[str, tuple[Any, ...]]:
        names = [
            f"lower@{n % 5} shape@{n // 5 % 5} prefix{n // 25 % 5 + 1}@{n // 125}"
            for n in range(count)
        ]
        return {"crosses": tuple(map(parse_template, names))}

    assert len(FeatureConfig(crosses(256)).templates()) == 256
    with pytest.raises(ConfigError, match="at most 256 feature crosses"):
        FeatureConfig(crosses(257))
