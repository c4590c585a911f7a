"""What somebody is otherwise is no trade: "es diestro", "soltera", "natural y domiciliado en".

A hand, a family state, a birth or a habit stands where an occupation does (Spanish).
"""

from __future__ import annotations

import re

PROFESSION = "PROFESION"

_STATE = re.compile(
    r"(?:diestr|zurd|ambidiestr|solter|casad|viud|divorciad|separad|empadronad|domiciliad|"
    r"tartamud|jubilad|autónom|nacid|fumador|exfumador|bebedor|ex-?fumador)(?:[oa]s?)?|"
    r"(?:primí|multí|nulí|secundí)para|primigesta|multigesta|turista|mosquitero|e?migrantes?|"
    r"hablante[ ].{2,24}",
    re.IGNORECASE,
)


def is_no_trade(mention: str) -> bool:
    """Tell whether a profession is of no other word than what somebody is otherwise."""
    return _STATE.fullmatch(mention) is not None
