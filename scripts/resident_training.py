"""Train a network over an encoder with all windows on a GPU: minutes in place of hours on a CPU.

    python scripts/resident_training.py ARRAYS TEACHER --config 12-layers.toml --encoder FOLDER
    python scripts/resident_training.py ARRAYS WEIGHTS --config 4-layers.toml --encoder FOLDER \\
        --teacher TEACHER

ARRAYS is a file of `resident_arrays.py`, FOLDER the encoder that it was made with. The network, its
losses and its file are those of `scrubjay train --config CONFIG --teacher TEACHER --save-weights
WEIGHTS`; only the batches are made otherwise: all windows lie on the device, where a batch is some
look-ups. It needs no more than torch, transformers and this package's source. How texts are cut is
a matter of the arrays: of CONFIG it reads the network, the layers, the training and the teacher.

WEIGHTS become a model by `scrubjay train --start-from WEIGHTS`, with rates near 0 as it is. They
hold words of the training data: they are as confidential as the model.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scrubjay.errors import ConfigError, FormatError, ScrubjayError
from scrubjay.features.inputs import FIRST_NUMBER, UNKNOWN
from scrubjay.learning.configs import find_config
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.epochs import Epoch, describe_epochs
from scrubjay.learning.transformer_config import with_encoder
from scrubjay.taggers._recurrent.model import build_inputs
from scrubjay.tags import find_scheme
from scrubjay.text.tokens import IntArray

# torch is imported inside functions, so that --help needs none.
if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from scrubjay.learning.neural.encoded_network import EncodedBatch, EncodedNetwork
    from scrubjay.learning.neural.encoders import PretrainedEncoder
    from scrubjay.learning.neural.starting import Start

Array = npt.NDArray[Any]
Arrays = dict[str, Array]
Facts = dict[str, Any]
Report = Callable[[Sequence[Epoch], float], None]

KIND = "scrubjay-arrays-1"

#: Seconds between two lines about the training.
_PAUSE = 10.0

_MEMORY = "Lower training.batch, or train on the CPU"


def read_arrays(path: Path) -> tuple[Arrays, Facts]:
    """Read arrays; raises `FormatError` for another file."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        facts: Facts = json.loads(arrays.pop("facts").tobytes())
        if facts["kind"] != KIND:
            raise ValueError(facts["kind"])
    except Exception as error:  # cut zip files, pickles, other archives
        raise FormatError(
            f"no arrays, or damaged ones ({type(error).__name__})", path=path
        ) from None
    return arrays, facts


