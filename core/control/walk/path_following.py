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
from ..path.path import PATH_SPACING_M, Path
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import STAND_AFTER_S, STAND_BEFORE_S, Timing
from ..runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime, RuntimeFrames
from .path_tables import SEARCH_WINDOW_M, PathTables, PlanSamples, path_table, plan_table

# Seconds in which the root is drawn back to the path, sideways and along it, beside what the network does by itself.
LATERAL_CORRECTION_S: Final = 1.0
LONGITUDINAL_CORRECTION_S: Final = 1.0
SIDESTEP_CORRECTION_RATIO: Final = 4.0
"""How much more whoever faces aside, or back, is drawn back sideways: they stray more, since few captures walk so."""
# How many times its distance behind the plan a character is asked to make up within the second ahead: networks answer
# to a faster trajectory with a part of it.
CATCH_UP_RATIO: Final = 3.0
# Metres behind the plan at which the plan waits.
MAX_LAG_M: Final = 0.3
# The root is never moved by more than this share of the planned speed: the rest is the network's own walking.
MAX_CORRECTION_SHARE: Final = 0.2
# Metres above the ground from which one looks for what carries one; and less than which it does not.
GROUND_PROBE_HEIGHT_M: Final = 0.1
# Metres before and behind where one stands at which one sees how what carries one turns.
GROUND_PROBE_SPACING_M: Final = 0.05
GROUND_MOTION_TOLERANCE: Final = 1e-7
STAND_SPEED_M_S: Final = 0.2
RUN_SPEED_M_S: Final = 2.0
SLOW_SPEED_M_S: Final = 2 * STAND_SPEED_M_S
"""Commanded speed, m/s, under which one walks slower than :data:`STAND_SPEED_M_S`."""
TURN_IN_PLACE_RAD: Final = 0.5
"""Radians that are to be turned within the second ahead of who turns on the spot, and steps to do so."""
SNAPSHOT_INTERVAL_S: Final = 1.0
"""Seconds between snapshots."""

COMMAND_OFFSETS_FRAMES: Final = np.array([0, *FUTURE])
"""Frames."""
FUTURE_SHARES: Final = np.arange(1, len(FUTURE) + 1) / len(FUTURE)


@dataclass(frozen=True, slots=True, eq=False)
class WalkPlan:
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
    profile: TerrainProfile
    timing: Timing
    speed: float
    ground: Scene
    seed: int


TRACE_FIELDS: Final = ("position", "height", "yaw", "phase", "contacts", "output")
"""What is known of each frame, of :class:`.crowd.Steps`."""


@dataclass(frozen=True, slots=True, eq=False)
class RolloutTrace:
    """What became of one character: its frames (F), the gaits that it was told (F, G), where it was to be (F), m."""

    frames: RuntimeFrames
    gaits: Array
    planned: Array

    def from_frame(self, frame: int) -> "RolloutTrace":
        """What came from a frame on."""
        return self._slice(slice(frame, None))

    def before_frame(self, frame: int) -> "RolloutTrace":
        """What came before a frame."""
        return self._slice(slice(frame))

    def concat(self, other: "RolloutTrace") -> "RolloutTrace":
        """This, and what came after it."""
        pairs = ((getattr(self.frames, name), getattr(other.frames, name)) for name in TRACE_FIELDS)
        steps = RuntimeFrames(*(np.concatenate(pair) for pair in pairs))
        gaits, planned = (np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("gaits", "planned"))
        return RolloutTrace(steps, gaits, planned)

    def _slice(self, frames: slice) -> "RolloutTrace":
        steps = RuntimeFrames(*(getattr(self.frames, name)[frames] for name in TRACE_FIELDS))
        return RolloutTrace(steps, self.gaits[frames], self.planned[frames])


@dataclass(frozen=True, slots=True, eq=False)
class _FrameRecord:
    """One frame of those who walk still: ``rows`` (B) are their numbers."""

    rows: NDArray[np.intp]
    frames: RuntimeFrames
    gaits: Array
    planned: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Snapshot:
    """All that the next frame comes from, as it was after ``done`` frames.

    Attributes:
        seen: (N) how far along its way each was ever looked ahead, metres, and
        look_ahead_frames: (N) how many frames of its plan.
    """

    frames_done: int
    runtime: LocomotionRuntime
    state: dict[str, NDArray]
    look_ahead_lengths: Array
    look_ahead_frames: NDArray[np.intp]


STATE_FIELDS: Final = ("_rows", "_clock", "_patience", "_reached", "_slow")


