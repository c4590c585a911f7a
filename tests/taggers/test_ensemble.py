"""Combiners by hand, and ensembles as detectors and as saved models."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from scrubjay.artifacts import Artifact, Manifest, load_artifact, nest_files, save_artifact
from scrubjay.detectors import turn_recall_dial
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError, DetectionError, OutputError
from scrubjay.learning.tbed import TbedLearner
from scrubjay.models import audit_model, load_model
from scrubjay.spans import require_disjoint
from scrubjay.taggers._combining.candidates import Proposals
from scrubjay.taggers._combining.combiners import (
    Combiner,
    Filled,
    Intersection,
    PerLabel,
    Union,
    Votes,
)
from scrubjay.taggers._combining.rbf import RbfMachine
from scrubjay.taggers._combining.stacker import Stacker
from scrubjay.taggers._combining.stacking_features import FeatureLayout
from scrubjay.taggers._combining.stored_combiners import read_combiner
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import Member, MemberRunner, rule_namer
from scrubjay.taggers.regex import describe_regex, make_regex_detector
from tests.corpus_samples import make_notes
from tests.taggers.ensemble_samples import NAMES, TEXT, Parrot, found, texts
from tests.tiny_tbed import tiny_rules

MEMBERS = ("x", "y", "z")
LONG, SHORT, NEXT = Span(0, 5, "A"), Span(0, 2, "A"), Span(3, 5, "B")


def stacker() -> Stacker:
    """Return a machine that believes more in what more members propose."""
    layout = FeatureLayout(MEMBERS, ("x",), NAMES)
    columns = len(layout.names())
    support = np.zeros((2, columns), dtype=np.float32)
    support[1, layout.names().index("proposed")] = 1.0
    machine = RbfMachine(
        np.zeros(columns), np.ones(columns), support, np.array([-1.0, 1.0]), 0.0, 0.01
    )
    return Stacker(layout, machine, 400.0, 3.0, 0.5)


COMBINERS: dict[str, Combiner] = {
    "svm": stacker(),
    "majority": Votes(MEMBERS, NAMES, (1.0, 1.0, 1.0)),
    "weighted": Votes(MEMBERS, NAMES, (3.0, 1.0, 1.0), "weighted"),
    "union": Union(MEMBERS),
    "intersection": Intersection(MEMBERS),
    "filled": Filled(Votes(("x", "y"), NAMES, (2.0, 1.0), "weighted"), MEMBERS, ("z",)),
    "per-label": PerLabel(MEMBERS, {"A": "x", "B": "y", "C": "z"}, {"A": 0.9, "B": 0.4, "C": 0.6}),
}


def combine(method: str, *proposals: tuple[Span, ...], dial: float = 0.0) -> tuple[Span, ...]:
    """Return what a combiner makes of what the members say of `TEXT`."""
    said = Proposals(texts(1), [[spans] for spans in proposals])
    (spans,) = COMBINERS[method].combine(said, dial=dial)
    return spans


def test_a_majority_is_more_than_half() -> None:
    assert combine("majority", (SHORT, NEXT), (SHORT,), (LONG,)) == (SHORT,)
    assert combine("majority", (SHORT,), (LONG,), (NEXT,)) == ()
    ((span),) = combine("majority", (SHORT,), (SHORT,), ())
    assert (span.score, span.source) == (pytest.approx(2 / 3, abs=1e-6), "x+y")
    half = Votes(("x", "y"), NAMES, (1.0, 1.0))
    assert half.combine(Proposals(texts(1), [[(SHORT,)], [()]])) == [()]


def test_weights_count_where_votes_are_weighted() -> None:
    assert combine("weighted", (LONG,), (SHORT,), (SHORT,)) == (LONG,)
    assert combine("weighted", (), (SHORT,), (SHORT,)) == ()
    with pytest.raises(ValueError, match="weight"):
        Votes(MEMBERS, NAMES, (0.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="weight"):
        Votes(MEMBERS, NAMES, (1.0,))


def test_a_union_fills_what_earlier_members_leave_free() -> None:
    far = Span(10, 14, "C", score=0.25)
    spans = combine("union", (SHORT,), (LONG, far), (NEXT, Span(13, 15, "A")))
    assert spans == (SHORT, NEXT, far)
    assert [(span.score, span.source) for span in spans] == [(None, "x"), (None, "z"), (0.25, "y")]


def test_members_that_fill_speak_where_the_others_are_silent() -> None:
    far = Span(10, 14, "C", score=0.25)
    spans = combine("filled", (SHORT,), (LONG,), (LONG, far))
    assert spans == (SHORT, far)
    assert [(span.score, span.source) for span in spans] == [(pytest.approx(2 / 3, abs=1e-6), "x"),
        (0.25, "z")]  # fmt: skip
    assert combine("filled", (), (LONG,), (SHORT, NEXT)) == (SHORT, NEXT)


def test_an_intersection_is_what_all_say() -> None:
    sure, unsure = replace(SHORT, score=0.5), replace(SHORT, score=1.0)
    spans = combine("intersection", (sure, NEXT), (unsure,), (SHORT, NEXT))
    assert spans == (SHORT,)
    assert (spans[0].score, spans[0].source) == (0.75, "x+y+z")


def test_each_label_comes_from_its_member() -> None:
    spans = combine("per-label", (SHORT, NEXT), (NEXT, Span(10, 12, "A")), (Span(7, 9, "C", 0.3),))
    assert [(s.start, s.label, s.score, s.source) for s in spans] == [
        (0, "A", 0.9, "x"), (3, "B", 0.4, "y"), (7, "C", 0.3, "z"),
    ]  # fmt: skip
    # The more reliable label wins where two overlap.
    assert combine("per-label", (LONG,), (NEXT,), ()) == (LONG,)
    assert combine("per-label", (), (NEXT,), (Span(4, 6, "C"),)) == (Span(4, 6, "C"),)


def test_a_stacker_takes_the_best_set_and_gives_probabilities() -> None:
    everyone = combine("svm", (SHORT, NEXT), (SHORT,), (SHORT,))
    assert [span.label for span in everyone] == ["A", "B"]
    assert everyone[0].score is not None
    assert everyone[1].score is not None
    assert everyone[0].score > everyone[1].score > 0.5


def test_the_dial_moves_what_is_enough() -> None:
    spans = ((SHORT, NEXT), (SHORT,), (Span(10, 14, "C"),))
    for method, dials in (("svm", (-9.0, 0.0, 9.0)), ("majority", (-1.0, 0.0, 1.0))):
        sizes = [len(combine(method, *spans, dial=dial)) for dial in dials]
        assert sizes[0] == 0 <= sizes[1] <= sizes[2] == 3
    untouched = combine("svm", *spans)
    turned = combine("svm", *spans, dial=0.5)
    assert {s: s.score for s in untouched}.items() <= {s: s.score for s in turned}.items()


@pytest.mark.parametrize("method", sorted(COMBINERS))
def test_every_combiner_gives_disjoint_proposals(method: str) -> None:
    combiner = COMBINERS[method]

    @settings(max_examples=30)
    @given(found(members=3, documents=2))
    def check(proposals: list[list[tuple[Span, ...]]]) -> None:
        documents = texts(2)
        together = combiner.combine(Proposals(documents, proposals))
        for number, spans in enumerate(together):
            assert require_disjoint(spans, document_id="a") == spans
            assert {*spans} <= {s for member in proposals for s in member[number]}
            assert all(span.score is None or 0 < span.score <= 1 for span in spans)
            own = Proposals(documents[:1], [[member[number]] for member in proposals])
            alone = combiner.combine(own)
            assert [(s, s.score, s.source) for s in alone[0]] == [
                (s, s.score, s.source) for s in spans
            ]

    check()


@pytest.mark.parametrize("method", sorted(COMBINERS))
def test_a_combiner_is_found_again_in_what_it_records(method: str) -> None:
    combiner = COMBINERS[method]
    assert combiner.asked == ("opinions" if method == "svm" else "spans")
    twin = read_combiner(combiner.record(), combiner.arrays(), members=MEMBERS, labels=NAMES)
    assert twin.record() == combiner.record()
    assert twin.turns_members == (method in ("union", "intersection", "per-label"))
    proposals = [[(SHORT, NEXT)], [(LONG,)], [(SHORT,)]]
    said = Proposals(texts(1), proposals)
    assert twin.combine(said) == combiner.combine(said)


@pytest.mark.parametrize(
    "change",
    [
        {"method": "oracle"},
        {"threshold": 1.0},
        {"scored": ["nobody"]},
        {"rules": [["nobody", "one"]]},
        {"rules": [["x", "one"]]},
        {"slope": None},
    ],
)
def test_a_record_that_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    whole = stacker()
    with pytest.raises((ConfigError, ValueError, TypeError)):
        read_combiner(whole.record() | change, whole.arrays(), members=MEMBERS, labels=NAMES)


# The detector


def manifest(name: str = "both", *, label_set: str = "i2b2-2014") -> Manifest:
    return Manifest(
        name=name, kind="ensemble", language="en", label_set=label_set, labels=NAMES,
        stores_words=False,
    )  # fmt: skip


def parrots(*told: tuple[Span, ...], sets: tuple[str, ...] = ("",)) -> list[Member]:
    """Return a member that says each of the told spans of `TEXT`."""
    return [
        Member(
            MEMBERS[n], Parrot({TEXT: spans}), manifest(MEMBERS[n], label_set=sets[n % len(sets)])
        )
        for n, spans in enumerate(told)
    ]


def test_spans_name_the_ensemble_and_the_members() -> None:
    members = parrots((SHORT,), (SHORT, NEXT), ())
    detector = EnsembleDetector(members, COMBINERS["majority"], manifest=manifest())
    (spans, nothing) = detector.detect([*texts(1), Document("b", "other")])
    assert [(span, span.source) for span in spans] == [(SHORT, "both:x+y")]
    assert nothing == ()
    assert detector.labels == NAMES


def test_where_a_member_fails_the_ensemble_fails() -> None:
    class Broken(Parrot):
        def detect(self, documents: Any) -> Any:
            raise RuntimeError("broken")

    members = [*parrots((SHORT,), (SHORT,)), Member("z", Broken(), manifest("z"))]
    detector = EnsembleDetector(members, COMBINERS["majority"], manifest=manifest())
    with pytest.raises(RuntimeError, match="broken"):
        detector.detect(texts(1))


@pytest.mark.parametrize("method", list(COMBINERS))
@pytest.mark.parametrize("said", [((), (SHORT,), ()), ((SHORT,),)])
def test_a_member_that_tells_of_more_documents_or_fewer_fails(method: str, said: Any) -> None:
    class Shifted(Parrot):
        def detect(self, documents: Any) -> Any:
            return list(said)

    members = [*parrots((SHORT,), (SHORT,)), Member("z", Shifted(), manifest("z"))]
    detector = EnsembleDetector(members, COMBINERS[method], manifest=manifest())
    with pytest.raises(DetectionError, match=r"'z'.* for 2 documents"):
        detector.detect(texts(2))


def test_members_of_different_label_sets_are_refused_by_name() -> None:
    members = parrots((SHORT,), (SHORT,), (SHORT,), sets=("i2b2-2014", "", "meddocan"))
    with pytest.raises(ConfigError, match=r"'x' and 'z'.*'i2b2-2014' and 'meddocan'.*--label-set"):
        EnsembleDetector(members, COMBINERS["majority"], manifest=manifest())


def test_the_dial_of_a_union_is_that_of_its_members() -> None:
    class Turnable(Parrot):
        def with_dial(self, dial: float) -> Turnable:
            return Turnable({TEXT: (SHORT, NEXT)} if dial > 0 else {})

    plain = parrots((), (), ())
    with pytest.raises(ConfigError, match="none of the members"):
        turn_recall_dial(EnsembleDetector(plain, Union(MEMBERS), manifest=manifest()), 1.0)
    members = [Member("x", Turnable(), manifest("x")), *plain[1:]]
    detector = EnsembleDetector(members, Union(MEMBERS), manifest=manifest())
    turned: Any = turn_recall_dial(detector, 1.0)
    assert turned.detect(texts(1)) == [(SHORT, NEXT)]
    assert turn_recall_dial(turned, 0.0).detect(texts(1)) == [()]
    assert turned.members == detector.members


def test_members_with_equal_tokenizers_share_tokens() -> None:
    class Counting:
        def __init__(self, tokenizer: Any) -> None:
            self.tokenizer, self.name, self.calls = tokenizer, tokenizer.name, 0
            self.parameters = tokenizer.parameters

        def tokenize(self, text: str) -> Any:
            self.calls += 1
            return self.tokenizer.tokenize(text)

    notes = make_notes(6, seed=1)
    one = TbedLearner(tiny_rules(max_rules=3), language="en").fit(notes)
    counters = [Counting(one.tokenizer), Counting(one.tokenizer)]
    members = []
    for name, counter in zip(MEMBERS, counters, strict=False):
        detector: Any = type(one)(counter, one.tagger, manifest=one.manifest)  # type: ignore[arg-type]
        members.append(Member(name, detector, one.manifest))
    found_, _ = MemberRunner(members).find(notes)
    assert [counter.calls for counter in counters] == [6, 0]
    assert found_[0] == found_[1] == one.detect(notes)


def test_rules_go_by_what_they_say_not_by_their_numbers() -> None:
    notes = make_notes(12, seed=1)
    detector = TbedLearner(tiny_rules(), language="en").fit(notes)
    rules = detector.tagger.model.rules
    # A rule that never fires goes first: every number changes, no rule does.
    idle = replace(rules[0], conditions=(replace(rules[0].conditions[0], value="qqqqq"),))
    shifted = detector.with_rules([idle, *rules])
    named, renamed = rule_namer(detector), rule_namer(shifted)
    pairs = zip(detector.detect(notes), shifted.detect(notes), strict=True)
    both = [(a, b) for one, other in pairs for a, b in zip(one, other, strict=True)]
    assert any(a.source != b.source for a, b in both)
    assert all(named(a).source == renamed(b).source != "" for a, b in both)
    patterns = make_regex_detector("en", "i2b2-2014")
    ((date,),) = patterns.detect([Document("a", "on 3/4/2019")])
    assert rule_namer(patterns)(date).source == date.source.removeprefix("regex:")
    assert rule_namer(Parrot())(Span(0, 1, "A", source="secret")).source == ""


# The artifact


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A saved ensemble of two detectors of patterns, stacked."""
    patterns = make_regex_detector("en", "i2b2-2014")
    members = [
        Member(name, part, describe_regex(part, "en", label_set="i2b2-2014", name=name))
        for name, part in (("x", patterns), ("y", patterns.only(["DATE"])), ("z", patterns))
    ]
    base = stacker()
    layout = replace(base.layout, labels=patterns.labels)
    columns = len(layout.names())
    support = np.zeros((2, columns), dtype=np.float32)
    support[1, layout.names().index("proposed")] = 1.0
    machine = replace(
        base.machine, mean=np.zeros(columns), spread=np.ones(columns), support=support
    )
    whole = replace(manifest(), labels=patterns.labels)
    detector = EnsembleDetector(
        members, replace(base, layout=layout, machine=machine), manifest=whole
    )
    save_artifact(tmp_path / "model", whole, files=detector.files())
    (tmp_path / "pickle").write_bytes(pickle.dumps(detector))
    return tmp_path / "model"


