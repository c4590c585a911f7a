"""Write all windows of corpora as arrays, for `resident_training.py` on a machine with a GPU.

    python scripts/resident_arrays.py ARRAYS --encoder FOLDER --language en \\
        --source base.jsonl --source swap-1 swap-2 swap-3 --source noise

Each distinct word and each distinct place is written once: 27,000 Dutch windows with 2.3 million
tokens take 17 MB, and 40 seconds of a core. An epoch of the training reads each `--source`. Of one
with several corpora it reads one after another by turns, and lasts until all of the longest were
read: copies with other names do not drown their original. Words and values of features are
numbered by the first of each, which must have every label.

The file holds words of the corpora: it is as confidential as they are.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.errors import ConfigError, ScrubjayError
from scrubjay.features.inputs import InputEncoder, NetworkInputs
from scrubjay.features.subtokens import SubtokenEncoder, Subtokens
from scrubjay.files import replacing
from scrubjay.learning._bilstm_inputs import fit_inputs
from scrubjay.learning.configs import find_config
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.preparation import prepare
from scrubjay.learning.transformer_config import with_encoder
from scrubjay.taggers._recurrent.model import describe_inputs
from scrubjay.tags import find_scheme

Array = npt.NDArray[Any]
Arrays = dict[str, Array]
Facts = dict[str, Any]

KIND = "scrubjay-arrays-1"


class Collector:
    """Gathers the windows of one corpus after another.

    The arrays: of all windows `ids` with the special ones, one window after another, and `sizes`
    and `counts`, their numbers of ids and of tokens; of all tokens `tags`, `words`, `places`, and
    the ids `begins` to `ends` of their window that they are read off, `pieces` many; of distinct
    words `spellings` and `word-features`, row 0 for padding; of distinct places `place-features`.
    """

    def __init__(
        self, config: EncoderBilstmConfig, inputs: InputEncoder, subtokens: SubtokenEncoder
    ) -> None:
        self._config = config
        self._inputs = inputs
        self._subtokens = subtokens
        self._numbers = {"": 0}
        names = [template.parts[0][0] for template in inputs.encoder.templates]
        self._of_place = np.isin(names, inputs.encoder.position_names)
        self._gathered: defaultdict[str, list[Any]] = defaultdict(list)
        self._gathered["spellings"].append(np.zeros((1, inputs.longest), dtype=np.int32))
        words = int(np.count_nonzero(~self._of_place))
        self._gathered["word-features"].append(np.zeros((1, words), dtype=np.int32))
        self._rows = 0

    def add(self, documents: Sequence[Document], labels: tuple[str, ...]) -> Array:
        """Gather the windows of a corpus and return their numbers.

        Raises `ConfigError` for a label that is none of `labels`.
        """
        align = self._config.training.align
        data = prepare(documents, self._config.tokenizer, align=align)
        if unknown := set(data.labels) - set(labels):
            raise ConfigError(f"the first of each --source has no {', '.join(sorted(unknown))}")
        first = len(self._gathered["counts"])
        encoded = self._inputs.encode(data.batch)
        self._add_words(encoded)
        rows, places = distinct_rows(encoded.features[:, self._of_place])
        self._gathered["place-features"].append(rows)
        self._gathered["places"].append(places + self._rows)
        self._rows += len(rows)
        tags = replace(data, labels=labels).gold_tags(find_scheme(self._config.scheme))
        self._gathered["tags"].append(tags)
        for tokens in data.batch:
            self._add_windows(self._subtokens.encode(tokens))
        return np.arange(first, len(self._gathered["counts"]))

    def _add_words(self, encoded: NetworkInputs) -> None:
        """Number the words of tokens; the encoder's own numbers hold for one batch alone."""
        words = ["", *self._inputs.encoder.words_from(1)]
        types, firsts = np.unique(encoded.types, return_index=True)
        fresh = [number for number, x in enumerate(types) if words[x] not in self._numbers]
        for number in fresh:
            self._numbers[words[types[number]]] = len(self._numbers)
        numbers = np.zeros(len(words), dtype=np.int32)
        numbers[types] = [self._numbers[words[x]] for x in types]
        self._gathered["words"].append(numbers[encoded.types])
        self._gathered["spellings"].append(self._inputs.spellings()[types[fresh]])
        features = encoded.features[firsts[fresh]][:, ~self._of_place]
        self._gathered["word-features"].append(features)

    def _add_windows(self, cut: Subtokens) -> None:
        before = len(self._subtokens.prefix)
        for window in range(cut.windows):
            scored = slice(int(cut.bounds[window]), int(cut.bounds[window + 1]))
            if scored.start == scored.stop:
                continue
            ids = self._subtokens.window_ids(cut, window)
            begins, ends = cut.begins[scored], np.minimum(cut.ends[scored], cut.stops[window])
            shift = before - int(cut.starts[window])
            found = ends > begins
            for name, values in (
                ("ids", ids),
                ("begins", np.where(found, np.maximum(begins + shift, before), 0)),
                ("ends", np.where(found, ends + shift, 0)),
                ("pieces", np.maximum(ends - begins, 1)),
            ):
                self._gathered[name].append(values)
            self._gathered["sizes"].append([len(ids)])
            self._gathered["counts"].append([len(begins)])

    def arrays(self) -> Arrays:
        """Return what was gathered."""
        arrays = {name: np.concatenate(parts) for name, parts in self._gathered.items()}
        rows, where = distinct_rows(arrays["place-features"])
        arrays |= {"place-features": rows, "places": where[arrays["places"]]}
        arrays["place-columns"] = np.flatnonzero(self._of_place)
        return arrays


