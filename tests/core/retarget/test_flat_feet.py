"""Feet of actors whose zero pose is nobody standing."""

import numpy as np
import pytest

from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import IDENTITY, from_axis_angle, inverse, multiply, rotate
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.flat_feet import FlatFoot, flat_feet, mean_feet
from footfall.core.retarget.rest import rezeroed, stands
from footfall.core.retarget.retarget import retarget
from footfall.tests.core.walker import Walker, person


def lying(clip: Clip) -> Clip:
    """The same motion on a skeleton whose limbs all lie along one axis in its zero pose, as ACCAD's do."""
    skeleton, pose = clip.skeleton, np.tile(IDENTITY, (len(clip.skeleton), 1))
    for role, joint in skeleton.roles.items():
        if role[-2:] in (".L", ".R"):
            pose[joint] = from_axis_angle(np.array([1.0, 0.0, 0.0]), 1.2 if role.startswith("foot") else 0.7)
    other = rezeroed(skeleton, pose)
    names = tuple(f"b{joint}" for joint in range(len(skeleton)))
    other = Skeleton(names, other.parents, other.offsets, other.tips, other.roles)
    world = multiply(clip.world[1], inverse(pose))
    parents = np.maximum(skeleton.parents, 0)
    local = multiply(inverse(world[:, parents]), world)
    local[:, 0] = world[:, 0]
    return Clip(other, clip.rate, clip.root_positions, local)


def test_a_foot_is_flat_where_it_stands_still():
    clip = Walker(seconds=4.0, turn=0.3).clip()
    feet = flat_feet(clip)
    down = np.arctan2(0.045, 0.13)  # from ankle to ball, as the skeleton has it
    assert {side: foot.slope for side, foot in feet.items()} == pytest.approx({"L": down, "R": down}, abs=0.03)
    ahead = rotate(feet["L"].turn, clip.skeleton.offsets[clip.skeleton.roles["toe.L"]])
    assert ahead[1] > 0 and abs(ahead[0]) < 1e-6, "its toes are along +Y"


def test_what_clips_say_together_is_what_the_flattest_say():
    flat, tipped = FlatFoot(IDENTITY, 0.1), FlatFoot(from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.8), 0.9)
    assert mean_feet([{"L": tipped}, {"L": flat}, {}, {"L": tipped}])["L"].slope == 0.1
    assert mean_feet([]) == {}


def test_feet_that_stand_flat_stand_flat_on_another_skeleton():
    clip = lying(Walker(seconds=4.0).clip())
    target = person()
    assert not stands(clip.skeleton) and stands(target)
    feet = flat_feet(clip)
    turned = {
        name: retarget(clip, calibrate(clip.skeleton, target, feet=known)).world[1]
        for name, known in (("known", feet), ("unknown", None))
    }
    right = Walker(seconds=4.0).clip().world[1]
    foot = target.roles["foot.L"]
    assert np.abs(rotate(turned["known"][:, foot], np.eye(3)[1]) - rotate(right[:, foot], np.eye(3)[1])).max() < 0.05
