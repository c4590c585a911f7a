"""What is named after somebody or a place names nobody: "escala de Hamilton" (Spanish).

Before "de" some words tell by themselves ("signo", "escala", "síndrome"), others before a listed
eponym alone: "sonda de Foley". A first name of Spain is somebody's all the same: "la sonda de
María", "la escala de Celestino", save where such a word tells of a listed eponym. Who is quoted is
nobody of a note, either: "según Wei et al.". How sure a model is says nothing here.
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, is_listed

_AROUND = 64
"""Characters before a mention in which the word before "de" begins."""

_FURTHER = """
    aarskog achenbach adams adie alagille allen alström angelman argyll arnold baerveldt bassini
    battle bauhin beau beckwith berry binet blackfan blake blakemore blount bochdalek boerhaave
    brodmann brody budd bywaters böhler caplan capgras chance charlson charnley cheyne chopart
    clérambault cloquet cope cotard couinaud credé crigler curling dandy dejerine diamond dravet
    dubin duke ekbom epstein estlander fagerström fregoli fuchs gartland gasser gitelman glisson
    goldberg gottron graham grey-turner griesinger guedel gumprecht guthrie hamman henoch
    hesselbach hoover howell howship hueter jacobson jaeger jatene jefferson kasabach kearns
    kerley kernohan kiesselbach kikuchi kimmelstiel klippel kristeller langhans latarjet lawton
    lemierre lenoir lesch levin libman liddle liebowitz light löfgren longo louis lown luschka
    lyell mccune mees mikulicz milligan milwaukee mondor naegele nikolsky noé osborn osgood
    patrick paterson pauwels pemberton peutz pfeiffer plummer pomeroy poupart pouteau prader
    pringle rai ramsay raven reed rendu rey riedel ringer robson rockall rosenberg ross
    salter sandifer schanz schatzker schlatter schmorl sellick silvio spiegel stagnara stargardt
    stroop sturge sydney tarlov todaro treacher vaquez velpeau vincent waldeyer walker warthin
    waterhouse wertheim wharton wiberg willis wolff yamaguchi yergason yocum zarit zuckerkandl
