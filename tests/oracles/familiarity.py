"""How often strings were seen and what tokens allow, counted again the slow way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.document import Document
from scrubjay.evaluation.pairs import Pair
from scrubjay.text.tokens import Tokens

Key = tuple[str, int, int]


def normalise(text: str, how: str) -> str:
    """Return the string as a normalisation leaves it, character by character."""
    if how == "exact":
        return text
    words, word = [], ""
    for character in text + " ":
        if not character.isspace():
            word += character
        elif word:
            words.append(word)
            word = ""
    joined = " ".join(words)
    return joined if how == "spaces" else joined.casefold()


def words_of(string: str) -> list[str]:
    """Return the runs of word characters, `_` parting them."""
    kept = (c if re.fullmatch(r"\w", c) and c != "_" else " " for c in string)
    return [word for word in "".join(kept).split(" ") if word]


def spans_of(document: Document) -> set[Key]:
    """Return label and borders of each span, each once."""
    return {(span.label, span.start, span.end) for span in document.spans}


def look_up(training: Sequence[Document], text: str, label: str, how: str) -> tuple[str, int, int]:
    """Return level, mentions and documents of a string by reading all of training."""
    wanted = normalise(text, how)
    mentions, documents, other, words = 0, 0, False, set()
    for document in training:
        here = 0
        for known, start, end in spans_of(document):
            string = normalise(document.text[start:end], how)
            words.update(words_of(string))
            if string == wanted:
                here += known == label
                other = True
        mentions += here
        documents += here > 0
    if documents:
        return "same-label", mentions, documents
    if other:
        return "other-label", 0, 0
    own = words_of(wanted)
    inside = [word for word in own if word in words]
    if not inside:
        return "new", 0, 0
    return ("all-words" if len(inside) == len(own) else "some-words"), 0, 0


def is_covered(pair: Pair, start: int, end: int) -> bool:
    """Tell whether each character of a span but white space is in some predicted span."""
    return all(
        pair.gold.text[place].isspace()
        or any(span.start <= place < span.end for span in pair.predicted.spans)
        for place in range(start, end)
    )


def fit(tokens: Tokens, start: int, end: int) -> str:
    """Return how borders fit tokens, told by sets of characters and of borders."""
    bounds = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
    touched = [bound for bound in bounds if set(range(*bound)) & set(range(start, end))]
    if not touched:
        return "no-token"
    if any(not set(range(*bound)) <= set(range(start, end)) for bound in touched):
        return "in-token"
    return "on-tokens" if (touched[0][0], touched[-1][1]) == (start, end) else "in-space"


def answers(tokens: Tokens, key: Key) -> set[Key]:
    """Return the tokens that a span touches and those inside it, as spans of its label."""
    label, start, end = key
    bounds = list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))
    touched = [bound for bound in bounds if bound[0] < end and start < bound[1]]
    inside = [bound for bound in touched if start <= bound[0] and bound[1] <= end]
    return {(label, some[0][0], some[-1][1]) for some in (touched, inside) if some}


def causes(
    views: Sequence[Tokens], gold: set[Key], predicted: set[Key]
) -> tuple[dict[Key, str], dict[Key, str]]:
    """Return the cause of each missed gold span and of each wrong predicted one."""
    missed: dict[Key, str] = {}
    excused: set[Key] = set()
    for key in gold:
        if any(fit(tokens, key[1], key[2]) == "on-tokens" for tokens in views):
            if key not in predicted:
                missed[key] = "model"
            continue
        best = {answer for tokens in views for answer in answers(tokens, key)}
        excused |= best
        if key not in predicted:
            missed[key] = "tokens" if best & predicted else "tokens-and-model"
    wrong = {key: "tokens" if key in excused else "model" for key in predicted - gold}
    return missed, wrong
