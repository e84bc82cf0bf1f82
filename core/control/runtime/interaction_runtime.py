"""Actors frame by frame (NSM section 4): B characters of one controller that go for goals among things.

What an actor is to do next is a :class:`Target`. Its place, direction and action take the place of the goals a second
ahead within ``SWITCHING`` seconds, so that it can change at any time. The trajectory ahead is what the network expects
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
from ...scene.collider_pose import Placed
from ...scene.environment_sensor import sense_environment
from ...scene.interaction_sensor import COUNT as CELLS
from ...scene.interaction_sensor import InteractionVolume
from ..navigation.flow_field import HEIGHTS, Ways

PAST: Final = -OFFSETS[0]
BEFORE: Final = [offset + PAST for offset in OFFSETS if offset <= 0]
"""Where the samples up to now are in what is remembered."""
SWITCHING: Final = 0.35
"""Seconds in which goals ahead go over to a new target (by nine tenths)."""
SETTLING: Final = 0.9
"""Share of how full cells were a frame ago that they still are: another thing comes in slowly."""
HELD: Final = 0.5
LED: Final = (1.0, 2.0)
"""Metres from the goal from which the trajectory ahead is led towards it, and from which it is as much as it may."""
TURNING: Final = 2.0
"""Radians a second at which it is led round."""
PACES: Final = {"walk": 1.15, "run": 2.8}
"""Metres a second at which it is led."""
SLOWEST: Final = 0.35
"""Share of that of who faces away."""
ASKED: Final = [ACTIONS.index(action) for action in ("run", "sit", "open", "carry", "climb")]
"""Actions that somebody does only when told to."""
CARRY: Final = ACTIONS.index("carry")
BODY: Final = 0.17
"""Metres from a solid thing to the root."""
GIVING: Final = 0.5
"""Share of what is missing of that by which somebody is moved aside in a frame."""
PULLED: Final = 0.5
"""Seconds in which who does something is brought to where they do it, by nine tenths; ..."""
PULL, TURN = 0.35, 0.6
"""... at so many metres a second at most, and so many radians of what they are turned amiss."""
STANDING_STILL: Final = 0.25
"""The root of who idles does not creep: its motion is scaled by the share of not idling to this power."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
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
    ways: Ways | None = None
    beyond: float = 0.0
    rest: tuple[Array, Array, float] | None = None
    begins: float = 0.0

    def ahead(self, position: Array) -> tuple[Array, float]:
        """Where (2) somebody at a position (2) looks who goes for it, and how far they are from it, metres."""
        if self.ways is None:
            return self.position[:2], float(np.linalg.norm(self.position[:2] - position))
        point, length = self.ways.ahead(position)
        return point, length + self.beyond


@dataclass(frozen=True, slots=True, eq=False)
class Acted:
    """One frame of B actors.

    Attributes:
        position: (B, 2) of the roots, metres, world.
        yaw: (B) radians.
        phase: (B) cycles.
        actions: (B, 7) what is done.
        contacts: (B, 7) probabilities, of ``interaction.CONTACTS``.
        output: (B, m), the network's answer; the pose is in the root's frame.
        nearing: (B) from 0, the trajectory is the character's own, to 1, it is the goal's.
    """

    position: Array
    yaw: Array
    phase: Array
    actions: Array
    contacts: Array
    output: NDArray[np.float32]
    nearing: Array


