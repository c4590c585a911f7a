"""Attributes of a word that look it up: shipped lexicons, clusters, training dictionaries.

Names: `lexicon:en.surnames`, `lexicons:en` (which lexicons of the language and of the world have
the word), `dictionary-code:en` (the same for professions, cities, countries and regions, as four
bits), `cluster:es:6` (the prefix of that many bits, 16 for the whole cluster) and
`dictionary:CITY` (words of that label's mentions in the training data). A configuration may also
say `lexicons:*`, `dictionary-code:*`, `lexicon:*` and `lexicon:*.cities` (those of the language
and of the world), the same with `phrase:` (entries of several tokens), `protected:*` (the kind of
clinical term that a token belongs to, and its place in it), `cluster:6`, `dictionary:*` and the
groups of `DICTIONARY_GROUPS`.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

from scrubjay.errors import ConfigError
from scrubjay.features.clusters import cluster_languages, find_cluster, load_clusters
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up
from scrubjay.features.protected import protected_lists
from scrubjay.features.templates import FeatureConfig, Template
from scrubjay.features.words import WordFunction, find_word_attribute
from scrubjay.languages import LANGUAGES

#: The training dictionaries that the papers name, as labels of the shipped label sets.
DICTIONARY_GROUPS = {
    "place-or-date": (
        ("CITY", "STATE", "STREET", "COUNTRY", "DATE"),
        ("TERRITORIO", "CALLE", "PAIS", "FECHAS"),
        ("ADDRESS",),
    ),
    "profession-or-place": (
        ("PROFESSION", "CITY", "COUNTRY", "STATE"),
        ("PROFESION", "TERRITORIO", "PAIS"),
        ("ADDRESS",),
    ),
}

#: The Dictionary features of Jiang 2017, Table 2, as lexicons; section 5.2 makes them four bits.
DICTIONARY_CODE = ("professions", "cities", "countries", "regions")


def make_word_attribute(name: str, dictionaries: Mapping[str, frozenset[str]]) -> WordFunction:
    """Return the function behind an attribute's name; raises `ConfigError` if unknown."""
    kind, _, rest = name.partition(":")
    if kind == "lexicon":
        return _lexicon_attribute(rest)
    if kind == "lexicons":
        return _signature_attribute(rest)
    if kind == "dictionary-code":
        return _code_attribute(rest)
    cluster = cluster_behind(name)
    if cluster is not None:
        return _cluster_attribute(*cluster)
    if kind == "dictionary":
        words = dictionaries.get(rest, frozenset())
        return lambda word: "1" if word.lower() in words else None
    return find_word_attribute(name)


def lexicon_behind(name: str) -> Mapping[str, int] | None:
    """Return the list in which `lexicon:NAME` looks words up, None for another attribute."""
    kind, _, rest = name.partition(":")
    return find_lexicon(rest) if kind == "lexicon" else None


def _lexicon_attribute(name: str) -> WordFunction:
    lexicon = find_lexicon(name)

    def frequency_class(word: str) -> str | None:
        found = look_up(lexicon, word)
        return None if found is None else str(found)

    return frequency_class


def _signature_attribute(language: str) -> WordFunction:
    """Return which lexicons of a language and of the world have a word: "cities+surnames"."""
    ordered = sorted(_lists_by_kind(language).items())

    def signature(word: str) -> str | None:
        if not word[0].isalpha():
            return None
        found = [
            kind for kind, lists in ordered if any(look_up(x, word) is not None for x in lists)
        ]
        return "+".join(found) or "none"

    return signature


def _code_attribute(language: str) -> WordFunction:
    """Return a bit for each of `DICTIONARY_CODE`: "0100" for a city, "0000" for no entry."""
    kinds = _lists_by_kind(language)
    wanted = [kinds[kind] for kind in DICTIONARY_CODE]

    def code(word: str) -> str:
        found = [any(look_up(x, word) is not None for x in lists) for lists in wanted]
        return "".join("1" if bit else "0" for bit in found)

    return code


def _lists_by_kind(language: str) -> dict[str, list[Mapping[str, int]]]:
    """Return the lexicons of a language and of the world by what they list."""
    kinds: dict[str, list[Mapping[str, int]]] = {}
    for name in _signed_lexicons(language):
        kinds.setdefault(name.partition(".")[2], []).append(find_lexicon(name))
    return kinds


def _signed_lexicons(language: str) -> list[str]:
    """Return the lexicons of `lexicons:` and `dictionary-code:`: all but the protected terms.

    A signature means what it meant in the training of a model, so no list may join it later.
    """
    return [name for name in _lexicons_for("*", language) if not name.endswith(".protected")]


