"""The parser and the compiler of the standard library's `re`, and names of theirs, none public.

Patterns are walked over in their parsed form: what a match can begin and end with, whether it can
hang, how it is made faster. The names are those of Python 3.11 and later.
"""

from __future__ import annotations

import importlib
from typing import Any

PARSER: Any = importlib.import_module("re._parser")
COMPILER: Any = importlib.import_module("re._compiler")

SINGLE = frozenset({"LITERAL", "NOT_LITERAL", "IN", "ANY"})
"""Operations that take one character."""

REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
