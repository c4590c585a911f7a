"""The forms of `odd_forms`: what each is made of, where a text may have it, and its label.

The first are forms that little but an identifier has. Those below stand beside what tells of them:
a row that begins with a surname, names and a date is a patient's, and so is the value of the key of
a surname.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scrubjay.features.lexicons import is_listed
from scrubjay.taggers._mending.code_forms import CODE_FORMS
from scrubjay.taggers._mending.form_shape import Form
from scrubjay.taggers._mending.people.person_names import is_common, is_eponym
from scrubjay.text.numerals import numerals, words_among_digits


class Labels(NamedTuple):
    """The labels that a language gives to what the forms hold."""

    person: str
    sender: str
    kin: str
    date: str
    age: str
    email: str
    device: str
    number: str
    user: str
    handle: str
    phone: str
    organization: str
    clinic: str
    other: str


BY_LANGUAGE = {
    "en": Labels("PATIENT", "DOCTOR", "PATIENT", "DATE", "AGE", "EMAIL", "DEVICE", "MEDICALRECORD",
                 "USERNAME", "USERNAME", "PHONE", "ORGANIZATION", "HOSPITAL", "IDNUM"),
    "nl": Labels("NAME", "NAME", "NAME", "DATE", "AGE", "EMAIL", "ID", "ID", "ID", "ID",
                 "PHONE_FAX", "ORGANIZATION_COMPANY", "HOSPITAL", "ID"),
    "es": Labels("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO",
                 "FAMILIARES_SUJETO_ASISTENCIA", "FECHAS", "EDAD_SUJETO_ASISTENCIA",
                 "CORREO_ELECTRONICO", "OTRO_NUMERO_IDENTIF", "ID_SUJETO_ASISTENCIA",
                 "OTRO_NUMERO_IDENTIF", "URL_WEB", "NUMERO_TELEFONO", "INSTITUCION",
                 "CENTRO_SALUD", "OTRO_NUMERO_IDENTIF"),
}  # fmt: skip


def _is_first_name(name: str, language: str) -> bool:
    """Tell whether a name begins with a listed first name that is no everyday word or eponym."""
    first = re.split("[ -]", name.lower())[0]
    lists = f"{language}.first-names", "world.first-names"
    return (
        is_listed(first, *lists)
        and not is_common(first, language)
        and not is_eponym(first, language)
    )


_AT, _DOT = "(?:at|arroba)", "(?:dot|punto?)"
_SPELLED = Form(
    "email",
    {"": ("[at]", "(at)"), "es": ("[arroba]", "(arroba)")},
    re.compile(
        rf"(?<![\w.+-])[\w.+-]{{1,64}}[ ]?(?:\[{_AT}\]|\({_AT}\))[ ]?[\w-]{{1,63}}"
        rf"(?:(?:\.|[ ]?(?:\[{_DOT}\]|\({_DOT}\))[ ]?)[\w-]{{1,63}}){{1,4}}",
        re.IGNORECASE,
    ),
    before=66, behind=200,
)  # fmt: skip
_HARDWARE = Form(
    "device",
    {"": ("MAC", "mac ad")},
    re.compile(
        r"(?<![\w:-])[\da-f]{2}(?P<sign>[:-])(?:[\da-f]{2}(?P=sign)){4}[\da-f]{2}(?![\w:-])",
        re.IGNORECASE,
    ),
    before=0, behind=40,
)  # fmt: skip
_WEEK = Form(
    "date",
    {"": ("-W",)},
    re.compile(r"(?<![\w-])(?:19|20)\d\d-W(?:0[1-9]|[1-4]\d|5[0-3])(?:-[1-7])?(?![\w-])"),
    before=4, behind=7,
)  # fmt: skip
_BORN = Form(
    "date",
    {"en": (" b.", "born", "DOB"), "nl": ("geb",), "es": ("nac",)},
    re.compile(
        r"(?<!\w)(?:b|born|dob|geb|geboren|nac|nacid[oa])\.?[ :]{1,3}(?P<form>"
        r"(?:[12]\d|3[01]|0?[1-9])[ ./-](?:x(?:ii?)?|ix|i{1,3}|iv|vi{0,3})[ ./-]"
        r"(?:(?:19|20)\d\d|\d\d))(?!\w)",
        re.IGNORECASE,
    ),
    before=0, behind=30,
)  # fmt: skip
_YEAR = Form(
    "date",
    {"": (" '", " ’")},
    re.compile(
        r"(?<!\w)(?:class[ ]of|in|since|until|till|from|lichting|sinds|tot|vanaf|en|desde|hasta|"
        r"(?:promoción|quinta|verano|invierno|otoño|primavera|año)(?:[ ]del?)?)"
        r"[ ](?P<form>['’]\d\d)(?![\w'’])",
        re.IGNORECASE,
    ),
    before=16, behind=5,
)  # fmt: skip
_WEEKDAYS = Form(
    "date",
    {"en": ("MWF", "TTS", "TTh", "TTHS", "TuTh"), "es": ("LXV", "LMV", "MJS")},
    re.compile(
        r"(?:(?<![^\W_])(?=(?:MWF|TTh|TTHS|TThSa?|TuThSa?)(?![^\W_]))|"
        r"(?<![^\W_])(?i:i?hd|dialy\w{1,6}|hemodi[aá]lisis|di[aá]lisis|turno|pauta|comps?|mg)[ :]"
        r"(?=(?:TTS|LXV|LMV|MJS)(?![^\W_])))(?P<form>[^\W\d_]+)"
    ),
    before=16, behind=6,
)  # fmt: skip
_APART = Form(
    "date",
    {"": (" / 19", " / 20")},
    re.compile(r"(?<![\w/])\d{1,2}[ ]/[ ]\d{1,2}[ ]/[ ](?:19|20)\d\d(?![\w/])"),
    before=9, behind=8,
)  # fmt: skip
_OF_A_FILE = Form(
    "date",
    {"": ("_19", "_20")},
    re.compile(
        r"(?<=[a-z\d]_)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
        r"(?=(?:[_-][\w-]{1,40})?\.[a-z]{3,4}(?!\w))",
        re.IGNORECASE,
    ),
    before=0, behind=60,
)  # fmt: skip

_CAP = "[A-ZÀ-ÖØ-Þ]"
_LOUD = rf"{_CAP}[A-ZÀ-ÖØ-Þ'’-]{{1,24}}"
_NAME = rf"{_CAP}[^\W\d_]*+(?:['’-][^\W\d_]++)?"
_DAY, _MONTH = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_ROW = Form(
    "person",
    {"": ("  0", "  1", "  2", "  3"), "es": (" NHC",), "en": (" MRN",), "nl": (" patnr", " BSN")},
    re.compile(
        rf"^[ \t]{{0,4}}(?P<form>{_LOUD}(?:[ ]{_LOUD}){{0,2}},[ ]{_NAME}(?:[ ]{_NAME}){{0,2}})"
        rf"[ \t]{{1,8}}(?={_DAY}[/-]{_MONTH}[/-](?:19|20)\d\d(?!\d)|"
        r"(?i:nhc|mrn|patnr|bsn)[ :.]{1,2}\w)",
        re.MULTILINE,
    ),
    before=64, behind=20,
)  # fmt: skip
_SURNAME = Form(
    "person",
    {"en": ("urname:", "ast name:", "amily name:"), "nl": ("chternaam:", "eboortenaam:"),
     "es": ("apellido:", "apellidos:", "APELLIDO:", "APELLIDOS:")},
    re.compile(
        r"(?<!\w)(?i:(?:(?:primer|segundo|1[.]?(?:er|[ºo])|2[.]?[ºo])[ ])?apellidos?|surname|"
        r"(?:last|family)[ ]name|achternaam|geboortenaam):[ \t]{1,8}"
        r"(?P<form>(?:(?:del?|la|las|los|van|von|der|den|da|dos|ter|el|al|ten|te|di)[ ]){0,3}+"
        rf"{_NAME}(?:[ ](?!\w{{1,20}}(?:[ ]\w{{1,20}})?:)[^\W\d_][\w'’-]{{0,24}}+){{0,3}})"
        r"(?=[ ]{2}|[ ]\w{1,20}(?:[ ]\w{1,20})?:|[\t\r\n.,;(]|\Z)"
    ),
    before=20, behind=90,
)  # fmt: skip
_BY_ROLE = Form(
    "sender",
    {"en": ("SSISTANT", "ssistant", "NESTHESIA", "nesthesia", "URGEON", "urgeon"),
     "nl": ("SSISTENT", "ssistent", "NESTHESI", "nesthesi", "PERATEUR", "perateur"),
     "es": ("YUDANTE", "yudante", "NESTESIA", "nestesia", "IRUJAN", "irujan")},
    re.compile(
        r"(?i:(?<!\w)(?:ayudantes?|anestesia|cirujan[oa]|assistant|an(?:a?)esthesia|surgeon|"
        r"assistente?|anesthesi(?:e|oloog)|operateur))[ ]?:[ \t]{1,8}"
        r"(?:(?:DR|Dr|dr)[aA]?[. ]{1,2})?"
        rf"(?P<form>{_CAP}\.[ ]?(?:{_CAP}\.[ ]?)?"
        rf"(?:(?i:del?|la|van|der|den|ten)[ ]){{0,2}}{_LOUD})(?!\w)"
    ),
    before=8, behind=60,
)  # fmt: skip
_BESIDE = Form(
    "sender",
    {"": (" / adj", " / superv", " / Attending", " / sup.")},
    re.compile(
        rf"(?<!\w)(?:R[1-5]|[Aa]n?ios|[Rr]esident[ea]?|[Cc]oass)[ ](?P<form>{_NAME}(?:[ ]{_NAME})?)"
        r"(?=[ ]/[ ])"
    ),
    before=36, behind=4,
)  # fmt: skip
_DONE_BY = Form(
    "sender",
    {"es": ("esto por ", "tado por ", "iado por ", "cado por ", "itado por ", "ado por "),
     "en": ("ted by ", "ced by ", "bed by "), "nl": ("start door ", "prikt door ", "even door ")},
    re.compile(
        r"(?<!\w)(?i:puesto|pautado|iniciado|indicado|solicitado|retirado|colocado|pinchado|"
        r"started|placed|inserted|prescribed|gestart|geprikt|voorgeschreven)[ ](?:por|by|door)[ ]"
        rf"(?P<form>{_NAME})(?=[ ](?:en|in|te|at|el|on|op|hoy|vandaag|today)[ ]|[.,;)\r\n]|\Z)"
    ),
    before=18, behind=40, check=_is_first_name,
)  # fmt: skip
_OF_KIN = Form(
    "kin",
    {"en": ("artner ",), "nl": ("artner ",), "es": ("areja ", "arido ", "sposa ", "sposo ")},
    re.compile(
        r"(?<!\w)(?i:partner|pareja|marido|espos[oa])[ ]"
        rf"(?P<form>{_NAME})(?=[ ][a-zß-öø-ÿ(]|[.,;)\r\n]|\Z)"
    ),
    before=8, behind=40, check=_is_first_name,
)  # fmt: skip
_QUOTED = Form(
    "person",
    {"": ('" ',)},
    re.compile(
        r'(?<![\w"])(?P<form>[^\W\d_]{2,24}[ ]"[^\W\d_]{2,24}"[ ][^\W\d_][\w-]{1,24}+'
        r"(?:[ ][^\W\d_][\w-]{1,24}+){0,2})"
        r",?[ ](?i:(?=(?:fn|f[.]n[.]|f[.]?[ ]?nac|dob|d[.]o[.]b|born|geb|gbd|nac)(?!\w)))"
    ),
    before=52, behind=90,
)  # fmt: skip
_HANDLE = r"[^\W\d_](?=\w*[._\d])(?:[^\W_]|[._](?=[^\W_])){2,29}+)(?![\w@])"
_HANDLES = tuple(
    Form("handle", dict.fromkeys(languages, (" @", "(@", ":@")), form, before=0, behind=40)
    for languages, form in (
        (("en",), re.compile(rf"(?<=[ (:]@)(?P<form>{_HANDLE}")),
        (("nl", "es"), re.compile(rf"(?<=[ (:])(?P<form>@{_HANDLE}")),
    )
)
"""In English the sign stands outside, as outside of user names."""
_NURSERY = Form(
    "organization",
    {"nl": ("kdv ", "KDV ", "Kdv ", "speelzaal ")},
    re.compile(
        r"(?<!\w)(?P<form>(?i:kdv|peuterspeelzaal)[ ](?i:de|het|'t)[ ](?!(?i:hele|ochtend|middag|"
        r"week|dag|laatste|eerste|kind|leid|peuter|baby|groep))[^\W\d_]{4,24}+(?:[ ]"
        r"[A-ZÀ-Þ][a-z]{2,20}+)?)(?=[ ](?i:aan|in|te|op|en)[ ]|[.,;:)\r\n]|\Z)"
    ),
    before=14, behind=64,
)  # fmt: skip
_CLINIC = Form(
    "clinic",
    {"nl": ("kliniek de ", "KLINIEK DE ", "KLINIEK HET ", "kliniek De ", "kliniek Het ")},
    re.compile(
        r"(?<!\w)(?P<form>(?:KINDER|OOG|HUID|DAG|PRIVE|PRIVÉ|VROUWEN|POLI)?KLINIEK[ ](?:DE|HET)[ ]"
        r"(?!PATI|DAG|HELE|OCHT|MIDD)[A-ZÀ-Þ]{3,24}+|(?i:kinder|oog|huid|privé)kliniek[ ]"
        r"(?:[Dd]e|[Hh]et)[ ](?!pati|dag|hele|ocht|midd)[^\W\d_]{3,24}+)(?=[.,;:)\r\n]|\Z)"
    ),
    before=10, behind=48,
)  # fmt: skip
_STAFF = Form(
    "sender",
    {"nl": ("jvpk ", "JVPK ", "aios ", "vpk ", "VPK ", "poh ")},
    re.compile(
        r"(?<!\w)(?i:jvpk|jgzvpk|a?n?ios|vpk|poh)[ ](?P<form>[^\W\d_]{2,20}[ ](?:(?:de|van|der|den)"
        r"[ ]){0,2}[^\W\d_]{2,24})(?=[ \t]*+(?:[\r\n]|\Z))"
    ),
    before=5, behind=60, check=_is_first_name,
)  # fmt: skip
_SIGNED = Form(
    "sender",
    {"nl": (" AGB", " BIG"), "en": (" NPI",), "es": (" Nº col", " COL.", " Col.", " NºCol")},
    re.compile(
        rf"(?<![\w-])(?P<form>{_NAME}(?:[ ]{_NAME}|[ ](?i:de|van|der|den|del|la)){{0,3}}"
        rf"[ ]{_NAME}),[ ]"
        rf"{_CAP}[A-Za-z]{{0,4}}[.,]?[ ]{{1,6}}(?=AGB|BIG|NPI|Nº|C[Oo][Ll])"
    ),
    before=70, behind=5, check=_is_first_name,
)  # fmt: skip
_LOGIN = Form(
    "user",
    {"nl": (" door ",), "es": (" por ",), "en": (" by ",)},
    re.compile(
        r"[ ](?:door|por|by)[ ](?P<form>(?!covid|ncov|sars)[a-z]{4,12}\d{2,4})(?![\w/:%-]|[.,]\d)"
    ),
    before=0, behind=26,
)  # fmt: skip
_LOT = Form(
    "device",
    {"": ("LOT ", "LOTE ", "Lot ")},
    re.compile(
        r"(?<!\w)(?:LOTE?|Lot)[ :]{1,2}(?P<form>(?=[A-Z\d]{0,6}\d)(?=\d{0,6}[A-Z])"
        r"[A-Z\d]{5,14})(?![\w/])"
    ),
    before=0, behind=24,
)  # fmt: skip
_MARKERS = {
    "nl": ("PSA ", "INR ", "CEA "), "es": ("PSA ", "psa ", "INR ", "CEA "), "en": ("PSA ", "INR "),
}  # fmt: skip
_MARKER = r"(?<!\w)(?:i?PSA|Ipsa|CEA|INR)[ ]"
_BEFORE_VALUE = Form(
    "date", _MARKERS,
    re.compile(
        rf"{_MARKER}(?P<form>{_MONTH}[/-](?:0\d|[12]\d)|{_DAY}/{_MONTH})"
        r"(?=[ :]{1,2}\d{1,3}[.,]\d)"
    ),
    before=5, behind=26,
)  # fmt: skip
_BEHIND_VALUE = Form(
    "date", _MARKERS,
    re.compile(rf"{_MARKER}\d{{1,3}}[.,]\d[ ](?P<form>{_DAY}/{_MONTH})(?![\d/%]|[.,]\d)"),
    before=5, behind=26,
)  # fmt: skip
_HAPPENED = Form(
    "date",
    {"es": ("tubad", "gresad", "perad", "visad"), "nl": ("tubeerd", "pereerd", "genomen "),
     "en": ("tubated", "dmitted")},
    re.compile(
        r"(?<!\w)(?i:(?:ex|re)?(?:in|t)tubad[oa]|extubad[oa]|ingresad[oa]|operad[oa]|avisad[oa]|"
        r"ge[ïi]ntubeerd|ge[eë]xtubeerd|geopereerd|opgenomen|(?:in|ex|rein)tubated|admitted)[ ]"
        rf"(?:(?:el|op|on)[ ])?(?P<form>{_DAY}/{_DAY})(?!\d|[/%-]|[.,]\d)"
    ),
    before=10, behind=20,
)  # fmt: skip
_SEX = Form(
    "age",
    {"nl": ("M,", "V,", "M ", "V "), "es": ("M,", "V,", "M ", "V ")},
    re.compile(
        r"(?:^|(?<=[.;:] )|(?<=^\d{3} ))(?P<form>[1-9]\d)[MV](?=,|[ ][^\W\d])",
        re.MULTILINE,
    ),
    before=3, behind=3,
)  # fmt: skip


def _digits(language: str) -> str:
    """Return a pattern of the words of digits."""
    among = words_among_digits(language).items()
    more = [word for word, told in among if re.fullmatch("[0-9]", told)]
    return f"(?:{'|'.join([*numerals(language)[:10], *more])})"


def _spoken(language: str, keys: str, near: tuple[str, ...]) -> Form:
    """Return the form of a record's number that is said digit by digit behind its key."""
    digit = _digits(language)
    return Form(
        "number", {language: near},
        re.compile(
            rf"(?<!\w)(?:{keys})(?:[ ](?:is|es|:))?[ ]"
            rf"(?P<form>{digit}(?:[ ]{digit}){{3,14}})(?!\w)",
            re.IGNORECASE,
        ),
        before=24, behind=140,
    )  # fmt: skip


