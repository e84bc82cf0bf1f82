"""Interaction tasks of a shot: the interaction controller takes over the body near the object, and hands it back."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from ...motion.rotations import Array, length
from ...scene.interaction_object import InteractionObject
from ..interaction.actions import ACTION_SPECS
from ..interaction.departure import Departure
from ..interaction.sequencer import InteractionSequencer
from ..interaction.task import InteractionTask, require_known_actions
from ..navigation.approach_pose import blocking_penalty, shortest_way
from ..performance import Performance
from ..performance.seam import TUNING as SEAM
from ..refine.interaction_performance import interaction_performance
from ..refine.interaction_refinement import refine_interaction
from ..refine.leaf_motion import fall_shut
from ..runtime.body_state import BodyState
from .activity import STEP_FRAMES, TUNING, Activity, Destination, MadePart, Making, Situation, Stage
from .balls import BallState, held_ball, holding
from .draft import task_draft
from .nearby import near_way
from .outcome import BeatResult, TaskTake
from .parts import TaskPart
from .tracks import object_tracks, settling_tracks

KEEPS_BALL: Final = ("idle", "walk", "run", "sit")
"""Actions of tasks that the character can do with a ball in its hands."""


@dataclass(frozen=True, slots=True, eq=False)
class Acting:
    """An interaction task as a part of a shot.

    Attributes:
        stage: the shot's stage.
        part: the task.
    """

    stage: Stage
    part: TaskPart

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices, in the shot, of the beats that the activity carries out: only the task's."""
        return (self.part.number,)

    @property
    def ball(self) -> int | None:
        """Index of the ball to hold at the start: -1, free hands; ``None``, any, for tasks that stand, walk or sit."""
        return None if self.part.task.action in KEEPS_BALL else -1

    def inputs(self, situation: Situation) -> object:
        """Return the task, with the frame at which it begins and the held balls if it is timed or a ball is held."""
        held = [one for one in situation.balls if one.is_held]
        return self.part if self.part.until is None and not held else (self.part, situation.frame, held)

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return the indices of the objects near the path to the task, including the task's own object."""
        task, scale = self.part.task, self.stage.scale
        here = situation.place[:2] if situation.state is None else scale * situation.state.position
        way = [here, self._goal(situation)[:2], *([] if task.position is None else [scale * task.position[:2]])]
        found = near_way(situation.objects, np.array(way) / scale, TUNING.sight)
        return tuple(sorted({*found, task.object_index} - {-1}))

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if the controllers cannot do the task, or not at the objects' current places."""
        task = self.part.task
        require_known_actions([task], self.stage.acts.taught_goals)
        if self._is_elsewhere(situation):
            self.stage.require_walker()
        floor = self.destination(situation).level / self.stage.scale
        objects = [_at_level(one, floor) for one in situation.objects]
        ACTION_SPECS[task.action].validate(_task_at_level(task, floor), objects)

    def is_far(self, situation: Situation) -> bool:
        """Return whether the character must first walk to the task, because it is far away or on another level."""
        if self.part.task.action == "idle" or self.stage.lacks_walker:
            return False
        goal, place = self.destination(situation), situation.place
        away = 0.0 if goal.stand is None else float(length(goal.stand - place[:2]))
        return away > TUNING.near * self.stage.scale or self._is_elsewhere(situation)

    def _is_elsewhere(self, situation: Situation) -> bool:
        """Return whether the task is on another level."""
        return abs(self.destination(situation).level - float(situation.place[2])) > TUNING.same_level

    def destination(self, situation: Situation) -> Destination:
        """Return the end of the walk to the task; the walk avoids every object but a door that the task opens."""
        goal, stand = self._goal(situation), self._stand(situation)
        # A box stands on a table, its bearer on the ground before it.
        place = goal if stand is None else np.append(stand, goal[2])
        above = place + np.array([0.0, 0.0, TUNING.same_level])
        level = self.stage.ground_below(above, float(situation.place[2]))
        task = self.part.task
        return Destination(stand, level, frozenset([task.object_index] if task.action == "open" else []))

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the position (3), meters, world, of the task's object or, without an object, of its destination."""
        return self._goal(situation)

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make the task's motion and, if another activity follows, the motion in which the character leaves the object.

        Yields drafts of the motion or its number of frames so far.
        """
        stage, request, run = self.stage, self.stage.request, self.part
        scale, level = stage.scale, float(situation.place[2])
        floor = level / scale
        near = self.near(situation, after)
        objects, task = [_at_level(situation.objects[one], floor) for one in near], _task_at_level(run.task, floor)
        if task.object_index >= 0:
            task = replace(task, object_index=near.index(task.object_index))
        until = None if run.until is None else round(run.until * stage.acts.rate) - situation.frame
        if until is not None:
            task = replace(task, duration=np.inf)  # until the arrival, when the time that is left is known
        begin = situation.state
        place, yaw = (situation.place[:2] / scale, situation.yaw) if begin is None else (begin.position, begin.yaw)
        tasks = [task] if after is None else [task, InteractionTask("walk", position=np.append(place, 0.0))]
        yield
        play = InteractionSequencer(stage.acts, objects, tasks, place, yaw, seed=request.seed, begin=begin)
        yield
        while play.task_index < 1 and (yield from _advanced(play)):
            yield task_draft(play.recording, request.target, level, situation.frame)
            if until is not None and play.task_index < 1 and play.run.stay_frame > 0:
                play.stay_until(until)
        if until is not None and after is not None and not play.done:
            yield from _stand_until(play, until)
        if after is None:
            while (yield from _advanced(play)):
                yield task_draft(play.recording, request.target, level, situation.frame)
        leaves = len(play.frames)
        if after is not None:
            yield from self._leave(play, situation, after)
        refined = yield from refine_interaction.steps(play.recording, request.target, request.skin, request.rise)
        yield
        made = interaction_performance(refined, level).raised(-request.rise)
        made, balls = self._with_ball(made, situation)
        yield
        states = [[_at_level(one, -floor) for one in state] for state in refined.objects]
        falls = (
            []
            if after is None
            else [[_at_level(one, -floor) for one in state] for state in fall_shut(play.recording, refined.objects[-1])]
        )
        yield
        ends = falls[-1] if falls else states[-1]
        gave_up = any(event.kind == "gave up" for event in play.events)
        late = 0.0 if until is None else max((leaves - until) / stage.acts.rate, 0.0)
        status: Literal["done", "gave up"] = "gave up" if gave_up else "done"
        return MadePart(
            replace(made, objects=(*object_tracks(play.recording, states, scale), *made.objects)),
            Situation(
                BodyState(play.runtime, (), floor) if after is not None else None,
                np.append(play.runtime.position[0] * scale, level),
                situation.yaw,
                tuple(ends[near.index(at)] if at in near else one for at, one in enumerate(situation.objects)),
                run.task.object_index,
                situation.frame + len(made),
                balls=balls,
            ),
            {run.number: BeatResult(0, len(made) - 1, status, corrections=refined.max_corrections, late=late)},
            leaves={run.number: leaves},
            acts=(TaskTake(run.number, 0, near, play.recording, refined),),
            settling=settling_tracks(states[-1], falls, scale),
        )

    def _with_ball(self, made: Performance, situation: Situation) -> tuple[Performance, tuple[BallState, ...]]:
        """Return a motion with the held ball, if there is one, and the balls at its end."""
        index, stage = held_ball(situation.balls), self.stage
        balls = [one.later(len(made)) for one in situation.balls]
        if index >= 0:
            body = stage.request.target or stage.acts.skeleton
            level = float(situation.place[2])
            made, balls[index] = holding(made, situation.balls[index], body, stage.scale, level, stage.request.rise)
        return made, tuple(balls)

    def _leave(self, play: InteractionSequencer, situation: Situation, after: Activity) -> Iterator[int]:
        """Leave the object of the task in the direction of the next activity; yield the number of finished frames."""
        departure = Departure(play, play.tasks[0].action)
        here = play.runtime.position[0] * self.stage.scale
        way = after.heading(situation, here)[:2] - here
        departure.send(way)
        while not departure.is_over:
            if play.done:
                departure.send(way)
            play.advance(1)
            yield len(play.frames)

    def _goal(self, situation: Situation) -> Array:
        """Return the position (3) of the task's object or destination, meters, world."""
        task = self.part.task
        if task.object_index >= 0:
            return self.stage.scale * situation.objects[task.object_index].position
        return situation.place if task.position is None else self.stage.scale * task.position

    def _stand(self, situation: Situation) -> Array | None:
        """Return the end (2) of a walk to the task, meters, world; ``None`` for a task that can begin anywhere."""
        task, spec, scale = self.part.task, ACTION_SPECS[self.part.task.action], self.stage.scale
        if task.object_index < 0:
            return None if task.position is None else scale * task.position[:2]
        target = situation.objects[task.object_index]
        others = [one.posed_collider for one in situation.objects if one is not target]
        here = situation.place[:2] / scale
        coming = (here - target.position[:2]) / max(float(length(here - target.position[:2])), 1e-6)
        fronts = [target.facing_side(side).front_direction for side in spec.approach_sides]
        # A character that comes from the front stops farther from the object than one that comes along its side.
        befores = [TUNING.before * max(float(coming @ front), 0.0) for front in fronts]
        stands = [
            target.position[:2] + (abs(spec.approach_distance) + before) * front
            for before, front in zip(befores, fronts, strict=True)
        ]
        costs = [float(length(stand - here)) + blocking_penalty(stand, others) for stand in stands]
        return scale * stands[shortest_way(costs)]


