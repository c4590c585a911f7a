"""What a training needs beside its corpora is told of by its configuration alone."""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import ArtifactError, ConfigError, MissingExtraError
from scrubjay.learning.configs import Config, build_config, config_names, find_config
from scrubjay.learning.encoder_folders import require_encoder
from scrubjay.learning.preparation import require_packages
from scrubjay.learning.requirements import require_device, require_ready
from tests.tiny_crf import TINY
from tests.tiny_networks import TINY_NETWORK
from tests.tiny_tbed import TINY_RULES
from tests.tiny_transformer import TINY_ENCODER_BILSTM, TINY_TRANSFORMER

TABLES: dict[str, str] = {
    "crf": TINY,
    "network": TINY_NETWORK,
    "rules": TINY_RULES,
    "transformer": TINY_TRANSFORMER,
    "joint": TINY_ENCODER_BILSTM,
}

PARTS = ("config.json", "tokenizer.json", "model.safetensors")


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    """A folder with the files of an encoder, all of them empty."""
    folder = tmp_path / "encoder"
    folder.mkdir()
    for name in PARTS:
        (folder / name).touch()
    return folder


Build = Callable[..., Config]


@pytest.fixture
def build(encoder: Path) -> Build:
    """Return a maker of configurations: one by its name, or an ensemble of several.

    Of the last, settings of some sections are changed.
    """

    def table(name: str, **sections: Any) -> dict[str, Any]:
        found = tomllib.loads(TABLES[name])
        if name in ("transformer", "joint"):
            found["encoder"]["path"] = str(encoder)
        for section, values in sections.items():
            plain = not isinstance(values, dict)
            found[section] = values if plain else {**found.get(section, {}), **values}
        return found

    def make(*names: str, method: str = "union", **sections: Any) -> Config:
        tables = {name: table(name) for name in names if name in TABLES}
        if names[-1] in tables:
            tables[names[-1]] = table(names[-1], **sections)
        if len(names) == 1:
            return build_config(tables[names[0]], origin="tiny")
        members = {
            name: {"config": tables[name]} if name in tables else {"model": name} for name in names
        }
        ensemble = {"kind": "ensemble", "members": members, "combiner": {"method": method}}
        return build_config(ensemble, origin="tiny")

    return make


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what makes one module look absent and every other look installed."""

    def hide(absent: str) -> None:
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name, *rest: None if name == absent else object()
        )

    return hide


# Packages

TAGS = {"groups": {"all": {"attributes": ["spacy-pos:en_core_web_sm"]}}}


@pytest.mark.parametrize(
    ("kind", "sections", "module", "package", "extra"),
    [
        ("crf", {}, "pycrfsuite", "python-crfsuite", "train"),
        ("crf", {"tokenizer": {"name": "subword", "train-merges": 9}}, "tokenizers", "", "train"),
        ("crf", {"features": TAGS}, "spacy", "", "pos"),
        ("network", {}, "torch", "", "train"),
        ("network", {}, "onnx", "", "train"),
        ("network", {}, "onnxruntime", "", "train"),
        ("network", {"features": TAGS}, "spacy", "", "pos"),
        ("network", {"words": {"vectors": "skip-gram"}}, "gensim", "", "train"),
        ("rules", {"tokenizer": {"name": "subword", "train-merges": 9}}, "tokenizers", "", "train"),
        ("transformer", {}, "torch", "", "transformers"),
        ("joint", {}, "transformers", "", "transformers"),
        ("transformer", {}, "tokenizers", "", "transformers"),
        ("transformer", {}, "onnxscript", "", "transformers"),
        ("transformer", {}, "onnxruntime", "", "transformers"),
    ],
)
def test_an_absent_package_is_told_of(
    kind: str,
    sections: dict[str, Any],
    module: str,
    package: str,
    extra: str,
    build: Build,
    without: Callable[[str], None],
) -> None:
    config = build(kind, **sections)
    without("nothing")
    require_ready(config, language="en")
    without(module)
    with pytest.raises(MissingExtraError) as caught:
        require_ready(config, language="en")
    assert str(caught.value) == (
        f"this needs the package '{package or module}', which is not installed. "
        f"Install it, in a clone of Scrubjay, with: pip install -c constraints.txt '.[{extra}]' "
        f'(where Scrubjay came from a package index: pip install "scrubjay[{extra}]")'
    )


@pytest.mark.parametrize(
    ("kind", "sections", "module"),
    [
        ("crf", {}, "torch"),
        ("rules", {}, "pycrfsuite"),
        ("network", {}, "gensim"),
        ("network", {"words": {"vectors": "skip-gram", "dimension": 0}}, "gensim"),
        ("network", {"features": TAGS, "network": {"feature-dimension": 0}}, "spacy"),
        ("network", {}, "transformers"),
    ],
)
def test_what_is_not_used_may_be_absent(
    kind: str,
    sections: dict[str, Any],
    module: str,
    build: Build,
    without: Callable[[str], None],
) -> None:
    without(module)
    require_ready(build(kind, **sections), language="en")


def test_an_ensemble_needs_what_all_members_need(
    build: Build, without: Callable[[str], None]
) -> None:
    config = build("rules", "crf", "network", "transformer", method="svm")
    without("nothing")
    require_ready(config, language="en")
    for module in ("pycrfsuite", "torch", "transformers", "onnxruntime", "sklearn"):
        without(module)
        with pytest.raises(MissingExtraError):
            require_ready(config, language="en")
    without("sklearn")
    require_ready(build("rules", "crf"), language="en")
    without("torch")
    require_ready(build("rules", "crf", method="svm"), language="en")


def test_packages_are_named_as_they_are_installed(without: Callable[[str], None]) -> None:
    without("sklearn")
    with pytest.raises(MissingExtraError, match="'scikit-learn'"):
        require_packages("torch", "scikit-learn", extra="train")


# Languages and places


@pytest.mark.parametrize(
    ("kind", "sections", "message"),
    [
        ("crf", {"features": {"groups": {"a": {"attributes": ["lexicons:*"]}}}}, "no lexicons"),
        ("network", {"features": {"groups": {"a": {"attributes": ["lexicon:*"]}}}}, "no lexicons"),
        ("rules", {}, "no lexicons"),
        (
            "rules",
            {"initial": "regex", "templates": {"groups": {"a": ["lower"]}}},
            "no patterns for the language",
        ),
    ],
)
def test_a_language_without_what_is_asked_for(
    kind: str, sections: dict[str, Any], message: str, build: Build
) -> None:
    config = build(kind, **sections)
    with pytest.raises(ConfigError, match=f"{message}.*'fr'.*Known: en, es, nl"):
        require_ready(config, language="fr")
    if kind != "crf":
        with pytest.raises(ConfigError, match=message):
            require_ready(build("crf", kind, **sections), language="fr")


def test_patterns_of_a_language_that_has_none() -> None:
    table = {"kind": "ensemble", "members": {"p": {"config": "patterns"}}}
    config = build_config({**table, "combiner": {"method": "union"}}, origin="tiny")
    require_ready(config, language="nl")
    with pytest.raises(ConfigError, match="no patterns for the language 'fr'"):
        require_ready(config, language="fr")


def test_any_language_will_do_where_nothing_is_looked_up(
    build: Build, without: Callable[[str], None]
) -> None:
    without("nothing")
    require_ready(build("crf"), language="fr")


@pytest.mark.parametrize("members", [(), ("crf",)])
def test_places_that_are_not_there(
    members: tuple[str, ...], build: Build, without: Callable[[str], None], tmp_path: Path
) -> None:
    """They are told of even where a package is absent as well."""
    without("torch")
    gone = str(tmp_path / "gone")
    with pytest.raises(ConfigError, match=r"gone: no such folder\. Encoders are never downloaded"):
        require_ready(build(*members, "transformer", encoder={"path": gone}), language="en")
    with pytest.raises(ConfigError, match="gone: no such folder of word vectors"):
        require_ready(build(*members, "network", words={"vectors": gone}), language="en")
    with pytest.raises(ArtifactError, match="gone: not a model"):
        require_ready(build(*members, "network", contextual={"models": gone}), language="en")


def test_a_member_that_is_no_model(build: Build) -> None:
    with pytest.raises(ConfigError, match="unknown model 'gone'"):
        require_ready(build("rules", "gone"), language="en")


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("config.json", "no config.json"),
        ("tokenizer.json", "no tokenizer"),
        ("model.safetensors", "no weights"),
    ],
)
def test_an_encoder_that_lacks_a_part(part: str, message: str, encoder: Path) -> None:
    assert require_encoder(str(encoder)) == encoder / "model.safetensors"
    (encoder / part).unlink()
    with pytest.raises(ConfigError, match=f"encoder: the folder has {message}"):
        require_encoder(str(encoder))


def test_every_shipped_configuration_is_ready_for_a_language(
    without: Callable[[str], None],
) -> None:
    without("nothing")
    for name in config_names():
        config = find_config(name)
        if config.kind in ("transformer", "encoder-bilstm"):
            with pytest.raises(ConfigError, match="no encoder is given"):
                require_ready(config, language="es")
        else:
            require_ready(config, language="es")


# Devices


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("names", [("network",), ("transformer",), ("crf", "network")])
def test_a_network_cannot_have_a_gpu_that_is_not_there(
    names: tuple[str, ...], build: Build
) -> None:
    config = build(*names)
    require_device(config, "auto")
    require_device(config, "cpu")
    with pytest.raises(ConfigError, match="the device 'cuda' was asked for, but torch finds no"):
        require_device(config, "cuda")


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("names", [("crf",), ("rules",), ("crf", "rules")])
def test_what_trains_no_network_asks_for_no_gpu(names: tuple[str, ...], build: Build) -> None:
    config = build(*names)
    require_device(config, "cuda")
    with pytest.raises(ConfigError, match=r"unknown device 'abacus'\. Known: auto, cpu, cuda"):
        require_device(config, "abacus")
