"""What `synth` and `implant` share: lists of one's own, given on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def own_lists(values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the lists of KIND=FILE; a file without a kind is one of surnames."""
    from scrubjay.errors import ConfigError
    from scrubjay.files import read_text
    from scrubjay.synthesis.pools import own_list

    lists = {}
    for value in values:
        kind, equals, name = value.partition("=")
        if not equals:
            kind, name = "surnames", value
        text = read_text(Path(name), kind=ConfigError, newlines=True)
        lists[kind] = own_list(text.split("\n"), name=name)
    return lists
