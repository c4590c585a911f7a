"""The shipped configurations, and what a configuration of one's own may not say."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoder
from scrubjay.features.resources import expand_attributes
from scrubjay.features.templates import read_feature_config
from scrubjay.labels import find_label_set
from scrubjay.languages import LANGUAGES
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import (
    CrfConfig,
    CrfTraining,
    config_names,
    find_config,
    find_crf_config,
    parse_config,
)
from scrubjay.text.tokenizers import make_tokenizer

CRFS = [name for name in config_names() if find_config(name).kind == "crf"]
LABEL_SETS = {"en": "i2b2-2014", "es": "meddocan", "nl": "trienes-2020"}

MINIMAL = 'kind = "crf"\n[features.groups.words]\nattributes = ["lower"]\n'


def test_the_presets_of_the_papers_are_there() -> None:
    assert set(config_names()) >= {"he2015", "jiang2017-crf", "zhao2020-crf", "trienes2020-crf"}
    assert list(config_names()) == sorted(config_names())


@pytest.mark.parametrize("name", CRFS)
def test_presets_load_and_cite_their_table(name: str) -> None:
    config = find_crf_config(name)
    assert config.name == name
    paper = name.removesuffix("-crf")
    author, year = paper[:-4].capitalize(), paper[-4:]
    assert config.citation.startswith(f"{author} {year}")
    tokenizer = dict(config.tokenizer)
    tokenizer.pop("train-merges", None)
    assert make_tokenizer(tokenizer.pop("name"), **tokenizer).tokenize("a b").words() == ["a", "b"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CRFS)
def test_presets_expand_for_every_language(name: str, language: str) -> None:
    config = find_crf_config(name)
    labels = find_label_set(LABEL_SETS[language]).labels
    expanded = expand_attributes(config.features, language=language, labels=labels)
    assert set(expanded.groups) == set(config.features.groups)
    used = {part for template in expanded.templates() for part, _ in template.parts}
    assert not any("*" in part for part in used)
    lexicons = [part for part in used if part.startswith("lexicon:")]
    assert lexicons
    assert {part.split(":")[1].split(".")[0] for part in lexicons} <= {language, "world"}
    dictionaries = {part.split(":")[1] for part in used if part.startswith("dictionary:")}
    assert dictionaries <= set(labels)
    # Every attribute exists: an encoder refuses those that do not.
    assert Encoder(expanded.templates(), {}).templates == expanded.templates()


@pytest.mark.parametrize("name", ["he2015", "jiang2017-crf"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_presets_of_training_dictionaries_find_labels_of_every_set(
    name: str, language: str
) -> None:
    labels = find_label_set(LABEL_SETS[language]).labels
    expanded = expand_attributes(find_crf_config(name).features, language=language, labels=labels)
    used = {part for template in expanded.templates() for part, _ in template.parts}
    assert any(part.startswith("dictionary:") for part in used)


@pytest.mark.parametrize("name", CRFS)
def test_a_manifest_keeps_the_whole_configuration(name: str) -> None:
    config = find_crf_config(name)
    table = config.table()
    assert table["kind"] == "crf"
    training = {key.replace("-", "_"): value for key, value in table["training"].items()}
    rebuilt = CrfConfig(
        name=table["name"],
        features=read_feature_config(table["features"]),
        scheme=table["scheme"],
        tokenizer=table["tokenizer"],
        training=CrfTraining(**training),
        citation=table["citation"],
    )
    assert rebuilt.features.templates() == config.features.templates()
    assert rebuilt.table() == table


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINIMAL + '[training]\nalgorithm = "ap"\nmax-iterations = 7\n')
    config = find_config(str(path))
    assert (config.name, config.scheme, config.citation) == ("mine", "BIO", "")
    assert dict(config.tokenizer) == {"name": "subword"}
    assert config.training.parameters() == {"feature.minfreq": 1, "max_iterations": 7}


def test_copies_of_the_presets_read_alike(tmp_path: Path) -> None:
    for name in config_names():
        source = resources.files("scrubjay.resources") / "configs" / f"{name}.toml"
        copy = tmp_path / f"{name}.toml"
        copy.write_bytes(source.read_bytes())
        assert find_config(str(copy)) == find_config(name)


def test_parameters_are_those_of_the_algorithm() -> None:
    lbfgs = CrfTraining(c1=0.5, c2=0.25, delta=0.1, period=3, min_frequency=4).parameters()
    assert lbfgs == {
        "feature.minfreq": 4,
        "max_iterations": 150,
        "c1": 0.5,
        "c2": 0.25,
        "delta": 0.1,
        "period": 3,
    }
    assert set(CrfTraining(algorithm="l2sgd").parameters()) == {
        "feature.minfreq",
        "max_iterations",
        "c2",
    }


@pytest.mark.parametrize("algorithm", ["lbfgs", "l2sgd", "ap", "pa", "arow"])
def test_the_trainer_takes_the_parameters(algorithm: str) -> None:
    pycrfsuite = pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.select(algorithm)
    parameters = CrfTraining(algorithm=algorithm).parameters()
    trainer.set_params(parameters)
    assert set(parameters) <= set(trainer.params())


REFUSED = [
    ('kind = "crf', "not valid TOML"),
    ('kind = "unheard"', "kind must be one of"),
    ("[features]\n", "kind must be one of"),
    (MINIMAL.replace('kind = "crf"', 'kind = "crf"\nspeed = 3'), "unknown setting 'speed'"),
    (MINIMAL.replace('kind = "crf"', 'kind = "crf"\nname = 3'), "name must be a string"),
    (MINIMAL.replace('kind = "crf"', 'kind = "crf"\nscheme = 3'), "scheme must be a string"),
    (MINIMAL.replace('kind = "crf"', 'kind = "crf"\nscheme = "IOB"'), "unknown tag scheme 'IOB'"),
    (MINIMAL.replace('kind = "crf"', 'kind = "crf"\ntokenizer = "subword"'), "must be a table"),
    ('kind = "crf"', "at least one feature group"),
    (MINIMAL.replace("lower", "lowr"), "unknown word attribute 'lowr'"),
    (MINIMAL + 'crosses = ["lower@0 shpe@0"]', "unknown word attribute 'shpe'"),
    (MINIMAL + "window = 2", r"\[features.groups.words\] has an unknown setting 'window'"),
    (MINIMAL + "[training]\nrate = 1", r"\[training\] has an unknown setting 'rate'"),
    (MINIMAL + '[training]\nalgorithm = "adam"', "unknown training.algorithm 'adam'"),
    (MINIMAL + '[training]\nalign = "snap"', "unknown training.align 'snap'"),
    (MINIMAL + '[training]\nc1 = "0.5"', "c1 must be a number"),
    (MINIMAL + "[training]\nc2 = -1", "c2 must be at least 0"),
    (MINIMAL + "[training]\nc2 = nan", "c2 must be at least 0"),
    (MINIMAL + "[training]\nc2 = inf", "c2 must be at least 0"),
    (MINIMAL + "[training]\nmax-iterations = 1.5", "max-iterations must be a whole number"),
    (MINIMAL + "[training]\nmin-frequency = true", "min-frequency must be a whole number"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_is_refused_names_the_file(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        find_config(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert caught.value.path == str(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"kind = '\xff'")
    with pytest.raises(ConfigError, match=r"mine\.toml, byte 8: not UTF-8"):
        find_config(str(path))


@pytest.mark.parametrize("name", ["zhao2021", ".", ""])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(ConfigError, match=r"unknown configuration.*he2015"):
        find_config(name)


@pytest.mark.parametrize("name", ["missing.toml", "configs/missing"])
def test_a_file_that_is_not_there_is_named_with_the_known_names(name: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{name}: there is no such file\. .*he2015"):
        find_config(name)


def test_a_language_without_lexicons_is_refused() -> None:
    config = find_crf_config("zhao2020-crf")
    with pytest.raises(ConfigError, match=r"language 'fr'.*en, es, nl"):
        expand_attributes(config.features, language="fr", labels=("DATE",))


def test_the_settings_that_files_use_are_those_that_are_read() -> None:
    """No preset says anything that parsing would only pass over."""
    for name in CRFS:
        source = resources.files("scrubjay.resources") / "configs" / f"{name}.toml"
        text = source.read_text(encoding="utf-8")
        table = tomllib.loads(text)
        parsed = parse_config(text, origin=name).table()
        for key, value in table.get("training", {}).items():
            assert parsed["training"][key] == value
        assert parsed["tokenizer"] == table["tokenizer"]
        assert parsed["features"]["scope"] == table["features"]["scope"]


def test_a_manifest_of_a_network_keeps_no_path() -> None:
    text = 'kind = "bilstm"\n[words]\nvectors = "/home/somebody/es"\n'
    config = parse_config(f'{text}[contextual]\nmodels = "/home/somebody/charlm"\n', origin="mine")
    assert isinstance(config, BilstmConfig)
    assert config.words.vectors == "/home/somebody/es"
    table = config.table()
    assert (table["words"]["vectors"], table["contextual"]["models"]) == ("es", "charlm")


def test_a_rate_that_is_too_low_to_begin_with_is_refused() -> None:
    text = 'kind = "bilstm"\n[training]\nschedule = "plateau"\nlearning-rate = 0.00001\n'
    with pytest.raises(ConfigError, match=r"learning-rate is below training\.least-rate"):
        parse_config(text, origin="mine")
