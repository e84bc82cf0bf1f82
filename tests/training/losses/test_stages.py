"""The loss over windows: what is fed back, and what is not."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from footfall.core.errors import FootfallError
from footfall.training.config.config import TrainingConfig
from footfall.training.data.dataset import Dataset
from footfall.training.data.samples import load_samples
from footfall.training.losses.stages import PoseFeedback, stages_of, window_loss
from footfall.training.networks.network import Memory, TrainedNetwork

CPU = torch.device("cpu")


def test_samples_are_the_data_sets_rows_normalised(dataset: Dataset):
    samples = load_samples(dataset, "training", CPU, memory_limit=1.0)
    clip = dataset.clips_in_split("training")[0]
    x, y, phase = dataset.samples(clip)
    normal = dataset.normalization
    np.testing.assert_allclose(samples.x[: clip.samples], (x - normal.x_mean) / normal.x_std, atol=1e-5)
    np.testing.assert_allclose(samples.y[: clip.samples], (y - normal.y_mean) / normal.y_std, atol=1e-5)
    np.testing.assert_array_equal(samples.phase[: clip.samples], phase)
    # The inputs' groups have unit deviation, joints a tenth of it.
    spread = samples.x.std(dim=0)
    assert abs(spread[dataset.input_layout.slices["trajectory.position"]].mean() - 1.0) < 0.01
    assert abs(spread[dataset.input_layout.slices["pose.position"]].mean() - 0.1) < 0.01


def test_windows_never_run_over_the_end_of_a_sequence(dataset: Dataset):
    samples = load_samples(dataset, "training", CPU, 1.0)
    starts = samples.window_starts(8)
    for first, after in samples.sequences.tolist():
        own = starts[(starts >= first) & (starts < after)]
        assert own.min() == first
        assert own.max() == after - 8
    assert len(samples.window_starts(1)) == len(samples)
    assert len(samples.window_starts(10_000)) == 0


def test_an_epoch_of_single_frames_sees_no_frame_twice():
    stage = stages_of(TrainingConfig(batch=4))[0]
    drawn = stage.draw_starts(torch.arange(100), 96, torch.Generator().manual_seed(1))
    assert len(set(drawn.tolist())) == 96
    again = stage.draw_starts(torch.arange(100), 96, torch.Generator().manual_seed(1))
    assert drawn.tolist() == again.tolist()


def test_settling_is_single_frames_with_a_rate_and_a_dropout_of_its_own():
    config = TrainingConfig(
        batch=512,
        rate_batch=128,
        unroll_steps=8,
        settle_share=0.1,
        settle_epochs=3,
        settle_learning_rate=1e-4,
        settle_dropout=0.1,
    )
    frames, windows, settling = stages_of(config)
    assert (settling.window_frames, settling.teacher_forcing, settling.batch) == (1, 1.0, 512)
    assert (settling.epochs, settling.learning_rate) == (3, pytest.approx(2e-4))
    assert [settling.dropout_at(done) for done in (0.0, 0.5, 1.0)] == pytest.approx([0.3, 0.2, 0.1])
    assert not settling.has_constant_dropout
    assert [stage.dropout_at(0.7) for stage in (frames, windows)] == [0.3, 0.0]
    assert [stage.selects_anew for stage in (frames, windows, settling)] == [False, False, True]


def test_the_preset_of_the_controller_that_ships_settles_for_two_minutes_of_63_with_dropout_to_the_end():
    *_, settling = stages_of(replace(TrainingConfig.from_preset("standard"), time_limit=63.0))
    assert (settling.name, settling.time_limit_s) == ("settling", pytest.approx(113.4))
    assert [settling.dropout_at(done) for done in (0.0, 0.5, 1.0)] == pytest.approx([0.3, 0.225, 0.15])


def test_a_slow_first_step_does_not_change_the_result():
    frames = replace(stages_of(TrainingConfig.from_preset("standard"))[0], epochs=40, time_limit_s=100.0)
    assert [frames.progress_at(1.0, seconds) for seconds in (0.0, 1.0, 4.9)] == [0.025] * 3
    assert [frames.progress_at(1.0, seconds) for seconds in (6.0, 50.0, 120.0)] == [0.06, 0.5, 1.0]
    assert frames.progress_at(30.0, 50.0) == 0.75
    assert replace(frames, time_limit_s=0.0).progress_at(1.0, 1e6) == 0.025


def test_the_datas_own_answer_fed_back_is_the_datas_next_input(dataset: Dataset):
    samples, feedback = load_samples(dataset, "training", CPU, 1.0), PoseFeedback(dataset, CPU)
    drawn = samples.windows(torch.tensor([0, 7]), 2)
    torch.testing.assert_close(feedback.insert_pose(drawn.x[:, 1], drawn.y[:, 0]), drawn.x[:, 1], atol=1e-5, rtol=0)


def test_a_perfect_network_has_no_loss_and_sees_its_own_poses(dataset: Dataset):
    samples, feedback = load_samples(dataset, "training", CPU, 1.0), PoseFeedback(dataset, CPU)
    drawn = samples.windows(torch.tensor([0, 50]), 5)
    seen: list[torch.Tensor] = []

    class Perfect(TrainedNetwork):
        off = 0.0

        def step(self, x: torch.Tensor, phase: torch.Tensor, memory: Memory) -> tuple[torch.Tensor, Memory]:
            seen.append(x)
            return drawn.y[:, len(seen) - 1] + self.off, memory

    perfect = Perfect()
    assert window_loss(perfect, feedback, samples.ground_placement, drawn) == 0.0
    torch.testing.assert_close(torch.stack(seen, dim=1), drawn.x, atol=1e-5, rtol=0)
    seen.clear()
    perfect.off = 1.0
    assert window_loss(perfect, feedback, samples.ground_placement, drawn) == 1.0


def test_the_way_ahead_goes_astray_the_further_the_more_and_the_way_behind_never(dataset: Dataset):
    samples, feedback = load_samples(dataset, "training", CPU, 1.0), PoseFeedback(dataset, CPU)
    x = samples.windows(torch.arange(500), 1).x
    torch.manual_seed(0)
    deviation = torch.from_numpy(dataset.normalization.x_std)
    off = ((feedback.add_trajectory_noise(x, 0.02) - x) * deviation)[:, 0]
    way = off[:, dataset.input_layout.slices["trajectory.position"]].view(500, -1, 2).std(dim=(0, 2))
    assert way[:7].max() == 0.0
    assert (way[7:].diff() > 0).all()
    assert abs(way[-1] - 0.02 * 2**0.5) < 0.002  # a line and a bend of 2 cm each
    assert off[:, dataset.input_layout.slices["pose.position"]].abs().max() == 0.0


def test_samples_that_are_not_numbers_are_refused(dataset: Dataset, tmp_path: Path):
    shutil.copytree(dataset.path, tmp_path / "set")
    part = tmp_path / "set" / "shards" / dataset.clips_in_split("training")[0].shard / "x.npy"
    x = np.load(part)
    x[3, 3] = np.nan
    np.save(part, x)
    with pytest.raises(FootfallError, match="not finite"):
        load_samples(replace(dataset, path=tmp_path / "set"), "training", CPU, 1.0)
