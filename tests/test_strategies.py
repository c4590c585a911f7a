"""The strategies keep their word, so that property tests stand on firm ground."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from scrubjay.document import Document
from scrubjay.spans import require_disjoint
from scrubjay.text.tokens import Tokens
from tests.strategies import documents, require_cover, texts, tokens, xml_texts


@settings(max_examples=50)
@given(texts())
def test_texts_survive_utf8(text: str) -> None:
    assert text.encode().decode() == text


@settings(max_examples=50)
@given(xml_texts())
def test_xml_texts_survive_an_xml_parser(text: str) -> None:
    from lxml import etree

    element = etree.Element("TEXT")
    element.text = text
    assert element.text == text


@settings(max_examples=50)
@given(documents())
def test_documents_have_disjoint_spans_over_characters(document: Document) -> None:
    assert require_disjoint(document.spans, document_id=document.id) == document.spans
    assert all(document.text[span.start : span.end].strip() for span in document.spans)


@settings(max_examples=50)
@given(tokens())
def test_tokens_cover_the_text(drawn: Tokens) -> None:
    require_cover(drawn)
    assert (len(drawn) == 0) == (not drawn.text.strip())
    assert drawn.sentence_starts.tolist()[:1] == ([0] if len(drawn) else [])


def test_the_cover_check_can_fail() -> None:
    empty = Tokens("a", *(3 * [np.zeros(0, dtype=np.int32)]))
    with pytest.raises(AssertionError, match="offset 0"):
        require_cover(empty)
