"""One step of training: the loss and its regularisation, alone and shared."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch

from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.data.samples import WindowBatch, load_samples
from footfall.training.loop.batches import BatchLoader
from footfall.training.loop.learner import Learner, add_l1_gradient
from footfall.training.losses.stages import stages_of
from footfall.training.networks.pfnn import PhaseFunctionedNetwork

CPU = torch.device("cpu")


def learner(dataset: Dataset, config: TrainingConfig, number: int = 0, **others: Any) -> Learner:
    torch.manual_seed(0)
    stage = stages_of(config)[number]
    sizes = dataset.input_layout.size, config.hidden, dataset.output_layout.size
    network = PhaseFunctionedNetwork(*sizes, dropout=stage.dropout)
    return Learner(network, stage, config, dataset, CPU, **others)


@pytest.fixture
def windows(dataset: Dataset, tiny: TrainingConfig) -> WindowBatch:
    """The first batch of single frames."""
    stage = stages_of(tiny)[0]
    return BatchLoader(load_samples(dataset, "training", CPU, 1.0), stage, 0, 0)[0].windows


def test_the_penalty_is_that_of_the_mean_absolute_weight():
    layer = torch.nn.Linear(3, 2)
    penalty = torch.stack([one.abs().mean() for one in layer.parameters()]).mean()
    expected = torch.autograd.grad(0.5 * penalty, list(layer.parameters()))
    for one in layer.parameters():
        one.grad = torch.zeros_like(one)
    add_l1_gradient(layer, 0.5)
    for one, gradient in zip(layer.parameters(), expected, strict=True):
        torch.testing.assert_close(one.grad, gradient)


def test_steps_bring_the_loss_down(dataset: Dataset, tiny: TrainingConfig, windows: WindowBatch):
    one = learner(dataset, tiny)
    before = one.loss(windows)
    for step in range(30):
        one.step(windows, 1e-2, step)
    assert one.loss(windows) < 0.5 * before


def test_the_same_seed_draws_the_same_noise(dataset: Dataset, tiny: TrainingConfig, windows: WindowBatch):
    losses = [learner(dataset, tiny).step(windows, 1e-3, seed) for seed in (3, 3, 4)]
    assert losses[0] == losses[1] != losses[2]


def test_random_draws_elsewhere_change_nothing(dataset: Dataset, tiny: TrainingConfig, windows: WindowBatch):
    one, other = learner(dataset, tiny), learner(dataset, tiny)
    for step in range(3):
        one.step(windows, 1e-3, step)
        torch.rand(step + 1)
        other.loss(windows)
        other.step(windows, 1e-3, step)
    for mine, theirs in zip(one.network.parameters(), other.network.parameters(), strict=True):
        assert torch.equal(mine, theirs)


@pytest.mark.parametrize(
    "number",
    [0, pytest.param(1, marks=pytest.mark.all_only("a step of the other stage is always compiled"))],
    ids=["frames", "windows"],
)
def test_a_compiled_step_is_the_same_step(
    dataset: Dataset, tiny: TrainingConfig, monkeypatch: pytest.MonkeyPatch, number: int
):
    """Traced and taken apart as for a compiler, but run by torch itself: that takes seconds and not minutes."""
    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend="aot_eager"))
    config = replace(tiny, dropout=0.0, amp="off")
    stage = stages_of(config)[number]
    samples = load_samples(dataset, "training", CPU, 1.0)
    losses = []
    for compiled in ("off", "on"):
        one, batches = (
            learner(dataset, replace(config, compile=compiled), number=number),
            BatchLoader(samples, stage, 0, 0),
        )
        losses.append([float(one.step(batches[step].windows, 1e-3, step)) for step in range(3)])
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_steps_whose_dropout_changes_are_not_compiled(
    dataset: Dataset, tiny: TrainingConfig, monkeypatch: pytest.MonkeyPatch
):
    """Compiled code is for one rate: with another at each step, each step would be compiled anew."""
    compiled: list[object] = []

    def remember(function: object) -> object:
        compiled.append(function)
        return function

    monkeypatch.setattr(torch, "compile", remember)
    config = replace(tiny, compile="on", settle_share=0.1)
    learner(dataset, replace(config, settle_dropout=0.0), number=2)
    assert compiled == []
    learner(dataset, replace(config, settle_dropout=config.dropout), number=2)
    assert len(compiled) == 1


def test_without_a_compiler_the_training_goes_on(
    dataset: Dataset, tiny: TrainingConfig, windows: WindowBatch, monkeypatch: pytest.MonkeyPatch
):
    def broken(function: object) -> object:
        def fail(*arguments: object) -> None:
            raise RuntimeError("No working C++ compiler found.\nSee the manual.")

        return fail

    monkeypatch.setattr(torch, "compile", broken)
    said: list[str] = []
    plain = learner(dataset, tiny)
    one = learner(dataset, replace(tiny, compile="on"), log=said.append)
    assert one.step(windows, 1e-3, 0) == plain.step(windows, 1e-3, 0)
    assert len(said) == 1
    assert "(RuntimeError: No working C++ compiler found): the training continues without it." in said[0]
    one.step(windows, 1e-3, 1)
    assert len(said) == 1
