"""Surnames after which something is called name nobody: "Goligher 2", "klier van Mascagni".

A list (`resources/eponyms`) holds those that the lexicons lack, which models read. What stands
beside a listed one tells, however sure a model is: a grade behind one that has grades, what is
called after it ("proef van Jendrassik", "Böhler-hoek"), a result ("Lanz niet pijnlijk") or another
one in a row of them. Two surnames in one ("Lund-Mackay") tell alone. One that few are called by is
spared where a model doubts; of those that many are called by, a bare one tells nothing. None is
spared behind a title or what somebody is, nor in a text that calls somebody so; and two in one are
somebody's where a person stands or does something (Dutch).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from scrubjay.caching import text_cache
from scrubjay.document import Span
from scrubjay.taggers._mending.people.person_names import is_eponym, is_often, rank_of

LABELS = frozenset({
    "NAME", "HOSPITAL", "CARE_INSTITUTE", "ORGANIZATION_COMPANY", "INTERNAL_LOCATION", "ADDRESS",
})  # fmt: skip
"""Labels that such a surname is given."""

_LANGUAGE = "nl"
_SURE, _OFTEN, _KEPT = 0.5, 4, 32_768
"""The score from which on a span stays where it is bare, the class up to which many are called by
a surname, and mentions that are remembered."""
_AROUND, _LONGEST = 48, 48
"""Characters on each side of a mention that are looked at, and of a mention that may be one."""

_HYPHENS = ("-", "‐")
_WORD = r"[A-ZÀ-ÖØ-Þ][^\W\d_]*(?:[-'’][^\W\d_]+)*"
_KIND = r"(?:[ ](?:score|index|schaal|graad|gr\.?|type|klasse|klas|stadium|classificatie))"
_POINTS = r"(?:\d{1,2}(?:[.,/-]\d{1,3}){0,3}[a-cA-C]?|[IV]{1,3}[a-cA-C]?)"
_GRADE = rf"(?:{_KIND}?[ :=]{{1,2}}(?:{_POINTS}|[A-F](?=[.,;)\s]|\Z))(?![^\W_]))"
_GRADED = re.compile(_GRADE)
# Of what many are called by: "Weber 12" is in a row of rooms, "Weber C." somebody.
_SURELY_GRADED = re.compile(
    rf"{_KIND}[ ](?:{_POINTS}|[A-F])(?![^\W_])|[ ](?:\d(?![\d.,-])|\d{{1,2}}/\d{{1,3}}|"
    r"(?:II|III|IV)[abc]?)(?![^\W_])(?!\.\w)"
)
# What a grade is none with: "Wagner 2x gebeld", "Graf 12 uur", "Mayo 3 mei".
_NO_GRADE = re.compile(
    r"[ ]?(?:x\b|keer|uur|u\b|jaar|jr|j\b|dg|dagen|wk|weken|mnd|maanden|mg|ml|kg|cm|:|%|°|pers|"
    r"jan|feb|m(?:aa)?rt|apr|mei|jun|jul|aug|sep|okt|nov|dec)|\d|[./-]\d|[ ]?[:=](?!\w)",
    re.IGNORECASE,
)
# What is called after nobody but such a surname, after one that no list has to hold, and after
# whoever has it where many do.
_ANY = (
    r"syndroom|ziekte|teken|fenomeen|test|proef|reflex|score|schaal|classificatie|criteria|regels?|"
    r"klem|tang|haak|naald|fractuur|luxatie|manoeuvre|handgreep|dystrofie|contractuur|anemie|"
    r"osteotomie|tabel|formule"
)
_CALLED = (
    rf"(?:{_ANY}|index|triade|trias|spreider|schaar|canule|sonde|drain|pomp|kraag|spalk|brace|platen|"
    r"plaat|schroef|klep|kunstklep|stent|prothese|hernia|tumor|cyste|naevus|ulcus|gangreen|slokdarm|"
    r"oesofagus|encefalopathie|operatie|procedure|herstel|plastiek|incisie|snede|stoma|anastomose|"
    r"hoek|lijn(?:en)?|punt|greep|positie|ligging|kaart|lamp|lichaampjes?|cellen|vlekken|noduli|"
    r"knobbels|kleuring|effect|stadium|stadia|patroon|defect|laesie|kanaal|ligament|klieren?|"
    r"ademhaling|parese|ataxie|chorea|epilepsie|neuralgie|voet|pols|hand|matrices)"
)
_COMPOUND = re.compile(rf"[-‐]{_CALLED}(?![^\W\d_])", re.IGNORECASE)
_COMPOUND_OF_ANY = re.compile(rf"[-‐](?:{_ANY})(?![^\W\d_])", re.IGNORECASE)
_OF = r"(?:e?n|s)?[ ](?:volgens|van(?:[ ]de)?)[ ]\Z"
_TELLING = (
    r"(?:syndroom|teken|fenomeen|proef|reflex|classificatie|criteria|index|schaal|triade|trias|"
    r"driehoek|klier|antrum|sinus|ganglion|handgreep|manoeuvre|leeftijd|behoefte|ligament|kanaal|"
    r"lis|lijn|hoek|formule|methode|techniek|model|schema|theorie|figuur|klok|toren|spiraal|cirkel|"
    r"indeling|gradering|graad|naevus|lichaampje|cyste|buis|tuba|fascie|plexus|abces|matrices)"
)
_AFTER_LISTED = re.compile(rf"(?<!\w)(?!ken)[^\W\d_]{{0,14}}{_TELLING}{_OF}", re.IGNORECASE)
# What anybody has: "de leeftijd van Wagner" is of somebody, "volgens Wagner" is not.
_OF_SOMEBODY = re.compile(
    r"(?:leeftijd|behoefte|schema|methode|techniek|model|theorie|indeling|figuur|index|cyste|abces|"
    r"klok|lijn)(?:e?n|s)?[ ]van(?:[ ]de)?[ ]\Z",
    re.IGNORECASE,
)
_AFTER_RARE = re.compile(
    rf"(?<!\w)[^\W\d_]{{0,14}}(?:{_CALLED}|band|spier|ruimte|holte|cavum|angina|purpura|alopecie|"
    rf"struma|thyreo[ïi]ditis|ring|boog|vlies|membraan|blokken|piramide|fasen|oefening|verband|"
    rf"pessarium|pincet|pen|nagel|draad|monofilament|stemvork){_OF}",
    re.IGNORECASE,
)
_AFTER_ANY = re.compile(
    r"(?<!\w)(?:syndroom|fenomeen|handgreep|tetralogie|trias|triade|driehoek|ligament|"
    r"polygoon|n(?:ae|e)vus|chorea|manoeuvre|(?:duim|pols|voet|knie|heup|psoas)teken)[ ]van[ ]\Z",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"[ ]?\+{1,2}(?![\w+])|[ ]-(?=[ ]*(?:[.,;)\r\n]|\Z))|:?[ ](?:niet[ ]|druk)pijnlijk(?![^\W\d_])",
    re.IGNORECASE,
)
_RESULT_OF_RARE = re.compile(
    r":?[ ](?:neg(?:atief|\.)?|pos(?:itief|\.)?|pijnlijk|niet[ ]afgenomen|nvt|uitgesloten)"
    r"(?![^\W\d_])(?![ ](?:getest|voor|op|over|bevonden|dat|en[ ]boos))",
    re.IGNORECASE,
)
_JOIN_BEFORE = re.compile(rf"(?<![\w-])(?P<word>{_WORD})(?:,|/|[ ](?:en|of|dan))[ ]?(?:niet[ ])?\Z")
_JOIN_AFTER = re.compile(rf"(?:,|/|[ ](?:en|of|dan))[ ]?(?:niet[ ])?(?P<word>{_WORD})(?![\w-])")
_ROW_OF_PERSONS = re.compile(
    r"(?<!\w)(?:aanw|afw|aanwezig|afwezig|afgemeld|deelnemers?|notulist|team|cc|kopie|dienst|artsen|"
    r"verpleegkundigen|collega'?s)(?![^\W\d_])",
    re.IGNORECASE,
)
_TITLE = (
    r"(?:dhr|mw|mevr|mevrouw|meneer|mijnheer|de[ ]heer|heer|heren|drs?|prof|dokter|zr|zuster|br|"
    r"broeder|juf|meester|tante|oom|pastor|pater|familie|fam|fr|jhr)"
)
_PERSON = re.compile(
    rf"(?<!\w)(?:{_TITLE}|naam|voornaam|achternaam|pati[eë]nte?|pt|cli[eë]nte?|bewoner|bewoonster|"
    r"zoon|dochter|man|vrouw|partner|vader|moeder|broer|zus|aanvrager|verwijzer|behandelaar|"
    r"operateur|supervisor|sup|co|door|overleg|namens|aios|anios|vpk|vig|poh|\w*arts|"
    r"\w*loog|\w*chirurg|\w*peut|\w*kundige|[A-Z]\.)[.:]?[ ]{1,3}\Z|"
    r"(?<!\w)(?:bij|met|(?<!denk[ ])(?<!denken[ ])(?<!gedacht[ ])aan)[ ]\Z",
    re.IGNORECASE,
)
_MET = re.compile(r"(?<!\w)(?:bij|met|aan)[ ]\Z", re.IGNORECASE)
_TALKED = re.compile(
    r"(?<!\w)(?:gesproken|overleg\w*|contact|besproken|gebeld|afspraak|gesprek)[ ]met[ ]\Z",
    re.IGNORECASE,
)
_LISTED_PERSON = re.compile(
    rf"(?<!\w)(?:{_TITLE}|(?:voor|achter|meisjes)?naam|pati[eë]nte?|cli[eë]nte?|bewoner|bewoonster|"
    r"zoon|dochter|partner|echtgenoot|echtgenote|broer|collega|contactpersoon)[.:]?[ ]{1,3}\Z|"
    r"(?-i:\b[A-Z]\.[ ]?\Z)",
    re.IGNORECASE,
)
_PARTICLE = re.compile(r"(?<!\w)(?:van|den|der|ten|ter|vd|v\.?d\.?|v\.)[ ]{0,2}\Z", re.IGNORECASE)
_VERB = re.compile(
    r"[ ](?:belt|belde|komt|kwam|ging|gaat|heeft|had|wil|wilde|zegt|zei|vraagt|vroeg|vindt|vond|"
    r"was|slaapt|sliep|eet|at|krijgt|kreeg|ziet|zag|neemt|nam|doet|deed|loopt|liep|moet|mag|kan|"
    r"gebeld|gezien|woont|werkt|ligt|lag|zit|zat|meldt|akkoord|overleden|overleed|overlijdt|"
    r"informeert|informeerde|is[ ](?:opgenomen|ontslagen|overleden|verhuisd|akkoord|thuis|bekend|"
    r"de|\d{1,3}[ ]?(?:jaar|jr)))(?!\w)"
)
_VERB_OF_MANY = re.compile(
    r"[ ](?:kwamen|komen|waren|hadden|hebben|belden|bellen|gingen|gaan|willen|wilden|wonen|zeiden|"
    r"zeggen|vragen|vroegen|vinden|vonden|kunnen|mogen|moeten)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class _Listed:
    """Which surnames have grades, all, and which are bare ones' no more; in lower case."""

    graded: frozenset[str]
    all: frozenset[str]
    places: frozenset[str]
    called: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Read:
    """What a mention is: its surname in lower case, and what its letters tell."""

    core: str
    is_listed: bool
    is_graded: bool
    is_rare: bool
    is_place: bool
    is_alone: bool
    """Two surnames in one, a grade within the mention, or what is called so."""
    is_double: bool = False
    """Two surnames in one and nothing else."""


