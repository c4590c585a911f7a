"""Which labels are direct identifiers: one mention alone points to the patient or a relative.

The tables of the label sets say so of each label (`direct = true` in `resources/labels`); a
TOML file may say otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scrubjay.errors import ConfigError, LabelError
from scrubjay.files import read_toml
from scrubjay.labels import LabelSet


@dataclass(frozen=True, slots=True)
class DirectLabels:
    """The direct labels, and who says so; `labels=None` stands for every label."""

    labels: frozenset[str] | None
    source: str

    def __contains__(self, label: object) -> bool:
        return self.labels is None or label in self.labels


def find_direct_labels(label_set: LabelSet | None, *, file: Path | None = None) -> DirectLabels:
    """Return the direct labels of a file, else those of the label set.

    Where neither names one every label counts as direct, so that no leak is played down. The
    file is TOML with the line `direct = ["PATIENT", "PHONE"]`.

    Raises `ConfigError` for a broken file, `LabelError` for a label that the set does not have.
    """
    if file is not None:
        return DirectLabels(_read(file, label_set), str(file.name))
    if label_set is None:
        return DirectLabels(None, "every label, since no label set is known")
    named = frozenset(label.name for label in label_set.definitions if label.direct)
    if not named:
        return DirectLabels(None, f"every label, since the label set {label_set.name!r} names none")
    return DirectLabels(named, f"label set {label_set.name}")


def _read(path: Path, label_set: LabelSet | None) -> frozenset[str]:
    data = read_toml(path)
    hint = 'Write one line such as: direct = ["PATIENT", "PHONE"]'
    if unknown := sorted(data.keys() - {"direct"}):
        raise ConfigError(f"unknown setting {unknown[0]!r}", path=path, hint=hint)
    names = data.get("direct")
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        raise ConfigError("`direct` must be a list of labels, one at least", path=path, hint=hint)
    if label_set is None:
        return frozenset(names)
    try:
        return frozenset(label_set.spelled(name) for name in names)
    except LabelError as error:
        raise LabelError(error.what, path=path, place="`direct`", hint=error.hint) from None
