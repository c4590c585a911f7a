"""What every learned tagger keeps, whatever it is inside: one line of `TAGGERS` for each."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.artifacts import Manifest, save_artifact
from scrubjay.detectors import Detector, turn_recall_dial
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.learning.learners import LEARNERS
from scrubjay.models import load_model
from scrubjay.spans import require_disjoint
from scrubjay.taggers.kinds import KINDS
from tests.corpus_samples import LABELS, make_notes, scored
from tests.strategies import texts


@dataclass(frozen=True)
class Contract:
    """How to fit a tagger of one kind; those that are `dialled` have probabilities and a dial."""

    fit: Callable[[Sequence[Document], int], Any]
    dialled: bool


def _crf() -> Contract:
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    from scrubjay.learning.crf import CrfLearner
    from tests.tiny_crf import tiny_config

    learner = CrfLearner(tiny_config(), language="en", name="tiny")
    return Contract(lambda documents, seed: learner.fit(documents, seed=seed), dialled=True)


def _adapted_crf() -> Contract:
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    from scrubjay.learning.crf import CrfLearner
    from scrubjay.learning.crf_adaptation import adapt_crf
    from tests.tiny_crf import tiny_config

    parent = CrfLearner(tiny_config(), language="en", name="tiny").fit(make_notes(8, seed=4))
    return Contract(lambda documents, seed: adapt_crf(parent, documents), dialled=True)


def _bilstm() -> Contract:
    from tests.tiny_networks import require_packages, tiny_network

    require_packages()
    from scrubjay.learning.bilstm import BilstmLearner

    learner = BilstmLearner(tiny_network(), language="en", name="tiny", device="cpu", threads=1)
    return Contract(lambda documents, seed: learner.fit(documents, seed=seed), dialled=True)


def _ensemble() -> Contract:
    pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    pytest.importorskip("sklearn", reason="training needs the extra `train`")
    from scrubjay.learning.ensemble import EnsembleLearner
    from tests.tiny_ensemble import tiny_ensemble

    learner = EnsembleLearner(tiny_ensemble(), language="en", label_set="i2b2-2014", name="tiny")
    return Contract(lambda documents, seed: learner.fit(documents, seed=seed), dialled=True)


def _tbed() -> Contract:
    from scrubjay.learning.tbed import TbedLearner
    from tests.tiny_tbed import tiny_rules

    learner = TbedLearner(tiny_rules(), language="en", name="tiny")
    return Contract(lambda documents, seed: learner.fit(documents, seed=seed), dialled=False)


def _transformer() -> Contract:
    from tests.tiny_transformer import require_packages, tiny_encoder, tiny_transformer

    require_packages()
    from scrubjay.learning.transformer import TransformerLearner

    config = tiny_transformer(tiny_encoder())
    learner = TransformerLearner(config, language="en", name="tiny", device="cpu")
    return Contract(lambda documents, seed: learner.fit(documents, seed=seed), dialled=True)


def _encoder_bilstm() -> Contract:
    from tests.tiny_transformer import require_packages, tiny_encoder, tiny_encoder_bilstm

    require_packages()
    from scrubjay.learning.encoder_bilstm import EncoderBilstmLearner

    config = tiny_encoder_bilstm(tiny_encoder(), epochs=16, patience=0)
    learner = EncoderBilstmLearner(config, language="en", name="tiny", device="cpu")
    return Contract(lambda documents, seed: learner.fit(documents, seed=seed), dialled=True)


TAGGERS: dict[str, Callable[[], Contract]] = {
    "adapted-crf": _adapted_crf,
    "bilstm": _bilstm,
    "crf": _crf,
    "encoder-bilstm": _encoder_bilstm,
    "ensemble": _ensemble,
    "tbed": _tbed,
    "transformer": _transformer,
}


@dataclass(frozen=True)
class Fitted:
    """A fitted tagger as a detector."""

    contract: Contract
    detector: Any

    def save(self, folder: Path) -> Manifest:
        """Save it as a model of its kind."""
        return save_artifact(folder, self.detector.manifest, files=self.detector.files())

    def turned(self, dial: float) -> Any:
        """Return the detector at a dial; without one, as it is."""
        return turn_recall_dial(self.detector, dial) if self.contract.dialled else self.detector

    def require_dial(self) -> None:
        """Skip a test that is about the dial where there is none, once that is refused."""
        if not self.contract.dialled:
            with pytest.raises(ConfigError, match="has no recall dial"):
                turn_recall_dial(self.detector, 1.0)
            pytest.skip("a tagger without a recall dial")


@pytest.fixture(scope="module", params=sorted(TAGGERS))
def fitted(request: pytest.FixtureRequest) -> Fitted:
    """Each tagger in turn, fitted once."""
    contract = TAGGERS[request.param]()
    if request.param in ("encoder-bilstm", "transformer"):
        request.getfixturevalue("one_torch_thread")
    return Fitted(contract, contract.fit(make_notes(30, seed=1), 0))


@pytest.fixture(scope="module")
def notes() -> list[Document]:
    """Notes that no tagger was fitted on, without their gold."""
    return [note.with_spans(()) for note in make_notes(12, seed=2)]


def span_words(found: Sequence[Sequence[Span]], documents: Sequence[Document]) -> int:
    """Return how many pieces between white space the spans hold, each span by itself."""
    return sum(
        len(document.text[span.start : span.end].split())
        for spans, document in zip(found, documents, strict=True)
        for span in spans
    )


def covered(detector: Any, documents: Sequence[Document]) -> int:
    """Return how much a detector finds, in the unit that its dial weighs.

    A path weighs the tokens of its tokenizer. Words would not do: tokens within a word whose
    spans join (`2/` and `/2018` to `2/8/2018`) are more tokens in fewer pieces. An ensemble has
    no tokenizer and weighs the words of whole candidates.
    """
    found = detector.detect(documents)
    if not hasattr(detector, "tokenizer"):
        return span_words(found, documents)
    count = 0
    for spans, document in zip(found, documents, strict=True):
        tokens = detector.tokenizer.tokenize(document.text)
        for span in spans:
            whole = tokens.token_range(span.start, span.end, mode="strict")
            assert whole is not None
            count += whole[1] - whole[0]
    return count


def test_every_learner_has_a_contract() -> None:
    # An adapted CRF has no learner of its own: it is a CRF that goes on learning.
    assert set(TAGGERS) - {"adapted-crf"} == set(LEARNERS)
    # A recurrent tagger over an encoder is a recurrent tagger like any other once it is trained.
    assert set(LEARNERS) - {"encoder-bilstm"} <= set(KINDS)


def test_it_finds_phi(fitted: Fitted, notes: list[Document]) -> None:
    assert span_words(fitted.detector.detect(notes), notes) > 50


def test_spans_are_sorted_disjoint_inside_the_text_and_known(
    fitted: Fitted, notes: list[Document]
) -> None:
    assert set(fitted.detector.labels) == set(LABELS)
    for note, spans in zip(notes, fitted.detector.detect(notes), strict=True):
        assert require_disjoint(spans, document_id=note.id) == spans
        assert note.with_spans(spans).spans == spans
        assert {span.label for span in spans} <= set(fitted.detector.labels)
        for span in spans:
            assert note.text[span.start : span.end].strip() == note.text[span.start : span.end]


@pytest.mark.parametrize("dial", [-3.0, 0.0, 8.0])
def test_scores_are_probabilities(fitted: Fitted, notes: list[Document], dial: float) -> None:
    fitted.require_dial()
    scores = [span.score for spans in fitted.turned(dial).detect(notes) for span in spans]
    assert scores
    assert all(score is not None and 0.0 < score <= 1.0 for score in scores)


def test_a_saved_model_finds_the_same(
    fitted: Fitted, notes: list[Document], tmp_path: Path
) -> None:
    manifest = fitted.save(tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    assert scored(loaded.detect(notes)) == scored(fitted.detector.detect(notes))
    assert loaded.labels == tuple(fitted.detector.labels) == manifest.labels


def test_batch_size_and_order_do_not_matter(fitted: Fitted, notes: list[Document]) -> None:
    detect = fitted.detector.detect
    together = scored(detect(notes))
    assert [scored(detect([note]))[0] for note in notes] == together
    assert scored(detect(notes[::-1]))[::-1] == together
    assert scored(detect(notes[:5])) + scored(detect(notes[5:])) == together
    assert scored(detect(notes + notes)) == together + together


def test_big_batches_on_compiled_kernels_change_nothing(
    fitted: Fitted, notes: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")
    from scrubjay.features import encoder
    from scrubjay.taggers import _matching
    from scrubjay.taggers._decoding import probabilities as _probabilities
    from scrubjay.taggers._decoding import viterbi as _viterbi
    from scrubjay.taggers._linear import weights as _weights
    from scrubjay.taggers._search import matcher
    from scrubjay.text import tokenizers

    of_taggers = (_matching, matcher, _probabilities, _viterbi, _weights)
    found = {}
    for compiled in (False, True):
        for module in (tokenizers, encoder, *of_taggers):
            monkeypatch.setattr(
                module, "use_compiled", lambda size, *, answer=compiled, **_: answer
            )
        found[compiled] = fitted.detector.detect(notes)
    assert found[True] == found[False]
    for one, other in zip(sum(found[True], ()), sum(found[False], ()), strict=True):
        assert one.score == pytest.approx(other.score, abs=2e-6)
        assert one.source == other.source


def test_threads_may_share_it_while_caches_start_afresh(
    fitted: Fitted, notes: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrubjay.features.encoder.MAX_CACHED_WORDS", 20)
    detect = fitted.detector.detect
    expected = scored(detect(notes))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda note: scored(detect([note]))[0], notes * 8))
    finally:
        sys.setswitchinterval(interval)
    assert found == expected * 8


def test_without_scores_it_finds_the_same(fitted: Fitted, notes: list[Document]) -> None:
    from scrubjay.detectors import drop_scores

    found = drop_scores(fitted.detector).detect(notes)
    assert found == fitted.detector.detect(notes)
    for one, other in zip(sum(found, ()), sum(fitted.detector.detect(notes), ()), strict=True):
        assert one.source == other.source
    twin = pickle.loads(pickle.dumps(drop_scores(fitted.detector)))
    assert scored(twin.detect(notes)) == scored(found)


def test_empty_and_white_space_documents(fitted: Fitted, notes: list[Document]) -> None:
    blank = [Document("a", ""), Document("b", " "), Document("c", "\r\n\t\u00a0\u2028\n")]
    assert fitted.detector.detect(blank) == [(), (), ()]
    assert fitted.detector.detect([]) == []
    mixed = [blank[0], notes[0], blank[2], notes[1]]
    found = fitted.detector.detect(mixed)
    assert scored(found)[1::2] == scored(fitted.detector.detect(notes[:2]))
    assert found[::2] == [(), ()]


def test_worker_processes_can_have_it(fitted: Fitted, notes: list[Document]) -> None:
    twin = pickle.loads(pickle.dumps(fitted.detector))
    assert scored(twin.detect(notes)) == scored(fitted.detector.detect(notes))
    fitted.require_dial()
    turned = fitted.turned(8.0)
    expected = scored(turned.detect(notes))
    assert expected != scored(twin.detect(notes))
    assert scored(pickle.loads(pickle.dumps(turned)).detect(notes)) == expected


def test_a_pickle_does_not_grow_with_use(fitted: Fitted, notes: list[Document]) -> None:
    fresh = pickle.loads(pickle.dumps(fitted.detector))
    size = len(pickle.dumps(fresh))
    fresh.detect(notes)
    assert len(pickle.dumps(fresh)) == size


def test_the_input_is_unchanged_and_its_gold_unseen(fitted: Fitted, notes: list[Document]) -> None:
    before = copy.deepcopy(notes)
    plain = scored(fitted.detector.detect(notes))
    assert notes == before
    with_gold = make_notes(12, seed=2)
    assert scored(fitted.detector.detect(with_gold)) == plain


def test_detecting_twice_gives_the_same(fitted: Fitted, notes: list[Document]) -> None:
    first = scored(fitted.detector.detect(notes))
    fitted.detector.detect(make_notes(5, seed=9))
    assert scored(fitted.detector.detect(notes)) == first


def test_a_higher_recall_dial_never_finds_less(fitted: Fitted, notes: list[Document]) -> None:
    fitted.require_dial()
    dials = (-20.0, -4.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0)
    counts = [covered(turn_recall_dial(fitted.detector, dial), notes) for dial in dials]
    assert counts == sorted(counts)
    assert counts[0] < counts[dials.index(0.0)] < counts[-1]
    untouched = scored(turn_recall_dial(fitted.detector, 0.0).detect(notes))
    assert untouched == scored(fitted.detector.detect(notes))


def test_fitting_with_one_seed_gives_one_model(fitted: Fitted) -> None:
    again = fitted.contract.fit(make_notes(30, seed=1), 0)
    assert again.files() == fitted.detector.files()
    assert again.manifest == fitted.detector.manifest


def test_line_ends_and_odd_characters_keep_their_offsets(fitted: Fitted) -> None:
    text = "\ufeffSigned,\r\n\U0001f468\u200d\u2695\ufe0f Dr. Castell\u00a0on 3/4/2019\r\n"
    (spans,) = fitted.detector.detect([Document("a", text)])
    # A tiny network may take the title along; borders are those of the text in any case.
    assert {"Castell", "Dr. Castell"} & {text[span.start : span.end] for span in spans}


def test_entities_are_read_as_what_they_mean(fitted: Fitted, notes: list[Document]) -> None:
    escaped = [
        replace(note, text=re.sub("[AEaeio ]", lambda m: f"&#{ord(m[0])};", note.text))
        for note in notes
    ]
    plain, found = (fitted.detector.detect(documents) for documents in (notes, escaped))
    assert any(plain)
    for note, coded, spans, others in zip(notes, escaped, plain, found, strict=True):
        assert [(span.label, note.text[span.start : span.end]) for span in spans] == [
            (other.label, unescape(coded.text[other.start : other.end])) for other in others
        ]


def test_no_text_breaks_it(fitted: Fitted) -> None:
    detector: Detector = fitted.turned(3.0)

    @settings(max_examples=40)
    @given(st.lists(texts(), max_size=4))
    def check(bodies: list[str]) -> None:
        documents = [Document(str(number), body) for number, body in enumerate(bodies)]
        found = detector.detect(documents)
        assert len(found) == len(documents)
        for document, spans in zip(documents, found, strict=True):
            assert document.with_spans(spans).spans == spans
            require_disjoint(spans, document_id=document.id)
            if fitted.contract.dialled:
                assert all(span.score is not None and 0 < span.score <= 1 for span in spans)

    check()


def test_a_text_of_one_endless_word(fitted: Fitted) -> None:
    for character in ("a", "1", ":", "\n", "."):
        (spans,) = fitted.detector.detect([Document("a", character * 20_000)])
        assert all(span.end <= 20_000 for span in spans)