class PathFollower:
    """Characters of one controller on their ways, from standing at the starts to standing at the ends."""

    def __init__(self, model: ControllerModel, walk_plans: Sequence[WalkPlan]) -> None:
        self.model, self.walk_plans = model, list(walk_plans)
        self.paths = [way.path for way in walk_plans]
        self._tables = PathTables(self.paths, [way.profile for way in walk_plans], [way.timing for way in walk_plans])
        starts = self._tables.path_at(np.zeros(len(self.walk_plans)))
        yaws = starts.yaws + self._tables.plan_at(np.zeros(len(self.walk_plans), dtype=int)).turns
        levels = [float(way.profile.height_at(0.0)) for way in walk_plans]
        self.runtime = LocomotionRuntime(model, starts.points, yaws, levels, [way.ground for way in walk_plans])
        for row, way in enumerate(walk_plans):
            if way.seed:
                self.runtime.phase[row] = np.random.default_rng(way.seed).random()
        self._rows = np.arange(len(self.walk_plans))
        self._clock = np.full(len(self.walk_plans), -round(STAND_BEFORE_S * model.rate))
        self._end = self._tables.lengths + round(STAND_AFTER_S * model.rate)
        self._patience = self._tables.lengths.copy()
        self._reached = np.zeros(len(self.walk_plans))
        self._slow = np.array([min(way.speed, SLOW_SPEED_M_S) for way in walk_plans])
        self._records: list[_FrameRecord] = []
        self._stacked_records: tuple[tuple[int, int], list[_FrameRecord]] = (0, 0), []
        self._look_ahead_lengths, self._look_ahead_frames = (
            np.zeros(len(self.walk_plans)),
            np.zeros(len(self.walk_plans), dtype=np.intp),
        )
        self._snapshots: list[_Snapshot] = []

    @property
    def frames_done(self) -> int:
        """Frames made so far."""
        return len(self._records)

    @property
    def frames_left(self) -> int:
        """Frames to come, as far as can be told: they become more while somebody is behind the plan."""
        return int((self._end - self._clock).max(initial=0))

    @property
    def active_rows(self) -> NDArray[np.intp]:
        """The numbers (B) of those who are not done, as the crowd has them."""
        return self._rows

    def advance(self, frames: int) -> bool:
        """Makes up to ``frames`` more frames; false when all are at their ends."""
        for _ in range(frames):
            if len(self._rows) == 0:
                break
            if self.frames_done % round(SNAPSHOT_INTERVAL_S * self.model.rate) == 0:
                self._take_snapshot()
            self._advance_frame()
            self._remove_finished()
        return len(self._rows) > 0

    def resume_from(self, previous: "PathFollower") -> int:
        """Goes on from where others were who were told the same until then: their frames are kept, and these begin
        after them. Whoever goes on from the beginning makes the very same frames.

        Returns:
            The frames that are kept.
        """
        differs = _first_divergence(self.walk_plans, previous.walk_plans) if self._can_resume_from(previous) else None
        if differs is None:
            return 0
        lengths, frames = differs
        alike = [
            one
            for one in previous._snapshots
            if (one.look_ahead_lengths < lengths).all() and (one.look_ahead_frames < frames).all()
        ]
        if not alike:
            return 0
        last = alike[-1]
        grounds = self.runtime.grounds
        self.runtime = last.runtime.copy()
        self.runtime.grounds = [grounds[row] for row in last.state["_rows"]]
        for name in STATE_FIELDS:
            setattr(self, name, last.state[name])
        rows = self._rows
        self._tables.select(rows)
        self._end = self._end[rows]
        self._patience = self._patience + self._tables.lengths - [len(previous.walk_plans[row].timing) for row in rows]
        self._look_ahead_lengths, self._look_ahead_frames = last.look_ahead_lengths, last.look_ahead_frames
        self._records = previous._records[: last.frames_done]
        self._snapshots = alike
        return last.frames_done

    def _can_resume_from(self, previous: "PathFollower") -> bool:
        """Whether the same characters of one controller set out in the same way, on ground that does not move."""
        return (
            self.model is previous.model
            and len(self.walk_plans) == len(previous.walk_plans)
            and self.frames_done == 0
            and all(way.ground.steady for way in (*self.walk_plans, *previous.walk_plans))
            and all(
                one.seed == other.seed and min(one.speed, SLOW_SPEED_M_S) == min(other.speed, SLOW_SPEED_M_S)
                for one, other in zip(self.walk_plans, previous.walk_plans, strict=True)
            )
        )

    def _take_snapshot(self) -> None:
        state = {name: getattr(self, name) for name in STATE_FIELDS}
        self._snapshots.append(
            _Snapshot(self.frames_done, self.runtime.copy(), state, self._look_ahead_lengths, self._look_ahead_frames)
        )

    def trace(self, character: int, start_frame: int = 0) -> RolloutTrace:
        """What became of one of them until now, from a frame on."""
        pieces = [piece for piece in self._stacked_since(start_frame) if character in piece.rows]
        rows = [int(np.searchsorted(piece.rows, character)) for piece in pieces]

        def track(get: Callable[[_FrameRecord], Array]) -> Array:
            found = [get(piece)[:, row] for piece, row in zip(pieces, rows, strict=True)]
            return np.concatenate(found) if found else np.zeros(0)

        steps = RuntimeFrames(*(track(lambda piece, name=name: getattr(piece.frames, name)) for name in TRACE_FIELDS))
        return RolloutTrace(steps, track(lambda piece: piece.gaits), track(lambda piece: piece.planned))

    def _stacked_since(self, start_frame: int) -> list[_FrameRecord]:
        """The moments from a frame on, those together in which the same ones walk."""
        if self._stacked_records[0] != (start_frame, self.frames_done):
            groups = groupby(self._records[start_frame:], key=lambda moment: id(moment.rows))
            self._stacked_records = (
                (start_frame, self.frames_done),
                [_stack_records(list(group)) for _, group in groups],
            )
        return self._stacked_records[1]

    def _remove_finished(self) -> None:
        """Those who stand at their ends are done."""
        walking = np.flatnonzero(self._clock < self._end)
        if len(walking) == len(self._rows):
            return
        self._tables.select(walking)
        self.runtime.select(walking)
        for name in (*STATE_FIELDS, "_end"):
            setattr(self, name, getattr(self, name)[walking])

    def _advance_frame(self) -> None:
        self._follow_moving_ground()
        crowd, routes, clock = self.runtime, self._tables, self._clock
        frames = clock[:, None] + COMMAND_OFFSETS_FRAMES
        plans = routes.plan_at(frames)
        planned = plans.distances[:, 0]
        lag = self._project_on_paths(planned)
        ahead = plans.distances[:, 1:] - planned[:, None]
        along = self._reached[:, None] + ahead + CATCH_UP_RATIO * lag[:, None] * FUTURE_SHARES
        self._record_look_ahead(along.max(axis=1), frames[:, -1])
        places = routes.path_at(np.concatenate([self._reached[:, None], along], axis=1))
        miss = crowd.position - places.points[:, 0]
        positions = places.points[:, 1:] + miss[:, None] * ((1 - FUTURE_SHARES) ** 2)[:, None]
        gaits, moving = self._gait_commands(plans, places.jumps)
        command = LocomotionCommand(positions, places.yaws[:, 1:] + plans.turns[:, 1:], gaits[:, 1:], places.heights)
        steps = crowd.step(command, gaits[:, 0], moving[:, 0])
        self._records.append(_FrameRecord(self._rows, steps, gaits[:, 0], planned))
        crowd.phase = (crowd.phase + plans.phase_offsets[:, 0]) % 1.0
        self._correct_drift(plans.speeds[:, 0])
        goes_on = (lag < MAX_LAG_M) | (self._patience <= 0)
        self._clock = clock + goes_on
        self._patience = self._patience - ~goes_on

    def _record_look_ahead(self, arc_lengths: Array, frames: NDArray[np.intp]) -> None:
        """Remembers how far ahead those who walk have looked."""
        about = np.maximum(arc_lengths, self._reached + 2 * MAX_LAG_M + SEARCH_WINDOW_M) + GROUND_PROBE_SPACING_M
        self._look_ahead_lengths, self._look_ahead_frames = (
            self._look_ahead_lengths.copy(),
            self._look_ahead_frames.copy(),
        )
        self._look_ahead_lengths[self._rows] = np.maximum(self._look_ahead_lengths[self._rows], about)
        self._look_ahead_frames[self._rows] = np.maximum(self._look_ahead_frames[self._rows], frames + 1)

    def _follow_moving_ground(self) -> None:
        """Carries characters and the paths ahead with ground that has moved under them since the frame before."""
        now = self.frames_done
        if now == 0:
            return
        for row, ground in enumerate(self.runtime.grounds):
            if not ground.steady:  # type: ignore[attr-defined]
                self._move_with_ground(row, ground, now)  # type: ignore[arg-type]

    def _move_with_ground(self, row: int, ground: Scene, frame: int) -> None:
        crowd = self.runtime
        here = np.array([*crowd.position[row], float(crowd.past_heights[row, -1, CENTRE])])
        beside = GROUND_PROBE_SPACING_M * np.array([*facing(crowd.yaw[row]), 0.0])
        points = np.stack([here - beside, here, here + beside])
        moved = ground.carried(points + UP * GROUND_PROBE_HEIGHT_M, frame - 1, frame) - UP * GROUND_PROBE_HEIGHT_M
        shift = moved[1] - here
        # At an edge one of the two ways leads to what does not move with it.
        way = min(np.diff(moved, axis=0), key=lambda way: abs(float(np.linalg.norm(way)) - GROUND_PROBE_SPACING_M))
        turn = float(yaw_of(way[:2]) - crowd.yaw[row] + np.pi) % (2 * np.pi) - np.pi
        if np.abs(shift).max() < GROUND_MOTION_TOLERANCE and abs(turn) < GROUND_MOTION_TOLERANCE:
            return
        crowd.move_with_ground(row, turn, here[:2], shift[:2], float(shift[2]))
        self._tables.transform(row, turn, here[:2], shift[:2], float(shift[2]))
        number = int(self._rows[row])
        self.paths[number] = self.paths[number].transformed(turn, here[:2], shift[:2])

    def _project_on_paths(self, planned_lengths: Array) -> Array:
        """Finds where on their paths the characters are; returns how far behind the plan (B), metres, within limits."""
        near = np.clip(planned_lengths, self._reached - MAX_LAG_M, self._reached + MAX_LAG_M)
        self._reached = self._tables.project(self.runtime.position, near)
        return np.clip(planned_lengths - self._reached, -MAX_LAG_M, MAX_LAG_M)

    def _correct_drift(self, speeds: Array) -> None:
        """Closes the loop on the path: the network's own steering leaves a few centimetres, and drifts in speed.

        Args:
            speeds: (B) planned, m/s.
        """
        crowd, dt = self.runtime, 1 / self.model.rate
        plans = self._tables.plan_at(self._clock + 1)
        lag = self._project_on_paths(plans.distances)
        places = self._tables.path_at(self._reached)
        back = (
            1 + SIDESTEP_CORRECTION_RATIO * np.minimum(np.abs(plans.turns) / (np.pi / 2), 1.0)
        ) / LATERAL_CORRECTION_S
        forward = facing(places.yaws) * lag[:, None]
        shifts = (places.points - crowd.position) * dt * back[:, None] + forward * dt / LONGITUDINAL_CORRECTION_S
        largest = MAX_CORRECTION_SHARE * speeds * dt
        sizes = np.linalg.norm(shifts, axis=-1)
        crowd.shift_roots(shifts * np.minimum(1.0, largest / np.maximum(sizes, 1e-12))[:, None])

    def _gait_commands(self, plans: PlanSamples, jumps: Array) -> tuple[Array, Array]:
        """Gaits (B, S, G) under plans, and who moves (B, S): blended about the changes."""
        names, speeds, turns, styles = self.model.gaits, plans.speeds, plans.turns, plans.styles
        still, going = (self._slow / 4)[:, None], (self._slow * 3 / 4)[:, None]
        turning = np.clip(np.abs(turns[:, -1:] - turns[:, :1]) / TURN_IN_PLACE_RAD, 0, 1)
        moving = np.maximum(np.clip((speeds - still) / (going - still), 0, 1), turning)
        running = np.clip((speeds - RUN_SPEED_M_S) / 0.3 + 0.5, 0, 1)
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


