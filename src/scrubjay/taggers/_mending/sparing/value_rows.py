"""Rows of values of the laboratory are no number of anybody: "Na 129 137 135-145" (Spanish, Dutch).

Values of several days and the usual range behind them have the shape of a telephone or a record,
and a range that of a day ("HCO3 18 (22-29)"). What is measured stands before them on the line, with
nothing but values between, and the values are of one size: where they are not, or where a date may
stand ("na 12-11-24"), they stay. So do single numbers; "CA 15-3" is a marker of tumours.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_AROUND, _LONGEST = 64, 64
"""Characters before a row in which what is measured stands, and of a row."""

_FURTHEST, _LAST_DAY = 8.0, 31
"""How many times the least value of a row the largest may be, and the last day of a month."""

_MEASURED = r"""
    na k cl ca mg p hb hto ht hct vcm mcv vsg bse inr crp pcr fa ggt got gpt ast alt asat alat ldh
    ck cpk bun tsh t4 ft4 psa cea afp bnp nt-probnp tnt tni hco3 bicarbonato bicarbonaat lactato
    lactaat pco2 po2 ph sodio natrium potasio kalium cloro chloor calcio calcium magnesio magnesium
    fósforo fosfaat fosfato urea ureum creatinina creatinine creat kreat krea cr egfr mdrd glucosa
    glucemia glucose gluc glu bilirrubina bilirubine bili albúmina albumina albumine alb ferritina
    ferritine ferr hierro ijzer transferrina transferrine hemoglobina hemoglobine hematocrito
    hematocriet leucocitos leukocyten leuko leucos leu plaquetas trombocyten trombo plaq eosinófilos
    neutrófilos neutro linfocitos lymfocyten amilasa amylase lipasa lipase colesterol cholesterol
    hdl ldl triglicéridos triglyceriden troponina troponine procalcitonina procalcitonine d-dímero
    dímero-d d-dimeer fibrinógeno fibrinogeen vitamina-d b12 fólico foliumzuur hba1c vancomicina
    vancomycine gentamicina gentamicine digoxina digoxine litio lithium tacrolimus valproato
    valproaat fenitoína fenytoïne amonio ammoniak osmolaridad osmolaliteit
"""
MEASURED = "|".join(sorted(map(re.escape, _MEASURED.split()), key=len, reverse=True))
"""Names of what is measured, as alternatives of an expression."""
# Of each text there is one way to match, so that none of many digits or blanks takes long.
_VALUE = r"\d{1,5}(?:[.,]\d{1,3})?(?:[ ]?[*HL↑↓])?"
_GAP = r"[ \t;→>-]"
_BEFORE = re.compile(
    rf"(?<![\w/.-])(?:{MEASURED})(?:[ ](?:valle|dal|piek|pico|total|totaal))?[ \t]*[:=]?[ \t]*"
    rf"(?P<values>(?:[<>]?[ ]?{_VALUE}(?:{_GAP}{{1,14}}(?:<[ ]?)?{_VALUE})*{_GAP}{{1,12}})?)"
    r"[(\[]?\Z",
    re.IGNORECASE,
)
_OWN_NAME = re.compile(rf"(?:{MEASURED})[ \t:=]+(?=[<>\d])", re.IGNORECASE)
_ROW = re.compile(r"(?:[<>]?\d+(?:[.,]\d\d+)*(?:[.,]\d)?(?!\d)[ \t]*(?:[-–(\[][ \t]*)?)+[)\]]?")
_RANGE = re.compile(r"(\d{1,4})[-–](\d{1,4})")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_GOES_ON = re.compile(r"[-–./,:]?\d|[ \t]*:|[ \t]*(?:jaar|jr|años|a)\b", re.IGNORECASE)
# What may be a day, a month and a year: "na 12-11-24" is after it in Dutch, "Na 12 11 24" may be.
_DAY = re.compile(
    r"\d[-–]\d+[-–]\d|\d[.]\d+[.]\d|\A(?:0?[1-9]|[12]\d|3[01])[ \t]+(?:0?[1-9]|1[012])[ \t]+"
    r"(?:19|20)?\d\d?\Z"
)
_MARKERS = frozenset(["15-3", "19-9", "72-4", "27-29"])
_MARKER = re.compile(r"(?<!\w)(?:CA|Ca)[ ]?\Z")


def may_be_value_row(mention: str) -> bool:
    """Tell whether a mention has several numbers and no sign of a date, wherever it stands."""
    if len(mention) > _LONGEST or (not mention[-1:].isdecimal() and mention[-1:] not in ")]"):
        return False
    return _ROW.fullmatch(_without_name(mention)) is not None and len(_NUMBER.findall(mention)) > 1


def is_value_row(text: str, span: Span) -> bool:
    """Tell whether a mention is values of what stands before it, the range of one, or a marker."""
    start, end = span.start, span.end
    mention = text[start:end]
    if mention in _MARKERS and _MARKER.search(text, max(0, start - 4), start):
        return True
    if _GOES_ON.match(text, end):
        return False
    row = _without_name(mention)
    line = max(text.rfind("\n", 0, start) + 1, start - _AROUND)
    before = None if row != mention else _BEFORE.search(text, line, start)
    if (row == mention and before is None) or _DAY.search(row):
        return False
    values = before["values"] if before else ""
    numbers = [float(one.replace(",", ".")) for one in _NUMBER.findall(values + row)]
    ends = _RANGE.fullmatch(row)
    if len(numbers) < 3 and (ends or len(numbers) < 2):
        return False  # "Hb 3-4" may be of that day
    if ends is not None:
        low, high = int(ends[1]), int(ends[2])
        if low >= high:  # "INR 2,4 (18-6)" is of that day
            return False
        if low == 0 or high > _LAST_DAY:
            return True
    return max(numbers) <= _FURTHEST * max(min(numbers), 0.5)


def _without_name(mention: str) -> str:
    """Return a mention without what is measured, where it begins with that."""
    own = _OWN_NAME.match(mention)
    return mention[own.end() :] if own else mention
