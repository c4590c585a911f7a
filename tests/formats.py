"""The formats by what they can write."""

from __future__ import annotations

from scrubjay.corpora import FORMATS, find_format

FREE = [name for name in FORMATS if not find_format(name).is_bound]
"""Those that write any document; the others write only what was read in them."""
