"""The forms of codes and days that words beside them tell of: sessions, workstations, flights.

They are forms of `odd_forms`, as those of `odd_form_table` are. "Session 3f2a..." is a code where
it has the groups of a UUID, if only the first three; a workstation has letters, a hyphen and a
figure ("RADWS-07"). An age of three figures is that of a header of images ("083Y"), a day of six
figures behind the key of a discharge is one where the day of the admission is written so, and a
vaccine has a day behind it where no two months of a scheme can be meant ("Bexsero 24-8").
"""

from __future__ import annotations

import re

from scrubjay.taggers._mending.form_shape import Form

_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"

_SESSION = Form(
    "other",
    {"": ("uuid", "UUID", "guid", "GUID"), "en": ("ession ", "ession:", "ession ID", "eeting ID"),
     "nl": ("essie ", "essie:", "essie-id"), "es": ("esión ", "esión:", "esion ")},
    re.compile(
        r"(?<!\w)(?:(?:session|meeting|sessie|sesi[óo]n|uu?id|guid)(?:[ -]id)?)[ ]?[:=#]?[ ]{0,2}"
        r"(?P<form>[\da-f]{8}-[\da-f]{4}-[\da-f]{4}(?:-[\da-f]{4}(?:-[\da-f]{12})?)?)(?![\w-])",
        re.IGNORECASE,
    ),
    before=12, behind=60,
)  # fmt: skip
_STATION = Form(
    "other",
    {"en": ("orkstation", "ORKSTATION", "ostname"), "nl": ("erkstation", "erkplek", "ostname"),
     "es": ("stación ", "STACIÓN ", "stación:", "ostname")},
    re.compile(
        r"(?<!\w)(?i:workstation|host[ ]?name|werkstation|werkplek|estación(?:[ ]de[ ]trabajo)?)"
        r"(?:[ ](?i:id|name|nombre|naam))?[ ]?[:#=]?[ ]{0,2}"
        r"(?P<form>(?=[A-Z\d-]{0,14}\d)[A-Z]{2,10}\d{0,4}(?:-[A-Z\d]{1,8}){1,3}+)(?![\w-]|[.]\w)"
    ),
    before=12, behind=60,
)  # fmt: skip
_FLIGHT = Form(
    "other",
    {"en": ("flt ", "light ", "FLT ", "LIGHT "), "nl": ("lucht ",), "es": ("uelo ",)},
    re.compile(
        r"(?<!\w)(?:flight|flt|vlucht|vuelo)[ ](?:(?:no|nr|nº|number|n)\.?[ ]|#[ ]?)?"
        r"(?P<form>(?:(?-i:[A-Z]{2}|[A-Z]\d|\d[A-Z])[ ]?)?(?!20[12]\d(?!\d))\d{3,4})"
        r"(?![\w%/:-]|[.,]\d|[ ](?:f(?:ee)?t|steps|stairs|m|min|mg|ml|h|hrs?|u|uur|nurse)(?!\w))",
        re.IGNORECASE,
    ),
    before=9, behind=24,
)  # fmt: skip
_IMAGED_ABOUT = r"(?<![\w.,/-])0\d\d"
_IMAGED = tuple(
    Form(
        "age", {language: ("Y  ", "Y\n", "Y/", " F 0", " M 0")},
        re.compile(rf"{_IMAGED_ABOUT}{ending}"),
        before=4, behind=9,
    )
    for language, ending in (("en", r"(?=Y(?!\w))"), ("nl", r"Y(?!\w)"), ("es", r"Y(?!\w)"))
)  # fmt: skip
_LEFT = Form(
    "date",
    {"en": (" DC:", " D/C:", " DISCH:", " DISCHARGE:", " DC DATE:")},
    re.compile(
        rf"(?<!\w)ADM(?:IT|ITTED|ISSION)?(?:[ ]DATE)?:[ ]{{0,4}}{_MONTH}{_DAY}\d\d(?!\d)[ ]{{1,12}}"
        rf"(?:DC|D/C|DISCH|DISCHARGE)(?:[ ]DATE)?:[ ]{{0,4}}(?P<form>{_MONTH}{_DAY}\d\d)(?!\d)"
    ),
    before=44, behind=34,
)  # fmt: skip
_VACCINES = (
    "Bexsero", "Prevenar", "Infanrix", "Hexyon", "Vaxelis", "Rotarix", "RotaTeq", "Nimenrix",
    "ProQuad", "Priorix", "Menveo", "Trumenba", "Varivax", "Gardasil", "Shingrix", "Boostrix",
    "MenQuadfi", "Vaxneuvance", "Varilrix", "Beyfortus",
)  # fmt: skip
_VACCINE = Form(
    "date",
    dict.fromkeys(("nl", "es"), tuple(f"{name} " for name in _VACCINES)),
    re.compile(
        rf"(?<!\w)(?:{'|'.join(_VACCINES)})[ ](?P<form>(?:19|2\d|3[01])[-/](?:0?[1-9]|1[0-2]))"
        r"(?![\d/-]|[.]\d|[ ]?(?:m|mnd|mo|meses|maanden|w|weken|jaar|años)(?!\w))"
    ),
    before=0, behind=20,
)  # fmt: skip
_COASS = Form(
    "sender",
    {"nl": ("o-ass. ", "oass. ", "o-ass ", "CO-ASS. ")},
    re.compile(
        r"(?<![\w-])(?i:co-?ass\.?)[ ](?P<form>(?:(?:van|de|den|der|el|ten|ter)[ ]){0,3}+"
        r"[A-ZÀ-Þ][^\W\d_]{1,24}+(?:-[A-ZÀ-Þ][^\W\d_]{1,24}+)?(?:[ ][A-Z]\.)?)(?![\w-])"
    ),
    before=4, behind=60,
)  # fmt: skip

CODE_FORMS = (_SESSION, _STATION, _FLIGHT, *_IMAGED, _LEFT, _VACCINE, _COASS)
