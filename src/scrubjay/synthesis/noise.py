"""Noise: what happens to notes on their way, with spans that stay exact.

Each kind befalls a note with a probability of its own; how strong it is, is drawn for the note.
No change crosses the border of a span, so what was PHI stays PHI, and nothing else becomes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.files import read_toml
from scrubjay.synthesis._noise_characters import (
    change_accents,
    change_case,
    change_quotes,
    lower_all,
    lower_phi,
    misread,
    mistype,
    upper_all,
    upper_lines,
    upper_phi,
)  # fmt: skip
from scrubjay.synthesis._noise_layout import (
    Marked,
    add_bullets,
    add_indents,
    carriage_returns,
    glue,
    join_lines,
    spread,
    wrap,
)  # fmt: skip

Kind = Callable[[Marked, Random], Marked]

_KINDS: Mapping[str, tuple[float, Kind]] = {
    "upper-document": (0.07, upper_all),
    "lower-document": (0.06, lower_all),
    "upper-lines": (0.12, upper_lines),
    "upper-phi": (0.10, upper_phi),
    "lower-phi": (0.10, lower_phi),
    "mixed-case": (0.03, change_case),
    "accents": (0.08, change_accents),
    "quotes": (0.08, change_quotes),
    "typos": (0.45, mistype),
    "ocr": (0.08, misread),
    "join-lines": (0.14, join_lines),
    "glue": (0.28, glue),
    "bullets": (0.08, add_bullets),
    "indents": (0.10, add_indents),
    "spaces": (0.20, spread),
    "wrap": (0.30, wrap),
    "crlf": (0.06, carriage_returns),
}
"""Kind -> its share of notes at a noise of 1, and what it does; in the order of doing."""

KINDS = tuple(_KINDS)


def noise_rates(noise: float | str) -> dict[str, float]:
    """Return the probability of each kind: from a factor (0 none, 1 as usual), or a TOML file.

    The file holds kinds with their probabilities, 0 to 1; kinds that it does not name do not
    happen. Raises `ConfigError` for an unknown kind, a number that is none and a file that is no
    TOML.
    """
    try:
        factor = float(noise)
    except ValueError:
        return _read_rates(Path(str(noise)))
    if not 0 <= factor <= 10:
        raise ConfigError(f"noise must be from 0 to 10, not {noise}")
    return {kind: min(1.0, share * factor) for kind, (share, _) in _KINDS.items() if factor}


def _read_rates(path: Path) -> dict[str, float]:
    table = read_toml(path, hint="Noise is a number or a TOML file of rates")
    for kind, rate in table.items():
        if kind not in _KINDS:
            raise ConfigError(
                f"there is no kind of noise {kind!r}", path=path,
                hint=f"Known: {', '.join(KINDS)}",
            )  # fmt: skip
        if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
            raise ConfigError("must be a number from 0 to 1", path=path, place=kind)
    return {kind: float(table[kind]) for kind in _KINDS if kind in table}


def add_noise(document: Document, rates: Mapping[str, float], rng: Random) -> Document:
    """Return the document with noise, and which kinds it got in the metadata as "synth.noise"."""
    marked = Marked(document.text, document.spans)
    done = []
    for kind, (_, change) in _KINDS.items():
        if rng.random() < rates.get(kind, 0):
            marked = change(marked, rng)
            done.append(kind)
    if not done:
        return document
    metadata = {**document.metadata, "synth.noise": ",".join(done)}
    spans = tuple(_trimmed(span, marked.text) for span in marked.spans)
    return replace(document, text=marked.text, spans=spans, metadata=metadata)


def _trimmed(span: Span, text: str) -> Span:
    """Return a span without white space at its ends."""
    mention = text[span.start : span.end]
    start = span.start + len(mention) - len(mention.lstrip())
    end = span.end - (len(mention) - len(mention.rstrip()))
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)
