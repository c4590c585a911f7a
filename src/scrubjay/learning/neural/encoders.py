"""Pre-trained encoders out of folders on this machine, in the format of Hugging Face.

Nothing is downloaded and no code of a folder is run: weights come from safetensors, or from a
`.bin` file that is read as tensors alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.learning.encoder_bilstm_config import EncoderInput
from scrubjay.learning.encoder_folders import SAFE, WHOLE_FOLDER, require_encoder
from scrubjay.learning.transformer_config import EncoderSettings


@dataclass(frozen=True, slots=True, eq=False)
class PretrainedEncoder:
    """An encoder and its tokenizer: `module` in float32, `definition` a `tokenizer.json`.

    `dimension` is that of its output, `padding` the id that fills short windows up, `fingerprint`
    the sha256 of configuration, tokenizer and weights.
    """

    module: nn.Module
    definition: str
    dimension: int
    padding: int
    fingerprint: str

    def subtokens(self, settings: EncoderSettings | EncoderInput) -> SubtokenEncoder:
        """Return what cuts texts for this encoder into windows of sub-tokens."""
        return SubtokenEncoder(
            self.definition,
            window=settings.window,
            overlap=settings.overlap,
            pieces=settings.pieces,
        )


def load_encoder(path: str) -> PretrainedEncoder:
    """Return the encoder of a local folder.

    Raises like `require_encoder`, `ConfigError` for weights that do not belong to its
    configuration or its tokenizer and for a model that would need code of its own, and
    `MissingExtraError` without the package `transformers`.
    """
    folder, weights = Path(path), require_encoder(path)
    try:
        import transformers
    except ImportError:
        raise MissingExtraError("transformers", "transformers") from None
    with _quiet(transformers):
        definition = _read_definition(transformers, folder)
        module = _read_module(transformers, folder, safe=weights.name in SAFE)
    _require_vocabulary(module, definition, folder)
    config: Any = module.config
    return PretrainedEncoder(
        module,
        definition,
        dimension=int(config.hidden_size),
        padding=int(getattr(config, "pad_token_id", None) or 0),
        fingerprint=_fingerprint(folder, definition),
    )


def require_windows(encoder: nn.Module, window: int) -> None:
    """Raise `ConfigError` unless the encoder reads windows of that many sub-tokens."""
    ids = torch.ones((1, window), dtype=torch.int64)
    try:
        with torch.inference_mode():
            encoder.eval()(input_ids=ids, attention_mask=torch.ones_like(ids))
    except Exception as error:  # too few positions, decoders that want other inputs
        raise ConfigError(
            f"the encoder cannot read windows of {window} sub-tokens ({type(error).__name__})",
            hint="Make encoder.window smaller (most encoders know 512 positions), or choose an "
            "encoder such as BERT or RoBERTa",
        ) from error


def _read_definition(transformers: Any, folder: Path) -> str:
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, use_fast=True
        )
        definition: str = tokenizer.backend_tokenizer.to_str()
    except Exception as error:  # whatever a foreign tokenizer class raises
        raise ConfigError(
            f"the tokenizer of the encoder cannot be read ({type(error).__name__})",
            path=folder,
            hint="Its folder needs a tokenizer.json (a 'fast' tokenizer)",
        ) from error
    return definition


def _read_module(transformers: Any, folder: Path, *, safe: bool) -> nn.Module:
    try:
        module, report = transformers.AutoModel.from_pretrained(
            str(folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=safe,
            weights_only=True,
            output_loading_info=True,
        )
        encoder: nn.Module = module.float()
    except Exception as error:  # unknown architectures, truncated weights, pickles with code
        raise ConfigError(
            f"the encoder cannot be loaded ({type(error).__name__})",
            path=folder,
            hint="It must be of an architecture that transformers knows without code of its own, "
            "with whole weights, best as safetensors",
        ) from error
    # A pooler is not used; anything else missing would be left at random values.
    missing = [name for name in sorted(report["missing_keys"]) if "pooler" not in name]
    if missing or report["mismatched_keys"]:
        raise ConfigError(
            f"the weights are not those of the configuration ({len(missing)} are missing)",
            path=folder,
            hint=WHOLE_FOLDER,
        )
    return encoder


def _require_vocabulary(module: nn.Module, definition: str, folder: Path) -> None:
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_str(definition)
    known = int(module.get_input_embeddings().weight.shape[0])  # type: ignore[operator]
    added = tokenizer.get_added_tokens_decoder()
    # transformers adds special ones that a vocabulary lacks; no text is ever made of them.
    numbers = {
        *tokenizer.get_vocab(with_added_tokens=False).values(),
        *(number for number, token in added.items() if not token.special),
        *tokenizer.encode("a").ids,
    }
    highest = max(numbers, default=0)
    if highest >= known:
        raise ConfigError(
            f"the tokenizer gives numbers up to {highest}, but the encoder knows {known}",
            path=folder,
            hint="Tokenizer and weights must belong together",
        )


def _fingerprint(folder: Path, definition: str) -> str:
    digest = hashlib.sha256(definition.encode("utf-8"))
    digest.update((folder / "config.json").read_bytes())
    for file in sorted([*folder.glob("*.safetensors"), *folder.glob("pytorch_model*.bin")]):
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Keep transformers from writing to the screen, and leave it as it was."""
    logging = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
