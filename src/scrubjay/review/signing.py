"""Signed reports: JSON that tells by whose key it was signed, and whether it was altered since.

With HMAC-SHA256 whoever has the secret can sign and verify; with Ed25519 (the extra `vault`) one
key signs and another, which may be public, verifies. What is signed is the report as canonical
JSON, so that the layout of the file does not matter.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.errors import ConfigError, InputError, MissingExtraError, SignatureError
from scrubjay.files import read_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

HMAC = "HMAC-SHA256"
ED25519 = "Ed25519"
LEAST_SECRET = 16
"""A secret of fewer bytes is refused."""

_CONTEXT = b"scrubjay signed report 1\n"


@dataclass(frozen=True, slots=True)
class SecretSigner:
    """Signs and verifies with a secret that both sides have."""

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) < LEAST_SECRET:
            raise ConfigError(
                f"a secret of {len(self.secret)} bytes is too short to sign with",
                hint=f"Take {LEAST_SECRET} random bytes or more",
            )

    @property
    def key_id(self) -> str:
        """What tells the secret from others, without telling anything else of it."""
        return hmac.new(self.secret, b"scrubjay key id", hashlib.sha256).hexdigest()[:16]

    def sign(self, data: bytes) -> dict[str, str]:
        """Return the signature of some bytes."""
        value = hmac.new(self.secret, data, hashlib.sha256).digest()
        return {"algorithm": HMAC, "key": self.key_id, "value": _encode(value)}

    def verify(self, data: bytes, value: bytes) -> bool:
        """Tell whether a signature is that of these bytes."""
        return hmac.compare_digest(hmac.new(self.secret, data, hashlib.sha256).digest(), value)


@dataclass(frozen=True, slots=True)
class KeySigner:
    """Signs with an Ed25519 private key; `public_key` verifies."""

    key: Ed25519PrivateKey = field(repr=False)

    def sign(self, data: bytes) -> dict[str, str]:
        """Return the signature of some bytes."""
        value = _encode(self.key.sign(data))
        return {"algorithm": ED25519, "key": _public_id(self.key.public_key()), "value": value}


def canonical(payload: Mapping[str, Any]) -> bytes:
    """Return the bytes of a report that are signed: sorted keys, no white space, ASCII."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return _CONTEXT + text.encode("ascii")


def seal(payload: Mapping[str, Any], signer: Any) -> dict[str, Any]:
    """Return a report with its signature under "signature"."""
    return {**payload, "signature": dict(signer.sign(canonical(payload)))}


def verify_report(
    record: Mapping[str, Any], key: SecretSigner | Ed25519PublicKey, *, html: bytes | None = None
) -> dict[str, str]:
    """Return the algorithm and the key of a report that is as it was signed.

    With `html` the page must be the one of the report. Raises `SignatureError` for a report that
    was altered, that another key signed or that bears no signature.
    """
    payload = {name: value for name, value in record.items() if name != "signature"}
    signature = record.get("signature")
    if not isinstance(signature, Mapping) or set(signature) != {"algorithm", "key", "value"}:
        raise SignatureError("the report bears no signature")
    wanted = HMAC if isinstance(key, SecretSigner) else ED25519
    if signature["algorithm"] != wanted:
        raise SignatureError(f"the report is not signed by {wanted}, to which the key belongs")
    own = key.key_id if isinstance(key, SecretSigner) else _public_id(key)
    if signature["key"] != own:
        raise SignatureError("the report was signed with another key")
    if not _is_signed(payload, str(signature["value"]), key):
        raise SignatureError("the report was altered after it was signed")
    if html is not None and hashlib.sha256(html).hexdigest() != record.get("html_sha256"):
        raise SignatureError("the page is not the one of this report, or was altered")
    return {"algorithm": wanted, "key": own}


def _is_signed(
    payload: Mapping[str, Any], value: str, key: SecretSigner | Ed25519PublicKey
) -> bool:
    try:
        signature, data = base64.b64decode(value, validate=True), canonical(payload)
    except (ValueError, TypeError):
        return False
    if isinstance(key, SecretSigner):
        return key.verify(data, signature)
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(signature, data)
    except InvalidSignature:
        return False
    return True


def read_report(path: Path) -> dict[str, Any]:
    """Return the JSON of a report; raises `InputError` for a file that is none."""
    content = read_bytes(path)
    try:
        record = json.loads(content)
    except (ValueError, RecursionError):
        raise InputError("is not the JSON of a report", path=path) from None
    if not isinstance(record, dict):
        raise InputError("is not the JSON of a report", path=path)
    return record


def read_signer(path: Path) -> SecretSigner | KeySigner:
    """Return who signs: an Ed25519 private key in PEM, or any other file as a secret."""
    data = read_bytes(path, kind=ConfigError)
    if b"-----BEGIN" not in data:
        return SecretSigner(data.strip())
    ed25519, serialization = _cryptography()
    try:
        key = serialization.load_pem_private_key(data, password=None)
    except (ValueError, TypeError):
        raise ConfigError("is no private key without a pass phrase", path=path) from None
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise ConfigError("is no Ed25519 key", path=path, hint="openssl genpkey -algorithm ed25519")
    return KeySigner(key)


def read_verifier(path: Path) -> SecretSigner | Ed25519PublicKey:
    """Return who verifies: an Ed25519 public key in PEM, or any other file as a secret."""
    data = read_bytes(path, kind=ConfigError)
    if b"-----BEGIN" not in data:
        return SecretSigner(data.strip())
    ed25519, serialization = _cryptography()
    try:
        if b"PRIVATE KEY" in data:
            key = serialization.load_pem_private_key(data, password=None).public_key()
        else:
            key = serialization.load_pem_public_key(data)
    except (ValueError, TypeError, AttributeError):
        raise ConfigError("is no public key", path=path) from None
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise ConfigError("is no Ed25519 key", path=path)
    public: Ed25519PublicKey = key
    return public


def _cryptography() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise MissingExtraError("cryptography", "vault") from None
    return ed25519, serialization


def _public_id(key: Ed25519PublicKey) -> str:
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()[:16]


def _encode(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")
