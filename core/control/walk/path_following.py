"""Path following: the commands at each frame, and the drift correction that keeps characters on their paths."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...features.locomotion import future_offsets
from ...features.terrain import CENTER_SAMPLE_INDEX
from ...models.model_file import ControllerModel
from ...motion.roles import is_quadruped
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array, length
from ...terrain.ground import Scene
from ...tuning import Tuning, tuned
from ..path.path import PATH_SPACING_M
from ..path.velocity_profile import STAND_AFTER_S, STAND_BEFORE_S
from ..runtime.control_variation import BatchVariation
from ..runtime.ground_motion import TUNING as GROUND_MOTION_TUNING
from ..runtime.ground_motion import ground_motion
from ..runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime
from ..runtime.response_bias import ResponseBias
from .follower_plan import FollowerPlan
from .frame_history import FrameHistory, FrameRecord
from .gait_commands import GaitCommands
from .path_progress import TUNING as PATH_PROGRESS_TUNING
from .path_progress import advance_on_paths, lag_behind
from .path_tables import TUNING as PATH_TABLES_TUNING
from .path_tables import PathTables, path_table, plan_table
from .rollout_trace import RolloutTrace
from .stride_steering import STRIKE_COLUMNS, StrideSteering
from .weight_shift import WeightShift, displaced


@dataclass(frozen=True, slots=True)
class PathFollowingTuning(Tuning):
    """Tuned numbers of path following; the drift correction displaces the root beyond the network's own motion."""

    lateral_correction: float = tuned(0.7, "s", 0.05, 10.0)
    """Time constant of the sideways drift correction."""
    longitudinal_correction: float = tuned(1.0, "s", 0.05, 10.0)
    """Time constant of the drift correction along the path."""
    steady_correction: float = tuned(0.3, "s", 0.05, 10.0)
    """Time constant of the correction of a steady drift, as in curves.

    The root's sway within each step is not a steady drift and remains.
    """
    drift_smoothing: float = tuned(0.3, "s", 0.05, 10.0)
    """Time over which the steady drift is averaged."""
    sidestep_correction: float = tuned(4.0, "1", 1.0, 20.0)
    """Factor of the sideways correction at facing offsets of a quarter turn or more, where networks drift more."""
    catch_up: float = tuned(3.0, "1", 0.0, 10.0)
    """Share of its lag that a character is commanded to make up for within a second.

    It is above 1, since networks follow a faster trajectory only in part.
    """
    max_correction_share: float = tuned(0.3, "1", 0.0, 1.0)
    """Largest speed of the drift correction, as a share of the planned speed."""
    stand_speed: float = tuned(0.2, "m/s", 0.01, 1.0)
    """Planned speed above which standing changes into walking."""
    snapshot_interval: float = tuned(1.0, "s", 0.1, 60.0)
    """Time between snapshots of the state, from which an edited walk resumes."""


TUNING: Final = PathFollowingTuning()

