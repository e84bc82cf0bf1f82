"""The recording of an interaction, for refinement, baking and evaluation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...models.model_file import ControllerModel
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.root_frame import out_of_frame
from ...motion.rotations import Array
from ...scene.interaction_object import InteractionObject
from ..runtime.interaction_runtime import InteractionFrame
from .task import InteractionTask

EventKind = Literal["began", "reached", "took", "put", "opened", "gave up"]
ObjectStates = list[tuple[InteractionObject, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class InteractionEvent:
    """An event of a task, such as reaching, taking or putting down its object.

    Attributes:
        frame: index of the first frame after the event.
        kind: kind of event, such as ``"took"``.
        task_index: index of the task.
    """

    frame: int
    kind: EventKind
    task_index: int


@dataclass(eq=False)
class InteractionRecording:
    """The frames of one character, its objects and its tasks, F frames so far.

    Attributes:
        model: the controller.
        tasks: all tasks, in order.
        objects: all objects in their states at the start.
        position: (2) root at the start, meters, world.
        yaw: yaw of the root at the start, radians; zero faces +Y.
        frames: for each of F frames, the runtime's output for a batch of one character.
        object_states: for each of F frames, the states of all objects.
        events: events, in order.
        ending_frame: first frame after the last task, at which the character begins to stop; ``None`` before the last
            task ends.
        seed: seed of the random idling of a seated character.
        begins_standing: whether the character stands at the start; otherwise it continues a motion.
        approach_sides: for each task begun so far, side from which its object is approached, in quarter turns from the
            object's front.
    """

    model: ControllerModel
    tasks: Sequence[InteractionTask]
    objects: tuple[InteractionObject, ...]
    position: Array
    yaw: float = 0.0
    frames: list[InteractionFrame] = field(default_factory=list)
    object_states: ObjectStates = field(default_factory=list)
    events: list[InteractionEvent] = field(default_factory=list)
    approach_sides: list[int] = field(default_factory=list)
    ending_frame: int | None = None
    seed: int = 0
    begins_standing: bool = True

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.frames)

    @property
    def actions(self) -> Array:
        """Weights (F, A), 0 to 1, of the controller's actions."""
        return np.concatenate([frame.actions for frame in self.frames])

    @property
    def contacts(self) -> Array:
        """Contact probabilities (F, 7) of the contact joints."""
        return np.concatenate([frame.contacts for frame in self.frames])

    @property
    def phase(self) -> Array:
        """Phases (F) of the motion, cycles."""
        return np.concatenate([frame.phase for frame in self.frames])

    @property
    def stands(self) -> NDArray[np.bool_]:
        """Mask (F) of the frames in which both feet are on the ground."""
        heels_and_balls = self.contacts[:, 3:].reshape(-1, 2, 2)
        return heels_and_balls.max(axis=2).min(axis=1) > CONTACT_THRESHOLD

    def seconds_since(self, frame: int) -> float:
        """Return the time from a frame to the end of the recording, seconds."""
        return (len(self.frames) - frame) / self.model.rate

    def record_event(self, kind: EventKind, task_index: int) -> None:
        """Record an event of a task at the current end of the recording."""
        self.events.append(InteractionEvent(len(self.frames), kind, task_index))

    def event_frame(self, kind: EventKind, task_index: int) -> int | None:
        """Return the frame of a task's first event of the given kind; ``None`` if there is none."""
        frames = (event.frame for event in self.events if event.kind == kind and event.task_index == task_index)
        return next(frames, None)

    def task_intervals(self) -> Iterator[tuple[int, int, int]]:
        """Yield the first frame, the frame after the last, and the index of each task that has frames.

        Frames after the last task belong to no task.
        """
        starts = [(event.frame, event.task_index) for event in self.events if event.kind == "began"]
        last = len(self.frames) if self.ending_frame is None else self.ending_frame
        stops = [frame for frame, _ in starts[1:]] + [last]
        for (start, task_index), stop in zip(starts, stops, strict=True):
            if stop > start:
                yield start, stop, task_index

    def task_object(self, task_index: int) -> InteractionObject:
        """Return a task's object in its state at the start of the recording."""
        return self.objects[self.tasks[task_index].object_index]

    def joint_positions(self, frame: InteractionFrame, joints: Sequence[int]) -> Array:
        """Return the positions (N, 3) of joints in a frame, meters, world.

        Args:
            frame: one frame.
            joints: (N) indices of the joints in the controller's pose.
        """
        pose = self.model.output_layout.view(frame.output[0], "pose.position")[joints].astype(float)
        placed = out_of_frame(pose, frame.yaw[0])
        placed[:, :2] += frame.position[0]
        return placed

    def wrist_positions(self, frame: InteractionFrame) -> Array:
        """Return the wrist positions (2, 3) in a frame, left and right, meters, world."""
        return self.joint_positions(frame, self._wrist_joints)

    def hip_height(self, frame: InteractionFrame) -> float:
        """Return the height of the hips above the ground in a frame, meters."""
        return float(self.joint_positions(frame, [0])[0, 2])

    def ankle_positions(self, frame: InteractionFrame) -> Array:
        """Return the ankle positions (2, 3) in a frame, left and right, meters, world."""
        return self.joint_positions(frame, self._ankle_joints)

    @cached_property
    def _ankle_joints(self) -> list[int]:
        """Indices of the two ankles in the controller's pose."""
        skeleton = self.model.skeleton
        return [self.model.joints.index(skeleton.names[skeleton.joint(f"foot.{side}")]) for side in "LR"]

    @cached_property
    def _wrist_joints(self) -> list[int]:
        """Indices of the two wrists in the controller's pose."""
        skeleton = self.model.skeleton
        return [self.model.joints.index(skeleton.names[skeleton.joint(f"hand.{side}")]) for side in "LR"]


def replace_at(
    objects: tuple[InteractionObject, ...], index: int, new_object: InteractionObject
) -> tuple[InteractionObject, ...]:
    """Return the objects with the one at `index` replaced by `new_object`."""
    return (*objects[:index], new_object, *objects[index + 1 :])