class Actors:
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

    def __init__(self, model: ControllerModel, positions: Array, yaws: ArrayLike, both: bool = True) -> None:
        self.model, self.both = model, both
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
        self.past = _still(self.position, self.yaw, idle, PAST + 1)
        self.ahead = _still(self.position, self.yaw, idle, len(FUTURE))
        places = np.column_stack([self.position, np.zeros(count)])
        wanted = idle[:, : len(GOALS)]
        self.past_goals = _still(places, self.yaw, wanted, PAST + 1)
        self.goals = _still(places, self.yaw, wanted, len(FUTURE))
        self.filled: Array | None = None
        self.carrying = np.tile([0.0, 1.0], (count, 1))
        self.sensed: Moments | None = None
        self.seen: NDArray[np.float32] | None = None
        self.views: tuple[Array, Array] = (self.ahead.positions, self.ahead.positions)

    def __len__(self) -> int:
        return len(self.position)

    def step(
        self,
        targets: Sequence[Target],
        things: Sequence[Placed],
        carrying: ArrayLike = (0.0, 1.0),
        solid: Sequence[Placed] = (),
    ) -> Acted:
        """Advances one frame.

        Args:
            targets: (B) of each actor.
            things: all that is about, for the environment sensor.
            carrying: (B, 2) how far somebody can be carrying, at least and at most: who has something far from where it
                shall be carries it, and who is far from what they fetch does not.
            solid: what nobody gets through.
        """
        self.carrying = np.broadcast_to(np.asarray(carrying, dtype=float), (len(self), 2))
        model, layout = self.model, self.model.output_layout
        self._seek(targets)
        self.sensed = self._sense(targets, things)
        self.seen = (self.sensed.inputs(model.input_layout) - model.x_mean) / model.x_std
        answer, self.memory = self.network.step(self.seen, self.phase, self.memory)
        y = answer * model.y_std + model.y_mean
        actions = self.past.actions[:, -1]
        return Acted(
            self.position,
            self.yaw,
            self.phase,
            actions,
            np.clip(layout.view(y, "contact").astype(float), 0.0, 1.0),
            y,
            self._advance(y, targets, solid),
        )

    def _seek(self, targets: Sequence[Target]) -> None:
        """Moves the goals ahead on towards the targets."""
        share = 1 - 0.1 ** (1 / (SWITCHING * self.model.rate))
        positions = np.stack([target.position for target in targets])[:, None]
        directions = np.stack([target.direction for target in targets])[:, None]
        actions = np.stack([np.array(GOALS) == target.action for target in targets]).astype(float)[:, None]
        turned = self.goals.directions + share * (directions - self.goals.directions)
        self.goals = Samples(
            self.goals.positions + share * (positions - self.goals.positions),
            _unit(turned, directions),
            self.goals.actions + share * (actions - self.goals.actions),
        )
        now = Samples(self.goals.positions[:, 0], self.goals.directions[:, 0], self.goals.actions[:, 0])
        self.past_goals = _followed(self.past_goals, now)

    def _sense(self, targets: Sequence[Target], things: Sequence[Placed]) -> Moments:
        goals = _joined(self.past_goals, self.goals)
        origin = np.column_stack([self.position, np.zeros(len(self))])
        positions, rotations = goal_placing(goals)
        cells = np.zeros((len(self), CELLS, 4))
        for row, target in enumerate(targets):
            if target.volume is None:
                cells[row, :, :3] = into_frame(positions[row] - origin[row], self.yaw[row])
            else:
                cells[row] = target.volume.sense(
                    positions[row], rotations[row], origin[row : row + 1], self.yaw[row : row + 1]
                )[0]
        if self.filled is not None:
            cells[..., 3] += SETTLING * (self.filled - cells[..., 3])
        self.filled = cells[..., 3]
        return Moments(
            positions=self.position,
            yaws=self.yaw,
            trajectory=_joined(self.past, self.ahead),
            goals=goals,
            pose=self.pose,
            velocity=self.velocity,
            environment=sense_environment(origin, self.yaw, things),
            interaction=cells,
            phase=self.phase,
        )

    def _advance(self, y: NDArray[np.float32], targets: Sequence[Target], solid: Sequence[Placed]) -> Array:
        """Moves on by an answer; returns how near the goals are (B), see :class:`Acted`."""
        layout, dt = self.model.output_layout, 1 / self.model.rate
        self.pose = layout.view(y, "pose.position").astype(float)
        self.velocity = layout.view(y, "pose.velocity").astype(float)
        self.phase = (self.phase + np.maximum(layout.view(y, "phase.rate")[:, 0].astype(float), 0.0) * dt) % 1.0
        # Sitting down has ended, and its phase with it; a phase that crept on would end in standing up.
        sits = self.goals.actions[:, 0, GOALS.index("sit")] > HELD
        self.phase[sits & (layout.view(y, "contact")[:, CONTACTS.index("hips")] > HELD)] = 0.0
        actions = self._asked(np.clip(layout.view(y, "trajectory.action").astype(float), 0.0, 1.0))
        going = dt * (1 - actions[:, 0, ACTIONS.index("idle")]) ** STANDING_STILL
        self.position = self.position + out_of_frame(layout.view(y, "root.velocity"), self.yaw) * going[:, None]
        for thing in solid:
            for row, place in enumerate(self.position):
                self.position[row] = place + GIVING * thing.aside(place, *HEIGHTS, BODY)
        self.yaw = self.yaw + layout.view(y, "root.turn")[:, 0] * going
        self._pull(targets)
        yaws = self.yaw[:, None]
        own = Samples(
            self.position[:, None] + out_of_frame(layout.view(y, "trajectory.position").astype(float), yaws),
            out_of_frame(layout.view(y, "trajectory.direction").astype(float), yaws),
            actions[:, 1:],
        )
        fused, nearing = self._fused(own, y)
        self.ahead = self._led(fused, targets)
        self.past = _followed(self.past, Samples(self.position, facing(self.yaw), actions[:, 0]))
        return nearing

    def _pull(self, targets: Sequence[Target]) -> None:
        """Brings who does something to the very place where they do it, as section 4.2's goal-centric pose does."""
        for row, target in enumerate(targets):
            if target.rest is None or not self.both:
                continue
            place, direction, share = target.rest
            share *= 1 - 0.1 ** (1 / (PULLED * self.model.rate))
            way = place - self.position[row]
            fastest = PULL / self.model.rate / max(float(np.linalg.norm(way)), 1e-9)
            self.position[row] += min(share, fastest) * way
            turn = (float(yaw_of(direction)) - self.yaw[row] + np.pi) % (2 * np.pi) - np.pi
            self.yaw[row] += share * float(np.clip(turn, -TURN, TURN))

    def _asked(self, actions: Array) -> Array:
        """Actions (B, 7, 7), now and ahead, without those that nobody asked for: they end but do not begin, since a
        network that sees itself do something believes that it should.
        """
        wanted = np.concatenate([self.goals.actions[:, 0], np.zeros((len(self), len(ACTIONS) - len(GOALS)))], axis=1)
        limit = np.maximum(self.past.actions[:, -1], wanted)[:, None]
        kept = actions.copy()
        kept[..., ASKED] = np.minimum(actions[..., ASKED], limit[..., ASKED])
        kept[:, 0, CARRY] = np.clip(kept[:, 0, CARRY], *self.carrying.T)
        # Who would have run walks.
        run, walk = ACTIONS.index("run"), ACTIONS.index("walk")
        kept[..., walk] = np.minimum(kept[..., walk] + actions[..., run] - kept[..., run], 1.0)
        return kept

    def _fused(self, own: Samples, y: NDArray[np.float32]) -> tuple[Samples, Array]:
        """The trajectory ahead, of the character's view and the goal's (section 4.2); how much the latter counts."""
        layout, goals = self.model.output_layout, self.goals
        if not self.both:
            return _faced(own), np.zeros(len(self))
        facings = yaw_of(goals.directions)
        places = goals.positions[..., :2] + out_of_frame(layout.view(y, "goalwise.position").astype(float), facings)
        self.views = own.positions, places
        directions = out_of_frame(layout.view(y, "goalwise.direction").astype(float), facings)
        distance = np.linalg.norm(goals.positions[..., :2] - self.position[:, None], axis=-1)
        # The later a sample and the nearer the goal, the more its view counts.
        share = ((np.arange(len(FUTURE)) + 1) / (len(FUTURE) + 1)) ** np.square(distance)
        share = share[..., None]
        fused = Samples(
            own.positions + share * (places - own.positions),
            own.directions + share * (directions - own.directions),
            own.actions,
        )
        return _faced(fused), share[:, -1, 0]

    def _led(self, ahead: Samples, targets: Sequence[Target]) -> Samples:
        """The trajectory ahead led on the way towards goals that are far."""
        looks = [target.ahead(position) for target, position in zip(targets, self.position, strict=True)]
        offset = np.stack([point for point, _ in looks]) - self.position
        distance = np.array([length for _, length in looks])
        seconds = np.array(FUTURE) / self.model.rate
        share = np.clip((distance - LED[0]) / (LED[1] - LED[0]), 0.0, 1.0)[:, None] * seconds / seconds[-1]
        error = (yaw_of(offset) - self.yaw + np.pi) % (2 * np.pi) - np.pi
        yaws = self.yaw[:, None] + np.clip(error[:, None], -TURNING * seconds, TURNING * seconds)
        runs = self.goals.actions[:, 0, GOALS.index("run")] > HELD
        paces = np.where(runs, PACES["run"], PACES["walk"]) * np.clip(np.cos(error), SLOWEST, 1.0)
        steps = paces[:, None, None] * (seconds[1] - seconds[0]) * facing(yaws)
        positions = self.position[:, None] + np.cumsum(steps, axis=1)
        doing = np.where(runs[:, None], _one("run"), _one("walk"))[:, None]
        begins = np.array([target.begins for target in targets])[:, None, None] * (seconds / seconds[-1])[:, None]
        wanted = np.stack([_one(target.action) for target in targets])[:, None]
        actions = np.maximum(ahead.actions, begins * wanted)
        share = share[..., None]
        return _faced(
            Samples(
                ahead.positions + share * (positions - ahead.positions),
                ahead.directions + share * (facing(yaws) - ahead.directions),
                actions + share * (doing - actions),
            )
        )


