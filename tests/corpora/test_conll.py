"""CoNLL columns: rows as documented, any scheme read, tokens cut at the borders of spans."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, InputError, SpanError

CANARY = "Wilhelmina"
HEAD = '# newdoc id = "a"\n# text = "Dr. Lee\\n3/4"\n'


def write(folder: Path, content: str) -> Path:
    (folder / "a.conll").write_bytes(content.encode())
    return folder / "a.conll"


def written(document: Document, folder: Path, **options: str) -> str:
    write_corpus([document], folder / "out", format="conll", **options)
    return (folder / "out" / "documents.conll").read_bytes().decode()


def test_the_layout(tmp_path: Path) -> None:
    document = Document("a", "Dr. Lee\n3/4", (Span(0, 7, "DOCTOR"), Span(8, 11, "DATE")))
    assert written(document, tmp_path, scheme="BIOEU") == HEAD + (
        "Dr\t0\t2\tB-DOCTOR\n.\t2\t3\tI-DOCTOR\nLee\t4\t7\tE-DOCTOR\n"
        "\n"
        "3\t8\t9\tB-DATE\n/\t9\t10\tI-DATE\n4\t10\t11\tE-DATE\n"
        "\n"
    )


def test_tokens_are_cut_and_widened_at_the_borders_of_spans(tmp_path: Path) -> None:
    spans = (Span(1, 3, "A"), Span(3, 4, "A"), Span(6, 10, "B"), Span(12, 13, "C"))
    document = Document("a", "abcdef \tgh  \n", spans)
    rows = written(document, tmp_path).split("\n")[2:-2]
    assert rows == [
        "a\t0\t1\tO",
        "bc\t1\t3\tB-A",
        "d\t3\t4\tB-A",
        "ef\t4\t6\tO",
        " \\tgh\t6\t10\tB-B",
        "\\n\t12\t13\tB-C",
    ]
    (back,) = read_corpus(tmp_path / "out")
    assert back == document


def test_sentences_are_those_of_the_tokenizer(tmp_path: Path) -> None:
    document = Document("a", "One two.\n\nPLAN:\nThree.")
    rows = written(document, tmp_path, tokenizer="whitespace").split("\n")
    assert rows[2:4] == ["One\t0\t3\tO", "two.\t4\t8\tO"]
    assert rows[4] == ""


@pytest.mark.parametrize(
    "tags",
    [
        ("B-X", "I-X", "O"),
        ("I-X", "I-X", "O"),
        ("B-X", "L-X", "O"),
        ("B-X", "E-X", "O"),
    ],
)
def test_schemes_and_repair(tags: tuple[str, ...], tmp_path: Path) -> None:
    words = (("Dr.", 0, 3), ("Lee", 4, 7), ("3/4", 8, 11))
    rows = [f"{w}\t{s}\t{e}\t{tag}\n" for (w, s, e), tag in zip(words, tags, strict=True)]
    (document,) = read_corpus(write(tmp_path, HEAD + "".join(rows)))
    assert document.spans == (Span(0, 7, "X"),)


@pytest.mark.parametrize("tags", [("U-X", "U-X"), ("S-X", "I-X"), ("B-X", "B-X"), ("E-X", "I-X")])
def test_neighbours_of_one_label_stay_apart(tags: tuple[str, str], tmp_path: Path) -> None:
    rows = f"Dr.\t0\t3\t{tags[0]}\r\nLee\t4\t7\t{tags[1]}\r\n"
    (document,) = read_corpus(write(tmp_path, HEAD + rows))
    assert document.spans == (Span(0, 3, "X"), Span(4, 7, "X"))


def test_metadata_come_back(tmp_path: Path) -> None:
    document = Document("a", "x", (), {"site": "north", "source.path": "b.txt"})
    assert '# metadata = {"site": "north"}' in written(document, tmp_path)
    (back,) = read_corpus(tmp_path / "out")
    assert back.metadata["site"] == "north"


BAD = {
    "no text": (f'# newdoc id = "a"\n{CANARY}\t0\t4\tO\n', "line 1: a document without its `# t"),
    "no text, no rows": ('# newdoc id = "a"\n', "line 1: a document without"),
    "no head": (f"{CANARY}\t0\t4\tO\n", "line 1: expected `# newdoc id"),
    "columns": (f"{HEAD}{CANARY} 0 3 O\n", "line 3: expected"),
    "offsets": (f"{HEAD}Dr.\t{CANARY}\t3\tO\n", "line 3: the offsets must be whole numbers"),
    "word": (f"{HEAD}{CANARY}\t0\t3\tO\n", r"line 3: the word is not the text at \[0, 3\)"),
    "outside": (f"{HEAD}\nDr.\t9\t99\tO\n", r"line 4: the span \[9, 99\)"),
    "tag": (f"{HEAD}Dr.\t0\t3\tQ-X\n", "line 3: a tag is `O` or"),
    "json": (f'# newdoc id = "a"\n# text = {CANARY}\n', "line 2, column 1: not valid JSON"),
    "type": ('# newdoc id = "a"\n# text = 3\n', "line 2: the text has the wrong JSON type"),
    "surrogate": ('# newdoc id = "a"\n# text = "a\\ud800"\n', "line 2: a lone surrogate U.D800"),
}


@pytest.mark.parametrize("case", BAD)
def test_broken_files(case: str, tmp_path: Path) -> None:
    content, message = BAD[case]
    with pytest.raises((FormatError, SpanError), match=message) as caught:
        list(read_corpus(write(tmp_path, content)))
    assert "a.conll" in str(caught.value)
    assert CANARY not in str(caught.value)


def test_unknown_schemes_and_tokenizers(tmp_path: Path) -> None:
    for options in ({"scheme": "BILOU"}, {"tokenizer": "nltk"}):
        with pytest.raises(InputError, match="Known"):
            write_corpus([Document("a", "x")], tmp_path / "out", format="conll", **options)
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "metadata",
    ['{"xml.tags": 5}', '{"record.parts": [{"name": "a", "kind": "", "start": 0, "end": 3}]}'],
)
def test_metadata_that_do_not_fit_are_refused(metadata: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"{HEAD}# metadata = {metadata}\nDr.\t0\t3\tO\n")
    with pytest.raises(FormatError, match=r"a\.conll, line 1: .* of the metadata"):
        list(read_corpus(path))


def test_what_readers_alone_may_tell_is_not_taken_from_a_file(tmp_path: Path) -> None:
    path = write(tmp_path, f'{HEAD}# metadata = {{"source.refused": "x", "site": 3}}\n')
    (document,) = read_corpus(path)
    assert document.metadata["site"] == 3
    assert "source.refused" not in document.metadata


def test_words_and_tags_alone_become_texts(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "-DOCSTART- -X- O O\n\nSeen VB O\nby IN O\nAnn NNP B-DOCTOR\nLee NNP I-DOCTOR\n\n\n"
        "# NN O\n3/4 CD I-DATE\n\nMay NNP I-DATE\n-DOCSTART- -X- O O\r\n\r\nBob\tU-PATIENT\r\n",
    )
    first, second = read_corpus(path, format="conll", text="joined")
    assert (first.id, first.text) == ("a-1", "Seen by Ann Lee\n# 3/4\nMay")
    assert first.spans == (Span(8, 15, "DOCTOR"), Span(18, 21, "DATE"), Span(22, 25, "DATE"))
    assert (second.id, second.text, second.spans) == ("a-2", "Bob", (Span(0, 3, "PATIENT"),))


def test_words_without_tags_are_told_by_line(tmp_path: Path) -> None:
    for content, message in [
        (f"{CANARY}\n", "line 1: expected a word and its tag"),
        (f"x O\n{CANARY} DATE\n", "line 2: a tag is `O` or a prefix"),
    ]:
        with pytest.raises(FormatError, match=message) as caught:
            list(read_corpus(write(tmp_path, content), format="conll", text="joined"))
        assert CANARY not in str(caught.value)
    assert list(read_corpus(write(tmp_path, "\n"), format="conll", text="joined")) == []
    with pytest.raises(FormatError, match="scrubjay convert --from conll --option text=joined"):
        list(read_corpus(write(tmp_path, "Bob O\n"), format="conll"))
