"""A task of a character steered live: an interaction controller has the body from the command until it walks again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...actions import actions_that
from ...models.model_file import ControllerModel
from ...motion.roles import FOOT_CONTACTS
from ...motion.root_frame import facing_direction, yaw_of
from ...motion.rotations import Array, length
from ...scene.interaction_object import InteractionObject
from ..interaction.actions import ACTION_SPECS
from ..interaction.actions.carry import placed_object
from ..interaction.actions.ground_rest import GroundRest
from ..interaction.actions.push import TUNING as PUSH_TUNING
from ..interaction.departure import Departure
from ..interaction.sequencer import InteractionSequencer
from ..interaction.task import InteractionTask
from ..runtime.handover import require_same_body
from .driver import DriveMoment, DrivenFrame, Driver, decoded

STAYING_ACTIONS: Final = actions_that(lambda one: one.stays)
"""Actions in which a character stays until the user ends them."""
STEP_M: Final = 0.3
"""Distance ahead of the character, meters, at which it lies or sits down on the ground."""


def rest_ahead(action: str, place: Array, yaw: float) -> InteractionTask:
    """Return the task to lie or sit down on the ground ahead of the character, until the user ends it.

    Args:
        action: an action with which a body rests on the ground.
        place: (2) root of the character, meters, world.
        yaw: yaw of the root, radians.
    """
    spec, ahead = ACTION_SPECS[action], facing_direction(np.array(yaw))
    assert isinstance(spec, GroundRest)
    hips = place + (STEP_M + spec.reach_m) * ahead
    return InteractionTask(action, position=np.append(hips, 0.0), direction=ahead, duration=np.inf)


class LiveTask:
    """A task in progress of a driven character, in meters at its controllers' scale.

    Args:
        driver: the character.
        model: the interaction controller.
        objects: all objects, with heights relative to the ground under the character.
        task: the task.

    Attributes:
        sequencer: the interaction controller's sequencer.
        is_ending: whether the user has ended the task.

    Raises:
        FootfallError: the controllers move different bodies, or the task cannot be done.
    """

    def __init__(
        self, driver: Driver, model: ControllerModel, objects: Sequence[InteractionObject], task: InteractionTask
    ) -> None:
        require_same_body(driver.model, model)
        place = driver.place
        self.sequencer = InteractionSequencer(model, objects, [task], place[:2], float(driver.runtime.yaw[0]))
        self._driver, self._level = driver, float(place[2])
        self._departure: Departure | None = None
        self.is_ending = False
        driver.lend(self.sequencer.runtime)

    @property
    def task(self) -> InteractionTask:
        """The task with its actual duration, and the actual position of its object or of the resting body."""
        task, play = self.sequencer.tasks[0], self.sequencer
        if task.action == "push":
            assert task.position is not None
            start = play.objects[task.object_index].position
            place = start + self._way_pushed if play.task_index else task.position
            return replace(task, position=place, direction=facing_direction(yaw_of((place - start)[:2])))
        if task.action == "carry":
            put = play.current_objects[task.object_index] if play.task_index else placed_object(play.run)
            return replace(task, position=put.position, direction=put.front_direction, stand_direction=None)
        duration = self.seconds_stayed if task.action in STAYING_ACTIONS else 0.0
        reached = play.recording.event_frame("reached", 0)
        if reached is None or not isinstance(ACTION_SPECS[task.action], GroundRest):
            return replace(task, duration=duration)
        lies = play.frames[min(reached, len(play.frames) - 1)].position[0]
        return replace(task, position=np.append(lies, 0.0), duration=duration)

    @property
    def has_failed(self) -> bool:
        """True if the character has given up the task because it is out of reach."""
        return any(event.kind == "gave up" for event in self.sequencer.events)

    @property
    def is_done(self) -> bool:
        """True once the task has achieved its purpose: the body rests, the object is placed, or the door is passed."""
        task, play = self.sequencer.tasks[0], self.sequencer
        if task.action == "open":
            return self._departure is not None and not self.is_ending and not self.has_failed
        if task.action == "push":
            return play.task_index > 0 and float(length(self._way_pushed)) >= PUSH_TUNING.min_distance
        return any(event.kind in ("reached", "put") for event in self.sequencer.events)

    @property
    def holds(self) -> bool:
        """True while the character carries or pushes an object."""
        return bool(self.sequencer.scene.held_indices)

    @property
    def seconds_stayed(self) -> float:
        """Time for which the character has stayed at the task's object so far, seconds."""
        recording = self.sequencer.recording
        reached = recording.event_frame("reached", 0)
        last = len(recording) if self._departure is None else self._departure.frame
        return 0.0 if reached is None else max(last - reached, 0) / recording.model.rate

    @property
    def arrival_frame(self) -> int:
        """Frame of the task at which its object was reached, taken or opened; 0 if it has not been yet."""
        kinds = ("reached", "took", "opened")
        return min((event.frame for event in self.sequencer.events if event.kind in kinds), default=0)

    @property
    def is_over(self) -> bool:
        """True once the locomotion controller can take the body back."""
        return self._departure is not None and self._departure.is_over

    def end(self) -> None:
        """End the task: the character gets up, puts down its object, lets go of a pushed object, or leaves."""
        self.is_ending = True
        if self.holds:
            self.sequencer.put_down_here()

    def step(self, way: Array) -> DrivenFrame:
        """Advance by one frame, and return the frame that is displayed.

        Args:
            way: (2) requested direction of travel, world; zero for none.
        """
        play = self.sequencer
        is_left = play.task_index >= 1 or (self.is_ending and not self.holds)
        if is_left and self._departure is None:
            self._departure = Departure(play, play.tasks[0].action)
            if play.task_index == 0 or way.any():
                self._departure.send(way)
        if play.done and self._departure is not None:
            self._departure.send(way)
        play.advance(1)
        frame = play.frames[-1]
        root, yaw = np.append(frame.position[0], self._level), float(frame.yaw[0])
        speed = float(length(play.runtime.position[0] - frame.position[0])) * play.model.rate
        pose = decoded(play.model, frame.output, root, yaw)
        return self._driver.show(DriveMoment(root, yaw, speed, ""), pose, frame.contacts[0, -len(FOOT_CONTACTS) :])

    def hand_back(self) -> None:
        """Hand the body back to the locomotion controller."""
        self._driver.take_back(self.sequencer.runtime, len(self.sequencer.frames))

    @property
    def _way_pushed(self) -> Array:
        """Vector (3) by which the task's object has been moved so far, meters."""
        play, index = self.sequencer, self.sequencer.tasks[0].object_index
        return play.current_objects[index].position - play.objects[index].position