"""
"""Eponyms that the lists of the package lack; theirs are read by models, too."""

_TOOL_NAMES = frozenset({
    "adson", "babcock", "backhaus", "balfour", "bozeman", "castroviejo", "collin", "cooley",
    "crawford", "crile", "deaver", "debakey", "doyen", "duval", "farabeuf", "finochietto",
    "frazier", "gelpi", "gigli", "gosset", "halsted", "heaney", "hegar", "kelly", "kerrison",
    "kirschner", "langenbeck", "lister", "magill", "mathieu", "mayo-hegar", "metzenbaum",
    "mixter", "mosquito", "pean", "pozzi", "péan", "rochester", "satinsky", "senn", "steinmann",
    "tuffier", "veress", "volkmann", "weitlaner",
})  # fmt: skip
"""Surnames, all of them, that tell of nothing but an instrument."""

_LISTED = (", ", " y ", " o ")
_BESIDE = (" de ", " DE ", *_LISTED)
_QUOTED = (" et al", " y cols")
"""What stands behind the name of who wrote about a disease."""
NAMED = frozenset({
    "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "FAMILIARES_SUJETO_ASISTENCIA",
    "TERRITORIO", "PAIS",
})  # fmt: skip

_TELLING = (
    r"escalas?|subescala|signos?|s[íi]ndromes?|maniobras?|reflejos?|fen[óo]menos?|"
    r"clasificaci[óo]n|[íi]ndices?|inventario|estadios?|tri[áa]ngulo|[áa]ngulo|cisura|acueducto|"
    r"islotes|tr[íi]ada|esf[íi]nter|pol[íi]gono|tetralog[íi]a|tinci[óo]n|score|rejilla|fototipo|"
    r"ganglios?[ ](?:linf[áa]tico[ ])?|asa|trompas?|tend[óo]n|fondo[ ]de[ ]saco|ley|"
    r"criterios(?:[ ](?:y|\d/\d|diagn[óo]sticos|mayores|menores|modificados|revisados)){0,5}"
)
_OFTEN = (
    r"test|tests|prueba|cuestionario|figura|enfermedad|mal|demencia|corea|epilepsia|par[áa]lisis|"
    r"neuralgia|angina|p[úu]rpura|arteritis|vasculitis|encefalopat[íi]a|bocio|tiroiditis|"
    r"fiebre|virus|bacilo|tumor|sarcoma|linfoma|quistes?|n[óo]dulos?|fracturas?|luxaci[óo]n|hernia|"
    r"[úu]lcera|soplo|onda|l[íi]neas|manchas|lesiones|cuerpos|c[ée]lulas|placas|gl[áa]ndulas?|"
    r"conducto|canal|ligamento|espacio|[áa]rea|v[áa]lvula|punto|f[óo]rmula|grado|nivel|t[ée]cnica|"
    r"operaci[óo]n|intervenci[óo]n|procedimiento|cirug[íi]a|incisi[óo]n|anastomosis|posici[óo]n|"
    r"vendaje|f[ée]rula|ortesis|cors[ée]|collar[íi]n|tubo|sondas?|drenaje|cat[ée]ter|"
    r"soluci[óo]n|medio|reacci[óo]n|respiraci[óo]n|marcha|facies|pie|"
    r"artropat[íi]a|contractura|bota|articulaci[óo]n|espol[óo]n|enf\."
)
_TOOLS = (
    r"separador(?:es)?|pinzas?|tijeras?|valvas?|porta(?:agujas)?|clamps?|retractor(?:es)?|"
    r"disector(?:es)?|legras?|cizallas?|f[óo]rceps|c[áa]nulas?|agujas?|trocar|clavos?|tr[óo]car"
)
"""Nobody owns one of these that is called after somebody, whatever his first name."""
_MANY = r"(?:(?-i:[A-ZÁÉÍÓÚÑ])[^\W\d_]{2,14}(?:,[ ]|[ ][yo][ ])){0,3}"
_BEFORE = re.compile(
    rf"(?<!\w)(?:(?P<telling>{_TELLING})|(?P<tool>{_TOOLS})|{_OFTEN})[ ]de[ ]{_MANY}"
    r"(?:(?-i:[A-ZÁÉÍÓÚÑ])[^\W\d_]+-)?\Z",
    re.IGNORECASE,
)
_WITHIN = re.compile(rf"(?P<head>(?:{_TELLING})[ ]de[ ])[A-ZÁÉÍÓÚÑ]", re.IGNORECASE)


def is_named_after(text: str, span: Span) -> bool:
    """Tell whether a name or a place is that after which something is called."""
    start = span.start
    if text.startswith(_QUOTED, span.end):
        return True
    # A quick look first, which most names do not pass.
    if (
        text[start - 1 : start] == "-" or text[max(0, start - 4) : start].endswith(_BESIDE)
    ) and _is_after(text, start, span.end):
        return True
    return (
        text.find(" de ", start, span.end) > 0 and _WITHIN.match(text, start, span.end) is not None
    )


def _is_after(text: str, start: int, end: int) -> bool:
    found = _BEFORE.search(text, max(0, start - _AROUND), start)
    if found is None:
        return False
    key = text[start:end].lower()
    if found["tool"] is not None:
        return key in _eponyms() or key in _TOOL_NAMES
    is_first = is_first_name(key)
    if found["telling"] is None or text[start - 3 : start].endswith(_LISTED):
        return key in _eponyms() and not is_first
    return key in _eponyms() or not is_first


def is_first_name(mention: str) -> bool:
    """Tell whether a mention is a first name of Spain, in any case."""
    return is_listed(mention, "es.first-names")


@cache
def _eponyms() -> frozenset[str]:
    lists = (find_lexicon("world.eponyms"), find_lexicon("es.eponyms"), _FURTHER.split())
    return frozenset(name for listed in lists for name in listed)
