"""What a training needs beside its corpora: packages, the lists of a language, places it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scrubjay.artifacts import load_artifact
from scrubjay.features.resources import expand_attributes
from scrubjay.features.spacy_tags import KINDS as SPACY_KINDS
from scrubjay.features.templates import FeatureConfig, Template
from scrubjay.features.vectors import require_vectors
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.configs import CrfConfig
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.encoder_folders import require_encoder
from scrubjay.learning.ensemble_config import EnsembleConfig, MemberConfig, MemberSettings
from scrubjay.learning.preparation import require_device_name, require_packages
from scrubjay.learning.starts import keeps_encoder
from scrubjay.learning.tbed_config import TbedConfig
from scrubjay.learning.transformer_config import TransformerConfig
from scrubjay.models import describe_model
from scrubjay.taggers.patterns import find_patterns
from scrubjay.taggers.rules import TAG

_TUNING = "torch", "transformers", "tokenizers", "onnx", "onnxscript", "onnxruntime"
_TRAINED_BY: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "bilstm": ("train", ("torch", "onnx", "onnxruntime")),
    "crf": ("train", ("python-crfsuite",)),
    "encoder-bilstm": ("transformers", _TUNING),
    "transformer": ("transformers", _TUNING),
}
"""Kind of a configuration -> an extra, and the packages of it that every training needs."""

_HEAD = ("train", ("torch", "onnx", "onnxruntime", "tokenizers"))
"""The same for a training of what stands above the encoder of a model."""

_RUN_BY: Mapping[str, tuple[str, ...]] = {
    "bilstm": ("onnxruntime", "tokenizers"),
    "transformer": ("onnxruntime", "tokenizers"),
}
"""Kind of a trained model -> the packages of the extra `neural` that it needs to run."""


def require_ready(
    config: MemberConfig, *, language: str, start_from: str | Path | None = None
) -> None:
    """Refuse what no corpus can make good; those of an ensemble are what all its members need.

    A training that is to `start_from` a model may have the encoder of that model.

    Raises `ConfigError` for features or patterns of a language that has none, and for word
    vectors, an encoder or a model that are not there, `ArtifactError` for language models that
    are not, `MissingExtraError` for a package that is not installed.
    """
    _require_settings(config, language=language, start_from=start_from)
    require_trainer(config, start_from=start_from)


def require_device(config: MemberConfig, device: str) -> None:
    """Refuse a device that the networks of a configuration cannot have.

    Raises `ConfigError` for an unknown name, and for "cuda" where torch finds no GPU. What trains
    no network asks for no GPU, and torch is imported for networks alone.
    """
    if require_device_name(device) == "cuda" and _has_network(config):
        from scrubjay.learning.neural.devices import choose_device

        choose_device(device)


def _has_network(config: MemberConfig) -> bool:
    if isinstance(config, EnsembleConfig):
        return any(one.config is not None and _has_network(one.config) for one in config.members)
    return isinstance(config, (BilstmConfig, TransformerConfig))


def require_trainer(config: MemberConfig, *, start_from: str | Path | None = None) -> None:
    """Raise `MissingExtraError` for the first package that a training needs and that is absent."""
    known = _TRAINED_BY.get(config.kind, ("train", ()))
    extra, packages = _HEAD if keeps_encoder(config, start_from) else known
    require_packages(*packages, extra=extra)
    if any(name.partition(":")[0] in SPACY_KINDS for name in _attributes(config)):
        require_packages("spacy", extra="pos")
    if isinstance(config, EnsembleConfig):
        for member in config.members:
            _require_runner(member)
        if config.combiner.method == "svm":
            require_packages("scikit-learn", extra="train")
    elif _tokenizer(config).get("train-merges"):
        require_packages("tokenizers", extra="train")
    if isinstance(config, BilstmConfig) and _word_vectors(config) == "skip-gram":
        require_packages("gensim", extra="train")


def _require_runner(member: MemberSettings) -> None:
    if member.config is not None:
        require_trainer(member.config)
    elif member.model:
        kind = describe_model(member.model).manifest.kind
        require_packages(*_RUN_BY.get(kind, ()), extra="neural")


def _require_settings(
    config: MemberConfig, *, language: str, start_from: str | Path | None = None
) -> None:
    names = [name for name in _attributes(config) if name != TAG]
    templates = tuple(Template(((name, 0),)) for name in names)
    expand_attributes(FeatureConfig({"": templates}), language=language, labels=())
    match config:
        case BilstmConfig():
            if _word_vectors(config) not in ("", "random", "skip-gram"):
                require_vectors(config.words.vectors)
            if config.contextual.models not in ("", "train"):
                load_artifact(Path(config.contextual.models))
        case EnsembleConfig():
            for member in config.members:
                _require_member(member, language=language)
        case TbedConfig(initial="regex"):
            find_patterns(language)
        case TransformerConfig() | EncoderBilstmConfig() if not keeps_encoder(config, start_from):
            require_encoder(config.encoder.path)


def _require_member(member: MemberSettings, *, language: str) -> None:
    if member.config is not None:
        _require_settings(member.config, language=language)
    elif member.model:
        describe_model(member.model)
    else:
        find_patterns(language, [Path(file) for file in member.files])


def _attributes(config: MemberConfig) -> Iterator[str]:
    """Yield the attributes that the features of a configuration name, as it names them."""
    match config:
        case TbedConfig():
            for templates in config.templates.groups.values():
                yield from (part.attribute for rule in templates for part in rule.parts)
        case EncoderBilstmConfig():
            yield from _attributes(config.network)
        case CrfConfig() | BilstmConfig():
            if isinstance(config, CrfConfig) or config.network.feature_dimension:
                yield from (name for t in config.features.templates() for name, _ in t.parts)


def _tokenizer(config: MemberConfig) -> Mapping[str, Any]:
    table: Mapping[str, Any] = getattr(config, "tokenizer", {})
    return table


def _word_vectors(config: BilstmConfig) -> str:
    """Return which word vectors are asked for, "" where words are left out."""
    return config.words.vectors if config.words.dimension else ""
