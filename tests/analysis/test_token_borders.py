"""Errors of tokenization told apart from those of the model, against sets of characters."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis.token_borders import CAUSES, FITS, BorderScorer, find_fit, read_tokenizers
from scrubjay.artifacts import Manifest, nest_files, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.evaluation.counts import Counts
from scrubjay.evaluation.pairs import Pair
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens
from tests.evaluation.samples import pairs
from tests.oracles import familiarity as oracle
from tests.strategies import tokens


@dataclass(frozen=True)
class Given:
    """A tokenizer that has cut its one text already."""

    tokens: Tokens
    name: str = "given"

    def parameters(self) -> dict[str, Any]:
        return {}

    def tokenize(self, text: str) -> Tokens:
        assert text == self.tokens.text
        return self.tokens


@st.composite
def cut_pairs(draw: st.DrawFn) -> tuple[Pair, tuple[Given, ...]]:
    """Pairs with one or two ways to cut their text; some predictions are spans of tokens."""
    pair = draw(pairs())
    text = st.just(pair.gold.text)
    views = tuple(Given(draw(tokens(text=text))) for _ in range(draw(st.integers(1, 2))))
    spans = list(pair.predicted.spans)
    for span in pair.gold.spans:
        for answer in sorted(oracle.answers(views[0].tokens, (span.label, span.start, span.end))):
            if draw(st.booleans()):
                spans.append(Span(answer[1], answer[2], answer[0]))
    return Pair(pair.gold, pair.predicted.with_spans(spans)), views


@given(cut_pairs())
@settings(max_examples=100)
def test_causes_are_those_of_the_slow_way(case: tuple[Pair, tuple[Given, ...]]) -> None:
    pair, cutters = case
    views = [cutter.tokens for cutter in cutters]
    gold, predicted = oracle.spans_of(pair.gold), oracle.spans_of(pair.predicted)
    missed, wrong = oracle.causes(views, gold, predicted)
    scorer = BorderScorer(cutters)
    scorer.add(pair)
    report = scorer.report()
    for row in report.labels:
        mine = [key for key in gold if row.label in (None, key[0])]
        fits = [min((oracle.fit(t, k[1], k[2]) for t in views), key=FITS.index) for k in mine]
        assert row.fits == tuple(map(fits.count, FITS))
        for counted, causes in ((row.missed, missed), (row.wrong, wrong)):
            found = [cause for key, cause in causes.items() if row.label in (None, key[0])]
            assert counted == tuple(map(found.count, CAUSES))
        theirs = [key for key in predicted if row.label in (None, key[0])]
        right = len(set(mine) & set(theirs))
        assert row.counts == Counts(right, len(theirs) - right, len(mine) - right)
        assert sum(row.missed) == row.counts.fn
        assert sum(row.wrong) == row.counts.fp
        assert row.forgiven.fn == row.counts.fn - row.missed[0]
        off = [
            key
            for key in theirs
            if not any(oracle.fit(t, key[1], key[2]) == "on-tokens" for t in views)
        ]
        assert row.predicted_off == len(off)
        assert row.ceiling.gold == len(mine)
        assert row.ceiling.tp <= fits.count("on-tokens")
    noted = {
        (error.side, (error.span.label, error.span.start, error.span.end)): error.cause
        for error in report.errors
    }
    assert noted == {
        (side, key): cause
        for side, causes in (("gold", missed), ("predicted", wrong))
        for key, cause in causes.items()
        if cause != "model"
    }


@given(pairs(disjoint=True), st.sampled_from(("whitespace", "wi-deid", "jiang", "subword")))
@settings(max_examples=40)
def test_a_perfect_tagger_reaches_the_ceiling_and_has_no_error_of_its_own(
    pair: Pair, name: str
) -> None:
    """Gold laid on tokens token by token is what the best tagger says of disjoint gold."""
    tokenizer = make_tokenizer(name)
    cut = tokenizer.tokenize(pair.gold.text)
    best = []
    free = set(range(len(cut)))
    for span in sorted(pair.gold.spans, key=lambda span: (-len(span), span)):
        touched = [
            number
            for number in range(len(cut))
            if cut.starts[number] < span.end and span.start < cut.ends[number]
        ]
        if touched and free.issuperset(touched):
            free -= set(touched)
            best.append(Span(int(cut.starts[touched[0]]), int(cut.ends[touched[-1]]), span.label))
    scorer = BorderScorer([tokenizer])
    scorer.add(Pair(pair.gold, pair.gold.with_spans(best)))
    row = scorer.report().all_labels
    assert row.counts == row.ceiling
    assert row.predicted_off == 0
    assert row.forgiven.fp == 0
    assert row.wrong[CAUSES.index("model")] == 0


def _document(text: str, *spans: tuple[int, int, str]) -> Document:
    return Document("note", text, tuple(Span(*span) for span in spans))


def test_the_years_of_trienes_share_a_token() -> None:
    """Trienes 2020, section 5.2.2: `2016/2017` is one token and two dates."""
    gold = _document("Care 2016/2017 by Ann", (5, 9, "DATE"), (10, 14, "DATE"), (18, 21, "NAME"))
    whole = make_tokenizer("whitespace")
    scorer = BorderScorer([whole])
    scorer.add(Pair(gold, gold.with_spans([Span(5, 14, "DATE")])))
    scorer.add(Pair(gold, gold.with_spans([Span(18, 21, "NAME")])))
    report = scorer.report()
    dates, names = report.labels[:2]
    assert dict(zip(FITS, dates.fits, strict=True)) == {
        "on-tokens": 0,
        "in-token": 4,
        "in-space": 0,
        "no-token": 0,
    }
    assert dates.missed == (2, 2, 0)
    assert dates.wrong == (1, 0, 0)
    assert names.missed == (0, 0, 1)
    assert dates.counts == Counts(0, 1, 4)
    assert dates.forgiven == Counts(2, 0, 2)
    assert dates.ceiling.tp == 0
    parted = BorderScorer([make_tokenizer("subword")])
    parted.add(Pair(gold, gold))
    assert parted.report().labels[0].fits == (2, 0, 0, 0)


def test_the_short_and_long_errors_of_jiang() -> None:
    """Jiang 2017, section 8.3.5: a period parted from `Uni.`, a backslash that was not parted."""
    text = "Harrow Uni. and Homecare-Reno\\, then"
    gold = _document(text, (0, 11, "ORGANIZATION"), (16, 29, "HOSPITAL"))
    predicted = gold.with_spans([Span(0, 10, "ORGANIZATION"), Span(16, 31, "HOSPITAL")])
    scorer = BorderScorer([make_tokenizer("whitespace")])
    scorer.add(Pair(gold, predicted))
    errors = [(e.side, e.span.label, e.fit, e.cause) for e in scorer.report().errors]
    assert errors == [
        ("gold", "HOSPITAL", "in-token", "tokens"),
        ("predicted", "HOSPITAL", "on-tokens", "tokens"),
    ]
    assert scorer.report().all_labels.wrong == (1, 0, 1)


def test_borders_in_white_space_fit_no_tokens() -> None:
    cut = make_tokenizer("whitespace").tokenize(" Ann Lee \n")
    assert find_fit(cut, 1, 8) == "on-tokens"
    assert find_fit(cut, 0, 8) == "in-space"
    assert find_fit(cut, 1, 9) == "in-space"
    assert find_fit(cut, 2, 9) == "in-token"
    assert find_fit(cut, 8, 10) == "no-token"


def test_several_tokenizers_fit_what_one_of_them_fits() -> None:
    gold = _document("Care 2016/2017", (5, 9, "DATE"))
    views = [make_tokenizer("whitespace"), make_tokenizer("subword")]
    scorer = BorderScorer(views)
    scorer.add(Pair(gold, gold))
    report = scorer.report()
    assert report.tokenizers == ("whitespace", "subword")
    assert report.all_labels.fits == (1, 0, 0, 0)
    assert report.all_labels.ceiling == Counts(1, 0, 0)


def test_the_record_has_every_count_and_no_text() -> None:
    gold = _document("Wilhelmina/Lee", (0, 10, "DOCTOR"))
    scorer = BorderScorer([make_tokenizer("whitespace")], label_of=str.upper)
    scorer.add(Pair(gold, gold.with_spans([Span(0, 14, "doctor")])))
    record = scorer.report().record()
    assert record["labels"][-1]["missed"] == {"tokens": 1, "tokens-and-model": 0, "model": 0}
    assert record["labels"][-1]["forgiven"]["f1"] == 1.0
    assert record["labels"][-1]["ceiling"]["recall"] == 0.0
    assert record["errors"][0] == {
        "document": "note",
        "side": "gold",
        "start": 0,
        "end": 10,
        "label": "DOCTOR",
        "fit": "in-token",
        "cause": "tokens",
    }
    assert "Wilhelmina" not in json.dumps(record)


def _manifest(kind: str, **tokenizer: Any) -> Manifest:
    return Manifest(
        name="m", kind=kind, language="en", label_set="i2b2-2014", labels=(), stores_words=False,
        tokenizer=tokenizer,
    )  # fmt: skip


def test_the_tokenizer_of_a_model_is_read_without_loading_it(tmp_path: Path) -> None:
    save_artifact(tmp_path / "one", _manifest("crf", name="jiang", punctuation="keep"), files={})
    assert read_tokenizers(tmp_path / "one") == (
        make_tokenizer("jiang", punctuation="keep", sentences="none"),
    )
    assert [one.name for one in read_tokenizers("en")] == ["subword"]


def test_the_tokenizers_of_an_ensemble_are_those_of_its_members(tmp_path: Path) -> None:
    files: dict[str, bytes] = {}
    for name, table in (("a", "jiang"), ("b", "subword"), ("c", "jiang")):
        files |= nest_files(name, _manifest("crf", name=table), {})
    files |= nest_files("d", _manifest("regex"), {})
    save_artifact(tmp_path / "all", _manifest("ensemble"), files=files)
    assert [one.name for one in read_tokenizers(tmp_path / "all")] == ["jiang", "subword"]


def test_models_without_a_tokenizer_and_with_an_unknown_one_are_refused(tmp_path: Path) -> None:
    save_artifact(tmp_path / "patterns", _manifest("regex"), files={})
    with pytest.raises(ConfigError, match="may begin and end anywhere"):
        read_tokenizers(tmp_path / "patterns")
    save_artifact(tmp_path / "newer", _manifest("crf", name="tomorrow"), files={})
    with pytest.raises(ArtifactError, match="unknown tokenizer 'tomorrow'"):
        read_tokenizers(tmp_path / "newer")
    with pytest.raises(ConfigError, match="unknown model"):
        read_tokenizers(tmp_path / "absent")
    with pytest.raises(ConfigError, match="need a tokenizer"):
        BorderScorer(())
