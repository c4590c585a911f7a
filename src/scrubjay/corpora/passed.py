"""The files of folders that a reader passes over, counted by the ends of their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from scrubjay.corpora._office import has_office_name
from scrubjay.errors import counted

SHOWN = 8
_UNKNOWN = "without a known suffix"
_NAMES = """
    7z aac arrow avi avro bib bio bmp bz2 cda cfg conll css csv dat db dcm dic dicom doc
    docm docx dotx dta emf eml epub er7 feather gif gz heic hl7 htm html ico ics ini inline
    ipynb jpeg jpg js json jsonl key log m4a m4v md mdb mht mov mp3 mp4 mpeg mpg msg nb ndjson nii
    npy npz numbers odg odp ods odt ogg one orc ost p7m pages parquet pdf pickle pkl png ppt pptx
    prn ps pst pub py qmd rar rdata rds rmd rst rtf sas7bdat sav sh sql sqlite svg tab tar tex
    text tgz tif tiff tmp toml tsv txt vcf vsd vsdx wav webm webp wma wmv wpd wps xcf xlf xls xlsb
    xlsm xlsx xml xps xsd xsl xz yaml yml zip zst
"""

KINDS = frozenset(f".{name}" for name in _NAMES.split())
"""The suffixes that are shown. Any other may be a piece of a name, or a number: "j.smith"."""


def advise_passed(names: Iterable[str]) -> str:
    """Return what to do about files that were passed over, "" where nothing is known."""
    if not any(map(has_office_name, names)):
        return ""
    return "PDF and files of Word are read once text is made of them (pdftotext, soffice)"


class PassedOver:
    """Counts the files that it is told of, as `passed` of `scrubjay.corpora.read_corpora`.

    No name is kept, which may be a patient's: "Mr. Smith" and "j.smith" have no suffix to show.
    """

    def __init__(self) -> None:
        self.suffixes: Counter[str] = Counter()

    def __call__(self, name: str) -> None:
        """Count a file by the last suffix of its name, in lower case; "" for none to show."""
        suffix = PurePosixPath(name).suffix.lower()
        self.suffixes[suffix if suffix in KINDS else ""] += 1

    def describe(self) -> str:
        """Return how many files were passed over, and of which kinds; "" where there are none."""
        if not (count := self.suffixes.total()):
            return ""
        kinds = sorted(self.suffixes.items(), key=lambda each: (-each[1], each[0]))
        told = [f"{number:,} {suffix or _UNKNOWN}" for suffix, number in kinds[:SHOWN]]
        if len(kinds) > SHOWN:
            told.append(f"{sum(number for _, number in kinds[SHOWN:]):,} others")
        which = "of another kind was" if count == 1 else "of other kinds were"
        return f"{counted(count, 'file')} {which} not read: {', '.join(told)}"
