"""Writing notes: a grammar, a number and a seed in, annotated documents out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from random import Random

from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.synthesis.filling import fill_template
from scrubjay.synthesis.grammar import Grammar, find_grammar
from scrubjay.synthesis.languages import find_language
from scrubjay.synthesis.nodes import Block
from scrubjay.synthesis.parsing import nearest
from scrubjay.synthesis.pools import HALVES, Half
from scrubjay.synthesis.sources import Sources, find_sources, make_sources


def generate(
    language: str,
    count: int,
    seed: int = 0,
    *,
    genres: Collection[str] | None = None,
    grammar: Grammar | None = None,
    names: Half = "all",
    own: Mapping[str, tuple[str, ...]] | None = None,
) -> Iterator[Document]:
    """Yield `count` annotated notes, all other for each seed and the same for the same one.

    A note follows from the language, the seed and its number, so the first notes of a longer run
    are those of a shorter one. Each template is used once before one is used again. `genres`
    chooses templates, `grammar` are templates of one's own, `names` is the half of the names that
    PHI is drawn from, `own` replaces lists (`sources.OWN_KINDS`). The genre and the template
    stand in the metadata as "synth.genre" and "synth.template".

    Raises `ConfigError` for an unknown language, genre, half or list, and a negative count.
    """
    find_language(language)
    if count < 0:
        raise ConfigError(f"the number of notes must not be negative: {count}")
    if names not in HALVES:
        raise ConfigError(f"names are one of {', '.join(HALVES)}, not {names!r}")
    grammar = grammar or find_grammar(language)
    blocks = choose_templates(grammar, genres)
    sources = make_sources(language, names, own) if own else find_sources(language, names)
    return _notes(language, count, seed, blocks, grammar, sources)


def choose_templates(grammar: Grammar, genres: Collection[str] | None) -> tuple[Block, ...]:
    """Return the templates of some genres, or all. Raises `ConfigError` for an unknown genre."""
    if not genres:
        return grammar.documents
    for genre in genres:
        if genre not in grammar.genres:
            hint = nearest(genre, grammar.genres, "genre")
            raise ConfigError(f"{grammar.language.name}: {hint}")
    return tuple(block for block in grammar.documents if block.name in genres)


def _notes(
    language: str,
    count: int,
    seed: int,
    blocks: tuple[Block, ...],
    grammar: Grammar,
    sources: Sources,
) -> Iterator[Document]:
    order: list[int] = []
    for number in range(count):
        turn, place = divmod(number, len(blocks))
        if not place:
            order = list(range(len(blocks)))
            Random(f"{seed}:order:{turn}").shuffle(order)
        block = blocks[order[place]]
        rng = Random(f"{seed}:{language}:{number}")
        text, spans = fill_template(block, grammar, sources, rng)
        if rng.random() < 0.7:
            text += "\n"
        yield Document(
            f"{language}-{number:06d}",
            text,
            spans,
            {"synth.genre": block.name, "synth.template": block.id},
        )
