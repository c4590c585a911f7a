"""Dropout: what it keeps, how often, and where it is the same."""

from __future__ import annotations

import pytest
import torch

from scrubjay.learning.neural.dropout import RowDropout, draw_kept


@pytest.mark.parametrize("rate", [0.1, 0.25, 0.5, 0.9])
def test_values_are_kept_at_the_rate(rate: float) -> None:
    torch.manual_seed(0)
    kept = draw_kept(torch.Size((200, 503)), rate, device=torch.device("cpu"))
    assert kept.dtype == torch.bool
    assert float(kept.float().mean()) == pytest.approx(1 - rate, abs=0.008)
    # Neither rows nor columns are favoured, though four values come of one random number.
    assert float((kept.float().mean(dim=0) - (1 - rate)).abs().max()) < 0.16
    assert float((kept.float().mean(dim=1) - (1 - rate)).abs().max()) < 0.1


@pytest.mark.parametrize("kind", ["plain", "locked"])
def test_the_expectation_stays(kind: str) -> None:
    torch.manual_seed(1)
    dropout = RowDropout(0.3, kind=kind).train()
    vectors = torch.ones(50, 40, 60)
    dropped = dropout(vectors)
    assert dropped.unique().tolist() == pytest.approx([0.0, 1 / 0.7])
    assert float(dropped.mean()) == pytest.approx(1.0, abs=0.05)


def test_locked_drops_the_same_dimensions_at_every_token() -> None:
    torch.manual_seed(2)
    dropped = RowDropout(0.5, kind="locked").train()(torch.ones(7, 3, 20))
    assert torch.equal(dropped, dropped[:1].expand(7, 3, 20))
    assert not torch.equal(dropped[0, 0], dropped[0, 1])


def test_plain_draws_for_every_value() -> None:
    torch.manual_seed(3)
    dropped = RowDropout(0.5, kind="plain").train()(torch.ones(7, 3, 20))
    assert not torch.equal(dropped[0], dropped[1])


@pytest.mark.parametrize("kind", ["plain", "locked"])
def test_nothing_is_dropped_outside_training(kind: str) -> None:
    vectors = torch.randn(2, 3, 4)
    assert RowDropout(0.5, kind=kind).eval()(vectors) is vectors
    assert RowDropout(0.0, kind=kind).train()(vectors) is vectors


def test_the_seed_decides() -> None:
    dropout = RowDropout(0.5, kind="plain").train()
    vectors = torch.randn(4, 3, 5)
    torch.manual_seed(4)
    first = dropout(vectors)
    torch.manual_seed(4)
    assert torch.equal(dropout(vectors), first)
