"""A shot: beats in one motion, each continuing from the last pose of the one before.

The locomotion controller walks over any ground to the start of a task; there the interaction controller takes over in
mid-step, at the current ground level, and hands the body back once the character walks away.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from ...body.skin_thickness import SkinThickness
from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.proportions import scale_between
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array, length
from ...retarget.calibration import Calibration
from ...scene.interaction_object import InteractionObject
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.departure import Departure
from ..interaction.sequencer import InteractionSequencer
from ..interaction.task import InteractionTask, require_known_actions
from ..navigation.approach_pose import blocking_penalty
from ..path.path import Path
from ..path.path_events import Cues, CueSpan, Wait
from ..path.velocity_profile import STAND_AFTER_S
from ..performance import Performance
from ..performance.seam import TUNING as SEAM
from ..performance.seam import joined
from ..refine.interaction_performance import interaction_performance
from ..refine.interaction_refinement import refine_interaction
from ..runtime.body_state import BodyState
from ..runtime.handover import require_same_body
from ..walk.path_walk import WalkRollout, begin_walk
from ..walk.plan import WalkRequest
from ..walk.walk_performance import walk_performance
from .beats import Beat, TaskPart, WaitBeat, WalkPart, parts_of
from .furniture import around_furniture
from .outcome import Act, BeatResult, Shot
from .tracks import alike, object_tracks

STEP_FRAMES: Final = 6
"""Frames between two checks for a change of controller."""


@dataclass(frozen=True, slots=True)
class Approach(Tuning):
    """Tuned numbers of the change from walking to a task."""

    near: float = tuned(1.6, "m", 1.0, 5.0)
    """Distance to the start of a task up to which the task's controller walks there itself."""
    before: float = tuned(0.5, "m", 0.0, 1.5)
    """Distance in front of the start of a task at which the walk to it would end."""
    left: float = tuned(1.2, "m", 0.3, 2.0)
    """Remaining distance from which the task's controller takes over, as the next foot lands."""
    landing: float = tuned(0.6, "s", 0.0, 2.0)
    """Longest wait for that foot; one that landed later would land at another place of the task's motion."""
    speed: float = tuned(1.2, "m/s", 0.5, 2.0)
    """Speed of a walk to a task without a walk beat before it."""
    heading_speed: float = tuned(0.3, "m/s", 0.05, 1.0)
    """Speed from which a path begins in the direction of motion; below it, in the facing direction."""
    lead: float = tuned(0.4, "m", 0.0, 1.0)
    """Longest straight start of a path that continues a motion."""
    lead_share: float = tuned(0.4, "1", 0.0, 1.0)
    """Largest share of that straight start of the way to the next point."""
    same_level: float = tuned(0.1, "m", 0.0, 0.3)
    """Largest height difference at which a used object stands on the character's ground."""


TUNING: Final = Approach()


@dataclass(frozen=True, slots=True, eq=False)
class ShotRequest:
    """All requested beats of a character, in meters of the world.

    Attributes:
        beats: in order.
        position: (3) first place of the character.
        yaw: first facing, radians; zero faces +Y.
        scene: the ground and the obstacles.
        objects: objects used by tasks, in meters of the controllers, like the tasks.
        target: calibration of the moved body; ``None`` for the controllers' own.
        skin: its skin thickness; from its proportions if not given.
        rise: height by which it is raised to put its own soles on the ground, meters.
        seed: chooses the random variation.
    """

    beats: Sequence[Beat]
    position: Array
    yaw: float = 0.0
    scene: WalkScene | None = None
    objects: Sequence[InteractionObject] = ()
    target: Calibration | None = None
    skin: SkinThickness | None = None
    rise: float = 0.0
    seed: int = 0