class ResidentWindows:
    """All windows of an epoch on a device; a batch is what `EncodedTexts` makes of them."""

    def __init__(self, arrays: Arrays, device: torch.device, *, padding: int) -> None:
        import torch

        self._epoch = arrays["epoch"].astype(np.int64)
        self._counts = arrays["counts"]
        self._window_sizes = arrays["sizes"]
        self.sizes: IntArray = self._window_sizes[self._epoch].astype(np.int32)
        self._padding = padding
        self._device = device
        self._there = {
            name: torch.from_numpy(values.astype(np.int32)).to(device)
            for name, values in arrays.items()
            if name != "epoch"
        }
        for name, counts in (("ids", self._window_sizes), ("tokens", self._counts)):
            firsts = np.cumsum(counts, dtype=np.int64) - counts
            self._there[f"first-{name}"] = torch.from_numpy(firsts).to(device)
        places = self._there["place-columns"].long()
        width = self._there["word-features"].shape[1] + len(places)
        of_word = torch.ones(width, dtype=torch.bool, device=device)
        of_word[places] = False
        self._columns = of_word.nonzero()[:, 0], places

    def batch(self, chosen: Sequence[int]) -> EncodedBatch:
        """Return the windows of these numbers, padded to the longest."""
        import torch

        from scrubjay.learning.neural.encoded_network import EncodedBatch
        from scrubjay.learning.neural.network import Batch
        from scrubjay.learning.neural.token_classifier import WindowBatch

        numbers = self._epoch[np.asarray(chosen)]
        rows = torch.from_numpy(numbers).to(self._device)
        lengths = self._there["counts"][rows].long()
        read = self._mask(rows, "sizes", int(self._window_sizes[numbers].max()))
        mask = self._mask(rows, "counts", int(self._counts[numbers].max()))
        ids = torch.where(
            read, self._take("ids", self._there["first-ids"][rows], read), self._padding
        )
        firsts = self._there["first-tokens"][rows]
        take = partial(self._take, firsts=firsts, mask=mask)
        tags = take("tags")
        places = torch.arange(read.shape[1], device=self._device)
        begins, ends = take("begins")[:, :, None], take("ends")[:, :, None]
        taken = (places >= begins) & (places < ends)
        pooling = taken.float() / take("pieces").clamp_min(1)[:, :, None]
        words = take("words")
        # Word 0 stands first, for padding.
        distinct, found = torch.unique(
            torch.cat([words.new_zeros(1), words.flatten()]), return_inverse=True
        )
        tokens = Batch(
            words=(distinct > 0).long() * UNKNOWN,
            spellings=self._there["spellings"][distinct].long(),
            rare=torch.zeros_like(distinct, dtype=torch.bool),
            places=found[1:].reshape(words.shape),
            features=self._features(words, take("places"), mask),
            contextual=None,
            lengths=lengths,
            firsts=torch.zeros_like(lengths),
            mask=mask,
            tags=tags,
        )
        return EncodedBatch(WindowBatch(ids, read.long(), pooling, mask, tags), tokens)

    def _mask(self, rows: Tensor, name: str, width: int) -> Tensor:
        import torch

        sizes = self._there[name][rows]
        return torch.arange(width, device=self._device) < sizes[:, None]

    def _take(self, name: str, firsts: Tensor, mask: Tensor) -> Tensor:
        """Return a row of values from each of `firsts` on, 0 beyond the mask."""
        import torch

        places = firsts[:, None] + torch.arange(mask.shape[1], device=self._device)
        return torch.where(mask, self._there[name][torch.where(mask, places, 0)], 0).long()

    def _features(self, words: Tensor, places: Tensor, mask: Tensor) -> Tensor:
        import torch

        of_word, of_place = self._columns
        width = len(of_word) + len(of_place)
        features = torch.zeros((*words.shape, width), dtype=torch.long, device=self._device)
        features[:, :, of_word] = self._there["word-features"][words].long()
        found = self._there["place-features"][places].long()
        features[:, :, of_place] = torch.where(mask[:, :, None], found, 0)
        return features


def make_model(
    config: EncoderBilstmConfig, encoder: PretrainedEncoder, own: Start, weights: Start | None
) -> EncodedNetwork:
    """Return a network before its training, over the encoder given, with what of weights fits.

    `own` tells what the arrays are numbered by.
    """
    from scrubjay.learning.neural.encoded_network import (
        EncodedNetwork,
        freeze_embeddings,
        keep_layers,
        set_attention_dropout,
    )
    from scrubjay.learning.neural.network import Network, Sizes
    from scrubjay.learning.neural.starting import put_weights

    keep_layers(encoder.module, config.encoder.layers)
    set_attention_dropout(encoder.module, config.encoder.attention_dropout)
    if config.encoder.tuned == "layers":
        freeze_embeddings(encoder.module)
    sizes = Sizes(
        vocabulary=FIRST_NUMBER,
        alphabet=FIRST_NUMBER + len(own.inputs.characters),
        features=tuple(own.inputs.feature_sizes()),
        tags=len(find_scheme(own.scheme).tag_names(own.labels)),
        contextual=encoder.dimension,
    )
    model = EncodedNetwork(encoder.module, Network(config.network, sizes))
    if weights is not None:
        names = model.state_dict().keys() & weights.weights.keys()
        put_weights(model, replace(weights, weights={x: weights.weights[x] for x in names}))
    return model


