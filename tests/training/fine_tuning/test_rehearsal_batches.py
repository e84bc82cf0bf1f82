"""Old and new samples in the shares that were asked for."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from footfall.core.features.terrain import COLUMN_COUNT
from footfall.training.data.dataset import Dataset
from footfall.training.data.samples import SplitSamples, load_samples
from footfall.training.fine_tuning.rehearsal_batches import WidenedDataset, mix_samples
from footfall.training.losses.stages import stages_of

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def samples(dataset: Dataset) -> tuple[SplitSamples, SplitSamples]:
    """Few new ones, many old ones."""
    return load_samples(dataset, "validation", CPU, 1.0), load_samples(dataset, "training", CPU, 1.0)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
@pytest.mark.parametrize("length", [1, 8])
def test_windows_are_old_and_new_in_their_shares(
    samples: tuple[SplitSamples, SplitSamples], share: float, length: int
) -> None:
    new, old = samples
    both = mix_samples(new, old, share)
    starts = both.window_starts(length)
    assert (starts >= len(new)).float().mean().item() == pytest.approx(share, abs=0.01)
    every = {*new.window_starts(length).tolist(), *(old.window_starts(length) + len(new)).tolist()}
    assert set(starts.tolist()) == every
    times = torch.unique(starts, return_counts=True)[1]
    assert times.min() >= 1


def test_a_drawn_epoch_has_both(samples: tuple[SplitSamples, SplitSamples], tiny) -> None:
    both = mix_samples(*samples, 0.5)
    stage = stages_of(tiny)[0]
    starts = both.window_starts(1)
    drawn = stage.draw_starts(starts, len(starts) // 2, torch.Generator().manual_seed(0))
    assert (drawn >= both.new_count).float().mean().item() == pytest.approx(0.5, abs=0.05)


def test_grounds_go_with_their_samples(samples: tuple[SplitSamples, SplitSamples]) -> None:
    new, old = samples
    level, rough = torch.zeros((0, 1, COLUMN_COUNT)), torch.rand((len(old), 1, COLUMN_COUNT)).expand(-1, 3, -1)
    flat = replace(new, grounds=level, ground_index=torch.full((len(new),), -1))
    uneven = replace(old, grounds=rough, ground_index=torch.arange(len(old)))
    starts = old.window_starts(4)[::50]
    for both, shift in ((mix_samples(flat, uneven, 0.5), len(new)), (mix_samples(uneven, flat, 0.5), 0)):
        torch.testing.assert_close(both.windows(starts + shift, 4).x[:, :, 24:], uneven.windows(starts, 4).x[:, :, 24:])


def test_old_clips_say_nothing_of_a_gait_that_is_new(dataset: Dataset, tmp_path: Path) -> None:
    wide = WidenedDataset.of(dataset, (*dataset.gaits, "limp"), tmp_path / "replay")
    clip = dataset.clips[0]
    (x, y, phase), (wide_x, wide_y, wide_phase) = dataset.samples(clip), wide.samples(clip)
    for group in dataset.input_layout:
        own, grown = (
            one.view(rows, group.name) for one, rows in ((dataset.input_layout, x), (wide.input_layout, wide_x))
        )
        np.testing.assert_array_equal(grown[..., : own.shape[-1]], own)
    assert not wide.input_layout.view(wide_x, "trajectory.gait")[..., -1].any()
    np.testing.assert_array_equal(wide_y, y)
    np.testing.assert_array_equal(wide_phase, phase)
    assert WidenedDataset.of(dataset, dataset.gaits, tmp_path) is dataset
