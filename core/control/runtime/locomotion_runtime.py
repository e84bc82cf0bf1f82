"""Characters frame by frame (PFNN section 6): what they are, and one step of their network under a command.

All characters of a crowd are of one controller and go through its network together: a batch reads the weights once.
"""

from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...features.locomotion import FUTURE, OFFSETS, SIDE, channels_of
from ...features.phase_vectors import PhaseVectors
from ...features.terrain import CENTRE, SIDES
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing, into_frame, out_of_frame, yaw_of
from ...motion.rotations import Array
from ...terrain.ground import Ground, Plane
from ..path.terrain_profile import MAX_STEP_DOWN_M, MAX_STEP_UP_M

PAST_FRAMES: Final = -OFFSETS[0]
PAST_SAMPLE_INDICES: Final = [offset + PAST_FRAMES for offset in OFFSETS if offset <= 0]
# The root of who stands does not creep: its motion is scaled by the share of not standing to this power.
STANDING_DAMPING_EXPONENT: Final = 0.25
STATE_ARRAYS: Final = (
    *("position", "yaw", "phase", "pose", "velocity", "past_positions", "past_yaws", "past_gaits"),
    *("past_heights", "expected_positions", "expected_yaws"),
)
"""What a crowd is, of each character."""


@dataclass(frozen=True, slots=True)
class ResponseBias:
    """How soon along the future the command overrules the network, in the form 1 - (1 - t)^bias (eq. 9): more is more
    responsive, and less natural.
    """

    position: float = 2.0
    direction: float = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class LocomotionCommand:
    """What is wanted of the next second of B characters, at the S = 5 future samples.

    Attributes:
        positions: (B, S, 2) metres, world.
        yaws: (B, S) radians.
        gaits: (B, S, G).
        levels: (B, S + 1) about how high the ground is, metres, now and at the samples: from somewhat above, it is
            looked for.
    """

    positions: Array
    yaws: Array
    gaits: Array
    levels: Array


@dataclass(frozen=True, slots=True, eq=False)
class RuntimeFrames:
    """Frames (...) of the result: of a crowd at one moment (B), or of one character (F).

    Attributes:
        position: (..., 2) of the root before the step, metres, world.
        height: (...) of the root: the mean of the ground's under the trajectory, a second back and ahead (section 6).
        yaw: (...) radians.
        phase: (...) cycles.
        contacts: (..., 4) probabilities.
        output: (..., m), the network's answer; the pose is in the root's frame.
    """

    position: Array
    height: Array
    yaw: Array
    phase: Array
    contacts: Array
    output: NDArray[np.float32]


