"""A body that stands between the beats of a shot: where, on which way, for how long, on whose legs."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.control.path.path import Path as WalkPath
from footfall.core.control.shot.standing import Standing
from footfall.core.control.walk.path_walk import begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.core.retarget.calibration import calibrate

PRESETS = Path(__file__).parents[4] / "presets"
PLACE = np.array([3.0, -2.0, 1.5])
FRAMES = 60
SECONDS = 1.5


@cache
def walks() -> ControllerModel:
    return load_model(PRESETS / "controllers" / "locomotion.safetensors")


def standing(place: Array = PLACE, yaw: float = 0.0, frames: int = FRAMES, **options: Any) -> Standing:
    """Return a body that has stood for some frames."""
    made = Standing(walks(), place, yaw, SECONDS, **options)
    made.advance(frames)
    return made


def soles(clip: Clip) -> float:
    """Lowest joint of the last frame, meters."""
    return float(clip.positions[-1, :, 2].min())


@pytest.mark.parametrize("yaw", [0.0, 2.0])
def test_it_stays_at_its_place_and_faces_its_direction_for_its_time(yaw: float) -> None:
    frames = round(SECONDS * walks().rate)
    made = standing(yaw=yaw, frames=frames)
    position, facing = made.root
    assert made.frames_done == len(made.clip()) == frames
    assert np.linalg.norm(position - PLACE[:2]) < 0.01, "it takes no step"
    assert abs(np.angle(np.exp(1j * (facing - yaw)))) < 0.05


def test_its_motion_is_over_the_ground_at_zero_whatever_its_level() -> None:
    low, high = (standing(np.array([3.0, -2.0, level])).clip() for level in (0.0, 1.5))
    np.testing.assert_allclose(high.positions, low.positions, atol=1e-3)
    assert 0.0 <= soles(low) < 0.15


def test_a_seed_chooses_its_variation() -> None:
    first, again, other = (standing(seed=seed).clip().positions for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other, atol=1e-3)


def test_a_moving_body_goes_on_in_its_pose_and_comes_to_rest() -> None:
    walk = begin_walk(walks(), WalkRequest(WalkPath(np.array([[0.0, 0.0], [0.0, 4.0]]))))
    walk.advance(90)
    state, last = walk.body_state(), walk.finish().clip.positions[-1]
    place, frames = np.append(state.position, 0.0), round(SECONDS * walks().rate)
    moving, resting = (standing(place, state.yaw, frames, begin=begin).clip().positions for begin in (state, None))
    steps, still = (np.linalg.norm(np.diff(one, axis=0), axis=-1).max(axis=1) for one in (moving, resting))
    assert np.linalg.norm(moving[0] - last, axis=-1).max() < np.linalg.norm(resting[0] - last, axis=-1).max()
    assert steps[:15].max() > 3.0 * still.max()
    assert steps[-15:].max() < 0.3 * steps[:15].max()


def test_another_body_stands_on_its_own_legs() -> None:
    skeleton = walks().skeleton
    made = standing()
    own, clip = made.fitted(None), made.fitted(calibrate(skeleton, skeleton.scaled(1.25)))
    np.testing.assert_array_equal(own.positions, made.clip().positions)
    np.testing.assert_allclose(clip.root_positions[-1], 1.25 * own.root_positions[-1], atol=0.03)
    assert soles(clip) == pytest.approx(1.25 * soles(own), abs=0.02)
