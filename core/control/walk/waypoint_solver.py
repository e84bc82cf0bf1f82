"""Meeting marks in a walk: what it is told for them, what is learned from how it went, and the last centimetres."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.root_frame import facing, root_track
from ...motion.rotations import Array
from ..path.path import Path
from ..path.path_events import Cues
from ..path.timed_waypoints import (
    MAX_CORRECTION_M,
    Waypoint,
    WaypointResult,
    phase_error,
    phase_offsets,
    retime_for_waypoints,
    spread_correction,
    waypoint_arc_lengths,
    wrap_angle,
)
from ..path.velocity_profile import Timing
from .path_following import RolloutTrace

MAX_REPLANS: Final = 3
"""How often a walk is told better."""
REPLAN_DISTANCE_M: Final = 0.08
"""Metres from a mark that are made up without learning."""
MISS_DISTANCE_M: Final = 0.03
"""Metres from a mark at which it is missed."""


@dataclass(slots=True, eq=False)
class WaypointSolver:
    """The marks of one walk, in metres of its controller.

    Attributes:
        marks: in the order of their times.
        cues: what the walk is told, for the marks and besides.
        path: the way.
        places: (K) arc lengths of the marks.
        why: why marks cannot be met; empty for those who can.
        rate: frames a second.
        replans_left: how often it may still learn.
    """

    waypoints: Sequence[Waypoint]
    cues: Cues
    path: Path
    waypoint_lengths: Array
    failure_reasons: Sequence[str]
    rate: float
    replans_left: int = MAX_REPLANS

    @staticmethod
    def create(
        make_timing: Callable[..., Timing],
        path: Path,
        waypoints: Sequence[Waypoint],
        cues: Cues,
        speed: float,
        rate: float,
    ) -> "WaypointSolver":
        """What a walk is told so that it meets its marks.

        Args:
            make_timing: the plan of the walk under ``cues``.
            path: the way.
            waypoints: in the order of their times.
            cues: what is told besides.
            speed: commanded, m/s.
            rate: frames a second.
        """
        if not waypoints:
            return WaypointSolver(waypoints, cues, path, np.zeros(0), (), rate)
        places = waypoint_arc_lengths(path, waypoints, speed)
        told, why = retime_for_waypoints(lambda one: make_timing(cues=one), path, places, waypoints, cues, speed, rate)
        return WaypointSolver(waypoints, told, path, places, why, rate)

    def replan(self, trace: RolloutTrace, timing: Timing, rate: float) -> Timing | None:
        """A better plan after a walk that missed its marks; ``None`` where it met them, or nothing more is learned."""
        if not self.waypoints or not self.replans_left:
            return None
        self.replans_left -= 1
        frames = self._waypoint_frames(len(trace.planned))
        missing = self._position_errors(trace.frames.position[frames])
        along = np.sum(missing * facing(self.path.yaw_at(self.waypoint_lengths)), axis=-1)
        along[np.linalg.norm(missing, axis=1) < REPLAN_DISTANCE_M] = 0.0
        phases, contacts = trace.frames.phase, trace.frames.contacts
        shifts = np.array(
            [
                phase_error(phases, contacts, int(frame), mark.foot, rate) if mark.foot else 0.0
                for frame, mark in zip(frames, self.waypoints, strict=True)
            ]
        )
        if not along.any() and not shifts.any():
            return None
        distances = np.maximum.accumulate(
            timing.distances + spread_correction(self.waypoint_lengths, along, timing.distances)
        )
        due = [mark.time for mark in self.waypoints]
        return replace(
            timing,
            distances=np.minimum(distances, self.path.length),
            phase_offsets=phase_offsets(timing, due, shifts, rate),
        )

    def correct_trace(self, trace: RolloutTrace, clip: Clip) -> RolloutTrace:
        """What became of a character, moved by the last centimetres so that it is at its marks.

        Args:
            trace: what became of it.
            clip: its poses.
        """
        if not self.waypoints:
            return trace
        frames, steps = self._waypoint_frames(len(clip)), trace.frames
        hips = clip.positions[frames, clip.skeleton.role("hips"), :2]
        missing = self._position_errors(hips)
        missing[np.linalg.norm(missing, axis=1) > MAX_CORRECTION_M] = 0.0
        wanted = np.array(
            [
                steps.yaw[frame] if one.yaw is None else one.yaw
                for one, frame in zip(self.waypoints, frames, strict=True)
            ]
        )
        turned = np.where(missing.any(axis=1), wrap_angle(wanted - steps.yaw[frames]), 0.0)
        position = steps.position + spread_correction(self.waypoint_lengths, missing, trace.planned)
        yaw = steps.yaw + spread_correction(self.waypoint_lengths, turned, trace.planned)
        return replace(trace, frames=replace(steps, position=position, yaw=yaw))

    def results(self, clip: Clip, foot_contacts: NDArray[np.bool_], scale: float) -> tuple[WaypointResult, ...]:
        """What became of the marks in a finished clip, whose metres are ``scale`` of the controller's; ``foot_contacts`` (F, 4)
        are its contacts."""
        if not self.waypoints:
            return ()
        hips = clip.positions[:, clip.skeleton.role("hips"), :2]
        yaws = root_track(clip).yaws
        result: list[WaypointResult] = []
        for mark, frame, why in zip(
            self.waypoints, self._waypoint_frames(len(clip)), self.failure_reasons, strict=True
        ):
            near = slice(max(frame - 1, 0), frame + 2)
            off = float(np.linalg.norm(hips[near] - mark.position * scale, axis=1).min())
            turned = 0.0 if mark.yaw is None else abs(float(wrap_angle(mark.yaw - yaws[frame])))
            stands = {"": True, "L": bool(foot_contacts[frame, :2].any()), "R": bool(foot_contacts[frame, 2:].any())}
            why = why or (f"one came no nearer than {100 * off:.0f} cm" if off > MISS_DISTANCE_M else "")
            result.append(WaypointResult(off, turned, stands[mark.foot], why))
        return tuple(result)

    def _position_errors(self, positions: Array) -> Array:
        """What is missing (K, 2), metres, at places (K, 2) to the marks; nothing of those who cannot be met."""
        missing = np.array([mark.position for mark in self.waypoints]) - positions
        missing[[bool(why) for why in self.failure_reasons]] = 0.0
        return missing

    def _waypoint_frames(self, frame_count: int) -> NDArray[np.intp]:
        """Frames (K) of a walk of so many at which its marks are."""
        frames = np.round(np.array([mark.time for mark in self.waypoints]) * self.rate).astype(int)
        return np.clip(frames, 0, frame_count - 1)
