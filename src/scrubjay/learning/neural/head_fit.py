"""Training of what stands above the encoder of a model: the encoder runs as it is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.artifacts import load_artifact
from scrubjay.document import Document
from scrubjay.features.encoders import EncoderEmbedder
from scrubjay.features.inputs import InputEncoder
from scrubjay.learning._bilstm_inputs import known_inputs
from scrubjay.learning._bilstm_vectors import embed_texts
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.epochs import Epoch, kept_epoch
from scrubjay.learning.neural.batches import TrainingData
from scrubjay.learning.neural.devices import choose_device, memory_advice, training_state
from scrubjay.learning.neural.encoded_fit import FittedEncoder
from scrubjay.learning.neural.export import export_network
from scrubjay.learning.neural.fitting import Task, Texts, encode_texts, make_network
from scrubjay.learning.neural.loop import train_network
from scrubjay.learning.neural.measuring import DevScore
from scrubjay.learning.neural.recipes import tuning_recipe
from scrubjay.learning.neural.starting import Start
from scrubjay.learning.neural.state_files import StateFile
from scrubjay.learning.starts import find_network, find_start
from scrubjay.taggers._recurrent.model import read_model
from scrubjay.tags import TagArray
from scrubjay.text.tokens import Tokens

#: What the weights of a network over an encoder begin with, beside those of the encoder.
_HEAD = "network."

_MEMORY = "Lower training.batch or windows.size in the configuration, or give fewer notes"


@dataclass(frozen=True, slots=True, eq=False)
class StoredEncoder:
    """The encoder that a model carries, which runs and cannot be trained.

    `fingerprint` is that of the pre-trained encoder that it was made of.
    """

    embedder: EncoderEmbedder
    fingerprint: str


def find_stored_encoder(given: str | Path, *, kind: str, member: str = "") -> StoredEncoder:
    """Return the encoder of a model by its name or folder, or of the `member` of an ensemble.

    Raises like `find_network` and `read_model`, and `ArtifactError` for files that are no encoder.
    """
    network = find_network(load_artifact(find_start(given)), {kind}, member=member)
    # Texts are read side by side, each on one thread.
    embedder = EncoderEmbedder(read_model(network).contextual or {}, threads=1)
    return StoredEncoder(embedder, str(network.manifest.config["encoder"]["sha256"]))


@dataclass(frozen=True, slots=True, eq=False)
class HeadTask:
    """What is fitted above an encoder, the weights that it begins with, and how training runs."""

    config: EncoderBilstmConfig
    encoder: StoredEncoder
    start: Start
    labels: tuple[str, ...]
    seed: int
    device: str

    @property
    def inputs(self) -> InputEncoder:
        """What the network reads beside the encoder: as it was numbered at the start."""
        return self.start.inputs

    def read(self, batch: Sequence[Tokens], tags: TagArray | None = None) -> TrainingData:
        """Return texts as the windows of the network, what the encoder makes of them beside."""
        texts = Texts(batch, tags, embed_texts(self.encoder.embedder, batch))
        return encode_texts(known_inputs(self.inputs), self.config.network, texts)


def fit_head(
    task: HeadTask,
    batch: Sequence[Tokens],
    tags: TagArray,
    *,
    dev: Sequence[Document],
    dev_batch: Sequence[Tokens],
    states: StateFile,
    report: Callable[[Sequence[Epoch], float], None],
) -> FittedEncoder:
    """Train the network over an encoder that stays as it is.

    `dev`, unless empty, chooses the epoch. The encoder reads each text once, before the first
    epoch, and what it makes of them is kept in memory, 2 bytes for each number. Raises like
    `fit_encoder_network`.
    """
    device = choose_device(task.device)
    config, state = task.config, states.load()
    with memory_advice(_MEMORY), training_state(task.seed, device):
        data = task.read(batch, tags)
        weights = {
            name.removeprefix(_HEAD): array
            for name, array in task.start.weights.items()
            if name.startswith(_HEAD)
        }
        start = replace(task.start, weights=weights)
        plain = Task(config.network, task.labels, task.seed, device, start=start)
        network = make_network(plain, known_inputs(task.inputs), data)
        score = None
        if dev:
            score = DevScore(
                dev, dev_batch, task.read(dev_batch), scheme=config.scheme, labels=task.labels
            )
        epochs = train_network(
            network,
            data,
            tuning_recipe(network, config.training),
            seed=task.seed,
            device=device,
            measure=score,
            state=state,
            save=states.save,
            report=report,
        )
        words, sequence = export_network(network.to("cpu"))
        above = {f"{_HEAD}{name}": array for name, array in network.state_dict().items()}
        return FittedEncoder(
            task.encoder.embedder.files(),
            words,
            sequence,
            network.transitions(),
            tuple(epochs),
            kept_epoch(epochs),
            {**task.start.weights, **above},
        )
