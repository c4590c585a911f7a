"""Write the encoder of a network over one as a folder of its own, in the format of Hugging Face.

    python scripts/write_encoder.py MODEL ENCODER OUT

MODEL is a network over an encoder (`encoder-blstm`), or an ensemble with one such as `en`, by its
name or folder. ENCODER is the folder of the encoder that it was tuned from; its tokenizer goes
along. OUT, a folder that is not there yet, holds the layers that MODEL reads as MODEL has tuned
them, 8-bit weights as the numbers that they stand for, and can be given to
`scrubjay train --encoder`.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from scrubjay.artifacts import load_artifact
from scrubjay.errors import ConfigError
from scrubjay.learning.configs import build_config, find_config
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.models import describe_model

PRESET = "encoder-blstm"
PREFIX = "encoder."
TOKENIZER = (
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt",
)  # fmt: skip


def tuned_encoder(model: str, folder: Path) -> Any:
    """Return the encoder of a folder with the layers and weights that a model has."""
    from scrubjay.learning.neural.encoded_network import keep_layers
    from scrubjay.learning.neural.encoders import load_encoder
    from scrubjay.learning.neural.recovering import recover_start
    from scrubjay.learning.start_configs import start_table
    from scrubjay.learning.starts import find_network

    found = describe_model(model)
    preset = find_config(PRESET)
    network = find_network(load_artifact(found.folder), {preset.kind})
    if network.manifest.config.get("kind") != preset.kind:
        raise ConfigError(f"the model {found.manifest.name!r} has no network over an encoder")
    config = build_config(start_table(network), origin=model)
    assert isinstance(config, EncoderBilstmConfig)
    start = recover_start(found.folder, config, language=found.manifest.language)
    encoder = load_encoder(str(folder))
    if encoder.fingerprint != start.encoder:
        raise ConfigError(f"the model {found.manifest.name!r} has another encoder", path=folder)
    keep_layers(encoder.module, config.encoder.layers)
    weights = {
        name.removeprefix(PREFIX): tensor
        for name, tensor in start.weights.items()
        if name.startswith(PREFIX)
    }
    # No model holds the pooler, which nothing reads.
    encoder.module.load_state_dict({**encoder.module.state_dict(), **weights})
    return encoder.module


def main() -> None:
    """Read, put the weights in, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("encoder", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    if options.out.exists():
        parser.error(f"{options.out} is there already")
    module = tuned_encoder(options.model, options.encoder)
    options.out.mkdir(parents=True)
    module.save_pretrained(options.out)
    for name in TOKENIZER:
        if (options.encoder / name).is_file():
            shutil.copyfile(options.encoder / name, options.out / name)


if __name__ == "__main__":
    main()
