"""A leg with a bent knee."""

import numpy as np
from hypothesis import strategies as st

from footfall.core.motion.clip import Clip
from footfall.core.motion.limb_ik import (
    Leg,
    solve_arm_ik,
    with_world_rotations,
)
from footfall.core.motion.rotations import (
    Array,
    from_axis_angle,
)
from footfall.tests.support.walker import person

LEFT = Leg.of(person(), "L")
THIGH, SHIN = 0.42, 0.42
ARM = [person().joint(f"{part}.L") for part in ("upper_arm", "forearm", "hand")]
UPPER_ARM, FOREARM = 0.29, 0.2


def bent(knee: float, hip: float = 0.0, turn: Array | None = None) -> Clip:
    """One frame of the person: the thigh swung forwards by ``hip``, the knee bent by ``knee``, the whole turned."""
    skeleton = person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(skeleton), 1))
    # The person looks along -Y: a negative turn about +X brings the thigh forwards, a positive one folds the knee.
    rotations[0, LEFT.thigh] = from_axis_angle([1.0, 0.0, 0.0], -hip)
    rotations[0, LEFT.shin] = from_axis_angle([1.0, 0.0, 0.0], knee)
    if turn is not None:
        rotations[0, 0] = turn
    return Clip(skeleton, 60.0, np.array([[0.3, -0.2, 1.0]]), rotations)


angles = st.floats(0.02, 2.4)
vectors = st.tuples(*[st.floats(-1.0, 1.0)] * 3).map(np.array)


def grasped(clip: Clip, target: Array, side: str = "L") -> Clip:
    """The clip with a wrist brought to the target, by way of world rotations and back."""
    positions, world = (array.copy() for array in clip.world)
    solve_arm_ik(clip.skeleton, positions, world, side, target)
    result = with_world_rotations(clip, clip.root_positions, world)
    np.testing.assert_allclose(result.positions, positions, atol=1e-9)
    return result
