"""The language that a text looks to be in: enough to tell notes that a model cannot read.

Telling languages apart in general is the work of others. Here everyday words that one language has
and the others lack are counted at the beginning of a text, for English, Spanish and Dutch words of
notes, too, so that a short note tells its language; where few stand, as in lists of values and in
shorthand, nothing is said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

NAMES = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "nl": "Dutch",
    "pt": "Portuguese",
}
"""The languages that are told apart, with their English names."""

_WORDS = {
    "de": "und der das ist nicht mit auf für ein eine einen von im wurde keine sich nach zum bei",
    "en": "the and of with was is for to has this she her he his from that were not be are",
    "es": "el las los por y su al fue se está paciente ha más como sin sobre durante tras",
    "fr": "le les des une est avec dans pour pas du au et qui sa ses été elle sur chez",
    "it": "il gli della dei con per non di che nel dal stato sono alla delle anche dopo",
    "nl": "het een van met niet voor op dat aan naar zijn heeft wordt geen ook werd nog ik",
    "pt": "os do da uma não em ao foi seu são dos pelo pela nos na às também apresentou",
}  # fmt: skip
_OF_NOTES = {
    "en": """about admitted after because brought but complains daughter denies discharged father
        history husband lives mother old presented reports said says seen since their then there
        they today told when which who wife would years yesterday him
        above again also asks asked before better called came changed could course daily days did
        discussed done each early every fever found gave here hours know months morning needed
        needs negative next nothing now nursing other pain phone positive reason report return
        reviewed saw see sent should showed signed spoke started stopped than three times too took
        treated twice until visit wants weekly weeks went weight what where while without your""",
    "es": """que años desde hasta días meses hace tiene hija hijo mujer hermana hermano ayer mañana
        fiebre refiere acude urgencias tratamiento exploración ingreso edad según varón
        cuando después también pero además niega pide trabaja izquierda izquierdo derecha derecho
        enfermedad evolución viene quiere noche domicilio consulta enfermera niño niña clínica
        año así aunque cirugía cuadro células datos día dolor donde duerme estaba estudio fecha
        fueron habla había herida hijos ingresa lesión lesiones luego mediante misma mismo mostró
        muy nacimiento ojos otra otros pendiente pérdida personales pregunta presentaba presentar
        pruebas puede quien realizó respuesta revisión sangrado siendo sigue tiempo trae vía él""",
    "nl": """bij hij zij sinds jaar komt zegt uur moeder vader dochter zoon dhr mevrouw mevr meneer
        mw gebeld weken thuis alleen gaat zonder heb huisarts zus broer dagen vrouw volgens kwam
        kreeg opname geweest woont patiënt patiënte pijn gezien gisteren vandaag afspraak klachten
        wegens onderzoek geboren ziekenhuis koorts behandeling afdeling ontslag medicatie omdat
        tijdens overleden bekend hebben gegeven besproken tussen vanaf morgen linker rechter
        advies altijd bezoek daar daarna deur doen doet drie dus eerste eet eigen gedaan gehad
        gesprek gewicht ging goed graag haar heer heet kan keer kinderen laatste ligt loopt maandag
        maanden maar mij mijn moet naam nieuwe nodig onder overleg samen slaapt staat stond tegen
        terug toen twee uit veel vindt volgende vorige vraagt vragen vroeg waar weer weet wel werkt
        wij zei zelf zich zit zorg
        aanwezig akkoord avond bellen blijft dinsdag donderdag eerst gestopt gezegd komen krijgt
        niets nooit ouders rustig telefoon verder vrijdag weten woensdag zaterdag zondag""",
}
"""Words that are frequent in notes of a language and that those of the two others do not have.

They were chosen by the notes to train on of `corpora/`, and read over.
"""
_ALSO = {
    "de": ("was",),
    "es": ("con", "dos", "le", "les", "nos"),
    "fr": ("que", "se"),
    "it": ("al", "durante", "se", "su"),
    "nl": ("is", "was", "of"),
    "pt": ("como", "durante", "está", "paciente", "por", "que", "se", "sobre"),
}
"""Words of another language above that a language has, too: they tell nothing against it."""

_WITH = {
    "en": "an as at been by had have if in it no on or out will",
    "es": "cada con de del dos en hoy la le les lo nos para se su sus un una",
    "nl": "als dan de deze en gaan kan meer nu om te tot worden",
}
"""Words of a language that others have, too: beside words of its own they tell for it.