def may_be_eponym(mention: str) -> bool:
    """Tell whether a mention is a listed surname that is spared where a model doubts."""
    read = _read(mention)
    return read is not None and read.is_listed and (read.is_rare or read.is_alone)


def may_stand_so(mention: str) -> bool:
    """Tell whether a mention may be such a surname by what stands beside it."""
    return _read(mention) is not None


def is_eponym_there(text: str, span: Span) -> bool:
    """Tell whether a mention with one of the labels is that after which something is called."""
    read = _read(text[span.start : span.end])
    if read is None:
        return False
    # A quick look first, which most names do not pass.
    if not read.is_listed and not (
        text.startswith(_HYPHENS, span.end) or text.endswith(" van ", 0, span.start)
    ):
        return False
    before = text[max(0, span.start - _AROUND) : span.start]
    if not read.is_listed:
        return _tells_of_any(text, span, before, read.core)
    if _PARTICLE.search(before) and not _AFTER_LISTED.search(before):
        return False
    if _LISTED_PERSON.search(before) or _calls_somebody(text, read.core):
        return False
    is_bare = read.is_double and not text.startswith(_HYPHENS, span.end)
    if read.is_alone and not (is_bare and _may_be_somebody(text, span, before)):
        return True
    if _tells(text, span, before, read):
        return True
    return (
        read.is_rare
        and span.score is not None
        and span.score < _SURE
        and not _PERSON.search(before)
        and not _VERB.match(text, span.end)
        and not _do_something(text, span)
        and not _stands_alone(text, span)
    )


