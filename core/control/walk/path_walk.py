"""A walk along a path: roll-out of its plan, post-processing and retargeting."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...features.terrain import CENTER_SAMPLE_INDEX
from ...jobs.steps import finished
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...retarget.retarget import retarget
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..feet.bearing import bearing_contacts
from ..feet.foot_lock import lock_feet, locked_contacts
from ..passes.duck import duck
from ..passes.gaze import look_along
from ..path.path import Path
from ..path.terrain_profile import TerrainProfile
from ..runtime.body_state import BodyState
from ..runtime.pose_decoder import standing_clip
from .finished_frames import decoded_frames
from .finished_walk import Walk, WalkPieces
from .path_following import PathFollower
from .plan import WalkPlan, WalkRequest, plan_walk
from .rollout_trace import RolloutTrace
from .waypoint_solver import WaypointSolver

# Number of frames made together if no caller waits for them.
ADVANCE_CHUNK_FRAMES = 3600


@dataclass(frozen=True, slots=True)
class PathWalkTuning(Tuning):
    refinish_margins: tuple[float, float, float] = tuned((6.0, 12.0, 24.0), "s", 1.0, 120.0)
    """Time before the first changed frame of an edited walk from which it is finished again.

    The first value is used unless poses still differ at the seam; then the longer ones are tried in turn.
    """
    seam_margin: float = tuned(2.0, "s", 0.1, 20.0)
    """Time before the first changed frame beyond which nothing can have changed.

    It exceeds the reach of contacts and corrections.
    """
    retarget_sample: float = tuned(10.0, "s", 1.0, 120.0)
    """Duration of the part of a walk from which its retargeting is calibrated."""
    piece: float = tuned(30.0, "s", 5.0, 600.0)
    """Duration of the pieces in which long walks are finished."""


TUNING: Final = PathWalkTuning()


@dataclass(frozen=True, slots=True, eq=False)
class _FinishedWalk:
    """A finished walk, and the clip from its beginning from which its retargeting was calibrated."""

    walk: Walk
    retarget_sample: Clip | None


class WalkRollout:
    """A walk in progress: the roll-out of a plan, from standing at the path's start to standing at its end.

    Args:
        model: the controller.
        plan: the plan, made by :func:`plan_walk` for this controller.
    """

    def __init__(self, model: ControllerModel, plan: WalkPlan) -> None:
        self.model, self.plan = model, plan
        self._waypoint_solver = WaypointSolver(
            plan.waypoints, plan.path, plan.waypoint_lengths, plan.failure_reasons, model.rate
        )
        self._follower, self._character = PathFollower(model, [plan]), 0
        self._frames_reused = 0
        self._previous_walk: _FinishedWalk | None = None
        self._finished_walk: _FinishedWalk | None = None

    def follow_plan(self, plan: WalkPlan) -> None:
        """Replace the plan of a walk that has not started and has not joined a batch."""
        self.plan, self._waypoint_solver.waypoints = plan, plan.waypoints

    def join_batch(self, follower: PathFollower, character: int) -> None:
        """Become one of the characters that `follower` advances together."""
        self._follower, self._character = follower, character

    @property
    def scale(self) -> float:
        """World meters per meter at the controller's scale."""
        return self.plan.scale

    @property
    def body_scale(self) -> float:
        """Size of the controller's skeleton relative to an adult's."""
        return self.plan.body_scale

    @property
    def surroundings(self) -> WalkScene:
        """Ground and obstacles of the walk, meters, world."""
        return self.plan.walk_scene

    @property
    def drawn_path(self) -> Path:
        """The requested path, warped through the waypoints, meters, world."""
        return self.plan.drawn_path

    @property
    def profile(self) -> TerrainProfile:
        """Terrain along the planned path, in meters at the controller's scale."""
        return self.plan.profile

    @property
    def notes(self) -> tuple[str, ...]:
        """The plan's differences from the request, in sentences for the user."""
        return self.plan.warnings

    @property
    def path(self) -> Path:
        """The planned path, meters at the controller's scale; on moving ground it moves with the ground."""
        return self._follower.paths[self._character]

    @property
    def has_waypoints(self) -> bool:
        """True if the walk has timed waypoints."""
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

    def resume_from(self, previous: "WalkRollout") -> int:
        """Take over the frames of a previous walk up to the frame at which the plans differ, as after an edit.

        The result is identical to a walk from the beginning.

        Returns:
            The number of frames taken over.
        """
        self._frames_reused = self._follower.resume_from(previous._follower)
        self._previous_walk = previous._finished_walk
        return self._frames_reused

    @property
    def trace(self) -> RolloutTrace:
        """The recorded frames so far."""
        return self.trace_from(0)

    def trace_from(self, frame: int) -> RolloutTrace:
        """Return the recorded frames from `frame` on."""
        return self._follower.trace(self._character, frame)

    @property
    def way_left(self) -> float:
        """Remaining distance to the end of the path, world meters; zero for a finished walk."""
        row = np.flatnonzero(self._follower.active_rows == self._character)
        return float(self.scale * self._follower.ways_left[row].sum())

    def body_state(self) -> BodyState:
        """Return the state of the body after the last frame, from which another controller can continue.

        The walk must not be batched, must have at least two frames, and must not have ended.
        """
        last = self._follower.trace(self._character, self.frames_done - 2).frames.output[::-1]
        runtime = self._follower.runtime.copy()
        level = float(runtime.past_heights[0, -1, CENTER_SAMPLE_INDEX])
        return BodyState(runtime, tuple(one[None] for one in last), level)

    def advance(self, frames: int) -> bool:
        """Make up to `frames` more frames, and return whether any frames remain.

        A walk that misses its waypoints is replanned, and goes back to the first frame that changes.
        """
        return self._follower.advance(frames) or self._replan_for_waypoints()

    def _replan_for_waypoints(self) -> bool:
        """Replan an unbatched walk that has missed its waypoints, and return whether it continues."""
        if len(self._follower.walk_plans) > 1 or not self.has_waypoints:  # batched walks are not replanned
            return False
        timing = self._waypoint_solver.replan(self.trace, self.plan.timing, self.model.rate)
        if timing is None:
            return False
        self.plan = self.plan.with_timing(timing)
        before, self._follower = self._follower, PathFollower(self.model, [self.plan])
        self._frames_reused = self._follower.resume_from(before)
        return True

    def finish(self) -> Walk:
        """Return the walk so far, retargeted to the target skeleton, with feet locked and eyes on gaze targets."""
        return finished(self.finish_in_steps())

    def finish_in_steps(self) -> Generator[None, None, Walk]:
        """Do the work of :meth:`finish`, and yield after each piece of it."""
        previous, self._previous_walk = self._previous_walk, None
        pieces = yield from self._finish_in_pieces(previous)
        self._finished_walk = pieces or (yield from self._finish_trace(self.trace))
        walk = self._finished_walk.walk
        if not self.plan.gazes:
            return walk
        return replace(walk, clip=look_along(walk.clip, self.plan.gazes, self.trace.planned_lengths, self.scale))

    def _finish_in_pieces(self, previous: "_FinishedWalk | None") -> "Generator[None, None, _FinishedWalk | None]":
        """Return the walk with its new frames finished piece by piece; `None` if a seam would be visible.

        Finishing a piece takes several times the memory of its finished frames.
        """
        rate, frames = self.model.rate, self._follower.frame_count(self._character)
        piece = round(TUNING.piece * rate)
        # An accompaniment is joined over the whole walk.
        if self.has_waypoints or self.plan.accompaniment is not None or not self.plan.ground.is_static:
            return None
        if previous is None or self._frames_reused < round(
            (TUNING.retarget_sample + TUNING.refinish_margins[0]) * rate
        ):
            if frames <= piece:
                return None
            previous = yield from self._finish_trace(self._follower.trace(self._character, 0, piece))
            done = piece
        else:
            done = self._frames_reused
        pieces, sample = WalkPieces(previous.walk, frames), previous.retarget_sample
        del previous  # frees memory: its frames are copied
        while done < frames:
            stop = min(done + piece, frames)
            if not (yield from self._finish_piece(pieces, done, stop, sample)):
                return None
            done = stop
        return _FinishedWalk(pieces.walk(), sample)

    def _finish_piece(
        self, pieces: WalkPieces, done: int, stop: int, sample: Clip | None
    ) -> Generator[None, None, bool]:
        """Finish the frames from `done` to `stop`, and return whether they join the earlier frames without a seam."""
        limit = done - round(TUNING.seam_margin * self.model.rate)
        for margin in TUNING.refinish_margins:
            first = max(done - round(margin * self.model.rate), 0)
            made = yield from self._finish_trace(self._follower.trace(self._character, first, stop), sample)
            piece = made.walk
            seam = pieces.seam(piece, first, limit)
            if seam is not None:
                pieces.write(piece.from_frame(seam - first), seam)
                return True
        return False

    def _finish_trace(
        self, trace: RolloutTrace, retarget_sample: Clip | None = None
    ) -> Generator[None, None, _FinishedWalk]:
        """Return a trace's frames finished: decoded, corrected for waypoints, ducking, feet locked, and retargeted."""
        standing = standing_clip(self.model)
        clip = decoded_frames(self.model, trace.frames)
        if self.has_waypoints:
            trace = self._waypoint_solver.correct_trace(trace, clip)
            clip = decoded_frames(self.model, trace.frames)
        yield
        clip = yield from duck.steps(clip, self.plan.ground)
        held = FootContacts(trace.frames.contacts)
        contacts = yield from locked_contacts.steps(clip, held, self.plan.ground, standing)
        if self.plan.calibration is not None:
            standing = standing and retarget(standing, self.plan.calibration)
            # Bodies of equal leg length have heads at different heights.
            retarget_sample = retarget_sample or clip.cut(0, round(TUNING.retarget_sample * clip.rate))
            clip = yield from retarget.steps(clip, self.plan.calibration, example=retarget_sample)
            clip = yield from duck.steps(clip, self.surroundings.ground)
        clip = yield from lock_feet.steps(clip, contacts, self.surroundings.ground, standing)
        clip = yield from duck.steps(clip, self.surroundings.ground)
        results = self._waypoint_solver.results(clip, contacts, self.scale)
        yield
        contacts = bearing_contacts(clip, contacts, self.surroundings.ground, standing)
        yield
        walk = Walk(clip, contacts, trace.frames.phase, trace.gaits, standing, results)
        if self.plan.accompaniment is not None:
            plan = self.plan
            walk = self.plan.accompaniment.finished(walk, trace, plan.timing, self.model, plan.calibration)
        return _FinishedWalk(walk, retarget_sample)

    def decode_walk(self, first: int = 0, stop: int | None = None) -> Clip:
        """Return the network's poses on rigid bones, from frame `first` to before `stop`; feet are not locked."""
        return decoded_frames(self.model, self._follower.trace(self._character, first, stop).frames)


def batch_walks(walks: Sequence[WalkRollout]) -> None:
    """Make walks of one controller that have not started advance together: advancing one advances all."""
    follower = PathFollower(walks[0].model, [walk.plan for walk in walks])
    for character, walk in enumerate(walks):
        walk.join_batch(follower, character)


def begin_walk(model: ControllerModel, request: WalkRequest) -> WalkRollout:
    """Plan a walk and return its roll-out.

    Raises:
        FootfallError: as :func:`.plan.plan_walk` raises it.
    """
    return WalkRollout(model, plan_walk(request, model))


def make_walk(model: ControllerModel, request: WalkRequest) -> Walk:
    """Plan, roll out and finish a walk.

    Raises:
        FootfallError: as :func:`.plan.plan_walk` raises it.
    """
    walk = begin_walk(model, request)
    while walk.advance(ADVANCE_CHUNK_FRAMES):
        pass
    return walk.finish()