def cluster_behind(name: str) -> tuple[Mapping[str, int], int] | None:
    """Return the clusters of `cluster:LANGUAGE:BITS` and the mask of the bits; None for another."""
    kind, _, rest = name.partition(":")
    language, _, bits = rest.partition(":")
    if kind != "cluster":
        return None
    clusters = load_clusters(language)
    if not (bits.isascii() and bits.isdigit()):
        raise ConfigError(f"cluster:{rest} names no number of bits", hint="Write cluster:en:6")
    return clusters, (1 << int(bits)) - 1


def _cluster_attribute(clusters: Mapping[str, int], mask: int) -> WordFunction:
    def prefix(word: str) -> str | None:
        cluster = find_cluster(clusters, word)
        return None if cluster is None else str(cluster & mask)

    return prefix


def resource_fingerprints(attributes: Iterable[str]) -> dict[str, str]:
    """Return a short sha256 of each shipped list that the attributes look words up in.

    A model keeps them: its features mean the same only as long as the lists are the same.
    """
    wanted: dict[str, tuple[str, ...]] = {}
    for attribute in attributes:
        kind, _, rest = attribute.partition(":")
        if kind in ("lexicon", "phrase", "protected", "lexicons", "dictionary-code"):
            for name in _lists_behind(kind, rest):
                wanted[f"lexicon:{name}"] = (f"lexicons/{name}.txt", f"lexicons/{name}.txt.gz")
        elif kind == "cluster":
            language = rest.partition(":")[0]
            wanted[f"cluster:{language}"] = (f"clusters/{language}.txt.gz",)
    folder = files("scrubjay.resources")
    found: dict[str, str] = {}
    for name, paths in sorted(wanted.items()):
        digest = hashlib.sha256()
        for path in paths:
            file = folder.joinpath(path)
            if file.is_file():
                digest.update(file.read_bytes())
        found[name] = digest.hexdigest()[:16]
    return found


def _lists_behind(kind: str, rest: str) -> list[str]:
    """Return the names of the lexicons that an attribute looks words up in."""
    if kind == "lexicons":
        return _signed_lexicons(rest)
    if kind == "protected":
        return protected_lists(rest)
    if kind == "dictionary-code":
        return [name for wanted in DICTIONARY_CODE for name in _lexicons_for(f"*.{wanted}", rest)]
    return [rest]


def warn_of_changed_resources(
    model: str, trained: Mapping[str, str], attributes: Iterable[str]
) -> None:
    """Warn where a list is not what it was, by the fingerprints of a model's training."""
    current = resource_fingerprints(attributes)
    changed = sorted(key for key, value in trained.items() if current.get(key) != value)
    if changed:
        warnings.warn(
            f"the model {model!r} was trained with other versions of {', '.join(changed)}: "
            "its figures may differ. Train it again with this release",
            stacklevel=2,
        )


def expand_attributes(
    config: FeatureConfig, *, language: str, labels: Sequence[str]
) -> FeatureConfig:
    """Replace `lexicon:*`, `dictionary:*` and `cluster:BITS` by those of a language and labels.

    Raises `ConfigError` for a language without shipped lexicons where one is asked for.
    """
    groups = {
        name: tuple(
            expanded
            for template in templates
            for expanded in _expand(template, language=language, labels=labels)
        )
        for name, templates in config.groups.items()
    }
    return FeatureConfig(groups, config.scope, config.dictionary_documents)


def _expand(template: Template, *, language: str, labels: Sequence[str]) -> list[Template]:
    variants: list[tuple[tuple[str, int], ...]] = [()]
    for name, offset in template.parts:
        names = _expand_name(name, language=language, labels=labels)
        variants = [(*variant, (one, offset)) for variant in variants for one in names]
    return [Template(parts) for parts in variants]


def _expand_name(name: str, *, language: str, labels: Sequence[str]) -> list[str]:
    kind, _, rest = name.partition(":")
    if kind == "dictionary":
        groups = DICTIONARY_GROUPS.get(rest)
        wanted = {label for group in groups for label in group} if groups else {rest}
        return [f"dictionary:{label}" for label in labels if rest == "*" or label in wanted]
    if name in ("lexicons:*", "dictionary-code:*"):
        _lexicons_for("*", language)  # refuses a language without any
        return [f"{kind}:{language}"]
    if kind == "cluster" and rest.isdigit():
        return [f"cluster:{language}:{rest}"] if language in cluster_languages() else []
    if name == "protected:*":
        return [f"protected:{language}"] if protected_lists(language) else []
    if kind in ("lexicon", "phrase") and (rest == "*" or rest.startswith("*.")):
        return [f"{kind}:{found}" for found in _lexicons_for(rest, language)]
    return [name]


def _lexicons_for(pattern: str, language: str) -> list[str]:
    if language not in LANGUAGES:
        raise ConfigError(
            f"no lexicons are shipped for language {language!r}",
            hint=f"Known: {', '.join(LANGUAGES)}",
        )
    wanted = [name for name in lexicon_names() if name.split(".")[0] in (language, "world")]
    if pattern == "*":
        return wanted
    return [name for name in wanted if name.partition(".")[2] == pattern[2:]]
