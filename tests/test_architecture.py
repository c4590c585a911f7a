"""docs/architecture.md shows the house as it is built."""

from __future__ import annotations

import re

from scripts.write_rooms import PACKAGE, TARGET, files_of, layers, render

PAGE = TARGET.read_text(encoding="utf-8")


def test_the_table_of_rooms_is_fresh() -> None:
    fresh = render() == PAGE
    assert fresh, "run scripts/write_rooms.py"


def test_every_module_stands_in_a_room() -> None:
    placed = {file for layer in layers() for room in layer for file in files_of(room)}
    modules = {path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"}
    assert modules - placed == set()


def test_the_picture_shows_every_room_that_is_built() -> None:
    picture = PAGE.split("```text")[1].split("```")[0]
    rooms = [room for layer in layers() for room in layer if files_of(room)]
    assert [room for room in rooms if not re.search(rf"\b{room}\b", picture)] == []
