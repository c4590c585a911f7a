"""The operator: dispatch by kind, keys by patient, placeholders where there is no surrogate."""

import gc
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.labels import KINDS, kind_of
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.policy import find_policy
from scrubjay.transform.surrogates import operator
from scrubjay.transform.surrogates._fresh import is_telling
from scrubjay.transform.surrogates.draw import fold
from scrubjay.transform.surrogates.operator import MAKERS, Surrogate, find_maker
from tests.transform.alone import replace_alone
from tests.transform.surrogates.holding import holds

KEY = b"0123456789abcdef0123456789abcdef"
LABELS = ("PATIENT", "INITIALS", "HOSPITAL", "CITY", "ZIP", "PHONE", "EMAIL", "IDNUM", "STREET",
          "PROFESSION", "STATE", "COUNTRY", "USERNAME", "OTHER")  # fmt: skip


def replace(*rows: tuple[str, str], patient: str = "p", language: str = "en") -> list[str]:
    mentions, position, text = [], 0, ""
    for label, words in rows:
        mentions.append(Mention(Span(position, position + len(words), label), words, "d", patient))
        text += words + " "
        position = len(text)
    record = Record("d", patient, text, language)
    return Surrogate(KEY).replace_all(mentions, record)


def test_it_sees_all_mentions_of_a_document_together() -> None:
    full, doctor, part = replace(("PATIENT", "John Smith"), ("DOCTOR", "Lee"), ("PATIENT", "Smith"))
    assert part == full.split()[1]
    assert doctor != part


def test_entities_of_html_are_read_as_what_they_mean() -> None:
    plain = replace(("PATIENT", "José Muñoz"), ("PHONE", "617-555-0122"))
    marked = replace(("PATIENT", "Jos&eacute; Mu&ntilde;oz"), ("PHONE", "617&#45;555&#45;0122"))
    assert marked == plain


def test_every_kind_has_a_maker_or_gets_a_placeholder() -> None:
    without = {"relative", "sex", "other", "date"}
    assert set(KINDS) - set(MAKERS) == without
    for kind, entry in MAKERS.items():
        assert callable(find_maker(entry if ":" in entry else f"{entry}:{kind}"))
    assert replace(("OTHER", "the twins"), ("SEXO_SUJETO_ASISTENCIA", "mujer")) == [
        "[OTHER-1]",
        "[SEXO_SUJETO_ASISTENCIA-1]",
    ]


def test_blank_mentions_get_placeholders() -> None:
    assert replace(("PATIENT", "\n "))[0] == "[PATIENT-1]"


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.one_of(
    st.sampled_from(("John Smith", "Boston", "02139", "617-555-0100", "St. Mary's Hospital")),
    st.text(min_size=1, max_size=8))), max_size=5))  # fmt: skip
def test_no_surrogate_is_empty_or_an_original(rows: list[tuple[str, str]]) -> None:
    try:
        found = replace(*rows)
    except ConfigError:
        return  # the document fails; no original stays
    originals = {fold(text) for _, text in rows}
    assert len(found) == len(rows)
    for new in found:
        assert new.strip()
        assert fold(new) not in originals
    for new, (label, old) in zip(found, rows, strict=True):
        if label != "DATE" and is_telling(old):
            assert not holds(new, old)


class _Keeper:
    """Gives surrogates that have the original in them."""

    def __call__(self, mention_texts: list[str], *_: object, **__: object) -> list[str]:
        return [f"Cedar {text}" for text in mention_texts]


def test_a_maker_that_leaves_the_original_inside_gives_a_placeholder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(operator, "find_maker", lambda entry: _Keeper())
    assert replace(("HOSPITAL", "Aetna")) == ["[HOSPITAL-1]"]


def test_patients_and_lone_documents_have_draws_of_their_own() -> None:
    one, two = replace(("PATIENT", "John Smith")), replace(("PATIENT", "John Smith"), patient="q")
    assert one != two
    # A document named like a patient is no document of that patient.
    record = Record("p", "", "John Smith", "en")
    mention = Mention(Span(0, 10, "PATIENT"), "John Smith", "p")
    assert Surrogate(KEY).replace_all([mention], record) != one


