"""Brown clusters of frequent words, for the languages whose clusters ship with the package.

A cluster is an integer whose low bits are the path from the root of the cluster tree, so that
prefixes are masks: `cluster & 15` is the path of four bits, `cluster & 63` of six. English and
Spanish ship; there are no Dutch clusters. `resources/clusters/ORIGIN.md` gives the source.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from types import MappingProxyType

from scrubjay.errors import ConfigError
from scrubjay.resources import resource

_SUFFIX = ".txt.gz"


def cluster_languages() -> list[str]:
    """Return the languages that `load_clusters` knows, sorted."""
    return sorted(
        entry.name.removesuffix(_SUFFIX)
        for entry in _folder().iterdir()
        if entry.name.endswith(_SUFFIX)
    )


@cache
def load_clusters(language: str) -> Mapping[str, int]:
    """Return word -> cluster for a language ("en", "es"); read-only, loaded on the first call.

    Words are kept in the case in which they were clustered; look a word up as it stands and
    then in lower case (`find_cluster` does both). Raises `ConfigError` for other languages.
    """
    file = _folder().joinpath(language + _SUFFIX)
    if not language.isalpha() or not file.is_file():
        raise ConfigError(
            f"no clusters are shipped for language {language!r}",
            hint=f"Known: {', '.join(cluster_languages())}",
        )
    clusters: dict[str, int] = {}
    for line in gzip.decompress(file.read_bytes()).decode("utf-8").splitlines():
        number, *words = line.split(" ")
        clusters.update(dict.fromkeys(words, int(number)))
    return MappingProxyType(clusters)


def find_cluster(clusters: Mapping[str, int], word: str) -> int | None:
    """Return the cluster of a word as written, else of its lower-case form, else None."""
    found = clusters.get(word)
    return clusters.get(word.lower()) if found is None else found


def _folder() -> Traversable:
    return resource("clusters")
