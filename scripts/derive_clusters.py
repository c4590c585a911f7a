"""Derive the shipped Brown clusters from spacy-lookups-data; run again to refresh them.

    python -m venv lexenv
    lexenv/bin/pip install -c constraints.txt spacy-lookups-data
    lexenv/bin/python scripts/derive_clusters.py src/scrubjay/resources/clusters

Keeps the most frequent words that have a cluster. A line of the output is a cluster number and
its words, parted by single spaces; the low bits of the number are the path from the root.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from importlib import metadata, resources
from pathlib import Path

LANGUAGES = ("en", "es")
WORDS = 60_000

ORIGIN = """# Origin of the clusters

`*.txt.gz` were derived by `scripts/derive_clusters.py` from spacy-lookups-data {version} (MIT,
Explosion): of the words that have a Brown cluster, the {words:,} most probable that hold a letter.
That package has clusters for English, Spanish and German; there are none for Dutch.

Copyright (c) 2019 ExplosionAI GmbH; the text of the licence is in `../lexicons/ORIGIN.md`.
"""


def table(language: str, kind: str) -> dict[str, float]:
    path = f"data/{language}_lexeme_{kind}.json.gz"
    data = resources.files("spacy_lookups_data").joinpath(path).read_bytes()
    loaded: dict[str, float] = json.loads(gzip.decompress(data))
    return loaded


def usable(word: str) -> bool:
    """Tell whether a word is one token with a letter, free of markup and broken bytes."""
    return (
        len(word) <= 30
        and any(c.isalpha() for c in word)
        and all(c.isalnum() or c in "'-.,/+" for c in word)
    )


def encode(language: str) -> bytes:
    clusters, logs = table(language, "cluster"), table(language, "prob")
    words = [word for word, cluster in clusters.items() if cluster and usable(word)]
    top = sorted(words, key=lambda word: (-logs[word], word))[:WORDS]
    groups: dict[int, list[str]] = defaultdict(list)
    for word in top:
        groups[int(clusters[word])].append(word)
    lines = [f"{number} {' '.join(sorted(groups[number]))}\n" for number in sorted(groups)]
    return gzip.compress("".join(lines).encode(), compresslevel=9, mtime=0)


def main(folder: Path) -> None:
    for language in LANGUAGES:
        (folder / f"{language}.txt.gz").write_bytes(encode(language))
    origin = ORIGIN.format(version=metadata.version("spacy_lookups_data"), words=WORDS)
    (folder / "ORIGIN.md").write_text(origin, "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files are written")
    main(parser.parse_args().folder)
