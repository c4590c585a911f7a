"""Label sets, label maps, and the tables that they are read from."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from scrubjay.document import Span
from scrubjay.errors import ConfigError, LabelError
from scrubjay.labels import (
    HIPAA_LETTERS,
    KINDS,
    LabelMap,
    find_label_map,
    find_label_set,
    kind_of,
    label_set_names,
    load_label_map,
    load_label_set,
    parse_label_map,
)

SIZES = {
    "binary": 1,
    "hipaa": 18,
    "i2b2-2006": 8,
    "i2b2-2014": 31,
    "meddocan": 29,
    "ngrid-2016": 31,
    "trienes-2020": 16,
}
MAIN = ("NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID")


def test_each_shipped_set_has_its_labels() -> None:
    assert {name: len(find_label_set(name).labels) for name in label_set_names()} == SIZES


@pytest.mark.parametrize("name", SIZES)
def test_each_definition_is_complete(name: str) -> None:
    labels = find_label_set(name)
    assert labels.name == name
    assert labels.title
    for label in labels.definitions:
        assert label.description
        assert labels[label.name] is label
        assert labels.category(label.name) == label.category
        assert label.hipaa is None or label.hipaa in HIPAA_LETTERS


@pytest.mark.parametrize("name", ["i2b2-2014", "ngrid-2016", "meddocan", "trienes-2020"])
def test_the_corpora_share_seven_main_categories(name: str) -> None:
    assert find_label_set(name).main_categories == (*MAIN, "OTHER")


def test_i2b2_has_25_sub_categories_and_three_whole_categories() -> None:
    labels = find_label_set("i2b2-2014")
    unreleased = {"ROOM", "DEPARTMENT", "OTHER"}
    released = [label for label in labels.definitions if label.name not in unreleased]
    assert len([label for label in released if label.name != label.category]) == 25
    assert {label.name for label in released if label.name == label.category} == {
        "PROFESSION",
        "AGE",
        "DATE",
    }


def test_hipaa_has_one_label_per_letter() -> None:
    letters = [label.hipaa for label in find_label_set("hipaa").definitions]
    assert letters == list(HIPAA_LETTERS)


@pytest.mark.parametrize(("corpus", "name"), [("en-notes", "i2b2-2014"), ("meddocan", "meddocan")])
def test_main_tags_are_those_of_the_corpus(shared: Path, corpus: str, name: str) -> None:
    labels = find_label_set(name)
    seen = set()
    for path in sorted((shared / "corpora" / corpus / "dev" / "xml").glob("*.xml")):
        tags = ElementTree.fromstring(path.read_bytes()).find("TAGS")
        assert tags is not None
        seen |= {(tag.tag, tag.attrib["TYPE"]) for tag in tags}
    assert len(seen) > 15
    assert {(labels.category(label), label) for _, label in seen} == seen


def test_the_labels_of_the_dutch_notes_are_known(shared: Path) -> None:
    labels = find_label_set("trienes-2020")
    seen = {
        line.split("\t")[1].split()[0]
        for path in (shared / "corpora" / "nl-notes").rglob("*.ann")
        for line in path.read_text("utf-8").splitlines()
    }
    assert seen == set(labels.labels)


def test_n_grid_extends_2014() -> None:
    old, new = find_label_set("i2b2-2014"), find_label_set("ngrid-2016")
    assert new.labels == old.labels
    assert new["PROFESSION"] != old["PROFESSION"]
    assert new["DATE"] == old["DATE"]


def test_an_unknown_label_offers_the_nearest() -> None:
    labels = find_label_set("i2b2-2014")
    with pytest.raises(LabelError, match=r"no label 'HOSPITL'\. Nearest: HOSPITAL"):
        labels.require("HOSPITL")
    with pytest.raises(LabelError, match="Nearest: IPADDR"):
        labels.category("ipaddress")
    with pytest.raises(LabelError, match=r"'QQQQ'\. Known: PATIENT"):
        labels["QQQQ"]


def test_labels_are_exact_but_spelled_forgives_case() -> None:
    labels = find_label_set("i2b2-2014")
    assert "DATE" in labels
    assert "Date" not in labels
    assert labels.spelled("Date") == "DATE"
    assert labels.require("DATE") == "DATE"


def test_an_unknown_set_offers_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"unknown label set 'meddocam'\. Nearest: meddocan"):
        find_label_set("meddocam")


@pytest.mark.parametrize("source", sorted(set(SIZES) - {"binary", "hipaa"}))
@pytest.mark.parametrize("target", ["i2b2-2014", "hipaa", "binary"])
def test_each_corpus_maps_to_i2b2_hipaa_and_binary(source: str, target: str) -> None:
    found = find_label_map(source, target)
    labels, counterparts = find_label_set(source), find_label_set(target)
    assert (found.source, found.target) == (source, target)
    assert set(found.table) | found.outside == set(labels.labels)
    assert set(found.table.values()) <= set(counterparts.labels)
    if target != "hipaa":
        assert found.outside == frozenset()


@pytest.mark.parametrize("source", sorted(set(SIZES) - {"binary", "hipaa"}))
def test_the_map_to_hipaa_follows_the_letters(source: str) -> None:
    letters = {label.name: label.hipaa for label in find_label_set("hipaa").definitions}
    found = find_label_map(source, "hipaa")
    for label in find_label_set(source).definitions:
        if label.hipaa is None:
            assert label.name in found.outside
        else:
            assert letters[found.map(label.name)] == label.hipaa


@pytest.mark.parametrize("source", ["meddocan", "trienes-2020"])
def test_maps_to_i2b2_keep_the_main_category_where_both_have_it(source: str) -> None:
    labels, i2b2 = find_label_set(source), find_label_set("i2b2-2014")
    moved = {
        label
        for label in labels.labels
        if i2b2.category(find_label_map(source, "i2b2-2014").map(label)) != labels.category(label)
    }
    assert moved == ({"DIREC_PROT_INTERNET"} if source == "meddocan" else set())


def test_a_map_inverts_where_no_two_labels_meet() -> None:
    found = find_label_map("i2b2-2006", "i2b2-2014")
    assert found.invertible
    back = found.inverse()
    assert all(back.map(found.map(label)) == label for label in find_label_set("i2b2-2006").labels)
    assert find_label_map("i2b2-2014", "i2b2-2006").map("LOCATION-OTHER") == "LOCATION"
    assert find_label_map("i2b2-2014", "ngrid-2016").invertible


def test_a_map_that_fuses_labels_does_not_invert() -> None:
    found = find_label_map("meddocan", "i2b2-2014")
    assert not found.invertible
    with pytest.raises(LabelError, match="HOSPITAL and CENTRO_SALUD both become HOSPITAL"):
        found.inverse()


def test_a_label_without_counterpart_raises() -> None:
    found = find_label_map("i2b2-2014", "hipaa")
    with pytest.raises(LabelError, match="'DOCTOR' of 'i2b2-2014' has no counterpart in 'hipaa'"):
        found.map("DOCTOR")
    with pytest.raises(LabelError, match="'DOCTOR'"):
        found.map_spans([Span(0, 1, "DATE"), Span(1, 2, "DOCTOR")])


def test_spans_keep_everything_but_the_label() -> None:
    mapped = find_label_map("i2b2-2014", "binary").map_spans([Span(2, 5, "DATE", 0.5, "crf")])
    assert mapped == (Span(2, 5, "PHI"),)
    assert (mapped[0].score, mapped[0].source) == (0.5, "crf")


def test_no_map_names_those_there_are() -> None:
    with pytest.raises(ConfigError, match="no label map from 'trienes-2020' to 'meddocan'"):
        find_label_map("trienes-2020", "meddocan")


def test_sets_and_maps_survive_pickling() -> None:
    labels = find_label_set("meddocan")
    copy = pickle.loads(pickle.dumps(labels))
    assert copy == labels
    assert copy.category("CALLE") == "LOCATION"
    found = find_label_map("meddocan", "i2b2-2014")
    assert pickle.loads(pickle.dumps(found)) == found


def test_own_sets_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'extends = "binary"\nlabels = ["WARD", { name = "PET", category = "NAME", hipaa = "R" }]\n'
    )
    labels = find_label_set(str(path))
    assert (labels.name, labels.labels) == ("own", ("PHI", "WARD", "PET"))
    assert labels.categories == {"PHI": "PHI", "WARD": "WARD", "PET": "NAME"}
    assert find_label_map(str(path), "hipaa").table == {"PET": "UNIQUE_CODE"}
    assert find_label_map(str(path), "binary").map("WARD") == "PHI"
    assert load_label_set(path) == labels


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("labels = [", "not valid TOML"),
        ("name = 'x'", "`labels` must be a list"),
        ("labels = []", "at least one label"),
        ("labels = ['A', 'A']", "'A' is defined twice"),
        ("labels = [3]", "label 1: must be a name or a table"),
        ("labels = ['A B']", "label 1: `name` must be letters"),
        ("labels = [{ category = 'A' }]", "label 1: `name`"),
        ("labels = [{ name = 'A', category = '<' }]", "label 1: `category`"),
        ("labels = [{ name = 'A', hipaa = 'S' }]", "from A to R"),
        ("labels = [{ name = 'A', direct = 1 }]", "true or false"),
        ("labels = [{ name = 'A', hippa = 'A' }]", "unknown key 'hippa'. Nearest: hipaa"),
        ("labels = ['A']\nextend = 'binary'", "unknown key 'extend'. Nearest: extends"),
        ("labels = ['A']\nextends = 'none'", "unknown label set 'none'"),
    ],
)
def test_a_broken_set_is_named_by_file_and_place(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(content)
    with pytest.raises(ConfigError, match=message):
        load_label_set(path)


def test_a_set_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: cannot be read"):
        find_label_set(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(ConfigError, match="byte 8: not UTF-8"):
        load_label_set(tmp_path / "latin.toml")


def test_own_maps_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text('source = "binary"\ntarget = "i2b2-2014"\n[table]\nPHI = "OTHER"\n')
    assert load_label_map(path) == LabelMap("binary", "i2b2-2014", {"PHI": "OTHER"})


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("source = 'binary'\ntarget = 'hipaa'", ConfigError, r"needs a `\[table\]`"),
        ("[table]\nPHI = 'DATE'", ConfigError, "`source` must name a label set"),
        ("source = 'binary'\ntarget = 'hipaa'\n[table]\nX = 'DATE'", LabelError, "no label 'X'"),
        ("source = 'binary'\ntarget = 'hipaa'\n[table]\nPHI = 'X'", LabelError, "no label 'X'"),
    ],
)
def test_a_broken_map_is_an_error(
    tmp_path: Path, content: str, error: type[Exception], message: str
) -> None:
    path = tmp_path / "map.toml"
    path.write_text(content)
    with pytest.raises(error, match=message):
        load_label_map(path)


def test_every_label_has_a_kind_and_no_name_has_two() -> None:
    seen: dict[str, str] = {}
    for name in label_set_names():
        for label in find_label_set(name).definitions:
            assert label.kind in KINDS
            assert seen.setdefault(label.name, label.kind) == label.kind
            assert kind_of(name, label.name) == kind_of("", label.name) == label.kind
    assert set(seen.values()) == set(KINDS)


def test_the_kind_of_a_label_that_names_none_follows_from_its_category(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        'labels = [{ name = "WARDEN", category = "NAME" }, "MOOD", { name = "DAY", kind = "date" }]'
    )
    ours = load_label_set(path)
    kinds = [kind_of(ours, label) for label in ("WARDEN", "MOOD", "DAY", "PATIENT")]
    assert kinds == ["name", "other", "date", "other"]
    assert kind_of(path, "DAY") == "date"
    path.write_text('labels = [{ name = "DAY", kind = "dat" }]')
    with pytest.raises(ConfigError, match=r"unknown kind 'dat'. Nearest: date"):
        load_label_set(path)
    with pytest.raises(ConfigError, match="unknown label set"):
        kind_of("i2b2-2041", "DATE")


def test_a_label_map_is_named_by_its_sets_or_its_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('source = "i2b2-2014"\ntarget = "hipaa"\n[table]\nDATE = "DATE"\n')
    assert parse_label_map(str(path)) == load_label_map(path)
    colon = path.rename(tmp_path / "i2b2:own.toml")
    assert parse_label_map(str(colon)) == load_label_map(colon)
    assert parse_label_map("i2b2-2014:binary") == find_label_map("i2b2-2014", "binary")
    assert parse_label_map("") is None
    for named in ("i2b2-2014", ":binary", "i2b2-2014:"):
        with pytest.raises(ConfigError, match="not a label map"):
            parse_label_map(named)
    with pytest.raises(ConfigError, match="cannot be read"):
        parse_label_map(str(tmp_path / "none.toml"))


def test_the_repr_of_a_label_set_is_short() -> None:
    assert repr(find_label_set("binary")).startswith("LabelSet(name='binary'")
    assert "Label(" not in repr(find_label_set("i2b2-2014"))
