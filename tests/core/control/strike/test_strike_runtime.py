"""The runtime of attacks under a network with known answers."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from footfall.core.control.runtime.batch_state import PAST_FRAMES
from footfall.core.control.strike.strike_goal import reaches
from footfall.core.control.strike.strike_runtime import StrikeCommand, StrikeRuntime
from footfall.core.features.strikes import EFFECTORS, STRIKE_ACTIONS, TARGET_GROUP, input_layout
from footfall.core.models.model_file import ControllerModel
from footfall.core.models.network import Memory
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import Array
from footfall.tests.core.control.conftest import answering

DT = 1 / 60
HAND = EFFECTORS.index("hand.R")
WALK = (0.0, 0.6)


@dataclass
class Script:
    """A network that answers with one row and keeps its inputs."""

    answer: np.ndarray
    seen: list[np.ndarray] = field(default_factory=list)

    def begin(self, count: int) -> Memory:
        return ()

    def step(self, x: np.ndarray, phase: ArrayLike, memory: Memory) -> tuple[np.ndarray, Memory]:
        self.seen.append(x.copy())
        return np.repeat(self.answer[None], len(x), axis=0), memory


def attacking() -> ControllerModel:
    model = answering()
    inputs = input_layout(model.joints)
    size = inputs.size
    return replace(
        model,
        input_layout=inputs,
        x_mean=np.full(size, 1.0, np.float32),
        x_std=np.full(size, 2.0, np.float32),
        y_mean=np.zeros(model.output_layout.size, np.float32),
        y_std=np.ones(model.output_layout.size, np.float32),
        gaits=STRIKE_ACTIONS,
        start={**model.start, "phase": np.float32(0.0), "rotation": model.reference_rotations},
        tensors={
            **model.tensors,
            "W0": np.zeros((*model.tensors["W0"].shape[:2], size), np.float32),
        },
    )


def fighter(
    velocity: tuple[float, float] = (0.0, 0.0), turn: float = 0.0, rate: float = 0.0, yaw: float = 0.0
) -> tuple[StrikeRuntime, Script]:
    """A character at the origin, and its network, which answers with a motion of the root and a rate of the phase."""
    model = attacking()
    answer, view = np.zeros(model.output_layout.size, np.float32), model.output_layout.view
    view(answer, "root.velocity")[:], view(answer, "root.angular_velocity")[:] = velocity, turn
    view(answer, "phase.rate")[:], view(answer, "contact")[:] = rate, [0.1, 0.2, 0.3, 0.4]
    view(answer, "pose.position")[:], view(answer, "pose.velocity")[:] = 0.5, 0.25
    view(answer, "pose.rotation")[:] = 0.125
    view(answer, "trajectory.position")[:] = [0.0, 0.5]
    view(answer, "trajectory.direction")[:] = facing_direction(np.array(0.3))
    runtime = StrikeRuntime(model, np.zeros((1, 2)), np.array([yaw]))
    runtime.network = script = Script(answer)
    return runtime, script


def aimed(x: float, y: float, strikes: float = 0.0, weapon: float = 0.0) -> StrikeCommand:
    """A target for the right hand at a place, 1.4 m high."""
    return StrikeCommand(
        np.array([[x, y, 1.4]]), np.array([HAND], dtype=np.intp), np.array([weapon]), np.array([strikes])
    )


def reach() -> float:
    return float(reaches(np.array([HAND]), attacking().skeleton)[0])


def at_reach(angle: float) -> StrikeCommand:
    """A target as far as the hand reaches, at an angle to the left."""
    x, y = reach() * facing_direction(np.array(angle))
    return aimed(x, y)


def input_of(script: Script, frame: int, group: str) -> Array:
    return attacking().input_layout.view(script.seen[frame] * 2.0 + 1.0, group)[0]


def test_a_step_tells_the_frame_before_it_and_the_contacts_of_the_answer() -> None:
    runtime, _ = fighter(WALK, rate=1.0)
    made = runtime.step(at_reach(0.0))
    np.testing.assert_array_equal(made.position, [[0.0, 0.0]])
    assert made.yaw == made.height == made.phase == 0.0
    np.testing.assert_allclose(made.contacts, [[0.1, 0.2, 0.3, 0.4]])
    assert len(runtime) == 1


def test_inputs_name_the_target_the_effector_the_weapon_and_the_command() -> None:
    runtime, script = fighter(yaw=np.pi / 2)
    runtime.step(aimed(-1.0, 0.5, strikes=1.0, weapon=1.0))
    # Facing -X, what is at +Y is to the right.
    np.testing.assert_allclose(input_of(script, 0, TARGET_GROUP), [0.5, 1.0, 1.4], atol=1e-6)
    np.testing.assert_array_equal(input_of(script, 0, "strike.effector"), np.eye(len(EFFECTORS))[HAND])
    assert input_of(script, 0, "strike.weapon") == input_of(script, 0, "strike.command") == 1.0
    runtime.step(aimed(-1.0, 0.5))
    assert input_of(script, 1, "strike.weapon") == input_of(script, 1, "strike.command") == 0.0


def test_the_answer_is_the_input_of_the_next_frame() -> None:
    runtime, script = fighter(WALK, turn=0.5)
    runtime.step(at_reach(0.0))
    runtime.step(at_reach(0.0))
    np.testing.assert_allclose(input_of(script, 0, "root.velocity"), [0.0, 0.0])
    np.testing.assert_allclose(input_of(script, 0, "pose.rotation"), 0.0, atol=1e-6)
    for group, value in (
        ("root.velocity", WALK),
        ("root.angular_velocity", 0.5),
        ("pose.position", 0.5),
        ("pose.velocity", 0.25),
        ("pose.rotation", 0.125),
    ):
        shown = input_of(script, 1, group)
        np.testing.assert_allclose(shown, np.broadcast_to(value, shown.shape), atol=1e-6)


def test_the_past_is_where_the_root_was() -> None:
    runtime, script = fighter(WALK)
    for _ in range(PAST_FRAMES + 2):
        x, y = runtime.state.position[0]
        runtime.step(aimed(x, y + reach()))
    behind = input_of(script, -1, "trajectory.position")[:7]
    np.testing.assert_allclose(behind[:, 1], np.linspace(-PAST_FRAMES, 0, 7) * WALK[1] * DT, atol=1e-5)
    np.testing.assert_allclose(input_of(script, -1, "trajectory.direction")[:7], np.tile([0.0, 1.0], (7, 1)))


def test_the_trajectory_ends_as_near_the_target_as_the_hand_reaches_and_faces_it() -> None:
    runtime, script = fighter()
    runtime.step(aimed(0.0, 1.2))
    ahead = input_of(script, 0, "trajectory.position")[7:]
    assert (np.diff(ahead[:, 1]) >= 0.0).all() and ahead[0, 1] > 0.05 and ahead[-1, 1] <= 1.2 - reach()
    np.testing.assert_allclose(input_of(script, 0, "trajectory.direction")[-1], [0.0, 1.0], atol=1e-6)


class TestPhase:
    """Attacks begin when they are told, go on, end, and rest in the guard."""

    @staticmethod
    def after(phase: float, rate: float, strikes: float) -> float:
        runtime, _ = fighter(rate=rate)
        runtime.state.phase = np.array([phase])
        runtime.step(replace(at_reach(0.0), strikes=np.array([strikes])))
        return float(runtime.state.phase[0])

    def test_with_a_command_an_attack_begins_with_a_least_rate(self) -> None:
        assert self.after(0.02, 0.1, strikes=1.0) == pytest.approx(0.02 + 1.2 * DT)
        assert self.after(0.02, 2.0, strikes=1.0) == pytest.approx(0.02 + 2.0 * DT)

    @pytest.mark.parametrize("strikes", [0.0, 1.0])
    @pytest.mark.parametrize("phase", [0.08, 0.4])
    def test_an_attack_that_has_begun_continues_at_a_least_rate_without_a_command(
        self, phase: float, strikes: float
    ) -> None:
        assert self.after(phase, 0.1, strikes) == pytest.approx(phase + 0.7 * DT)
        assert self.after(phase, 1.5, strikes) == pytest.approx(phase + 1.5 * DT)


def test_a_copy_is_independent() -> None:
    runtime, _ = fighter(WALK)
    runtime.step(at_reach(0.0))
    twin = runtime.copy()
    runtime.step(at_reach(0.0))
    np.testing.assert_allclose(twin.state.position, [[0.0, WALK[1] * DT]])
    twin.step(at_reach(0.0))
    np.testing.assert_array_equal(twin.state.position, runtime.state.position)
