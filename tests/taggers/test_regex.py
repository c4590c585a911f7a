"""The patterns as detector, tagger and model; own patterns; errors that name file and entry."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import models
from scrubjay.artifacts import Manifest, encode_json, load_artifact, save_artifact
from scrubjay.cli import main as cli
from scrubjay.corpora import read_corpus
from scrubjay.corpora.inline import parse_inline
from scrubjay.deidentifier import load
from scrubjay.document import Document
from scrubjay.errors import ArtifactError, ConfigError, LabelError, OutputError
from scrubjay.labels import find_label_set
from scrubjay.languages import LANGUAGES
from scrubjay.spans import require_disjoint
from scrubjay.taggers._search.bounded import find_hazards
from scrubjay.taggers._search.matcher import Matcher, choose
from scrubjay.taggers.patterns import Pattern, find_patterns
from scrubjay.taggers.regex import (
    RegexDetector,
    RegexTagger,
    make_regex_detector,
    save_regex_model,
)
from scrubjay.tags import decode_tags, find_scheme
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import align_spans
from tests.oracles.patterns import choose_plainly, raw_matches
from tests.strategies import texts

LABEL_SETS = {"en": "i2b2-2014", "es": "meddocan", "nl": "trienes-2020"}
DETECTORS = {name: make_regex_detector(name, LABEL_SETS[name]) for name in LANGUAGES}


def check(language: str, marked: str) -> None:
    """Hold a detector to a text with inline tags: input and gold in one line."""
    gold = parse_inline(marked)
    (found,) = DETECTORS[language].detect([gold.with_spans(())])
    assert found == gold.spans


NOTES = {
    "en": [
        "Mr. <PATIENT>Roe</PATIENT> is a <AGE>45</AGE>-year-old seen by Dr. <DOCTOR>Ann Poe"
        "</DOCTOR> on <DATE>March 4, 2019</DATE>.",
        "MRN: <MEDICALRECORD>20755391</MEDICALRECORD>  DOB: <DATE>02/27/1976</DATE>",
        "<DOCTOR>Will O. Roe</DOCTOR>, MD, pager <PHONE>6630</PHONE>, fax "
        "<FAX>(303) 555-0172</FAX>",
        "lives at <STREET>145 Loganberry Lane</STREET>, <CITY>Las Roes</CITY>, "
        "<STATE>TX</STATE> <ZIP>77081</ZIP>",
        "BP 120/80, HR 72, K 4.1, aspirin 81 mg, strength 5/5, Parkinson's disease, Foley",
    ],
    "es": [
        "Nombre:  <NOMBRE_SUJETO_ASISTENCIA>Ana</NOMBRE_SUJETO_ASISTENCIA>.\n"
        "NHC: <ID_SUJETO_ASISTENCIA>368503</ID_SUJETO_ASISTENCIA>.\n"
        "CP: <TERRITORIO>28016</TERRITORIO>.\n"
        "Edad: <EDAD_SUJETO_ASISTENCIA>70 años</EDAD_SUJETO_ASISTENCIA> "
        "Sexo: <SEXO_SUJETO_ASISTENCIA>M</SEXO_SUJETO_ASISTENCIA>.",
        "Remitido por: Dra. <NOMBRE_PERSONAL_SANITARIO>Ana Roe Gil</NOMBRE_PERSONAL_SANITARIO>. "
        "E-mail: <CORREO_ELECTRONICO>a.roe@example.es</CORREO_ELECTRONICO>",
        "operada el <FECHAS>12 de junio de 2002</FECHAS>, TA 120/80, 500 mg cada 8 horas",
    ],
    "nl": [
        "dhr. <NAME>J. van der Roe</NAME>, <AGE>82 jr</AGE>, BSN <SSN>855102473</SSN>, "
        "gezien op <DATE>15 augustus 2002</DATE>, tel. <PHONE_FAX>06-52 77 18 03</PHONE_FAX>",
        "RR 120/80, 2x daags 500 mg, ziekte van Parkinson",
    ],
}


@pytest.mark.parametrize(
    ("language", "marked"), [(name, marked) for name, notes in NOTES.items() for marked in notes]
)
def test_notes(language: str, marked: str) -> None:
    check(language, marked)


def test_spans_name_the_pattern_that_found_them() -> None:
    (found,) = DETECTORS["en"].detect([Document("a", "seen 03/04/2019")])
    assert [(span.source, span.score) for span in found] == [("regex:date-numeric", None)]
    assert set(DETECTORS["en"].labels) >= {"DATE", "PHONE", "EMAIL", "MEDICALRECORD"}


def _pattern(name: str, pattern: str, *, priority: int = 50) -> Pattern:
    return Pattern(name=name, kind="id", pattern=pattern, priority=priority)


def test_overlaps_go_to_priority_then_length_then_place() -> None:
    long, short = _pattern("long", r"\d{4}-\d{2}"), _pattern("short", r"\d{4}")
    for order in ([long, short], [short, long]):
        detector = RegexDetector(order, {"id": "ID"})
        assert [span.source for span in detector.find("2019-03")] == ["regex:long"]
    high = _pattern("high", r"\d{4}(?=-)", priority=60)
    for order in ([long, short, high], [high, short, long]):
        detector = RegexDetector(order, {"id": "ID"})
        assert [(s.source, s.end) for s in detector.find("2019-03")] == [("regex:high", 4)]


matches = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 6), st.integers(0, 3)).map(
        lambda drawn: (drawn[0], drawn[0] + drawn[1], drawn[2])
    ),
    max_size=12,
)


@settings(max_examples=100)
@given(matches, st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_chosen_as_by_the_plain_choice(
    drawn: list[tuple[int, int, int]], priorities: list[int]
) -> None:
    assert choose(drawn, priorities) == choose_plainly(drawn, priorities)
    assert choose(drawn[::-1], priorities) == choose_plainly(drawn, priorities)


PIECES = (
    *(
        "Dr. ",
        "Roe",
        "Ann ",
        "MD",
        ", ",
        "March ",
        "4",
        " 2019",
        "12/12",
        "/2019",
        "NHC: ",
        "77081",
    ),
    *("(303) 555-0172", " x4417", "fax ", "jane@example.org", "www.example.org", "mother ", "\n"),
    *("15 augustus ", "dhr. ", "van der ", "Hospital", "Calle Mayor 3", "Edad: 70 años", "in 1998"),
    *("a", "7", " ", "MRN 12", "S64-11903", "TX ", "Patient: ", "kamer 9", "BSN 855102473", "'98"),
)


@settings(max_examples=60)
@given(
    st.sampled_from(LANGUAGES),
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
)
def test_tables_and_joined_expressions_lose_no_match(language: str, text: str) -> None:
    patterns = DETECTORS[language].patterns
    matcher = Matcher(patterns)
    raw = raw_matches(patterns, text)
    priorities = [pattern.priority for pattern in patterns]
    assert matcher.find(text) == choose_plainly(sorted(raw), priorities)


@settings(max_examples=60)
@given(st.sampled_from(LANGUAGES), st.lists(texts(), max_size=3))
def test_any_documents(language: str, drawn: list[str]) -> None:
    documents = [Document(str(number), text) for number, text in enumerate(drawn)]
    results = DETECTORS[language].detect(documents)
    assert len(results) == len(documents)
    for document, found in zip(documents, results, strict=True):
        assert require_disjoint(found, document_id=document.id) == found
        assert all(0 <= span.start < span.end <= len(document.text) for span in found)
        assert all(span.label in DETECTORS[language].labels for span in found)
        assert all(document.text[span.start : span.end].strip() for span in found)


def _tagged(language: str, tokenizer: str, scheme: str, drawn: Sequence[str]) -> None:
    labels = find_label_set(LABEL_SETS[language]).labels
    tagger = RegexTagger(DETECTORS[language], scheme=find_scheme(scheme), labels=labels)
    batch = [make_tokenizer(tokenizer).tokenize(text) for text in drawn]
    tags = tagger.tag(batch)
    assert [len(part) for part in tags] == [len(tokens) for tokens in batch]
    assert all(part.dtype == np.int16 for part in tags)
    for text, tokens, part in zip(drawn, batch, tags, strict=True):
        expected = align_spans(tokens, DETECTORS[language].find(text), mode="expand").ranges
        assert tuple(decode_tags(part, scheme=tagger.scheme, labels=labels)) == expected


@settings(max_examples=40)
@given(
    st.sampled_from(LANGUAGES),
    st.sampled_from(["subword", "whitespace"]),
    st.lists(texts() | st.lists(st.sampled_from(PIECES), max_size=9).map("".join), max_size=3),
)
def test_tags_are_those_of_the_spans(language: str, tokenizer: str, drawn: list[str]) -> None:
    _tagged(language, tokenizer, "BIOEU", drawn)


@pytest.mark.parametrize("scheme", ["BIO", "BIOEU"])
def test_tags_of_a_note(scheme: str) -> None:
    _tagged("en", "subword", scheme, ["Dr. Ann Roe-Poe 3/4/2019, 45-year-old", "", " \n "])


def test_two_spans_in_one_token_leave_it_to_the_longer() -> None:
    detector = make_regex_detector("en", "i2b2-2014")
    labels = ("DATE", "EMAIL")
    tagger = RegexTagger(detector, scheme=find_scheme("BIO"), labels=labels)
    text = "on 3/4/2019,jane.roe@example.org"
    tokens = make_tokenizer("whitespace").tokenize(text)
    assert [span.label for span in detector.find(text)] == ["DATE", "EMAIL"]
    assert tagger.tag([tokens])[0].tolist() == [0, 3]


def test_a_tagger_gives_its_labels_alone() -> None:
    tagger = RegexTagger(DETECTORS["en"], scheme=find_scheme("BIO"), labels=("DATE",))
    tokens = make_tokenizer("subword").tokenize("Dr. Roe 3/4/2019 jane.roe@example.org")
    names = tagger.scheme.tag_names(tagger.labels)
    assert {names[tag] for tag in tagger.tag([tokens])[0].tolist()} == {"O", "B-DATE", "I-DATE"}


def test_a_detector_goes_to_worker_processes() -> None:
    copy = pickle.loads(pickle.dumps(DETECTORS["es"]))
    document = Document("a", "NHC: 368503.\nCP: 28016.")
    assert copy.detect([document]) == DETECTORS["es"].detect([document])
    assert copy.labels == DETECTORS["es"].labels


# --- models


def test_a_model_is_saved_loaded_and_audited(tmp_path: Path) -> None:
    folder = tmp_path / "patterns-nl"
    manifest = save_regex_model(folder, "nl", label_set="trienes-2020")
    assert (manifest.kind, manifest.language, manifest.name) == ("regex", "nl", "patterns-nl")
    detector = models.load_model(folder)
    document = Document("a", "BSN 855102473, op 15 augustus 2002")
    assert detector.labels == DETECTORS["nl"].labels
    assert detector.detect([document]) == DETECTORS["nl"].detect([document])
    audit = models.audit_model(folder)
    assert audit.words == ()
    assert audit.consistent
    with pytest.raises(OutputError, match="already there"):
        save_regex_model(folder, "nl", label_set="trienes-2020")
    save_regex_model(folder, "nl", label_set="hipaa", overwrite=True)
    assert "SSN" in models.load_model(folder).labels


def test_commands_take_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_regex_model(tmp_path / "en", "en", label_set="i2b2-2014")
    (tmp_path / "note.txt").write_bytes(b"Seen 03/04/2019 by Dr. Roe.\r\n")
    arguments = ["deid", tmp_path / "note.txt", "--out", tmp_path / "out", "--summary", "-"]
    arguments.append("--model")
    assert cli.run([str(argument) for argument in [*arguments, tmp_path / "en"]]) == 0
    assert (tmp_path / "out" / "note.txt").read_bytes() == b"Seen [DATE-1] by Dr. [DOCTOR-1].\r\n"
    assert json.loads(capsys.readouterr().out)["phi_per_label"] == {"DATE": 1, "DOCTOR": 1}
    assert load(tmp_path / "en").deidentify("pager 6630") == "pager [PHONE-1]"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "TypeError"),
        ({"labels": {"id": "ID"}}, "KeyError"),
        ({"labels": {}, "patterns": [{"name": "x"}]}, "needs `kind`"),
    ],
)
def test_a_broken_model_is_an_error(tmp_path: Path, content: object, message: str) -> None:
    manifest = Manifest(
        name="x", kind="regex", language="en", label_set="", labels=("ID",), stores_words=False
    )
    save_artifact(tmp_path / "x", manifest, files={"patterns.json": encode_json(content)})
    with pytest.raises(ArtifactError, match=message):
        models.load_model(tmp_path / "x")


@pytest.mark.parametrize(
    ("pattern", "message"), [("(?:a+)+", "not safe"), ("(?<=a|bb)c", "no regular expression")]
)
def test_a_model_with_an_unsafe_pattern_is_an_error(
    tmp_path: Path, pattern: str, message: str
) -> None:
    save_regex_model(tmp_path / "good", "en", label_set="i2b2-2014")
    artifact = load_artifact(tmp_path / "good")
    content = artifact.read_json("patterns.json")
    content["patterns"][0]["pattern"] = pattern
    save_artifact(
        tmp_path / "bad", artifact.manifest, files={"patterns.json": encode_json(content)}
    )
    with pytest.raises(ArtifactError, match=message):
        models.load_model(tmp_path / "bad")


def test_patterns_are_compiled_when_they_are_first_used() -> None:
    matcher = Matcher(find_patterns("en").patterns)
    expressions = [entry.regex for entry in matcher._entries]
    assert not any(expression.is_compiled for expression in expressions)
    assert matcher.find("seen on 03/04/2019")
    assert 0 < sum(expression.is_compiled for expression in expressions) < 30
    matcher.compile()
    assert all(expression.is_compiled for expression in expressions)


# --- patterns of one's own

OWN = """
[labels.i2b2-2014]
bed = "ROOM"