Those of Spanish and Dutch are none of English.
"""
_AGAINST = {
    "es": "an as at been by have if it on or out will",
    "nl": "an by been have it on or out",
}
"""Words of English beside which a few of another language are a quotation or a name."""

# Of notes in shorthand and of names, in any language: "47 y", "LOS 4 d", "et al", "EL PASO", "IM",
# "per OS", "OP", "van der Berg", "Le Roy", "MW 300".
_SHORTHAND = """
    y los las el al ha des le les du au sa est pas non per con di dei della der von im mit
    das os do da em van met op dat que mw clínica fecha
"""
_ELSEWHERE = frozenset(_SHORTHAND.split())
"""Words that do not tell a language without others."""

_LANGUAGE_OF = {
    word: language
    for table in (_WORDS, _OF_NOTES)
    for language, words in table.items()
    for word in words.split()
}

_WITH_IN = {language: frozenset(words.split()) for language, words in _WITH.items()}
_AGAINST_IN = {language: frozenset(words.split()) for language, words in _AGAINST.items()}
_KNOWN = frozenset(_LANGUAGE_OF).union(*_WITH_IN.values(), *_AGAINST_IN.values())

_WORD = re.compile(r"[^\W\d_]+")

#: The same for texts in Latin-1, which most are: what stands between words, as spaces.
_LATIN_WORDS = {word.encode("latin-1"): word for word in _KNOWN}
_LATIN_LETTERS = bytes(code if _WORD.fullmatch(chr(code)) else ord(" ") for code in range(256))
_LOOKED_AT = 1000
"""Characters at the beginning of a text that are looked at."""

_LEAST, _LEAST_ALONE, _LEAST_DIFFERENT = 6, 4, 3
_LEAST_PIECE = 12
_AHEAD = 2


def guess_language(text: str) -> str:
    """Return the code of the language that a text looks to be in; "" where that is not plain."""
    return plain_language(count_words(text))


def strange_piece(text: str, language: str) -> str:
    """Return the code of another language that a piece of a text is plainly in; "" for none.

    The beginning is judged as `guess_language` does; each further piece of 1,000 characters, to the
    end, needs `_LEAST_PIECE` words of that language.
    """
    found = guess_language(text)
    if found not in ("", language):
        return found
    for start in range(_LOOKED_AT, len(text), _LOOKED_AT):
        # The last one goes back as far as the others reach: a short rest tells little.
        place = min(start, len(text) - _LOOKED_AT)
        words = count_words(text[place : place + _LOOKED_AT])
        found = plain_language(words)
        if found not in ("", language):
            own = sum(count for word, count in words.items() if _LANGUAGE_OF.get(word) == found)
            if own >= _LEAST_PIECE:
                return found
    return ""


def count_words(text: str) -> Counter[str]:
    """Return how often each word of those that are looked for stands at the beginning of a text."""
    beginning = text[:_LOOKED_AT].lower()
    try:
        latin = beginning.encode("latin-1").translate(_LATIN_LETTERS).split()
        return Counter(filter(None, map(_LATIN_WORDS.get, latin)))
    except UnicodeEncodeError:
        return Counter(filter(_KNOWN.__contains__, _WORD.findall(beginning)))


def plain_language(words: Mapping[str, int]) -> str:
    """Return the code of the language of counted words, of one text or of several; "" for doubt.

    A language needs `_LEAST` of its words, and more than `_AHEAD` times as many as all others;
    `_LEAST_ALONE` where no word is of another. `_LEAST_DIFFERENT` have to be different, of which
    two are no shorthand, or one of more. Where no word is of another and none of
    `_AGAINST`, two that are no shorthand are enough if there are `_LEAST_ALONE` with those of
    `_WITH`.
    """
    found: dict[str, int] = {}
    for word, count in words.items():
        if (of := _LANGUAGE_OF.get(word)) is not None:
            found[of] = found.get(of, 0) + count
    if not found:
        return ""
    language = max(found, key=found.__getitem__)
    most = found[language]
    shared = sum([words.get(word, 0) for word in _ALSO.get(language, ())])
    others = sum(found.values()) - most - shared
    if most <= _AHEAD * others:
        return ""
    own = {word for word, count in words.items() if count and _LANGUAGE_OF.get(word) == language}
    telling = len(own - _ELSEWHERE)
    if telling > 1 and not others and _AGAINST_IN.get(language, frozenset()).isdisjoint(words):
        beside = [words.get(word, 0) for word in _WITH_IN.get(language, frozenset()) - own]
        if most + sum(beside) >= _LEAST_ALONE:
            return language
    if most < (_LEAST if others else _LEAST_ALONE):
        return ""
    enough = most >= _LEAST and len(own) > _LEAST_DIFFERENT
    is_told = telling > 1 or (telling == 1 and enough)
    return language if is_told and len(own) >= _LEAST_DIFFERENT else ""
