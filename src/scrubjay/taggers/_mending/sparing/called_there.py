"""Names that are clinical terms elsewhere, by where they stand: "zus Cor", "bij de RET" (Dutch).

A term decides over a mention that a model doubts (`sparing/spared`), but not over a first name that
is the heart in Latin, a groin, a drug or an operation, as long as no finding and no dose stands
behind it; not over a word with a capital behind a title, a function or the number of a room ("mw
Kuit", "ds. Verloop"); and not over a firm or an insurer that is a unit or a gene, where neither a
number stands before it nor other genes beside it.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_NAME, _FIRM, _MOST = "NAME", "ORGANIZATION_COMPANY", 12
"""Labels that are asked, and letters of a mention."""

_FIRSTS = frozenset([
    "Aki", "Ana", "Ap", "Cor", "Cori", "Gerd", "Lies", "Lo", "Mattis", "Senna", "Skyla", "Tavi",
    "Tobi", "Yasmin",
])  # fmt: skip
"""First names that are terms; most people write them so, and "TAVI" in capitals."""

_FINDING = re.compile(
    r"[ ]?(?:[:=/<>+]|[-–]?\d)|[ ](?:(?:s1|pulm|souff?le|irreg|reg|zuiver|normaal|soepel|"
    r"ongestoord|gezwollen|pijnlijk|zo[ ]nodig|stop|gestopt|gestart|starten|opgehoogd|afgebouwd|"
    r"continueren)|"
    r"(?:en[ ](?:pulm|long)\w*|gb|g\.b|ga|zonder|geen|re|li|r|l|links|rechts|bdz|beiderzijds|"
    r"z\.?n|a\.?n|per|dd)(?!\w))",
    re.IGNORECASE,
)
_DOSE_BEFORE = re.compile(r"\d[ ]?(?:mg|ml|x|dd|tabl?(?:et(?:ten)?)?)[ ]\Z", re.IGNORECASE)
_TITLED = re.compile(
    r"(?<![\w-])(?:(?:(?i:dhr|hr|mw|mevr|mevrouw|meneer|mijnheer|mej|fam|familie|zr|zuster|broeder|"
    r"ds|dr|drs|prof|dokter|pastoor|pater|dominee|imam|kapelaan|juf|juffrouw|meester|(?:huis|tand|zaal)?arts|\w{0,5}verpleegkundige|"
    r"vpk|\w{0,5}coach|\w{0,5}begeleidst?er|mentor|psycholoog|psychiater|internist|chirurg|"
    r"apotheker|collega)|[Dd]e[ ]heer)\.?|(?:k|kmr|kamer|app|bed)\.?[ ]?\d{1,3}[a-zA-Z]?:?)"
    r"[ ]{1,2}\Z"
)
_TITLED_CAPITALS = re.compile(
    r"(?<![\w-])(?i:ds|dr|drs|prof|dokter|pastoor|pater|dominee)\.?[ ]{1,2}\Z"
)
_FEWEST_CAPITALS = 4
"""Letters of a name in capitals behind a title: three may be a test or an illness."""
_FIRMS = frozenset(["CM", "RET"])
_NUMBER_BEFORE = re.compile(r"(?:\d|[xX×])[ ]?\Z")
_MEASURE = re.compile(
    r"[ ](?:aangevraagd|afgegeven|aanvragen|opgelegd|verlengd|verlopen|loopt|machtiging|verleend)"
)
_GENE = r"[A-Z]{2,5}\d?[A-Z]?\d?"
_GENES_BEFORE = re.compile(rf"(?<!\w){_GENE},[ ]\Z")
_GENES_AFTER = re.compile(rf"(?:,[ ]{_GENE}(?!\w)|[ -](?:fusie|mutatie|gen)\w*)")
_BEFORE = 26


def is_called_there(text: str, span: Span) -> bool:
    """Tell whether a mention that is a term elsewhere is a person or a body where it stands."""
    start, end = span.start, span.end
    if end - start > _MOST:
        return False
    mention, first = text[start:end], max(0, start - _BEFORE)
    if span.label == _NAME:
        if not mention.isalpha():
            return False
        if mention.isupper() and len(mention) >= _FEWEST_CAPITALS:
            return _TITLED_CAPITALS.search(text, first, start) is not None
        if not mention.istitle():
            return False
        if _TITLED.search(text, first, start):
            return True
        return (
            mention in _FIRSTS
            and _FINDING.match(text, end) is None
            and _DOSE_BEFORE.search(text, first, start) is None
        )
    if span.label != _FIRM or mention not in _FIRMS:
        return False
    if mention == "CM":
        return not _NUMBER_BEFORE.search(text, first, start) and not _MEASURE.match(text, end)
    return not _GENES_BEFORE.search(text, first, start) and not _GENES_AFTER.match(text, end)
