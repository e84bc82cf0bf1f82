"""Steps on the spot end where they shall, and feet that stand meanwhile stay."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.runtime.pose_decoder import standing_clip
from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.training.interactions import step_synthesis
from footfall.training.interactions.clip_stitching import ContactClip, FootPoses
from footfall.training.interactions.step_synthesis import StandingPose, place_by_feet, synthesize_steps

SHIPPED = Path(step_synthesis.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"
WAYS = {
    "turned left": (90.0, (0.0, 0.0)),
    "turned right": (-90.0, (0.0, 0.0)),
    "turned about": (180.0, (0.0, 0.0)),
    "beside": (0.0, (0.3, 0.0)),
    "ahead": (0.0, (0.0, 0.3)),
    "behind": (0.0, (0.0, -0.3)),
    "turned and beside": (120.0, (-0.2, 0.2)),
}


@pytest.fixture(scope="module")
def standing() -> Clip:
    clip = standing_clip(load_model(SHIPPED))
    assert clip is not None
    return clip


def elsewhere(standing: Clip, degrees: float, aside: tuple[float, float]) -> StandingPose:
    """The same stance turned and moved."""
    here = StandingPose.of(standing, 0)
    whole = ContactClip(standing, np.ones((len(standing), 4), dtype=bool))
    return StandingPose.of(place_by_feet(whole, 0, here.feet_center + aside, here.yaw + np.radians(degrees)).clip, 0)


def bones(clip: Clip) -> Array:
    parents = list(clip.skeleton.parents[1:])
    return np.linalg.norm(clip.positions[:, 1:] - clip.positions[:, parents], axis=-1)


@pytest.mark.parametrize("way", WAYS)
def test_somebody_steps_into_another_stance(standing: Clip, way: str) -> None:
    start, end = StandingPose.of(standing, 0), elsewhere(standing, *WAYS[way])
    made = synthesize_steps(start, end)
    assert made is not None and made.contacts.shape == (len(made), 4)
    arrived, feet = StandingPose.of(made.clip, -1), FootPoses.of(made.clip)
    np.testing.assert_allclose(arrived.feet.ankles, end.feet.ankles, atol=1e-3)
    np.testing.assert_allclose(arrived.feet.balls, end.feet.balls, atol=1e-3)
    assert abs(np.sin((arrived.yaw - end.yaw) / 2)) < 1e-3
    knees = [standing.skeleton.joint(f"shin.{side}") for side in "LR"]
    body = [joint for joint in range(len(standing.skeleton)) if joint not in knees]
    for frame, pose in ((0, standing), (-1, end.clip)):
        np.testing.assert_allclose(made.clip.positions[frame, body], pose.positions[0, body], atol=3e-3)
        # Legs are nearly straight: millimeters of the hips are centimeters of a knee.
        np.testing.assert_allclose(made.clip.positions[frame, knees], pose.positions[0, knees], atol=0.03)

    for side in range(2):
        stands = made.contacts[1:, 2 * side] & made.contacts[:-1, 2 * side]
        for track in (feet.ankles[:, side], feet.balls[:, side]):
            assert np.linalg.norm(np.diff(track, axis=0), axis=-1)[stands].max() < 1e-3
        assert not stands.all(), "both feet step"
    assert made.contacts.any(axis=1).all(), "nobody jumps"
    assert feet.balls[..., 2].min() > start.feet.balls[..., 2].min() - 1e-3, "nor sinks in"
    np.testing.assert_allclose(bones(made.clip), bones(standing)[:1].repeat(len(made), axis=0), atol=1e-9)
    assert np.linalg.norm(np.diff(made.clip.positions, axis=0), axis=-1).max() * made.clip.rate < 3.0
