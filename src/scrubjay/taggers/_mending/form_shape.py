"""The shape of a form of `odd_forms`: a label, what any of it holds, and how far it reaches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

Check = Callable[[str, str], bool]
"""What a form holds, and the language -> is it what the form is for?"""


class Form(NamedTuple):
    """A form: whose label it has, what any of it holds, itself, and how far it reaches from there.

    `near` are parts that a search of a text finds much faster than the form: those of all languages
    (""), and of some. With a `check` it is asked as well.
    """

    label: str
    near: Mapping[str, tuple[str, ...]]
    form: re.Pattern[str]
    before: int
    behind: int
    check: Check | None = None
