"""The outcome of a shot: its motion, the result of each beat, and its tasks with their recordings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ...message import Message
from ..interaction.recording import InteractionRecording
from ..performance import Performance
from ..refine.interaction_refinement import RefinedInteraction


@dataclass(frozen=True, slots=True)
class BeatResult:
    """The outcome of a beat.

    Attributes:
        first, last: its first and last frame.
        status: done, given up after a try, or left out.
        reason: reason for not being done, as a sentence.
        corrections: largest correction of hips and hands by role, meters.
    """

    first: int
    last: int
    status: Literal["done", "gave up", "left out"]
    reason: Message | str = ""
    corrections: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """A task with its recording.

    Attributes:
        beat: its number among the beats.
        first: its first frame in the shot.
        objects: indices, among the shot's, of the recording's objects: those near the task.
        recording: the controller's motion, in meters of the controllers, over a floor of height 0.
        refined: the same on the body that moves.
    """

    beat: int
    first: int
    objects: tuple[int, ...]
    recording: InteractionRecording
    refined: RefinedInteraction


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A finished shot.

    Attributes:
        performance: the motion of the character on soles of usual height, and of the objects that it moves, world.
        beats: the outcome of each beat.
        seams: first frame after each change of controller.
        acts: the tasks, in their order.
    """

    performance: Performance
    beats: tuple[BeatResult, ...]
    seams: tuple[int, ...]
    acts: tuple[Act, ...] = ()