NOTE = Document("a", "Seen on 3/4/2019, call (212) 555-1234.\n")


def test_an_ensemble_is_saved_with_its_members(saved: Path) -> None:
    detector: Any = load_model(saved)
    before = pickle.loads((saved.parent / "pickle").read_bytes())
    assert detector.files() == before.files()
    assert [member.name for member in detector.members] == list(MEMBERS)
    (spans,) = detector.detect([NOTE])
    assert [(s.label, s.source) for s in spans] == [("DATE", "both:x+y+z"), ("PHONE", "both:x+z")]
    assert [(s, s.score) for s in spans] == [(s, s.score) for s in before.detect([NOTE])[0]]
    assert audit_model(saved).words == ()


def test_a_damaged_member_is_refused(saved: Path) -> None:
    path = saved / "y.patterns.json"
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(ArtifactError, match=r"y\.patterns\.json.*truncated or altered"):
        load_model(saved)


def _rewritten(saved: Path, **files: bytes | None) -> Artifact:
    """Return the artifact with files changed or taken out, and every hash true."""
    artifact = load_artifact(saved)
    content = {name: artifact.read(name) for name in artifact.manifest.files}
    for name, new in files.items():
        content.pop(name)
        if new is not None:
            content[name] = new
    save_artifact(saved, artifact.manifest, files=content, overwrite=True)
    return load_artifact(saved)


@pytest.mark.parametrize("missing", ["x.manifest.json", "combiner-support.npy", "z.patterns.json"])
def test_an_ensemble_without_one_of_its_files_is_refused(saved: Path, missing: str) -> None:
    _rewritten(saved, **{missing: None})
    with pytest.raises(ArtifactError):
        load_model(saved)


def test_parts_that_do_not_fit_together_are_refused(saved: Path) -> None:
    for content in (b"{}", b'{"members": ["x"], "combiner": {"method": "oracle"}}', b"[1]"):
        _rewritten(saved, **{"combiner.json": content})
        with pytest.raises(ArtifactError):
            load_model(saved)


def test_a_part_needs_a_name_without_a_dot() -> None:
    with pytest.raises(OutputError, match=r"'a\.b'"):
        nest_files("a.b", manifest(), {})
