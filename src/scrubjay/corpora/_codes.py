"""What looks like a code: one word, and no telephone.

Nobody checks what is typed where a code should stand. A telephone of ten digits looks like a
number of SNOMED CT, which only the system of the code can tell.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"\S+")
_MARKED = re.compile(
    r"(?:\+?1[-./])?(?:\([2-9][0-9]{2}\)[-./]?|[2-9][0-9]{2}[-./])[2-9][0-9]{2}[-./][0-9]{4}"
    r"|\+[1-9][0-9()./-]{7,18}|0[1-9][0-9]?-[0-9]{7,8}|0[1-9][0-9]{2}-[0-9]{6}"
    r"|[6789][0-9]{2}[-.][0-9]{3}[-.][0-9]{3}|tel:\S+"
)
_BARE = re.compile(r"1?[2-9][0-9]{2}[2-9][0-9]{6}|0[1-9][0-9]{8}|[67][0-9]{8}")


def is_code(text: str, *, bare: bool = False) -> bool:
    """Tell whether a text looks like a code.

    With `bare`, digits alone that may be a telephone (of North America, the Netherlands, mobile in
    Spain) are none: for values of which no system tells what their digits mean.
    """
    if _WORD.fullmatch(text) is None or _MARKED.fullmatch(text) is not None:
        return False
    return not (bare and _BARE.fullmatch(text))
