"""Part-of-speech and general entity tags from an optional spaCy pipeline.

The papers take such tags from GENIA, OpenNLP, CoreNLP or spaCy (He 2015, Table 2; Jiang 2017,
Table 2; Zhao 2020, Unified Feature Set; Trienes 2020, section 4.4). Attributes are named
`spacy-pos:MODEL` and `spacy-ner:MODEL`, where MODEL is an installed spaCy package or a folder.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from scrubjay.errors import ConfigError, MissingExtraError
from scrubjay.text.tokens import IntArray, Tokens

KINDS = ("spacy-pos", "spacy-ner")


@cache
def load_pipeline(model: str) -> Any:
    """Load a spaCy pipeline once; raises `MissingExtraError` or `ConfigError`."""
    try:
        import spacy
    except ImportError:
        raise MissingExtraError("spacy", "pos") from None
    try:
        return spacy.load(model)
    except OSError:
        raise ConfigError(
            f"spaCy finds no model {model!r}",
            hint="Install the model's package, or give the path of its folder",
        ) from None


def spacy_tags(tokens: Tokens, kind: str, model: str) -> tuple[list[str], IntArray]:
    """Return tag names and, per token, the index of its tag, -1 without one.

    The pipeline sees our tokens and sentences, so that nothing needs aligning.
    """
    if not len(tokens):
        return [], np.zeros(0, dtype=np.int32)
    nlp = load_pipeline(model)
    from spacy.tokens import Doc

    glued = np.append(tokens.starts[1:] == tokens.ends[:-1], True)
    begins = np.zeros(len(tokens), dtype=bool)
    begins[tokens.sentence_starts] = True
    document = Doc(
        nlp.vocab, words=tokens.words(), spaces=(~glued).tolist(), sent_starts=begins.tolist()
    )
    for _, step in nlp.pipeline:
        document = step(document)
    found = [token.tag_ if kind == "spacy-pos" else token.ent_type_ for token in document]
    names = sorted(set(found) - {""})
    number = {name: position for position, name in enumerate(names)}
    return names, np.array([number.get(name, -1) for name in found], dtype=np.int32)
