"""Which joints are kept with those that were posed, and the windows in which a motion comes to a pose."""

import numpy as np
import pytest

from footfall.core.control.edit.key_pose import (
    KeyPose,
    kept_joints,
    key_weights,
)
from footfall.core.motion.blending import smooth_falloff
from footfall.tests.support.walker import Walker

WALK = Walker(seconds=3.0).clip()
BODY = WALK.skeleton


def key(frame: int, blend_in: float = 0.5, blend_out: float = 0.5) -> KeyPose:
    return KeyPose(frame, WALK.cut(frame, frame + 1), np.ones(len(BODY), dtype=bool), blend_in, blend_out)


def test_a_posed_forearm_keeps_what_it_hangs_on_and_what_hangs_on_it() -> None:
    kept = {BODY.names[joint] for joint in np.flatnonzero(kept_joints(BODY, [BODY.joint("forearm.L")]))}
    roles = {name for name, joint in BODY.roles.items() if BODY.names[joint] in kept}
    assert {"hips", "spine", "upper_arm.L", "forearm.L", "hand.L"} <= roles
    assert not roles & {"upper_arm.R", "head", "thigh.L", "foot.R"}


def test_a_window_ends_at_the_next_pose_on_each_side() -> None:
    weights = key_weights([key(40, 0.5, 0.5), key(60, 0.5, 0.5)], len(WALK), WALK.rate)
    np.testing.assert_array_equal(np.flatnonzero(weights[:, 0])[[0, -1]], [11, 59])
    np.testing.assert_array_equal(np.flatnonzero(weights[:, 1])[[0, -1]], [41, 89])
    assert weights[45, 0] == pytest.approx(float(smooth_falloff(np.array(0.25))))
    assert weights[45, 1] == pytest.approx(float(smooth_falloff(np.array(0.75))))
