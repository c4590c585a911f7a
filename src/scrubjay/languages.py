"""The languages that the package has word lists, patterns and rules for."""

from __future__ import annotations

#: Codes of ISO 639-1, sorted; a document or model of another language is read without them.
LANGUAGES = ("en", "es", "nl")
