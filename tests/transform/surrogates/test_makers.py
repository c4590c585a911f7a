"""What holds for the makers of places, telephones, addresses, codes and institutions alike."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates import ids, net_addresses, organizations, phones, places
from scrubjay.transform.surrogates._tables import languages
from scrubjay.transform.surrogates.draw import Draw, fold
from scrubjay.transform.surrogates.maker import Maker

KEY = b"0123456789abcdef0123456789abcdef"
MAKERS: Mapping[str, Maker] = {
    **places.MAKERS,
    "phone": phones.make,
    **net_addresses.MAKERS,
    **ids.MAKERS,
    **organizations.MAKERS,
}
SAMPLES = [
    "Boston", "BOSTON", "OH", "Ohio", "N.C.", "02139", "5492 PT", "28013", "Madrid", "Andalucía",
    "España", "Kenya", "12 Cedar St", "Calle del pez, 28", "Kloosterlaan 3, 5492 PT Sint-Oedenrode",
    "Elyria Memorial Hospital", "EMH", "UMCG", "baker", "(617) 555-0134 ext 22", "06-21449087",
    "a.b@c.example", "https://x.example/a/7", "10.0.0.1", "2001:db8::7e", "MRN 00714482", "s/n",
    "Salt\nLake", "SanFrancisco", "kamer 2.14", "0", "00", "***",
    "\u0661\u0662", "İstanbul", "\ud800",
    "MRN", "Hospital", "gmail.com", "x@gmail.com", "\u200b7", "  Assen  ", "IN", "Straße 9",
]  # fmt: skip
texts = st.one_of(
    st.sampled_from(SAMPLES),
    st.text(min_size=1, max_size=12).filter(str.strip),
    st.text("0123456789 -./()+abAB@:,", min_size=1, max_size=16).filter(str.strip),
)
kinds = st.sampled_from(sorted(MAKERS))
spoken = st.sampled_from(["en", "es", "nl", ""])


def make(
    kind: str, mentions: list[str], language: str = "en", *, others: tuple[str, ...] = ()
) -> list[str]:
    record = Record("d", "p", " ; ".join((*mentions, *others)), language)
    avoid = frozenset((*mentions, *others))
    return MAKERS[kind](mentions, record, Draw(KEY, "p"), avoid=avoid)


@settings(max_examples=200)
@given(kinds, st.lists(texts, min_size=1, max_size=5), st.lists(texts, max_size=4), spoken)
@example("address", [","], [], "en")
def test_no_surrogate_is_blank_or_an_original_of_the_record(
    kind: str, mentions: list[str], others: list[str], language: str
) -> None:
    made = make(kind, mentions, language, others=tuple(others))
    refused = {fold(text) for text in (*mentions, *others)}
    assert len(made) == len(mentions)
    for new in made:
        assert fold(new)
        assert fold(new) not in refused


@settings(max_examples=100)
@given(kinds, st.lists(texts, min_size=1, max_size=4), spoken)
def test_equal_mentions_get_equal_surrogates_and_edges_stay(
    kind: str, mentions: list[str], language: str
) -> None:
    twice = [*mentions, *mentions]
    made = make(kind, twice, language)
    assert made[: len(mentions)] == made[len(mentions) :]
    assert made == make(kind, twice, language)
    for old, new in zip(twice, made, strict=True):
        if old != old.strip() and kind not in ("id", "ssn"):
            assert new.startswith(old[: len(old) - len(old.lstrip())])
            assert new.endswith(old[len(old.rstrip()) :])


def test_other_patients_and_other_keys_get_other_surrogates() -> None:
    mentions = ["00714482", "551083"]
    record = Record("d", "p", "", "en")
    avoid = frozenset(mentions)
    made = {
        tuple(ids.make_ids(mentions, record, Draw(key, patient), avoid=avoid))
        for key in (KEY, KEY[::-1])
        for patient in ("p", "q")
    }
    assert len(made) == 4


def test_surrogates_are_the_same_in_another_process_under_another_hash_seed() -> None:
    mentions = {
        "city": ["Boston", "Springfield"],
        "hospital": ["Elyria Memorial Hospital"],
        "phone": ["617-555-0134"],
        "country": ["Kenyan"],
    }
    script = (
        "from tests.transform.surrogates.test_makers import make\n"
        f"for kind, mentions in {mentions!r}.items(): print(make(kind, mentions))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": ":".join(filter(None, sys.path))},
    )  # fmt: skip
    assert run.stdout.splitlines() == [str(make(kind, some)) for kind, some in mentions.items()]


def test_a_language_without_tables_is_an_error_without_the_text() -> None:
    for kind in sorted(MAKERS):
        with pytest.raises(ConfigError, match="language 'xx'") as caught:
            make(kind, ["Boston"], "xx")
        assert "Boston" not in str(caught.value)


def test_languages_are_found_by_their_tables_and_told_by_their_first_part() -> None:
    assert languages() == ["en", "es", "nl"]
    assert make("city", ["Boston"], "en-GB") == make("city", ["Boston"], "")


def test_a_record_that_uses_up_all_values_gets_longer_ones() -> None:
    digits = tuple("0123456789")
    assert [len(new) for new in make("id", ["7"], others=digits)] == [2]
