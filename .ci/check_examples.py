"""Check that `scrubjay deid` left a safe twin of every example note.

Usage: check_examples.py EXAMPLES OUT. Prints one line per finding; exit code 1 if there is any.
The examples are invented, so the identifiers below may be shown.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_-]*\]")
GONE = {
    "en/dialysis-record.txt": ("TAUFA", "00-61-884", "Eszterhas"),
    "en/home-visit.txt": ("Buckhalter", "3/30/2065", "Sparkman-Diaz"),
    "en/pathology-report.txt": ("Aho, Eino", "8/30/1997", "182-7719", "Abercrombie"),
    "en/psychiatry-consult.txt": ("Ferdinand Ochs", "07/30/2059", "413-555-0171"),
    "en/travel-clinic.txt": ("Achterberg", "07/23/2041", "612-555-0198"),
    "es/carta-de-derivacion.txt": ("Bengoechea", "hilario.bengoechea@", "Joaquim"),
    "es/informe-de-alta.txt": ("Casilda", "Urrutia Belmonte", "4471903", "23/02/1948"),
    "es/nota-de-consulta.txt": ("Yolanda Carrizo", "17/03/2021", "Sanchis-Oltra"),
    "es/parte-de-enfermeria.txt": ("Vidarte", "Kovacs"),
}
KEPT = {
    "en/pathology-report.txt": ("INVASIVE ADENOCARCINOMA", "88305"),
    "en/psychiatry-consult.txt": ("Foley", "Babinski"),
    "es/informe-de-alta.txt": ("Parkinson", "158/92"),
    "es/nota-de-consulta.txt": ("levotiroxina", "enfermedad de Graves"),
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
        faults += [f"{name}: lost {part!r}" for part in KEPT.get(name, ()) if part not in text]
    return faults


def main() -> int:
    """Print the faults; return 1 if there are any."""
    faults = find_faults(Path(sys.argv[1]), Path(sys.argv[2]))
    for fault in faults:
        sys.stdout.write(fault + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
