"""Pseudonyms: stable within a patient's record, unlinked between patients, never the original."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.transform.edits import apply_edits
from scrubjay.transform.operators import Mention
from scrubjay.transform.policy import find_policy
from scrubjay.transform.pseudonyms import Pseudonym

KEY = b"0123456789abcdef"
SHAPE = re.compile(r"\[PATIENT-[0-9a-f]{12}\]")


def replace(text: str, *, patient: str = "", document: str = "note", key: bytes = KEY) -> str:
    mention = Mention(Span(0, max(len(text), 1), "PATIENT"), text, document, patient)
    return Pseudonym(key).replace(mention)


def test_a_pseudonym_is_the_same_on_every_machine() -> None:
    assert replace("Jane Roe", patient="7") == "[PATIENT-3f6b0475de86]"


def test_one_value_has_one_pseudonym_in_a_record() -> None:
    codes = {
        replace(text, patient="7", document=document)
        for text in ("Jane Roe", "JANE ROE", "jane\n roe")
        for document in ("a", "b")
    }
    assert len(codes) == 1


def test_patients_keys_and_labels_have_pseudonyms_of_their_own() -> None:
    doctor = Mention(Span(0, 8, "DOCTOR"), "Jane Roe", "note", "7")
    codes = [
        replace("Jane Roe", patient="7"),
        replace("Jane Roe", patient="8"),
        replace("Jane Roe"),
        replace("Jane Roe", document="7"),
        replace("Jane Roe", patient="7", key=KEY[::-1]),
        Pseudonym(KEY).replace(doctor).replace("DOCTOR", "PATIENT"),
    ]
    assert len(set(codes)) == len(codes)


@given(st.text(), st.text())
def test_a_pseudonym_is_a_label_and_a_code_and_stays(text: str, patient: str) -> None:
    new = replace(text, patient=patient)
    assert SHAPE.fullmatch(new)
    assert replace(new, patient=patient) == new


def test_the_policy_needs_a_key() -> None:
    with pytest.raises(ConfigError, match="needs a key, which is missing"):
        find_policy("pseudonym")
    with pytest.raises(ConfigError, match="must be 8 to 64"):
        Pseudonym(KEY, digits=4)
    policy = find_policy("pseudonym", key=KEY)
    document = Document("note", "Jane Roe, JANE ROE")
    plan = policy.plan(document, (Span(0, 8, "PATIENT"), Span(10, 18, "PATIENT")), patient="7")
    code = replace("Jane Roe", patient="7")
    assert apply_edits(document.text, plan).text == f"{code}, {code}"
    assert KEY.decode() not in repr(policy)
