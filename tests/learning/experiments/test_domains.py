"""Domains by file, folder, id and metadata."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError
from scrubjay.learning.experiments.data import ExperimentData
from scrubjay.learning.experiments.domains import find_domains


def data_of(**metadata: object) -> ExperimentData:
    return ExperimentData((Document("ward/a-1", "x", (), metadata), Document("b-2", "y")), (0, 1))


def test_a_file_names_documents_by_id_or_by_its_last_part(tmp_path: Path) -> None:
    path = tmp_path / "domains.tsv"
    path.write_text("document\tsplit\tdomain\na-1\ttrain\tmental\nb-2\tdev\telderly\n")
    assert find_domains(str(path), data_of()) == {0: "mental", 1: "elderly"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("document\tward\na\tb\n", "must name the columns document and domain"),
        ("document\tdomain\na-1\n", "there is no domain"),
        ("document\tdomain\na-1\tx\na-1\ty\n", "'a-1' has two domains"),
        ("document\tdomain\na-1\tx\n", "document 'b-2' has no domain"),
        ("", "must name the columns"),
    ],
)
def test_files_that_do_not_tell_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "domains.tsv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        find_domains(str(path), data_of())


def test_ids_folders_and_metadata_tell_domains() -> None:
    documents = tuple(
        Document(f"{name}-1", "x", (), {"source.path": f"{name}/1.txt", "columns": {"site": name}})
        for name in ("one", "two")
    )
    data = ExperimentData(documents, (0, 1))
    for rule in ("folder", "id:(.+)-1", "site"):
        assert find_domains(rule, data) == {0: "one", 1: "two"}


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("folder", "'ward/a-1' is in no folder below the corpus"),
        ("id:([0-9]+)", "'ward/a-1' tells no domain"),
        ("site", "'ward/a-1' has no domain under 'site'"),
        ("missing.tsv", r"missing\.tsv: cannot be read"),
    ],
)
def test_documents_without_a_domain_are_named(rule: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_domains(rule, data_of())


def test_a_rule_that_is_no_expression_is_refused() -> None:
    with pytest.raises(ConfigError, match="no regular expression"):
        find_domains("id:(", data_of())
