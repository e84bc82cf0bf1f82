"""Stretches of motion: what they differ by dies away, and feet that stand stay where they stand."""

import numpy as np
import pytest

from footfall.tests.support.walker import Walker
from footfall.training.interactions import clip_stitching
from footfall.training.interactions.clip_stitching import ContactClip, FootPoses, decay_offset, stitch
from footfall.training.interactions.step_synthesis import StandingPose, place_by_feet


def stretch(walker: Walker) -> ContactClip:
    return ContactClip(walker.clip(), walker.contacts > 0.5)


def begun(walker: Walker) -> int:
    """A frame at which the right foot has come down flat, and the left one's ball is still on the ground."""
    left, right = walker.contacts[:, :2] > 0.5, walker.contacts[:, 2:] > 0.5
    return int(np.flatnonzero(right.all(axis=1) & left[:, 1])[0])


WALK = stretch(Walker(speed=1.2, turn=0.2, seconds=3.0))
OTHER = Walker(speed=0.9, heading=1.0, seconds=3.0)


def test_an_offset_goes_on_with_its_speed_and_dies() -> None:
    offset, speed = np.array([0.3, -0.1]), np.array([0.002, 0.001])
    gone = decay_offset(offset, speed, 400, frames=300)
    np.testing.assert_allclose(gone[0], offset)
    np.testing.assert_allclose(gone[1] - gone[0], speed, rtol=0.01)
    np.testing.assert_allclose(gone[300:], 0.0, atol=1e-12)
    assert np.abs(np.diff(gone, n=2, axis=0)).max() < 1e-4, "it has no kinks"
    np.testing.assert_allclose(
        decay_offset(offset, speed, 10)[-1], 0.0, atol=1e-12, err_msg="a short one is gone at its end"
    )


@pytest.mark.parametrize(("yaw", "aside"), [(0.0, (0.0, 0.0)), (0.3, (0.05, 0.03)), (-0.3, (-0.04, 0.05))])
def test_a_walk_goes_over_into_another(yaw: float, aside: tuple[float, float]) -> None:
    one = WALK.cut(0, begun(Walker(speed=1.2, turn=0.2, seconds=3.0)) + 1)
    other = stretch(OTHER).cut(begun(OTHER), len(OTHER.times))
    stance = StandingPose.of(one.clip, -1)
    other = place_by_feet(other, 0, stance.feet_center + aside, stance.yaw + yaw)
    both, seam = stitch(one, other), len(one)
    assert len(both) == seam + len(other)

    speed = np.linalg.norm(np.diff(both.clip.positions, axis=0), axis=-1)
    jerked = np.linalg.norm(np.diff(both.clip.positions, n=2, axis=0), axis=-1)
    alone = [part.clip.positions for part in (one, other)]
    assert speed.max() < 1.1 * max(np.linalg.norm(np.diff(own, axis=0), axis=-1).max() for own in alone)
    assert jerked.max() < 1.1 * max(np.linalg.norm(np.diff(own, n=2, axis=0), axis=-1).max() for own in alone)
    np.testing.assert_allclose(both.clip.positions[-1], other.clip.positions[-1], atol=1e-9, err_msg="it arrives")

    feet, own = FootPoses.of(both.clip), FootPoses.of(other.clip)
    for side in range(2):
        lifted = int(np.argmin(other.contacts[:, 2 * side + 1]))
        balls = feet.balls[seam - 1 : seam + lifted, side]
        np.testing.assert_allclose(balls[:, :2], balls[:1, :2].repeat(len(balls), axis=0), atol=1e-6)
        assert np.linalg.norm(own.balls[0, side] - balls[0]) > 0.01, "it would stand elsewhere"
    assert np.abs(np.diff(feet.balls[seam - 1 : seam + clip_stitching.TUNING.foot_tilt_blend, 1, 2])).max() < 0.002, (
        "the sole lies down"
    )


def test_in_a_mirror_the_other_foot_stands_and_turns_go_the_other_way() -> None:
    seen, skeleton = WALK.mirrored(), WALK.clip.skeleton
    pairs = list(skeleton.mirror_pairs)
    np.testing.assert_allclose(seen.clip.positions, WALK.clip.positions[:, pairs] * [-1.0, 1.0, 1.0], atol=1e-9)
    np.testing.assert_array_equal(seen.contacts[:, :2], WALK.contacts[:, 2:])
    np.testing.assert_array_equal(seen.contacts[:, 2:], WALK.contacts[:, :2])
