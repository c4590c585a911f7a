"""Writing notes: a grammar, a number and a seed in, annotated documents out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.synthesis.filling import fill_template
from scrubjay.synthesis.grammar import Grammar, find_grammar
from scrubjay.synthesis.languages import find_language
from scrubjay.synthesis.nodes import Block
from scrubjay.synthesis.noise import add_noise
from scrubjay.synthesis.parsing import nearest
from scrubjay.synthesis.pools import Half
from scrubjay.synthesis.sources import Sources, choose_sources


def generate(
    language: str,
    count: int,
    seed: int = 0,
    *,
    genres: Collection[str] | None = None,
    grammar: Grammar | None = None,
    names: Half = "all",
    own: Mapping[str, tuple[str, ...]] | None = None,
    noise: Mapping[str, float] | None = None,
    traps: float = 0.0,
) -> Iterator[Document]:
    """Yield `count` annotated notes, all other for each seed and the same for the same one.

    A note follows from the language, the seed and its number, so the first notes of a longer run
    are those of a shorter one. Each template is used once before one is used again. `genres`
    chooses templates, `grammar` are templates of one's own, `names` is the half of the names that
    PHI is drawn from, `own` replaces lists (`sources.OWN_KINDS`), `noise` gives the
    probability of each kind of noise (`noise.noise_rates`), `traps` the mean number of lines that
    are put into a note and look like PHI but are none. The genre and the template stand in the
    metadata as "synth.genre" and "synth.template", kinds of noise as "synth.noise".

    Raises `ConfigError` for an unknown language, genre, half or list, an empty list, a negative
    count and a mean of traps below 0 or above 10.
    """
    find_language(language)
    if count < 0:
        raise ConfigError(f"the number of notes must not be negative: {count}")
    if not 0 <= traps <= 10:
        raise ConfigError(f"traps must be from 0 to 10 for each note, not {traps}")
    grammar = grammar or find_grammar(language)
    blocks = choose_templates(grammar, genres)
    sources = choose_sources(language, names, own)
    plan = _Plan(grammar, blocks, sources, noise or {}, traps)
    return _notes(language, count, seed, plan)


def choose_templates(grammar: Grammar, genres: Collection[str] | None) -> tuple[Block, ...]:
    """Return the templates of some genres, or all. Raises `ConfigError` for an unknown genre."""
    if not genres:
        return grammar.documents
    for genre in genres:
        if genre not in grammar.genres:
            hint = nearest(genre, grammar.genres, "genre")
            raise ConfigError(f"{grammar.language.name}: {hint}")
    return tuple(block for block in grammar.documents if block.name in genres)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What every note of a run is made of."""

    grammar: Grammar
    blocks: tuple[Block, ...]
    sources: Sources
    noise: Mapping[str, float]
    traps: float


def _notes(language: str, count: int, seed: int, plan: _Plan) -> Iterator[Document]:
    order: list[int] = []
    for number in range(count):
        turn, place = divmod(number, len(plan.blocks))
        if not place:
            order = list(range(len(plan.blocks)))
            Random(f"{seed}:order:{turn}").shuffle(order)
        block = plan.blocks[order[place]]
        rng = Random(f"{seed}:{language}:{number}")
        text, spans = fill_template(
            block, plan.grammar, plan.sources, rng, traps=_number(plan.traps, rng)
        )
        if rng.random() < 0.7:
            text += "\n"
        metadata = {"synth.genre": block.name, "synth.template": block.id}
        document = Document(f"{language}-{number:06d}", text, spans, metadata)
        yield add_noise(document, plan.noise, rng) if plan.noise else document


def _number(mean: float, rng: Random) -> int:
    """Return a number of traps; geometric, so that most notes have none and some have many."""
    number = 0
    while number < 20 and rng.random() < mean / (1 + mean):
        number += 1
    return number