def test_the_same_in_another_process_under_another_hash_seed() -> None:
    rows = (("PATIENT", "Bob Smith"), ("CITY", "Boston"), ("DATE", "3 May 2010"), ("ZIP", "02139"))
    script = (
        f"from tests.transform.surrogates.test_operator import replace\nprint(replace(*{rows!r}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True,
        env={"PYTHONHASHSEED": "5", "PYTHONPATH": ":".join([".", *sys.path])},
    )  # fmt: skip
    assert run.stdout.strip() == repr(replace(*rows))


def test_the_language_of_the_operator_serves_documents_that_tell_none() -> None:
    mention = Mention(Span(0, 12, "DATE"), "3 mei 2010", "d", "p")
    record = Record("d", "p", "3 mei 2010", "")
    shifted = Surrogate(KEY, language="nl").replace_all([mention], record)[0]
    assert kind_of("", "DATE") == "date"
    assert shifted != "3 mei 2010"
    assert shifted.split()[0].isdigit()


def test_a_mention_on_its_own_has_a_surrogate() -> None:
    mention = Mention(Span(0, 5, "PATIENT"), "Smith", "d", "p")
    assert replace_alone(Surrogate(KEY), mention) not in ("", "Smith")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"key": b""}, "need a key"),
        ({"key": b"short"}, "need a key"),
        ({"key": KEY, "language": "fr"}, "no tables for the language"),
        ({"key": KEY, "max_days": 3}, "largest shift"),
    ],
)
def test_bad_settings_are_errors(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Surrogate(**settings)  # type: ignore[arg-type]


def test_the_repr_shows_no_key() -> None:
    assert "0123" not in repr(Surrogate(KEY))


NOTES = st.lists(
    st.tuples(
        st.sampled_from((*LABELS, "DATE", "AGE")),
        st.sampled_from((
            "John Smith", "Smith", "Boston", "02139", "617-555-0100", "St. Mary's Hospital", " ",
            "jsmith@mail.org", "jsmith", "3/4/2012", "April", "61", "J.S.", "Zoë", "\ud800",
        )),
    ),
    max_size=8,
)  # fmt: skip


@given(st.lists(NOTES, max_size=4))
def test_documents_together_become_what_each_becomes_alone(notes: list[Any]) -> None:
    records = []
    for number, rows in enumerate(notes):
        text, mentions = "", []
        for label, words in rows:
            span = Span(len(text), len(text) + len(words), label)
            mentions.append(Mention(span, words, f"d{number}"))
            text += words + " "
        records.append((mentions, Record(f"d{number}", "", text, "en")))
    operator = Surrogate(KEY)
    for record, together in zip(records, operator.replace_many(records), strict=True):
        if isinstance(together, Exception):
            with pytest.raises(type(together)):
                operator.replace_all(*record)
        else:
            assert together == operator.replace_all(*record)


def test_a_document_leaves_no_garbage_that_has_to_be_found() -> None:
    rows = (("PATIENT", "John Q. Smith"), ("PATIENT", "Smith"), ("EMAIL", "smith@mail.com"),
            ("CITY", "Dayton"), ("HOSPITAL", "Dayton General"), ("DATE", "3/4/2012"))  # fmt: skip
    replace(*rows)  # what is read once is read
    gc.collect()
    replace(*rows, patient="q")
    assert gc.collect() == 0


def test_a_town_is_one_town_in_all_documents_of_a_record_and_within_names() -> None:
    marked = [
        "FROM <CITY>CEDAR BLUFF</CITY>, <STATE>IOWA</STATE>.",
        "told go to <HOSPITAL>mercy of cedar bluff</HOSPITAL> er",
        "Lives in <CITY>Cedar Bluff</CITY>.",
    ]
    documents = [parse_inline(each) for each in marked]
    for order in ([0, 1, 2], [2, 1, 0]):
        together = [(documents[n], documents[n].spans, "p") for n in order]
        policy = find_policy("surrogate", key=KEY)
        plans = policy.plan_all(together, language="en", shared=[0] * len(order))
        new = {}
        for (document, _, _), edits in zip(together, plans, strict=True):
            assert not isinstance(edits, Exception)
            new[document.text[:4]] = [edit.replacement for edit in edits]
        town = new["Live"][0]
        assert town.lower() == new["FROM"][0].lower()
        assert new["told"][0].endswith(f" of {town.lower()}")
