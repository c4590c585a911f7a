"""The tokenizers of the papers: their tables, exact cover, and the plain oracle."""

from __future__ import annotations

import pickle
import sys
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.text.chunks import CutCache
from scrubjay.text.tokenizers import TOKENIZERS, Tokenizer, make_tokenizer
from tests.oracles.subwords import subword_bounds
from tests.strategies import require_cover, texts

VARIANTS = [
    make_tokenizer("whitespace"),
    make_tokenizer("wi-deid"),
    make_tokenizer("wi-deid", rules="all", sentences="line"),
    make_tokenizer("jiang"),
    make_tokenizer("jiang", punctuation="keep", sentences="none"),
    make_tokenizer("subword"),
    make_tokenizer("subword", uppercase="every"),
    make_tokenizer("subword", uppercase="none", merges=[["e", "r"], ["V", "i"], ["1", "2"]]),
]


def _words(name: str, text: str, **parameters: object) -> str:
    return " ".join(make_tokenizer(name, **parameters).tokenize(text).words())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # He 2015, Table 1; the punctuation step parts the marks inside, as section 2.1 says
        ("PEND01/26/2098", "PEND 01 / 26 / 2098"),
        ("45-year-old", "45 - year - old"),
        ("CABG6/95", "CABG 6 / 95"),
        ("x76221", "x 76221"),
        ("X1-1335", "X 1 - 1335"),
        ("47798497-045-1949", "47798 497 - 045 - 1949"),
        ("ALMarital", "AL Marital"),
        ("34712RadiologyExam", "34712 RadiologyExam"),
        ("JaffreyMarital", "Jaffrey Marital"),
        # its introduction and section 2.1
        ("Since6/03/04", "Since 6 / 03 / 04"),
        ("2106-02-12", "2106 - 02 - 12"),
        # basic words
        ("Mr. J. Valdez,", "Mr. J . Valdez ,"),
        ("M.D., seen.", "M.D. , seen ."),
        ("the patient's", "the patient 's"),
        ("(784)032-8966", "( 784 ) 032 - 8966"),
        ("¿Dolor?", "¿ Dolor ?"),
        ("no.", "no ."),
        ("3.5,", "3.5 ,"),
        ("“quoted”", "“ quoted ”"),
        # the patterns hold for letters of every script
        ("JaénMarital", "Jaén Marital"),
        ("Jae\u0301nMarital", "Jae\u0301n Marital"),
        ("ÁÉMadrid", "ÁÉ Madrid"),
    ],
)
def test_wi_deid(text: str, expected: str) -> None:
    assert _words("wi-deid", text) == expected


def test_wi_deid_can_apply_all_of_its_rules() -> None:
    assert _words("wi-deid", "34712RadiologyExam", rules="all") == "34712 Radiology Exam"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Jiang 2017, Table 1
        ("a26 yo man", "a 26 yo man"),
        ("10/6/2098SOS", "10/6/2098 SOS"),
        ("USMeaningful", "US Meaningful"),
        ("WhalenChief", "Whalen Chief"),
        ("09/14/2067CPT", "09/14/2067 CPT"),
        ("109 121 1400Prior", "109 121 1400 Prior"),
        ("hcuutaj@bdd.comOther", "hcuutaj@bdd.com Other"),
        # what our words add
        ("497-045-1949,", "497-045-1949 ,"),
        ("ana.ruiz@post-sur.es.", "ana.ruiz@post-sur.es ."),
        ("48-year-old", "48 - year - old"),
        ("120/80", "120 / 80"),
        ("Dr.Smith", "Dr . Smith"),
        ("M.D.", "M.D."),
        ("3.5mg", "3.5 mg"),
        ("12/12/2016-13/12/2016", "12/12/2016 - 13/12/2016"),
        ("Lo\u0301pezChief", "Lo\u0301pez Chief"),
    ],
)
def test_jiang(text: str, expected: str) -> None:
    assert _words("jiang", text) == expected


def test_jiang_can_keep_the_marks_inside_words() -> None:
    assert (
        _words("jiang", "48-year-old at Dr.Smith", punctuation="keep") == "48-year-old at Dr.Smith"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("48-year-old in Edwin HealthCare", "48 - year - old in Edwin Health Care"),
        ("Dr.Smith", "Dr . Smith"),
        ("USMeaningful", "US Meaningful"),
        ("MRSA RBCs McGrath", "MRSA RBCs Mc Grath"),
        ("NºCol: 28", "Nº Col : 28"),
        ("12mg 5º_x", "12 mg 5 º _ x"),
        ("USE\u0301ric", "US E\u0301ric"),
        ("👨\u200d⚕\ufe0f", "👨\u200d ⚕\ufe0f"),
        ("a\u200bb", "a \u200b b"),
        ("\ufeffAnna", "\ufeff Anna"),
        ("\u0301\u0302x", "\u0301\u0302 x"),
        ("Smi\u00adth", "Smi\u00adth"),
    ],
)
def test_subword(text: str, expected: str) -> None:
    assert _words("subword", text) == expected


