"""Every line of an expert determination is filled, or says that it was not given."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import Manifest, encode_json, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.evaluation.direct import find_direct_labels
from scrubjay.evaluation.reading import PairedCorpora
from scrubjay.evaluation.risk import Risk
from scrubjay.evaluation.risk_meter import RiskMeter
from scrubjay.reports.blocks import NOT_GIVEN, Section, Table, walk_blocks
from scrubjay.reports.determination import compose_determination
from scrubjay.reports.determination_facts import (
    SETTINGS,
    DeterminationFacts,
    read_determination_facts,
)
from scrubjay.reports.html import render_page
from tests.reports.pages import read_page

CANARY = "Wilhelmina"
TEXT = f"Seen by {CANARY} Lee, aged 71, on 3/4/2019"
GOLD = (Span(8, 22, "PATIENT"), Span(29, 31, "AGE"), Span(36, 44, "DATE"))
DRAWN = [f"p{n}-1" for n in range(4)]
LINES = [
    "Method",
    "Model and configuration, with hashes",
    "Sample and how it was drawn",
    "Agreement of annotators",
    "Recall by type, with intervals",
    "Documents with any leak",
    "Surrogate policy",
    "What remains",
]


def measure(*found: Span) -> Risk:
    gold = [Document(f"p{n}-1", TEXT, GOLD) for n in range(4)]
    predicted = [document.with_spans(found if n else GOLD) for n, document in enumerate(gold)]
    pairs = PairedCorpora(gold, predicted)
    return RiskMeter(pairs, direct=find_direct_labels(pairs.label_set), show_text=True).measure()


@pytest.fixture
def facts_file(tmp_path: Path) -> Path:
    """Return a file that gives everything, with what it names beside it."""
    save_artifact(
        tmp_path / "model",
        Manifest(
            name="ward",
            kind="crf",
            language="en",
            label_set="i2b2-2014",
            labels=("AGE",),
            stores_words=False,
            config={"c1": 0.1},
            seed=7,
            training_data={"documents": 12, "sha256": "abc"},
        ),
        files={"weights.bin": b"weights"},
    )
    (tmp_path / "ward.toml").write_text(
        'name = "ward"\ndefault = "placeholder"\n[labels]\nAGE = "keep"\nIDNUM = "hash"\n'
        'DATE = { operator = "mask", filler = "#" }\n'
    )
    figures = {"strict": 0.93, "relaxed": 0.95, "overlap": None, "kappa": 0.91}
    agreement = {
        "format_version": 1,
        "annotators": [{"name": "a"}, {"name": "b"}],
        "documents": 40,
        "means": [{"label": "DATE", **figures}],
    }
    (tmp_path / "agreement.json").write_text(json.dumps(agreement))
    plan = {"format_version": 1, "seed": 17, "frame_sha256": "f00d", "documents": DRAWN}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    facts = tmp_path / "facts.toml"
    facts.write_text("""
