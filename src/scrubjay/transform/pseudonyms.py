"""Pseudonyms: `[PATIENT-3f9c01ab77de]`, one for each value of a patient's record."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass, field
from typing import ClassVar

from scrubjay.transform.operators import Mention, require_code


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """Replaces a mention by its label and a code, the same over all documents of a patient.

    The code is HMAC-SHA256 over patient, label and the text without regard to case, white space and
    how HTML writes it, cut to `digits` hexadecimal digits. Another patient of the same name has
    another code, so that nobody can be followed from one record to another; where no patient is
    known, each document stands for itself. A mention that is such a pseudonym already stays.
    Without a vault (`scrubjay deid --vault`) nothing leads back. Raises `ConfigError` for a missing
    or short key.
    """

    key: bytes = field(default=b"", repr=False)
    digits: int = 12
    name: ClassVar[str] = "pseudonym"

    def __post_init__(self) -> None:
        require_code(self.key, self.digits, operator=self.name)

    def replace(self, mention: Mention) -> str:
        """Return the label of the mention and its code, in brackets."""
        label = mention.span.label
        if re.fullmatch(rf"\[{re.escape(label)}-[0-9a-f]{{{self.digits}}}\]", mention.text):
            return mention.text
        whose = ("patient", mention.patient) if mention.patient else ("id", mention.document_id)
        value = " ".join(mention.meant().text.casefold().split())
        # The length of each part keeps them apart; surrogatepass, since a text may hold a lone
        # surrogate.
        message = "".join(f"{len(part)}:{part}" for part in (*whose, label, value))
        code = hmac.digest(self.key, message.encode("utf-8", "surrogatepass"), "sha256").hex()
        return f"[{label}-{code[: self.digits]}]"
