"""The interaction runtime under a network that answers as a clip does."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from footfall.core.control.runtime.bidirectional import led_velocities
from footfall.core.control.runtime.interaction_runtime import PAST_FRAMES, GoalCommand, InteractionRuntime
from footfall.core.control.runtime.interaction_runtime import TUNING as INTERACTION_RUNTIME_TUNING
from footfall.core.features.interaction import (
    ACTIONS,
    GOAL_ACTIONS,
    PREDICTION_HORIZON_FRAMES,
    NsmState,
    input_layout,
    output_layout,
    pose_rotation_vectors,
    time_series_at,
)
from footfall.core.features.interaction_outputs import clip_outputs
from footfall.core.features.locomotion import pose_features
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import facing_direction, root_track, rotations_in_root_frame
from footfall.core.scene.collider import Collider
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.interaction_sensor import InteractionVolume
from footfall.tests.core.features.test_interaction import FRONT, GOAL, JOINTS, REFERENCE, going
from footfall.tests.support.walker import Walker, person

IN, OUT = input_layout(JOINTS), output_layout(JOINTS)
FIRST = 2
STOOL = Collider(np.array([[-0.2, -0.2, 0.0]]), np.array([[0.2, 0.2, 0.45]]))


@dataclass
class ScriptedNetwork:
    """A network that answers with given rows, one per frame, and keeps its inputs."""

    rows: np.ndarray
    inputs: list[np.ndarray] = field(default_factory=list)

    def begin(self, count: int) -> tuple[()]:
        return ()

    def step(self, x: np.ndarray, phase: ArrayLike, memory: tuple[()]) -> tuple[np.ndarray, tuple[()]]:
        self.inputs.append(x.copy())
        return np.repeat(self.rows[len(self.inputs) - 1][None], len(x), axis=0), memory


@dataclass
class Model:
    """The part of a controller that the runtime needs."""

    scripted: ScriptedNetwork
    start: dict[str, np.ndarray]
    rate: float = 60.0
    input_layout: Any = IN
    output_layout: Any = OUT
    x_mean: float = 0.0
    x_std: float = 1.0
    y_mean: float = 0.0
    y_std: float = 1.0
    joints: tuple[str, ...] = JOINTS
    reference_rotations: np.ndarray = field(default_factory=lambda: REFERENCE)
    skeleton: Any = field(default_factory=person)
    actions: tuple[str, ...] = ACTIONS
    goal_actions: tuple[str, ...] = GOAL_ACTIONS

    def network(self) -> ScriptedNetwork:
        return self.scripted


@pytest.fixture(scope="module")
def clip() -> Clip:
    return Walker(turn=0.4, seconds=6.0, heading=0.3).clip()


def actor(clip: Clip, rows: np.ndarray | None = None, **more: Any) -> InteractionRuntime:
    """Return a character at the start of the clip whose network knows the clip's outputs."""
    track = root_track(clip)
    frames = np.arange(FIRST, len(clip) - 1)
    rows = clip_outputs(clip, going(clip), JOINTS, REFERENCE, frames) if rows is None else rows
    pose, velocity = pose_features(clip, JOINTS, track)
    start = {
        "position": pose[FIRST - 1],
        "velocity": velocity[FIRST - 1],
        "rotation": rotations_in_root_frame(clip, JOINTS, track)[FIRST - 1],
        "phase": np.float32(FIRST / 60),
    }
    model: Any = Model(ScriptedNetwork(rows), start)
    return InteractionRuntime(model, track.positions[FIRST][None], [track.yaws[FIRST]], **more)


SIT = GoalCommand("sit", GOAL, FRONT)


def test_a_network_that_answers_as_a_clip_moves_the_root_along_the_clip(clip: Clip) -> None:
    one, track = actor(clip), root_track(clip)
    for _ in range(120):
        acted = one.step([SIT], [])
    np.testing.assert_allclose(one.position[0], track.positions[FIRST + 120], atol=1e-3)
    np.testing.assert_allclose(one.yaw[0], track.yaws[FIRST + 120], atol=1e-4)
    assert acted.goal_weight[0] > 0