class ShotRollout:
    """A shot in progress.

    Args:
        walks: the locomotion controller.
        acts: the interaction controller.
        request: the requested beats and their scene.

    Raises:
        FootfallError: the controllers move different bodies.
    """

    def __init__(self, walks: ControllerModel, acts: ControllerModel, request: ShotRequest) -> None:
        require_same_body(walks, acts)
        self._walks, self._acts, self._request = walks, acts, request
        self._scale = scale_between(walks.skeleton, request.target.target) if request.target else 1.0
        self._scene = request.scene or WalkScene()
        self._objects = list(request.objects)
        self._state: BodyState | None = None
        self._place, self._yaw = np.asarray(request.position, dtype=float), request.yaw
        self._made: Performance | None = None
        self._results: dict[int, BeatResult] = {}
        self._leaves: dict[int, int] = {}
        self._seams: list[int] = []
        self._left = -1  # index of the object that the last task used
        self._overlap = 0  # frames at the end in which the next motion begins
        self._acts_done: list[Act] = []
        self._work = self._perform()

    @property
    def frames_done(self) -> int:
        """Number of finished frames."""
        return 0 if self._made is None else len(self._made) - self._overlap

    @property
    def beats_done(self) -> int:
        """Number of beats done or left out."""
        return len(self._results)

    def advance(self) -> bool:
        """Do one piece of the work; return whether any is left."""
        return next(self._work, None) is not None

    def finish(self) -> Shot:
        """Return the shot.

        Raises:
            FootfallError: no beat could be done.
        """
        if self._made is None:
            reasons = [one.reason for one in self._results.values() if one.reason]
            raise FootfallError("{reason}", reason=reasons[0]) if reasons else FootfallError("The shot has no beats")
        made = replace(self._made, origins=None)
        return Shot(made, tuple(self._all_results()), tuple(self._seams), tuple(self._acts_done))

    def _all_results(self) -> list[BeatResult]:
        """Return the outcome of each beat; a wait spans from the end of its task or walk until the character leaves."""
        results: list[BeatResult] = []
        run = -1
        for number, beat in enumerate(self._request.beats):
            if number in self._results:
                run = number
                results.append(self._results[number])
            elif isinstance(beat, WaitBeat) and results:
                before = results[-1]
                first = max(self._leaves.get(run, before.last) - round(beat.seconds * self._walks.rate), before.first)
                results[-1] = replace(before, last=max(first - 1, before.first))
                results.append(replace(before, first=first, corrections={}))
        return results

    def _perform(self) -> Iterator[int]:
        """Make the motion of all parts in order; yield the number of finished frames."""
        runs = parts_of(self._request.beats)
        for run, after in zip(runs, [*runs[1:], None], strict=True):
            try:
                if isinstance(run, WalkPart):
                    yield from self._walk(run, after)
                    continue
                require_known_actions([run.task], self._acts.taught_goals)
                ACTION_SPECS[run.task.action].validate(run.task, self._objects)
                if self._is_far(run):
                    yield from self._walk(WalkPart(()), run)
                yield from self._act(run, after)
            except FootfallError as error:
                here = self.frames_done
                numbers = [number for number, _ in run.walks] if isinstance(run, WalkPart) else [run.number]
                self._results |= {number: BeatResult(here, here, "left out", str(error)) for number in numbers}

    def _walk(self, run: WalkPart, after: TaskPart | WalkPart | None) -> Iterator[int]:
        """Walk along the paths of a part and on to the task after it; yield the number of finished frames."""
        goal = self._approach(after) if isinstance(after, TaskPart) else None
        points, spans = self._path_of(run, goal)
        path = Path(points)
        waits = (Wait(path.length, run.wait),) if run.wait else ()
        request = WalkRequest(
            path,
            run.walks[0][1].speed if run.walks else TUNING.speed,
            around_furniture(self._scene, self._objects, self._passed_by(after), self._scale),
            float(self._place[2]),
            self._request.target,
            self._request.seed,
            cues=Cues(tuple(spans), waits),
            begin=self._state,
        )
        rollout, first = begin_walk(self._walks, request), self.frames_done
        rate = self._walks.rate
        stands = round(STAND_AFTER_S * rate)
        near = 0
        while rollout.advance(STEP_FRAMES):
            yield rollout.frames_done
            left = rollout.total_frames - rollout.frames_done
            if isinstance(after, TaskPart) and rollout.way_left < TUNING.left and self._is_level(rollout, after):
                near += STEP_FRAMES
                if _has_landed(rollout) or near > TUNING.landing * rate:
                    break
            if after is not None and left < stands:
                break
        self._state = rollout.body_state() if after is not None else None
        done = rollout.frames_done
        if after is not None:
            rollout.advance(round(SEAM.overlap * rate))
        walk = rollout.finish()
        level = float(self._place[2])
        self._append(walk_performance(walk, self._walks.gaits, level))
        self._overlap = rollout.frames_done - done
        last = walk.clip.root_positions[done - 1]
        self._place = last * [1, 1, 0] + [0, 0, self._ground_below(last)]
        for number, _ in run.walks:
            self._results[number] = BeatResult(first, self.frames_done - 1, "done")

    def _act(self, run: TaskPart, after: TaskPart | WalkPart | None) -> Iterator[int]:
        """Do a task, and leave the used object if another part follows; yield the number of finished frames."""
        scale, level = self._scale, float(self._place[2])
        floor = level / scale
        objects, task = [_at_level(one, floor) for one in self._objects], _task_at_level(run.task, floor)
        begin = self._state
        place, yaw = (self._place[:2] / scale, self._yaw) if begin is None else (begin.position, begin.yaw)
        tasks = [task] if after is None else [task, InteractionTask("walk", position=np.append(place, 0.0))]
        play = InteractionSequencer(self._acts, objects, tasks, place, yaw, seed=self._request.seed, begin=begin)
        while play.task_index < 1 and play.advance(STEP_FRAMES):
            yield len(play.frames)
        if after is None:
            while play.advance(STEP_FRAMES):
                yield len(play.frames)
            leaves = len(play.frames)
        else:
            leaves = len(play.frames)
            yield from self._leave(play, after)
        first = self.frames_done
        self._leaves[run.number] = first + leaves
        refined = refine_interaction(play.recording, self._request.target, self._request.skin, self._request.rise)
        made = interaction_performance(refined, level).raised(-self._request.rise)
        states = [[_at_level(one, -floor) for one in state] for state in refined.objects]
        self._append(replace(made, objects=object_tracks(play.recording, states, scale)))
        self._objects, self._left = states[-1], run.task.object_index
        self._acts_done.append(Act(run.number, first, play.recording, refined))
        gave_up = any(event.kind == "gave up" for event in play.events)
        self._state = BodyState(play.runtime, (), floor) if after is not None else None
        self._place = np.append(play.runtime.position[0] * scale, level)
        status: Literal["done", "gave up"] = "gave up" if gave_up else "done"
        far = refined.max_corrections
        self._results[run.number] = BeatResult(first, self.frames_done - 1, status, corrections=far)

    def _leave(self, play: InteractionSequencer, after: TaskPart | WalkPart) -> Iterator[int]:
        """Leave the used object of a task toward the next part; yield the number of finished frames."""
        departure = Departure(play, play.tasks[0].action)
        here = play.runtime.position[0] * self._scale
        if isinstance(after, WalkPart):
            drawn = after.walks[0][1].points
            goal = next((one for one in drawn if float(length(one[:2] - here)) > TUNING.left), drawn[-1])
        else:
            goal = self._goal_of(after)
        way = goal[:2] - here
        departure.send(way)
        while not departure.is_over:
            if play.done:
                departure.send(way)
            play.advance(1)
            yield len(play.frames)

    def _passed_by(self, after: TaskPart | WalkPart | None) -> set[int]:
        """Return the indices of objects that a walk does not avoid: the last one used, and a door to be opened."""
        passed = {self._left}
        if isinstance(after, TaskPart) and after.task.action == "open":
            passed.add(after.task.object_index)
        return passed

    def _is_level(self, rollout: WalkRollout, after: TaskPart) -> bool:
        """Return whether a walking character is at the ground level of the next task."""
        level = self._scale * rollout.body_state().level
        return abs(level - self._level_of(after)) < TUNING.same_level

    def _append(self, made: Performance) -> None:
        """Join a motion to those before it."""
        if self._made is None:
            self._made = made
            return
        before, after = alike(self._made, made)
        overlap, self._overlap = min(self._overlap, len(after)), 0
        self._seams.append(len(before) - overlap)
        self._made = joined(before, after, self._scene.ground, overlap)

    def _is_far(self, run: TaskPart) -> bool:
        """Return whether a task needs a walk along a path: it is far away, or on another level."""
        if run.task.action == "idle":
            return False
        stand = self._approach(run)
        away = 0.0 if stand is None else float(length(stand - self._place[:2]))
        return away > TUNING.near * self._scale or abs(self._level_of(run) - self._place[2]) > TUNING.same_level

    def _level_of(self, run: TaskPart) -> float:
        """Return the height of the ground, meters, from which a task is done: where a walk to it ends.

        A box stands on a table, its bearer on the ground before it.
        """
        goal, stand = self._goal_of(run), self._approach(run)
        place = goal if stand is None else np.append(stand, goal[2])
        height = float(self._scene.ground.heights(place[None] + [0.0, 0.0, TUNING.same_level])[0])
        return height if np.isfinite(height) else float(self._place[2])

    def _goal_of(self, run: TaskPart) -> Array:
        """Return the place (3) of a task, meters, world."""
        task = run.task
        if task.object_index >= 0:
            return self._scale * self._objects[task.object_index].position
        return self._place if task.position is None else self._scale * task.position

    def _approach(self, run: TaskPart) -> Array | None:
        """Return the end (2), meters, world, of a walk to a task; ``None`` for a task without a place."""
        task, spec = run.task, ACTION_SPECS[run.task.action]
        if task.object_index < 0:
            return None if task.position is None else self._scale * task.position[:2]
        target = self._objects[task.object_index]
        others = [one.posed_collider for one in self._objects if one is not target]
        away, here = abs(spec.approach_distance) + TUNING.before, self._place[:2] / self._scale
        fronts = [target.facing_side(side).front_direction for side in spec.approach_sides]
        stands = [target.position[:2] + away * front for front in fronts]
        costs = [float(length(stand - here)) + blocking_penalty(stand, others) for stand in stands]
        return self._scale * stands[int(np.argmin(costs))]

    def _path_of(self, run: WalkPart, goal: Array | None) -> tuple[Array, list[CueSpan]]:
        """Return path points (N, 2), meters, of a part's walks, from the character to a goal, and the walks' spans."""
        here = self._place[:2] if self._state is None else self._state.position * self._scale
        points, spans = [here], list[CueSpan]()
        for _, walk in run.walks:
            drawn = np.asarray(walk.points, dtype=float)[:, :2]
            start = float(sum(length(after - before) for before, after in pairwise(points)))
            points += [one for one in drawn if float(length(one - points[-1])) > 1e-3]
            spans.append(CueSpan(start, np.inf, speed=walk.speed, style=walk.style))
        if goal is not None and not self._has_come(goal, points):
            points.append(goal)
        if self._state is not None and len(points) > 1:
            points = _led_out(points, self._state, self._scale)
        return np.array(points), spans

    def _has_come(self, goal: Array, points: Sequence[Array]) -> bool:
        """Return whether a path (N points (2)) already ends within reach of a task: going on would lead back."""
        if len(points) < 2:
            return False
        way, on = points[-1] - points[-2], goal - points[-1]
        return float(length(on)) < TUNING.near * self._scale and float(way @ on) <= 0.0

    def _ground_below(self, root: Array) -> float:
        """Return the height of the ground below a root (3), meters."""
        height = float(self._scene.ground.heights(root[None])[0])
        return height if np.isfinite(height) else float(self._place[2])


def _has_landed(rollout: WalkRollout) -> bool:
    """Return whether a foot has landed since the last look."""
    contacts = rollout.trace_from(rollout.frames_done - STEP_FRAMES - 1).frames.contacts > CONTACT_THRESHOLD
    before, now = (contacts[at].reshape(2, 2).any(axis=1) for at in (0, -1))
    return bool(np.any(now & ~before))


def _led_out(points: list[Array], state: BodyState, scale: float) -> list[Array]:
    """Return path points (2), meters, with a start in the body's direction of motion or facing."""
    speed = float(length(state.velocity))
    ahead = state.velocity / speed if speed > TUNING.heading_speed else facing_direction(np.array(state.yaw))
    lead = min(TUNING.lead * scale, TUNING.lead_share * float(length(points[1] - points[0])))
    return [points[0], points[0] + lead * ahead, *points[1:]]


def _at_level(one: InteractionObject, level: float) -> InteractionObject:
    """Return an object lowered by the height of its floor, meters."""
    return replace(one, position=one.position - [0.0, 0.0, level])


def _task_at_level(task: InteractionTask, level: float) -> InteractionTask:
    """Return a task lowered by the height of its floor, meters."""
    return task if task.position is None else replace(task, position=task.position - [0.0, 0.0, level])
