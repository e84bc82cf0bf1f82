"""Runtime of controllers that attack (Freda 2018, section 4.5): the state of B characters, and one step of it."""

from copy import copy
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...errors import FootfallError
from ...features.locomotion import future_offsets, phase_channel_count
from ...features.phase_vectors import PhaseVectors
from ...features.strikes import EFFECTORS, TARGET_GROUP, target_from_root
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing_direction, into_frame, out_of_frame, yaw_of
from ...motion.rotations import Array, inverse, log, multiply, wrap_angle
from ...tuning import Tuning, tuned
from ..runtime.batch_state import PAST_FRAMES, PAST_SAMPLES, BatchState
from ..runtime.locomotion_runtime import RuntimeFrames
from .strike_goal import blend_trajectories, goal_trajectory, reaches


@dataclass(frozen=True, slots=True)
class StrikeRuntimeTuning(Tuning):
    """Tuned numbers of the roll-out of controllers that attack."""

    start_phase: float = tuned(0.08, "1", 0.0, 0.5)
    """Phase up to which an attack counts as not started, so that it returns to the guard if its command ends."""
    start_rate: float = tuned(1.2, "Hz", 0.1, 5.0)
    """Smallest phase rate from the command until the attack has started, so that every commanded attack starts."""
    min_rate: float = tuned(0.7, "Hz", 0.1, 5.0)
    """Smallest phase rate during an attack; the slowest captured attacks take two thirds of a second to the apex."""
    free_angle: float = tuned(np.radians(30.0), "rad", 0.0, np.pi)
    """Angle between facing and target up to which the root is not turned, since fighters stand with one shoulder ahead.
    """
    turning: float = tuned(0.4, "s", 0.05, 5.0)
    """Time constant with which the root turns to its target beyond ``free_angle``."""
    max_turn: float = tuned(2.0, "rad/s", 0.0, 10.0)
    """Largest angular speed of the turn toward the target."""
    free_distance: float = tuned(0.15, "m", 0.0, 1.0)
    """Distance from the position for striking up to which the root is not moved toward it."""
    drawing: float = tuned(1.0, "s", 0.05, 5.0)
    """Time constant with which the root is moved to the position for striking beyond ``free_distance``."""
    max_draw: float = tuned(0.3, "m/s", 0.0, 2.0)
    """Largest speed of the root's movement to the position for striking."""


TUNING: Final = StrikeRuntimeTuning()


@dataclass(frozen=True, slots=True, eq=False)
class StrikeCommand:
    """The commands to B characters for one frame.

    Attributes:
        targets: (B, 3) targets, meters, world.
        effectors: (B) end effectors, as indices into ``features.strikes.EFFECTORS``.
        weapons: (B) 1 for a character whose hands both hold one weapon, else 0.
        strikes: (B) 1 to command an attack, 0 to command the guard.
    """

    targets: Array
    effectors: NDArray[np.intp]
    weapons: Array
    strikes: Array


@dataclass(eq=False)
class StrikeState(BatchState):
    """The state of B characters that attack, in addition to that of :class:`BatchState`.

    Attributes:
        rotation: (B, P, 3) joint rotations of the previous frame, as rotation vectors from the reference rotations.
        root_velocity: (B, 2) root velocity in the last step, m/s, in the root's frame before that step.
        root_spin: (B, 1) angular velocity of the root in the last step, rad/s.
        past_positions: (B, PAST_FRAMES + 1, 2) root positions in the remembered frames, meters, world.
        past_yaws: (B, PAST_FRAMES + 1) yaws of these roots, radians.
        expected_positions: (B, S, 2) predicted roots at the future samples, meters, world.
        expected_yaws: (B, S) predicted yaws, radians.
        phase_vectors: phase vectors of controllers with phase channels; ``None`` for others.
    """

    rotation: Array
    root_velocity: Array
    root_spin: Array
    past_positions: Array
    past_yaws: Array
    expected_positions: Array
    expected_yaws: Array
    phase_vectors: PhaseVectors | None


