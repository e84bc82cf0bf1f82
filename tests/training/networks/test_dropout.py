"""Dropout: as many units as asked for, nothing else changed, and nothing at all out of training."""

import torch

from footfall.training.networks.dropout import dropout


def test_a_share_is_left_out_and_the_mean_stays():
    torch.manual_seed(0)
    x = torch.ones(400, 300)
    y = dropout(x, 0.3, training=True)
    assert abs((y == 0).float().mean() - 0.3) < 0.01
    assert abs(y.mean() - 1.0) < 0.01
    assert len(y.unique()) == 2


def test_gradients_go_through_what_was_kept():
    torch.manual_seed(0)
    x = torch.randn(50, 7, requires_grad=True)
    y = dropout(x, 0.5, training=True)
    (gradient,) = torch.autograd.grad(y.sum(), [x])
    torch.testing.assert_close(gradient * x, y)


def test_nothing_is_left_out_where_none_is_to_be():
    x = torch.randn(5, 5)
    assert dropout(x, 0.3, training=False) is x
    assert dropout(x, 0.0, training=True) is x


def test_the_seed_says_what_is_left_out():
    x = torch.ones(20, 33)
    drawn = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(dropout(x, 0.3, training=True))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


def test_half_precision_stays_what_it_is():
    y = dropout(torch.ones(9, 9, dtype=torch.bfloat16), 0.5, training=True)
    assert y.dtype == torch.bfloat16
    assert set(y.unique().tolist()) == {0.0, 2.0}
