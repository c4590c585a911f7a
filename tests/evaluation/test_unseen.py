import pytest

from scrubjay.document import Document, Span
from scrubjay.evaluation.pairs import Pair
from scrubjay.evaluation.unseen import PARTLY, SEEN, UNSEEN, count_unseen, name_words

TRAIN = Document("t", "Dr. García saw Ana Lee.", (Span(4, 10, "DOCTOR"), Span(15, 22, "PATIENT")))
TEXT = "GARCIA, Ana Moss, Tom van Dyk, J"
GOLD = Document(
    "g",
    TEXT,
    (
        Span(0, 6, "DOCTOR"),
        Span(8, 16, "PATIENT"),
        Span(18, 29, "PATIENT"),
        Span(31, 32, "PATIENT"),
    ),
)


def test_words_are_folded_and_only_those_of_names():
    assert name_words([TRAIN]) == {"garcia", "ana", "lee"}
    assert name_words([TRAIN], ["PATIENT"]) == {"ana", "lee"}


@pytest.mark.parametrize(
    ("predicted", "found", "exact"),
    [
        ((), [0, 0, 0], [0, 0, 0]),
        ((Span(0, 6, "CITY"), Span(8, 29, "PATIENT")), [1, 1, 1], [1, 0, 0]),
        ((Span(8, 11, "PATIENT"), Span(18, 29, "DOCTOR")), [0, 0, 1], [0, 0, 1]),
    ],
)
def test_mentions_are_grouped_by_the_words_of_training(predicted, found, exact):
    rows = count_unseen([Pair(GOLD, GOLD.with_spans(predicted))], name_words([TRAIN]))
    together = [row for row in rows if row.label == "all"]
    assert [row.group for row in together] == [SEEN, PARTLY, UNSEEN]
    assert [row.mentions for row in together] == [1, 1, 1]
    assert [row.found for row in together] == found
    assert [row.exact for row in together] == exact
    assert {row.label for row in rows} == {"DOCTOR", "PATIENT", "all"}
    assert together[0].record()["recall"] == found[0]