class StrikeRuntime:
    """A batch of B characters of one controller that attacks, each standing in guard at first.

    Args:
        model: the controller.
        positions: (B, 2) roots, meters, world.
        yaws: (B) yaws of the roots, radians; zero faces +Y.

    Raises:
        FootfallError: the controller cannot attack.
    """

    def __init__(self, model: ControllerModel, positions: Array, yaws: Array) -> None:
        if not model.is_strike_controller:
            raise FootfallError(
                "This controller cannot attack: choose one that was trained on attacks, such as the included "
                "controller strikes"
            )
        self.model, self.network = model, model.network()
        self._offsets = future_offsets(model.input_layout)
        start = BatchState.standing(model, self.network, positions, yaws)
        count, samples = len(start), len(self._offsets)
        own = multiply(inverse(model.reference_rotations.astype(float)), model.start["rotation"].astype(float))
        self.state = StrikeState(
            **vars(start),
            rotation=np.repeat(log(own)[None], count, axis=0),
            root_velocity=np.zeros((count, 2)),
            root_spin=np.zeros((count, 1)),
            past_positions=np.repeat(start.position[:, None], PAST_FRAMES + 1, axis=1),
            past_yaws=np.repeat(start.yaw[:, None], PAST_FRAMES + 1, axis=1),
            expected_positions=np.repeat(start.position[:, None], samples, axis=1),
            expected_yaws=np.repeat(start.yaw[:, None], samples, axis=1),
            phase_vectors=(
                PhaseVectors.begin(model.start, model.rate, count, self._offsets)
                if phase_channel_count(model.input_layout)
                else None
            ),
        )

    def __len__(self) -> int:
        """Return the number of characters."""
        return len(self.state)

    def copy(self) -> "StrikeRuntime":
        """Return an independent copy, from which a roll-out is bit-identical to one from the original."""
        twin = copy(self)
        twin.state = self.state.copy()
        return twin

    def step(self, command: StrikeCommand) -> RuntimeFrames:
        """Advance all characters by one frame, and return the frame.

        Args:
            command: the commands of the characters.
        """
        model, state, layout = self.model, self.state, self.model.output_layout
        for memory, value in ((state.past_positions, state.position), (state.past_yaws, state.yaw)):
            memory[:, :-1] = memory[:, 1:]
            memory[:, -1] = value
        x = self._network_input(command)
        answer, state.memory = self.network.step((x - model.x_mean) / model.x_std, state.phase, state.memory)
        y = answer * model.y_std + model.y_mean
        contacts = layout.view(y, "contact").astype(float)
        made = RuntimeFrames(state.position, np.zeros(len(self)), state.yaw, state.phase, contacts, y)
        self._integrate(y, command.strikes)
        self._steer(command)
        return made

    def _steer(self, command: StrikeCommand) -> None:
        """Slowly turn roots that have strayed too far toward their targets, and move them to striking distance."""
        state, dt = self.state, 1 / self.model.rate
        away = command.targets[:, :2] - state.position
        distance = np.linalg.norm(away, axis=-1)
        near = distance < TUNING.free_distance
        aside = np.where(near, 0.0, wrap_angle(yaw_of(away) - state.yaw))
        turns = np.sign(aside) * np.maximum(np.abs(aside) - TUNING.free_angle, 0.0) / TUNING.turning
        left = distance - reaches(command.effectors, self.model.skeleton)
        draws = np.sign(left) * np.maximum(np.abs(left) - TUNING.free_distance, 0.0) / TUNING.drawing
        state.yaw = state.yaw + np.clip(turns, -TUNING.max_turn, TUNING.max_turn) * dt
        shift = np.clip(draws, -TUNING.max_draw, TUNING.max_draw) * dt / np.maximum(distance, TUNING.free_distance)
        state.position = state.position + np.where(near, 0.0, shift)[:, None] * away

    def _network_input(self, command: StrikeCommand) -> NDArray[np.float32]:
        """Return the network's inputs (B, n)."""
        state, layout = self.state, self.model.input_layout
        seconds = np.array(self._offsets) / self.model.rate
        stops = reaches(command.effectors, self.model.skeleton)
        goal = goal_trajectory(state.position, state.yaw, command.targets, stops, seconds)
        expected = state.expected_positions, state.expected_yaws
        ahead, looking = blend_trajectories(state.position, expected, goal)
        past = facing_direction(state.past_yaws[:, PAST_SAMPLES])
        positions = np.concatenate([state.past_positions[:, PAST_SAMPLES], ahead], axis=1)
        yaws = state.yaw[:, None]
        x = np.zeros((len(self), layout.size), dtype=np.float32)
        for name, values in {
            "trajectory.position": into_frame(positions - state.position[:, None], yaws),
            "trajectory.direction": into_frame(np.concatenate([past, looking], axis=1), yaws),
            "root.velocity": state.root_velocity,
            "root.angular_velocity": state.root_spin,
            "pose.position": state.pose,
            "pose.velocity": state.velocity,
            "pose.rotation": state.rotation,
            TARGET_GROUP: target_from_root(command.targets, state.position, state.yaw),
            "strike.effector": np.eye(len(EFFECTORS))[command.effectors],
            "strike.weapon": np.asarray(command.weapons)[:, None],
            "strike.command": np.asarray(command.strikes)[:, None],
        }.items():
            layout.view(x, name)[:] = values
        if state.phase_vectors is not None:
            layout.view(x, "phase.vector")[:] = state.phase_vectors.trajectory_samples()
        return x

    def _integrate(self, y: NDArray[np.float32], strikes: Array) -> None:
        """Update the state from the network's output (B, m) and the strike commands (B), each 0 or 1."""
        state, layout, dt = self.state, self.model.output_layout, 1 / self.model.rate
        if state.phase_vectors is not None:
            state.phase_vectors.advance(layout.view(y, "phase.vector"), layout.view(y, "phase.frequency"), dt)
        before = state.phase
        state.advance(layout, y, np.ones(len(self)), dt)
        state.phase = _next_phase(before, layout.view(y, "phase.rate")[:, 0].astype(float), strikes, dt)
        state.rotation = layout.view(y, "pose.rotation").astype(float)
        state.root_velocity = layout.view(y, "root.velocity").astype(float)
        state.root_spin = layout.view(y, "root.angular_velocity").astype(float)
        yaws = state.yaw[:, None]
        state.expected_positions = state.position[:, None] + out_of_frame(layout.view(y, "trajectory.position"), yaws)
        state.expected_yaws = yaws + yaw_of(layout.view(y, "trajectory.direction"))


def _next_phase(phase: Array, rates: Array, strikes: Array, dt: float) -> Array:
    """Return the phases (B) of the next frame, cycles: the network's, but attacks start on command and end at rest.

    Args:
        phase: (B) phases of this frame, cycles.
        rates: (B) phase rates from the network, Hz.
        strikes: (B) 1 where an attack is commanded.
        dt: seconds per frame.
    """
    waits = phase < TUNING.start_phase
    least = np.where(waits, TUNING.start_rate, TUNING.min_rate)
    after = phase + np.maximum(rates, least) * dt
    after = np.where(waits & (strikes == 0.0), 0.0, after)
    return np.where(after >= 1.0, 0.0, after)
