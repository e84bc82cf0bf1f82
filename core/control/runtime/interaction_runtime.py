"""Actors frame by frame (NSM section 4): B characters of one controller that go for goals among things.

What an actor is to do next is a :class:`GoalCommand`. Its place, direction and action take the place of the goals a second
ahead within ``GOAL_BLEND_S`` seconds, so that it can change at any time. The trajectory ahead is what the network expects
as the character sees it, and near the goal as the goal sees it (section 4.2), which brings it to the very place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...features.interaction import ACTIONS, CONTACTS, FUTURE, GOALS, OFFSETS, Moments, Samples, goal_placing
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing, into_frame, out_of_frame, yaw_of
from ...motion.rotations import Array
from ...scene.collider_pose import PosedCollider
from ...scene.environment_sensor import sense_environment
from ...scene.interaction_sensor import CELL_COUNT as CELLS
from ...scene.interaction_sensor import InteractionVolume
from ..navigation.flow_field import BODY_HEIGHT_RANGE_M, FlowField

PAST_FRAMES: Final = -OFFSETS[0]
PAST_SAMPLE_INDICES: Final = [offset + PAST_FRAMES for offset in OFFSETS if offset <= 0]
"""Where the samples up to now are in what is remembered."""
GOAL_BLEND_S: Final = 0.35
"""Seconds in which goals ahead go over to a new target (by nine tenths)."""
OCCUPANCY_RETENTION_SHARE: Final = 0.9
"""Share of how full cells were a frame ago that they still are: another thing comes in slowly."""
ACTIVATION_THRESHOLD: Final = 0.5
STEERING_FADE_RANGE_M: Final = (1.0, 2.0)
"""Metres from the goal from which the trajectory ahead is led towards it, and from which it is as much as it may."""
STEERING_TURN_RATE_RAD_S: Final = 2.0
"""Radians a second at which it is led round."""
STEERING_SPEEDS_M_S: Final = {"walk": 1.15, "run": 2.8}
"""Metres a second at which it is led."""
MIN_STEERING_SPEED_SHARE: Final = 0.35
"""Share of that of who faces away."""
COMMANDED_ACTION_INDICES: Final = [ACTIONS.index(action) for action in ("run", "sit", "open", "carry", "climb")]
"""Actions that somebody does only when told to."""
CARRY_ACTION_INDEX: Final = ACTIONS.index("carry")
BODY_RADIUS_M: Final = 0.17
"""Metres from a solid thing to the root."""
COLLISION_CORRECTION_SHARE: Final = 0.5
"""Share of what is missing of that by which somebody is moved aside in a frame."""
ROOT_PULL_S: Final = 0.5
"""Seconds in which who does something is brought to where they do it, by nine tenths; ..."""
MAX_ROOT_PULL_M_S, MAX_ROOT_PULL_RAD = 0.35, 0.6
"""... at so many metres a second at most, and so many radians of what they are turned amiss."""
STANDING_DAMPING_EXPONENT: Final = 0.25
"""The root of who idles does not creep: its motion is scaled by the share of not idling to this power."""


@dataclass(frozen=True, slots=True, eq=False)
class GoalCommand:
    """What an actor is to do, and with what.

    Attributes:
        action: one of ``interaction.GOALS``.
        position: (3) of the thing, metres, world; where to go, on the ground, of who walks or runs.
        direction: (2) the thing's front; which way to face at the end.
        volume: the thing's cells; ``None`` without a thing.
        ways: to where it is gone for; straight on without.
        beyond: metres from there to the thing; less than 0 where the way goes on behind it.
        rest: (2) where the root is while it is done, metres, world, (2) which way it faces then, and how much, from 0
            to 1, somebody is brought there now.
        begins: how much, from 0 to 1, somebody is told that they are about to do it.
    """

    action: str
    position: Array
    direction: Array
    volume: InteractionVolume | None = None
    flow_field: FlowField | None = None
    path_end_offset: float = 0.0
    root_target: tuple[Array, Array, float] | None = None
    anticipation: float = 0.0

    def look_ahead(self, position: Array) -> tuple[Array, float]:
        """Where (2) somebody at a position (2) looks who goes for it, and how far they are from it, metres."""
        if self.flow_field is None:
            return self.position[:2], float(np.linalg.norm(self.position[:2] - position))
        point, length = self.flow_field.look_ahead(position)
        return point, length + self.path_end_offset


@dataclass(frozen=True, slots=True, eq=False)
class InteractionFrame:
    """One frame of B actors.

    Attributes:
        position: (B, 2) of the roots, metres, world.
        yaw: (B) radians.
        phase: (B) cycles.
        actions: (B, 7) what is done.
        contacts: (B, 7) probabilities, of ``interaction.CONTACTS``.
        output: (B, m), the network's answer; the pose is in the root's frame.
        goal_weight: (B) from 0, the trajectory is the character's own, to 1, it is the goal's.
    """

    position: Array
    yaw: Array
    phase: Array
    actions: Array
    contacts: Array
    output: NDArray[np.float32]
    goal_weight: Array


class InteractionRuntime:
    """B characters of one controller, each idling where it is put until it has a target.

    Args:
        model: a controller that interacts.
        positions: (B, 2) metres, world.
        yaws: (B) radians; zero faces +Y.
        both: whether the goal's view counts, of the trajectory and of where one rests (section 4.2); without it for
            comparison.

    Attributes:
        sensed, seen: what the network was told in the last step, and that normalised; ``None`` before the first.
        views: the trajectory ahead (B, 6, 2) in the world as the character sees it, and as the goal does.
    """

    def __init__(self, model: ControllerModel, positions: Array, yaws: ArrayLike, bidirectional: bool = True) -> None:
        self.model, self.bidirectional = model, bidirectional
        self.network = model.network()
        self.position = np.array(positions, dtype=float)
        self.yaw = np.array(yaws, dtype=float)
        count = len(self.position)
        self.memory = self.network.begin(count)
        self.phase = np.full(count, float(model.start["phase"]))
        self.pose = np.repeat(np.asarray(model.start["position"], dtype=float)[None], count, axis=0)
        self.velocity = np.repeat(np.asarray(model.start["velocity"], dtype=float)[None], count, axis=0)
        idle = np.zeros((count, len(ACTIONS)))
        idle[:, ACTIONS.index("idle")] = 1.0
        self.past_samples = _standing_samples(self.position, self.yaw, idle, PAST_FRAMES + 1)
        self.future_samples = _standing_samples(self.position, self.yaw, idle, len(FUTURE))
        places = np.column_stack([self.position, np.zeros(count)])
        wanted = idle[:, : len(GOALS)]
        self.past_goal_samples = _standing_samples(places, self.yaw, wanted, PAST_FRAMES + 1)
        self.future_goal_samples = _standing_samples(places, self.yaw, wanted, len(FUTURE))
        self.occupancy: Array | None = None
        self.carry_limits = np.tile([0.0, 1.0], (count, 1))
        self.observation: Moments | None = None
        self.network_input: NDArray[np.float32] | None = None
        self.predicted_trajectories: tuple[Array, Array] = (
            self.future_samples.positions,
            self.future_samples.positions,
        )

    def __len__(self) -> int:
        return len(self.position)

    def step(
        self,
        commands: Sequence[GoalCommand],
        sensed_colliders: Sequence[PosedCollider],
        carry_limits: ArrayLike = (0.0, 1.0),
        solid_colliders: Sequence[PosedCollider] = (),
    ) -> InteractionFrame:
        """Advances one frame.

        Args:
            commands: (B) of each actor.
            sensed_colliders: all that is about, for the environment sensor.
            carry_limits: (B, 2) how far somebody can be carrying, at least and at most: who has something far from where it
                shall be carries it, and who is far from what they fetch does not.
            solid_colliders: what nobody gets through.
        """
        self.carry_limits = np.broadcast_to(np.asarray(carry_limits, dtype=float), (len(self), 2))
        model, layout = self.model, self.model.output_layout
        self._blend_goals(commands)
        self.observation = self._observe(commands, sensed_colliders)
        self.network_input = (self.observation.inputs(model.input_layout) - model.x_mean) / model.x_std
        answer, self.memory = self.network.step(self.network_input, self.phase, self.memory)
        y = answer * model.y_std + model.y_mean
        actions = self.past_samples.actions[:, -1]
        return InteractionFrame(
            self.position,
            self.yaw,
            self.phase,
            actions,
            np.clip(layout.view(y, "contact").astype(float), 0.0, 1.0),
            y,
            self._integrate(y, commands, solid_colliders),
        )

    def _blend_goals(self, commands: Sequence[GoalCommand]) -> None:
        """Moves the goals ahead on towards the targets."""
        share = 1 - 0.1 ** (1 / (GOAL_BLEND_S * self.model.rate))
        positions = np.stack([target.position for target in commands])[:, None]
        directions = np.stack([target.direction for target in commands])[:, None]
        actions = np.stack([np.array(GOALS) == target.action for target in commands]).astype(float)[:, None]
        turned = self.future_goal_samples.directions + share * (directions - self.future_goal_samples.directions)
        self.future_goal_samples = Samples(
            self.future_goal_samples.positions + share * (positions - self.future_goal_samples.positions),
            _unit_vectors(turned, directions),
            self.future_goal_samples.actions + share * (actions - self.future_goal_samples.actions),
        )
        now = Samples(
            self.future_goal_samples.positions[:, 0],
            self.future_goal_samples.directions[:, 0],
            self.future_goal_samples.actions[:, 0],
        )
        self.past_goal_samples = _push_sample(self.past_goal_samples, now)

    def _observe(self, commands: Sequence[GoalCommand], sensed_colliders: Sequence[PosedCollider]) -> Moments:
        goals = _window_samples(self.past_goal_samples, self.future_goal_samples)
        origin = np.column_stack([self.position, np.zeros(len(self))])
        positions, rotations = goal_placing(goals)
        cells = np.zeros((len(self), CELLS, 4))
        for row, target in enumerate(commands):
            if target.volume is None:
                cells[row, :, :3] = into_frame(positions[row] - origin[row], self.yaw[row])
            else:
                cells[row] = target.volume.sense(
                    positions[row], rotations[row], origin[row : row + 1], self.yaw[row : row + 1]
                )[0]
        if self.occupancy is not None:
            cells[..., 3] += OCCUPANCY_RETENTION_SHARE * (self.occupancy - cells[..., 3])
        self.occupancy = cells[..., 3]
        return Moments(
            positions=self.position,
            yaws=self.yaw,
            trajectory=_window_samples(self.past_samples, self.future_samples),
            goals=goals,
            pose=self.pose,
            velocity=self.velocity,
            environment=sense_environment(origin, self.yaw, sensed_colliders),
            interaction=cells,
            phase=self.phase,
        )

    def _integrate(
        self, y: NDArray[np.float32], commands: Sequence[GoalCommand], solid_colliders: Sequence[PosedCollider]
    ) -> Array:
        """Moves on by an answer; returns how near the goals are (B), see :class:`InteractionFrame`."""
        layout, dt = self.model.output_layout, 1 / self.model.rate
        self.pose = layout.view(y, "pose.position").astype(float)
        self.velocity = layout.view(y, "pose.velocity").astype(float)
        self.phase = (self.phase + np.maximum(layout.view(y, "phase.rate")[:, 0].astype(float), 0.0) * dt) % 1.0
        # Sitting down has ended, and its phase with it; a phase that crept on would end in standing up.
        sits = self.future_goal_samples.actions[:, 0, GOALS.index("sit")] > ACTIVATION_THRESHOLD
        self.phase[sits & (layout.view(y, "contact")[:, CONTACTS.index("hips")] > ACTIVATION_THRESHOLD)] = 0.0
        actions = self._clamp_actions(np.clip(layout.view(y, "trajectory.action").astype(float), 0.0, 1.0))
        going = dt * (1 - actions[:, 0, ACTIONS.index("idle")]) ** STANDING_DAMPING_EXPONENT
        self.position = self.position + out_of_frame(layout.view(y, "root.velocity"), self.yaw) * going[:, None]
        for thing in solid_colliders:
            for row, place in enumerate(self.position):
                self.position[row] = place + COLLISION_CORRECTION_SHARE * thing.clearance_displacement(
                    place, *BODY_HEIGHT_RANGE_M, BODY_RADIUS_M
                )
        self.yaw = self.yaw + layout.view(y, "root.turn")[:, 0] * going
        self._pull_roots(commands)
        yaws = self.yaw[:, None]
        own = Samples(
            self.position[:, None] + out_of_frame(layout.view(y, "trajectory.position").astype(float), yaws),
            out_of_frame(layout.view(y, "trajectory.direction").astype(float), yaws),
            actions[:, 1:],
        )
        fused, nearing = self._blend_trajectories(own, y)
        self.future_samples = self._steer_trajectory(fused, commands)
        self.past_samples = _push_sample(self.past_samples, Samples(self.position, facing(self.yaw), actions[:, 0]))
        return nearing

    def _pull_roots(self, commands: Sequence[GoalCommand]) -> None:
        """Brings who does something to the very place where they do it, as section 4.2's goal-centric pose does."""
        for row, target in enumerate(commands):
            if target.root_target is None or not self.bidirectional:
                continue
            place, direction, share = target.root_target
            share *= 1 - 0.1 ** (1 / (ROOT_PULL_S * self.model.rate))
            way = place - self.position[row]
            fastest = MAX_ROOT_PULL_M_S / self.model.rate / max(float(np.linalg.norm(way)), 1e-9)
            self.position[row] += min(share, fastest) * way
            turn = (float(yaw_of(direction)) - self.yaw[row] + np.pi) % (2 * np.pi) - np.pi
            self.yaw[row] += share * float(np.clip(turn, -MAX_ROOT_PULL_RAD, MAX_ROOT_PULL_RAD))

    def _clamp_actions(self, actions: Array) -> Array:
        """Actions (B, 7, 7), now and ahead, without those that nobody asked for: they end but do not begin, since a
        network that sees itself do something believes that it should.
        """
        wanted = np.concatenate(
            [self.future_goal_samples.actions[:, 0], np.zeros((len(self), len(ACTIONS) - len(GOALS)))], axis=1
        )
        limit = np.maximum(self.past_samples.actions[:, -1], wanted)[:, None]
        kept = actions.copy()
        kept[..., COMMANDED_ACTION_INDICES] = np.minimum(
            actions[..., COMMANDED_ACTION_INDICES], limit[..., COMMANDED_ACTION_INDICES]
        )
        kept[:, 0, CARRY_ACTION_INDEX] = np.clip(kept[:, 0, CARRY_ACTION_INDEX], *self.carry_limits.T)
        # Who would have run walks.
        run, walk = ACTIONS.index("run"), ACTIONS.index("walk")
        kept[..., walk] = np.minimum(kept[..., walk] + actions[..., run] - kept[..., run], 1.0)
        return kept

    def _blend_trajectories(self, egocentric: Samples, y: NDArray[np.float32]) -> tuple[Samples, Array]:
        """The trajectory ahead, of the character's view and the goal's (section 4.2); how much the latter counts."""
        layout, goals = self.model.output_layout, self.future_goal_samples
        if not self.bidirectional:
            return _normalize_directions(egocentric), np.zeros(len(self))
        facings = yaw_of(goals.directions)
        places = goals.positions[..., :2] + out_of_frame(layout.view(y, "goalwise.position").astype(float), facings)
        self.predicted_trajectories = egocentric.positions, places
        directions = out_of_frame(layout.view(y, "goalwise.direction").astype(float), facings)
        distance = np.linalg.norm(goals.positions[..., :2] - self.position[:, None], axis=-1)
        # The later a sample and the nearer the goal, the more its view counts.
        share = ((np.arange(len(FUTURE)) + 1) / (len(FUTURE) + 1)) ** np.square(distance)
        share = share[..., None]
        fused = Samples(
            egocentric.positions + share * (places - egocentric.positions),
            egocentric.directions + share * (directions - egocentric.directions),
            egocentric.actions,
        )
        return _normalize_directions(fused), share[:, -1, 0]

    def _steer_trajectory(self, trajectory: Samples, commands: Sequence[GoalCommand]) -> Samples:
        """The trajectory ahead led on the way towards goals that are far."""
        looks = [target.look_ahead(position) for target, position in zip(commands, self.position, strict=True)]
        offset = np.stack([point for point, _ in looks]) - self.position
        distance = np.array([length for _, length in looks])
        seconds = np.array(FUTURE) / self.model.rate
        share = (
            np.clip(
                (distance - STEERING_FADE_RANGE_M[0]) / (STEERING_FADE_RANGE_M[1] - STEERING_FADE_RANGE_M[0]), 0.0, 1.0
            )[:, None]
            * seconds
            / seconds[-1]
        )
        error = (yaw_of(offset) - self.yaw + np.pi) % (2 * np.pi) - np.pi
        yaws = self.yaw[:, None] + np.clip(
            error[:, None], -STEERING_TURN_RATE_RAD_S * seconds, STEERING_TURN_RATE_RAD_S * seconds
        )
        runs = self.future_goal_samples.actions[:, 0, GOALS.index("run")] > ACTIVATION_THRESHOLD
        paces = np.where(runs, STEERING_SPEEDS_M_S["run"], STEERING_SPEEDS_M_S["walk"]) * np.clip(
            np.cos(error), MIN_STEERING_SPEED_SHARE, 1.0
        )
        steps = paces[:, None, None] * (seconds[1] - seconds[0]) * facing(yaws)
        positions = self.position[:, None] + np.cumsum(steps, axis=1)
        doing = np.where(runs[:, None], _one_hot_action("run"), _one_hot_action("walk"))[:, None]
        begins = (
            np.array([target.anticipation for target in commands])[:, None, None] * (seconds / seconds[-1])[:, None]
        )
        wanted = np.stack([_one_hot_action(target.action) for target in commands])[:, None]
        actions = np.maximum(trajectory.actions, begins * wanted)
        share = share[..., None]
        return _normalize_directions(
            Samples(
                trajectory.positions + share * (positions - trajectory.positions),
                trajectory.directions + share * (facing(yaws) - trajectory.directions),
                actions + share * (doing - actions),
            )
        )


