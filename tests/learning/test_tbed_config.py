"""Configurations of the rule learner: the shipped one, one's own, and what they may not say."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from scrubjay.errors import ConfigError
from scrubjay.features.templates import FeatureConfig
from scrubjay.labels import find_label_set
from scrubjay.languages import LANGUAGES
from scrubjay.learning.configs import config_names, find_config, find_crf_config, parse_config
from scrubjay.learning.learners import LEARNERS, make_learner
from scrubjay.learning.tbed import TbedLearner
from scrubjay.learning.tbed_config import TbedConfig, TbedTraining
from scrubjay.taggers.rules import require_attribute
from scrubjay.text.tokenizers import make_tokenizer
from tests.tiny_crf import tiny_config
from tests.tiny_tbed import TINY_RULES, tiny_rules

LABEL_SETS = {"en": "i2b2-2014", "es": "meddocan", "nl": "trienes-2020"}
MINIMAL = 'kind = "tbed"\n[templates.groups]\nwords = ["lower"]\n'


def shipped() -> TbedConfig:
    """Return the rule learner of Zhao 2020."""
    config = find_config("zhao2020-tbed")
    assert isinstance(config, TbedConfig)
    return config


def test_the_rule_learner_of_the_paper_ships() -> None:
    config = shipped()
    assert config.citation.startswith("Zhao 2020")
    assert (config.kind, config.initial) == ("tbed", "regex")
    tokenizer = dict(config.tokenizer)
    assert make_tokenizer(tokenizer.pop("name"), **tokenizer).tokenize("a b").words() == ["a", "b"]


def test_the_shipped_file_says_nothing_that_is_passed_over() -> None:
    source = resources.files("scrubjay.resources") / "configs" / "zhao2020-tbed.toml"
    table = tomllib.loads(source.read_text(encoding="utf-8"))
    parsed = shipped().table()
    for key, value in table["training"].items():
        assert parsed["training"][key] == value
    assert parsed["tokenizer"] == table["tokenizer"]
    for name, texts in table["templates"]["groups"].items():
        assert len(parsed["templates"]["groups"][name]) == len(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_expands_for_every_language(language: str) -> None:
    labels = find_label_set(LABEL_SETS[language]).labels
    templates = shipped().templates.expand(language=language, labels=labels)
    assert len(templates) > 60
    assert len(set(templates)) == len(templates)
    attributes = {part.attribute for template in templates for part in template.parts}
    assert not any("*" in name for name in attributes)
    for name in attributes:
        require_attribute(name)
    lexicons = {name.split(":")[1].split(".")[0] for name in attributes if "lexicon" in name}
    assert lexicons <= {language, "world"}


def test_a_manifest_keeps_the_whole_configuration() -> None:
    for config in (shipped(), tiny_rules(patience=3, min_accuracy=0.5)):
        table = config.table()
        groups = "".join(
            f"{name} = {list(texts)!r}\n" for name, texts in table["templates"]["groups"].items()
        )
        text = (
            f"name = {table['name']!r}\nkind = 'tbed'\ncitation = {table['citation']!r}\n"
            f"scheme = {table['scheme']!r}\ninitial = {table['initial']!r}\n"
            f"[templates]\nscope = {table['templates']['scope']!r}\n"
            f"dictionary-documents = {table['templates']['dictionary-documents']}\n"
            f"[templates.groups]\n{groups}"
            "[tokenizer]\n"
            + "".join(f"{key} = {value!r}\n" for key, value in table["tokenizer"].items())
            + "[training]\n"
            + "".join(f"{key} = {value!r}\n" for key, value in table["training"].items())
        )
        again = parse_config(text, origin="again")
        assert again.table() == table


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINIMAL + "[training]\nmin-score = 3\n")
    config = find_config(str(path))
    assert isinstance(config, TbedConfig)
    assert (config.name, config.scheme, config.initial) == ("mine", "BIO", "regex")
    assert config.training == TbedTraining(min_score=3)


WRONG = [
    ('kind = "tbed"', "at least one template"),
    ('kind = "tbed"\n[templates.groups]\nwords = []', "at least one template"),
    (MINIMAL.replace('"lower"', '"lowr"'), r"words: 'lowr': unknown word attribute 'lowr'.*lower"),
    (MINIMAL.replace('"lower"', '"lower tga@-1"'), "'lower tga@-1': unknown word attribute"),
    (MINIMAL.replace('"lower"', '"lower lower"'), "'lower lower': two conditions"),
    (MINIMAL.replace('"lower"', '"lower tag"'), "tag@0 is the tag that a rule changes"),
    (MINIMAL.replace('"lower"', '"lower@7"'), "offsets ascend"),
    (MINIMAL.replace('"lower"', '"@1"'), "'@1' is no condition"),
    (MINIMAL.replace('"lower"', "3"), "must be a list of strings"),
    (MINIMAL.replace('["lower"]', '"lower"'), "must be a list of strings"),
    (MINIMAL + "[templates.groups]\n", "not valid TOML"),
    (MINIMAL + "[training]\nc1 = 3\n", "unknown setting 'c1'"),
    (MINIMAL + "[training]\nmin-score = 0\n", "min-score must be above 0"),
    (MINIMAL + "[training]\nmin-score = 1.5\n", "min-score must be a whole number"),
    (MINIMAL + "[training]\nmax-rules = true\n", "max-rules must be a whole number"),
    (MINIMAL + "[training]\npatience = -1\n", "patience must be at least 0"),
    (MINIMAL + "[training]\nmin-accuracy = 1.1\n", "min-accuracy must be at most 1"),
    (MINIMAL + "[training]\nmin-accuracy = nan\n", "min-accuracy must be at least 0"),
    (MINIMAL + '[training]\nalign = "guess"\n', "unknown training.align 'guess'"),
    ('initial = "spacy"\n' + MINIMAL, "unknown initial annotator 'spacy'.*regex, none"),
    ('scheme = "IOB"\n' + MINIMAL, "unknown tag scheme 'IOB'"),
    ("name = 3\n" + MINIMAL, "name must be a string"),
    ("speed = 3\n" + MINIMAL, "unknown setting 'speed'"),
    ('kind = "tbed"\n[templates]\nscope = "page"\n[templates.groups]\na = ["lower"]', "'page'"),
    ('kind = "tbed"\n[templates]\nwindow = 2\n[templates.groups]\na = ["lower"]', "'window'"),
    (
        'kind = "tbed"\n[templates]\ndictionary-documents = 0\n[templates.groups]\na = ["lower"]',
        "dictionary-documents must be",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_setting_is_named_with_its_file(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=rf"^mine\.toml: .*{message}"):
        parse_config(text, origin="mine.toml")


def test_a_name_with_a_colon_waits_for_the_language() -> None:
    config = parse_config(MINIMAL.replace('"lower"', '"lexicon:en.citties"'), origin="x")
    assert isinstance(config, TbedConfig)
    templates = config.templates.expand(language="en", labels=("CITY",))
    with pytest.raises(ConfigError, match=r"there is no lexicon 'en.citties'"):
        require_attribute(templates[0].parts[0].attribute)


def test_a_configuration_of_another_kind_is_no_crf() -> None:
    with pytest.raises(ConfigError, match="'zhao2020-tbed' is no configuration of a CRF"):
        find_crf_config("zhao2020-tbed")


def test_every_kind_has_a_learner(tmp_path: Path) -> None:
    assert {find_config(name).kind for name in config_names()} == set(LEARNERS)
    learner = make_learner(tiny_rules(), language="en", checkpoint=tmp_path / "rules")
    assert isinstance(learner, TbedLearner)
    assert learner.checkpoint == tmp_path / "rules"
    with pytest.raises(ConfigError, match="cannot be resumed"):
        make_learner(tiny_config(), language="en", checkpoint=tmp_path / "rules")


def test_the_tiny_configuration_is_as_its_file_says() -> None:
    assert parse_config(TINY_RULES, origin="tiny") == tiny_rules()
    assert FeatureConfig({}).scope == "document"
