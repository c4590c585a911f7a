"""The state of a training on disk: tensors and plain values, read back without running code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from scrubjay.errors import ConfigError, FormatError, OutputError
from scrubjay.files import replacing

State = dict[str, Any]

_LAYOUT = 2
"""Raised whenever a state holds other things than before."""

_ANEW = "Give another file, or delete this one to begin anew"


def save_tensors(path: Path, content: State, what: str) -> None:
    """Write tensors and plain values in one step; raises `OutputError` where that cannot be."""
    try:
        with replacing(path, what=what) as stream:
            torch.save(content, stream)
    except RuntimeError as error:  # of the zip file, which hides that of the disk
        raise OutputError(f"{what} cannot be written ({type(error).__name__})", path=path) from None


@dataclass(frozen=True, slots=True)
class StateFile:
    """A file for the state of one training; without a path nothing is read or written.

    `identity` stands for all that decides how the training goes: one fingerprint, or one for
    each part, which errors then name. The file holds the weights: it is as confidential as the
    model.
    """

    path: Path | None
    identity: str | Mapping[str, str]

    def load(self) -> State | None:
        """Return the state that was saved, or None where there is no file.

        Raises `ConfigError` for the state of another training or of another version, and
        `FormatError` for a file that is damaged or no state at all.
        """
        if self.path is None or not self.path.exists():
            return None
        try:
            saved = torch.load(self.path, map_location="cpu", weights_only=True)
            layout, identity = saved.get("layout"), saved["identity"]
            state = dict(saved["state"])
        except Exception as error:  # pickles with code, cut zip files, other tensors
            raise FormatError(
                f"not the checkpoint of a training, or a damaged one ({type(error).__name__})",
                path=self.path,
                hint=_ANEW,
            ) from None
        if layout != _LAYOUT:
            raise ConfigError(
                "the checkpoint is that of another version of Scrubjay", path=self.path, hint=_ANEW
            )
        if identity != self._identity():
            raise ConfigError(
                f"the checkpoint is that of another training: {self._differences(identity)}",
                path=self.path,
                hint=_ANEW,
            )
        return state

    def save(self, state: State) -> None:
        """Save a state in one step; raises `OutputError` where it cannot be written."""
        if self.path is None:
            return
        content = {"layout": _LAYOUT, "identity": self._identity(), "state": state}
        save_tensors(self.path, content, "the checkpoint")

    def _identity(self) -> str | dict[str, str]:
        return self.identity if isinstance(self.identity, str) else dict(self.identity)

    def _differences(self, saved: Any) -> str:
        """Return which parts of a saved identity are not those of this training."""
        if isinstance(self.identity, str) or not isinstance(saved, dict):
            return "other data, encoder or settings"
        parts = [part for part, value in self.identity.items() if saved.get(part) != value]
        return f"its {', '.join(parts)} {'is' if len(parts) == 1 else 'are'} not the same"
