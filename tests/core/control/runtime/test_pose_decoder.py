"""Poses of a network as clips of rigid bones."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.runtime.pose_decoder import (
    STANDING_CLIP_FRAMES,
    decode_poses,
    standing_clip,
    standing_rotations,
)
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, from_axis_angle, multiply, rotation_about_up
from footfall.tests.core.control.conftest import answering

FRAMES = 40
PLACE, YAW = np.array([3.0, -2.0, 0.5]), 0.7


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    """A controller whose standing pose is at rest, looking ahead."""
    made = answering()
    return replace(made, start={**made.start, "rotation": made.reference_rotations})


def decoded(
    model: ControllerModel,
    frames: int = FRAMES,
    turned: tuple[str, slice, float] | None = None,
    lifted: float = 0.0,
    place: Array = PLACE,
    yaw: float = YAW,
    without_spikes: bool = True,
) -> Clip:
    """The standing pose, at a place and a yaw; a joint may be turned, and left feet lifted, meters."""
    rotations = np.repeat(model.start["rotation"][None].astype(float), frames, axis=0)
    positions = np.repeat(model.start["position"][None].astype(float), frames, axis=0)
    positions[:, model.joints.index("lfoot"), 2] += lifted
    if turned is not None:
        name, span, angle = turned
        joint = model.joints.index(name)
        rotations[span, joint] = multiply(from_axis_angle([0.0, 0.0, 1.0], angle), rotations[span, joint])
    return decode_poses(
        model,
        rotations,
        positions,
        np.repeat(place[None], frames, axis=0),
        np.full(frames, yaw),
        without_spikes=without_spikes,
    )


def placed(model: ControllerModel, name: str) -> Array:
    """The place of a joint of the standing pose, put at the place and turned by the yaw."""
    x, y, z = model.start["position"][model.joints.index(name)]
    cosine, sine = np.cos(YAW), np.sin(YAW)
    return PLACE + np.array([cosine * x - sine * y, sine * x + cosine * y, z])


def test_a_pose_is_put_where_its_root_is_and_turned_as_it_faces(model: ControllerModel) -> None:
    clip = decoded(model)
    assert len(clip) == FRAMES and clip.rate == model.rate and clip.skeleton is model.skeleton
    for name in ("hips", "head", "lwrist", "rfoot"):
        np.testing.assert_allclose(clip.positions[0, clip.skeleton.names.index(name)], placed(model, name), atol=0.004)


def test_ankles_are_where_the_network_has_them(model: ControllerModel) -> None:
    clip = decoded(model, lifted=0.2)
    left, right = (clip.positions[0, clip.skeleton.joint(f"foot.{side}")] for side in "LR")
    np.testing.assert_allclose(left, placed(model, "lfoot") + np.array([0.0, 0.0, 0.2]), atol=1e-6)
    np.testing.assert_allclose(right, placed(model, "rfoot"), atol=0.004)


def head_angles(clip: Clip) -> Array:
    """Angles (F) by which the head is turned against the neck."""
    return 2 * np.arccos(np.clip(np.abs(clip.rotations[:, clip.skeleton.joint("head"), 0]), 0.0, 1.0))


@pytest.mark.parametrize(("without_spikes", "largest"), [(True, 0.0), (False, 1.5)])
def test_a_head_that_is_turned_for_two_frames_is_a_spike_that_may_be_kept(
    model: ControllerModel, without_spikes: bool, largest: float
) -> None:
    clip = decoded(model, turned=("head", slice(20, 22), 1.5), without_spikes=without_spikes)
    assert head_angles(clip).max() == pytest.approx(largest, abs=1e-3)


def test_hips_that_jolt_are_led_past_it(model: ControllerModel) -> None:
    positions = np.repeat(model.start["position"][None].astype(float), FRAMES, axis=0)
    positions[20:, :, 2] += 0.05
    rotations = np.repeat(model.start["rotation"][None].astype(float), FRAMES, axis=0)
    clip = decode_poses(model, rotations, positions, np.zeros((FRAMES, 3)), np.zeros(FRAMES))
    heights = clip.root_positions[:, 2]
    assert np.ptp(heights) == pytest.approx(0.05, abs=1e-3)
    assert np.abs(np.diff(heights)).max() < 0.01


def test_a_standing_clip_stands_at_the_origin_and_is_made_once(model: ControllerModel) -> None:
    clip = standing_clip(model)
    assert clip is not None and len(clip) == STANDING_CLIP_FRAMES
    np.testing.assert_allclose(clip.root_positions, np.tile(model.start["position"][0], (len(clip), 1)), atol=1e-6)
    assert standing_clip(model) is clip
    rotations = standing_rotations(model)
    assert rotations is not None
    np.testing.assert_array_equal(rotations, clip.world[1][0])
    half_turn = rotation_about_up(np.array(np.pi))
    np.testing.assert_allclose(np.abs(rotations @ half_turn), 1.0, atol=1e-3)
