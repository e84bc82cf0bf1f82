"""The rules beside the network, on and off."""

import numpy as np

from footfall.core.control.runtime.assistance import Assistance
from footfall.core.control.runtime.interaction_runtime import GoalCommand
from footfall.core.features.interaction_outputs import clip_outputs
from footfall.core.motion import Clip
from footfall.core.scene.collider_pose import PosedCollider
from footfall.tests.core.control.runtime.test_interaction_runtime import FIRST, OUT, SIT, STOOL, actor, clip
from footfall.tests.core.features.test_interaction import JOINTS, REFERENCE, going

__all__ = ["clip"]


def test_the_network_alone_moves_as_it_answers_whatever_is_in_its_way(clip: Clip) -> None:
    """No collider on the way changes what is done with its answer."""
    command = GoalCommand("sit", np.array([0.0, 8.0, 0.0]), np.array([0.0, 1.0]))
    roots = []
    for solid in (False, True):
        one = actor(clip, assistance=Assistance.none())
        for _ in range(30):
            things = [PosedCollider(STOOL, np.append(one.position[0], 0.0), np.array([1.0, 0.0, 0.0, 0.0]))]
            one.step([command], [], solid_colliders=things if solid else ())
        roots.append(np.concatenate([one.position[0], one.yaw, one.phase]))
    np.testing.assert_allclose(roots[0], roots[1])


def test_a_jump_of_the_pose_is_followed_at_once_where_nothing_paces_the_body(clip: Clip) -> None:
    rows = clip_outputs(clip, going(clip), JOINTS, REFERENCE, np.arange(FIRST, len(clip) - 1))
    OUT.view(rows, "pose.position")[5:, :, 2] += 0.5
    paced, free = (actor(clip, rows, assistance=Assistance(paces_body=on)) for on in (True, False))
    frames = [[each.step([SIT], []) for _ in range(6)][-1].output for each in (paced, free)]
    np.testing.assert_array_equal(frames[1][0], rows[5])
    assert np.abs(frames[0][0] - rows[5]).max() > 0.1
