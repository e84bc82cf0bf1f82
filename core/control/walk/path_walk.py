"""A walk along a path: the plan, the network's steps under it, and the finished clip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import scipy

from ...errors import FootfallError
from ...features.locomotion import pose_from_output
from ...models.model_file import ControllerModel
from ...motion import Clip, Skeleton
from ...motion.proportions import ADULT_LEG, scale_between
from ...motion.rotations import Array
from ...retarget.calibration import Calibration, calibrate
from ...retarget.retarget import retarget
from ...terrain.ground import Plane
from ...terrain.walk_scene import Surroundings
from ..feet.duck import duck
from ..feet.foot_lock import lock_feet, locked_contacts
from ..navigation.path_repair import repair_path
from ..path.path import Path
from ..path.path_events import Cues
from ..path.terrain_profile import TerrainProfile
from ..path.timed_waypoints import Waypoint, WaypointResult, warp_through_waypoints
from ..path.velocity_profile import plan_timing
from ..runtime.locomotion_runtime import RuntimeFrames
from ..runtime.pose_decoder import decode_poses, standing_clip
from .path_following import PathFollower, RolloutTrace, WalkPlan
from .waypoint_solver import WaypointSolver

ADVANCE_CHUNK_FRAMES = 3600
# Seconds over which the height of the body over the ground is steadied.
HEIGHT_SMOOTHING_S = 0.08
# The top of the head, as a share of the height of the highest joint, the head's.
HEAD_TOP_RATIO = 1.12
# From a shuffle to a sprint, m/s.
SPEED_RANGE_M_S = (0.3, 8.0)
REFINISH_MARGIN_S = 4.0
"""Seconds before the frames that are new from which a walk is finished anew, ..."""
SEAM_MARGIN_S = 2.0
"""... and before which what is new does not show: contacts last so long, and corrections are spread over less."""
RETARGET_SAMPLE_S = 10.0
"""Seconds of a walk that say how its body bends and how high its soles are."""
SAME_POSE_TOLERANCE = 1e-9
"""Metres, and parts of quaternions, that are no difference."""
# Gaits that are chosen by speed and ground, and not by whoever directs a walk.
BASE_GAITS = ("stand", "walk", "run", "crouch", "jump")


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A finished walk: the clip, and what the controller said of its frames.

    Attributes:
        clip: motion on the asked skeleton at the controller's rate.
        contacts: (F, 4), 1 where a foot's joint is held, in the order of ``labelling.contacts.JOINTS``.
        phase: (F) cycles.
        gaits: (F, G) commanded gaits.
        standing: the same body standing on level ground, where the controller knows how: its feet are flat.
        met: what became of the marks, in the order of their times.
    """

    clip: Clip
    contacts: Array
    phase: Array
    gaits: Array
    standing_clip: Clip | None = None
    waypoint_results: tuple[WaypointResult, ...] = ()

    def before_frame(self, frame: int) -> "Walk":
        """What comes before a frame."""
        return self._slice(0, frame)

    def from_frame(self, frame: int) -> "Walk":
        """What comes from a frame on."""
        return self._slice(frame, len(self.contacts))

    def _slice(self, start: int, stop: int) -> "Walk":
        contacts, phase, gaits = (part[start:stop] for part in (self.contacts, self.phase, self.gaits))
        return Walk(self.clip.cut(start, stop), contacts, phase, gaits, self.standing_clip, self.waypoint_results)

    def concat(self, other: "Walk") -> "Walk":
        """This walk and what comes after it."""
        clip = replace(
            self.clip,
            root_positions=np.concatenate([self.clip.root_positions, other.clip.root_positions]),
            rotations=np.concatenate([self.clip.rotations, other.clip.rotations]),
        )
        contacts, phase, gaits = (
            np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("contacts", "phase", "gaits")
        )
        return Walk(clip, contacts, phase, gaits, other.standing_clip, other.waypoint_results)


@dataclass(frozen=True, slots=True, eq=False)
class _FinishedWalk:
    """A finished walk, and the motion by which it was retargeted: its own beginning, so that its end does not tell."""

    walk: Walk
    retarget_sample: Clip | None


