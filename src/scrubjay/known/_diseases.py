"""Diseases that go by a surname, in short hand: "Addison's dz", "h/o Crohn's" (English).

The listed terms hold "Addison's disease", and notes say less. A word for a disease right behind the
name tells, as in the list; else a genitive that nothing follows of which it could be, with a word
before it that diseases follow, or another disease beside it: "HTN, Parkinson's, DM". Where a person
can be meant it is one: "Addison's mother", "Crohn's on the phone", "Graves, HTN".
"""

from __future__ import annotations

import re

_LISTED = """
    addison alzheimer asperger barrett basedow behcet behçet bell crohn cushing dupuytren graves
    hashimoto hodgkin huntington kawasaki meniere menière ménière paget parkinson peyronie raynaud
    sjogren sjögren sjoegren takayasu tourette waldenstrom waldenström wegener
"""
_NAMES = frozenset(_LISTED.split())
"""Surnames by which one disease goes, mostly alone."""

_GENITIVE = r"(?:['’`]s|s?['’`])"
_DISEASE = re.compile(
    rf"{_GENITIVE}?[ ](?:dz|dis(?:ease)?|synd(?:rome)?)(?![\w'’])|"
    rf"{_GENITIVE}[ ](?:flares?(?:-?ups?)?|crisis|dementia|o?esophagus|palsy|chorea|colitis|"
    r"ileitis|thyroiditis|phenomen(?:on|a)|ophthalmopathy|orbitopathy|triad|contractures?|lymphoma|"
    r"macroglobulinemia|granulomatosis|arteritis|vertigo|of[ ](?:the[ ])?(?:bone|breast|vulva))"
    r"(?!\w)",
    re.IGNORECASE,
)
_GENITIVE_ONLY = re.compile(_GENITIVE)
_RESULT = re.compile(
    r"[ ](?:(?:neg(?:ative)?|pos(?:itive)?)(?=[ ]*(?:[.,;)\r\n]|\Z))|r/o(?!\w)|ruled[ ]out(?!\w)|"
    r"stage[ ](?:[0-7]|I{1,3}|IV)(?!\w))",
    re.IGNORECASE,
)
# What diseases follow; the last of them only at the end of a clause.
_BEFORE = re.compile(
    r"(?<!\w)(?:h/o|hx(?:[ ]of)?:?|history[ ]of|pmh?x?:?|fhx?(?:[ ]of)?:?|"
    r"fam(?:ily)?[ ](?:hx|history)(?:[ ]of)?:?|r/o|rule[ ]out|no|known|early|severe|mild|moderate|"
    r"advanced|longstanding|active|dx(?:'?d)?(?:[ ](?:with|w/|of))?:?|diagnos(?:ed[ ]with|is[ ]of)|"
    r"c/w|suspect(?:ed)?|possible|probable|presumed|refractory|"
    r"(?:pts?|patients?|\d[MF]|yo|male|female|(?:wo)?man)[ ]"
    r"(?:with|w/)|has|have|had|treated[ ]for|due[ ]to|2/2)[ ]{1,2}\Z",
    re.IGNORECASE,
)
_WEAK = re.compile(r"(?<!\w)(?:no|has|have|had)[ ]{1,2}\Z", re.IGNORECASE)
_SURELY = re.compile(r"(?<!\w)(?:h/o|hx[ ]of|history[ ]of|r/o|rule[ ]out)[ ]{1,2}\Z", re.IGNORECASE)
_OTHERS = (
    r"(?:HTN|DM[12I]{0,2}|T[12]DM|IDDM|NIDDM|CAD|COPD|CHF|HF(?:p|r)EF|HLD|GERD|CKD|ESRD|OSA|AF(?:ib)?|"
    r"RA|SLE|MS|PVD|PAD|DVT|CVA|TIA|BPH|IBS|PTSD|MDD|OA|asthma|hypothyroid(?:ism)?|hypertension|"
    r"depression|an[ae]emia|celiac|lupus|osteoporosis|arthritis|cancer|diabetes|gout|migraines?|"
    r"dementia|psoriasis|epilepsy|vitiligo)"
)
_OTHER_BEFORE = re.compile(rf"(?<!\w){_OTHERS}(?:,|;|[ ]?/|,?[ ](?:and|&))[ ]?\Z", re.IGNORECASE)
_OTHER_AFTER = re.compile(rf"(?:,|;|[ ]?/|,?[ ](?:and|&))[ ]?{_OTHERS}(?!\w)", re.IGNORECASE)
_ENDS = re.compile(
    r"[ ]*(?:[.,;:)/?\r\n]|\Z)|[ ](?:s/p|w/|dx(?:'?d)?|since|currently|now|"
    r"on(?![ ](?:the|an?|his|her|their|my|phone|call|way|floor|unit|line|hold)(?!\w))|and|or|but|"
    r"vs|x|with)(?!\w)",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(r"[ ]*(?:[.;)?\r\n]|\Z)")
_AROUND, _LONGEST = 32, 12


def disease_term(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where the disease begins and ends that goes by the surname `text[start:end]`.

    None where it is no such surname, or a person may be meant.
    """
    if end - start > _LONGEST or text[start:end].lower() not in _NAMES:
        return None
    limit = end + 40
    told = _DISEASE.match(text, end, limit)
    if told is not None:
        return start, told.end()
    before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
    genitive = _GENITIVE_ONLY.match(text, end)
    if genitive is None:
        if _SURELY.search(before) and _CLAUSE_ENDS.match(text, end):
            return start, end
        return None
    place = genitive.end()
    result = _RESULT.match(text, place, limit)
    if result is not None:
        return start, result.end()
    if not _ENDS.match(text, place, limit):
        return None
    if _OTHER_BEFORE.search(before) or _OTHER_AFTER.match(text, place, limit):
        return start, place
    if _BEFORE.search(before) and (not _WEAK.search(before) or _CLAUSE_ENDS.match(text, place)):
        return start, place
    return None