def _may_be_somebody(text: str, span: Span, before: str) -> bool:
    """Tell whether a person may stand there: behind what tells of one, or before what one does."""
    verb = _VERB.match(text, span.end)
    if _MET.search(before):
        return _TALKED.search(before) is not None
    return _PERSON.search(before) is not None or (verb is not None and verb[0] != " was")


def _tells(text: str, span: Span, before: str, read: _Read) -> bool:
    """Tell whether what stands beside a listed surname makes a term of it."""
    end = span.end
    if _COMPOUND.match(text, end):
        return True
    if read.is_graded:
        grade = (_GRADED if read.is_rare else _SURELY_GRADED).match(text, end)
        if grade is not None:
            return not text[span.start : end].isupper() and not _NO_GRADE.match(text, grade.end())
    if read.is_place:
        return False
    if _AFTER_LISTED.search(before) and (read.is_rare or not _OF_SOMEBODY.search(before)):
        return True
    if _RESULT.match(text, end):
        return True
    if read.is_rare and (_AFTER_RARE.search(before) or _RESULT_OF_RARE.match(text, end)):
        return True
    return _stands_in_row(text, span, before)


def _tells_of_any(text: str, span: Span, before: str, core: str) -> bool:
    """Tell whether what stands beside a surname makes a term of it that no list has to hold."""
    if text.startswith(_HYPHENS, span.end) and _COMPOUND_OF_ANY.match(text, span.end):
        # Letters in capitals are an institution's: "CBR-test".
        return not text[span.start : span.end].isupper() and not _LISTED_PERSON.search(before)
    return (
        before.endswith(" van ")
        and _AFTER_ANY.search(before) is not None
        and not rank_of("first-names", core, _LANGUAGE)
    )


