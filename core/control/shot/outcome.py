"""The outcome of a shot: its motion, the result of each beat, and its tasks with their recordings."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ...message import Message
from ...motion.rotations import Array
from ..interaction.recording import InteractionRecording
from ..performance import Performance
from ..refine.interaction_refinement import RefinedInteraction
from ..strike import exact_strike


@dataclass(frozen=True, slots=True, eq=False)
class BeatResult:
    """The outcome of a beat.

    Attributes:
        first, last: first and last frame of the beat in the shot.
        status: whether the beat was done, given up after a try, or left out.
        reason: why the beat was not done, as a sentence.
        corrections: largest correction of the hips and of each hand, meters, by role.
        late: delay of the beat's end after the time set for it, seconds.
        blow: frame at which a strike hits; ``None`` for other beats.
        miss: distance of the strike's end effector from the target at that frame, meters.
        notes: remarks about the beat, as sentences.
        caught: frame at which the partner catches a passed ball; ``None`` for other beats.
        blade: (3) vector of the weapon held in a fight from the end of the hand's bone to the tip, in the hand joint's
            frame, meters.
    """

    first: int
    last: int
    status: Literal["done", "gave up", "left out"]
    reason: Message | str = ""
    corrections: Mapping[str, float] = field(default_factory=dict)
    late: float = 0.0
    blow: int | None = None
    miss: float | None = None
    notes: tuple[Message | str, ...] = ()
    blade: Array | None = None
    caught: int | None = None

    def later(self, frames: int) -> "BeatResult":
        """Return the outcome with all its frames shifted later by `frames`."""
        blow, caught = (None if one is None else one + frames for one in (self.blow, self.caught))
        return replace(self, first=self.first + frames, last=self.last + frames, blow=blow, caught=caught)

    def with_miss(self, miss: float) -> "BeatResult":
        """Return the outcome of a strike with its miss, meters; too large a miss sets the status to "gave up"."""
        if miss <= exact_strike.TUNING.max_miss:
            return replace(self, miss=miss)
        reason = Message(
            "The strike falls {miss} cm short of its target: bring the target closer", miss=f"{100 * miss:.1f}"
        )
        return replace(self, miss=miss, status="gave up", reason=reason)


@dataclass(frozen=True, slots=True, eq=False)
class TaskTake:
    """An interaction task of a shot with its recording.

    Attributes:
        beat: index of the task's beat.
        first: first frame of the task in the shot.
        objects: indices, in the shot, of the recording's objects, which are those near the task.
        recording: the recorded interaction, in meters at the controllers' scale, over a floor at height 0.
        refined: the same motion, refined, on the animated body.
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
        performance: the motion of the character, on soles of usual height, and of the objects that it moves, world.
        beats: the outcome of each beat.
        seams: first frame after each change of controller.
        acts: the tasks, in their order.
    """

    performance: Performance
    beats: tuple[BeatResult, ...]
    seams: tuple[int, ...]
    acts: tuple[TaskTake, ...] = ()

    @property
    def corrections(self) -> dict[str, float]:
        """Largest correction of the hips and of each hand over all tasks, meters, by role."""
        found: dict[str, float] = {}
        for act in self.acts:
            for role, far in act.refined.max_corrections.items():
                found[role] = max(far, found.get(role, 0.0))
        return found
