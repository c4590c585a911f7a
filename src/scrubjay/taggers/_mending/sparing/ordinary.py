"""Long stretches in which nothing is out of the ordinary tell of nobody (Dutch).

A tagger takes half a sentence for a fact by which somebody is known: "de hoek waar de schemerlamp
stond". Such facts are rare, in the news or told of one alone: what has four words and more, small
letters throughout and none of the words that tell of them ("als enige", "de eerste", "brand",
"krant", "de man die"), nor has its sentence, is none. Numbers, sums and names within it keep it.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

FACTS = frozenset({"OTHER"})

_FEWEST, _AROUND = 4, 120
"""Words of a stretch, and characters on either side in which its sentence may say more."""

_END = re.compile(r"[.!?](?=\s|\Z)|\n")

_BEGIN = re.compile(
    r"(?:[a-zà-ÿ]|(?:De|Het|Een|Er|Hij|Zij|Ze|Haar|Zijn|Met|Als|In|Op|Toen|Daar|Zoon|Dochter)[ ])"
)
_NAMED = re.compile(r"[^a-zà-ÿ\s,.;:!?'’()/-]")
_RARE = re.compile(
    r"enige|als[ ]eerste|(?:de|het)[ ]eerste|laatste|jongste|oudste|nieuws|krant|journaal|youtube|"
    r"film|foto|boek|lied|brand|gijz|overval|kaap|kaping|overle|overlev|omkw|omgekomen|omgebracht|"
    r"vermoord|moord|gered|redd|gevist|getild|gesprong|medaille|lintje|gouden|plaquette|"
    r"burgemeester|koning|minister|wethouder|dorp|(?<!\w)stad|gemeente|incident|ongeluk|ongeval|"
    r"delict|zaak|proces|rechtbank|vergift|steek|gestoken|gescho|wereld|record|kampioen|wedstrijd|"
    r"gewonnen|won(?!\w)|ooit|destijds|beroemd|bekend|(?<!\w)dak(?!\w)|vijver|rivier|gracht|snelweg|"
    r"aanvaring|aanrijding|kanaal|raam[ ](?:van|is|sprong|gespr)|achtervolg|podium|nier(?!\w)|"
    r"televisie|(?<!\w)tv(?!\w)|pak[ ]van|drieling|tweeling|orgel|kerk(?:klok|toren)|"
    r"(?<!\w)(?:de|het)[ ][a-z]+[ ](?:die|dat|waarbij|waarover)(?!\w)|"
    r"(?<!\w)(?:die|de|het|een)[ ](?:man|vrouw|jongen|jongetje|meisje|baby|kind)(?!\w)|"
    r"(?<!\w)(?:degene|(?:hij|zij|ze|ik)[ ](?:is|was|ben)[ ](?:die|de|het|een))(?!\w)"
)


def may_be_ordinary(mention: str) -> bool:
    """Tell whether a stretch has nothing out of the ordinary, wherever it stands."""
    return (
        mention.count(" ") >= _FEWEST - 1
        and _BEGIN.match(mention) is not None
        and _NAMED.search(mention, 1) is None
        and _RARE.search(mention) is None
    )


def is_ordinary(text: str, span: Span) -> bool:
    """Tell whether such a stretch is whole: neither a name nor what is rare goes on beside it."""
    after = text[span.end : span.end + 2]
    if after[:1].isalnum() or after.strip()[:1].isupper():
        return False
    before = _END.split(text[max(0, span.start - _AROUND) : span.start])[-1]
    rest = _END.split(text[span.end : span.end + _AROUND])[0]
    return _RARE.search(before) is None and _RARE.search(rest) is None