def overlap_before(after: Activity, rate: float) -> int:
    """Return the number of frames, at `rate` (Hz), over which a walk goes on while the next activity begins."""
    return round((SEAM.task_overlap if isinstance(after, Acting) else SEAM.overlap) * rate)


def _advanced(play: InteractionSequencer) -> Generator[None, None, bool]:
    """Advance by up to :data:`.activity.STEP_FRAMES`, yield between frames, and return whether any frames remain."""
    for _ in range(STEP_FRAMES - 1):
        if not play.advance(1):
            return False
        yield
    return play.advance(1)


def _stand_until(play: InteractionSequencer, frame: int) -> Iterator[int]:
    """Stand until a frame after a task that has no stay of its own; yield the number of finished frames."""
    seconds = (frame - len(play.frames)) / play.model.rate
    if seconds > 0.0 and not play.runtime.state.seated[0]:
        play.do_next(InteractionTask("idle", duration=seconds))
    while len(play.frames) < frame and play.advance(1):
        yield len(play.frames)


def _at_level(one: InteractionObject, level: float) -> InteractionObject:
    """Return an object lowered by the height of its floor, meters, so that the floor is at zero."""
    return replace(one, position=one.position - [0.0, 0.0, level])


def _task_at_level(task: InteractionTask, level: float) -> InteractionTask:
    """Return a task lowered by the height of its floor, meters, so that the floor is at zero."""
    return task if task.position is None else replace(task, position=task.position - [0.0, 0.0, level])
