"""A walk along a path: the plan, the network's roll-out, and the finished clip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import scipy

from ...errors import FootfallError
from ...features.locomotion import pose_rotations
from ...models.model_file import ControllerModel
from ...motion import Clip, Skeleton
from ...motion.proportions import ADULT_LEG_LENGTH_M, scale_between
from ...motion.rotations import Array
from ...retarget.calibration import Calibration, calibrate
from ...retarget.retarget import retarget
from ...terrain.ground import Plane
from ...terrain.walk_scene import WalkScene
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
from .path_following import PathFollower, WalkPlan
from .rollout_trace import RolloutTrace
from .waypoint_solver import WaypointSolver

# Frames that are made at once where nothing waits for them.
ADVANCE_CHUNK_FRAMES = 3600
# Standard deviation of the Gaussian that smooths the height of the ground below the root.
HEIGHT_SMOOTHING_S = 0.08
# Height of the top of the head as a share of the height of the highest joint, the head's.
HEAD_TOP_RATIO = 1.12
# From a shuffle to a sprint, m/s.
SPEED_RANGE_M_S = (0.3, 8.0)
REFINISH_MARGIN_S = 4.0
"""Time before the first new frame from which a walk is finished anew."""
SEAM_MARGIN_S = 2.0
"""Time before the first new frame up to which new frames change nothing: longer than contacts and corrections last."""
RETARGET_SAMPLE_S = 10.0
"""Length of the sample of a walk that calibrates its retargeting."""
SAME_POSE_TOLERANCE = 1e-9
"""Difference of positions, meters, and of quaternion components up to which poses are equal."""
# Gaits that follow from speed and ground; all others are styles.
BASE_GAITS = ("stand", "walk", "run", "crouch", "jump")


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A finished walk.

    Attributes:
        clip: motion of the target skeleton at the controller's rate.
        contacts: (F, 4), 1 where a foot's joint is locked, in the order of :data:`...motion.roles.CONTACT_JOINTS`.
        phase: (F) cycles.
        gaits: (F, G) commanded gaits.
        standing_clip: the target skeleton standing on level ground with flat feet, where the controller can stand.
        waypoint_results: how well the walk meets its waypoints, in the order of their times.
    """

    clip: Clip
    contacts: Array
    phase: Array
    gaits: Array
    standing_clip: Clip | None = None
    waypoint_results: tuple[WaypointResult, ...] = ()

    def before_frame(self, frame: int) -> "Walk":
        """Return the first `frame` frames."""
        return self._slice(0, frame)

    def from_frame(self, frame: int) -> "Walk":
        """Return the frames from `frame` on."""
        return self._slice(frame, len(self.contacts))

    def _slice(self, start: int, stop: int) -> "Walk":
        """Return the frames from `start` to `stop`."""
        contacts, phase, gaits = (part[start:stop] for part in (self.contacts, self.phase, self.gaits))
        return Walk(self.clip.cut(start, stop), contacts, phase, gaits, self.standing_clip, self.waypoint_results)

    def concat(self, other: "Walk") -> "Walk":
        """Return this walk followed by `other`."""
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
    """A finished walk with the clip that calibrated its retargeting: its own beginning, whatever its end is."""

    walk: Walk
    retarget_sample: Clip | None


