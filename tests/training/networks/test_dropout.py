"""Dropout: as many units as asked for, nothing else changed, and nothing at all out of training."""

import pytest
import torch

from footfall.tests.support.mixtures import task
from footfall.training.config.config import TrainingConfig
from footfall.training.networks.dropout import dropout, set_dropout
from footfall.training.networks.families import NETWORK_FACTORIES, architecture_of


def test_a_share_is_left_out_and_the_mean_stays():
    torch.manual_seed(0)
    x = torch.ones(400, 300)
    y = dropout(x, 0.3, training=True)
    assert abs((y == 0).float().mean() - 0.3) < 0.01
    assert abs(y.mean() - 1.0) < 0.01
    assert len(y.unique()) == 2


def test_gradients_pass_through_kept_units():
    torch.manual_seed(0)
    x = torch.randn(50, 7, requires_grad=True)
    y = dropout(x, 0.5, training=True)
    (gradient,) = torch.autograd.grad(y.sum(), [x])
    torch.testing.assert_close(gradient * x, y)


def test_the_seed_determines_the_dropped_units():
    x = torch.ones(20, 33)
    drawn = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(dropout(x, 0.3, training=True))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("family", NETWORK_FACTORIES)
def test_a_rate_that_is_set_later_is_as_one_from_the_beginning(family: str, layers: int):
    settings = TrainingConfig(family=family, hidden=8, recurrent=6, layers=layers, encoder=4)
    made = [NETWORK_FACTORIES[family](architecture_of(settings), task(), rate) for rate in (0.5, 0.1)]
    later, from_beginning = (network.train() for network in made)
    later.load_state_dict(from_beginning.state_dict())
    set_dropout(later, 0.1)
    x, phase = torch.randn(5, 4, task().inputs.size), torch.rand(5, 4)
    answers: list[torch.Tensor] = []
    for network in (later, from_beginning):
        torch.manual_seed(3)
        answers.append(network.forward_sequence(x, phase))
    torch.testing.assert_close(*answers, atol=0, rtol=0)