def _stands_in_row(text: str, span: Span, before: str) -> bool:
    """Tell whether an eponym that few are called by stands beside: "Bowen, Gorlin"."""
    if _do_something(text, span):
        return False
    for match in (_JOIN_BEFORE.search(before), _JOIN_AFTER.match(text, span.end)):
        if match is None:
            continue
        other = _read(match["word"])
        is_rare = other is not None and other.is_listed and (other.is_rare or other.is_alone)
        if is_rare and not _ROW_OF_PERSONS.search(before.rpartition("\n")[2]):
            return True
    return False


def _do_something(text: str, span: Span) -> bool:
    """Tell whether several do something, of whom a mention is one: "Lanz en Böhler kwamen"."""
    after = _JOIN_AFTER.match(text, span.end)
    return _VERB_OF_MANY.match(text, after.end() if after else span.end) is not None


def _stands_alone(text: str, span: Span) -> bool:
    """Tell whether nothing else stands on the line, or a signature ends it."""
    line_end = text.find("\n", span.end)
    if text[span.end : line_end if line_end >= 0 else len(text)][:_AROUND].strip(" .,"):
        return False
    line = max(text.rfind("\n", 0, span.start) + 1, span.start - _AROUND)
    before = text[line : span.start].strip()
    return not before or before[-1] in "./,-"


def _calls_somebody(text: str, core: str) -> bool:
    """Tell whether somebody is called so in a text, behind a title."""
    return core.rpartition(" ")[2] in _all_called(text)


