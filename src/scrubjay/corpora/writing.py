"""Writing corpora: whole files or none, in the format asked for.

Files are written into a hidden folder beside their places and moved there when the run ends
well, so that a run that fails leaves nothing.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Literal

from scrubjay.corpora._seen import Seen
from scrubjay.corpora.format import Encoder, Format
from scrubjay.corpora.metadata import FORMAT_KEY, IGNORE_KEY, PATH_KEY
from scrubjay.corpora.regions import HOLDING
from scrubjay.corpora.registry import FORMATS, find_format
from scrubjay.corpora.source import STANDARD_INPUT
from scrubjay.document import Document
from scrubjay.errors import FileNameError, OutputError, require_choice, unwritable
from scrubjay.files import make_folders
from scrubjay.intake import require_document

Existing = Literal["replace", "error"]
Publish = Literal["end", "each"]
Permissions = Literal["private", "umask"]

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]|%(?=[0-9A-Fa-f]{2})')


def write_corpus(
    documents: Iterable[Document], folder: Path | str, *, format: str, **settings: Any
) -> int:
    """Write documents and return their number; the settings are those of `open_writer`.

    Where a document cannot be written, or the iterable raises, nothing is left behind.
    """
    with open_writer(folder, format=format, **settings) as writer:
        for document in documents:
            writer.write(document)
    return writer.documents


def open_writer(
    target: Path | str,
    *,
    format: str,
    inputs: Sequence[Path | str] = (),
    name: str = "documents",
    existing: Existing = "replace",
    publish: Publish = "end",
    permissions: Permissions = "umask",
    staging: Path | None = None,
    **options: Any,
) -> CorpusWriter:
    """Return a writer for a folder, or for one file where a container's suffix ends `target`.

    `inputs` are the paths that the documents are read from; the folder must be none of them
    and inside none of them. Documents of a container keep its base name, others go to the
    container `name`. `existing` says what happens to files that are there already. With
    `publish="end"` files appear when the writer closes without an error, with "each" those of
    one document at once (containers always appear at the end). With `permissions="private"`
    only the owner may read the files and the folders made for them, with "umask" whoever the
    umask of the process lets. Files wait in a hidden folder inside `staging`, a folder on the
    same file system, by default the output folder. `options` are those of the format's writer.

    Raises `ConfigError` for an unknown format or option.
    """
    kind = find_format(format)
    kind.require_options(options, role="writer")
    require_choice("existing", existing, ("replace", "error"))
    require_choice("publish", publish, ("end", "each"))
    require_choice("permissions", permissions, ("private", "umask"))
    writer = CorpusWriter(Path(target), kind, inputs, name, existing, publish, options)
    writer.permissions, writer.staging = permissions, staging
    return writer


class CorpusWriter:
    """Writes documents into a folder; made by `open_writer`, used in a `with` statement."""

    def __init__(
        self,
        target: Path,
        kind: Format,
        inputs: Sequence[Path | str],
        name: str,
        existing: Existing,
        publish: Publish,
        options: dict[str, Any],
    ) -> None:
        is_file = kind.is_container and kind.split_suffix(target.name) and not target.is_dir()
        self._folder = target.parent if is_file else target
        self._file = target.name if is_file else None
        self._kind = kind
        self._inputs = [Path(path).resolve() for path in inputs if str(path) != STANDARD_INPUT]
        self._name = name
        self._existing = existing
        self._publish_policy = publish
        self._options = options
        self._stack = ExitStack()
        self.permissions: Permissions = "umask"
        self.staging: Path | None = None
        self._staging: Path | None = None
        self._last: list[str] = []
        self._made: list[Path] = []
        self._ids = Seen()
        self._names = Seen()
        self._withdrawn: set[str] = set()
        self._open: tuple[str, Encoder] | None = None
        self.documents = 0

    def __enter__(self) -> CorpusWriter:
        folder = self._folder
        # One file may stand beside an input file: only what it replaces matters, see `_move`.
        require_apart(folder, [p for p in self._inputs if self._file is None or p.is_dir()])
        try:
            self._make_folder(folder)
            place = self.staging or folder
            self._staging = Path(tempfile.mkdtemp(prefix=".scrubjay-", dir=place))
        except OSError as error:
            self._discard()
            raise unwritable(folder, error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            if kind is None:
                self.finish()
                self._publish()
        except OSError as problem:
            raise unwritable(self._folder, problem) from None
        finally:
            self._abandon_container()
            self._discard()

    def write(self, document: Document) -> str:
        """Write a document and return the path of its (main) file below the folder.

        Where it raises, nothing of the document is in the output and others can follow:
        `OutputError` for a second document with the same id or file, `FileNameError` for an id
        that no file name can hold, `InputError` for what is no document, and what the format
        raises for a document that it cannot hold.
        """
        require_writable_id(require_document(document).id)
        if document.id in self._ids and document.id not in self._withdrawn:
            raise OutputError(f"a second document with the id {document.id!r}")
        if document.metadata.get(IGNORE_KEY) and self._kind.name not in HOLDING:
            raise OutputError(
                f"document {document.id!r} has regions to ignore, which the format "
                f"{self._kind.name!r} cannot hold",
                hint=f"Write {' or '.join(sorted(HOLDING))}",
            )
        name = self._file or output_name(document, format=self._kind.name, name=self._name)
        try:
            if self._kind.encode is not None:
                self._write_files(name, self._kind.encode(document, **self._options))
            else:
                self._container(name).add(document)
        except OSError as error:
            raise unwritable(self._folder / name, error) from None
        self._ids.add(document.id)
        self._withdrawn.discard(document.id)
        self.documents += 1
        return name

    def withdraw(self, document: Document) -> None:
        """Take back the document that was written last, in a format of one document per file.

        It must not have been published.
        """
        for path in self._last:
            self._stage(path).unlink(missing_ok=True)
            self._withdrawn.add(path)
        self._last = []
        self._withdrawn.add(document.id)
        self.documents -= 1

    def has_made(self, path: str) -> bool:
        """Tell whether a path below the folder is that of a file of this writer."""
        return path in self._names

    def staged(self, name: str) -> Path:
        """Return where a file of the output waits until it is published."""
        return self._stage(name)

    def finish(self) -> None:
        """Complete all files; nothing can be written after, and they are published at the end.

        Raises `OutputError` where a file could not go to its place.
        """
        if self._kind.is_container and not self._names:
            # No document at all still makes a container, an empty one.
            self._container(self._file or self._name + self._kind.suffixes[0])
        self._close_container()
        for path in self._waiting():
            self._require_free(path)

    def _write_files(self, name: str, files: Any) -> None:
        paths = {ending: self._beside(name, ending) for ending in files}
        for path in paths.values():
            if path in self._names and path not in self._withdrawn:
                raise OutputError(
                    "two documents would go to one file",
                    path=self._folder / path,
                    hint="Their ids differ only in characters that file names cannot hold",
                )
        for ending, data in files.items():
            try:
                self._stage(paths[ending]).write_bytes(data)
            except OSError as error:
                if error.errno != errno.ENAMETOOLONG:
                    raise
                for path in paths.values():  # what waits is published, all of it
                    with suppress(OSError):
                        self._stage(path).unlink(missing_ok=True)
                raise FileNameError(
                    f"an id of {len(name)} characters, too long for the name of a file",
                    hint="Write a format whose documents are one file, such as jsonl",
                ) from None
        for path in paths.values():
            self._names.add(path)
            self._withdrawn.discard(path)
        self._last = list(paths.values())
        if self._publish_policy == "each":
            for path in paths.values():
                self._require_free(path)
            for path in paths.values():
                self._move(path)

    def _container(self, name: str) -> Encoder:
        if self._open is not None and self._open[0] == name:
            return self._open[1]
        self._close_container()
        if name in self._names:
            raise OutputError(
                "the documents of a container must come one after another",
                path=self._folder / name,
            )

        def create(ending: str) -> BinaryIO:
            path = self._beside(name, ending)
            self._names.add(path)
            return self._stack.enter_context(self._stage(path).open("wb"))

        assert self._kind.start is not None
        encoder = self._kind.start(create, **self._options)
        self._open = (name, encoder)
        return encoder

    def _close_container(self) -> None:
        if self._open is not None:
            encoder, self._open = self._open[1], None
            encoder.finish()
            self._stack.close()

    def _abandon_container(self) -> None:
        if self._open is not None:
            # The file is thrown away; finishing lets an encoder let go of it without a noise.
            with suppress(Exception):
                self._open[1].finish()
            self._open = None
        self._stack.close()

    def _beside(self, name: str, ending: str) -> str:
        parts = self._kind.split_suffix(name) or (name, "")
        return parts[0] + ending if ending else name

    def _stage(self, path: str) -> Path:
        assert self._staging is not None, "use the writer in a `with` statement"
        staged = self._staging / path
        staged.parent.mkdir(parents=True, exist_ok=True)
        return staged

    def _publish(self) -> None:
        for path in self._waiting():
            self._move(path)

    def _waiting(self) -> Iterator[str]:
        """Yield the files that wait, folder by folder: there may be millions."""
        assert self._staging is not None, "use the writer in a `with` statement"
        for folder, _, names in os.walk(self._staging):
            for name in sorted(names):
                yield (Path(folder) / name).relative_to(self._staging).as_posix()

    def _require_free(self, path: str) -> None:
        """Raise `OutputError` where a file must not go to its place."""
        target = self._folder / path
        if target.is_dir() or (self._existing == "error" and target.exists()):
            raise OutputError(
                "exists already",
                path=target,
                hint="Choose another folder, or where the command has it give --existing replace",
            )
        require_below(self._folder, target)
        place = target.resolve()
        if any(place == source or source in place.parents for source in self._inputs):
            raise OutputError("would replace an input file", path=target)

    def _move(self, path: str) -> None:
        target = self._folder / path
        self._make_folder(target.parent)
        if self.permissions == "private":
            self._stage(path).chmod(0o600)
        self._stage(path).replace(target)

    def _make_folder(self, folder: Path) -> None:
        make_folders(folder, self._made, private=self.permissions == "private")

    def _discard(self) -> None:
        """Remove the staging folder, and the folders that were made and stayed empty."""
        if self._staging is not None:
            shutil.rmtree(self._staging, ignore_errors=True)
            self._staging = None
        for folder in reversed(self._made):
            try:
                folder.rmdir()
            except OSError:
                continue
        self._made = []


def require_apart(folder: Path, inputs: Sequence[Path | str]) -> Path:
    """Return the output folder, or raise `OutputError` where it is an input or inside one.

    An input that is a file must lie in another folder, too, or its neighbours would be mixed
    with the output.
    """
    if str(folder) == STANDARD_INPUT:
        raise OutputError("documents cannot go to the screen", hint="Give the name of a folder")
    resolved = folder.resolve()
    for path in map(Path, inputs):
        place = path.resolve()
        place = place if place.is_dir() else place.parent
        inside = path.is_dir() and place in resolved.parents
        if resolved == place or inside:
            raise OutputError(
                f"the output folder is {'inside ' if inside else ''}the folder of the input",
                path=folder,
                hint="Choose a folder apart from the input",
            )
    if resolved.exists() and not resolved.is_dir():
        raise OutputError("is not a folder", path=folder, hint="Give the name of a new folder")
    return folder


def require_below(folder: Path, target: Path) -> None:
    """Raise `OutputError` where a link leads from an output folder to the folder of a file in it.

    The file itself may be a link: it is replaced, and not what it points to.
    """
    if target.parent != folder and not target.parent.resolve().is_relative_to(folder.resolve()):
        raise OutputError(
            "lies in a folder that is a link out of the output folder",
            path=target,
            hint="Remove the link, or choose another folder",
        )


def require_writable_id(document_id: str) -> None:
    """Raise `FileNameError` for an id with half of a character, which no encoding can write."""
    try:
        document_id.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FileNameError(
            f"an id with a lone surrogate U+{ord(document_id[error.start]):04X} at character "
            f"{error.start + 1}",
            hint="Ids and file names must be text that UTF-8 can write",
        ) from None


def output_name(document: Document, *, format: str, name: str = "documents") -> str:
    """Return the path of the file of a document below an output folder, `/` between parts.

    A document that was read in the same format keeps its file name. The path is made from the
    id otherwise: parts between `/` become folders, and what must not be in a file name
    (`..`, a leading dot, control characters and the like) is percent-encoded, so that no id
    leads out of the folder. In a container format the documents of one container keep its
    base name, and others go to `name`.
    """
    kind = find_format(format)
    origin = _origin(document)
    if kind.is_container:
        if origin is None or not origin[0].is_container:
            return name + kind.suffixes[0]
        stem, suffix = origin[1]
    else:
        stem, suffix = document.id, ""
        if origin is not None and origin[1][0] == document.id:
            suffix = origin[1][1]
    same = origin is not None and origin[0].name == kind.name
    return _safe_path(stem) + (suffix if same and suffix else kind.suffixes[0])


def _origin(document: Document) -> tuple[Format, tuple[str, str]] | None:
    """Return the format that a document was read in, and its file's stem and suffix."""
    path, name = document.metadata.get(PATH_KEY), document.metadata.get(FORMAT_KEY)
    if not isinstance(path, str) or name not in FORMATS:
        return None
    kind = find_format(str(name))
    return kind, kind.split_suffix(path) or (path, "")


@lru_cache(maxsize=64)  # that of a container is asked for each of its documents
def _safe_path(stem: str) -> str:
    parts = [_safe_name(part) for part in stem.split("/")]
    return str(PurePosixPath(*parts))


def _safe_name(part: str) -> str:
    encoded = _UNSAFE.sub(lambda found: f"%{ord(found.group()):02X}", part)
    if not encoded:
        return "%"
    if encoded.startswith("."):
        encoded = f"%2E{encoded[1:]}"
    return encoded
