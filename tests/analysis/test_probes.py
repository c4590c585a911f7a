"""Detectors over probes: extremes, a plain oracle, terms in a corpus, names by origin."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.analysis.origin_probes import implant_names, probe_origins
from scrubjay.analysis.probe_sets import KEEP, find_probes, parse_probes, probe_languages
from scrubjay.analysis.probe_terms import TermFinder, count_terms
from scrubjay.analysis.probes import Share, coverage, run_probes
from scrubjay.corpora.metadata import IGNORE_KEY
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.evaluation.origins import name_key, origin_names, origins_of
from scrubjay.evaluation.pairs import Pair, labelled_pair

pytest.importorskip("scipy", reason="intervals need the extra `report`")

OWN = parse_probes(
    b"""language = "en"
frames = ["<PATIENT>{given} {family}</PATIENT> came."]
[device]
title = "Devices"
keep = ["<KEEP>Foley</KEEP> out, <KEEP>T-2 tube</KEEP> in."]
names = ["Dr. <DOCTOR>A. Foley</DOCTOR> came."]
""",
    path="own.toml",
)


@dataclass(frozen=True)
class Made:
    """A detector that calls a function for each text."""

    find: Callable[[str], Sequence[tuple[int, int]]]
    labels: tuple[str, ...] = ("NAME",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return what the function finds; no document may come with spans."""
        assert not any(document.spans for document in documents)
        return [
            tuple(Span(start, end, "NAME") for start, end in self.find(document.text))
            for document in documents
        ]


ALL = Made(lambda text: [(0, len(text))])
NONE = Made(lambda text: [])
FINDER = TermFinder(find_probes("en"))


def _pattern(pattern: str) -> Made:
    return Made(lambda text: [found.span() for found in re.finditer(pattern, text)])


@pytest.mark.parametrize("language", probe_languages())
def test_a_detector_of_everything_hits_and_finds_all(language: str) -> None:
    report = run_probes(ALL, find_probes(language))
    assert report.hit.ratio == report.found.ratio == 1.0
    assert report.elsewhere == 0
    assert {miss.label for miss in report.misses} == {KEEP}


@pytest.mark.parametrize("language", probe_languages())
def test_a_detector_of_nothing_hits_and_finds_none(language: str) -> None:
    probes = find_probes(language)
    report = run_probes(NONE, probes)
    assert report.hit == Share(0, sum(len(probe.kept) for probe in probes.probes))
    assert report.found == Share(0, sum(len(probe.names) for probe in probes.probes))
    assert len(report.misses) == report.found.of
    assert report.record()["terms_hit"]["low"] == 0.0


def test_a_part_hits_a_term_and_does_not_find_a_name() -> None:
    report = run_probes(_pattern("Foley|tube|came"), OWN)
    assert report.hit == Share(2, 2)
    assert report.found == Share(0, 1)
    assert report.elsewhere == 1
    kinds = [(miss.probe, miss.label, miss.surface, miss.predicted) for miss in report.misses]
    assert kinds == [
        ("device/keep/1", "KEEP", "Foley", ("NAME",)),
        ("device/keep/1", "KEEP", "T-2 tube", ("NAME",)),
        ("device/names/1", "DOCTOR", "A. Foley", ("NAME",)),
    ]


def test_punctuation_counts_on_neither_side() -> None:
    assert run_probes(_pattern("-"), OWN).hit == Share(0, 2)
    assert run_probes(_pattern("A|Foley(?= came)"), OWN).found == Share(1, 1)


@settings(max_examples=100, deadline=None)
@given(st.text("a1- ", min_size=1, max_size=12), st.data())
def test_coverage_is_that_of_sets_of_places(text: str, data: st.DataObject) -> None:
    def spans(count: int) -> list[Span]:
        made = []
        for _ in range(count):
            start = data.draw(st.integers(0, len(text) - 1))
            made.append(Span(start, data.draw(st.integers(start + 1, len(text))), "X"))
        return made

    (span,) = spans(1)
    predicted = spans(data.draw(st.integers(0, 3)))
    places = {place for place in range(span.start, span.end) if text[place] in "a1"}
    inside = {place for one in predicted for place in range(one.start, one.end)}
    assert coverage(text, span, predicted) == (len(places & inside), len(places))


@pytest.mark.parametrize("language", probe_languages())
def test_every_term_is_found_in_its_own_probe(language: str) -> None:
    probes = find_probes(language)
    finder = TermFinder(probes)
    for probe in probes.probes:
        if probe.category in probes.lines:
            continue
        text = probe.document.text
        places = {
            place for _, _, span in finder.find(text) for place in range(span.start, span.end)
        }
        for span in probe.kept:
            if not text[span.start : span.end].isdigit():
                assert span.start in places, probe.document.id


