"""Particles of names ("van", "de la", "bin"): what the lists of several rooms have in common.

Each room adds what it takes for one besides. Apart from these stand lists of other ideas: the
attributes of taggers (`resources/lexicons/*.particles.txt`, which trained models depend on), the
roles of words in a mention (`resources/surrogates/name-words.toml`), what surrogates and swapped
names glue to a surname, and the runs of particles that a roster or a Spanish list may have.
"""

from __future__ import annotations

GERMANIC = frozenset(["van", "von", "der", "den", "ter", "ten"])
ROMANCE = frozenset(["de", "del", "la", "las", "los", "da", "di", "du"])
COMMON = GERMANIC | ROMANCE
"""What all lists have."""

FREQUENT = COMMON | {"della", "dos", "te", "het", "vd", "bin", "ibn"}
"""What is a particle before a surname, whatever stands around it."""

WITHIN = FREQUENT | {
    "vander", "vanden", "des", "y", "e", "i", "bint", "st", "san", "santa", "af", "zu", "op",
    "aan", "in",
}  # fmt: skip
"""What is one within a name alone: joined ones, saints, and everyday words."""