_SAID = {
    "en": _spoken("en", "mrn|(?:(?:record|chart|patient|hospital)[ ])?number", ("mrn ", "umber ")),
    "nl": _spoken("nl", r"(?:pati[ëe]nt|dossier|polis)?(?:nummer|nr)", ("nummer ",)),
    "es": _spoken("es", r"historia(?:[ ]cl[ií]nica)?|nhc|n[úu]mero(?:[ ]de[ ]historia)?",
                  ("istoria ", "nhc ", "mero ")),
}  # fmt: skip
_CALLED = Form(
    "phone",
    {"nl": ("ul zes ", "ul een ", "ul twee ", "ul drie ", "ul vier ", "ul vijf ", "ul zeven ")},
    re.compile(rf"(?<!\w)nul(?:[ ]{_digits('nl')}){{9}}(?!\w)", re.IGNORECASE),
    before=1, behind=90,
)  # fmt: skip

FORMS = (
    _SPELLED, _HARDWARE, _WEEK, _BORN, _YEAR, _WEEKDAYS, _APART, _OF_A_FILE, _ROW, _SURNAME,
    _BY_ROLE, _BESIDE, _DONE_BY, _OF_KIN, _QUOTED, *_HANDLES, _NURSERY, _CLINIC, _STAFF, _SIGNED,
    _LOGIN, _LOT, _BEFORE_VALUE, _BEHIND_VALUE, _HAPPENED, _SEX, *_SAID.values(), _CALLED,
    *CODE_FORMS,
)  # fmt: skip
