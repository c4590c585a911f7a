"""Training of transformer taggers: a pre-trained encoder, tuned and exported as a graph.

What needs torch stands in `learning/neural`: `encoders.py` loads a folder, `finetuning.py` is the
loop, `tuned_encoder.py` joins them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.artifacts import Manifest, encode_json
from scrubjay.document import Document
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.labels import find_label_set
from scrubjay.learning.epochs import Epoch, describe_epochs, epoch_table
from scrubjay.learning.preparation import (
    Prepared,
    Progress,
    fingerprint,
    prepare,
    silent,
)
from scrubjay.learning.requirements import require_trainer
from scrubjay.learning.transformer_config import TransformerConfig
from scrubjay.taggers._chain import split_tags
from scrubjay.taggers.transformer import (
    KIND,
    TransformerDetector,
    TransformerModel,
    TransformerTagger,
)
from scrubjay.tags import find_scheme

if TYPE_CHECKING:
    from scrubjay.learning.neural.encoders import PretrainedEncoder
    from scrubjay.learning.neural.tuned_encoder import TunedEncoder


@dataclass(frozen=True, slots=True)
class TransformerLearner:
    """Frozen configuration that tunes a transformer detector.

    `language` and `label_set` (a name or a TOML file) are recorded. `device` is "auto", "cpu" or
    "cuda". With a `checkpoint` the state is written there after each epoch, and a later fit goes on
    from it. Tuning on a CPU gives the same model for the same seed and number of threads; an
    accelerator may round otherwise from run to run.
    """

    config: TransformerConfig
    language: str
    label_set: str = ""
    name: str = ""
    checkpoint: Path | None = None
    device: str = "auto"

    def fit(
        self,
        documents: Sequence[Document],
        *,
        dev: Sequence[Document] = (),
        seed: int = 0,
        progress: Progress = silent,
    ) -> TransformerDetector:
        """Return a detector trained on documents with gold spans.

        Strict F1 on `dev` stops the training and chooses the epoch that is kept; nothing is
        learned from it. What cannot end well is refused before the first epoch: an encoder that
        cannot be loaded or exported, or windows that it cannot read.

        Raises `InputError` for a corpus without documents or without PHI on any token,
        `ConfigError` for an encoder or a device that cannot be used, for the checkpoint of another
        training and where memory runs out, `MissingExtraError` without the extra `transformers`.
        """
        require_trainer(self.config)
        from scrubjay.learning.neural.encoders import load_encoder
        from scrubjay.learning.neural.state_files import StateFile
        from scrubjay.learning.neural.tuned_encoder import DevTexts, TrainTexts, tune_encoder

        def report(epochs: Sequence[Epoch], share: float) -> None:
            most = self.config.training.epochs
            progress(describe_epochs(epochs, most=most) if epochs else "train", share)

        settings = self.config.encoder
        progress("encoder", 0.0)
        encoder = load_encoder(settings.path)
        subtokens = SubtokenEncoder(
            encoder.definition,
            window=settings.window,
            overlap=settings.overlap,
            pieces=settings.pieces,
        )
        progress("tokenize", 0.0)
        data = prepare(documents, self.config.tokenizer, align=self.config.training.align)
        scheme = find_scheme(self.config.scheme)
        gold = split_tags(data.gold_tags(scheme), data.batch)
        # Without gold spans nothing can be measured.
        measured = dev if any(document.spans for document in dev) else ()
        progress("train", 0.0)
        tuned = tune_encoder(
            encoder,
            subtokens,
            TrainTexts(data.batch, gold, data.labels),
            config=self.config,
            seed=seed,
            device=self.device,
            dev=DevTexts(
                [data.tokenizer.tokenize(document.text) for document in measured],
                [document.spans for document in measured],
            ),
            states=StateFile(self.checkpoint, self._identity(data, dev, encoder, seed)),
            report=report,
        )
        model = TransformerModel(
            network=tuned.network,
            subtokens=subtokens,
            transitions=tuned.transitions,
            bias=tuned.bias,
            scheme=scheme.name,
            labels=data.labels,
        )
        manifest = self._manifest(data, encoder, tuned, seed)
        return TransformerDetector(data.tokenizer, TransformerTagger(model), manifest=manifest)

    def _identity(
        self, data: Prepared, dev: Sequence[Document], encoder: PretrainedEncoder, seed: int
    ) -> dict[str, str]:
        """Return a fingerprint of each thing that decides how the training goes."""
        parts = {
            "configuration": encode_json(self.config.table()),
            "encoder": encoder.fingerprint.encode(),
            "training corpus": encode_json(data.facts()),
            "dev corpus": fingerprint(dev).encode() if dev else b"",
            "seed": str(seed).encode(),
        }
        return {part: hashlib.sha256(content).hexdigest() for part, content in parts.items()}

    def _manifest(
        self, data: Prepared, encoder: PretrainedEncoder, tuned: TunedEncoder, seed: int
    ) -> Manifest:
        tokenizer = {"name": data.tokenizer.name, **data.tokenizer.parameters()}
        table = self.config.table()
        table["encoder"] |= {"sha256": encoder.fingerprint}
        return Manifest(
            name=self.name or self.config.name,
            kind=KIND,
            language=self.language,
            label_set=find_label_set(self.label_set).name if self.label_set else "",
            labels=data.labels,
            scheme=self.config.scheme,
            tokenizer=tokenizer,
            config=table,
            seed=seed,
            training_data=data.facts(),
            metrics={"epochs": epoch_table(tuned.epochs), "epoch-kept": tuned.kept},
            # The vocabulary is the encoder's own, from before the training; merges are not.
            stores_words=bool(tokenizer.get("merges")),
            notes="The weights were fitted to the training data and may hold more of it than words",
        )
