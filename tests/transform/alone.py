"""Mentions on their own, of which nobody knows the text around them."""

from __future__ import annotations

from scrubjay.transform._plans import replace_mine
from scrubjay.transform.operators import Mention, Operator, Record


def replace_alone(operator: Operator, mention: Mention) -> str:
    """Return what an operator gives for a mention on its own."""
    (new,) = replace_mine(operator, [mention], Record(mention.document_id, mention.patient, "", ""))
    return new
