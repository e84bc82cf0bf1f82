"""Runtime of locomotion controllers (Holden, Komura and Saito 2017, PFNN, section 6): the state of B characters.

All characters of a batch share one controller and pass through its network together, so its weights are read once.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...features.control_series import ControlSeries
from ...features.locomotion import (
    LATERAL_SAMPLE_OFFSET_M,
    PERFORMER_GROUP,
    future_offsets,
    phase_channel_count,
)
from ...features.phase_system import DELTA_GROUP, is_phase_system
from ...features.phase_vectors import PhaseVectors
from ...features.rest import REST_GAITS
from ...features.terrain import CENTER_SAMPLE_INDEX, LATERAL_SAMPLE_SIGNS
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing_direction, into_frame, out_of_frame, yaw_of
from ...motion.rotations import Array, length
from ...terrain.ground import Ground, Plane
from ..path.terrain_profile import TUNING as TERRAIN_PROFILE_TUNING
from .batch_state import PAST_FRAMES, PAST_SAMPLES, BatchState
from .beside import Beside
from .control_variation import BatchVariation
from .locomotion_state import LocomotionState
from .response_bias import ResponseBias, command_weights
from .resting import TUNING as RESTING_TUNING
from .resting import StandingPose, phase_at_rest, shares_at_rest
from .system_channels import SystemChannels

LEAVING_SAMPLES: Final = 3
"""Number of future samples, half a second ahead, whose commanded start makes a resting character shift its weight."""

LATERAL_OFFSETS_M: Final = (LATERAL_SAMPLE_OFFSET_M * np.array(LATERAL_SAMPLE_SIGNS))[:, None]
"""Lateral offsets (3, 1) from the trajectory, meters, at which the ground is sampled."""
IS_CENTER_SAMPLE: Final = np.arange(len(LATERAL_SAMPLE_SIGNS)) == CENTER_SAMPLE_INDEX
RIGHT_SIGNS: Final = np.array([1.0, -1.0])
"""Signs that make (y, x) of a direction (x, y) the direction to its right, (y, -x)."""


@dataclass(frozen=True, slots=True, eq=False)
class LocomotionCommand:
    """The commands to B characters for the next second, at the S future samples.

    Attributes:
        positions: (B, S, 2) positions of the root, meters, world.
        yaws: (B, S) yaws of the root, radians.
        gaits: (B, S, G) weights of G gaits, 0 to 1.
        levels: (B, S + 1) approximate heights of the ground now and at the samples, meters; the search for the ground
            starts slightly above them.
        conditions: values (B, ...) of additional input groups, such as those about a ball, by name of the group.
    """

    positions: Array
    yaws: Array
    gaits: Array
    levels: Array
    conditions: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class RuntimeFrames:
    """Frames of a runtime: (...) is one frame of a batch of B characters, or F frames of one character.

    Attributes:
        position: (..., 2) root before the step, meters, world.
        height: (...) height of the root, meters: the mean ground height under the trajectory (PFNN section 6).
        yaw: (...) yaw of the root, radians.
        phase: (...) phase of the motion, cycles.
        contacts: (..., 4) contact probabilities of heels and balls, or of paws.
        output: (..., m) output of the network; the pose is in the root's frame.
    """

    position: Array
    height: Array
    yaw: Array
    phase: Array
    contacts: Array
    output: NDArray[np.float32]


class LocomotionRuntime:
    """A batch of B characters of one locomotion controller; each stands at its initial position until commanded.

    Args:
        model: the controller.
        positions: (B, 2) root positions, meters, world.
        yaws: (B) yaws of the roots, radians; zero faces +Y.
        levels: (B) heights of the ground under the roots, meters.
        grounds: (B) ground under each character.
        bias: response biases.
    """

    def __init__(
        self,
        model: ControllerModel,
        positions: Array,
        yaws: ArrayLike,
        levels: ArrayLike,
        grounds: Sequence[Ground],
        bias: ResponseBias | None = None,
    ) -> None:
        self.model, self.grounds, bias = model, list(grounds), bias or ResponseBias()
        self._offsets = offsets = future_offsets(model.input_layout)
        self.network = model.network()
        start = BatchState.standing(model, self.network, positions, yaws)
        count, position, yaw = len(start), start.position, start.yaw
        standing = np.zeros((count, len(model.gaits)))
        standing[:, model.gaits.index("stand")] = 1.0
        heights = np.asarray(levels, dtype=float)[:, None, None]
        has_phases = phase_channel_count(model.input_layout)
        self.state = LocomotionState(
            **vars(start),
            past_positions=np.repeat(position[:, None], PAST_FRAMES + 1, axis=1),
            past_yaws=np.repeat(yaw[:, None], PAST_FRAMES + 1, axis=1),
            past_gaits=np.repeat(standing[:, None], PAST_FRAMES + 1, axis=1),
            past_heights=np.tile(heights, (1, PAST_FRAMES + 1, len(LATERAL_SAMPLE_SIGNS))),
            expected_positions=np.repeat(position[:, None], len(offsets), axis=1),
            expected_yaws=np.repeat(yaw[:, None], len(offsets), axis=1),
            idle_start=np.zeros(count),
            performer=np.tile(np.eye(1, len(model.performers)), (count, 1)),
            biases=np.tile([bias.position, bias.direction], (count, 1)),
            phase_vectors=PhaseVectors.begin(model.start, model.rate, count, offsets) if has_phases else None,
            channels=SystemChannels.begin(model, count) if is_phase_system(model.input_layout) else None,
        )
        self._standing = StandingPose(model)
        self._rest_columns = [number for number, name in enumerate(model.gaits) if name in REST_GAITS]
        self.variation: BatchVariation | None = None
        self.beside: Beside | None = None
        self.frame = 0
        self._ground_groups: tuple[Sequence[Ground], list[tuple[Ground, NDArray[np.intp]]]] = (), []

    def __len__(self) -> int:
        """Return the number of characters."""
        return len(self.state)

    @property
    def position(self) -> Array:
        """Root positions (B, 2), meters, world."""
        return self.state.position

    @property
    def yaw(self) -> Array:
        """Yaws (B) of the roots, radians."""
        return self.state.yaw

    @property
    def phase(self) -> Array:
        """Phases (B) of the motion, cycles."""
        return self.state.phase

    @phase.setter
    def phase(self, phase: Array) -> None:
        self.state.phase = phase

    @property
    def past_heights(self) -> Array:
        """Ground heights (B, PAST_FRAMES + 1, 3), meters, world, left of, under and right of the remembered roots."""
        return self.state.past_heights

    def vary(self, row: int, seed: int) -> None:
        """Choose a character's initial phase and idling motion at random, with a seed."""
        random = np.random.default_rng(seed)
        self.state.phase[row] = random.random()
        self.state.idle_start[row] = random.random() * self._standing.idle_seconds

    def perform_as(self, row: int, shares: Sequence[float]) -> None:
        """Set the contribution of each captured performer to a character's movement style.

        Args:
            row: the character's row in the batch.
            shares: weights of the controller's K performers, summing to 1.
        """
        self.state.performer[row] = shares

    def respond_with(self, row: int, bias: ResponseBias) -> None:
        """Set the response biases of a character."""
        self.state.biases[row] = bias.position, bias.direction

    def copy(self) -> "LocomotionRuntime":
        """Return an independent copy, from which a roll-out is bit-identical to one from the original."""
        twin = copy(self)
        twin.state, twin.beside = self.state.copy(), self.beside and self.beside.copy()
        return twin

    def select(self, rows: NDArray[np.intp]) -> None:
        """Keep only the characters in the given rows of the batch."""
        self.grounds = [self.grounds[row] for row in rows]
        self.state, self.beside = self.state.take(rows), self.beside and self.beside.take(rows)
        self.variation = self.variation and self.variation.select(rows)

    def step(self, command: LocomotionCommand, gaits: Array, moving: Array | None = None) -> RuntimeFrames:
        """Advance all characters by one frame, and return the frame.

        Args:
            command: the commands for the next second.
            gaits: (B, G) gait weights of this frame, 0 to 1.
            moving: (B) 0 for standing, 1 for moving; by default 1 minus the gait weight of standing.
        """
        model, layout = self.model, self.model.output_layout
        self._push_history(gaits)
        x, heights = self._network_input(command)
        answer, self.state.memory = self.network.step(
            (x - model.x_mean) / model.x_std, self.state.phase, self.state.memory
        )
        y = answer * model.y_std + model.y_mean
        contacts = layout.view(y, "contact").astype(float)
        result = RuntimeFrames(self.state.position, heights, self.state.yaw, self.state.phase, contacts, y)
        leaving = (
            command.gaits[:, :LEAVING_SAMPLES, model.gaits.index("stand")].min(axis=1) < RESTING_TUNING.moving_share
        )
        moving = 1.0 - gaits[:, model.gaits.index("stand")] if moving is None else moving
        self._integrate(y, moving, leaving | (gaits[:, self._rest_columns] > 0.0).any(axis=1) | self._occupied())
        ahead = length(command.positions[:, -1] - self.state.position)
        speeds = np.where(self._occupied(), np.inf, ahead / (self._offsets[-1] / model.rate))
        self.state.pose = self._standing.settle_arms(self.state.pose, speeds, 1 / model.rate)
        self.frame += 1
        return result

    def _occupied(self) -> NDArray[np.bool_]:
        """Return which characters (B) have arms that are busy with an object and do not come to rest."""
        return np.zeros(len(self), dtype=bool) if self.beside is None else self.beside.occupied

    def shift_roots(self, shifts: Array) -> None:
        """Displace the roots and predicted trajectories by (B, 2), meters, world."""
        self.state.position = self.state.position + shifts
        self.state.expected_positions = self.state.expected_positions + shifts[:, None]

    def move_with_ground(self, row: int, turn: float, pivot: Array, shift: Array, rise: float) -> None:
        """Move a character's root, and its past and predicted trajectory, along with the ground under it.

        Args:
            row: row of the character.
            turn: rotation about the pivot, radians, positive to the left.
            pivot: (2) center of the rotation, meters, world.
            shift: (2) displacement after the rotation, meters, world.
            rise: change of height, meters.
        """
        state, cosine, sine = self.state, np.cos(turn), np.sin(turn)
        rotation = np.array([[cosine, -sine], [sine, cosine]])

        def moved(positions: Array) -> Array:
            positions = positions.copy()
            positions[row] = (positions[row] - pivot) @ rotation.T + pivot + shift
            return positions

        def turned(yaws: Array) -> Array:
            yaws = yaws.copy()
            yaws[row] += turn
            return yaws

        state.position, state.yaw = moved(state.position), turned(state.yaw)
        state.past_positions, state.past_yaws = moved(state.past_positions), turned(state.past_yaws)
        state.expected_positions, state.expected_yaws = moved(state.expected_positions), turned(state.expected_yaws)
        state.past_heights[row] += rise

    def _push_history(self, gaits: Array) -> None:
        """Append the current state to the remembered past, dropping the oldest frame."""
        for memory, value in (
            (self.state.past_positions, self.state.position),
            (self.state.past_yaws, self.state.yaw),
            (self.state.past_gaits, gaits),
            (self.state.past_heights, self.state.past_heights[:, -1].copy()),
        ):
            memory[:, :-1] = memory[:, 1:]
            memory[:, -1] = value

    def _network_input(self, command: LocomotionCommand) -> tuple[NDArray[np.float32], Array]:
        """Return the network's inputs (B, n) and the roots' heights (B), meters."""
        model, layout = self.model, self.model.input_layout
        by_position, by_direction = (
            command_weights(biases, len(self._offsets))[..., None] for biases in self.state.biases.T
        )
        ahead = self.state.expected_positions * (1 - by_position) + command.positions * by_position
        looking = (
            facing_direction(self.state.expected_yaws) * (1 - by_direction)
            + facing_direction(command.yaws) * by_direction
        )
        gaits, channels, yaws = command.gaits, self.state.channels, self.state.yaw[:, None]
        if channels is not None:
            gaits = channels.expected_gaits * (1 - by_position) + gaits * by_position
        shifts = np.zeros_like(ahead)
        if self.variation is not None:
            deviation = self.variation.deviation(
                self._control_series(ahead, looking, gaits), self.state.yaw, self.frame
            )
            shifts, looking, gaits = deviation.positions, looking + deviation.directions, gaits + deviation.gaits
            ahead = ahead + shifts
        x = np.zeros((len(self), layout.size), dtype=np.float32)
        positions = self._with_past(self.state.past_positions, ahead) - self.state.position[:, None]
        directions = self._with_past(facing_direction(self.state.past_yaws), looking)
        directions /= np.maximum(length(directions)[..., None], 1e-6)
        here = np.concatenate([self.state.position[:, None], ahead], axis=1)
        heights = self._terrain_heights(here, directions[:, -here.shape[1] :], command.levels)
        self.state.past_heights[:, -1] = heights[:, 0]
        under = np.concatenate([self.state.past_heights[:, PAST_SAMPLES], heights[:, 1:]], axis=1)
        height = under[..., CENTER_SAMPLE_INDEX].mean(axis=1)
        if model.trained_on_terrain:
            terrain = layout.view(x, "terrain.height")
            terrain[:] = under[:, : terrain.shape[1]] - height[:, None, None]
        layout.view(x, "trajectory.position")[:] = into_frame(positions, yaws)
        layout.view(x, "trajectory.direction")[:] = into_frame(directions, yaws)
        if channels is not None:
            channels.fill_inputs(
                layout, x, self.state.past_positions, command.positions, yaws[:, 0], by_position, shifts
            )
        layout.view(x, "trajectory.gait")[:] = self._with_past(self.state.past_gaits, gaits)
        layout.view(x, "pose.position")[:] = self.state.pose
        layout.view(x, "pose.velocity")[:] = self.state.velocity
        if model.performers:
            standing = self.state.past_gaits[:, -1, model.gaits.index("stand")]
            layout.view(x, PERFORMER_GROUP)[:] = shares_at_rest(self.state.performer, standing)
        if self.state.phase_vectors is not None:
            layout.view(x, "phase.vector")[:] = self.state.phase_vectors.trajectory_samples()
        if self.beside is not None:
            self.beside.fill_inputs(x, self.state.position, self.state.yaw)
        for name, values in command.conditions.items():
            layout.view(x, name)[:] = values
        return x, height

    def _control_series(self, ahead: Array, looking: Array, gaits: Array) -> ControlSeries:
        """Return the control series of positions, directions and gaits, past and ahead, in the roots' frames."""
        yaws = self.state.yaw[:, None]
        positions = self._with_past(self.state.past_positions, ahead) - self.state.position[:, None]
        directions = self._with_past(facing_direction(self.state.past_yaws), looking)
        directions /= np.maximum(length(directions)[..., None], 1e-6)
        past_and_future = self._with_past(self.state.past_gaits, gaits)
        return ControlSeries(into_frame(positions, yaws), into_frame(directions, yaws), past_and_future)

    @staticmethod
    def _with_past(past: Array, ahead: Array) -> Array:
        """Return samples of remembered frames (B, PAST_FRAMES + 1, k), followed by samples ahead (B, S, k)."""
        return np.concatenate([past[:, PAST_SAMPLES], ahead], axis=1)

    def _terrain_heights(self, positions: Array, directions: Array, levels: Array) -> Array:
        """Return ground heights (B, S, 3), meters, to the left of, under and to the right of positions (B, S, 2)."""
        across = directions[..., ::-1] * RIGHT_SIGNS
        places = positions[..., None, :] + across[..., None, :] * LATERAL_OFFSETS_M
        points = np.empty((*places.shape[:-1], 3))
        points[..., :2], points[..., 2] = places, (levels + TERRAIN_PROFILE_TUNING.max_step_up)[..., None]
        groups = self._rows_by_ground()
        heights = groups[0][0].heights(points, self.frame) if len(groups) == 1 else np.empty(points.shape[:-1])
        for ground, rows in groups if len(groups) > 1 else ():
            heights[rows] = ground.heights(points[rows], self.frame)
        pits = levels[..., None] - TERRAIN_PROFILE_TUNING.max_step_down
        # A drop this deep directly below the path is a crack, which is stepped over.
        cracks = (heights < pits) & IS_CENTER_SAMPLE
        return np.where(np.isnan(heights) | cracks, levels[..., None], np.maximum(heights, pits))

    def _rows_by_ground(self) -> list[tuple[Ground, NDArray[np.intp]]]:
        """Return each ground with the rows of the characters on it, so that it is queried only once."""
        if self._ground_groups[0] is not self.grounds:
            rows: dict[object, list[int]] = {}
            for row, one in enumerate(self.grounds):
                rows.setdefault(one if isinstance(one, Plane) else id(one), []).append(row)
            self._ground_groups = self.grounds, [(self.grounds[each[0]], np.array(each)) for each in rows.values()]
        return self._ground_groups[1]

    def _integrate(self, y: NDArray[np.float32], moving: Array, unsettled: NDArray[np.bool_]) -> None:
        """Update the state from the network's outputs; `unsettled` (B) characters do not settle into standing."""
        layout, dt = self.model.output_layout, 1 / self.model.rate
        phase_vectors, channels = self.state.phase_vectors, self.state.channels
        if phase_vectors is not None:
            vectors = layout.view(y, "phase.vector")
            if channels is not None:
                phase_vectors.update(vectors, layout.view(y, DELTA_GROUP))
            else:
                phase_vectors.advance(vectors, layout.view(y, "phase.frequency"), dt)
        if self.beside is not None:
            self.beside.advance(y, self.state.position, self.state.yaw)
        phase = self.state.phase
        self.state.advance(layout, y, np.maximum(moving, 0.0), dt)
        resting = moving < RESTING_TUNING.moving_share
        if resting.any():
            self.state.phase = np.where(resting, phase_at_rest(phase, self.state.phase), self.state.phase)
        times = self.state.idle_start + self.frame * dt
        self.state.pose = self._standing.settle(self.state.pose, resting & ~unsettled, times, dt)
        if channels is not None:
            channels.advance(layout, y)
            channels.rotation = self._standing.settle_axes(channels.rotation, resting & ~unsettled, dt)
        yaws = self.state.yaw[:, None]
        ahead = out_of_frame(layout.view(y, "trajectory.position"), yaws)
        self.state.expected_positions = self.state.position[:, None] + ahead
        self.state.expected_yaws = yaws + yaw_of(layout.view(y, "trajectory.direction"))
