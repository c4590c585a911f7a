"""Folds: groups stay together, and every fold has something to say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import InputError
from scrubjay.learning._folds import hold_out, make_folds
from scrubjay.learning.ensemble_config import CrossfitSettings


def _documents(patients: list[int], *, phi: bool = True) -> list[Document]:
    spans = (Span(0, 3, "A"),) if phi else ()
    return [
        Document(f"{patient}-{number}", f"one {number}", spans)
        for number, patient in enumerate(patients)
    ]


@settings(max_examples=50)
@given(st.lists(st.integers(0, 8), min_size=12, max_size=30), st.integers(0, 3))
def test_the_documents_of_a_patient_are_in_one_fold(patients: list[int], seed: int) -> None:
    documents = _documents([*range(4), *patients])
    folds = make_folds(documents, CrossfitSettings(folds=3, by="patient", seed=seed))
    of_patient: dict[str, set[int]] = {}
    for document, fold in zip(documents, folds.numbers, strict=True):
        of_patient.setdefault(document.id.partition("-")[0], set()).add(fold)
    assert all(len(found) == 1 for found in of_patient.values())
    assert set(folds.numbers) == {0, 1, 2}
    for fold in range(3):
        inside, outside = folds.inside(fold, documents), folds.outside(fold, documents)
        assert sorted(d.id for d in inside + outside) == sorted(d.id for d in documents)
        assert {d.id for d in inside}.isdisjoint(d.id for d in outside)
    again = make_folds(documents[::-1], CrossfitSettings(folds=3, by="patient", seed=seed))
    assert again.numbers[::-1] == folds.numbers


def test_groups_are_found_by_themselves_where_ids_tell_them() -> None:
    several, one = _documents([1, 1, 2, 2, 3, 3]), _documents([1] * 6)
    plain = [replace(d, id=f"n{n}") for n, d in enumerate(several)]
    auto = CrossfitSettings(folds=3)
    assert make_folds(several, auto).by == "patient"
    assert make_folds(one, auto).by == "document"
    assert make_folds(plain, auto).by == "document"
    with pytest.raises(InputError, match="'n0' tells no patient"):
        make_folds(plain, CrossfitSettings(folds=3, by="patient"))
    keyed = CrossfitSettings(folds=3, by="patient", patient_key="id:n([01]|[23]|[45])")
    assert make_folds(plain, keyed).by == "patient"


def test_equal_texts_are_in_one_fold() -> None:
    documents = _documents(list(range(12)))
    documents += [replace(document, id=f"9{document.id}") for document in documents]
    folds = make_folds(documents, CrossfitSettings(folds=4, by="document"))
    assert folds.numbers[:12] == folds.numbers[12:]
    assert len(set(folds.groups)) == 12


def test_too_few_groups_are_refused() -> None:
    with pytest.raises(InputError, match="5 folds need 5 groups of documents, not 3"):
        make_folds(_documents([1, 2, 3]), CrossfitSettings())
    with pytest.raises(InputError, match="two training documents have the id '1-0'"):
        make_folds(_documents([1]) * 3, CrossfitSettings(folds=2))


def test_a_fold_without_a_label_is_named() -> None:
    documents = _documents([1, 2, 3, 4], phi=False)
    documents[3] = _documents([1, 2, 3, 4])[3]
    with pytest.raises(InputError, match=r"fold \d of 4 has no label: none of the \d documents"):
        make_folds(documents, CrossfitSettings(folds=4, by="document"))


def test_a_tenth_is_held_out_by_groups() -> None:
    documents = _documents([number // 2 for number in range(40)])
    groups = {document.id: document.id.partition("-")[0] for document in documents}
    kept, held = hold_out(documents, groups, seed=0)
    assert len(held) == 4
    assert {groups[d.id] for d in kept}.isdisjoint(groups[d.id] for d in held)
    assert sorted(d.id for d in kept + held) == sorted(d.id for d in documents)
    few = documents[:2]
    assert hold_out(few, groups, seed=0) == (few, [])
