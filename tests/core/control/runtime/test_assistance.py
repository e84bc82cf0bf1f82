"""The rules beside the network, on and off."""

from dataclasses import fields

import numpy as np

from footfall.core.control.runtime.assistance import FULL_ASSISTANCE, Assistance
from footfall.core.control.runtime.interaction_runtime import GoalCommand
from footfall.core.motion import Clip
from footfall.core.scene.collider_pose import PosedCollider
from footfall.tests.core.control.runtime.test_interaction_runtime import STOOL, actor, clip

__all__ = ["clip"]


def test_all_rules_help_by_default_and_none_alone() -> None:
    assert all(getattr(FULL_ASSISTANCE, field.name) for field in fields(Assistance))
    assert not any(getattr(Assistance.none(), field.name) for field in fields(Assistance))


def test_the_network_alone_moves_as_it_answers_whatever_is_commanded(clip: Clip) -> None:
    """Neither a root target nor a collider on the way nor a waiting phase changes what is done with its answer."""
    plain = GoalCommand("sit", np.array([0.0, 8.0, 0.0]), np.array([0.0, 1.0]))
    ruled = GoalCommand(
        "sit",
        plain.position,
        plain.direction,
        root_target=(np.array([9.0, 9.0]), np.array([1.0, 0.0]), 1.0),
        anticipation=1.0,
        holds_phase=True,
    )
    roots = []
    for command, solid in ((plain, False), (ruled, True)):
        one = actor(clip, assistance=Assistance.none())
        for _ in range(30):
            things = [PosedCollider(STOOL, np.append(one.position[0], 0.0), np.array([1.0, 0.0, 0.0, 0.0]))]
            one.step([command], [], solid_colliders=things if solid else ())
        roots.append(np.concatenate([one.position[0], one.yaw, one.phase]))
    # The announced action is part of the steered trajectory, which is off, too.
    np.testing.assert_allclose(roots[0], roots[1])


def test_actions_that_were_not_commanded_begin_only_without_clamps(clip: Clip) -> None:
    one, free = actor(clip), actor(clip, assistance=Assistance(clamps_actions=False))
    idle = GoalCommand("idle", np.zeros(3), np.array([0.0, 1.0]))
    sat = [max(each.step([idle], []).actions[0, 3] for _ in range(240)) for each in (one, free)]
    assert sat[0] <= sat[1]