def make_teacher(
    config: EncoderBilstmConfig, encoder: PretrainedEncoder, own: Start, weights: Start
) -> EncodedNetwork:
    """Return the network of some weights, over as many layers as they have."""
    from scrubjay.learning.neural.encoded_network import find_layers

    inner = f"encoder.{find_layers(encoder.module)[0]}."
    names = (name.removeprefix(inner) for name in weights.weights if name.startswith(inner))
    depth = len({name.partition(".")[0] for name in names})
    deep = replace(config, encoder=replace(config.encoder, layers=depth))
    return make_model(deep, replace(encoder, module=deepcopy(encoder.module)), own, weights)


def train(
    arrays: Arrays,
    facts: Facts,
    config: EncoderBilstmConfig,
    *,
    device: str = "auto",
    seed: int = 0,
    teacher: Path | None = None,
    report: Report = lambda epochs, share: None,
) -> Start:
    """Return the weights after a training on all windows.

    On a CPU the same seed gives those that the package's own training gives. Raises `ConfigError`
    for another encoder or teacher than belongs to the arrays.
    """
    from scrubjay.learning.neural.devices import choose_device, memory_advice, training_state
    from scrubjay.learning.neural.distillation import Teacher
    from scrubjay.learning.neural.encoders import load_encoder
    from scrubjay.learning.neural.loop import train_network
    from scrubjay.learning.neural.recipes import tuning_recipe
    from scrubjay.learning.neural.starting import TEACHER, Start, load_start

    chosen, inputs = choose_device(device), build_inputs(facts["inputs"], model="arrays")
    own = Start({}, inputs, tuple(facts["labels"]), facts["scheme"], facts["encoder"])
    encoder = load_encoder(config.encoder.path)
    if encoder.fingerprint != own.encoder:
        raise ConfigError("the arrays were made with another encoder", path=config.encoder.path)
    windows = ResidentWindows(arrays, chosen, padding=facts["padding"])
    with memory_advice(_MEMORY), training_state(seed, chosen):
        weights, loss = None, None
        if teacher is not None:
            weights = load_start(teacher, role=TEACHER)
            weights.require(labels=own.labels, scheme=own.scheme, encoder=own.encoder, path=teacher)
            weights.require_same(own, teacher)
            network = make_teacher(config, encoder, own, weights)
            taught = Teacher(network, config.teacher, device=chosen)
        model = make_model(config, encoder, own, weights)
        if weights is not None:
            loss = partial(taught.loss, model)
        recipe = tuning_recipe(model, config.training)
        train_network(model, windows, recipe, seed=seed, device=chosen, loss=loss, report=report)
    return replace(own, weights=model.to("cpu").state_dict())


def reporter() -> Report:
    """Return what tells of a training on the screen, now and then."""
    last = time.monotonic()

    def report(epochs: Sequence[Epoch], share: float) -> None:
        nonlocal last
        if share == 1 or time.monotonic() - last > _PAUSE:
            last = time.monotonic()
            told = describe_epochs(epochs, most=len(epochs)) if epochs else ""
            print(f"{share:6.1%} {told}", file=sys.stderr, flush=True)  # noqa: T201

    return report


def main() -> None:
    """Read, train, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("arrays", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--config", default="encoder-blstm")
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--teacher", type=Path)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    from scrubjay.learning.neural.starting import save_start

    try:
        config = with_encoder(find_config(options.config), options.encoder)
        if not isinstance(config, EncoderBilstmConfig):
            raise ConfigError(f"{config.name!r} is no configuration of a network over an encoder")
        arrays, facts = read_arrays(options.arrays)
        found = train(
            arrays,
            facts,
            config,
            device=options.device,
            seed=options.seed,
            teacher=options.teacher,
            report=reporter(),
        )
        save_start(options.weights, found)
    except ScrubjayError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