[[patterns]]
name = "bed"
kind = "bed"
words = ["bed", "cot"]
pattern = '[ ](?P<span>{up}\\d{1,2})(?!\\w)'
examples = ["moved to bed {B12}."]
counter-examples = ["bed rest"]
"""


def _own(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_own_patterns_are_added(tmp_path: Path) -> None:
    detector = make_regex_detector("en", "i2b2-2014", extra_files=[_own(tmp_path, OWN)])
    (span,) = detector.find("in cot A3")
    assert (span.start, span.end, span.label, span.source) == (7, 9, "ROOM", "regex:bed")
    assert len(detector.patterns) == len(DETECTORS["en"].patterns) + 1


def test_own_patterns_replace_those_of_the_same_name_and_disable_others(tmp_path: Path) -> None:
    text = 'disabled = ["email"]\n' + OWN.replace('"bed"\nkind', '"date-numeric"\nkind')
    detector = make_regex_detector("en", "i2b2-2014", extra_files=[_own(tmp_path, text)])
    assert detector.find("on 03/04/2019 jane@example.org") == ()
    assert [span.label for span in detector.find("bed B12")] == ["ROOM"]


def test_an_own_label_set_takes_an_own_table(tmp_path: Path) -> None:
    labels = tmp_path / "ours.toml"
    labels.write_text('name = "ours"\nlabels = ["WHEN", "BED"]\n', encoding="utf-8")
    path = _own(tmp_path, OWN.replace("[labels.i2b2-2014]\n", "[labels.ours]\n"))
    with pytest.raises(ConfigError, match=r"no label of 'ours' for the kinds .*date"):
        make_regex_detector("nl", str(labels), extra_files=[path])
    table = find_patterns("nl").labels["i2b2-2014"]
    lines = "".join(f'{kind} = "{"WHEN" if kind == "date" else ""}"\n' for kind in table)
    path = _own(tmp_path, f'[labels.ours]\nbed = "BED"\n{lines}' + OWN.split("\n\n", 1)[1])
    detector = make_regex_detector("nl", str(labels), extra_files=[path])
    assert set(detector.labels) == {"WHEN", "BED"}
    with pytest.raises(ConfigError, match="no table says which label of 'ours'"):
        make_regex_detector("nl", str(labels))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("words =", "wordz =", r"own\.toml, pattern 'bed': unknown key 'wordz'"),
        ("[ ](?P<span>", "[ ]+(?P<span>", r"pattern 'bed': .*not safe: a repetition has no limit"),
        (r"\\d{1,2})", r"(?:\\d{1,2}){1,9})", "stands inside another"),
        (r"\\d{1,2})", r"\\d{1,2})(?P=span)", "refers back to a group"),
        ("[ ](?P<span>{up}\\d{1,2})(?!\\w)", "x{0,3}", "can match the empty text"),
        ("(?P<span>", "(?P<span>(", "no regular expression"),
        ("(?P<span>", "(?<=a|bb)(?P<span>", "no regular expression"),
        ("{up}", "{upper}", r"unknown fragment \{upper\}\. Known: .*up"),
        ("{B12}", "{b12", "example 1 marks no span"),
        ("bed {B12}", "bed {B1}2", "example 1 is not found as marked"),
        ("bed rest", "bed B1", "something is found in counter-example 1"),
        ("examples = [", "examples = 3 #", "must be a list of strings"),
        ('kind = "bed"', "", "needs `kind`"),
        ('kind = "bed"', 'kind = "Bed"', "small letters"),
        ('kind = "bed"', 'kind = "bed"\nstand = "near"', "`stand` must be one of"),
        ('kind = "bed"', 'kind = "bed"\ncase = "lower"', "`case` must be"),
        ('kind = "bed"', 'kind = "bed"\npriority = "high"', "`priority` must be a whole number"),
        ('"cot"', '"4th"', "must begin with a letter"),
        ('words = ["bed", "cot"]', 'stand = "last"', "`stand` needs `words`"),
        ('words = ["bed", "cot"]', 'at = [" "]', "`at` must hold"),
        ('bed = "ROOM"', "bed = 3", "must be a table of strings"),
        ("[labels.i2b2-2014]", "[label.i2b2-2014]", "unknown key 'label'"),
        ("[[patterns]]", "[patterns]", r"must be \[\[patterns\]\] tables"),
        ("[[patterns]]", "[[patterns", "not valid TOML"),
        ("\n[labels", '\ndisabled = ["nothing"]\n[labels', "unknown pattern 'nothing'"),
    ],
)
def test_a_broken_file_is_an_error_that_says_where(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    old, new = old.replace("\\\\", "\\"), new.replace("\\\\", "\\")
    assert old in OWN
    path = _own(tmp_path, OWN.replace(old, new))
    with pytest.raises(ConfigError, match=message) as caught:
        find_patterns("en", [path])
    assert str(path) in str(caught.value)


def test_names_are_unique_in_a_file(tmp_path: Path) -> None:
    path = _own(tmp_path, OWN + OWN[OWN.index("[[") :])
    with pytest.raises(ConfigError, match="two patterns are named 'bed'"):
        find_patterns("en", [path])


def test_unreadable_files_and_unknown_names_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        find_patterns("en", [tmp_path / "absent.toml"])
    (tmp_path / "latin.toml").write_bytes(b'disabled = ["\xe9"]')
    with pytest.raises(ConfigError, match="not UTF-8"):
        find_patterns("en", [tmp_path / "latin.toml"])
    with pytest.raises(ConfigError, match=r"language 'xx'\. Known: en, es, nl"):
        find_patterns("xx")
    wrong = OWN.replace('"ROOM"', '"BEDROOM"')
    with pytest.raises(LabelError, match="no label 'BEDROOM'"):
        make_regex_detector("en", "i2b2-2014", extra_files=[_own(tmp_path, wrong)])


@pytest.mark.parametrize("pattern", ["a+", "a*b", "(?:a{1,2}b){1,9}", "(?:a?b){1,999}", "(a)\\1"])
def test_hazards_are_seen(pattern: str) -> None:
    assert find_hazards(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *("a{1,20}", "(?:a{1,2}+b){1,9}", "(?:a{1,2}b){1,9}+", "(?:(?>a{1,2})b){1,9}"),
        *("(?:(?=a{1,2})b){1,9}", "(?:a{3}b?){1,9}", "(?:ab|c){2}"),
    ],
)
def test_bounded_patterns_have_no_hazard(pattern: str) -> None:
    assert find_hazards(pattern) == []


# --- accuracy, on data that is no part of the repository


@pytest.mark.parametrize(
    ("language", "dev", "precision", "recall"),
    [
        ("en", "en-notes/dev/brat", 0.90, 0.45),
        ("es", "meddocan/dev/brat", 0.95, 0.88),
        ("nl", "nl-notes/dev", 0.85, 0.20),
    ],
)
def test_precision_and_recall_on_dev(
    shared: Path, language: str, dev: str, precision: float, recall: float
) -> None:
    documents = list(read_corpus(shared / "corpora" / dev))
    found = DETECTORS[language].detect(documents)
    gold = {(d.id, s.start, s.end, s.label) for d in documents for s in d.spans}
    system = {
        (d.id, s.start, s.end, s.label)
        for d, spans in zip(documents, found, strict=True)
        for s in spans
    }
    assert len(gold & system) / len(system) >= precision
    assert len(gold & system) / len(gold) >= recall
