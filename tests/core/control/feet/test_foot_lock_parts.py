"""Parts of the foot lock, in frames and meters that can be counted."""

import numpy as np
import pytest

from footfall.core.control.feet.foot_lock import (
    body_rise,
    raise_heel,
)
from footfall.core.control.feet.foot_pose import FootPose, SoleContacts
from footfall.core.motion import Clip
from footfall.core.motion.limb_ik import Leg
from footfall.tests.support.walker import person


def standing(frames: int = 120) -> Clip:
    skeleton = person()
    still = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    return Clip(skeleton, 60.0, np.tile([0.0, 0.0, 1.0], (frames, 1)), still)


@pytest.mark.parametrize("feet, share", [("L", 1 / 1.01), ("LR", 2 * 2 / 4.01)])
def test_a_body_rises_as_its_feet_that_stand(feet: str, share: float) -> None:
    clip = standing()
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    held = np.zeros((len(clip), 4), dtype=bool)
    for side in feet:
        held[:, 0 if side == "L" else 3] = True
    ankles = [clip.positions[:, leg.foot] + [0.3, 0.2, 0.04] for leg in legs]
    np.testing.assert_allclose(body_rise(clip, legs, ankles, held), 0.04 * share)
    assert not body_rise(clip, legs, ankles, held & False).any()


def test_a_body_rises_over_the_time_of_a_step() -> None:
    clip = standing(301)
    legs = [Leg.of(clip.skeleton, side) for side in "LR"]
    held = np.ones((301, 4), dtype=bool)
    ankles = [clip.positions[:, leg.foot].copy() for leg in legs]
    for ankle in ankles:
        ankle[150:, 2] += 0.04
    rise = body_rise(clip, legs, ankles, held) / (0.04 * 4 / 4.01)
    assert rise[149] + rise[150] == pytest.approx(1.0)
    assert rise[150 - 24] == pytest.approx(0.163, abs=0.003), "a deviation of 24 frames before, and half of one more"


def raised(distance: float, heel: bool = False, ball: bool = True) -> tuple[Clip, FootPose, FootPose]:
    """A foot whose ankle is put some meters under the hip, before and after its heel is raised."""
    clip = standing(60)
    leg = Leg.of(clip.skeleton, "L")
    ankle = clip.positions[:, leg.thigh] - [0.0, 0.0, distance]
    still = np.tile([1.0, 0.0, 0.0, 0.0], (60, 1))
    contacts = SoleContacts(np.full(60, heel), np.full(60, ball))
    pose = FootPose(ankle, still, still)
    return clip, pose, raise_heel(clip, leg, pose, contacts)


@pytest.mark.parametrize("distance, heel, ball", [(0.83, False, True), (0.86, True, True), (0.86, False, False)])
def test_a_heel_stays_if_the_leg_reaches_or_it_is_held_or_nothing_is(distance: float, heel: bool, ball: bool) -> None:
    _, before, after = raised(distance, heel, ball)
    assert after is before


def test_a_heel_leaves_the_ground_with_sixty_radians_per_second_squared() -> None:
    clip = standing(60)
    leg = Leg.of(clip.skeleton, "L")
    ankle = clip.positions[:, leg.thigh] - [0.0, 0.0, 1.5]
    still = np.tile([1.0, 0.0, 0.0, 0.0], (60, 1))
    heel = np.arange(60) < 30
    after = raise_heel(clip, leg, FootPose(ankle, still, still), SoleContacts(heel, np.ones(60, dtype=bool)))
    turn = 2 * np.arccos(np.clip(np.abs(after.foot_rotation[:, 0]), -1, 1))
    assert not turn[:30].any()
    np.testing.assert_allclose(turn[30:33], 30 * (np.arange(1, 4) / 60) ** 2, atol=1e-6)
    assert turn[50] == pytest.approx(0.35, abs=1e-3)
