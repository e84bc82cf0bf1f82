"""Hand-over of a body between its two controllers: pose, trajectory and actions go on."""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.runtime.handover import hand_to_interaction, hand_to_locomotion, require_same_body
from footfall.core.control.runtime.interaction_runtime import InteractionRuntime
from footfall.core.control.runtime.locomotion_runtime import LocomotionRuntime
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS, FUTURE_OFFSETS_FRAMES, TimeSeries, output_layout
from footfall.core.models.model_file import ControllerModel
from footfall.core.motion.root_frame import facing_direction
from footfall.core.terrain.ground import Plane
from footfall.tests.core.control.conftest import answering
from footfall.tests.core.control.runtime.test_interaction_runtime import Model, ScriptedNetwork

MODEL = answering()
JOINTS, COUNT = MODEL.joints, len(MODEL.joints)
PAST = np.arange(61)[::-1] / 60
"""Seconds from each remembered frame to now."""


def walking() -> LocomotionRuntime:
    """A character that walks straight ahead at 1.2 m/s, half a second before it stood, and looks a bit to the left."""
    crowd = LocomotionRuntime(MODEL, np.array([[2.0, 1.0]]), [0.3], [0.0], [Plane()])
    state = crowd.state
    state.past_positions[0] = state.position[0] - np.outer(1.2 * PAST + 0.02, [0.0, 1.0])
    state.past_yaws[0] = 0.3 - 0.1 * PAST
    ahead = 1.2 * np.arange(1, 6) / 6
    state.expected_positions[0] = state.position[0] + np.outer(ahead, [0.0, 1.0])
    state.expected_yaws[0] = 0.3 + 0.1 * np.arange(1, 6) / 6
    state.past_gaits[0] = np.where((PAST > 0.5)[:, None], np.eye(4)[0], [0.0, 0.75, 0.25, 0.0])
    state.phase[:] = 0.4
    return crowd


def acting(**changes: Any) -> InteractionRuntime:
    """A character of an interaction controller with the same joints that stands at the origin."""
    start = {key: np.asarray(part) for key, part in MODEL.start.items()}
    reference = MODEL.reference_rotations.astype(float)
    known: Any = Model(
        ScriptedNetwork(np.zeros((1, 1))),
        start,
        joints=JOINTS,
        output_layout=output_layout(JOINTS),
        reference_rotations=reference,
        **changes,
    )
    return InteractionRuntime(known, np.zeros((1, 2)), [0.0])


def output(height: float, turn: float = 0.0) -> np.ndarray:
    """An output (1, m) of the locomotion controller, whose joints are at a height and turned."""
    y = np.zeros((1, MODEL.output_layout.size), dtype=np.float32)
    MODEL.output_layout.view(y, "pose.position")[..., 2] = height
    MODEL.output_layout.view(y, "pose.velocity")[..., 1] = 2 * height
    MODEL.output_layout.view(y, "pose.rotation")[..., 2] = turn
    return y


def test_place_facing_phase_and_pose_go_over_as_copies() -> None:
    walks, acts = walking(), acting()
    hand_to_interaction(walks, [output(0.5), output(0.25)], acts)
    np.testing.assert_array_equal(acts.position, [[2.0, 1.0]])
    assert acts.yaw == 0.3 and acts.phase == 0.4
    np.testing.assert_array_equal(acts.state.pose, walks.state.pose)
    walks.state.position += 1.0
    walks.state.pose += 1.0
    np.testing.assert_array_equal(acts.position, [[2.0, 1.0]])
    assert np.abs(acts.state.pose - walks.state.pose).min() == 1.0


@pytest.mark.parametrize(
    ("ahead", "swing", "phase"),
    [(-0.3, 0.0, 0.0), (0.0, 1.0, 0.25), (0.3, 0.0, 0.5), (0.0, -1.0, 0.75), (0.049, 0.0, 0.4), (-0.051, 0.0, 0.0)],
)
def test_a_system_of_local_phases_has_the_phase_of_its_swinging_ankles(
    ahead: float, swing: float, phase: float
) -> None:
    """It begins a cycle with the right foot ahead; ankles within 5 cm stand, and keep the phase as it was."""
    walks, acts = walking(), acting()
    walks.state.channels = cast("Any", object())
    left, right = (JOINTS.index(MODEL.skeleton.names[MODEL.skeleton.joint(f"foot.{side}")]) for side in "LR")
    pose, velocity = walks.state.pose, walks.state.velocity
    pose[0, left, 1], pose[0, right, 1] = ahead / 2, -ahead / 2
    velocity[0, left, 1], velocity[0, right, 1] = swing / 2, -swing / 2
    hand_to_interaction(walks, [output(0.5), output(0.25)], acts)
    assert acts.phase[0] == pytest.approx(phase, abs=1e-9)


def returned() -> LocomotionRuntime:
    """A locomotion character that goes on from an interaction character at (1, 2) that walks ahead at 0.6 m/s."""
    acts, walks = acting(), LocomotionRuntime(MODEL, np.zeros((1, 2)), [0.0], [0.0], [Plane()])
    state = acts.state
    state.position, state.yaw, state.phase = np.array([[1.0, 2.0]]), np.array([-0.4]), np.array([0.7])
    actions = np.zeros((1, 61, len(ACTIONS)))
    actions[..., ACTIONS.index("idle")], actions[..., ACTIONS.index("run")] = 0.1, 0.3
    actions[..., ACTIONS.index("sit")] = 0.6
    places = np.array([1.0, 2.0]) - np.outer(0.6 * PAST, [0.0, 1.0])
    state.past_samples = TimeSeries(places[None], facing_direction(np.full((1, 61), -0.4)), actions)
    ahead = np.array([1.0, 2.0]) + np.outer(0.6 * np.array(FUTURE_OFFSETS_FRAMES) / 60, [0.0, 1.0])
    state.future_samples = TimeSeries(ahead[None], facing_direction(np.full((1, 6), -0.4)), actions[:, :6])
    hand_to_locomotion(acts, walks)
    return walks


def test_a_walk_goes_on_from_where_the_task_has_brought_the_body() -> None:
    state = returned().state
    np.testing.assert_array_equal(state.position, [[1.0, 2.0]])
    assert state.yaw == -0.4 and state.phase == 0.7
    np.testing.assert_allclose(state.past_positions[0, [0, -1]], [[1.0, 1.4], [1.0, 2.0]])
    np.testing.assert_allclose(state.past_yaws, -0.4)
    np.testing.assert_allclose(state.expected_positions[0, :, 1], 2.0 + 0.6 * np.arange(1, 6) / 6)
    np.testing.assert_allclose(state.expected_yaws, -0.4)


def changed(**changes: Any) -> ControllerModel:
    return replace(MODEL, **changes)


def test_other_bones_joints_and_rates_are_other_bodies() -> None:
    offsets = MODEL.skeleton.offsets.copy()
    offsets[3, 2] += 1.1e-4
    names = tuple(f"other {name}" for name in MODEL.skeleton.names)
    for other in (
        changed(skeleton=replace(MODEL.skeleton, offsets=offsets)),
        changed(skeleton=replace(MODEL.skeleton, names=names)),
        changed(joints=JOINTS[:-1]),
        changed(rate=30.0),
    ):
        with pytest.raises(
            FootfallError, match="The controller and the interaction controller were trained for different bodies"
        ):
            require_same_body(MODEL, other)