SLOW_SPEED_M_S: Final = 2 * TUNING.stand_speed
"""Commanded speed below which a walk counts as slow; it then changes between standing and walking at a lower speed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Snapshot:
    """The state that determines the next frame.

    Attributes:
        frames_done: number of frames before the next one.
        runtime: the network's state.
        state: the follower's state, by the names in :data:`STATE_FIELDS`.
        look_ahead_lengths: (N) largest arc length of each path that has been read so far, meters.
        look_ahead_frames: (N) last frame of each timing that has been read so far.
    """

    frames_done: int
    runtime: LocomotionRuntime
    state: dict[str, NDArray]
    look_ahead_lengths: Array
    look_ahead_frames: NDArray[np.intp]


STATE_FIELDS: Final = (
    "_active_rows",
    "_plan_frames",
    "_wait_budgets",
    "_arc_lengths",
    "_slow_speeds",
    "_turning",
    "_drifts",
    "_strikes",
    "_shifts",
)
"""Names of the attributes of :class:`PathFollower` that a snapshot stores."""


class PathFollower:
    """Characters of one controller on their paths, from standing at the start to standing at the end."""

    def __init__(self, model: ControllerModel, walk_plans: Sequence[FollowerPlan]) -> None:
        self.model, self.walk_plans = model, list(walk_plans)
        self.paths = [plan.path for plan in walk_plans]
        self._tables = PathTables(
            self.paths, [plan.profile for plan in walk_plans], [plan.timing for plan in walk_plans]
        )
        starts = self._tables.path_at(np.zeros(len(self.walk_plans)))
        yaws = starts.yaws + self._tables.plan_at(np.zeros(len(self.walk_plans), dtype=int)).yaw_offsets
        levels = [float(plan.profile.height_at(0.0)) for plan in walk_plans]
        self.runtime = LocomotionRuntime(model, starts.points, yaws, levels, [plan.ground for plan in walk_plans])
        for row, plan in enumerate(walk_plans):
            if plan.seed:
                self.runtime.vary(row, plan.seed)
            if plan.performer:
                self.runtime.perform_as(row, plan.performer)
            self.runtime.respond_with(row, ResponseBias.of_responsiveness(plan.responsiveness))
        if walk_plans[0].begin is not None:
            assert len(walk_plans) == 1, "one that walks on walks alone"
            walk_plans[0].begin.enter_walk(self.runtime)
        plans = [plan.accompaniment for plan in walk_plans]
        first = next((plan for plan in plans if plan is not None), None)
        self._accompaniment = None if first is None else first.batch(model, plans)
        if self._accompaniment is not None:
            self.runtime.beside = self._accompaniment.begin(len(plans))
        self._command_offsets = np.array([0, *future_offsets(model.input_layout)])
        self._future_shares = np.arange(1, len(self._command_offsets)) / (len(self._command_offsets) - 1)
        if any(plan.variation is not None for plan in walk_plans):
            self.runtime.variation = BatchVariation(model, [plan.variation for plan in walk_plans])
        self._gait_commands = GaitCommands(model)
        self._active_rows = np.arange(len(self.walk_plans))
        stands = 0.0 if walk_plans[0].begin is not None else STAND_BEFORE_S
        self._plan_frames = np.full(len(self.walk_plans), -round(stands * model.rate))
        self._last_frames = self._tables.frame_counts + round(STAND_AFTER_S * model.rate)
        self._wait_budgets = self._tables.frame_counts.copy()
        self._arc_lengths = np.zeros(len(self.walk_plans))
        self._slow_speeds = np.array([min(plan.speed, SLOW_SPEED_M_S) for plan in walk_plans])
        self._turning, self._drifts = np.zeros(len(self.walk_plans)), np.zeros(len(self.walk_plans))
        self._strikes = np.zeros((len(self.walk_plans), STRIKE_COLUMNS))
        self._shifts, self._weight_shift = np.zeros(len(self.walk_plans)), WeightShift(model)
        has_flights = any(plan.profile.flights for plan in walk_plans)
        self._steering = StrideSteering(model) if has_flights and not is_quadruped(model.skeleton.roles) else None
        self._history = FrameHistory()
        self._look_ahead_lengths, self._look_ahead_frames = (
            np.zeros(len(self.walk_plans)),
            np.zeros(len(self.walk_plans), dtype=np.intp),
        )
        self._snapshots: list[_Snapshot] = []

    @property
    def frames_done(self) -> int:
        """Number of frames made so far."""
        return len(self._history)

    @property
    def frames_left(self) -> int:
        """Number of frames left in the plans; it stays the same while a plan waits for its character."""
        return int((self._last_frames - self._plan_frames).max(initial=0))

    @property
    def ways_left(self) -> Array:
        """Remaining length (B), meters, of the path of each character that has not finished."""
        lengths = np.array([self.paths[row].length for row in self._active_rows])
        return lengths - self._arc_lengths

    @property
    def active_rows(self) -> NDArray[np.intp]:
        """Indices (B) of the characters that have not finished."""
        return self._active_rows

    def advance(self, frames: int) -> bool:
        """Make up to `frames` more frames, and return whether any frames remain."""
        for _ in range(frames):
            if len(self._active_rows) == 0:
                break
            if self.frames_done % round(TUNING.snapshot_interval * self.model.rate) == 0:
                self._take_snapshot()
            self._advance_frame()
            self._remove_finished()
        return len(self._active_rows) > 0

    def resume_from(self, previous: "PathFollower") -> int:
        """Take over the frames of a previous roll-out up to where both plans begin to differ.

        The frames are identical to those of a roll-out from the beginning.

        Returns:
            The number of frames taken over.
        """
        divergence = (
            _first_divergence(self.walk_plans, previous.walk_plans) if self._can_resume_from(previous) else None
        )
        if divergence is None:
            return 0
        lengths, frames = divergence
        shared = [
            snapshot
            for snapshot in previous._snapshots
            if (snapshot.look_ahead_lengths < lengths).all() and (snapshot.look_ahead_frames < frames).all()
        ]
        if not shared:
            return 0
        last = shared[-1]
        grounds = self.runtime.grounds
        self.runtime = last.runtime.copy()
        self.runtime.grounds = [grounds[row] for row in last.state["_active_rows"]]
        for name in STATE_FIELDS:
            setattr(self, name, last.state[name])
        rows = self._active_rows
        self._tables.select(rows)
        self._last_frames = self._last_frames[rows]
        self._wait_budgets = (
            self._wait_budgets + self._tables.frame_counts - [len(previous.walk_plans[row].timing) for row in rows]
        )
        self._look_ahead_lengths, self._look_ahead_frames = last.look_ahead_lengths, last.look_ahead_frames
        self._history = previous._history.before_frame(last.frames_done)
        self._snapshots = shared
        return last.frames_done

    def _can_resume_from(self, previous: "PathFollower") -> bool:
        """Return whether two roll-outs start alike, on ground at rest, so that one can continue from the other."""
        return (
            self.model is previous.model
            and len(self.walk_plans) == len(previous.walk_plans)
            and self.frames_done == 0
            and all(plan.ground.is_static for plan in (*self.walk_plans, *previous.walk_plans))
            and all(
                plan.starts_like(other) and min(plan.speed, SLOW_SPEED_M_S) == min(other.speed, SLOW_SPEED_M_S)
                for plan, other in zip(self.walk_plans, previous.walk_plans, strict=True)
            )
        )

    def _take_snapshot(self) -> None:
        """Record the state before the next frame."""
        state = {name: getattr(self, name) for name in STATE_FIELDS}
        self._snapshots.append(
            _Snapshot(self.frames_done, self.runtime.copy(), state, self._look_ahead_lengths, self._look_ahead_frames)
        )

    def trace(self, character: int, start: int = 0, stop: int | None = None) -> RolloutTrace:
        """Return the frames of one character.

        Args:
            character: index of the character.
            start: first frame.
            stop: frame after the last one; by default all frames so far are included.
        """
        return self._history.trace(character, start, self.frames_done if stop is None else stop)

    def frame_count(self, character: int) -> int:
        """Return the number of frames of one character so far."""
        return self._history.frame_count(character)

    def _remove_finished(self) -> None:
        """Remove finished characters from the batch."""
        walks = self._plan_frames < self._last_frames
        if walks.all():
            return
        walking = np.flatnonzero(walks)
        self._tables.select(walking)
        self.runtime.select(walking)
        for name in (*STATE_FIELDS, "_last_frames"):
            setattr(self, name, getattr(self, name)[walking])

    def _advance_frame(self) -> None:
        """Make one frame of all characters."""
        self._follow_moving_ground()
        runtime, tables, plan_frames = self.runtime, self._tables, self._plan_frames
        frames = plan_frames[:, None] + self._command_offsets
        plans = tables.plan_at(frames)
        planned = plans.distances[:, 0]
        lag = lag_behind(planned, self._arc_lengths)
        ahead = plans.distances[:, 1:] - planned[:, None]
        look_ahead = self._arc_lengths[:, None] + ahead + TUNING.catch_up * lag[:, None] * self._future_shares
        self._record_look_ahead(look_ahead.max(axis=1), frames[:, -1])
        samples = tables.path_at(np.concatenate([self._arc_lengths[:, None], look_ahead], axis=1))
        points = displaced(samples.points, self._shifts, samples.yaws[:, 0])
        offsets = runtime.position - points[:, 0]
        positions = points[:, 1:] + offsets[:, None] * ((1 - self._future_shares) ** 2)[:, None]
        yaws = samples.yaws + plans.yaw_offsets
        self._turning = self._gait_commands.turning(self._turning, yaws)
        gaits, moving = self._gait_commands.weights(
            plans, self._turning, samples.jumps, self._slow_speeds, runtime.state.pose
        )
        beside = self._accompaniment
        conditions = {} if beside is None else beside.command(runtime, self._active_rows, plan_frames)
        command = LocomotionCommand(positions, yaws[:, 1:], gaits[:, 1:], samples.heights, conditions)
        phases = runtime.phase
        made = runtime.step(command, gaits[:, 0], moving[:, 0])
        # Copies: views would keep all samples ahead in memory.
        self._history.append(FrameRecord(self._active_rows, made, gaits[:, 0].copy(), planned.copy()))
        runtime.phase = (runtime.phase + plans.phase_offsets[:, 0]) % 1.0
        if self._steering is not None:
            walking = moving[:, 0] * (1 - plans.run_shares[:, 0])
            self._strikes = self._steering.steer(self._strikes, runtime, tables, self._arc_lengths, phases, walking)
        shifts = self._weight_shift.advance(self._shifts, runtime, plans, moving)
        runtime.shift_roots(displaced(np.zeros_like(runtime.position), shifts - self._shifts, samples.yaws[:, 0]))
        self._shifts = shifts
        self._correct_drift(plans.speeds[:, 0])
        advances = (lag < PATH_PROGRESS_TUNING.max_lag) | (self._wait_budgets <= 0)
        self._plan_frames = plan_frames + advances
        self._wait_budgets = self._wait_budgets - ~advances

    def _record_look_ahead(self, arc_lengths: Array, frames: NDArray[np.intp]) -> None:
        """Record how far the plans have been read: the largest arc lengths (B), meters, and last frames (B)."""
        searched = self._arc_lengths + 2 * PATH_PROGRESS_TUNING.max_lag + PATH_TABLES_TUNING.search_window
        reach = np.maximum(arc_lengths, searched) + GROUND_MOTION_TUNING.probe_spacing
        self._look_ahead_lengths, self._look_ahead_frames = (
            self._look_ahead_lengths.copy(),
            self._look_ahead_frames.copy(),
        )
        self._look_ahead_lengths[self._active_rows] = np.maximum(self._look_ahead_lengths[self._active_rows], reach)
        self._look_ahead_frames[self._active_rows] = np.maximum(self._look_ahead_frames[self._active_rows], frames + 1)

    def _follow_moving_ground(self) -> None:
        """Move characters and their paths along with the ground below them."""
        now = self.frames_done
        if now == 0:
            return
        for row, ground in enumerate(self.runtime.grounds):
            if not ground.is_static:  # type: ignore[attr-defined]
                self._move_with_ground(row, ground, now)  # type: ignore[arg-type]

    def _move_with_ground(self, row: int, ground: Scene, frame: int) -> None:
        """Move one character and its path along with the ground below it."""
        runtime = self.runtime
        here = np.array([*runtime.position[row], float(runtime.past_heights[row, -1, CENTER_SAMPLE_INDEX])])
        moved = ground_motion(ground, here, float(runtime.yaw[row]), frame)
        if moved is None:
            return
        turn, shift = moved
        runtime.move_with_ground(row, turn, here[:2], shift[:2], float(shift[2]))
        self._tables.transform(row, turn, here[:2], shift[:2], float(shift[2]))
        character = int(self._active_rows[row])
        self.paths[character] = self.paths[character].transformed(turn, here[:2], shift[:2])

    def _correct_drift(self, speeds: Array) -> None:
        """Pull the roots back to the paths, by at most a share of the planned speeds (B), m/s."""
        runtime, dt = self.runtime, 1 / self.model.rate
        plans = self._tables.plan_at(self._plan_frames + 1)
        self._arc_lengths = advance_on_paths(
            self._tables, runtime.position, self._arc_lengths, plans.distances, speeds, dt
        )
        lag = lag_behind(plans.distances, self._arc_lengths)
        samples = self._tables.path_at(self._arc_lengths)
        lateral_rates = (
            1 + TUNING.sidestep_correction * np.minimum(np.abs(plans.yaw_offsets) / (np.pi / 2), 1.0)
        ) / TUNING.lateral_correction
        forward = facing_direction(samples.yaws) * lag[:, None]
        points = displaced(samples.points, self._shifts, samples.yaws)
        gaps, right = points - runtime.position, facing_direction(samples.yaws - np.pi / 2)
        beside = gaps[:, 0] * right[:, 0] + gaps[:, 1] * right[:, 1]
        self._drifts = self._drifts + (beside - self._drifts) * dt / TUNING.drift_smoothing
        shifts = gaps * dt * lateral_rates[:, None] + forward * dt / TUNING.longitudinal_correction
        shifts += right * (self._drifts * dt / TUNING.steady_correction)[:, None]
        limits = TUNING.max_correction_share * speeds * dt
        sizes = length(shifts)
        runtime.shift_roots(shifts * np.minimum(1.0, limits / np.maximum(sizes, 1e-12))[:, None])


def _first_divergence(walk_plans: Sequence[FollowerPlan], other_plans: Sequence[FollowerPlan]) -> tuple[Array, Array]:
    """Return the arc lengths (B), meters, and frames (B) at which plans begin to differ.

    Infinite where they are equal.
    """
    pairs = list(zip(walk_plans, other_plans, strict=True))
    tables = [(path_table(plan.path, plan.profile), path_table(other.path, other.profile)) for plan, other in pairs]
    plans = [(plan_table(plan.timing), plan_table(other.timing)) for plan, other in pairs]
    # A sample is interpolated between the rows around it.
    lengths = [PATH_SPACING_M * (_first_differing_row(*both) - 1) for both in tables]
    return np.array(lengths), np.array([_first_differing_row(*both) for both in plans])


def _first_differing_row(table: Array, other_table: Array) -> float:
    """Return the first row in which two tables differ, in value or because one ends; infinity if they are equal."""
    common = min(len(table), len(other_table))
    different = np.flatnonzero((table[:common] != other_table[:common]).any(axis=1))
    if len(different):
        return float(different[0])
    return float("inf") if len(table) == len(other_table) else float(common)
