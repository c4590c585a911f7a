"""Models that read texts without capitals, or of nothing else, with those that they would have.

A manifest tells whether its model does (`capitals`). In an ensemble it is told of the whole, or of
some members: networks that learned from texts in small letters read them as they are. Such an
ensemble reads lines in capitals alone in small letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scrubjay.artifacts import Manifest
from scrubjay.document import Document
from scrubjay.features.capitals import find_capitals
from scrubjay.text.one_case import lower_capitals

_SETTING, _RESTORED = "capitals", "restored"


def restores_capitals(manifest: Manifest) -> bool:
    """Tell whether the model of a manifest reads texts that lack capitals with those they need."""
    return manifest.config.get(_SETTING) == _RESTORED


def restoring_manifest(manifest: Manifest) -> Manifest:
    """Return the manifest of the same model, that reads texts so.

    Raises `ConfigError` for one of a language whose capitals nobody can restore.
    """
    find_capitals(manifest.language)
    return replace(manifest, config={**manifest.config, _SETTING: _RESTORED})


def as_read(
    documents: Sequence[Document], manifest: Manifest, members: Iterable[Manifest] = ()
) -> Sequence[Document]:
    """Return documents as the model of a manifest reads them, before its members do.

    No place in a text moves; those whose text stays are the very same.
    """
    texts = [document.text for document in documents]
    if restores_capitals(manifest):
        texts = find_capitals(manifest.language).restore_all(texts)
    elif any(map(restores_capitals, members)):
        texts = list(map(lower_capitals, texts))
    else:
        return documents
    return [
        document if text is document.text else replace(document, text=text)
        for document, text in zip(documents, texts, strict=True)
    ]