class PathWalk:
    """A walk in the making, from standing at the path's start to standing at its end.

    Args:
        model: the controller.
        path: where to walk.
        speed: commanded speed, m/s, above zero.
        surroundings: the scene; level ground at ``level`` where not given.
        level: about how high the path begins, metres.
        target: whose walk it is, or how the controller's skeleton is calibrated to it; the controller's own where not
            given. Another skeleton walks the same path in steps of its own size.
        seed: chooses the phase the character stands in, so that a crowd does not march in step; 0 is the controller's.
        style: one of :func:`model_styles` the controller, in which it moves; empty for plain walking and running.
        cues: what is told besides, in metres along the path as it is drawn.
        marks: where to be when; the path is led through them.

    Raises:
        FootfallError: a speed is none at which people walk or run, or the controller has no such style.
    """

    def __init__(
        self,
        model: ControllerModel,
        path: Path,
        speed: float = 1.2,
        surroundings: Surroundings | None = None,
        start_level: float = 0.0,
        target: Skeleton | Calibration | None = None,
        seed: int = 0,
        style: str = "",
        cues: Cues | None = None,
        waypoints: Sequence[Waypoint] = (),
    ) -> None:
        if model.interacts:
            raise FootfallError("This controller sits, carries and opens, and goes for goals: choose one that walks.")
        cues = cues or Cues()
        for one in (style, *(stretch.style for stretch in cues.spans if stretch.style)):
            require_style(model, one)
        for one in (speed, *(stretch.speed for stretch in cues.spans if stretch.speed is not None)):
            _require_speed(one)
        self.model = model
        self.surroundings = surroundings or Surroundings(Plane(start_level))
        self.target = calibrate(model.skeleton, target) if isinstance(target, Skeleton) else target
        self.scale = scale_between(model.skeleton, self.target.target) if self.target else 1.0
        self.body_scale = model.skeleton.leg_length / ADULT_LEG
        waypoints = sorted(waypoints, key=lambda mark: mark.time)
        self.drawn_path = path = warp_through_waypoints(path, waypoints, speed) if waypoints else path
        route = repair_path(path, self.surroundings, start_level, self.body_scale * self.scale)
        path, self.notes = route.path.scaled(1 / self.scale), route.notes
        scaled = self.surroundings.scaled(1 / self.scale)
        self.speed = speed / self.scale
        self.profile = TerrainProfile.from_path(path, scaled, start_level / self.scale, self.body_scale)
        cues = cues.scaled(1 / self.scale).remapped(_drawn_to_walked(self.drawn_path, route.path, self.scale))
        upright = HEAD_TOP_RATIO * float(model.start["position"][:, 2].max())
        planned = partial(
            plan_timing, path, self.speed, model.rate, self.profile, upright, gaits=model.gaits, style=style
        )
        waypoints = [one.scaled(1 / self.scale) for one in waypoints]
        self._waypoint_solver = WaypointSolver.create(planned, path, waypoints, cues, self.speed, model.rate)
        self.timing = planned(self._waypoint_solver.cues)
        self.ground = scaled.ground
        slowest = float(cues.all_speeds(self.speed).min())
        self.plan = WalkPlan(path, self.profile, self.timing, slowest, self.ground, seed)
        self._follower, self._character = PathFollower(model, [self.plan]), 0
        self._frames_reused = 0
        self._previous_walk: _FinishedWalk | None = None
        self._finished_walk: _FinishedWalk | None = None

    def follow_plan(self, plan: WalkPlan, delay_frames: int) -> None:
        """Walks another way, which begins so many frames later: its marks are as much later."""
        self.plan, seconds = plan, delay_frames / self.model.rate
        self._waypoint_solver.waypoints = [
            replace(mark, time=mark.time + seconds) for mark in self._waypoint_solver.waypoints
        ]

    def join_batch(self, follower: PathFollower, character: int) -> None:
        """Goes on as one of several: see :func:`batch_walks`."""
        self._follower, self._character = follower, character

    @property
    def path(self) -> Path:
        """The way that is walked, in metres of the controller; ground that moves carries it along."""
        return self._follower.paths[self._character]

    @property
    def has_waypoints(self) -> bool:
        """Whether there are marks to meet."""
        return len(self._waypoint_solver.waypoints) > 0

    @property
    def frames_done(self) -> int:
        """Frames made so far."""
        return self._follower.frames_done

    @property
    def total_frames(self) -> int:
        """Frames of the whole walk, as far as can be told: it grows while the character is behind the plan."""
        return self._follower.frames_done + self._follower.frames_left

    @property
    def frames_reused(self) -> int:
        """Frames that were taken over from another walk, or kept when this one went back."""
        return self._frames_reused

    def resume_from(self, previous: "PathWalk") -> int:
        """Keeps what another walk has made for as long as both are told the same: where the end of a path was changed,
        all before it. The result is the very same as without.

        Returns:
            The frames that are kept.
        """
        self._frames_reused = self._follower.resume_from(previous._follower)
        self._previous_walk = previous._finished_walk
        return self._frames_reused

    @property
    def trace(self) -> RolloutTrace:
        """What the network said until now."""
        return self.trace_from(0)

    def trace_from(self, frame: int) -> RolloutTrace:
        """What the network said from a frame on until now."""
        return self._follower.trace(self._character, frame)

    def advance(self, frames: int) -> bool:
        """Makes up to ``frames`` more frames; false when the walk is finished.

        A walk that misses its marks goes back to before them, and is told better.
        """
        return self._follower.advance(frames) or self._replan_for_waypoints()

    def _replan_for_waypoints(self) -> bool:
        if len(self._follower.walk_plans) > 1 or not self.has_waypoints:  # of a crowd nobody goes back
            return False
        timing = self._waypoint_solver.replan(self.trace, self.plan.timing, self.model.rate)
        if timing is None:
            return False
        self.plan = replace(self.plan, timing=timing)
        before, self._follower = self._follower, PathFollower(self.model, [self.plan])
        self._frames_reused = self._follower.resume_from(before)
        return True

    def finish(self) -> Walk:
        """The walk so far as a clip: poses on rigid bones, feet locked, on the asked skeleton."""
        walk = self._finish_tail(self._previous_walk) if self._previous_walk is not None else None
        self._finished_walk, self._previous_walk = walk or self._finish_trace(self.trace), None
        return self._finished_walk.walk

    def _finish_tail(self, previous: "_FinishedWalk") -> "_FinishedWalk | None":
        """The walk, of which only what comes after the kept frames is finished; ``None`` where that shows."""
        rate = self.model.rate
        first, agreed = (
            self._frames_reused - round(REFINISH_MARGIN_S * rate),
            self._frames_reused - round(SEAM_MARGIN_S * rate),
        )
        if first < round(RETARGET_SAMPLE_S * rate) or self.has_waypoints:
            return None
        old, new = previous.walk, self._finish_trace(self.trace_from(first), previous.retarget_sample).walk
        off = np.abs(new.clip.root_positions[: agreed - first] - old.clip.root_positions[first:agreed]).max(axis=1)
        turned = np.abs(new.clip.rotations[: agreed - first] - old.clip.rotations[first:agreed]).max(axis=(1, 2))
        differ = np.flatnonzero(np.maximum(off, turned) > SAME_POSE_TOLERANCE)
        join = first + (int(differ[-1]) + 1 if len(differ) else 0)
        if agreed - join < rate:
            return None
        return _FinishedWalk(old.before_frame(join).concat(new.from_frame(join - first)), previous.retarget_sample)

    def _finish_trace(self, trace: RolloutTrace, retarget_sample: Clip | None = None) -> "_FinishedWalk":
        standing = standing_clip(self.model)
        clip = self._decode_frames(trace.frames)
        if self.has_waypoints:
            trace = self._waypoint_solver.correct_trace(trace, clip)
            clip = self._decode_frames(trace.frames)
        clip = duck(clip, self.ground)
        contacts = locked_contacts(clip, trace.frames.contacts, self.ground, standing)
        clip = lock_feet(clip, contacts, self.ground, standing)
        if self.target is not None:
            standing = standing and retarget(standing, self.target)
            # Heads are not on everybody as high over their legs.
            retarget_sample = retarget_sample or clip.cut(0, round(RETARGET_SAMPLE_S * clip.rate))
            clip = duck(retarget(clip, self.target, example=retarget_sample), self.surroundings.ground)
            clip = lock_feet(clip, contacts, self.surroundings.ground, standing)
        met = self._waypoint_solver.results(clip, contacts, self.scale)
        return _FinishedWalk(
            Walk(clip, contacts.astype(float), trace.frames.phase, trace.gaits, standing, met), retarget_sample
        )

    def decode_walk(self) -> Clip:
        """The walk so far as the network has it: its poses on the rigid bones of its skeleton, feet not yet held."""
        return self._decode_frames(self.trace.frames)

    def _decode_frames(self, frames: RuntimeFrames) -> Clip:
        model, outputs = self.model, frames.output.astype(float)
        turned = pose_from_output(outputs, model.output_layout, model.reference_rotations)
        places = model.output_layout.view(outputs, "pose.position")
        heights = _smooth_heights(frames.height, HEIGHT_SMOOTHING_S * model.rate)
        return decode_poses(model, turned, places, np.column_stack([frames.position, heights]), frames.yaw)


