"""Which format a file or a folder has, told by file names and the first bytes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from scrubjay.corpora._office import office_head, office_kind
from scrubjay.corpora._packed import LOOKED_AT, packed_head
from scrubjay.corpora._standard_input import detect_standard_input
from scrubjay.corpora.encodings import hint_mark, require_encoding
from scrubjay.corpora.format import Format
from scrubjay.corpora.lake import DELTA_LOG, is_delta
from scrubjay.corpora.registry import FORMATS, find_format
from scrubjay.corpora.source import STANDARD_INPUT, Source
from scrubjay.corpora.walking import walk
from scrubjay.errors import FormatError, InputError, missing, unreadable

_HEAD = 1 << 16
_LINE = 1 << 24
_LOOKED_AT = 1000
_MESSAGE = re.compile(rb"(?:MSH|FHS|BHS)[^\w\s][^\w\s]{3,5}[^\w\s]")
_RESOURCE = re.compile(rb'\{\s*"resourceType"\s*:\s*"[A-Z]')
_ARCHIVES = frozenset([".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z"])
_OF_OTHER_KINDS = "Of pictures and files of other programs make text first. "
_AS_TEXT = (
    "--format text (convert: --from text) reads it as one note, with all its tags and marks. "
)


def detect_format(path: Path | str, *, encoding: str | None = None) -> str:
    """Return the name of the format of a file or a folder; standard input is text, HL7 or FHIR.

    Files are looked at through `encoding` where one is named, and then as they are. Raises
    `FormatError` where no format fits, and for a folder where more than one does; `ConfigError`
    for an unknown encoding. Where a note fits none since its bytes are no text, raises what the
    reader of texts does, by byte or offset.
    """
    if str(path) == STANDARD_INPUT:
        return detect_standard_input(encoding)
    path = Path(path)
    if path.is_dir():
        return _detect_folder(path, encoding)
    if not path.is_file():
        if path.exists():  # a pipe
            raise InputError(
                "is neither a file nor a folder", path=path, hint="Standard input is -"
            )
        raise missing(path)
    found = _detect_file(path, encoding)
    if found is None:
        _require_plain(path)
        _require_content(path, encoding)
        _require_text(path, encoding)
        raise FormatError("no known corpus format", path=path, hint=_advise(path, encoding))
    _require_unpacked(path, by_name=False)
    return found


def _known_suffixes() -> set[str]:
    return {suffix for name in FORMATS for suffix in find_format(name).suffixes}


def _detect_folder(folder: Path, encoding: str | None) -> str:
    found: dict[str, str] = {}
    by_suffix: dict[str, str | None] = {}
    strange: list[Path] = []  # named like files of a format, and none inside
    known = _known_suffixes()
    if is_delta(folder):
        return "parquet"
    for path, relative in walk(folder):
        if f"/{DELTA_LOG}/" in f"/{relative}":
            continue
        suffix = path.suffix.lower()
        if suffix == ".ann":
            found.setdefault("brat", relative)
        elif suffix in known:
            # One file tells for all with its suffix: a folder mixes no formats of one suffix.
            if suffix not in by_suffix:
                by_suffix[suffix] = _detect_file(path, encoding)
                if by_suffix[suffix] is None:
                    strange.append(path)
            if (name := by_suffix[suffix]) is not None:
                found.setdefault(name, relative)
    if "brat" in found:
        found.pop("text", None)
    if not found and next(iter(walk(folder)), None) is None:
        hidden = any(path.name.startswith(".") for path in folder.iterdir())
        raise FormatError(
            "the folder holds no files",
            path=folder,
            hint="Names that begin with a dot are passed over" if hidden else "",
        )
    for path in strange:  # beside other formats, too, where a note would be one format more
        _require_plain(path)
        _require_text(path, encoding)
    if not found and strange:
        _require_content(strange[0], encoding)
        raise FormatError(
            "no known corpus format", path=strange[0], hint=_advise(strange[0], encoding)
        )
    if not found:
        for path in (each for each, _ in walk(folder) if each.suffix.lower() in _ARCHIVES):
            _require_unpacked(path)
        first = islice(walk(folder), _LOOKED_AT)
        for what, hint in filter(None, (_office_kind(each) for each, _ in first)):
            raise FormatError(
                f"no file of a known corpus format; the first is {what}", path=folder, hint=hint
            )
        raise FormatError(
            "no file of a known corpus format", path=folder, hint=_OF_OTHER_KINDS + _hint(None)
        )
    if len(found) > 1:
        seen = ", ".join(f"{name} ({relative})" for name, relative in sorted(found.items()))
        raise FormatError(
            f"files of several formats: {seen}",
            path=folder,
            hint="Give the folder of one of them, or name the one to read with --format (convert: "
            "--from); where its files are not UTF-8, with --encoding, too",
        )
    return next(iter(found))


def _detect_file(path: Path, encoding: str | None) -> str | None:
    if path.suffix.lower() in (".txt", ".ann") and path.with_suffix(".ann").is_file():
        return "brat"
    for head in _read_heads(path, encoding):
        for name in FORMATS:
            kind = find_format(name)
            if kind.split_suffix(path.name) and kind.recognise(head):
                if name == "text":
                    _require_no_record(path, head)
                return name
        if not path.suffix and find_format("text").recognise(head):
            if office_head(head) is not None:
                _require_plain(path)
            return "text"
    return None


def _require_no_record(path: Path, head: bytes) -> None:
    """Raise `FormatError` for records in a file named like a note: their fields were not known.

    So it does for files of office programs.
    """
    if office_head(head) is not None:
        _require_plain(path)
    start = head[:200].lstrip(b"\xef\xbb\xbf\x0b \r\n")
    marks = {"hl7": _MESSAGE.match(start), "fhir": _RESOURCE.match(start)}
    for name, found in marks.items():
        if found:
            raise FormatError(
                f"is named like a note, and looks like {name}",
                path=path,
                hint=f"Rename such files to {find_format(name).suffixes[0]}, or give a single one "
                f"with --format {name} (convert: --from): so the fields of persons are known. With "
                "--format text all of it is read as one text",
            )


def _require_content(path: Path, encoding: str | None) -> None:
    """Raise `FormatError` for a file that is packed, or has no byte that could tell its format."""
    _require_unpacked(path)
    _require_decodable(path, encoding)
    if not path.stat().st_size:
        raise FormatError(
            "the file is empty, and could be of any format", path=path, hint=_hint(None)
        )


def _require_decodable(path: Path, encoding: str | None) -> None:
    """Raise `EncodingError` for a file named like one of text whose head is in another encoding.

    Such a file may be of the format that its name tells, if it is read in its own.
    """
    other = _known_suffixes().difference(*(find_format(n).suffixes for n in ("parquet", "text")))
    if path.suffix.lower() not in other:  # notes are read by `_require_text`
        return
    named = encoding or "utf-8"
    decoder = codecs.getincrementaldecoder(named)()
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    try:
        decoder.decode(head)
    except UnicodeError as error:
        source = Source(path, str(path), path.stem)
        offset = error.start if isinstance(error, UnicodeDecodeError) else None
        raise source.encoding_error(named, offset) from None


def _require_plain(path: Path) -> None:
    """Raise `FormatError` for a file of an office program, whatever its name."""
    if (kind := _office_kind(path)) is not None:
        raise FormatError(f"is {kind[0]}, which is not read", path=path, hint=kind[1])


def _office_kind(path: Path) -> tuple[str, str] | None:
    try:
        return office_kind(path)
    except OSError as error:
        raise unreadable(path, error) from None


def _require_unpacked(path: Path, *, by_name: bool = True) -> None:
    """Raise `FormatError` for a packed file: as text in another encoding it would be nonsense.

    With `by_name` so it does for one that is only named so, as a packed file whose first bytes are
    damaged is.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(LOOKED_AT)
    except OSError as error:
        raise unreadable(path, error) from None
    if (packed := packed_head(head)) is not None:
        raise FormatError(f"is {packed[0]}, not text", path=path, hint=packed[1])
    if by_name and head and path.suffix.lower() in _ARCHIVES:
        raise FormatError(
            f"is named {path.suffix}, and is no packed file: damaged, or text under that name",
            path=path,
            hint="Fetch it again and unpack it; if it is text, rename it to what it holds "
            "(.txt, .jsonl, ...)",
        )