class LocomotionRuntime:
    """B characters of one controller, each standing where it is put until it is told otherwise.

    Args:
        model: the controller.
        positions: (B, 2) metres, world.
        yaws: (B) radians; zero faces +Y.
        levels: (B) heights of the ground there, metres.
        grounds: (B) what each walks on.
        bias: how responsive they are.
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
        self.model, self.grounds, self.bias = model, list(grounds), bias or ResponseBias()
        self.network = model.network()
        self.position = np.array(positions, dtype=float)
        self.yaw = np.array(yaws, dtype=float)
        count = len(self.position)
        self.memory = self.network.begin(count)
        self.phase = np.full(count, float(model.start["phase"]))
        self.pose = np.repeat(np.asarray(model.start["position"], dtype=float)[None], count, axis=0)
        self.velocity = np.repeat(np.asarray(model.start["velocity"], dtype=float)[None], count, axis=0)
        standing = np.zeros((count, len(model.gaits)))
        standing[:, model.gaits.index("stand")] = 1.0
        self.past_positions = np.repeat(self.position[:, None], PAST_FRAMES + 1, axis=1)
        self.past_yaws = np.repeat(self.yaw[:, None], PAST_FRAMES + 1, axis=1)
        self.past_gaits = np.repeat(standing[:, None], PAST_FRAMES + 1, axis=1)
        levels = np.asarray(levels, dtype=float)
        self.past_heights = np.tile(levels[:, None, None], (1, PAST_FRAMES + 1, len(SIDES)))
        self.expected_positions = np.repeat(self.position[:, None], len(FUTURE), axis=1)
        self.expected_yaws = np.repeat(self.yaw[:, None], len(FUTURE), axis=1)
        channels = channels_of(model.input_layout)
        self.phase_vectors = PhaseVectors.begin(model.start, model.rate, count) if channels else None
        self.frame = 0
        self._ground_groups: tuple[Sequence[Ground], list[tuple[Ground, NDArray[np.intp]]]] = (), []

    def __len__(self) -> int:
        return len(self.position)

    def copy(self) -> "LocomotionRuntime":
        """The same characters once more, to go on from here another time."""
        twin = copy(self)
        for name in STATE_ARRAYS:
            setattr(twin, name, getattr(self, name).copy())
        twin.memory = tuple(part.copy() for part in self.memory)
        twin.phase_vectors = deepcopy(self.phase_vectors)
        return twin

    def select(self, rows: NDArray[np.intp]) -> None:
        """Goes on with some of the characters only."""
        self.grounds = [self.grounds[row] for row in rows]
        for name in STATE_ARRAYS:
            setattr(self, name, getattr(self, name)[rows])
        self.memory = tuple(part[rows] for part in self.memory)
        if self.phase_vectors is not None:
            self.phase_vectors.keep(rows)

    def step(self, command: LocomotionCommand, gaits: Array, moving: Array | None = None) -> RuntimeFrames:
        """Advances one frame.

        Args:
            command: what is wanted of the next second.
            gaits: (B, G), at this moment.
            moving: (B) 0 who stands, 1 who goes; from the gaits where not given, which do not say it of who crouches.
        """
        model, layout = self.model, self.model.output_layout
        self._push_history(gaits)
        x, heights = self._network_input(command)
        answer, self.memory = self.network.step((x - model.x_mean) / model.x_std, self.phase, self.memory)
        y = answer * model.y_std + model.y_mean
        contacts = layout.view(y, "contact").astype(float)
        result = RuntimeFrames(self.position, heights, self.yaw, self.phase, contacts, y)
        self._integrate(y, 1.0 - gaits[:, model.gaits.index("stand")] if moving is None else moving)
        self.frame += 1
        return result

    def shift_roots(self, shifts: Array) -> None:
        """Moves the roots by (B, 2), metres: the followers' corrections."""
        self.position = self.position + shifts
        self.expected_positions = self.expected_positions + shifts[:, None]

    def move_with_ground(self, row: int, turn: float, pivot: Array, shift: Array, rise: float) -> None:
        """Moves all that is remembered of a character's root with ground that moves under it.

        Args:
            row: whose.
            turn: radians about ``pivot`` (2), metres, world.
            shift: (2) metres, after the turn.
            rise: metres.
        """
        cosine, sine = np.cos(turn), np.sin(turn)
        about = np.array([[cosine, -sine], [sine, cosine]])
        for name in ("position", "past_positions", "expected_positions"):
            places = getattr(self, name).copy()
            places[row] = (places[row] - pivot) @ about.T + pivot + shift
            setattr(self, name, places)
        for name in ("yaw", "past_yaws", "expected_yaws"):
            yaws = getattr(self, name).copy()
            yaws[row] += turn
            setattr(self, name, yaws)
        self.past_heights[row] += rise

    def _push_history(self, gaits: Array) -> None:
        for memory, value in (
            (self.past_positions, self.position),
            (self.past_yaws, self.yaw),
            (self.past_gaits, gaits),
            (self.past_heights, self.past_heights[:, -1].copy()),
        ):
            memory[:, :-1] = memory[:, 1:]
            memory[:, -1] = value

    def _network_input(self, command: LocomotionCommand) -> tuple[NDArray[np.float32], Array]:
        """The network's inputs (B, n), and the roots' heights (B)."""
        model, layout = self.model, self.model.input_layout
        share = np.arange(1, len(FUTURE) + 1) / len(FUTURE)
        by_position = (1 - (1 - share) ** self.bias.position)[:, None]
        by_direction = (1 - (1 - share) ** self.bias.direction)[:, None]
        ahead = self.expected_positions * (1 - by_position) + command.positions * by_position
        looking = facing(self.expected_yaws) * (1 - by_direction) + facing(command.yaws) * by_direction
        x = np.zeros((len(self), layout.size), dtype=np.float32)
        positions = (
            np.concatenate([self.past_positions[:, PAST_SAMPLE_INDICES], ahead], axis=1) - self.position[:, None]
        )
        directions = np.concatenate([facing(self.past_yaws[:, PAST_SAMPLE_INDICES]), looking], axis=1)
        directions /= np.maximum(np.linalg.norm(directions, axis=-1, keepdims=True), 1e-6)
        here = np.concatenate([self.position[:, None], ahead], axis=1)
        heights = self._terrain_heights(here, directions[:, len(PAST_SAMPLE_INDICES) - 1 :], command.levels)
        self.past_heights[:, -1] = heights[:, 0]
        under = np.concatenate([self.past_heights[:, PAST_SAMPLE_INDICES], heights[:, 1:]], axis=1)
        height = under[..., CENTRE].mean(axis=1)
        if model.knows_terrain:
            layout.view(x, "terrain.height")[:] = under - height[:, None, None]
        yaws = self.yaw[:, None]
        layout.view(x, "trajectory.position")[:] = into_frame(positions, yaws)
        layout.view(x, "trajectory.direction")[:] = into_frame(directions, yaws)
        layout.view(x, "trajectory.gait")[:] = np.concatenate(
            [self.past_gaits[:, PAST_SAMPLE_INDICES], command.gaits], axis=1
        )
        layout.view(x, "pose.position")[:] = self.pose
        layout.view(x, "pose.velocity")[:] = self.velocity
        if self.phase_vectors is not None:
            layout.view(x, "phase.vector")[:] = self.phase_vectors.samples()
        return x, height

    def _terrain_heights(self, positions: Array, directions: Array, levels: Array) -> Array:
        """The ground's heights (B, S, 3) left of, under and right of places (B, S, 2) that are passed in
        ``directions``."""
        across = np.stack([directions[..., 1], -directions[..., 0]], axis=-1)
        places = positions[..., None, :] + across[..., None, :] * (SIDE * np.array(SIDES))[:, None]
        above = np.broadcast_to((levels + MAX_STEP_UP_M)[..., None, None], (*places.shape[:-1], 1))
        points = np.concatenate([places, above], axis=-1)
        heights = np.empty(points.shape[:-1])
        for ground, rows in self._rows_by_ground():
            heights[rows] = ground.heights(points[rows], self.frame)
        pits = levels[..., None] - MAX_STEP_DOWN_M
        # Nobody steps into what is that deep: under the way itself it is a crack that is stepped over.
        cracks = (heights < pits) & (np.array(SIDES) == SIDES[CENTRE])
        return np.where(np.isnan(heights) | cracks, levels[..., None], np.maximum(heights, pits))

    def _rows_by_ground(self) -> list[tuple[Ground, NDArray[np.intp]]]:
        """The grounds, and which characters are on each: those of all who are on the same are asked for at once."""
        if self._ground_groups[0] is not self.grounds:
            rows: dict[object, list[int]] = {}
            for row, one in enumerate(self.grounds):
                rows.setdefault(one if isinstance(one, Plane) else id(one), []).append(row)
            self._ground_groups = self.grounds, [(self.grounds[each[0]], np.array(each)) for each in rows.values()]
        return self._ground_groups[1]

    def _integrate(self, y: NDArray[np.float32], moving: Array) -> None:
        layout, dt = self.model.output_layout, 1 / self.model.rate
        self.pose = layout.view(y, "pose.position").astype(float)
        self.velocity = layout.view(y, "pose.velocity").astype(float)
        if self.phase_vectors is not None:
            self.phase_vectors.advance(layout.view(y, "phase.vector"), layout.view(y, "phase.frequency"), dt)
        rate = layout.view(y, "phase.rate")[:, 0].astype(float)
        self.phase = (self.phase + np.maximum(rate, 0.0) * dt) % 1.0
        going = dt * np.maximum(moving, 0.0) ** STANDING_DAMPING_EXPONENT
        self.position = self.position + out_of_frame(layout.view(y, "root.velocity"), self.yaw) * going[:, None]
        self.yaw = self.yaw + layout.view(y, "root.turn")[:, 0] * going
        yaws = self.yaw[:, None]
        ahead = out_of_frame(layout.view(y, "trajectory.position"), yaws)
        self.expected_positions = self.position[:, None] + ahead
        self.expected_yaws = yaws + yaw_of(layout.view(y, "trajectory.direction"))
