"""Patterns as a detector and as a tagger: what the rule learner starts from (Zhao 2020, Table 1).

`RegexDetector` finds spans in documents and stands on its own as a model of the kind "regex";
`RegexTagger` gives the tags of tokens, the initial annotation of transformation-based learning.
Neither is learned. The patterns themselves are data: see `patterns.py` and docs/patterns.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from scrubjay.artifacts import Artifact, Manifest, encode_json, save_artifact
from scrubjay.cores import Begun
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.labels import find_label_set
from scrubjay.taggers._search.matcher import Match, Matcher
from scrubjay.taggers._search.sieve_tables import Walked
from scrubjay.taggers.patterns import Pattern, find_patterns, read_records
from scrubjay.tags import Scheme, TagArray, encode_tags
from scrubjay.text.entities import reading_entities
from scrubjay.text.tokens import Tokens, align_spans

KIND = "regex"
_FILE = "patterns.json"


class RegexDetector:
    """Finds the PHI that has a shape or stands beside a cue word; immutable.

    `table` leads from the kind of a pattern to its label; patterns of other kinds are left out.
    Spans have no score, and their source is "regex:" with the name of the pattern.
    """

    def __init__(self, patterns: Iterable[Pattern], table: Mapping[str, str]) -> None:
        self.patterns = tuple(pattern for pattern in patterns if pattern.kind in table)
        self.table = dict(table)
        self.labels = tuple(dict.fromkeys(table[pattern.kind] for pattern in self.patterns))
        self._matcher = Matcher(self.patterns)
        self._labels = [table[pattern.kind] for pattern in self.patterns]
        self._sources = [f"{KIND}:{pattern.name}" for pattern in self.patterns]

    def __reduce__(self) -> tuple[Any, ...]:
        return RegexDetector, (self.patterns, self.table)

    @reading_entities
    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint.

        Where matches overlap, the pattern of higher priority wins, then the longer match, then
        the earlier one.
        """
        return list(self.finish(self.begin(documents)))

    def begin(self, documents: Sequence[Document]) -> Begun[Walked]:
        """Let other threads begin with `detect`, which `finish` goes on with."""
        return self._matcher.begin([document.text for document in documents])

    def finish(self, begun: Iterable[Walked]) -> Iterator[tuple[Span, ...]]:
        """Yield the spans of each document that was begun with."""
        return map(self._spans, self._matcher.finish(begun))

    def find(self, text: str) -> tuple[Span, ...]:
        """Return the spans of a text, as `detect` does."""
        return self._spans(self._matcher.find(text))

    def _spans(self, matches: Iterable[Match]) -> tuple[Span, ...]:
        labels, sources = self._labels, self._sources
        return tuple(
            [Span(s, e, labels[number], None, sources[number]) for s, e, number in matches]
        )

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact: the patterns themselves, as JSON."""
        records = [pattern.record() for pattern in self.patterns]
        return {_FILE: encode_json({"labels": self.table, "patterns": records})}

    def only(self, labels: Iterable[str]) -> RegexDetector:
        """Return the detector without the patterns of other labels."""
        kept = set(labels)
        table = {kind: label for kind, label in self.table.items() if label in kept}
        return RegexDetector(self.patterns, table)


class RegexTagger:
    """Tags tokens by what a `RegexDetector` finds in their text.

    A span takes every token that it shares a character with; where two claim one token, the
    longer keeps it. Patterns whose label is none of `labels` are left out.
    """

    def __init__(self, detector: RegexDetector, *, scheme: Scheme, labels: Sequence[str]) -> None:
        self.detector = detector.only(labels)
        self.scheme = scheme
        self.labels = tuple(labels)

    def tag(self, batch: Sequence[Tokens]) -> list[TagArray]:
        """Return the tags of each text, int16 arrays of its length."""
        return [
            encode_tags(self._ranges(tokens), len(tokens), scheme=self.scheme, labels=self.labels)
            for tokens in batch
        ]

    def _ranges(self, tokens: Tokens) -> Sequence[tuple[int, int, str]]:
        spans = self.detector.find(tokens.text)
        first = np.searchsorted(tokens.ends, [span.start for span in spans], side="right")
        last = np.searchsorted(tokens.starts, [span.end for span in spans], side="left")
        ranges = [
            (begin, end, span.label)
            for begin, end, span in zip(first.tolist(), last.tolist(), spans, strict=True)
        ]
        apart = all(before[1] <= after[0] for before, after in pairwise(ranges))
        return ranges if apart else align_spans(tokens, spans).ranges


def make_regex_detector(
    language: str, label_set: str, *, extra_files: Sequence[Path | str] = ()
) -> RegexDetector:
    """Return the detector of a language's patterns, with the labels of a label set.

    `label_set` is a name or a TOML file; `extra_files` are patterns of one's own. Raises
    `ConfigError` and `LabelError`, as `find_patterns` and `PatternSet.label_table` do.
    """
    found = find_patterns(language, extra_files)
    return RegexDetector(found.patterns, found.label_table(find_label_set(label_set)))


def save_regex_model(
    folder: Path | str,
    language: str,
    *,
    label_set: str,
    extra_files: Sequence[Path | str] = (),
    name: str = "",
    overwrite: bool = False,
) -> Manifest:
    """Save the patterns as a model, so that commands take them by its folder; return its manifest.

    The model holds the patterns themselves, and does not change with a later release. Raises
    like `make_regex_detector` and `save_artifact`.
    """
    detector = make_regex_detector(language, label_set, extra_files=extra_files)
    manifest = describe_regex(
        detector, language, label_set=label_set, name=name or Path(folder).name
    )
    return save_artifact(folder, manifest, files=detector.files(), overwrite=overwrite)


def describe_regex(
    detector: RegexDetector, language: str, *, label_set: str, name: str = KIND
) -> Manifest:
    """Return the manifest of a detector of patterns."""
    return Manifest(
        name=name,
        kind=KIND,
        language=language,
        label_set=find_label_set(label_set).name,
        labels=detector.labels,
        stores_words=False,
        config={"patterns": len(detector.patterns)},
        notes="Patterns written by hand; nothing was learned from any corpus.",
    )


def load_regex(artifact: Artifact) -> RegexDetector:
    """Return the detector of an artifact of the kind "regex".

    Raises `ArtifactError` where its parts do not fit together or a pattern is not safe.
    """
    content = artifact.read_json(_FILE)
    try:
        patterns = read_records(content["patterns"], origin=_FILE)
        table = {str(kind): str(label) for kind, label in content["labels"].items()}
        detector = RegexDetector(patterns, table)
        if detector.labels != tuple(artifact.manifest.labels):
            raise ConfigError("the labels are not those of the manifest")
    except (ConfigError, KeyError, TypeError, AttributeError, ValueError, re.error) as error:
        what = str(error) if isinstance(error, ConfigError) else type(error).__name__
        raise ArtifactError(
            f"{artifact.folder}: the parts of the model do not fit together ({what}). "
            "Save it again with this release"
        ) from error
    return detector


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Return nothing: patterns hold no words of a training corpus."""
    artifact.read(_FILE)
    return iter(())