def _require_text(path: Path, encoding: str | None) -> None:
    """Raise what the reader of texts does for a file named like one, if it refuses the bytes."""
    text = find_format("text")
    named = not path.suffix or text.split_suffix(path.name) is not None
    if named:
        _require_unpacked(path)
    if named and path.stat().st_size <= _LINE:  # nobody waits for the reading of a disk image
        for _ in text.read(Source(path, path.name, path.stem), encoding=encoding or "utf-8"):
            pass


def _read_heads(path: Path, encoding: str | None) -> Iterator[bytes]:
    """Yield the first 64 KiB and the rest of the line that they end in.

    Where an encoding is named, first as the UTF-8 of the text that the file is in it, since that
    is what formats know; bytes that do not decode are for the reader to name.
    """
    try:
        if encoding is not None:
            yield from _read_decoded(path, require_encoding(encoding))
        with path.open("rb") as stream:
            yield stream.read(_HEAD) + stream.readline(_LINE)
    except OSError as error:
        raise unreadable(path, error) from None


def _read_decoded(path: Path, encoding: str) -> Iterator[bytes]:
    """Yield the head as UTF-8, or nothing for UTF-16 or UTF-32 without a byte order mark."""
    try:
        with path.open(encoding=encoding, errors="replace", newline="\n") as text:
            head = text.read(_HEAD) + text.readline(_LINE)
    except UnicodeError:
        return
    yield head.removeprefix("\ufeff").encode("utf-8", "surrogatepass")


def _advise(path: Path, encoding: str | None) -> str:
    """Return what to do with a file of no format: the likeliest first."""
    recognise = find_format("text").recognise
    if any(recognise(head) for head in _read_heads(path, encoding)):
        return _AS_TEXT + _hint(encoding)
    known = path.suffix.lower() in _known_suffixes()
    return ("" if known else _OF_OTHER_KINDS) + _hint(encoding)


def _hint(encoding: str | None) -> str:
    other = (
        hint_mark(encoding)
        if encoding
        else "; where it is not UTF-8, its encoding, too (--encoding)"
    )
    return (
        f"Name the format: {', '.join(FORMATS)} (with --format; convert: --from; text is a whole "
        f"file as one note, inline text with tags in it){other}"
    )


def choose_suffix(kind: Format, root: Path) -> tuple[str, ...]:
    """Return the suffixes of the files to read below a folder.

    A format whose later suffixes are those of others (`.txt`) takes them only where there is
    no file with its first.
    """
    if kind.name not in ("inline", "nursing"):
        return kind.suffixes
    for suffix in kind.suffixes:
        if any(path.name.lower().endswith(suffix) for path, _ in walk(root)):
            return (suffix,)
    return kind.suffixes
