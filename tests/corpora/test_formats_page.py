"""docs/formats.md names every format, every suffix and every option."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import FORMATS, find_format


@pytest.mark.parametrize("name", FORMATS)
def test_the_page_names_the_format_and_its_options(name: str, root: Path) -> None:
    page = (root / "docs" / "formats.md").read_text(encoding="utf-8")
    kind = find_format(name)
    assert f"`{name}`" in page
    for suffix in kind.suffixes:
        assert f"`{suffix}`" in page
    for option in (*kind.read_options(), *kind.write_options()):
        assert f"`{option}`" in page or f"`{option}=" in page, option
