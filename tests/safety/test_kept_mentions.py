"""What a policy keeps holds no name: a date, an age or a code stays only where it reads as one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.batch.proof import Prover
from scrubjay.deidentifier import Deidentified, Deidentifier, Failure
from scrubjay.document import Document, Span
from scrubjay.transform.operators import Keep, Redact
from scrubjay.transform.policy import Policy, find_policy
from tests.safety.mention_runs import Nothing, Row, prove_mentions

LIMITED = find_policy("limited-dataset")
OWN = Policy("own", Redact(), kinds={"date": Keep(), "age": Keep(), "zip": Keep()})
LABELS = {"en": "DATE", "es": "FECHAS", "nl": "DATE"}
DAYS = {
    "en": ["Mon", "Friday", "3/4", "3/4/2021", "May", "Dec.", "Tues,", "the 3rd of"],
    "es": ["lun", "viernes", "3/4", "3/4/2021", "3 de mayo", "mar", "sáb."],
    "nl": ["ma", "vrijdag", "3/4", "3-4-2021", "3 mei", "di", "za."],
}
SURNAMES = {
    "en": ["Rivera", "Banks", "Smith", "Lee", "Marsh", "BANKS", "rice", "O'Neill", "Summers"],
    "es": ["Rivera", "Bravo", "García Reyes", "de la Cruz", "LÓPEZ", "rivera"],
    "nl": ["Jansen", "de Vries", "van Dam", "JANSEN", "jansen", "Bakker"],
}


def output(rows: Sequence[Row], language: str, policy: Policy) -> str:
    """Return the proved output of a document of mentions."""
    return prove_mentions(rows, language, policy, head="On call: ", gap="; ").document.text


@pytest.mark.parametrize("policy", [LIMITED, OWN])
@pytest.mark.parametrize("language", ["en", "es", "nl"])
@given(data=st.data())
def test_a_name_in_a_date_does_not_stay(language: str, policy: Policy, data: st.DataObject) -> None:
    day = data.draw(st.sampled_from(DAYS[language]))
    name = data.draw(st.sampled_from(SURNAMES[language]))
    if day == "the 3rd of" and name == "Summers":
        name = "Banks"
    both = [(LABELS[language], f"{day} {name}"), (LABELS[language], "3/4/2019")]
    text = output(data.draw(st.permutations(both)), language, policy)
    assert name.casefold() not in text.casefold()
    assert "3/4/2019" in text


def test_a_list_of_who_is_on_call() -> None:
    rows = [("DATE", "Mon Rivera"), ("DATE", "Tue Banks"), ("DATE", "3/4/2021"), ("DATE", "Mon")]
    assert output(rows, "en", LIMITED) == "On call: [DATE-1]; [DATE-2]; 3/4/2021; Mon; "


def test_what_does_not_stay_is_looked_for_elsewhere() -> None:
    policy, text = LIMITED, "On call: Mon Rivera. Then Mon Rivera again"
    document = Document("d", text)
    deidentifier = Deidentifier(Nothing(), policy, language="en")
    prover = Prover(policy, language="en")
    ((result,),) = deidentifier.transform_records([[(document, (Span(9, 19, "DATE"),))]])
    assert isinstance(result, Deidentified)
    ((found,),) = prover.complete([[(document, result)]])
    assert [(span.start, span.end) for span in found] == [(9, 19), (26, 36)]
    ((outcome,),) = Prover(policy, language="en").prove([[(document, result)]])
    assert isinstance(outcome, Failure)
    assert outcome.code == "LeakError"


@pytest.mark.parametrize("policy", [LIMITED, find_policy("safe-harbor")])
def test_a_name_in_an_age_does_not_stay(policy: Policy) -> None:
    rows = [("AGE", "45 Rivera"), ("AGE", "45 Early"), ("AGE", "45 years")]
    text = output(rows, "en", policy)
    assert "Rivera" not in text
    assert "Early" not in text
    assert "45 years" in text


def test_a_name_in_a_zip_code_does_not_stay() -> None:
    assert output([("ZIP", "77001 Rivera"), ("ZIP", "TX 77001")], "en", LIMITED) == (
        "On call: [ZIP-1]; TX 77001; "
    )
