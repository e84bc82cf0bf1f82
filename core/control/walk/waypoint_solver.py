"""Solver for a walk's waypoints: it replans the walk after a roll-out, and corrects the last centimeters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...message import Message
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.root_frame import facing_direction, root_track
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned
from ..path.path import Path
from ..path.timed_waypoints import TUNING as TIMED_WAYPOINTS_TUNING
from ..path.timed_waypoints import Waypoint, WaypointResult, phase_error, phase_offsets, spread_correction
from ..path.velocity_profile import Timing
from .rollout_trace import RolloutTrace


@dataclass(frozen=True, slots=True)
class WaypointSolverTuning(Tuning):
    max_replans: int = tuned(3, "1", 0, 20)
    """Largest number of times that a walk is replanned."""
    replan_distance: float = tuned(0.08, "m", 0.0, 1.0)
    """Largest error at a waypoint that is corrected without replanning."""
    miss_distance: float = tuned(0.03, "m", 0.001, 0.5)
    """Distance from a waypoint above which the waypoint counts as missed."""


TUNING: Final = WaypointSolverTuning()


@dataclass(slots=True, eq=False)
class WaypointSolver:
    """The waypoints of one walk, in meters at its controller's scale.

    Attributes:
        waypoints: the waypoints in the order of their times.
        path: the planned path.
        waypoint_lengths: (K) arc lengths of the waypoints, meters.
        failure_reasons: for each of K waypoints, the reason why it cannot be met; empty if it can.
        rate: frames per second.
        replans_left: number of times that the walk may still be replanned.
    """

    waypoints: Sequence[Waypoint]
    path: Path
    waypoint_lengths: Array
    failure_reasons: Sequence[str]
    rate: float
    replans_left: int = TUNING.max_replans

    def replan(self, trace: RolloutTrace, timing: Timing, rate: float) -> Timing | None:
        """Return a timing corrected by the roll-out's errors (iterative learning control, Arimoto et al. 1984).

        Args:
            trace: the roll-out.
            timing: the timing of the roll-out.
            rate: frames per second.

        Returns:
            The new timing; `None` if the waypoints are met or no correction helps.
        """
        if not self.waypoints or not self.replans_left:
            return None
        self.replans_left -= 1
        frames = self._waypoint_frames(len(trace.planned_lengths))
        errors = self._position_errors(trace.frames.position[frames])
        along = np.sum(errors * facing_direction(self.path.yaw_at(self.waypoint_lengths)), axis=-1)
        along[np.linalg.norm(errors, axis=1) < TUNING.replan_distance] = 0.0
        phases, contacts = trace.frames.phase, trace.frames.contacts
        shifts = np.array(
            [
                phase_error(phases, contacts, int(frame), waypoint.foot, rate) if waypoint.foot else 0.0
                for frame, waypoint in zip(frames, self.waypoints, strict=True)
            ]
        )
        if not along.any() and not shifts.any():
            return None
        distances = np.maximum.accumulate(
            timing.distances + spread_correction(self.waypoint_lengths, along, timing.distances)
        )
        due = [waypoint.time for waypoint in self.waypoints]
        return replace(
            timing,
            distances=np.minimum(distances, self.path.length),
            phase_offsets=phase_offsets(timing, due, shifts, rate),
        )

    def correct_trace(self, trace: RolloutTrace, clip: Clip) -> RolloutTrace:
        """Return a roll-out displaced by centimeters to its waypoints (motion warping, Witkin and Popovic 1995)."""
        if not self.waypoints:
            return trace
        frames, made = self._waypoint_frames(len(clip)), trace.frames
        hips = clip.positions[frames, clip.skeleton.joint("hips"), :2]
        errors = self._position_errors(hips)
        errors[np.linalg.norm(errors, axis=1) > TIMED_WAYPOINTS_TUNING.max_correction] = 0.0
        goal_yaws = np.array(
            [
                made.yaw[frame] if waypoint.yaw is None else waypoint.yaw
                for waypoint, frame in zip(self.waypoints, frames, strict=True)
            ]
        )
        turned = np.where(errors.any(axis=1), wrap_angle(goal_yaws - made.yaw[frames]), 0.0)
        position = made.position + spread_correction(self.waypoint_lengths, errors, trace.planned_lengths)
        yaw = made.yaw + spread_correction(self.waypoint_lengths, turned, trace.planned_lengths)
        return replace(trace, frames=replace(made, position=position, yaw=yaw))

    def results(self, clip: Clip, contacts: FootContacts, scale: float) -> tuple[WaypointResult, ...]:
        """Return the errors of a finished clip at the waypoints.

        Args:
            clip: the clip.
            contacts: held contacts of heels and balls.
            scale: clip meters per meter at the controller's scale.
        """
        if not self.waypoints:
            return ()
        hips = clip.positions[:, clip.skeleton.joint("hips"), :2]
        yaws = root_track(clip).yaws
        result: list[WaypointResult] = []
        for waypoint, frame, reason in zip(
            self.waypoints, self._waypoint_frames(len(clip)), self.failure_reasons, strict=True
        ):
            near = slice(max(frame - 1, 0), frame + 2)
            distance = float(np.linalg.norm(hips[near] - waypoint.position * scale, axis=1).min())
            turned = 0.0 if waypoint.yaw is None else abs(float(wrap_angle(waypoint.yaw - yaws[frame])))
            stands = {"": True, **{side: bool(contacts.planted(side)[frame]) for side in "LR"}}
            reason = reason or (
                Message("The waypoint was missed by {distance} cm", distance=f"{100 * distance:.0f}")
                if distance > TUNING.miss_distance
                else ""
            )
            result.append(WaypointResult(distance, turned, stands[waypoint.foot], reason))
        return tuple(result)

    def _position_errors(self, positions: Array) -> Array:
        """Return the displacements (K, 2) from positions (K, 2) to the waypoints, meters.

        Zero for impossible waypoints.
        """
        errors = np.array([waypoint.position for waypoint in self.waypoints]) - positions
        errors[[bool(reason) for reason in self.failure_reasons]] = 0.0
        return errors

    def _waypoint_frames(self, frame_count: int) -> NDArray[np.intp]:
        """Return the frames (K) of the waypoints, clamped to a walk of `frame_count` frames."""
        frames = np.round(np.array([waypoint.time for waypoint in self.waypoints]) * self.rate).astype(int)
        return np.clip(frames, 0, frame_count - 1)