def _stack_records(records: Sequence[_FrameRecord]) -> _FrameRecord:
    """Moments of the same ones as one, of arrays (F, B, ...)."""
    steps = RuntimeFrames(*(np.stack([getattr(one.frames, name) for one in records]) for name in TRACE_FIELDS))
    gaits, planned = (np.stack([getattr(one, name) for one in records]) for name in ("gaits", "planned"))
    return _FrameRecord(records[0].rows, steps, gaits, planned)


def _first_divergence(walk_plans: Sequence[WalkPlan], other_plans: Sequence[WalkPlan]) -> tuple[Array, Array]:
    """From which arc lengths (B), metres, and frames of the plans (B) on ways are not the same; infinite where they
    are."""
    pairs = list(zip(walk_plans, other_plans, strict=True))
    tables = [(path_table(one.path, one.profile), path_table(other.path, other.profile)) for one, other in pairs]
    plans = [(plan_table(one.timing), plan_table(other.timing)) for one, other in pairs]
    # A place is blended of the rows before and after it.
    lengths = [PATH_SPACING_M * (_first_differing_row(*both) - 1) for both in tables]
    return np.array(lengths), np.array([_first_differing_row(*both) for both in plans])


def _first_differing_row(table: Array, other_table: Array) -> float:
    """The first row in which two tables differ, of which one may be longer; infinite where there is none."""
    common = min(len(table), len(other_table))
    different = np.flatnonzero((table[:common] != other_table[:common]).any(axis=1))
    if len(different):
        return float(different[0])
    return float("inf") if len(table) == len(other_table) else float(common)
