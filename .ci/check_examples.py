"""Check that `scrubjay deid` left a safe twin of every example note, as the README shows.

Usage: check_examples.py EXAMPLES OUT README. Prints one line per finding; exit code 1 if there is
any. The examples are invented, so the identifiers below may be shown.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PLACEHOLDER = re.compile(r"\[[A-Z][A-Z0-9_-]*\]")
GONE = {
    "en/dialysis-record.txt": ("TAUFA", "00-61-884", "Eszterhas"),
    "en/home-visit.txt": ("Buckhalter", "3/30/2065", "Sparkman-Diaz"),
    "en/pathology-report.txt": ("Aho, Eino", "8/30/1997", "182-7719", "Abercrombie"),
    "en/psychiatry-consult.txt": ("Ferdinand Ochs", "07/30/2059", "413-555-0171"),
    "en/travel-clinic.txt": ("Achterberg", "07/23/2041", "612-555-0198"),
    "es/carta-de-derivacion.txt": (
        "Bengoechea",
        "hilario.bengoechea@",
        "Joaquim",
        "00000000T",
        "Empar",
        "Puigdomènech",
    ),
    "es/informe-de-alta.txt": ("Casilda", "Urrutia Belmonte", "4471903", "23/02/1948"),
    "es/nota-de-consulta.txt": ("Yolanda Carrizo", "17/03/2021", "Sanchis-Oltra", "Remedios"),
    "es/parte-de-enfermeria.txt": (
        *("Aranburu", "22/08/2022", "Vidarte", "Kovacs"),
        *("TOLEDANO", "GHEORGHIU", "Jonay", "Dorotea"),
        *("Leandro", "Cluj", "Ribadavia"),
    ),
    "nl/ontslagbericht.txt": ("Oosterwijk", "Marloes", "02-11-1978", "123456782", "Lauwerhof"),
    "nl/rapportage-woongroep.txt": ("Brinkhuis", "Ettekoven", "Gerben", "Nooitgedacht", "VLONDER"),
}
# Names that the shipped models still miss: found by a better model, they move to GONE.
LEAKS: dict[str, tuple[str, ...]] = {}
KEPT = {
    "en/pathology-report.txt": ("INVASIVE ADENOCARCINOMA", "Ki-67 and CDX2", "88305"),
    "en/psychiatry-consult.txt": ("Foley", "Babinski"),
    "es/informe-de-alta.txt": ("Parkinson", "158/92"),
    "es/nota-de-consulta.txt": ("levotiroxina", "enfermedad de Graves"),
    "nl/ontslagbericht.txt": ("ziekte van Parkinson", "132/78"),
    "nl/rapportage-woongroep.txt": ("Foley", "Lorazepam 0,5 mg"),
}


def find_faults(examples: Path, out: Path) -> list[str]:
    """Return what is missing, unchanged, left in, or taken out wrongly."""
    faults = []
    for source in sorted(examples.glob("*/*.txt")):
        name = source.relative_to(examples).as_posix()
        result = out / name
        if not result.is_file():
            faults.append(f"{name}: no output")
            continue
        text = result.read_text(encoding="utf-8")
        if not PLACEHOLDER.search(text):
            faults.append(f"{name}: no placeholder")
        faults += [f"{name}: still holds {part!r}" for part in GONE[name] if part in text]
        faults += [
            f"{name}: {part!r} is found now: move it from LEAKS to GONE"
            for part in LEAKS.get(name, ())
            if part not in text
        ]
        faults += [f"{name}: lost {part!r}" for part in KEPT.get(name, ()) if part not in text]
    return faults


def find_lies(picture: str, examples: Path, out: Path) -> list[str]:
    """Return the lines of the README's picture that are not in a note, or not in its output."""
    faults = []
    for sign, folder in (("- ", examples), ("+ ", out)):
        lines = {
            line for note in folder.glob("*/*.txt") for line in note.read_text("utf-8").splitlines()
        }
        shown = [line[2:] for line in picture.splitlines() if line.startswith(sign)]
        faults += [f"README: {folder} has no line {line!r}" for line in shown if line not in lines]
        if not shown:
            faults.append(f"README: the picture has no line with {sign!r}")
    return faults


def main() -> int:
    """Print the faults; return 1 if there are any."""
    examples, out, readme = map(Path, sys.argv[1:4])
    picture = readme.read_text("utf-8").split("<!-- picture: begin -->")[1]
    faults = find_faults(examples, out)
    faults += find_lies(picture.split("<!-- picture: end -->")[0], examples, out)
    for fault in faults:
        sys.stdout.write(fault + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