def _require_speed(speed: float) -> None:
    if not SPEED_RANGE_M_S[0] <= speed <= SPEED_RANGE_M_S[1]:
        raise FootfallError(
            f"Nobody walks or runs at {speed:g} m/s: choose a speed from {SPEED_RANGE_M_S[0]:g} to {SPEED_RANGE_M_S[1]:g} m/s."
        )


def _drawn_to_walked(drawn: Path, walked: Path, scale: float) -> Callable[[float], float]:
    """Where metres along the path as it is drawn are on that which is walked, in metres of the controller."""
    if walked is drawn:
        return lambda length: length / scale
    tree = scipy.spatial.KDTree(walked.points)

    def place(length: float) -> float:
        index = int(tree.query(drawn.position_at(length))[1])
        return float(walked.arc_lengths[index]) / scale

    return place


def model_styles(model: ControllerModel) -> tuple[str, ...]:
    """The styles that a controller was taught besides walking and running."""
    return tuple(name for name in model.gaits if name not in BASE_GAITS)


def require_style(model: ControllerModel, style: str) -> None:
    """Raises :class:`FootfallError` where a controller has no such style; none is always there."""
    known = model_styles(model)
    if style and style not in known:
        has = f"it has {', '.join(known)}" if known else "it was taught none"
        raise FootfallError(f"The controller has no style '{style}': {has}.")


