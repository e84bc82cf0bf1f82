"""Activities of a shot: each begins in a situation and leaves another one."""

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...motion.proportions import scale_between
from ...motion.rotations import Array, length
from ...scene.interaction_object import InteractionObject
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..performance import Performance
from ..runtime.body_state import BodyState
from ..walk.path_walk import WalkRollout
from .outcome import Act, BeatResult
from .request import ShotRequest

STEP_FRAMES: Final = 6
"""Frames between two checks for a change of controller."""


@dataclass(frozen=True, slots=True)
class Approach(Tuning):
    """Tuned numbers of the change from walking to another activity."""

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
    there: float = tuned(0.05, "m", 0.01, 0.3)
    """Remaining distance within which a walk has arrived."""
    punctual: float = tuned(0.1, "s", 0.02, 0.5)
    """Largest error of an arrival at a given time."""
    tries: int = tuned(2, "1", 1, 10)
    """Largest number of further roll-outs for such an arrival."""
    sight: float = tuned(3.0, "m", 1.5, 6.0)
    """Largest distance of an object that is sensed and avoided from the way of a walk or a task."""


TUNING: Final = Approach()


@dataclass(frozen=True, eq=False)
class Stage:
    """Controllers and request of a shot, the same for all its parts.

    Attributes:
        walks: the locomotion controller.
        acts: the interaction controller.
        request: the requested beats and their scene.
        strikes: the controller that strikes, if there is one.
    """

    walks: ControllerModel
    acts: ControllerModel
    request: ShotRequest
    strikes: ControllerModel | None = None

    @cached_property
    def scale(self) -> float:
        """Meters of the world for one of the controllers'."""
        target = self.request.target
        return scale_between(self.walks.skeleton, target.target) if target else 1.0

    @cached_property
    def scene(self) -> WalkScene:
        """Ground and obstacles, meters of the world."""
        return self.request.scene or WalkScene()

    def ground_below(self, place: Array, default: float) -> float:
        """Return the height of the ground below a place (3), meters, or a default where there is none."""
        height = float(self.scene.ground.heights(place[None])[0])
        return height if np.isfinite(height) else default


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """The character and the objects between two parts of a shot.

    Attributes:
        state: the moving body; ``None`` for one that stands still, or at the end of a shot.
        place: (3) root on the ground, meters, world.
        yaw: facing without a state, radians; zero faces +Y.
        objects: in meters of the controllers.
        used: index of the object that the last task used; -1 for none.
        frame: number of frames before it.
    """

    state: BodyState | None
    place: Array
    yaw: float
    objects: tuple[InteractionObject, ...]
    used: int = -1
    frame: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Destination:
    """The end of a walk to an activity.

    Attributes:
        stand: (2) place at which the walk would end, meters, world; ``None`` for an activity without a place.
        level: height of the ground there, meters.
        passed: indices of objects that the walk does not avoid.
        faced: (2) place that the character faces at the end, meters, world, for an activity that begins from standing;
            others take over in mid-step.
    """

    stand: Array | None
    level: float
    passed: frozenset[int] = frozenset()
    faced: Array | None = None

    def reached_from(self, place: Array) -> Array | None:
        """Return the end (2) of a walk from a place (2), meters, world: at the same distance from the faced place."""
        if self.stand is None or self.faced is None:
            return self.stand
        away, distance = place - self.faced, float(length(self.stand - self.faced))
        far = float(length(away))
        return self.stand if far < 1e-3 else self.faced + distance / far * away


@dataclass(frozen=True, slots=True, eq=False)
class MadePart:
    """The finished motion of an activity.

    Attributes:
        performance: the motion, world.
        end: the situation that it leaves.
        results: the outcome of each of its beats by number; frames of this motion.
        overlap: frames at the end in which the next motion begins.
        leaves: frame in which the character begins to leave the place of a beat, by number.
        acts: its task with the recording.
        rollout: of a walk, from which another one that begins alike can go on.
    """

    performance: Performance
    end: Situation
    results: dict[int, BeatResult]
    overlap: int = 0
    leaves: dict[int, int] = field(default_factory=dict)
    acts: tuple[Act, ...] = ()
    rollout: WalkRollout | None = None


Making = Generator[int, None, MadePart]
"""Generator that yields the number of finished frames and returns the motion."""


class Activity(Protocol):
    """A part of a shot: begun in a situation, made in steps, it leaves another situation."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices of its beats."""
        ...

    def inputs(self, situation: Situation) -> object:
        """Return all that its motion depends on but stage, body, near objects and the activity after it."""
        ...

    def near(self, situation: Situation, after: "Activity | None") -> tuple[int, ...]:
        """Return the indices of the objects that it senses and avoids in a situation, before another activity."""
        ...

    def check(self, situation: Situation) -> None:
        """Raise :class:`~core.errors.FootfallError` if it cannot be done in a situation."""

    def is_far(self, situation: Situation) -> bool:
        """Return whether a walk has to lead to it."""
        ...

    def destination(self, situation: Situation) -> Destination | None:
        """Return the end of a walk to it; ``None`` for walks themselves."""
        ...

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the place (2 or 3), meters, world, toward which a character at a place (2) leaves for it."""
        ...

    def begin(self, situation: Situation, after: "Activity | None", earlier: MadePart | None = None) -> Making:
        """Make the motion in a situation, and its change to the activity after it.

        Args:
            situation: in which it begins.
            after: the activity after it.
            earlier: another motion that began in the same situation; its equal frames are taken over.

        Raises:
            FootfallError: it cannot be done.
        """
        ...


def destination_of(after: Activity | None, situation: Situation) -> Destination | None:
    """Return the end of the walk to the activity after it; ``None`` for one that cannot be done."""
    try:
        if after is not None:
            after.check(situation)
    except FootfallError:
        return None
    return None if after is None else after.destination(situation)