class PathWalk:
    """A walk in progress, from standing at the path's start to standing at its end.

    Args:
        model: the controller.
        path: where to walk.
        speed: commanded speed, m/s, above zero.
        surroundings: the scene; level ground at `start_level` if not given.
        start_level: approximate height of the path's start, meters.
        target: skeleton that walks, or its calibration to the controller's skeleton; the controller's own skeleton if
            not given. Another skeleton walks the same path in steps of its own size.
        seed: chooses the phase of the first frame, so that a crowd does not march in step; 0 is the controller's.
        style: one of :func:`model_styles`; empty for plain walking and running.
        cues: path events, at arc lengths of the drawn path.
        waypoints: timed waypoints; the path is warped through them.

    Raises:
        FootfallError: a speed is out of range, or the controller does not walk or has no such style.
    """

    def __init__(
        self,
        model: ControllerModel,
        path: Path,
        speed: float = 1.2,
        surroundings: WalkScene | None = None,
        start_level: float = 0.0,
        target: Skeleton | Calibration | None = None,
        seed: int = 0,
        style: str = "",
        cues: Cues | None = None,
        waypoints: Sequence[Waypoint] = (),
    ) -> None:
        if model.is_interaction_controller:
            raise FootfallError("This controller sits, carries and opens, and goes for goals: choose one that walks.")
        cues = cues or Cues()
        for name in (style, *(span.style for span in cues.spans if span.style)):
            require_style(model, name)
        for commanded in (speed, *(span.speed for span in cues.spans if span.speed is not None)):
            _require_speed(commanded)
        self.model = model
        self.surroundings = surroundings or WalkScene(Plane(start_level))
        self.target = calibrate(model.skeleton, target) if isinstance(target, Skeleton) else target
        self.scale = scale_between(model.skeleton, self.target.target) if self.target else 1.0
        self.body_scale = model.skeleton.leg_length / ADULT_LEG_LENGTH_M
        waypoints = sorted(waypoints, key=lambda waypoint: waypoint.time)
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
        waypoints = [waypoint.scaled(1 / self.scale) for waypoint in waypoints]
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
        """Replace the plan before the first frame.

        Args:
            plan: the new plan, in meters of the controller.
            delay_frames: frames by which it starts later, and its waypoints with it.
        """
        self.plan, seconds = plan, delay_frames / self.model.rate
        self._waypoint_solver.waypoints = [
            replace(waypoint, time=waypoint.time + seconds) for waypoint in self._waypoint_solver.waypoints
        ]

    def join_batch(self, follower: PathFollower, character: int) -> None:
        """Continue as one character of a batch: see :func:`batch_walks`.

        Args:
            follower: the batch.
            character: index of this walk in it.
        """
        self._follower, self._character = follower, character

    @property
    def path(self) -> Path:
        """The path in meters of the controller; moving ground carries it along."""
        return self._follower.paths[self._character]

    @property
    def has_waypoints(self) -> bool:
        """Whether the walk has waypoints."""
        return len(self._waypoint_solver.waypoints) > 0

    @property
    def frames_done(self) -> int:
        """Number of frames made so far."""
        return self._follower.frames_done

    @property
    def total_frames(self) -> int:
        """Estimated number of frames of the whole walk; it grows while the character is behind its plan."""
        return self._follower.frames_done + self._follower.frames_left

    @property
    def frames_reused(self) -> int:
        """Number of frames taken over from another walk, or from this one before it was replanned."""
        return self._frames_reused

    def resume_from(self, previous: "PathWalk") -> int:
        """Take over the frames of a previous walk for as long as both have the same plan, as before an edited path end.

        The result is identical to that of a walk from the beginning.

        Returns:
            The number of frames taken over.
        """
        self._frames_reused = self._follower.resume_from(previous._follower)
        self._previous_walk = previous._finished_walk
        return self._frames_reused

    @property
    def trace(self) -> RolloutTrace:
        """The network's frames so far."""
        return self.trace_from(0)

    def trace_from(self, frame: int) -> RolloutTrace:
        """Return the network's frames from `frame` on."""
        return self._follower.trace(self._character, frame)

    def advance(self, frames: int) -> bool:
        """Make up to `frames` more frames; return whether any are left.

        A walk that misses its waypoints replans and goes back to the first frame that changes.
        """
        return self._follower.advance(frames) or self._replan_for_waypoints()

    def _replan_for_waypoints(self) -> bool:
        """Replan a single walk that missed its waypoints; return whether it goes on."""
        if len(self._follower.walk_plans) > 1 or not self.has_waypoints:  # a batch never goes back
            return False
        timing = self._waypoint_solver.replan(self.trace, self.plan.timing, self.model.rate)
        if timing is None:
            return False
        self.plan = replace(self.plan, timing=timing)
        before, self._follower = self._follower, PathFollower(self.model, [self.plan])
        self._frames_reused = self._follower.resume_from(before)
        return True

    def finish(self) -> Walk:
        """Return the walk so far: retargeted to the target skeleton, with locked feet."""
        walk = self._finish_tail(self._previous_walk) if self._previous_walk is not None else None
        self._finished_walk, self._previous_walk = walk or self._finish_trace(self.trace), None
        return self._finished_walk.walk

    def _finish_tail(self, previous: "_FinishedWalk") -> "_FinishedWalk | None":
        """Finish only the frames after those taken over; return `None` where the seam would show."""
        rate = self.model.rate
        first, seam = (
            self._frames_reused - round(REFINISH_MARGIN_S * rate),
            self._frames_reused - round(SEAM_MARGIN_S * rate),
        )
        if first < round(RETARGET_SAMPLE_S * rate) or self.has_waypoints:
            return None
        old, new = previous.walk, self._finish_trace(self.trace_from(first), previous.retarget_sample).walk
        moved = np.abs(new.clip.root_positions[: seam - first] - old.clip.root_positions[first:seam]).max(axis=1)
        turned = np.abs(new.clip.rotations[: seam - first] - old.clip.rotations[first:seam]).max(axis=(1, 2))
        differ = np.flatnonzero(np.maximum(moved, turned) > SAME_POSE_TOLERANCE)
        join = first + (int(differ[-1]) + 1 if len(differ) else 0)
        if seam - join < rate:
            return None
        return _FinishedWalk(old.before_frame(join).concat(new.from_frame(join - first)), previous.retarget_sample)

    def _finish_trace(self, trace: RolloutTrace, retarget_sample: Clip | None = None) -> "_FinishedWalk":
        """Finish the frames of a trace: decode, correct for waypoints, duck, lock feet and retarget."""
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
            # Heads differ in height over legs of the same length.
            retarget_sample = retarget_sample or clip.cut(0, round(RETARGET_SAMPLE_S * clip.rate))
            clip = duck(retarget(clip, self.target, example=retarget_sample), self.surroundings.ground)
            clip = lock_feet(clip, contacts, self.surroundings.ground, standing)
        results = self._waypoint_solver.results(clip, contacts, self.scale)
        return _FinishedWalk(
            Walk(clip, contacts.astype(float), trace.frames.phase, trace.gaits, standing, results), retarget_sample
        )

    def decode_walk(self) -> Clip:
        """Return the network's poses so far on rigid bones, without foot locks."""
        return self._decode_frames(self.trace.frames)

    def _decode_frames(self, frames: RuntimeFrames) -> Clip:
        """Return the poses of frames (F) on rigid bones, with smoothed heights."""
        model, outputs = self.model, frames.output.astype(float)
        rotations = pose_rotations(outputs, model.output_layout, model.reference_rotations)
        positions = model.output_layout.view(outputs, "pose.position")
        heights = _smooth_heights(frames.height, HEIGHT_SMOOTHING_S * model.rate)
        return decode_poses(model, rotations, positions, np.column_stack([frames.position, heights]), frames.yaw)