def test_subword_splits_at_every_capital_or_none() -> None:
    assert _words("subword", "HealthCare MRSA", uppercase="every") == "Health Care M R S A"
    assert _words("subword", "HealthCare MRSA", uppercase="none") == "HealthCare MRSA"


def test_subword_applies_its_merges() -> None:
    merges = [["a", "n"], ["an", "a"], ["1", "9"]]
    assert _words("subword", "banana 1946", merges=merges) == "b an ana 19 4 6"


@pytest.mark.parametrize("tokenizer", VARIANTS, ids=repr)
@given(text=texts())
@example(text="")
@example(text=" \r\n\x1c\u2029")
@example(text="\u0301")
@example(text="a\u0301\u0301B\u200d7\ufe0f-\u0301 \u200d")
@settings(max_examples=60)
def test_every_tokenizer_covers_the_text(tokenizer: Tokenizer, text: str) -> None:
    tokens = tokenizer.tokenize(text)
    require_cover(tokens)
    assert all(not any(map(str.isspace, word)) for word in tokens.words())
    assert tokens.starts.dtype == tokens.ends.dtype == tokens.sentence_starts.dtype == "int32"
    sentences = tokens.sentence_starts.tolist()
    assert sentences[:1] == ([0] if len(tokens) else [])
    assert sentences == sorted(set(sentences))
    assert all(0 <= first < len(tokens) for first in sentences)
    marks = {
        unicodedata.category(text[start])[0]
        for start in tokens.starts.tolist()
        if start and not text[start - 1].isspace()
    }
    assert "M" not in marks


@given(text=texts(), uppercase=st.sampled_from(["camel", "every", "none"]))
@settings(max_examples=100)
def test_subword_equals_the_oracle(text: str, uppercase: str) -> None:
    tokens = make_tokenizer("subword", uppercase=uppercase, sentences="none").tokenize(text)
    found = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
    assert found == subword_bounds(text, uppercase=uppercase)


letters = st.text(st.sampled_from("aAáÁe\u0301ñÑz90-. "), max_size=30)


@given(text=letters)
@settings(max_examples=100)
@pytest.mark.parametrize("tokenizer", VARIANTS[1:7], ids=repr)
def test_composed_and_decomposed_text_are_cut_alike(tokenizer: Tokenizer, text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    words = tokenizer.tokenize(composed).words()
    decomposed = [unicodedata.normalize("NFD", word) for word in words]
    assert tokenizer.tokenize(unicodedata.normalize("NFD", text)).words() == decomposed


@pytest.mark.parametrize("tokenizer", VARIANTS, ids=repr)
def test_tokenizers_rebuild_from_their_parameters_and_pickle_small(tokenizer: Tokenizer) -> None:
    text = " ".join(f"Word{number}Vincent12" for number in range(2000))
    expected = tokenizer.tokenize(text).words()
    assert make_tokenizer(tokenizer.name, **tokenizer.parameters()) == tokenizer
    pickled = pickle.dumps(tokenizer)
    assert len(pickled) < 500
    copy = pickle.loads(pickled)
    assert copy == tokenizer
    assert copy.tokenize(text).words() == expected


@pytest.mark.parametrize("tokenizer", VARIANTS, ids=repr)
def test_tokenizers_are_immutable(tokenizer: Tokenizer) -> None:
    with pytest.raises(AttributeError):
        tokenizer.sentences = "none"  # type: ignore[attr-defined]
    assert hash(tokenizer) == hash(make_tokenizer(tokenizer.name, **tokenizer.parameters()))


def test_offsets_are_code_points_around_astral_characters() -> None:
    tokens = make_tokenizer("subword").tokenize("𝔄\U00020bb7 Ana\r\n😀7")
    assert tokens.starts.tolist() == [0, 3, 8, 9]
    assert tokens.ends.tolist() == [2, 6, 9, 10]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("spacy", {}),
        ("subword", {"upper": "camel"}),
        ("subword", {"uppercase": "Camel"}),
        ("subword", {"uppercase": ["camel"]}),
        ("subword", {"merges": "ab"}),
        ("subword", {"merges": 7}),
        ("subword", {"merges": [["a"]]}),
        ("subword", {"merges": ["ab"]}),
        ("subword", {"merges": [["a", 1]]}),
        ("subword", {"merges": [5]}),
        ("wi-deid", {"rules": "second"}),
        ("jiang", {"punctuation": None}),
        ("whitespace", {"sentences": "stanza"}),
        ("whitespace", {"sentences": 3}),
    ],
)
def test_unknown_names_and_settings_are_refused(name: str, parameters: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        make_tokenizer(name, **parameters)


def test_every_listed_tokenizer_can_be_made() -> None:
    assert [make_tokenizer(name).name for name in TOKENIZERS] == list(TOKENIZERS)


def test_the_cache_of_cuts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.text.chunks._MOST_KEPT", 10)
    cache = CutCache(lambda word: (0,))
    for number in range(100):
        assert cache[str(number)] == (0,)
        assert len(cache) <= 10
    cache.clear()
    assert cache["x" * 10_000] == (0,)
    assert sys.getsizeof(cache) < 1000
    assert len(cache) == 0
