"""Interaction sequencer: a state machine that runs tasks in order and records frames, objects and events.

The controller pursues one goal at a time. For each frame the sequencer commands the goal of the current task, advances
the runtime, moves held objects and doors, and checks whether the task is done.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...scene.interaction_object import InteractionObject
from ..runtime.assistance import FULL_ASSISTANCE, Assistance
from ..runtime.body_state import BodyState
from ..runtime.interaction_runtime import GoalCommand, InteractionFrame, InteractionRuntime
from .actions import ACTION_SPECS
from .actions.carry import dropped_object
from .ending import Ending
from .hanging import hanging_points, is_hung
from .recording import InteractionEvent, InteractionRecording
from .scene_state import SceneState
from .task import InteractionTask, require_known_actions
from .task_run import TaskRun


class InteractionSequencer:
    """A character that carries out its tasks; ``recording`` holds its progress so far.

    Args:
        model: an interaction controller.
        objects: all objects in their states at the start.
        tasks: the tasks, in order.
        position: (2) root at the start, meters, world.
        yaw: yaw of the root at the start, radians; zero faces +Y.
        assistance: rules that help the network.
        seed: seed of the random idling of a seated character.
        begin: state of a moving body from which the character continues; ``None`` to start standing.

    Attributes:
        runtime: the character's runtime.
        recording: frames, object states and events so far.
        scene: the objects in their current states.
        task_index: index of the current task.

    Raises:
        FootfallError: the controller knows no goals, or not the goal of a task, or a task cannot be done with its
            object.
    """

    def __init__(
        self,
        model: ControllerModel,
        objects: Sequence[InteractionObject],
        tasks: Sequence[InteractionTask],
        position: Array,
        yaw: float = 0.0,
        assistance: Assistance = FULL_ASSISTANCE,
        seed: int = 0,
        begin: BodyState | None = None,
    ) -> None:
        if not model.is_interaction_controller:
            raise FootfallError("This controller can only walk along paths: choose an interaction controller")
        require_known_actions(tasks, model.taught_goals)
        for task in tasks:
            ACTION_SPECS[task.action].validate(task, objects)
        self.model = model
        self.runtime = InteractionRuntime(model, position[None], [yaw], assistance)
        if begin is not None:
            begin.enter_interaction(self.runtime)
        tasks = [ACTION_SPECS[task.action].completed(task, objects) for task in tasks]
        self.recording = InteractionRecording(model, tasks, tuple(objects), position, yaw, seed=seed)
        self.recording.begins_standing = begin is None
        self.scene = SceneState(self.recording)
        self._run: TaskRun
        self._ending: Ending | None = None
        self._begin_task(0)

    @property
    def tasks(self) -> Sequence[InteractionTask]:
        """All tasks, in order."""
        return self.recording.tasks

    @property
    def objects(self) -> tuple[InteractionObject, ...]:
        """All objects in their states at the start."""
        return self.recording.objects

    @property
    def current_objects(self) -> tuple[InteractionObject, ...]:
        """All objects in their current states."""
        return self.scene.current_objects

    @property
    def frames(self) -> list[InteractionFrame]:
        """The frames recorded so far."""
        return self.recording.frames

    @property
    def events(self) -> list[InteractionEvent]:
        """The events recorded so far."""
        return self.recording.events

    @property
    def run(self) -> TaskRun:
        """The task in progress, or the last task once all have ended."""
        return self._run

    @property
    def done(self) -> bool:
        """True once all tasks are done and the character has come to rest."""
        return self.task_index >= len(self.tasks) and self._ending is None

    def advance(self, count: int) -> bool:
        """Advance by up to `count` frames, and return whether any frames remain."""
        for _ in range(count):
            if self.done:
                return False
            if self._ending is None:
                self._advance_frame()
            else:
                self._advance_ending(self._ending)
        return not self.done

    def goal_command(self) -> GoalCommand:
        """Return the goal command for the next frame."""
        if self._ending is not None:
            return self._ending.goal_command()
        return ACTION_SPECS[self._run.task.action].goal_command(self._run)

    def do_next(self, task: InteractionTask) -> None:
        """Abort the current task, and replace the remaining tasks by a single new task.

        A held object stays in the hands.

        Raises:
            FootfallError: the task cannot be done.
        """
        spec = ACTION_SPECS[task.action]
        spec.validate(task, self.objects)
        task = spec.completed(task, self.objects)
        done = min(self.task_index + 1, len(self.tasks))
        self.recording.tasks = (*self.tasks[:done], task)
        self.recording.ending_frame = self._ending = None
        self._begin_task(done)

    def stay_until(self, frame: int) -> None:
        """End the stay of the current task at a frame instead of after the task's duration."""
        run = self._run
        seconds = max(frame - run.stay_frame, 0) / self.model.rate
        task = replace(run.task, duration=seconds)
        self.recording.tasks = (*self.tasks[: run.task_index], task, *self.tasks[run.task_index + 1 :])

    def put_down_here(self) -> None:
        """Make the character put its object down in front of its feet, or let go of a pushed object."""
        run = self._run
        if self.scene.pushing is not None:
            self.scene.push(replace(self.scene.pushing, is_stopped=True))
        if self.scene.attachment is None or self.scene.release is not None:
            return
        place = dropped_object(run)
        here = replace(run.task, position=place.position, direction=place.front_direction, stand_direction=None)
        self.recording.tasks = (*self.tasks[: run.task_index], here, *self.tasks[run.task_index + 1 :])
        run.restart_approach()

    def _advance_frame(self) -> None:
        """Advance the character, the objects and the task by a frame."""
        run, scene, spec = self._run, self.scene, ACTION_SPECS[self._run.task.action]
        held, own = scene.held_indices, run.task.object_index
        unseen = set(range(len(self.objects))) - {own} if spec.senses_object_alone(run) else set()
        entered = {own} if spec.enters_object(run) else set()
        sensed, solid = scene.colliders(held | unseen), scene.colliders(held | scene.used_indices | entered)
        frame = self.runtime.step([spec.goal_command(run)], sensed, solid)
        self._record_frame(frame, own if spec.push_object(run, frame) else None)
        run.count_still_frames(frame)
        if run.is_timed_out and not run.has_given_up:
            run.record("gave up")
            run.has_given_up = True
            if spec.give_up(run):
                self._begin_task(self.task_index + 1)
        elif spec.update(run, frame):
            self._begin_task(self.task_index + 1)

    def _advance_ending(self, ending: Ending) -> None:
        """Advance the character and the objects by a frame after the last task."""
        scene = self.scene
        solid = scene.colliders(scene.used_indices)
        frame = self.runtime.step([ending.goal_command()], scene.colliders(), solid)
        self._record_frame(frame, None)
        if ending.is_over(frame):
            self._ending = None

    def _record_frame(self, frame: InteractionFrame, pushed_index: int | None) -> None:
        """Record a frame, and the objects as the body moves them.

        `pushed_index` is the door that the body pushes, if any.
        """
        scene = self.scene
        self.frames.append(frame)
        scene.move_held_object(self._holding_points(frame))
        scene.swing_doors(pushed_index)
        self.recording.object_states.append(scene.current_objects)
        scene.leave_objects(self.runtime.position[0])

    def _holding_points(self, frame: InteractionFrame) -> Array:
        """Return the points (2, 3) between which an object is held, meters, world: the wrists, or beside its handle."""
        index = self._run.task.object_index
        if index in self.scene.held_indices and is_hung(self.scene.current_objects[index]):
            assert self._run.task.position is not None
            hung = self.recording.objects[index].facing_side(self._run.approach_side)
            hips = np.append(frame.position[0], self.recording.hip_height(frame))
            heights = (hung.position[2], self._run.task.position[2])
            lowest = min(heights) + float(hung.grip_centre[2])
            return hanging_points(hung, hips, frame.yaw[0], self.model.skeleton.leg_length, lowest)
        return self.recording.wrist_positions(frame)

    def _begin_task(self, task_index: int) -> None:
        """Begin the task with an index; with none left, begin the ending if the character is in motion."""
        if task_index:
            self.scene.begin_leaving(self._run.task.object_index)
        self.task_index = task_index
        if task_index >= len(self.tasks):
            self.recording.ending_frame = len(self.recording)
            spec = ACTION_SPECS[self._run.task.action]
            if spec.ends_in_motion or self._run.has_given_up:
                self._ending = Ending(self._run, spec.turns_away)
            return
        self._run = TaskRun(self.runtime, self.recording, self.scene, task_index)
        self._run.choose_side(ACTION_SPECS[self._run.task.action].sides(self._run))
        self.recording.approach_sides.append(self._run.approach_side)
        self._run.record("began")