def _one(action: str) -> Array:
    """One action alone (7)."""
    return np.eye(len(ACTIONS))[ACTIONS.index(action)]


def _still(positions: Array, yaws: Array, actions: Array, count: int) -> Samples:
    """So many samples of who stays where they are."""
    one = Samples(positions[:, None], facing(yaws)[:, None], actions[:, None])
    return Samples(*(np.repeat(part, count, axis=1) for part in (one.positions, one.directions, one.actions)))


def _followed(past: Samples, now: Samples) -> Samples:
    """What is remembered of each frame (B, 61), with this moment (B) after it and without its first."""
    parts = ((past.positions, now.positions), (past.directions, now.directions), (past.actions, now.actions))
    return Samples(*(np.concatenate([old[:, 1:], new[:, None]], axis=1) for old, new in parts))


def _joined(past: Samples, ahead: Samples) -> Samples:
    """The thirteen samples, of each frame that is remembered and of what is ahead."""
    parts = ((past.positions, ahead.positions), (past.directions, ahead.directions), (past.actions, ahead.actions))
    return Samples(*(np.concatenate([old[:, BEFORE], new], axis=1) for old, new in parts))


def _faced(samples: Samples) -> Samples:
    """Samples whose directions have the length one."""
    return replace(samples, directions=_unit(samples.directions, samples.directions))


def _unit(vectors: Array, otherwise: Array) -> Array:
    """Vectors (..., 2) of length one; ``otherwise`` where they have none."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(length > 1e-6, vectors / np.maximum(length, 1e-6), otherwise)
