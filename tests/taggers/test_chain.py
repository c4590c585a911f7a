"""From scores to tags and spans, against enumeration of all paths."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt
import pytest

from scrubjay.document import Span
from scrubjay.errors import DetectionError
from scrubjay.taggers._decoding.chain import ChainDecoder, Reading, require_finite, split_tags
from scrubjay.taggers._decoding.viterbi import FloatArray
from scrubjay.tags import decode_tags, encode_tags, find_scheme
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens

LABELS = ("DATE", "NAME")
TAGS = 5  # O, B-DATE, I-DATE, B-NAME, I-NAME


def scores_of(size: int, *, seed: int) -> FloatArray:
    """Return random emission scores."""
    return np.random.default_rng(seed).standard_normal((size, TAGS)) * 2


def moves(*, seed: int) -> FloatArray:
    """Return random transition scores."""
    return np.random.default_rng(seed).standard_normal((TAGS, TAGS))


def paths_of(scores: FloatArray, transitions: FloatArray) -> dict[tuple[int, ...], float]:
    """Return the score of every path: the oracle."""
    return {
        path: sum(scores[n, tag] for n, tag in enumerate(path))
        + sum(transitions[one, other] for one, other in pairwise(path))
        for path in product(range(TAGS), repeat=len(scores))
    }


def texts(*bodies: str) -> list[Tokens]:
    """Return the tokens of some texts."""
    tokenizer = make_tokenizer("whitespace")
    return [tokenizer.tokenize(body) for body in bodies]


@pytest.mark.parametrize("dial", [-2.0, 0.0, 3.0])
@pytest.mark.parametrize("seed", range(5))
def test_tags_are_the_best_path_of_each_stretch(seed: int, dial: float) -> None:
    scores, transitions = scores_of(8, seed=seed), moves(seed=seed)
    bounds = np.array([0, 5, 8], dtype=np.int32)
    decoder = ChainDecoder(transitions, scheme="BIO", labels=LABELS, dial=dial)
    decoded = decoder.decode(scores.copy(), bounds)
    for begin, end in pairwise(bounds.tolist()):
        turned = scores[begin:end].copy()
        turned[:, 0] -= dial
        paths = paths_of(turned, transitions)
        assert tuple(decoded.tags[begin:end].tolist()) == max(paths, key=paths.__getitem__)
    np.testing.assert_allclose(decoded.scores, scores, atol=1e-12)
    assert decoded.tags.dtype == np.int16


@pytest.mark.parametrize("dial", [0.0, 3.0])
@pytest.mark.parametrize("seed", range(5))
def test_scores_of_spans_are_shares_of_all_paths(seed: int, dial: float) -> None:
    """The dial moves the path; the probabilities are those of the model."""
    scores, transitions = scores_of(6, seed=seed), moves(seed=seed)
    batch = texts("aa bb cc dd ee ff")
    decoder = ChainDecoder(transitions, scheme="BIO", labels=LABELS, dial=dial)
    decoded = decoder.decode(scores.copy(), np.array([0, 6], dtype=np.int32))
    (spans,) = decoder.spans(decoded, batch, source="here")
    ranges = decode_tags(decoded.tags, scheme=find_scheme("BIO"), labels=LABELS)
    assert [(s.start, s.end, s.label, s.source) for s in spans] == [
        (3 * first, 3 * last - 1, label, "here") for first, last, label in ranges
    ]
    paths = paths_of(scores, transitions)
    shares = {path: np.exp(score) for path, score in paths.items()}
    for span, (first, last, _) in zip(spans, ranges, strict=True):
        chosen = tuple(decoded.tags[first:last].tolist())
        share = sum(value for path, value in shares.items() if path[first:last] == chosen)
        assert span.score == pytest.approx(share / sum(shares.values()), abs=1e-6)


def test_without_transitions_tokens_are_independent() -> None:
    scores = scores_of(7, seed=1)
    decoder = ChainDecoder(np.zeros((TAGS, TAGS)), scheme="BIO", labels=LABELS)
    decoded = decoder.decode(scores, np.array([0, 7], dtype=np.int32))
    assert decoded.tags.tolist() == scores.argmax(axis=1).tolist()
    (spans,) = decoder.spans(decoded, texts("a b c d e f g"), source="")
    shares: npt.NDArray[np.float64] = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    ranges = decode_tags(decoded.tags, scheme=find_scheme("BIO"), labels=LABELS)
    for span, (first, last, _) in zip(spans, ranges, strict=True):
        expected = np.prod([shares[n, decoded.tags[n]] for n in range(first, last)])
        assert span.score == pytest.approx(expected, abs=1e-6)


def test_tags_that_training_never_saw_are_out_of_reach() -> None:
    transitions = moves(seed=3)
    transitions[:, 2] = transitions[2, :] = -np.inf
    scores = scores_of(30, seed=3)
    scores[:, 2] += 100
    decoder = ChainDecoder(transitions, scheme="BIO", labels=LABELS)
    decoded = decoder.decode(scores, np.array([0, 1, 30], dtype=np.int32))
    assert 2 not in decoded.tags.tolist()


def test_spans_are_those_of_their_own_text() -> None:
    batch = texts("aa bb", "", "cc", "\n")
    scores = np.full((3, TAGS), -9.0)
    scores[0, 1] = scores[2, 3] = scores[1, 0] = 9.0
    decoder = ChainDecoder(np.zeros((TAGS, TAGS)), scheme="BIO", labels=LABELS)
    decoded = decoder.decode(scores, np.array([0, 2, 3], dtype=np.int32))
    found = decoder.spans(decoded, batch, source="x")
    assert [[(s.start, s.end, s.label) for s in spans] for spans in found] == [
        [(0, 2, "DATE")], [], [(0, 2, "NAME")], [],
    ]  # fmt: skip
    assert [part.tolist() for part in split_tags(decoded.tags, batch)] == [[1, 0], [], [3], []]


@pytest.mark.parametrize("seed", range(40))
def test_a_wanted_score_is_the_same_whichever_others_are_wanted(seed: int) -> None:
    text = "Blake saw Ann Okafor Ruiz with Blake now"
    tokens = make_tokenizer("whitespace").tokenize(text)
    decoder = ChainDecoder(moves(seed=seed), scheme="BIO", labels=LABELS)
    bounds = np.array([0, 4, len(tokens)], dtype=np.int32)
    decoded = decoder.decode(scores_of(len(tokens), seed=seed), bounds)
    # A path may lead on with a mention into the next sentence, which joins the two.
    decoded.tags[2:6] = [3, 4, 4, 0]
    (everything,) = decoder.spans(decoded, [tokens], source="")
    for number in range(len(everything)):

        def one_of(
            text: str, mentions: Sequence[tuple[int, int, str]], /, number: int = number
        ) -> list[bool]:
            return [place == number for place in range(len(mentions))]

        (some,) = decoder.spans(decoded, [tokens], source="", scores=one_of)
        assert some == everything
        assert some[number].score == everything[number].score
        crossing = [span.start < text.index("Ruiz") < span.end for span in some]
        unasked = [s.score for n, s in enumerate(some) if n != number and not crossing[n]]
        assert unasked == [None] * len(unasked)


def test_scores_are_never_0_and_have_six_decimals() -> None:
    scores = np.zeros((1, TAGS))
    scores[0, 1] = 50.0
    decoder = ChainDecoder(np.zeros((TAGS, TAGS)), scheme="BIO", labels=LABELS, dial=200.0)
    scores[0, 0] = 120.0
    decoded = decoder.decode(scores, np.array([0, 1], dtype=np.int32))
    ((span,),) = decoder.spans(decoded, texts("aa"), source="")
    assert span.score == 1e-6


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_that_are_no_finite_numbers_are_refused(value: float) -> None:
    scores = np.zeros((3, 2))
    require_finite(scores)
    scores[1, 1] = value
    with pytest.raises(DetectionError, match="no finite numbers"):
        require_finite(scores)


@pytest.mark.parametrize(("scheme", "labels"), [("BIO", LABELS), ("BIOEU", ("NAME",))])
@pytest.mark.parametrize("seed", range(4))
def test_opinions_are_shares_of_the_paths_with_just_that_span(
    seed: int, scheme: str, labels: tuple[str, ...]
) -> None:
    scores, transitions = scores_of(7, seed=seed), moves(seed=seed)
    batch = texts("aa bb cc dd", "ee ff gg")
    bounds = np.array([0, 4, 7], dtype=np.int32)
    decoder = ChainDecoder(transitions, scheme=scheme, labels=labels)
    reading = Reading(decoder, scores.copy(), bounds, batch)
    asked = [
        [
            Span(int(tokens.starts[first]), int(tokens.ends[last]), label)
            for first in range(len(tokens))
            for last in range(first, len(tokens))
            for label in labels
        ]
        for tokens in batch
    ]
    found = reading.probabilities(asked)
    for number, (begin, end) in enumerate(pairwise(bounds.tolist())):
        paths = paths_of(scores[begin:end], transitions)
        total = sum(np.exp(value) for value in paths.values())
        for span, value in zip(asked[number], found[number], strict=True):
            ours = batch[number].token_range(span.start, span.end, mode="strict")
            assert ours is not None
            first, last = ours
            tags = encode_tags(
                [(first, last, span.label)], end - begin, scheme=find_scheme(scheme), labels=labels
            )
            # In BIO a span that goes on has the same tags so far.
            onward = int(tags[first]) + 1 if scheme == "BIO" else -1
            expected = sum(
                np.exp(score)
                for path, score in paths.items()
                if path[first:last] == tuple(tags[first:last].tolist())
                and path[last : last + 1] != (onward,)
            )
            assert value == pytest.approx(expected / total, abs=1e-6)


def test_spans_that_a_tagger_could_not_give_have_no_probability() -> None:
    batch = texts("aa bb", "cc")
    decoder = ChainDecoder(moves(seed=0), scheme="BIO", labels=LABELS)
    bounds = np.array([0, 2, 3], dtype=np.int32)
    reading = Reading(decoder, scores_of(3, seed=0), bounds, batch)
    inside, unknown, known = Span(0, 1, "NAME"), Span(0, 2, "PLACE"), Span(0, 2, "NAME")
    (first, second, last), none = reading.probabilities([[inside, unknown, known], []])
    assert (first, second, none) == (0.0, 0.0, [])
    assert 0 < last < 1
    assert reading.spans(source="x") == decoder.spans(reading.decoded, batch, source="x")