@text_cache(64)
def _all_called(text: str) -> frozenset[str]:
    """Return what stands behind titles and up to two particles in a text, in small letters.

    Of a name with hyphens each part is told from the first on, too.
    """
    found = set[str]()
    for title in _CALLED_SO.finditer(text):
        place = title.end()
        for _ in range(3):
            run = _RUN_OF_NAME.match(text, place)
            if run is None:
                break
            name = run[0].lower()
            found.update(name[: edge.start()] for edge in _EDGE.finditer(name))
            particle = _SMALL.match(text, place)
            if particle is None:
                break
            place = particle.end()
    return frozenset(found)


_CALLED_SO = re.compile(rf"(?<!\w){_TITLE}\.?[ ]", re.IGNORECASE)
_RUN_OF_NAME = re.compile(r"[\w'’-]{1,48}")
_EDGE = re.compile(r"(?<=\w)(?!\w)")
_SMALL = re.compile(r"[a-z]{1,3}[ ]", re.IGNORECASE)


_INNER = re.compile(
    rf"(?:(?P<particle>de|het|van|volgens)[ ](?=[A-ZÀ-Þ]))?(?P<core>[^\W\d_][^\d(){{}}\[\]:;=\n]*?)"
    rf"(?P<called>[-‐]{_CALLED})?(?P<grade>{_GRADE})?[ .]{{0,2}}",
    re.IGNORECASE,
)
_SOME_NAME = re.compile(rf"(?:(?:[Vv]an|[Dd]e|[Dd]er|[Ll]e|[Vv]on)[ ]){{0,2}}{_WORD}")


@text_cache(_KEPT)
def _read(mention: str) -> _Read | None:
    """Return what a mention is, None where it may be no eponym wherever it stands."""
    if not 2 < len(mention) <= _LONGEST:
        return None
    if "," in mention:
        parts = [_read(part.strip()) for part in mention.split(",")]
        is_row = all(part is not None and part.is_listed for part in parts)
        return parts[0] if is_row and parts[0] and parts[0].is_alone else None
    match = _INNER.fullmatch(mention)
    if match is None:
        return None
    listed, name = _find_listed(), match["core"].strip()
    core, called, grade = name.lower(), match["called"], match["grade"]
    is_own = core in listed.all
    is_double = is_own and core not in listed.places and ("-" in core or " " in core)
    if match["particle"] in ("van", "de") and not (is_double or called):
        return _unlisted(mention)
    if not is_own and not is_eponym(core, _LANGUAGE):
        is_called = called and not grade and _COMPOUND_OF_ANY.fullmatch(called)
        if is_called and not name.isupper() and _SOME_NAME.fullmatch(name):
            return _Read(core, True, False, False, False, is_alone=True)
        return _unlisted(mention)
    is_rare = is_own and core not in listed.places | listed.called and _is_rare(core)
    if grade and not called:
        if core not in listed.graded:
            return None
        if not is_rare and not is_double and core not in listed.places:
            grade = _SURELY_GRADED.fullmatch(grade)
    return _Read(
        core,
        True,
        core in listed.graded,
        is_rare or is_double,
        core in listed.places,
        is_alone=is_double or bool(called or grade),
        is_double=is_double and not (called or grade),
    )


def _unlisted(mention: str) -> _Read | None:
    """Return what a mention is that is not listed, None for what is no surname alone."""
    if _SOME_NAME.fullmatch(mention) is None:
        return None
    return _Read(mention.lower(), False, False, False, False, False)


def _is_rare(core: str) -> bool:
    return all(
        not is_often(kind, core, _LANGUAGE, most=_OFTEN) for kind in ("surnames", "first-names")
    )


@cache
def _find_listed() -> _Listed:
    file = resources.files("scrubjay.resources").joinpath("eponyms", f"{_LANGUAGE}.toml")
    rows = {
        key: frozenset(word.replace("_", " ") for word in value.split())
        for key, value in tomllib.loads(file.read_text("utf-8")).items()
    }
    graded = rows["graded"]
    return _Listed(graded, graded | rows["others"], rows["places"], rows["called"])
