"""What a controller replays is its own answers, along ways drawn by chance."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel
from footfall.tests.core.control.conftest import answering
from footfall.training.data.dataset import Dataset
from footfall.training.fine_tuning.pseudo_rehearsal import RehearsalSettings, generate_rehearsal, open_rehearsal
from footfall.training.fine_tuning.style_column import add_gait

REHEARSAL = RehearsalSettings(minutes=0.4, seed=3, style="limp", joint_weight=0.1)


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    """A controller that goes straight on, and trembles with what it is told."""
    return add_gait(answering(velocity=(0.0, 1.0), noise=0.01), "limp")


@pytest.fixture(scope="module")
def replayed(model: ControllerModel, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return generate_rehearsal(model, tmp_path_factory.mktemp("run") / "replay", REHEARSAL)


def test_every_pair_is_input_and_output_of_the_controller(replayed: Dataset, model: ControllerModel) -> None:
    network = model.network()
    for clip in replayed.clips:
        x, y, phase = replayed.samples(clip)
        answers, _ = network.step((x - model.x_mean) / model.x_std, phase, ())
        np.testing.assert_allclose(answers * model.y_std + model.y_mean, y, atol=1e-5)


def test_frames_follow_each_other_until_a_pose_is_disturbed(replayed: Dataset, model: ControllerModel) -> None:
    inputs, outputs = model.input_layout, model.output_layout
    kicks = 0
    for clip in replayed.clips:
        x, y, _ = replayed.samples(clip)
        given, told = inputs.view(x, "pose.position"), outputs.view(y, "pose.position")
        for one in clip.sequences:
            rows = slice(one.start, one.stop - 1)
            np.testing.assert_allclose(
                given[one.start + 1 : one.stop], told[rows], atol=1e-3
            )  # at rest, poses return to standing
            if one.start:
                assert np.abs(given[one.start] - told[one.start - 1]).max() > 1e-3
                kicks += 1
    assert kicks > 0


def test_characters_stand_walk_run_and_crouch_but_none_walks_in_the_new_style(replayed: Dataset) -> None:
    gaits = np.concatenate(
        [replayed.input_layout.view(replayed.samples(clip)[0], "trajectory.gait") for clip in replayed.clips]
    )
    shares = dict(zip(replayed.gaits, gaits.mean(axis=(0, 1)), strict=True))
    assert min(shares[name] for name in ("stand", "walk", "run")) > 0.02
    assert shares["limp"] == 0.0


def test_the_same_seed_gives_the_same(replayed: Dataset, model: ControllerModel, tmp_path: Path) -> None:
    again, other = (
        generate_rehearsal(model, tmp_path / name, replace(REHEARSAL, seed=seed))
        for name, seed in (("again", 3), ("other", 4))
    )
    for one, two in zip(replayed.clips, again.clips, strict=True):
        assert one == two
        for array, same in zip(replayed.samples(one), again.samples(two), strict=True):
            np.testing.assert_array_equal(array, same)
    assert [clip.samples for clip in other.clips] != [clip.samples for clip in replayed.clips]


def test_a_build_can_be_called_off(model: ControllerModel, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        assert 0 <= done < total
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate_rehearsal(model, tmp_path / "replay", REHEARSAL, stop)
    with pytest.raises(FootfallError, match="start a new run"):
        open_rehearsal(tmp_path / "replay")


def test_a_controller_that_breaks_down_is_said_to(model: ControllerModel, tmp_path: Path) -> None:
    broken = replace(model, tensors={**model.tensors, "b2": np.full_like(model.tensors["b2"], np.inf)})
    with pytest.raises(FootfallError, match="cannot walk by itself"):
        generate_rehearsal(broken, tmp_path / "replay", REHEARSAL)