def test_terms_are_whole_words_longest_first_with_their_case() -> None:
    def found(text: str) -> list[tuple[str, str]]:
        return [(term, text[span.start : span.end]) for _, term, span in FINDER.find(text)]

    assert found("Parkinson’s disease") == [("Parkinson's disease", "Parkinson’s disease")]
    assert found("Foleys, foley") == []
    assert found("LASIX, lasix") == [("lasix", "LASIX"), ("lasix", "lasix")]
    assert found("PARKINSON") == [("parkinson", "PARKINSON")]
    assert found("xForty 138") == []


def test_terms_outside_gold_are_counted_and_those_that_predictions_touch() -> None:
    text = "Foley out. Dr. Foley gave Lasix and Zosyn."
    gold = Document("a", text, (Span(15, 20, "DOCTOR"),))
    predicted = gold.with_spans((Span(15, 20, "DOCTOR"), Span(0, 5, "DOCTOR"), Span(36, 38, "X")))
    report = count_terms([Pair(gold, predicted)], find_probes("en"))
    assert report.documents == 1
    assert report.hit == Share(2, 3)
    assert report.worst() == (
        ("eponym-device", "Foley", Share(1, 1)),
        ("drug", "Zosyn", Share(1, 1)),
    )
    assert {row["category"] for row in report.record()["categories"]} == {"eponym-device", "drug"}

    unlabelled = Document("a", text, gold.spans, {IGNORE_KEY: [[0, 4]]})
    report = count_terms([labelled_pair(unlabelled, predicted)], find_probes("en"))
    assert report.hit == Share(1, 2)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["Foley", "may", "May", "Lasix", "-", "x", "BP 120/80", "L4"])))
def test_the_finder_is_that_of_a_plain_search(parts: list[str]) -> None:
    terms = ["Foley", "may", "May", "BP 120/80"]
    text = " ".join(parts)
    found = [text[span.start : span.end] for _, term, span in FINDER.find(text) if term in terms]
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, terms))})(?!\w)"
    assert found == re.findall(pattern, text)


def test_every_origin_gets_the_same_sentences_with_its_own_names() -> None:
    probes = find_probes("en")
    for origin in origin_names():
        documents = list(implant_names(probes, origin, draws=24))
        assert len({document.id for document in documents}) == 24
        for number, document in enumerate(documents):
            bare = re.sub(r"</?[A-Z]+>", "", probes.frames[number % len(probes.frames)])
            around = [re.escape(part) for part in re.split(r"\{\w+\}", bare)]
            assert re.fullmatch(".+".join(around), document.text)
            for span in document.spans:
                name = document.text[span.start : span.end]
                assert name_key(name)
                assert origins_of(name)


def test_the_seed_decides_the_names() -> None:
    probes = find_probes("nl")
    texts = [
        [document.text for document in implant_names(probes, "dutch", draws=12, seed=seed)]
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_extreme_detectors_find_all_names_or_none_of_every_origin() -> None:
    probes = find_probes("es")
    everything = probe_origins(ALL, probes, draws=13)
    nothing = probe_origins(NONE, probes, draws=13)
    assert [one.origin for one in everything.origins] == list(origin_names())
    assert {one.found.ratio for one in everything.origins} == {1.0}
    assert {everything.gap(one) for one in everything.origins} == {0.0}
    assert {one.missed.ratio for one in nothing.origins} == {1.0}
    assert len({one.found.of for one in everything.origins}) == 1


def test_a_gap_is_the_recall_less_that_of_the_others() -> None:
    report = probe_origins(_pattern(r"(?:van|de|ter) .*"), OWN, draws=40)
    dutch = next(one for one in report.origins if one.origin == "dutch")
    others = [one for one in report.origins if one.origin != "dutch"]
    count = sum(one.found.count for one in others)
    assert report.gap(dutch) == pytest.approx(dutch.found.count / 40 - count / (40 * len(others)))


def test_bad_settings_are_errors() -> None:
    with pytest.raises(ConfigError, match="at least one sentence"):
        probe_origins(NONE, OWN, draws=0)
    bare = parse_probes(b'language="x"\n[a]\ntitle="A"\nkeep=["<KEEP>b</KEEP>"]', path="x.toml")
    with pytest.raises(ConfigError, match="no frames"):
        probe_origins(NONE, bare)
