"""The heads of tables are no names: "Bepaling   Uitslag   Eenheid", "Date | Provider | Note Type".

Words with a capital and no sentence around them look like a firm, a ward or a person. What is found
in a line of columns is spared where all its words are listed heads, and so are those of the other
columns, or of all but one.
"""

from __future__ import annotations

import re

from scrubjay.document import Span

_LEAST = 3
"""Columns that such a line has at least."""

_LONGEST = 400
"""Characters that a line of heads has at most: a note on one line is read once, not for each
span."""

HEADED = frozenset({
    "NAME", "INITIALS", "PATIENT", "DOCTOR", "HOSPITAL", "CARE_INSTITUTE", "ORGANIZATION_COMPANY",
    "ORGANIZATION", "INTERNAL_LOCATION", "ADDRESS", "STREET", "CITY", "LOCATION-OTHER", "ROOM",
    "PROFESSION", "OTHER",
})  # fmt: skip

_HEADS = {
    "en": """
        abnormal administered admit age allergen allergies allergy amount analyte anesthesia author
        bilateral bp category cbc cell code collected collection color comment comments component
        condition control course current daily date day days department description diagnosis
        disp dispense dispensed dosage dose dosing drain drug due duration effective encounter end
        ended event family filled final finding findings first flag flow follow form frequency given
        goal goals grade group hgb hct high hospital hr id immunization impression indication
        indicator
        input instructions intake intervention issue issued lab laterality last latest left level
        location lot low manufacturer mcv measure medication medications method mg minutes ml mode
        month name negative net next night normal note notes noted number on onset order ordered
        organism outcome output pain parameter past patient peak performed phone plan platelets plt
        positive pre-op prescriber previous prior prn problem problems procedure prognosis provider
        pulse quantity range rate rbc reaction reason received ref reference refill refills relation
        relationship relatives report resp response rest result resulted results right rng route
        rr sat score sensitivity service severity shift side sig signature site size skin source
        specimen spo2 start started status stop strength substance supply surgeon temp test tests
        therapy time times total treatment trend type unit units update updated up usage value
        values variable verified visit vitals volume wbc week weight work year of and by in out at
        the to for rel sens interpretation culture muscle area interval exercise sets reps today
        yesterday baseline admission discharge home taken taking alternate code signs vital
    """,
    "nl": """
        aangevraagd aangevraagde aantal aanwezig actie actiehouder acties afgenomen afspraak
        afspraken afwezig afwijkend allergie allergieën allergisch anamnese anesthesie arts auteur
        avond bacterie balans bd behandelaar behandeling beleid bepaling bepalingen beschrijving
        besluit besproken bespreking bijwerking bijzonderheden bloeddruk bron code conclusie contact
        controle dag dagdeel datum diagnose dienst diner discipline doel doelen domein dosering
        dosis duur eenheid eenheden einddatum einde ernst evaluatie fase frequentie functie gegeven
        gewicht gift gisteren groep hb herhaling hoeveelheid hulpmiddel ht id in indicatie ingang
        inhoud inname interventie interventies inzet kant kleur kweek lab laatste leuko leverancier
        links locatie lunch maat materiaal medicatie medicijn medicijnen meting metingen middag
        middel moment naam nacht nr nummer ochtend omschrijving onderdeel onderwerp onderzoek
        ontbijt oordeel operateur operatie opmerking opmerkingen organisme partij per periode pijn
        plaats plan pols positie positief probleem problemen punten reactie rechts reden ref
        referentie referentiewaarde referentiewaarden regel relatie resistentie resultaat
        resultaten rr saldo saturatie score sinds soort specialisme spier spo2 start startdatum
        status sterkte stop stopdatum tekst tel telefoon temp temperatuur tijd tijdstip tijden
        toedieningsweg toegediend toelichting totaal trombo tussendoor type uit uitgevoerd uitslag
        uitslagen uitvoerder verslag via vlag vocht volume voorschrijver vorm vraag vraagstelling
        waarde waarden wanneer week wie wijze wijziging zijde gevoeligheid vandaag nu evt en van
        op te door bij voor na mg ml oorzaak risico toestand rapportage bevinding bevindingen
        beoordeling norm normaal normaalwaarde laag hoog
    """,
}
_WORDS = {language: frozenset(words.split()) for language, words in _HEADS.items()}
_NONE: frozenset[str] = frozenset()
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_COLUMNS = re.compile(r"[ ]*(?:\|[ ]*)+|[ ]*\t\s*|[ ]{2,}")


def may_be_header(mention: str, language: str) -> bool:
    """Tell whether all words of a mention are listed heads, wherever it stands."""
    listed, first = _WORDS.get(language, _NONE), _WORD.match(mention)
    return first is not None and first[0].lower() in listed and _are_listed(mention, listed)


def _are_listed(part: str, listed: frozenset[str]) -> bool:
    return all(word.lower() in listed for word in _WORD.findall(part))


def is_header(text: str, span: Span, language: str) -> bool:
    """Tell whether the line of a span is one of columns, all but one of listed heads at least."""
    floor, ceiling = max(0, span.start - _LONGEST), min(len(text), span.end + _LONGEST)
    start, end = text.rfind("\n", floor, span.start) + 1, text.find("\n", span.end, ceiling)
    if (not start and floor) or (end < 0 and ceiling < len(text)):
        return False
    line = text[start : end if end >= 0 else len(text)]
    if len(line) > _LONGEST:
        return False
    listed = _WORDS[language]
    cells = _COLUMNS.split(line.strip(" \t\r|"))
    heads = sum(_are_listed(cell, listed) for cell in cells if _WORD.search(cell))
    return heads >= max(_LEAST, len(cells) - 1)
