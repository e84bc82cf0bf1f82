"""Timelines: what is made, and when something new may begin, is counted in frames."""

import numpy as np
import pytest

from footfall.core.control.duel.guard import guard_pose, hold_guard
from footfall.core.control.duel.timeline import Timeline
from footfall.core.control.strike.strike_takes import StrikeTake
from footfall.core.labelling.semantics.blows import LimbMotion
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array
from footfall.tests.support.poses import puncher

PUNCH = puncher(0.18)
(BLOW,) = LimbMotion.of(PUNCH, 0.0).blows
TAKE = StrikeTake.of(PUNCH, BLOW, len(PUNCH))
GUARD = guard_pose([TAKE])
PLACE, YAW = np.array([1.0, 2.0]), 0.5
APEX = TAKE.blow.apex


def line() -> Timeline:
    return Timeline("walks", GUARD, PLACE, YAW)  # type: ignore[arg-type]


def held(frames: int, place: Array = PLACE, yaw: float = YAW) -> Clip:
    return hold_guard(GUARD, place, yaw, frames)


def assert_same(first: Clip, second: Clip) -> None:
    assert len(first) == len(second)
    np.testing.assert_allclose(first.root_positions, second.root_positions, atol=1e-12)
    np.testing.assert_allclose(first.rotations, second.rotations, atol=1e-12)


@pytest.mark.parametrize(("frame", "hold"), [(APEX + 4, 4), (APEX + 11, 11), (APEX + 18, 18), (APEX + 50, 18)])
def test_the_step_to_an_attack_takes_18_frames_or_all_available(frame: int, hold: int) -> None:
    own, target, guard = line(), np.array([1.0, 2.6, 1.4]), np.array([1.0, 1.9])
    begin = own.attack(TAKE, target, YAW, frame, guard)
    assert begin == frame - APEX
    placed, before = TAKE.at(target, YAW), begin - hold
    np.testing.assert_allclose(own.made.positions[frame], placed.positions[APEX], atol=1e-9)
    assert len(own.made) == begin + len(placed) + 72
    assert_same(own.made.cut(0, before), held(before))
    gone = hold + TAKE.blow.start
    np.testing.assert_allclose(own.made.rotations[before + gone], placed.rotations[gone - hold], atol=1e-9)
    if before:  # it goes over to the take exactly until the blow begins
        np.testing.assert_allclose(own.made.rotations[before + gone - 1], placed.rotations[gone - hold - 1], atol=1e-9)
        assert not np.allclose(
            own.made.rotations[before + gone - 3], placed.rotations[max(gone - hold - 3, 0)], 0, 1e-9
        )
    assert own.busy == frame + 10 and own.yaw == YAW
    np.testing.assert_array_equal(own.place, guard)
    np.testing.assert_allclose(own.made.positions[-36:], held(72, guard).positions[-36:], atol=1e-9)
    moving = np.linalg.norm(own.made.positions[-37] - held(72, guard).positions[-37], axis=-1).max()
    assert moving < 1e-9, "the step back ends after 36 frames"
    moving = np.linalg.norm(own.made.positions[-40] - held(72, guard).positions[-40], axis=-1).max()
    assert moving > 1e-6, "and not before"
