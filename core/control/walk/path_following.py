"""Characters that follow their ways, frame by frame: what each wants next, and how it is drawn back to its way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.locomotion import FUTURE
from ...features.terrain import CENTRE
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing, yaw_of
from ...motion.rotations import UP, Array
from ...terrain.ground import Scene
from ..path.path import SPACING, Path
from ..path.terrain_profile import Profile
from ..path.velocity_profile import STAND_AFTER, STAND_BEFORE, Timing
from ..runtime.locomotion_runtime import Command, Crowd, Steps
from .path_tables import WINDOW, Plans, Routes, plan_of, table_of

# Seconds in which the root is drawn back to the path, sideways and along it, beside what the network does by itself.
SIDEWAYS_TIME: Final = 1.0
ALONG_TIME: Final = 1.0
ASIDE: Final = 4.0
"""How much more whoever faces aside, or back, is drawn back sideways: they stray more, since few captures walk so."""
# How many times its distance behind the plan a character is asked to make up within the second ahead: networks answer
# to a faster trajectory with a part of it.
CATCH_UP: Final = 3.0
# Metres behind the plan at which the plan waits.
FARTHEST_BEHIND: Final = 0.3
# The root is never moved by more than this share of the planned speed: the rest is the network's own walking.
LARGEST_NUDGE: Final = 0.2
# Metres above the ground from which one looks for what carries one; and less than which it does not.
RIDING: Final = 0.1
# Metres before and behind where one stands at which one sees how what carries one turns.
BESIDE: Final = 0.05
STANDS_STILL: Final = 1e-7
STAND_SPEED: Final = 0.2
RUN_SPEED: Final = 2.0
SLOW: Final = 2 * STAND_SPEED
"""Commanded speed, m/s, under which one walks slower than :data:`STAND_SPEED`."""
TURNING: Final = 0.5
"""Radians that are to be turned within the second ahead of who turns on the spot, and steps to do so."""
SNAPSHOT: Final = 1.0
"""Seconds between snapshots."""

NOW_AND_AHEAD: Final = np.array([0, *FUTURE])
"""Frames."""
SHARE: Final = np.arange(1, len(FUTURE) + 1) / len(FUTURE)


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """What one character is to do, in metres of its controller.

    Attributes:
        path: where to walk.
        profile: what is along the path.
        timing: where to be when.
        speed: commanded, m/s.
        ground: what is walked on.
        seed: chooses the phase the character stands in; 0 is the controller's.
    """

    path: Path
    profile: Profile
    timing: Timing
    speed: float
    ground: Scene
    seed: int


TRACKS: Final = ("position", "height", "yaw", "phase", "contacts", "output")
"""What is known of each frame, of :class:`.crowd.Steps`."""


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """What became of one character: its frames (F), the gaits that it was told (F, G), where it was to be (F), m."""

    steps: Steps
    gaits: Array
    planned: Array

    def since(self, frame: int) -> "Followed":
        """What came from a frame on."""
        return self._cut(slice(frame, None))

    def until(self, frame: int) -> "Followed":
        """What came before a frame."""
        return self._cut(slice(frame))

    def then(self, other: "Followed") -> "Followed":
        """This, and what came after it."""
        pairs = ((getattr(self.steps, name), getattr(other.steps, name)) for name in TRACKS)
        steps = Steps(*(np.concatenate(pair) for pair in pairs))
        gaits, planned = (np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("gaits", "planned"))
        return Followed(steps, gaits, planned)

    def _cut(self, frames: slice) -> "Followed":
        steps = Steps(*(getattr(self.steps, name)[frames] for name in TRACKS))
        return Followed(steps, self.gaits[frames], self.planned[frames])


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """One frame of those who walk still: ``rows`` (B) are their numbers."""

    rows: NDArray[np.intp]
    steps: Steps
    gaits: Array
    planned: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Snapshot:
    """All that the next frame comes from, as it was after ``done`` frames.

    Attributes:
        seen: (N) how far along its way each was ever looked ahead, metres, and
        foreseen: (N) how many frames of its plan.
    """

    done: int
    crowd: Crowd
    state: dict[str, NDArray]
    seen: Array
    foreseen: NDArray[np.intp]


STATE: Final = ("_rows", "_clock", "_patience", "_reached", "_slow")


class Followers:
    """Characters of one controller on their ways, from standing at the starts to standing at the ends."""

    def __init__(self, model: ControllerModel, ways: Sequence[Way]) -> None:
        self.model, self.ways = model, list(ways)
        self.paths = [way.path for way in ways]
        self._routes = Routes(self.paths, [way.profile for way in ways], [way.timing for way in ways])
        starts = self._routes.places(np.zeros(len(self.ways)))
        yaws = starts.yaws + self._routes.planned(np.zeros(len(self.ways), dtype=int)).turns
        levels = [float(way.profile.height(0.0)) for way in ways]
        self.crowd = Crowd(model, starts.points, yaws, levels, [way.ground for way in ways])
        for row, way in enumerate(ways):
            if way.seed:
                self.crowd.phase[row] = np.random.default_rng(way.seed).random()
        self._rows = np.arange(len(self.ways))
        self._clock = np.full(len(self.ways), -round(STAND_BEFORE * model.rate))
        self._end = self._routes.lengths + round(STAND_AFTER * model.rate)
        self._patience = self._routes.lengths.copy()
        self._reached = np.zeros(len(self.ways))
        self._slow = np.array([min(way.speed, SLOW) for way in ways])
        self._moments: list[_Moment] = []
        self._joined: tuple[tuple[int, int], list[_Moment]] = (0, 0), []
        self._seen, self._foreseen = np.zeros(len(self.ways)), np.zeros(len(self.ways), dtype=np.intp)
        self._snapshots: list[_Snapshot] = []

    @property
    def done(self) -> int:
        """Frames made so far."""
        return len(self._moments)

    @property
    def left(self) -> int:
        """Frames to come, as far as can be told: they become more while somebody is behind the plan."""
        return int((self._end - self._clock).max(initial=0))

    @property
    def under_way(self) -> NDArray[np.intp]:
        """The numbers (B) of those who are not done, as the crowd has them."""
        return self._rows

    def advance(self, frames: int) -> bool:
        """Makes up to ``frames`` more frames; false when all are at their ends."""
        for _ in range(frames):
            if len(self._rows) == 0:
                break
            if self.done % round(SNAPSHOT * self.model.rate) == 0:
                self._remember()
            self._advance()
            self._dismiss()
        return len(self._rows) > 0

    def take_over(self, before: "Followers") -> int:
        """Goes on from where others were who were told the same until then: their frames are kept, and these begin
        after them. Whoever goes on from the beginning makes the very same frames.

        Returns:
            The frames that are kept.
        """
        differs = _differences(self.ways, before.ways) if self._comparable(before) else None
        if differs is None:
            return 0
        lengths, frames = differs
        alike = [one for one in before._snapshots if (one.seen < lengths).all() and (one.foreseen < frames).all()]
        if not alike:
            return 0
        last = alike[-1]
        grounds = self.crowd.grounds
        self.crowd = last.crowd.copy()
        self.crowd.grounds = [grounds[row] for row in last.state["_rows"]]
        for name in STATE:
            setattr(self, name, last.state[name])
        rows = self._rows
        self._routes.keep(rows)
        self._end = self._end[rows]
        self._patience = self._patience + self._routes.lengths - [len(before.ways[row].timing) for row in rows]
        self._seen, self._foreseen = last.seen, last.foreseen
        self._moments = before._moments[: last.done]
        self._snapshots = alike
        return last.done

    def _comparable(self, before: "Followers") -> bool:
        """Whether the same characters of one controller set out in the same way, on ground that does not move."""
        return (
            self.model is before.model
            and len(self.ways) == len(before.ways)
            and self.done == 0
            and all(way.ground.steady for way in (*self.ways, *before.ways))
            and all(
                one.seed == other.seed and min(one.speed, SLOW) == min(other.speed, SLOW)
                for one, other in zip(self.ways, before.ways, strict=True)
            )
        )

    def _remember(self) -> None:
        state = {name: getattr(self, name) for name in STATE}
        self._snapshots.append(_Snapshot(self.done, self.crowd.copy(), state, self._seen, self._foreseen))

    def followed(self, number: int, since: int = 0) -> Followed:
        """What became of one of them until now, from a frame on."""
        pieces = [piece for piece in self._pieces(since) if number in piece.rows]
        rows = [int(np.searchsorted(piece.rows, number)) for piece in pieces]

        def track(get: Callable[[_Moment], Array]) -> Array:
            found = [get(piece)[:, row] for piece, row in zip(pieces, rows, strict=True)]
            return np.concatenate(found) if found else np.zeros(0)

        steps = Steps(*(track(lambda piece, name=name: getattr(piece.steps, name)) for name in TRACKS))
        return Followed(steps, track(lambda piece: piece.gaits), track(lambda piece: piece.planned))

    def _pieces(self, since: int) -> list[_Moment]:
        """The moments from a frame on, those together in which the same ones walk."""
        if self._joined[0] != (since, self.done):
            groups = groupby(self._moments[since:], key=lambda moment: id(moment.rows))
            self._joined = (since, self.done), [_joined(list(group)) for _, group in groups]
        return self._joined[1]

    def _dismiss(self) -> None:
        """Those who stand at their ends are done."""
        walking = np.flatnonzero(self._clock < self._end)
        if len(walking) == len(self._rows):
            return
        self._routes.keep(walking)
        self.crowd.keep(walking)
        for name in (*STATE, "_end"):
            setattr(self, name, getattr(self, name)[walking])

    def _advance(self) -> None:
        self._ride()
        crowd, routes, clock = self.crowd, self._routes, self._clock
        frames = clock[:, None] + NOW_AND_AHEAD
        plans = routes.planned(frames)
        planned = plans.distances[:, 0]
        lag = self._locate(planned)
        ahead = plans.distances[:, 1:] - planned[:, None]
        along = self._reached[:, None] + ahead + CATCH_UP * lag[:, None] * SHARE
        self._look(along.max(axis=1), frames[:, -1])
        places = routes.places(np.concatenate([self._reached[:, None], along], axis=1))
        miss = crowd.position - places.points[:, 0]
        positions = places.points[:, 1:] + miss[:, None] * ((1 - SHARE) ** 2)[:, None]
        gaits, moving = self._gaits(plans, places.jumps)
        command = Command(positions, places.yaws[:, 1:] + plans.turns[:, 1:], gaits[:, 1:], places.levels)
        steps = crowd.step(command, gaits[:, 0], moving[:, 0])
        self._moments.append(_Moment(self._rows, steps, gaits[:, 0], planned))
        crowd.phase = (crowd.phase + plans.strides[:, 0]) % 1.0
        self._draw_back(plans.speeds[:, 0])
        goes_on = (lag < FARTHEST_BEHIND) | (self._patience <= 0)
        self._clock = clock + goes_on
        self._patience = self._patience - ~goes_on

    def _look(self, along: Array, frames: NDArray[np.intp]) -> None:
        """Remembers how far ahead those who walk have looked."""
        about = np.maximum(along, self._reached + 2 * FARTHEST_BEHIND + WINDOW) + BESIDE
        self._seen, self._foreseen = self._seen.copy(), self._foreseen.copy()
        self._seen[self._rows] = np.maximum(self._seen[self._rows], about)
        self._foreseen[self._rows] = np.maximum(self._foreseen[self._rows], frames + 1)

    def _ride(self) -> None:
        """Carries characters and the paths ahead with ground that has moved under them since the frame before."""
        now = self.done
        if now == 0:
            return
        for row, ground in enumerate(self.crowd.grounds):
            if not ground.steady:  # type: ignore[attr-defined]
                self._ride_on(row, ground, now)  # type: ignore[arg-type]

    def _ride_on(self, row: int, ground: Scene, now: int) -> None:
        crowd = self.crowd
        here = np.array([*crowd.position[row], float(crowd.past_heights[row, -1, CENTRE])])
        beside = BESIDE * np.array([*facing(crowd.yaw[row]), 0.0])
        points = np.stack([here - beside, here, here + beside])
        moved = ground.carried(points + UP * RIDING, now - 1, now) - UP * RIDING
        shift = moved[1] - here
        # At an edge one of the two ways leads to what does not move with it.
        way = min(np.diff(moved, axis=0), key=lambda way: abs(float(np.linalg.norm(way)) - BESIDE))
        turn = float(yaw_of(way[:2]) - crowd.yaw[row] + np.pi) % (2 * np.pi) - np.pi
        if np.abs(shift).max() < STANDS_STILL and abs(turn) < STANDS_STILL:
            return
        crowd.ride(row, turn, here[:2], shift[:2], float(shift[2]))
        self._routes.move(row, turn, here[:2], shift[:2], float(shift[2]))
        number = int(self._rows[row])
        self.paths[number] = self.paths[number].moved(turn, here[:2], shift[:2])

    def _locate(self, planned: Array) -> Array:
        """Finds where on their paths the characters are; returns how far behind the plan (B), metres, within limits."""
        near = np.clip(planned, self._reached - FARTHEST_BEHIND, self._reached + FARTHEST_BEHIND)
        self._reached = self._routes.project(self.crowd.position, near)
        return np.clip(planned - self._reached, -FARTHEST_BEHIND, FARTHEST_BEHIND)

    def _draw_back(self, speeds: Array) -> None:
        """Closes the loop on the path: the network's own steering leaves a few centimetres, and drifts in speed.

        Args:
            speeds: (B) planned, m/s.
        """
        crowd, dt = self.crowd, 1 / self.model.rate
        plans = self._routes.planned(self._clock + 1)
        lag = self._locate(plans.distances)
        places = self._routes.places(self._reached)
        back = (1 + ASIDE * np.minimum(np.abs(plans.turns) / (np.pi / 2), 1.0)) / SIDEWAYS_TIME
        forward = facing(places.yaws) * lag[:, None]
        shifts = (places.points - crowd.position) * dt * back[:, None] + forward * dt / ALONG_TIME
        largest = LARGEST_NUDGE * speeds * dt
        sizes = np.linalg.norm(shifts, axis=-1)
        crowd.nudge(shifts * np.minimum(1.0, largest / np.maximum(sizes, 1e-12))[:, None])

    def _gaits(self, plans: Plans, jumps: Array) -> tuple[Array, Array]:
        """Gaits (B, S, G) under plans, and who moves (B, S): blended about the changes."""
        names, speeds, turns, styles = self.model.gaits, plans.speeds, plans.turns, plans.styles
        still, going = (self._slow / 4)[:, None], (self._slow * 3 / 4)[:, None]
        turning = np.clip(np.abs(turns[:, -1:] - turns[:, :1]) / TURNING, 0, 1)
        moving = np.maximum(np.clip((speeds - still) / (going - still), 0, 1), turning)
        running = np.clip((speeds - RUN_SPEED) / 0.3 + 0.5, 0, 1)
        gaits = np.zeros((*speeds.shape, len(names)))
        for name, value in (("stand", 1 - moving), ("walk", moving * (1 - running)), ("run", moving * running)):
            gaits[..., names.index(name)] = value
        plain = 1 - styles.sum(axis=-1)
        for name in ("walk", "run"):
            gaits[..., names.index(name)] *= plain
        gaits += moving[..., None] * styles
        # Nobody is asked to crouch: who was captured crouching hardly walked. Bodies are bent under ceilings later.
        if "jump" in names:
            gaits *= 1 - jumps[..., None]
            gaits[..., names.index("jump")] = jumps
        return gaits, moving


def _joined(moments: Sequence[_Moment]) -> _Moment:
    """Moments of the same ones as one, of arrays (F, B, ...)."""
    steps = Steps(*(np.stack([getattr(one.steps, name) for one in moments]) for name in TRACKS))
    gaits, planned = (np.stack([getattr(one, name) for one in moments]) for name in ("gaits", "planned"))
    return _Moment(moments[0].rows, steps, gaits, planned)


def _differences(ways: Sequence[Way], others: Sequence[Way]) -> tuple[Array, Array]:
    """From which arc lengths (B), metres, and frames of the plans (B) on ways are not the same; infinite where they
    are."""
    pairs = list(zip(ways, others, strict=True))
    tables = [(table_of(one.path, one.profile), table_of(other.path, other.profile)) for one, other in pairs]
    plans = [(plan_of(one.timing), plan_of(other.timing)) for one, other in pairs]
    # A place is blended of the rows before and after it.
    lengths = [SPACING * (_first_difference(*both) - 1) for both in tables]
    return np.array(lengths), np.array([_first_difference(*both) for both in plans])


def _first_difference(one: Array, other: Array) -> float:
    """The first row in which two tables differ, of which one may be longer; infinite where there is none."""
    common = min(len(one), len(other))
    different = np.flatnonzero((one[:common] != other[:common]).any(axis=1))
    if len(different):
        return float(different[0])
    return float("inf") if len(one) == len(other) else float(common)
