"""The weights of a CRF, and of which member of an ensemble they are."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.analysis.weights import find_crf, moves, strongest_features
from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoder
from scrubjay.features.templates import parse_template
from scrubjay.models import load_model
from scrubjay.taggers._linear.weights import FeatureWeights
from scrubjay.taggers.crf import CrfModel

INFINITE = float("-inf")


def make_model() -> CrfModel:
    """Return a CRF of one label, with weights for `O` and `B-DATE` and none for `I-DATE`."""
    encoder = Encoder(
        [parse_template("lower@-1"), parse_template("lower@0 shape@0")],
        {"lower": {"on": 1, "may": 2}, "shape": {"Aaa": 1}},
    )
    features = FeatureWeights(
        templates=np.array([0, 0, 1], dtype=np.uint16),
        values=np.array([[1, 0, 0], [2, 0, 0], [2, 1, 0]], dtype=np.int32),
        indptr=np.array([0, 2, 3, 4], dtype=np.int32),
        tags=np.array([0, 1, 1, 1], dtype=np.uint16),
        weights=np.array([0.5, 1.5, -2.0, 1.75], dtype=np.float32),
    )
    transitions = np.full((3, 3), INFINITE)
    transitions[:2, :2] = [[2.0, -1.0], [0.5, 0.0]]
    return CrfModel(encoder, features, transitions, "BIO", ("DATE",))


def test_the_strongest_come_first_and_those_against_a_tag_last() -> None:
    found = [(f.tag, str(f), f.weight) for f in strongest_features(make_model(), most=9)]
    assert found == [
        ("O", "lower@-1=on", 0.5),
        ("B-DATE", "lower@0=may shape@0=Aaa", 1.75),
        ("B-DATE", "lower@-1=on", 1.5),
        ("B-DATE", "lower@-1=may", -2.0),
    ]


def test_the_largest_by_size_are_chosen_for_each_tag() -> None:
    found = [(f.tag, f.weight) for f in strongest_features(make_model(), most=2)]
    assert found == [("O", 0.5), ("B-DATE", 1.75), ("B-DATE", -2.0)]


def test_labels_leave_other_tags_out() -> None:
    model = make_model()
    assert {f.tag for f in strongest_features(model, most=9, labels=["DATE"])} == {"B-DATE"}
    assert {f.tag for f in strongest_features(model, most=9, labels=["O"])} == {"O"}
    with pytest.raises(ConfigError, match=r"no label 'AGE'\. It has: O, DATE"):
        list(strongest_features(model, most=9, labels=["AGE"]))


def test_moves_are_those_that_have_a_weight() -> None:
    found = [(m.source, m.target, m.weight) for m in moves(make_model())]
    assert found == [("O", "O", 2.0), ("B-DATE", "O", 0.5), ("O", "B-DATE", -1.0)]
    assert [m.weight for m in moves(make_model(), labels=["DATE"])] == [-1.0]


def test_the_crf_of_an_ensemble_is_found_by_itself_or_by_name() -> None:
    ensemble = load_model("es-fast")
    assert find_crf(ensemble) is find_crf(ensemble, "crf")
    with pytest.raises(ConfigError, match=r"no CRF 'patterns' in this model\. There are: crf"):
        find_crf(ensemble, "patterns")
    with pytest.raises(ConfigError, match="no CRF in this model"):
        find_crf(object())