def _one_hot_action(action: str) -> Array:
    """One action alone (7)."""
    return np.eye(len(ACTIONS))[ACTIONS.index(action)]


def _standing_samples(positions: Array, yaws: Array, actions: Array, count: int) -> Samples:
    """So many samples of who stays where they are."""
    one = Samples(positions[:, None], facing(yaws)[:, None], actions[:, None])
    return Samples(*(np.repeat(part, count, axis=1) for part in (one.positions, one.directions, one.actions)))


def _push_sample(past: Samples, current: Samples) -> Samples:
    """What is remembered of each frame (B, 61), with this moment (B) after it and without its first."""
    parts = (
        (past.positions, current.positions),
        (past.directions, current.directions),
        (past.actions, current.actions),
    )
    return Samples(*(np.concatenate([old[:, 1:], new[:, None]], axis=1) for old, new in parts))


def _window_samples(past: Samples, future: Samples) -> Samples:
    """The thirteen samples, of each frame that is remembered and of what is ahead."""
    parts = ((past.positions, future.positions), (past.directions, future.directions), (past.actions, future.actions))
    return Samples(*(np.concatenate([old[:, PAST_SAMPLE_INDICES], new], axis=1) for old, new in parts))


def _normalize_directions(samples: Samples) -> Samples:
    """Samples whose directions have the length one."""
    return replace(samples, directions=_unit_vectors(samples.directions, samples.directions))


def _unit_vectors(vectors: Array, fallback: Array) -> Array:
    """Vectors (..., 2) of length one; ``fallback`` where they have none."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(length > 1e-6, vectors / np.maximum(length, 1e-6), fallback)