def test_inputs_on_the_path_are_those_of_training(clip: Clip) -> None:
    one, track, count = actor(clip), root_track(clip), 150
    things = [PosedCollider(STOOL, np.array([0.5, 1.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))]
    for _ in range(count + 1):
        one.step([SIT], things)
    network: Any = one.network
    x = network.inputs[count][0]
    frame = np.array([FIRST + count])
    doings = going(clip)
    pose, velocity = pose_features(clip, JOINTS, track)
    trajectory, goals = time_series_at(clip, doings, frame)
    # The velocities are led to the pose a second ahead, where the clip has it.
    roots = [(track.positions[at], track.yaws[at]) for at in (frame - 1, frame + PREDICTION_HORIZON_FRAMES)]
    led = led_velocities(
        velocity[frame - 1], pose[frame - 1], pose[frame + PREDICTION_HORIZON_FRAMES], roots[0], roots[1], clip.rate
    )
    shown = NsmState(
        positions=track.positions[frame],
        yaws=track.yaws[frame],
        trajectory=trajectory,
        goals=goals,
        pose=pose[frame - 1],
        velocity=led,
        rotation=pose_rotation_vectors(clip, JOINTS, REFERENCE, track)[frame - 1],
        environment=IN.view(x, "environment.occupancy")[None],
        interaction=IN.view(x, "interaction.voxel")[None],
        phase=doings.phase[frame],
    ).to_inputs(IN)[0]
    for group in IN:
        limit = 2e-3 if group.name != "pose.velocity" else 5e-2
        np.testing.assert_allclose(IN.view(x, group.name), IN.view(shown, group.name), atol=limit, err_msg=group.name)
    assert IN.view(x, "environment.occupancy").max() > 0.5, "the stool is near the way"


def test_a_new_command_takes_over_at_once_and_smoothly(clip: Clip) -> None:
    one = actor(clip)
    door = GoalCommand("open", np.array([-2.0, 1.0, 0.0]), facing_direction(np.array(1.0)))
    for _ in range(90):
        one.step([SIT], [])
    before = one.state.future_goal_samples.positions[0, 0].copy()
    np.testing.assert_allclose(before, GOAL, atol=1e-3)
    steps = []
    for _ in range(round(INTERACTION_RUNTIME_TUNING.goal_blend * 60)):
        one.step([door], [])
        steps.append(float(np.linalg.norm(one.state.future_goal_samples.positions[0, 0] - before)))
        before = one.state.future_goal_samples.positions[0, 0].copy()
    assert np.linalg.norm(before - door.position) < 0.11 * np.linalg.norm(GOAL - door.position)
    assert max(steps) < 0.15 * np.linalg.norm(GOAL - door.position)
    assert one.state.future_goal_samples.actions[0, 0, GOAL_ACTIONS.index("open")] > 0.85
    np.testing.assert_allclose(np.linalg.norm(one.state.future_goal_samples.directions, axis=-1), 1.0)


def test_an_idle_root_does_not_creep(clip: Clip) -> None:
    rows = np.zeros((60, OUT.size), dtype=np.float32)
    OUT.view(rows, "root.velocity")[:] = 0.05
    OUT.view(rows, "trajectory.action")[..., ACTIONS.index("idle")] = 1.0
    OUT.view(rows, "trajectory.direction")[..., 1] = OUT.view(rows, "goal_trajectory.direction")[..., 1] = 1.0
    one = actor(clip, rows)
    here = one.position.copy()
    for _ in range(60):
        one.step([GoalCommand("idle", GOAL, FRONT)], [])
    np.testing.assert_array_equal(one.position, here)


def test_the_occupancy_of_another_object_fades_in(clip: Clip) -> None:
    one = actor(clip)
    one.step([SIT], [])
    seat = GoalCommand("sit", GOAL, FRONT, InteractionVolume.from_collider(STOOL))
    one.step([seat], [])
    assert one.state.occupancy is not None and 0.05 < one.state.occupancy.max() < 0.2
    for _ in range(PAST_FRAMES):
        one.step([seat], [])
    assert one.state.occupancy.max() > 0.99