[release]
title = "Notes of 2019"
recipients = "a university"
purpose = "research on falls"
prepared_by = "the data office"
expert = "Dr. Rosa Vane"
date = 2026-03-01
[method]
description = "A CRF and a policy."
command = "scrubjay deid notes --policy ward.toml"
model = "model"
[sample]
population = 120000
drawn = "at random, stratified by ward"
drawn_by = "the data office"
plan = "plan.json"
[agreement]
description = "Two nurses, one judge."
report = "agreement.json"
[policy]
description = "Placeholders."
file = "ward.toml"
[remains]
description = "Rare professions."
safeguards = "A data use agreement."
known = ["A mayor may be recognised.", "Free dates."]
""")
    return facts


def shown(risk: Risk, facts: DeterminationFacts) -> str:
    return read_page(render_page(compose_determination(risk, facts))).text


def test_every_setting_stands_in_the_page(facts_file: Path) -> None:
    facts = read_determination_facts(facts_file)
    text = shown(measure(Span(36, 44, "DATE")), facts)
    folder = facts_file.parent
    manifest = hashlib.sha256((folder / "model" / "manifest.json").read_bytes()).hexdigest()
    config = hashlib.sha256(encode_json({"c1": 0.1})).hexdigest()
    files = [
        hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("model/weights.bin", "ward.toml", "agreement.json", "plan.json")
    ]
    for piece in (manifest, config, *files, "f00d", "17", "120000", "2026-03-01", "0.9300"):
        assert piece in text
    given = [
        value
        for line in facts_file.read_text().splitlines()
        if line.split(" = ")[0] not in {"model", "plan", "report", "file", "population"}
        for value in re.findall('"([^"]*)"', line)
    ]
    assert len(given) == 15
    assert [value for value in given if value not in text] == []
    assert NOT_GIVEN not in text
    assert "filler = '#'" in text
    assert "164.514(c)" in text
    assert "kept by the policy, AGE" in text


def test_what_is_not_given_says_so_in_every_line() -> None:
    page = compose_determination(measure(), DeterminationFacts())
    titles = [block.title for block in page.blocks if isinstance(block, Section)]
    assert titles == ["Overview", *(f"{n}. {line}" for n, line in enumerate(LINES, start=1))]
    assert {value for _, value in page.facts[:-1]} == {NOT_GIVEN}
    measured = {"5", "6"}
    for number, section in enumerate(page.blocks):
        assert isinstance(section, Section)
        words = str(section)
        assert (NOT_GIVEN in words) == (str(number) not in measured), section.title


def test_figures_are_those_of_the_risk() -> None:
    risk = measure(Span(36, 44, "DATE"))
    page = compose_determination(risk, DeterminationFacts())
    tables = {block.title: block for block in walk_blocks(page.blocks) if isinstance(block, Table)}
    recall = {row[0]: row[1:] for row in tables["Recall by type (95%)"].rows}
    for row in risk.leakage.labels:
        share = risk.label_recall(row)
        assert recall[row.label][:3] == (str(share.trials), str(share.events), f"{share.value:.4f}")
        low, high, least = map(float, recall[row.label][3:])
        assert low <= share.interval.low < low + 0.0001
        assert high - 0.0001 < share.interval.high <= high
        assert least <= share.lower < least + 0.0001
    (documents, direct, *_) = tables["Documents with any leak (95%)"].rows
    assert documents[:4] == ("documents with any leak", "4", "3", "0.7500")
    assert direct[:4] == ("documents with a direct identifier", "4", "3", "0.7500")
    hidden = tables["Leaks hidden in plain sight"].rows
    leaks = risk.mention_leaks.value
    assert leaks is not None
    assert [row[3] for row in hidden] == [f"{leaks * (1 - found):.4f}" for found in (0.27, 0.68)]


def test_the_wider_bound_of_leaks_leads() -> None:
    risk = measure(*GOLD)
    page = compose_determination(risk, DeterminationFacts())
    tables = {block.title: block for block in walk_blocks(page.blocks) if isinstance(block, Table)}
    bounds = [row for row in tables["What remains, measured"].rows if "at most" in row[0]]
    assert bounds == [
        ("share of mentions, at most, documents as units", "0.5272"),
        ("share of mentions, at most, mentions as units", "0.2210"),
    ]
    hidden = [float(row[4]) for row in tables["Leaks hidden in plain sight"].rows]
    assert hidden == pytest.approx([0.5272 * 0.73, 0.5272 * 0.32], abs=2e-4)
    assert "stand and fall together" in str(page)


@pytest.mark.parametrize(
    ("population", "plan", "file", "place", "message"),
    [
        (3, None, "facts.toml", "sample.population", "cannot hold the 4 that were measured"),
        (9, {"frame_documents": 8}, "facts.toml", "sample.population", "drawn from 8"),
        (None, {"frame_documents": "8"}, "plan.json", "frame_documents", "a whole number"),
        (None, {"documents": 4}, "plan.json", "documents", "a list of ids"),
        (None, {"documents": DRAWN[:3]}, "plan.json", "documents", "'p3-1' was not drawn"),
        (None, {"documents": [*DRAWN, "q"]}, "plan.json", "documents", "'q' was not measured"),
        (
            None,
            {"documents": DRAWN, "frame_documents": 3},
            "plan.json",
            "documents",
            "4 documents cannot be drawn from 3",
        ),
    ],
)
def test_facts_that_contradict_are_refused(
    tmp_path: Path,
    population: int | None,
    plan: dict[str, Any] | None,
    file: str,
    place: str,
    message: str,
) -> None:
    facts = "[sample]\n" + ("" if population is None else f"population = {population}\n")
    if plan is not None:
        (tmp_path / "plan.json").write_text(json.dumps(plan))
        facts += 'plan = "plan.json"\n'
    (tmp_path / "facts.toml").write_text(facts)
    with pytest.raises(ConfigError, match=re.escape(message)) as caught:
        compose_determination(measure(), read_determination_facts(tmp_path / "facts.toml"))
    assert file in str(caught.value)
    assert place in str(caught.value)


def test_no_leak_seen_is_not_no_leak() -> None:
    text = shown(measure(*GOLD), DeterminationFacts())
    assert "No leak was seen. That does not show that there is none" in text
    assert re.search(r"documents with any leak\s*4\s*0\s*0\.0000\s*0\.0000", text)
    assert "0.5272" in text  # 1 - 0.05 ** (1 / 4), rounded up


def test_no_text_of_a_document_is_in_the_page() -> None:
    risk = measure()
    assert any(leak.text for leak in risk.leakage.leaks)
    markup = render_page(compose_determination(risk, DeterminationFacts()))
    assert CANARY not in markup
    assert "Shows no text of documents" in markup


def test_no_verdict_is_given() -> None:
    text = shown(measure(*GOLD), DeterminationFacts()).lower()
    assert "anonym" not in text
    assert "very small" not in text


def test_a_sample_without_phi_makes_a_page() -> None:
    empty = [Document("p1-1", "nothing here")]
    pairs = PairedCorpora(empty, empty)
    risk = RiskMeter(pairs, direct=find_direct_labels(pairs.label_set)).measure()
    assert "nothing can be said of recall" in shown(risk, DeterminationFacts())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[relase]\n", "unknown table 'relase'"),
        ('release = "x"\n', "'release' must be a table"),
        ('[method]\nkey = "x"\n', "unknown setting 'key'"),
        ("[method]\nmodel = 3\n", "'model' must be a string"),
        ("[sample]\npopulation = -1\n", "'population' must be a whole number"),
        ("[sample]\npopulation = true\n", "'population' must be a whole number"),
        ("[remains]\nknown = [1]\n", "'known' must be a list of strings"),
        ('[method]\nmodel = "none-such"\n', "unknown model 'none-such'"),
        ('[policy]\nfile = "none.toml"\n', "cannot be read"),
        ('[agreement]\nreport = "none.json"\n', "cannot be read"),
        ("[method\n", "not valid TOML"),
    ],
)
def test_wrong_facts_are_told(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "facts.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=re.escape(message)):
        read_determination_facts(file)


@pytest.mark.parametrize(
    "record",
    ["{", "[]", "{}", '{"format_version": 2}', '{"format_version": 1, "means": [{}]}'],
)
def test_a_report_of_agreement_must_be_one(tmp_path: Path, record: str) -> None:
    (tmp_path / "a.json").write_text(record)
    file = tmp_path / "facts.toml"
    file.write_text('[agreement]\nreport = "a.json"\n')
    with pytest.raises(ConfigError, match=r"not (a report of agreement|valid JSON|a JSON object)"):
        read_determination_facts(file)


def test_a_model_that_was_altered_is_told(facts_file: Path) -> None:
    (facts_file.parent / "model" / "weights.bin").write_bytes(b"other")
    with pytest.raises(ArtifactError):
        read_determination_facts(facts_file)


def test_facts_that_are_not_utf8_or_absent_are_told(tmp_path: Path) -> None:
    file = tmp_path / "facts.toml"
    with pytest.raises(ConfigError, match="cannot be read"):
        read_determination_facts(file)
    file.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="not UTF-8"):
        read_determination_facts(file)


def test_the_page_of_documentation_names_every_setting() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
    settings: list[Any] = [name for names in SETTINGS.values() for name in names]
    missing = [name for name in settings if not re.search(rf"^{name} = ", page, re.MULTILINE)]
    assert missing == []