def _require_speed(speed: float) -> None:
    """Raise an error if a speed, m/s, is out of range."""
    if not SPEED_RANGE_M_S[0] <= speed <= SPEED_RANGE_M_S[1]:
        raise FootfallError(
            f"Nobody walks or runs at {speed:g} m/s: choose a speed from {SPEED_RANGE_M_S[0]:g} to "
            f"{SPEED_RANGE_M_S[1]:g} m/s."
        )


def _drawn_to_walked(drawn: Path, walked: Path, scale: float) -> Callable[[float], float]:
    """Return the map from arc lengths of the drawn path to those of the walked one, meters of the controller."""
    if walked is drawn:
        return lambda length: length / scale
    tree = scipy.spatial.KDTree(walked.points)

    def walked_length(length: float) -> float:
        index = int(tree.query(drawn.position_at(length))[1])
        return float(walked.arc_lengths[index]) / scale

    return walked_length


def model_styles(model: ControllerModel) -> tuple[str, ...]:
    """Return the styles of a controller besides walking and running."""
    return tuple(name for name in model.gaits if name not in BASE_GAITS)


def require_style(model: ControllerModel, style: str) -> None:
    """Check that a controller has a style; an empty style always passes.

    Raises:
        FootfallError: the controller has no such style.
    """
    known = model_styles(model)
    if style and style not in known:
        has = f"it has {', '.join(known)}" if known else "it was taught none"
        raise FootfallError(f"The controller has no style '{style}': {has}.")


def batch_walks(walks: Sequence[PathWalk]) -> None:
    """Batch walks of one controller that have not started; advancing any of them advances all."""
    follower = PathFollower(walks[0].model, [walk.plan for walk in walks])
    for character, walk in enumerate(walks):
        walk.join_batch(follower, character)


def _smooth_heights(heights: Array, sigma_frames: float) -> Array:
    """Smooth heights (F), which jump where a sample of the ground comes to an edge."""
    pad = int(4 * sigma_frames) + 1
    return scipy.ndimage.gaussian_filter1d(np.pad(heights, pad, mode="reflect", reflect_type="odd"), sigma_frames)[
        pad:-pad
    ]


def walk_path(
    model: ControllerModel,
    path: Path,
    speed: float = 1.2,
    surroundings: WalkScene | None = None,
    start_level: float = 0.0,
    target: Skeleton | Calibration | None = None,
    seed: int = 0,
    style: str = "",
    cues: Cues | None = None,
    waypoints: Sequence[Waypoint] = (),
) -> Walk:
    """Make a whole walk at once: see :class:`PathWalk`.

    Args:
        model: the controller.
        path: where to walk.
        speed: commanded speed, m/s.
        surroundings: the scene; level ground at `start_level` if not given.
        start_level: approximate height of the path's start, meters.
        target: skeleton that walks, or its calibration; the controller's own skeleton if not given.
        seed: chooses the phase of the first frame.
        style: one of :func:`model_styles`; empty for plain walking and running.
        cues: path events.
        waypoints: timed waypoints.
    """
    walk = PathWalk(model, path, speed, surroundings, start_level, target, seed, style, cues, waypoints)
    while walk.advance(ADVANCE_CHUNK_FRAMES):
        pass
    return walk.finish()