def distinct_rows(table: Array) -> tuple[Array, Array]:
    """Return the distinct rows of a table, and which of them each of its rows is."""
    if not table.shape[1]:
        return table[:1], np.zeros(len(table), dtype=np.int64)
    whole = np.ascontiguousarray(table).view(np.dtype((np.void, table.shape[1] * table.itemsize)))
    _, firsts, places = np.unique(whole[:, 0], return_index=True, return_inverse=True)
    return table[firsts], places


def make_arrays(
    config: EncoderBilstmConfig, language: str, sources: Sequence[Sequence[Path]]
) -> tuple[Arrays, Facts]:
    """Return the windows of corpora, and what else a training needs to know of them."""
    if config.tokenizer.get("train-merges"):
        raise ConfigError("each corpus would train merges of its own: leave train-merges out")
    from scrubjay.learning.neural.encoders import load_encoder

    pretrained = load_encoder(config.encoder.path)
    corpora = {path: list(read_corpus(path)) for source in sources for path in source}
    base = [document for source in sources for document in corpora[source[0]]]
    data = prepare(base, config.tokenizer, align=config.training.align)
    inputs = fit_inputs(config.network, data, language=language).encoder
    collector = Collector(config, inputs, pretrained.subtokens(config.encoder))
    windows = {path: collector.add(corpus, data.labels) for path, corpus in corpora.items()}
    turns = range(max(map(len, sources)))
    read = [windows[source[turn % len(source)]] for turn in turns for source in sources]
    facts = {
        "kind": KIND,
        "scheme": config.scheme,
        "labels": data.labels,
        "encoder": pretrained.fingerprint,
        "padding": pretrained.padding,
        "inputs": describe_inputs(inputs),
    }
    return {**collector.arrays(), "epoch": np.concatenate(read)}, facts


def write_arrays(path: Path, arrays: Arrays, facts: Facts) -> None:
    """Write arrays of numbers from 0 up, each in as few bytes as will do, and the facts."""
    small: dict[str, Any] = {
        name: x.astype(np.min_scalar_type(x.max(initial=0))) for name, x in arrays.items()
    }
    told = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    with replacing(path, what="the arrays") as stream:
        np.savez_compressed(stream, facts=told, **small)


def main() -> None:
    """Read, cut, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("arrays", type=Path)
    parser.add_argument("--config", default="encoder-blstm")
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--language", required=True)
    parser.add_argument("--source", type=Path, nargs="+", action="append", required=True)
    options = parser.parse_args()
    try:
        config = with_encoder(find_config(options.config), options.encoder)
        if not isinstance(config, EncoderBilstmConfig):
            raise ConfigError(f"{config.name!r} is no configuration of a network over an encoder")
        arrays, facts = make_arrays(config, options.language, options.source)
        write_arrays(options.arrays, arrays, facts)
    except ScrubjayError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
