"""A controller frame by frame (PFNN section 6): the character's state, and one step of its network under a commanded
trajectory.
"""

from dataclasses import dataclass

import numpy as np

from ..features.locomotion import FUTURE, OFFSETS, SIDE, channels_of
from ..features.phase_vectors import PhaseVectors
from ..features.root import facing, into_frame, out_of_frame, yaw_of
from ..features.terrain import CENTRE, SIDES
from ..models.model_file import ControllerModel
from ..motion.rotations import Array
from ..terrain.ground import Ground, Plane
from .profile import DROP, REACH

PAST = -OFFSETS[0]
# Eq. 9's biases, in the form 1 - (1 - t)^bias: how soon along the future the command overrules the network.
POSITION_BIAS = 2.0
DIRECTION_BIAS = 5.0
# The root of who stands does not creep: its motion is scaled by the share of not standing to this power.
STANDING_STILL = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """What is wanted of the next second at the S = 5 future samples.

    Attributes:
        positions: (S, 2) metres, world.
        yaws: (S) radians.
        gaits: (S, G).
        levels: (S + 1) about how high the ground is, metres, now and at the samples: from somewhat above, it is looked
            for.
    """

    positions: Array
    yaws: Array
    gaits: Array
    levels: Array


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One frame of the result: root before the step, pose in its frame, contact probabilities (4) and phase.

    The root's height is the mean of the ground's under the trajectory, a second back and a second ahead (section 6).
    """

    position: Array
    height: float
    yaw: float
    phase: float
    contacts: Array
    output: Array


class Character:
    """A character driven by a network: it stands at ``position`` facing ``yaw`` until it is told otherwise.

    Args:
        model: the controller.
        position: (2) metres, world.
        yaw: radians; zero faces +Y.
        level: height of the ground there, metres.
        ground: what is walked on; level ground where not given.
    """

    def __init__(
        self, model: ControllerModel, position: Array, yaw: float, level: float = 0.0, ground: Ground | None = None
    ) -> None:
        self.model = model
        self.ground = ground or Plane(level)
        self.network = model.network()
        self.memory = self.network.begin(1)
        self.position = np.array(position, dtype=float)
        self.yaw = float(yaw)
        self.phase = float(model.start["phase"])
        self.pose = np.array(model.start["position"], dtype=float)
        self.velocity = np.array(model.start["velocity"], dtype=float)
        standing = np.zeros(len(model.gaits))
        standing[model.gaits.index("stand")] = 1.0
        self.past_positions = np.repeat(self.position[None], PAST + 1, axis=0)
        self.past_yaws = np.full(PAST + 1, self.yaw)
        self.past_gaits = np.repeat(standing[None], PAST + 1, axis=0)
        self.past_heights = np.full((PAST + 1, len(SIDES)), level)
        self.vectors = PhaseVectors.begin(model.start, model.rate) if channels_of(model.input_layout) else None
        self.frame = 0
        self.expected_positions = np.repeat(self.position[None], len(FUTURE), axis=0)
        self.expected_yaws = np.full(len(FUTURE), self.yaw)

    def step(self, command: Command, gait: Array, moving: float | None = None) -> Step:
        """Advances one frame.

        Args:
            command: what is wanted of the next second.
            gait: (G), at this moment.
            moving: 0 who stands, 1 who goes; from the gait where not given, which does not say it of who crouches.
        """
        model = self.model
        self._remember(gait)
        x, height = self._input(command)
        normalised = (x - model.x_mean) / model.x_std
        answer, self.memory = self.network.step(normalised[None], np.array([self.phase]), self.memory)
        y = answer[0] * model.y_std + model.y_mean
        layout = model.output_layout
        result = Step(self.position.copy(), height, self.yaw, self.phase, layout.view(y, "contact").astype(float), y)
        self._advance(y, 1.0 - float(gait[model.gaits.index("stand")]) if moving is None else moving)
        self.frame += 1
        return result

    def nudge(self, shift: Array) -> None:
        """Moves the root (2), metres: the follower's correction."""
        self.position = self.position + shift
        self.expected_positions = self.expected_positions + shift

    def ride(self, turn: float, pivot: Array, shift: Array, rise: float) -> None:
        """Moves all that is remembered of the root with ground that moves under it.

        Args:
            turn: radians about ``pivot`` (2), metres, world.
            shift: (2) metres, after the turn.
            rise: metres.
        """
        cosine, sine = np.cos(turn), np.sin(turn)
        about = np.array([[cosine, -sine], [sine, cosine]])
        for name in ("position", "past_positions", "expected_positions"):
            setattr(self, name, (getattr(self, name) - pivot) @ about.T + pivot + shift)
        self.yaw += turn
        self.past_yaws += turn
        self.expected_yaws = self.expected_yaws + turn
        self.past_heights += rise

    def _remember(self, gait: Array) -> None:
        for memory, value in (
            (self.past_positions, self.position),
            (self.past_yaws, self.yaw),
            (self.past_gaits, gait),
            (self.past_heights, self.past_heights[-1]),
        ):
            memory[:-1] = memory[1:]
            memory[-1] = value

    def _input(self, command: Command) -> tuple[Array, float]:
        """The network's input, and the root's height."""
        model, layout = self.model, self.model.input_layout
        share = np.arange(1, len(FUTURE) + 1) / len(FUTURE)
        by_position = (1 - (1 - share) ** POSITION_BIAS)[:, None]
        by_direction = (1 - (1 - share) ** DIRECTION_BIAS)[:, None]
        ahead = self.expected_positions * (1 - by_position) + command.positions * by_position
        looking = facing(self.expected_yaws) * (1 - by_direction) + facing(command.yaws) * by_direction
        known = [offset + PAST for offset in OFFSETS if offset <= 0]
        x = np.zeros(layout.size, dtype=np.float32)
        positions = np.concatenate([self.past_positions[known], ahead]) - self.position
        directions = np.concatenate([facing(self.past_yaws[known]), looking])
        directions /= np.maximum(np.linalg.norm(directions, axis=-1, keepdims=True), 1e-6)
        heights = self._heights(
            np.concatenate([self.position[None], ahead]), directions[len(known) - 1 :], command.levels
        )
        self.past_heights[-1] = heights[0]
        under = np.concatenate([self.past_heights[known], heights[1:]])
        height = float(under[:, CENTRE].mean())
        if model.knows_terrain:
            layout.view(x, "terrain.height")[:] = under - height
        layout.view(x, "trajectory.position")[:] = into_frame(positions, np.asarray(self.yaw))
        layout.view(x, "trajectory.direction")[:] = into_frame(directions, np.asarray(self.yaw))
        layout.view(x, "trajectory.gait")[:] = np.concatenate([self.past_gaits[known], command.gaits])
        layout.view(x, "pose.position")[:] = self.pose
        layout.view(x, "pose.velocity")[:] = self.velocity
        if self.vectors is not None:
            layout.view(x, "phase.vector")[:] = self.vectors.samples()
        return x, height

    def _heights(self, positions: Array, directions: Array, levels: Array) -> Array:
        """The ground's heights (S, 3) left of, under and right of places (S, 2) that are passed in ``directions``."""
        across = np.stack([directions[:, 1], -directions[:, 0]], axis=-1)
        places = positions[:, None] + across[:, None] * (SIDE * np.array(SIDES))[:, None]
        above = np.broadcast_to((levels + REACH)[:, None, None], (*places.shape[:-1], 1))
        heights = self.ground.heights(np.concatenate([places, above], axis=-1), self.frame)
        pits = levels[:, None] - DROP
        # Nobody steps into what is that deep: under the way itself it is a crack that is stepped over.
        cracks = (heights < pits) & (np.array(SIDES) == SIDES[CENTRE])
        return np.where(np.isnan(heights) | cracks, levels[:, None], np.maximum(heights, pits))

    def _advance(self, y: Array, moving: float) -> None:
        layout, dt = self.model.output_layout, 1 / self.model.rate
        self.pose = layout.view(y, "pose.position").astype(float)
        self.velocity = layout.view(y, "pose.velocity").astype(float)
        if self.vectors is not None:
            self.vectors.advance(layout.view(y, "phase.vector"), layout.view(y, "phase.frequency"), dt)
        self.phase = float((self.phase + max(float(layout.view(y, "phase.rate")[0]), 0.0) * dt) % 1.0)
        going = dt * max(moving, 0.0) ** STANDING_STILL
        self.position = self.position + out_of_frame(layout.view(y, "root.velocity"), np.asarray(self.yaw)) * going
        self.yaw += float(layout.view(y, "root.turn")[0]) * going
        yaw = np.asarray(self.yaw)
        self.expected_positions = self.position + out_of_frame(layout.view(y, "trajectory.position"), yaw)
        self.expected_yaws = self.yaw + yaw_of(layout.view(y, "trajectory.direction"))
