"""What tells of persons in a language: keys, titles, and words that make a disease of a name.

The tables are those of English, Dutch and Spanish, for models with the labels of i2b2 2014, Trienes
2020 and MEDDOCAN.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from scrubjay.taggers._search.branches import compile_branches

DISEASES = compile_branches(
    r"[-\u2010\u2011]|(?:['’]s?)?[ \t]+(?:"
    r"diseases?|dz|flare|colitis|follow-?up|clinic|syndrome|sign|test|score|scale|index|dementia|"
    r"lymphoma|plus|catheter|crisis|since|criteria|class|stage|type|palsy|patient|positive|negative|"
    r"level|tube|drain|bag|brace|fracture|reflex|maneuver|"
    r"syndroom|ziekte|dementie|lymfoom|medicatie|katheter|kath|sinds|bekend|stadium|lijder|patiënt|"
    r"positief|negatief|"
    r"desde|avanzad[oa]|conocid[oa]|diagnosticad[oa]|leve|grave|activ[oa])(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Telling:
    """How persons are told of in a language.

    `keys` matches a key before a colon to its end, with the group `staff`, or `kin` after which a
    disease may stand as well. `tails` are the last letters, up to three, of all keys and of more
    words. `titles` are sought as they stand; `title` matches one of them with what follows up to
    the name, and has the group `staff`. `person` and `doctor` are the labels, and `kin` that of
    relatives. `disease` matches what looks like initials and makes a disease of a name.
    """

    language: str
    keys: re.Pattern[str]
    tails: frozenset[str]
    titles: tuple[str, ...]
    title: re.Pattern[str]
    person: str
    doctor: str
    kin: str
    disease: re.Pattern[str] | None


_KEYS = {
    "en": (
        "(?:patient|pt|client|full|legal|preferred|resident|member|subscriber)(?:['’]s)?[ ]name|"
        "(?:last|family|maiden)[ ]name|surname|name|patient|pt|client|examinee|decedent",
        "attending(?:[ ](?:md|physician|provider))?|provider|prov|pcp|surgeon|physician|doctor|dr|"
        "consultant|radiologist|pathologist|anesthesiologist|cardiologist|neurologist|examiner|"
        "(?:ordering|referring|admitting|primary|treating|consulting)[ ](?:md|physician|provider)|"
        "(?:first[ ]|surgical[ ])?assistant|anaesthetist|anesthetist|sonographer|on[ -]call|backup|"
        "(?:dictated|signed|reviewed|ordered|referred|performed|reported)[ ]by|author|cosigner",
        "mother|father|son|daughter|brother|sister|wife|husband|spouse|partner|parent|guardian|"
        "next[ ]of[ ]kin|nok|emergency[ ]contact|contact|caregiver|resident|nurse|rn|therapist",
    ),
    "nl": (
        "(?:naam[ ])?(?:patiënte|patiënt|patiente|patient|cliënte|cliënt|cliente|client|bewoner|"
        "bewoonster)|naam|achternaam|"
        "familienaam|meisjesnaam|geboortenaam|pt|pte|deelnemer|deelneemster|jeugdige|betreft",
        "(?:regie|mede|hoofd)?behandelaar|huisarts|arts|(?:mede)?operateur|chirurg|verwijzer|"
        "aanvrager|supervisor|dokter|specialist|dr|psychiater|psycholoog|internist|neuroloog|"
        "cardioloog|apotheker|tandarts|ondertekend|auteur|verslaglegger|anesthesioloog",
        "moeder|vader|zoon|dochter|broer|zus|man|vrouw|echtgenoot|echtgenote|partner|mantelzorger|"
        "contactpersoon|(?:wettelijk[ ])?vertegenwoordiger|casemanager|begeleider|mentor",
    ),
    "es": (
        "(?:nombre[ ]del[ ])?paciente|nombre|apellidos|nombre[ ]y[ ]apellidos|"
        "apellidos[ ]y[ ]nombre|pte|pcte|pac|enfermo|enferma|usuario|usuaria",
        "médico|medico|médica|medica|doctor|doctora|dr|dra|fdo|firmado|firma|facultativo|"
        "facultativa|cirujano|cirujana|(?:remitido|firmado|enviado|valorado)[ ]por|autor|autora|"
        "médico[ ]responsable|responsable[ ]clínico|anestesista|radiólogo|radióloga",
        "(?P<nurse>enfermera)|madre|padre|hijo|hija|hermano|hermana|marido|mujer|esposo|esposa|"
        "pareja|cuidador|cuidadora|acompañante|contacto|persona[ ]de[ ]contacto|tutor|tutora|"
        "familiar",
    ),
}  # fmt: skip
_TITLES = {
    "en": (
        ("Dr", "Mr", "Ms", "DR", "MR", "dr", "mrs", "mr."),
        r"(?:(?P<staff>(?i:drs?))|Mrs?|Ms|MRS?|mrs?)(?:\.[ ]{0,2}|[ ]{1,2})",
    ),
    "nl": (
        ("Dhr", "dhr", "Mw", "mw", "Mevr", "mevr", "Meneer", "meneer", "heer", "Dr", "dr"),
        r"(?:[Dd]hr|[Mm]w|[Mm]evr(?:ouw)?|[Mm]eneer|heer|(?P<staff>[Dd]rs?))"
        r"(?:\.[ ]{0,2}|[ ]{1,2})",
    ),
    "es": (
        ("Sr", "sr", "Dr", "dr", "Pte", "pte", "Pac", "pac", "Hij", "hij", "Espos", "espos"),
        r"(?:[Ss]r(?:a|ta)?|(?P<staff>[Dd]r(?:a|es|as)?)|"
        r"(?P<kin>[Pp]c?te|[Pp]ac(?:iente)?|(?P<relative>[Hh]ij[oa]|[Ee]spos[oa])))"
        r"(?:\.[ªa]?[ ]{0,2}|[ ]{1,2})",
    ),
}  # fmt: skip
_LABELS = {
    "en": ("PATIENT", "DOCTOR", "PATIENT"),
    "nl": ("NAME", "NAME", "NAME"),
    "es": (
        "NOMBRE_SUJETO_ASISTENCIA",
        "NOMBRE_PERSONAL_SANITARIO",
        "FAMILIARES_SUJETO_ASISTENCIA",
    ),
}


@cache
def find_telling(language: str) -> Telling | None:
    """Return what tells of persons in a language, None where nothing is known of it."""
    if language not in _KEYS:
        return None
    person, staff, kin = _KEYS[language]
    titles, title = _TITLES[language]
    keys = re.compile(
        rf"(?:\A|[\n\r\t|;(•]|[.,)][ ]|[ ]{{2}})[ *•-]{{0,8}}"
        rf"(?:(?:{person})|(?P<staff>{staff})|(?P<kin>{kin}))\Z",
        re.IGNORECASE,
    )
    tails = frozenset(word[-3:] for word in re.findall(r"[^\W\d_]{2,}", f"{person} {staff} {kin}"))
    disease = re.compile(r"[Mm]\.[ ]?(?=\w{3})") if language == "nl" else None
    return Telling(language, keys, tails, titles, re.compile(title), *_LABELS[language], disease)
