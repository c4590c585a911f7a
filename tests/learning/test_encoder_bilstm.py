"""Recurrent taggers over a tuned encoder: what is trained is what runs, resumes and is saved."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrubjay.artifacts import Manifest, load_artifact, save_artifact
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError, FormatError
from scrubjay.features._sessions import make_session
from scrubjay.features.encoders import GRAPH, WINDOWS, EncoderEmbedder
from scrubjay.learning.configs import parse_config
from scrubjay.learning.encoder_bilstm import EncoderBilstmLearner
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.learners import require_start
from scrubjay.learning.starts import find_start, start_identity
from scrubjay.models import load_model
from scrubjay.taggers._recurrent.fit import reads_alone
from scrubjay.taggers.bilstm import BilstmDetector, BilstmTagger, load_bilstm
from scrubjay.text.tokenizers import make_tokenizer
from tests.corpus_samples import make_notes
from tests.tiny_transformer import (
    TINY_ENCODER_BILSTM,
    PowerCutError,
    cut_power,
    require_packages,
    small_encoder,
    tiny_encoder,
    tiny_encoder_bilstm,
)

require_packages()

import torch  # noqa: E402
from torch import nn  # noqa: E402

from scrubjay.learning.neural.encoded_network import (  # noqa: E402
    EncodedTexts,
    freeze_embeddings,
    keep_layers,
    set_attention_dropout,
)
from scrubjay.learning.neural.encoders import load_encoder  # noqa: E402
from scrubjay.learning.neural.quantization import quantize  # noqa: E402
from scrubjay.learning.neural.recovering import recover_start  # noqa: E402
from scrubjay.learning.neural.starting import load_start  # noqa: E402
from scrubjay.taggers._combining.pool import Pool  # noqa: E402
from scrubjay.taggers.ensemble import EnsembleDetector  # noqa: E402
from scrubjay.taggers.members import Member  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_torch_thread", "exports_tried_once")

NOTES = make_notes(8, seed=1)
DEV = make_notes(4, seed=2)


def fit(
    config: EncoderBilstmConfig, *, dev: Any = (), checkpoint: Path | None = None, **options: Any
) -> BilstmDetector:
    places = {name: options.pop(name, None) for name in ("start_from", "save_weights")}
    learner = EncoderBilstmLearner(
        config, language="en", name="tiny", device="cpu", checkpoint=checkpoint, **places
    )
    return learner.fit(options.pop("notes", NOTES), dev=dev, **options)


@pytest.fixture(scope="module")
def fitted() -> BilstmDetector:
    """A detector that has learned the notes."""
    config = tiny_encoder_bilstm(tiny_encoder(), epochs=8, patience=0)
    return fit(config, dev=DEV, notes=make_notes(40, seed=1))


def test_it_learns_and_carries_its_encoder(fitted: BilstmDetector, tmp_path: Path) -> None:
    right = predicted = gold = 0
    for note, spans in zip(DEV, fitted.detect(DEV), strict=True):
        right += len(set(spans) & set(note.spans))
        predicted, gold = predicted + len(spans), gold + len(note.spans)
    # Windows of inference are other ones than those of training: about the F1 of the best epoch.
    best = max(epoch["dev"] for epoch in fitted.manifest.metrics["epochs"])
    assert best > 0.3
    assert 2 * right / (predicted + gold) == pytest.approx(best, abs=0.15)
    assert fitted.manifest.kind == "bilstm"
    save_artifact(tmp_path / "m", fitted.manifest, files=fitted.files())
    loaded = load_bilstm(load_artifact(tmp_path / "m"))
    assert loaded.detect(DEV) == fitted.detect(DEV)


def test_states_of_the_graph_are_those_of_the_encoder(fitted: BilstmDetector) -> None:
    pretrained = load_encoder(str(tiny_encoder()))
    from scrubjay.learning.neural.token_classifier_export import export_encoder

    files = dict(fitted.tagger.model.contextual or {})
    files[GRAPH] = export_encoder(pretrained.module, window=48)
    embedder = EncoderEmbedder(files)
    odd = Document("odd", "\ufeffDr.\u200b e\u0301 \U0001f468\u200d\u2695\ufe0f\r\n" * 40)
    cut = [make_tokenizer("subword").tokenize(note.text) for note in (*NOTES[:3], odd)]
    found = embedder.embed(cut)
    encoder = fitted.tagger.model.inputs
    texts = EncodedTexts(encoder, embedder.subtokens, cut, padding=0)
    wanted = np.zeros_like(found)
    with torch.inference_mode():
        for number in range(len(texts)):
            windows = texts.batch([number]).windows
            states = pretrained.module.eval()(
                input_ids=windows.ids, attention_mask=windows.attention
            ).last_hidden_state
            first, last = (
                int(texts.data.windows.firsts[number]),
                int(texts.data.windows.lasts[number]),
            )
            wanted[first:last] = torch.bmm(windows.pooling, states)[0].numpy()
    np.testing.assert_allclose(found, wanted, atol=1e-4)
    apart = np.concatenate([embedder.embed([tokens]) for tokens in cut])
    np.testing.assert_array_equal(found, apart)


def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    config = tiny_encoder_bilstm(tiny_encoder(), epochs=3, patience=0)
    whole = fit(config, dev=DEV)
    place = tmp_path / "state"

    with pytest.raises(PowerCutError):
        fit(config, dev=DEV, checkpoint=place, progress=cut_power)
    resumed = fit(config, dev=DEV, checkpoint=place)
    assert resumed.files() == whole.files()
    assert resumed.manifest == whole.manifest
    with pytest.raises(ConfigError, match="another training: its seed"):
        fit(config, dev=DEV, checkpoint=place, seed=1)


def test_a_training_starts_from_the_weights_of_another(tmp_path: Path) -> None:
    config = tiny_encoder_bilstm(tiny_encoder(), epochs=2, patience=0)
    place = tmp_path / "weights"
    first = fit(config, notes=make_notes(20, seed=1), save_weights=place)
    # It hardly moves on other notes, and fewer: their labels and values are not numbered anew.
    still = replace(
        config,
        training=replace(config.training, learning_rate=1e-9, head_rate=1e-9, epochs=1),
    )
    second = fit(still, notes=NOTES[:3], start_from=place)
    assert second.labels == first.labels
    assert second.detect(DEV) == first.detect(DEV)
    assert fit(still, notes=NOTES[:3]).detect(DEV) != first.detect(DEV)
    moved = fit(config, notes=NOTES, start_from=place)
    losses = [epoch["loss"] for epoch in moved.manifest.metrics["epochs"]]
    assert losses[0] < first.manifest.metrics["epochs"][0]["loss"]


@pytest.mark.parametrize("rounded", [False, True])
def test_a_training_starts_from_a_model(tmp_path: Path, rounded: bool) -> None:
    config = tiny_encoder_bilstm(tiny_encoder(), epochs=3, patience=0)
    first = fit(config, notes=make_notes(20, seed=1), save_weights=tmp_path / "weights")
    model = quantize(first) if rounded else first
    save_artifact(tmp_path / "model", model.manifest, files=model.files())
    kept, found = (
        load_start(tmp_path / "weights"),
        recover_start(tmp_path / "model", config, language="en"),
    )
    assert (found.labels, found.scheme, found.encoder) == (kept.labels, kept.scheme, kept.encoder)
    assert {name for name in kept.weights if name not in found.weights} <= {
        "encoder.pooler.dense.weight", "encoder.pooler.dense.bias", "network.features.offsets"
    }  # fmt: skip
    for name, weights in found.weights.items():
        wanted = kept.weights[name].float()
        reach = float(wanted.abs().max()) or 1.0
        assert torch.allclose(weights, wanted, atol=reach / 100 if rounded else 0.0, rtol=0.0), name
    still = replace(
        config,
        training=replace(config.training, learning_rate=1e-9, head_rate=1e-9, epochs=1),
    )
    again = fit(still, notes=NOTES[:3], start_from=tmp_path / "model")
    digest = hashlib.sha256((tmp_path / "model/manifest.json").read_bytes()).hexdigest()
    start = dict(again.manifest.training_data["start"])
    assert start.pop("training-data") == dict(first.manifest.training_data)
    assert start == {"name": "model", "sha256": digest}
    assert "start" not in first.manifest.training_data
    if not rounded:
        assert again.detect(DEV) == first.detect(DEV)
    losses = [x.manifest.metrics["epochs"][0]["loss"] for x in (again, first)]
    assert losses[0] < losses[1]


def test_the_weights_of_an_ensemble_are_those_of_its_one_network_of_the_kind(
    fitted: BilstmDetector, tmp_path: Path
) -> None:
    config = tiny_encoder_bilstm(tiny_encoder(), epochs=8, patience=0)
    names = ("one", "two")
    members = [Member(name, fitted, fitted.manifest) for name in names]
    other = replace(fitted.manifest, config={**fitted.manifest.config, "kind": "bilstm"})
    whole = Manifest(
        name="both", kind="ensemble", language="en", label_set="", labels=fitted.labels,
        stores_words=True,
    )  # fmt: skip
    for count in (1, 2):
        pool = Pool(names[:count], (1.0,) * count)
        detector = EnsembleDetector(members[:count], pool, manifest=whole)
        save_artifact(tmp_path / str(count), whole, files=detector.files())
    detector = EnsembleDetector(
        [members[0], Member("two", fitted, other)], Pool(names, (1.0, 1.0)), manifest=whole
    )
    save_artifact(tmp_path / "mixed", whole, files=detector.files())
    save_artifact(tmp_path / "alone", fitted.manifest, files=fitted.files())
    one, mixed, alone = (
        recover_start(tmp_path / place, config, language="en").weights
        for place in ("1", "mixed", "alone")
    )
    for found in (one, mixed):
        assert found.keys() == alone.keys()
        assert all(torch.equal(weights, alone[name]) for name, weights in found.items())
    with pytest.raises(ConfigError, match="'both' has several networks to start from"):
        recover_start(tmp_path / "2", config, language="en")
    named = recover_start(tmp_path / "2", config, language="en", member="two").weights
    assert all(torch.equal(weights, alone[name]) for name, weights in named.items())


def test_some_tokens_are_read_as_in_the_whole_text_and_whatever_stands_beside_it(
    fitted: BilstmDetector,
) -> None:
    batch = [fitted.tokenizer.tokenize(note.text) for note in NOTES[:4]]
    begins = np.cumsum([0, *(len(tokens) for tokens in batch)])
    own = [np.array([[2, 7]]), np.zeros((0, 2), dtype=np.int64), np.array([[0, 4], [9, 15]])]
    own.append(np.array([[0, len(batch[3])]]))
    ranges = np.concatenate([one + begin for one, begin in zip(own, begins, strict=False)])
    together = fitted.read_ranges(batch, ranges)
    assert together.known is not None
    for number, one in enumerate(own):
        alone = fitted.read_ranges(batch[number : number + 1], one)
        there = slice(begins[number], begins[number + 1])
        assert (alone.known == together.known[there]).all()
        assert (alone.scores == together.scores[there]).all()
    short = [fitted.tokenizer.tokenize("Seen by Dr. Lee.")]
    whole = fitted.read_tokens(short)
    asked = fitted.read_ranges(short, np.array([[0, len(short[0])]]))
    assert (asked.scores == whole.scores).all()


def test_packed_embeddings_run_in_any_model_and_are_read_back(
    fitted: BilstmDetector, tmp_path: Path
) -> None:
    from scripts.pack_embeddings import packed_files

    from scrubjay.learning.neural.encoder_members import ENCODER

    config = tiny_encoder_bilstm(tiny_encoder(), epochs=8, patience=0)
    whole = Manifest(
        name="pool", kind="ensemble", language="en", label_set="", labels=fitted.labels,
        stores_words=True,
    )  # fmt: skip
    pool = EnsembleDetector(
        [Member("net", fitted, fitted.manifest)], Pool(("net",), (1.0,)), manifest=whole
    )
    save_artifact(tmp_path / "alone", fitted.manifest, files=fitted.files())
    save_artifact(tmp_path / "pool", whole, files=pool.files())
    kept = recover_start(tmp_path / "alone", config, language="en").weights
    for place, manifest in (("alone", fitted.manifest), ("pool", whole)):
        files = packed_files(load_artifact(tmp_path / place), block=16)
        save_artifact(tmp_path / f"{place}-4", manifest, files=files)
        packed: Any = load_model(str(tmp_path / f"{place}-4"))
        encoder = files[ENCODER if place == "alone" else f"net.{ENCODER}"]
        assert len(encoder) < len(fitted.files()[ENCODER])
        found = recover_start(tmp_path / f"{place}-4", config, language="en").weights
        assert found.keys() == kept.keys()
        changed = {name for name in kept if not torch.equal(found[name], kept[name])}
        assert changed == {"encoder.embeddings.word_embeddings.weight"}
        (table,) = changed
        reach = float(kept[table].abs().max())
        assert torch.allclose(found[table], kept[table], atol=reach / 10, rtol=0.0)
        spans, before = (
            {(number, span.start, span.end, span.label) for number, each in enumerate(found)
             for span in each}
            for found in (packed.detect(DEV), fitted.detect(DEV))
        )  # fmt: skip
        assert len(spans & before) > 0.7 * len(spans | before) > 0


def test_the_encoder_of_a_model_is_written_as_a_folder(tmp_path: Path) -> None:
    from scripts.write_encoder import tuned_encoder

    config = tiny_encoder_bilstm(tiny_encoder(), epochs=2, patience=0)
    config = replace(config, encoder=replace(config.encoder, layers=1))
    first = fit(config, save_weights=tmp_path / "weights")
    save_artifact(tmp_path / "model", first.manifest, files=first.files())
    found = tuned_encoder(str(tmp_path / "model"), tiny_encoder())
    kept = load_start(tmp_path / "weights").weights
    for name, weights in found.state_dict().items():
        if "pooler" not in name:
            assert torch.equal(weights, kept[f"encoder.{name}"].float()), name
    assert found.config.num_hidden_layers == 1
    with pytest.raises(ConfigError, match="has another encoder"):
        tuned_encoder(str(tmp_path / "model"), small_encoder())


def test_a_model_without_such_weights_is_refused(tmp_path: Path) -> None:
    config = tiny_encoder_bilstm(tiny_encoder(), epochs=1, patience=0)
    require_start(config, Path("en-fast"), None)
    with pytest.raises(ConfigError, match="no weights that a training could start from"):
        fit(config, start_from="en-fast")
    first = fit(config, notes=NOTES)
    save_artifact(tmp_path / "en", first.manifest, files=first.files())
    place = tmp_path / "en"
    smaller = replace(config, network=replace(config.network, tokenizer={"name": "whitespace"}))
    with pytest.raises(ConfigError, match=r"in \[tokenizer\] is not that of the model"):
        fit(smaller, start_from=place)
    longer = replace(config.network.characters, longest=config.network.characters.longest + 1)
    with pytest.raises(ConfigError, match=r"longest in \[characters\]"):
        fit(replace(config, network=replace(config.network, characters=longer)), start_from=place)
    with pytest.raises(ConfigError, match="is for 'en', the notes are in 'nl'"):
        recover_start(place, config, language="nl")
    files = {**first.files(), "sequence.onnx": b"no graph"}
    save_artifact(tmp_path / "odd", first.manifest, files=files)
    with pytest.raises(ArtifactError, match="do not fit together"):
        recover_start(tmp_path / "odd", config, language="en")


def test_a_name_is_a_shipped_model_and_a_path_what_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("en").write_bytes(b"weights")
    Path("mine").write_bytes(b"weights")
    assert find_start("en").name == "en"
    assert find_start("en").is_dir()
    assert find_start("./en").is_file()
    assert find_start("mine").is_file()
    assert start_identity("mine") == b"weights" != start_identity("en")


def test_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    config = tiny_encoder_bilstm(tiny_encoder(), epochs=1, patience=0)
    place = tmp_path / "weights"
    fit(config, save_weights=place)
    strange = [Document("a", "Zara came.", (Span(0, 4, "STRANGER"),))]
    with pytest.raises(ConfigError, match="no label STRANGER"):
        fit(config, notes=strange, start_from=place)
    inner = replace(config.network.network, hidden=config.network.network.hidden + 2)
    wider = replace(config, network=replace(config.network, network=inner))
    with pytest.raises(ConfigError, match="a network of other sizes"):
        fit(wider, start_from=place)
    other = replace(config, network=replace(config.network, scheme="BIO"))
    with pytest.raises(ConfigError, match="those of another scheme of tags"):
        fit(other, start_from=place)
    with pytest.raises(ConfigError, match="no weights to start from"):
        require_start(config, tmp_path / "nowhere", None)
    place.write_bytes(b"no weights")
    with pytest.raises(FormatError, match="not weights to start from"):
        fit(config, start_from=place)


def test_layers_are_cut_and_embeddings_stay() -> None:
    with pytest.raises(ConfigError, match="encoder has 1 layers"):
        fit(
            replace(
                tiny_encoder_bilstm(tiny_encoder()),
                encoder=replace(tiny_encoder_bilstm(tiny_encoder()).encoder, layers=2),
            )
        )
    real = load_encoder(str(small_encoder())).module
    whole = sum(parameter.numel() for parameter in real.parameters())
    keep_layers(real, 2)
    assert real.config.num_hidden_layers == 2  # type: ignore[union-attr]
    assert sum(parameter.numel() for parameter in real.parameters()) < whole
    freeze_embeddings(real)
    still = [name for name, p in real.named_parameters() if not p.requires_grad]
    assert still == ["embeddings.word_embeddings.weight"]


def test_an_encoder_with_8_bit_weights_is_smaller_and_ties_no_texts(
    fitted: BilstmDetector,
) -> None:
    small = quantize(fitted)
    before, after = fitted.tagger.model.contextual, small.tagger.model.contextual
    assert before is not None
    assert after is not None
    assert len(after[GRAPH]) < len(before[GRAPH])
    assert small.detect(DEV[::-1])[::-1] == small.detect(DEV)
    same = sum(
        one == other for one, other in zip(small.detect(DEV), fitted.detect(DEV), strict=True)
    )
    assert same >= len(DEV) // 2


def test_an_lstm_over_an_encoder_computes_in_8_bits_each_window_alone(
    fitted: BilstmDetector,
) -> None:
    onnx = pytest.importorskip("onnx")
    before, after = fitted.tagger.model.sequence, quantize(fitted).tagger.model.sequence
    kinds = {node.op_type for node in onnx.load_from_string(after).graph.node}
    assert "DynamicQuantizeLSTM" in kinds
    assert "LSTM" not in kinds
    assert reads_alone(make_session(after, threads=1))
    read = [
        {
            one.name: onnx.numpy_helper.to_array(one)
            for one in onnx.load_from_string(graph).graph.initializer
        }
        for graph in (before, after)
    ]
    for name in ("layer0_w", "layer0_r"):
        whole, stored, scale = read[0][name], read[1][f"{name}_quantized"], read[1][f"{name}_scale"]
        assert stored.dtype == np.int8
        assert scale.shape == whole.shape[:-1]  # each unit of a gate has its own
        error = np.abs(stored.transpose(0, 2, 1) * scale[..., None] - whole)
        assert (error <= scale[..., None] / 2 + 1e-7).all()
        assert name not in read[1]
    assert len(after) < len(before)


def test_scores_in_8_bits_are_near_those_before(fitted: BilstmDetector) -> None:
    batch = [fitted.tokenizer.tokenize(note.text) for note in DEV]
    small = quantize(fitted)
    wanted = fitted.tagger.read(batch).scores
    whole = BilstmDetector(
        fitted.tokenizer,
        BilstmTagger(replace(small.tagger.model, sequence=fitted.tagger.model.sequence)),
        manifest=fitted.manifest,
    )
    found = small.tagger.read(batch).scores
    assert np.abs(found - whole.tagger.read(batch).scores).mean() < 0.02 * wanted.std()


def test_a_model_of_an_older_release_is_written_anew(
    fitted: BilstmDetector, tmp_path: Path
) -> None:
    from scripts.renew_encoder import renewed_files

    onnx = pytest.importorskip("onnx")
    save_artifact(tmp_path / "old", fitted.manifest, files=fitted.files())
    files = renewed_files(load_artifact(tmp_path / "old"), norms=True)
    save_artifact(tmp_path / "new", fitted.manifest, files=files)
    kinds = {
        node.op_type
        for name in ("contextual-encoder.onnx", "sequence.onnx")
        for node in onnx.load_from_string(files[name]).graph.node
    }
    assert {"InstanceNormalization", "DynamicQuantizeLSTM"} <= kinds
    assert not {"LayerNormalization", "LSTM"} & kinds
    renewed = load_bilstm(load_artifact(tmp_path / "new"))
    batch = [fitted.tokenizer.tokenize(note.text) for note in DEV]
    before, after = (one.tagger.read(batch).scores for one in (fitted, renewed))
    assert np.abs(after - before).mean() < 0.05 * before.std()
    whole = Manifest(
        name="pool", kind="ensemble", language="en", label_set="", labels=fitted.labels,
        stores_words=True,
    )  # fmt: skip
    pool = EnsembleDetector(
        [Member("net", fitted, fitted.manifest)], Pool(("net",), (1.0,)), manifest=whole
    )
    save_artifact(tmp_path / "pool", whole, files=pool.files())
    nested = renewed_files(load_artifact(tmp_path / "pool"), norms=False)
    assert nested["net.sequence.onnx"] == files["sequence.onnx"]
    assert nested["net.contextual-encoder.onnx"] == fitted.files()["contextual-encoder.onnx"]
    with pytest.raises(ConfigError, match="has no encoder"):
        renewed_files(load_artifact(find_start("en-fast")), norms=False)


def test_attention_dropout_can_be_set() -> None:
    module = load_encoder(str(tiny_encoder())).module
    set_attention_dropout(module, 0.25)
    shares = {name: one.p for name, one in module.named_modules() if isinstance(one, nn.Dropout)}
    inner = {name for name in shares if name.endswith("attention.self.dropout")}
    assert inner
    assert {name for name, share in shares.items() if share == 0.25} == inner


def test_what_is_refused(fitted: BilstmDetector) -> None:
    with pytest.raises(ConfigError, match=r"no encoder is given.*--encoder"):
        fit(replace(tiny_encoder_bilstm(tiny_encoder()), encoder=_without_path()))
    config = tiny_encoder_bilstm(tiny_encoder())
    with pytest.raises(ConfigError, match="cannot read windows of 65 sub-tokens"):
        fit(replace(config, encoder=replace(config.encoder, window=65)))
    with pytest.raises(ConfigError, match="words"):
        parse_config(TINY_ENCODER_BILSTM + "[words]\ndimension = 5\n", origin="wrong.toml")
    with pytest.raises(ConfigError, match=r"encoder\.tuned"):
        parse_config(
            TINY_ENCODER_BILSTM.replace("[encoder]", "[encoder]\ntuned = 'none'"), origin="wrong"
        )
    files = dict(fitted.tagger.model.contextual or {})
    with pytest.raises(ArtifactError, match=r"lacks windows\.json"):
        EncoderEmbedder({name: content for name, content in files.items() if name != WINDOWS})
    with pytest.raises(ArtifactError, match=r"windows\.json or tokenizer\.json cannot be read"):
        EncoderEmbedder({**files, WINDOWS: b"{"})
    with pytest.raises(ArtifactError, match="does not give the states"):
        EncoderEmbedder({**files, GRAPH: fitted.tagger.model.words})


def _without_path() -> Any:
    return replace(tiny_encoder_bilstm(tiny_encoder()).encoder, path="")
