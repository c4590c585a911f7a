"""What `synth` and `implant` share: lists of one's own, given on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def own_lists(values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the lists of KIND=FILE; a file without a kind is one of surnames."""
    from scrubjay.errors import ConfigError
    from scrubjay.synthesis.pools import own_list

    lists = {}
    for value in values:
        kind, equals, name = value.partition("=")
        if not equals:
            kind, name = "surnames", value
        try:
            text = Path(name).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise ConfigError(f"cannot be read ({error.strerror})", path=name) from None
        except UnicodeDecodeError:
            raise ConfigError("is not UTF-8", path=name) from None
        lists[kind] = own_list(text.split("\n"), name=name)
    return lists
