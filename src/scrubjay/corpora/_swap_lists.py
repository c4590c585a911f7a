"""What replacements are drawn from: weighted lexicons, and mentions of the corpus itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from random import Random

from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.features.draws import Pool, weight
from scrubjay.features.lexicons import Lexicon, find_lexicon, look_up
from scrubjay.languages import LANGUAGES
from scrubjay.transform.surrogates._tables import find_words

# Where names come from: lexicon and share. The world's lists bring in names of other peoples.
_SURNAMES = {
    "en": (("en.surnames", 0.65), ("es.surnames", 0.1), ("world.surnames", 0.25)),
    "es": (("es.surnames", 0.85), ("world.surnames", 0.15)),
    "nl": (("nl.surnames", 0.75), ("world.surnames", 0.25)),
}
_FIRST_NAMES = {
    "en": (("en.first-names", 0.6), ("es.first-names", 0.1), ("world.first-names", 0.3)),
    "es": (("es.first-names", 0.9), ("world.first-names", 0.1)),
    "nl": (("nl.first-names", 0.8), ("world.first-names", 0.2)),
}
_WORD_LIKE = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def weigh(lexicon: Lexicon, *, single_words: bool = False) -> Pool:
    """Return a lexicon as a list with the weights of `features.draws.weight`."""
    chosen = [entry for entry in sorted(lexicon) if not single_words or _WORD_LIKE.fullmatch(entry)]
    return Pool(tuple(chosen), tuple(accumulate(weight(lexicon[entry]) for entry in chosen)))


@cache
def _names(parts: tuple[tuple[str, float], ...]) -> tuple[tuple[Pool, float], ...]:
    eponyms = find_lexicon("world.eponyms")
    return tuple(
        (
            weigh(
                {
                    name: group
                    for name, group in find_lexicon(lexicon).items()
                    if len(name) > 1 and name not in eponyms
                },
                single_words=True,
            ),
            share,
        )
        for lexicon, share in parts
    )


@cache
def _list(name: str) -> Pool:
    return weigh(find_lexicon(name))


@dataclass(frozen=True, slots=True, repr=False)
class SwapLists:
    """The sources of replacements in one language.

    `mentions` are the distinct mentions of a training corpus by label, sorted; they lend their
    form to labels whose values no list holds (hospitals, organizations).
    """

    language: str
    mentions: Mapping[str, tuple[str, ...]]

    def __repr__(self) -> str:
        return f"SwapLists({self.language!r}, {len(self.mentions)} labels with mentions)"

    def surname(self, rng: Random) -> str:
        return _draw_of(_names(_SURNAMES[self.language]), rng)

    def first_name(self, rng: Random) -> str:
        return _draw_of(_names(_FIRST_NAMES[self.language]), rng)

    def draw(self, kind: str, rng: Random) -> str:
        """Return an entry of the language's lexicon of that kind ("cities", "regions")."""
        return _list(f"{self.language}.{kind}").draw(rng)

    def has(self, kind: str, word: str) -> bool:
        """Tell whether the language's lexicon of that kind holds the word."""
        return look_up(find_lexicon(f"{self.language}.{kind}"), word) is not None

    def is_frequent(self, word: str) -> bool:
        """Tell whether the word is among the 10,000 most common, or common at all in Dutch."""
        group = look_up(find_lexicon(f"{self.language}.common"), word.rstrip("."))
        return group is not None and group <= 5

    def name_role(self, word: str) -> str | None:
        """Return "first" or "last", whichever the word more often is, or None if neither."""
        first = look_up(find_lexicon(f"{self.language}.first-names"), word)
        last = look_up(find_lexicon(f"{self.language}.surnames"), word)
        if first is None and last is None:
            first = look_up(find_lexicon("world.first-names"), word)
            last = look_up(find_lexicon("world.surnames"), word)
        if first is None and last is None:
            return None
        return "first" if (last is None or (first or 9) <= (last or 9)) and first is not None \
            else "last"  # fmt: skip

    def proper_name(self, rng: Random) -> str:
        """Return a made-up name for a place or an institution, of one to four words."""
        words = find_words(self.language)
        choice = rng.random()
        if choice < 0.3:
            return self.surname(rng)
        if choice < 0.55:
            return self.draw("cities", rng)
        if choice < 0.65:
            return rng.choice(words.saints).format(self.first_name(rng))
        if choice < 0.75:
            return f"{self.first_name(rng)} {self.surname(rng)}"
        return f"{rng.choice(words.nature)}{words.glue}{rng.choice(words.heads)}"

    def street_stem(self, rng: Random) -> str:
        """Return the name of a street without its kind: "cedar ridge", "velázquez"."""
        choice = rng.random()
        if choice < 0.35:
            return self.surname(rng)
        if choice < 0.5:
            return self.first_name(rng)
        if choice < 0.65:
            return self.draw("cities", rng)
        return rng.choice(find_words(self.language).nature)

    def other_mention(self, label: str, rng: Random) -> str | None:
        """Return a mention that the label has elsewhere in the corpus, or None."""
        known = self.mentions.get(label, ())
        return rng.choice(known) if known else None


def make_swap_lists(language: str, documents: Iterable[Document] = ()) -> SwapLists:
    """Return the sources of a language ("en", "es", "nl"), with the mentions of `documents`.

    Give training documents alone: mentions of others would leak into training. Raises
    `ConfigError` for a language without lists.
    """
    if language not in LANGUAGES:
        raise ConfigError(
            f"there are no lists for language {language!r}",
            hint=f"Known: {', '.join(LANGUAGES)}",
        )
    found: dict[str, set[str]] = {}
    for document in documents:
        for span in document.spans:
            if mention := " ".join(document.text[span.start : span.end].split()):
                found.setdefault(span.label, set()).add(mention)
    return SwapLists(language, {label: tuple(sorted(found[label])) for label in sorted(found)})


def _draw_of(parts: tuple[tuple[Pool, float], ...], rng: Random) -> str:
    point = rng.random()
    for names, share in parts[:-1]:
        if point < share:
            return names.draw(rng)
        point -= share
    return parts[-1][0].draw(rng)
