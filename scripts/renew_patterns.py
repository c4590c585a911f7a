"""Write a model with the patterns of today: those of `src/scrubjay/resources/patterns`.

    python scripts/renew_patterns.py MODEL OUT [--all] [--add NAME ...] [--overwrite]

MODEL is a name or a folder, of patterns or of an ensemble with such members, OUT the folder of the
new model. A model keeps copies of its patterns, and a change in the resources reaches nobody before
its copies are written anew. It keeps its choice of patterns: those that are in it, as they are
today, without those that are no more. With --add patterns of these names come to them, with --all
each that finds something the model has a label for. All else stays, and so do the figures in the
manifest, which are those before: score the new model before it takes the place of the old one.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from scrubjay.artifacts import Artifact, load_artifact, nest_files, save_artifact
from scrubjay.errors import ConfigError
from scrubjay.models import describe_model
from scrubjay.taggers.ensemble import KIND as ENSEMBLE
from scrubjay.taggers.ensemble import member_artifacts
from scrubjay.taggers.patterns import find_patterns
from scrubjay.taggers.regex import KIND, RegexDetector, load_regex


def renewed(
    detector: RegexDetector, language: str, *, add: Collection[str] | None
) -> RegexDetector:
    """Return a detector with the patterns of today, in today's order: its own, and those to add.

    None adds all that it has a label for. Raises `ConfigError` for a name that no such pattern has.
    """
    today = [each for each in find_patterns(language).patterns if each.kind in detector.table]
    if unknown := sorted(set(add or ()) - {each.name for each in today}):
        raise ConfigError(f"no pattern that the model has a label for is called {unknown[0]!r}")
    wanted = {each.name for each in detector.patterns} | set(add or ())
    chosen = [each for each in today if add is None or each.name in wanted]
    return RegexDetector(chosen, detector.table)


def renewed_artifact(
    artifact: Artifact, *, add: Collection[str] | None = ()
) -> tuple[Artifact, dict[str, bytes]]:
    """Return a model of patterns, or an ensemble, with its patterns renewed: manifest and files.

    Raises `ConfigError` where it has none, or as `renewed` does.
    """
    manifest = artifact.manifest
    if manifest.kind == KIND:
        new = renewed(load_regex(artifact), manifest.language, add=add)
        config = {**manifest.config, "patterns": len(new.patterns)}
        manifest = replace(manifest, labels=new.labels, config=config, files={})
        return replace(artifact, manifest=manifest), new.files()
    parts = member_artifacts(artifact) if manifest.kind == ENSEMBLE else {}
    found = {name: part for name, part in parts.items() if part.manifest.kind == KIND}
    if not found:
        raise ConfigError(f"the model {manifest.name!r} has no patterns")
    files = {name: artifact.read(name) for name in manifest.files}
    for name, part in found.items():
        new_part, own = renewed_artifact(part, add=add)
        files |= nest_files(name, new_part.manifest, own)
    return replace(artifact, manifest=replace(manifest, files={})), files


def main() -> None:
    """Read, renew, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("out", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--add", nargs="+", default=(), metavar="NAME")
    parser.add_argument("--overwrite", action="store_true")
    options = parser.parse_args()
    artifact = load_artifact(describe_model(options.model).folder)
    made, files = renewed_artifact(artifact, add=None if options.all else options.add)
    save_artifact(options.out, made.manifest, files=files, overwrite=options.overwrite)


if __name__ == "__main__":
    main()
