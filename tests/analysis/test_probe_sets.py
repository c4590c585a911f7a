"""The shipped probes: every one parses, none twice, and each pair shares a word with a term."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from scrubjay.analysis.probe_sets import (
    KEEP,
    ProbeSet,
    find_probes,
    parse_probes,
    probe_languages,
)
from scrubjay.errors import ConfigError, FormatError
from scrubjay.labels import find_label_set

LEAST = {"en": 300, "es": 200, "nl": 200}

SMALL = """language = "en"
frames = ["Dr. <DOCTOR>{given} {family}</DOCTOR> came."]
[device]
title = "Devices"
keep = ["<KEEP>Foley</KEEP> out."]
names = ["Dr. <DOCTOR>Foley</DOCTOR> came."]
"""


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


@pytest.fixture(params=probe_languages())
def probes(request: pytest.FixtureRequest) -> ProbeSet:
    """Return the shipped probes of one language after another."""
    return find_probes(request.param)


def test_every_language_has_enough_probes(probes: ProbeSet) -> None:
    kept = [probe for probe in probes.probes if probe.kept]
    assert len(kept) >= LEAST[probes.language]
    assert set(LEAST) == set(probe_languages())


def test_languages_have_the_same_categories() -> None:
    titles = [find_probes(language).titles for language in probe_languages()]
    assert all(one == titles[0] for one in titles)


def test_no_probe_and_no_term_is_there_twice(probes: ProbeSet) -> None:
    texts = Counter(probe.document.text for probe in probes.probes)
    terms = Counter(term for _, term in probes.terms())
    assert [text for text, count in texts.items() if count > 1] == []
    assert [term for term, count in terms.items() if count > 1] == []
    assert len({probe.document.id for probe in probes.probes}) == len(probes.probes)


def test_marks_hold_whole_trimmed_words(probes: ProbeSet) -> None:
    for probe in probes.probes:
        text = probe.document.text
        assert text == unicodedata.normalize("NFC", text)
        assert "<" not in text
        for span in probe.document.spans:
            marked = text[span.start : span.end]
            assert marked == marked.strip()
            assert marked[0].isalnum()
            assert not re.match(r"\w", text[span.end : span.end + 1])
            assert not re.search(r"\w$", text[: span.start])


def test_each_name_is_a_word_of_a_term_of_its_category(probes: ProbeSet) -> None:
    words: dict[str, set[str]] = {}
    for category, term in probes.terms():
        words.setdefault(category, set()).update(_words(term))
    for probe in probes.probes:
        for span in probe.names if probe.category not in probes.lines else ():
            assert _words(probe.document.text[span.start : span.end]) & words[probe.category]


def test_names_and_frames_have_known_labels(probes: ProbeSet) -> None:
    known = find_label_set("i2b2-2014")
    labels = {span.label for probe in probes.probes for span in probe.names}
    labels |= {label for frame in probes.frames for label in re.findall(r"<(\w+)>", frame)}
    for label in labels - {KEEP}:
        known.require(label)


def test_shipped_frames_hold_places_for_both_names(probes: ProbeSet) -> None:
    assert len(probes.frames) >= 10
    assert {"{given}", "{family}"} == set(re.findall(r"\{\w+\}", " ".join(probes.frames)))


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL)
    own = find_probes(str(path))
    assert [probe.document.id for probe in own.probes] == ["device/keep/1", "device/names/1"]
    assert list(own.terms()) == [("device", "Foley")]
    assert own.probes[1].names[0].label == "DOCTOR"


def test_what_lines_mark_is_no_term() -> None:
    lines = parse_probes(SMALL.replace("keep =", "lines = true\nkeep =").encode(), path="t")
    assert lines.lines == {"device"}
    assert list(lines.terms()) == []
    assert len(lines.probes) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('language = "en"', "", "names no language"),
        ('title = "Devices"', "", "device: is no category with a title"),
        ('["<KEEP>Foley</KEEP> out."]', '["Foley out."]', "device/keep/1: marks nothing"),
        ("<DOCTOR>Foley</DOCTOR>", "Foley", "device/names/1: marks nothing"),
        ('["<KEEP>Foley</KEEP> out."]', "[1]", "device.keep: is no list of strings"),
        ("</KEEP>", "", "is never closed"),
        ("keep =", "kept =", "unknown key 'kept'"),
        ("keep =", "lines = 1\nkeep =", "device.lines: says neither true nor false"),
        ("{given}", "{first}", "frames/1: is no frame"),
        ("<DOCTOR>{given} {family}</DOCTOR>", "{given}", "frames/1: is no frame"),
        ("[device]", "[device", "not valid TOML"),
    ],
)
def test_a_faulty_file_is_named_with_its_place(old: str, new: str, message: str) -> None:
    assert old in SMALL
    with pytest.raises(FormatError, match=re.escape(message)) as raised:
        parse_probes(SMALL.replace(old, new).encode(), path="mine.toml")
    assert str(raised.value).startswith("mine.toml")


def test_a_file_without_probes_is_an_error() -> None:
    with pytest.raises(FormatError, match="has no probes"):
        parse_probes(b'language = "en"', path="mine.toml")


def test_bytes_that_are_no_text_are_an_error() -> None:
    with pytest.raises(FormatError, match="byte 0: not UTF-8"):
        parse_probes(b"\xff", path="mine.toml")


def test_an_unknown_language_is_an_error_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="Known: en, es, nl"):
        find_probes("tlh")