def batch_walks(walks: Sequence[PathWalk]) -> None:
    """Makes walks of one controller that have not begun a crowd: whichever is advanced, all are, in one batch."""
    followers = PathFollower(walks[0].model, [walk.plan for walk in walks])
    for number, walk in enumerate(walks):
        walk.join_batch(followers, number)


def _smooth_heights(heights: Array, sigma_frames: float) -> Array:
    """Heights (F) without the jumps that they make where one of the samples of the ground comes to an edge."""
    pad = int(4 * sigma_frames) + 1
    return scipy.ndimage.gaussian_filter1d(np.pad(heights, pad, mode="reflect", reflect_type="odd"), sigma_frames)[
        pad:-pad
    ]


def walk_path(
    model: ControllerModel,
    path: Path,
    speed: float = 1.2,
    surroundings: Surroundings | None = None,
    start_level: float = 0.0,
    target: Skeleton | Calibration | None = None,
    seed: int = 0,
    style: str = "",
    cues: Cues | None = None,
    waypoints: Sequence[Waypoint] = (),
) -> Walk:
    """The whole walk at once: see :class:`PathWalk`."""
    walk = PathWalk(model, path, speed, surroundings, start_level, target, seed, style, cues, waypoints)
    while walk.advance(ADVANCE_CHUNK_FRAMES):
        pass
    return walk.finish()
