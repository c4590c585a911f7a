"""Devices called by the name of a product are nobody: "globo en BladderScan", "Siemens Somatom".

They are written as firms, places and people are (Spanish). Who makes them is another thing, and
stays where nothing but the maker is named.
"""

from __future__ import annotations

import re

_PERSONS = frozenset({"NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"})
LABELS = _PERSONS | {"INSTITUCION", "TERRITORIO", "CENTRO_SALUD", "HOSPITAL"}

_PRODUCTS = frozenset([
    "accu-chek", "accuchek", "airsense", "airvo", "angio-seal", "angioseal", "aquilion",
    "bladderscan", "capsure", "capsurefix", "carelink", "cellsaver", "coaguchek", "dexcom",
    "dreamstation", "fibroscan", "flotrac", "freestyle", "frekasonda", "glidescope", "infusomat",
    "lifevest", "magnetom", "mycarelink", "omnipod", "optiflow", "pleur-evac", "pleurevac",
    "pleurx", "port-a-cath", "portacath", "somatom", "therasphere",
])  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def is_device(mention: str, label: str) -> bool:
    """Tell whether a mention is called by a product: by its first word, or a person by any."""
    words = _WORD.findall(mention.lower())
    return any(word in _PRODUCTS for word in (words if label in _PERSONS else words[:1]))
