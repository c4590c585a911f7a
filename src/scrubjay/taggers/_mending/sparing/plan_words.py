"""Short words of plans that a tagger takes for who signed ("dispo: snf", "for hd").

The last word of a line in small letters is often a signature, "seen, stable. kj", and a tagger
takes "to ct" for one. Abbreviations of three letters and more that nobody is called by are spared
where a model doubts, and so is what says when a doctor is to be called ("Call Dr asap"). Those of
two letters are spared as well as words that are names ("comfort", "rash") where what stands before
on the line tells of a plan: a word that no signature follows, or an abbreviation and a sign ("ESRD
- hd"). Alone on a line ("stable.\\nlp") they stay what they were taken for (English).

Units in capitals ("HDU", "MAU") are no hospitals, and short names of services with a capital
("d/w Onc", "seen by Rheum") nobody: behind a talk however sure a model is, or else where it doubts.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

SIGNED = frozenset({"DOCTOR", "PATIENT", "USERNAME"})
"""Labels of signatures in small letters."""

HOSPITALS = frozenset({"HOSPITAL", "ORGANIZATION"})
"""Labels that units are given."""

_SURE, _AROUND = 0.99, 40
"""The score from which on a span stays, and characters before it that are looked at."""

# Nobody has these for initials or a name.
_NOBODY = """
    acei abg bipap bmp bnp cabg cbc cdiff cmp cpap crrt cta cxr dapt dcd ddimer derm dka dni dnr
    doac dvt ecmo eeg egd ekg ercp esbl esrd gcs gib hfnc hida icu irf ivf ivfs kub lft lfts
    lmwh ltac ltach ltc lumbar micu mrcp mri mrsa mssa ngt npo nsgy ntd obs ogt optho opthal
    pacu pcn picc piv ppi ppx rrt sicu snf sqh ssi stepdown tbd tele tpn tsh tte ucx uro vasc
    vbg vre
"""
# How and when somebody is to be called: "Call Dr asap", "Dr today". Sho is a name, SHO a grade.
_WHEN = """
    ASAP PRN SHO STAT again asap directly immediately prn promptly sho stat
    today tomorrow tonight urgently
"""
# Names of persons in other letters: "Mr Mau".
_WARDS = "AAU AMAU AMU CDU EAU HASU HDU ITU MAU PAU SAU SCBU SDEC STAU"
# Initials of somebody, too, or names: what stands before has to tell.
_SOMEBODY = """
    bb bx cc cl cp ct cx dc dx ed er ff fc fu fx gi gu hd hx ii im io ir iv lp lr ls mi mr nc ng
    ns ob og ot pd pe po pp pt px ra ro rx sc sl sp sq st sw sx sz tc td tf tx ua us vp arb ccb
    comfort drain fall gyn pall rash taper tap thora vent ward
"""
# Those of services that a nurse talks with.
_TALKED_WITH = "ed er gi gu gyn icu ir ob ot pall pt st sw uro vasc"
# With a capital; nobody is called so. Those that may be a surname need a talk before them.
_NO_SURNAMES = """
    Anaes Derm Endo Haem Heme Hepatology Micro Neph Neuro NeuroIR Onc Ophtho Optho Ortho
    Pallcare Paeds Peds Psych Pulm Rads Resp Rheum Surg Uro Vasc
"""
_SURNAMES = "Cards GI ID IR Palliative Plastics Renal Thoracics"
_CLINICS, _MAYBE_CLINICS = frozenset(_NO_SURNAMES.split()), frozenset(_SURNAMES.split())
_LONG, _SHORT = frozenset((_NOBODY + _WHEN).split()), frozenset(_SOMEBODY.split())
_SERVICES, _UNITS = frozenset(_TALKED_WITH.split()), frozenset(_WARDS.split())

_TELLS = re.compile(
    r"(?:(?<![^\W\d_])(?:for|need|needs|needed|plan|plans|planned|get|gets|got|repeat|await|awaiting|"
    r"pending|order|ordered|obtain|start|started|continue|cont|hold|stop|off|on|no|neg|new|"
    r"rule[ ]out|r/o|s/p|f/u|via|prior[ ]to|before|after|until|steroid|prednisone|slow|consider|"
    r"if|possible|likely|daily|tomorrow|today|emergent|urgent|outpt|inpt|dispo|goals?|code|diet|access|skin|"
    r"dispo[ ]?-|plan[ ]?-|(?:dc|d/c|discharge|discharged|transfer|transferred|go|went|going|down|"
    r"back|taken|admit|admitted|move|moved|return|returned|switch|switched|transition|consent|"
    r"consented|proceed|ready|headed|convert|converted|wean|weaned|change|changed)[ ]to)"
    r"|(?-i:(?<![^\W_])[A-Z]{2,}\d?)[ ]?(?://|->|→|[-–]))[: ]{1,3}\Z",
    re.IGNORECASE,
)
# Behind who signs or did something: "given by st rn".
_SIGNS = re.compile(
    r",?[ ](?:rn|md|do|np|pa|pa-c|lpn|lvn|cna|ma|rt|rrt|msw|lcsw|aware|notified|says|said)(?!\w)",
    re.IGNORECASE,
)
_TALKS = re.compile(r"(?<!\w)(?:d/w|dw|w/|with|per|c/s|consult)[: ]{1,3}\Z", re.IGNORECASE)
_SEEN = re.compile(r"(?<!\w)(?:seen|followed|reviewed|evaluated|cleared)[ ]by[ ]\Z", re.IGNORECASE)
_TITLE = re.compile(r"(?<!\w)(?:drs?|mrs?|ms|miss)\.?[ ]{1,2}\Z", re.IGNORECASE)
_NAMED = re.compile(r"[ ](?-i:[A-Z])[^\W\d_]|[ ]?,?[ ](?:RN|MD|NP|PA|DO|LPN|PharmD)(?!\w)")


def may_be_plan_word(mention: str) -> bool:
    """Tell whether a mention is such a word, wherever it stands."""
    return (
        mention in _LONG
        or mention in _SHORT
        or mention in _UNITS
        or mention in _CLINICS
        or mention in _MAYBE_CLINICS
    )


def is_plan_word(text: str, span: Span) -> bool:
    """Tell whether a mention that may be such a word is one, and no signature."""
    word = text[span.start : span.end]
    if word in _CLINICS or word in _MAYBE_CLINICS:
        return span.label in SIGNED and _is_service(text, span, word)
    if span.score is None or span.score >= _SURE:
        return False
    if word in _UNITS:
        return span.label in HOSPITALS
    if span.label not in SIGNED or _SIGNS.match(text, span.end):
        return False
    if word in _LONG:
        return True
    before = text[max(0, span.start - _AROUND) : span.start].rpartition("\n")[2]
    if _TELLS.search(before):
        return True
    return word in _SERVICES and _TALKS.search(before) is not None


def _is_service(text: str, span: Span, word: str) -> bool:
    """Tell whether a short name of a service with a capital is one, and nobody's surname."""
    before = text[max(0, span.start - _AROUND) : span.start].rpartition("\n")[2]
    if _TITLE.search(before) or _NAMED.match(text, span.end):
        return False
    if _TALKS.search(before) or _SEEN.search(before):
        return True
    return word in _CLINICS and span.score is not None and span.score < _SURE
