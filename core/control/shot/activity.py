"""Activities, the parts of a shot such as a walk or a task: each leads from one situation to the next."""

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...motion import Clip, Skeleton
from ...motion.proportions import scale_between
from ...motion.rotations import Array, length
from ...scene.interaction_object import InteractionObject
from ...terrain.walk_scene import WalkScene
from ...tuning import Tuning, tuned
from ..pair.partner_dance import DanceSource
from ..performance import ObjectTrack, Performance
from ..runtime.body_state import BodyState
from ..walk.path_walk import WalkRollout
from .balls import BallState, held_ball
from .draft import Draft
from .outcome import BeatResult, TaskTake
from .request import ShotRequest

STEP_FRAMES: Final = 6
"""Number of frames that a controller makes between two checks for a change of controller."""


@dataclass(frozen=True, slots=True)
class Approach(Tuning):
    """Tuned numbers of the transition from a walk to another activity."""

    near: float = tuned(1.6, "m", 1.0, 5.0)
    """Distance to the start of a task up to which the interaction controller walks there by itself."""
    before: float = tuned(0.5, "m", 0.0, 1.5)
    """Distance from the start of a task at which the walk to it is planned to end."""
    left: float = tuned(1.2, "m", 0.3, 2.0)
    """Remaining distance of a walk from which the next activity's controller takes over when a foot lands."""
    landing: float = tuned(0.6, "s", 0.0, 2.0)
    """Longest wait for a foot to land, after which the next activity's controller takes over anyway."""
    speed: float = tuned(1.2, "m/s", 0.5, 2.0)
    """Speed of a walk that is added before a beat because the shot has no walk beat there."""
    heading_speed: float = tuned(0.3, "m/s", 0.05, 1.0)
    """Speed above which an added path begins in the body's direction of motion; below it, in its facing direction."""
    lead: float = tuned(0.4, "m", 0.0, 1.0)
    """Longest straight start of a path that continues a motion."""
    lead_share: float = tuned(0.4, "1", 0.0, 1.0)
    """Largest length of the straight start of a path, as a share of the distance to the path's next point."""
    same_level: float = tuned(0.1, "m", 0.0, 0.3)
    """Largest height difference at which a used object counts as standing on the character's ground."""
    above: float = tuned(1.0, "m", 0.3, 2.0)
    """Height above a destination from which its ground is searched downward."""
    turning: float = tuned(0.6, "m", 0.0, 2.0)
    """Distance before the end of a walk over which the character turns to the direction that it faces there."""
    past_partner: float = tuned(np.radians(75.0), "rad", 0.0, np.pi)
    """Smallest angle between the direction to a partner in front of the character and that in which it walks away."""
    settles: float = tuned(0.6, "s", 0.0, 2.0)
    """Time in which a character comes to rest at an exact destination."""
    there: float = tuned(0.05, "m", 0.01, 0.3)
    """Remaining distance at which a walk counts as arrived."""
    missed: float = tuned(0.5, "m", 0.1, 2.0)
    """Distance from a walk's destination from which it counts as missed because of an obstacle."""
    standing_room: float = tuned(2.0, "m", 1.0, 3.0)
    """Height above the ground up to which an object is in the way of a standing character."""
    punctual: float = tuned(0.1, "s", 0.02, 0.5)
    """Largest error of an arrival time that counts as on time."""
    tries: int = tuned(2, "1", 1, 10)
    """Largest number of repeated roll-outs of a walk to make it arrive on time."""
    sight: float = tuned(3.0, "m", 1.5, 6.0)
    """Largest distance from the path of a walk or task at which an object is sensed and avoided."""


TUNING: Final = Approach()


@dataclass(frozen=True, eq=False)
class Stage:
    """The controllers and the request of a character's shot, the same for all its parts.

    Attributes:
        walks: the locomotion controller; ``acts`` again if there is none for the body of ``acts``.
        acts: the interaction controller.
        request: the requested beats and their scene.
        strikes: the controller that strikes, if there is one.
        dances: controller and figures of a dance of two characters, if there are any.
        dribbles: the controller that dribbles a ball, if there is one.
    """

    walks: ControllerModel
    acts: ControllerModel
    request: ShotRequest
    strikes: ControllerModel | None = None
    dribbles: ControllerModel | None = None
    dances: DanceSource | None = None

    @property
    def body(self) -> Skeleton:
        """The skeleton of the body that moves."""
        target = self.request.target
        return self.walks.skeleton if target is None else target.target

    @cached_property
    def scale(self) -> float:
        """World meters per meter at the controllers' scale."""
        return scale_between(self.walks.skeleton, self.body) if self.request.target else 1.0

    @property
    def lacks_walker(self) -> bool:
        """True if there is no locomotion controller, so that the interaction controller walks to its tasks itself."""
        return self.walks is self.acts

    def require_walker(self) -> None:
        """Raise :class:`~core.errors.FootfallError` if there is no locomotion controller."""
        if self.lacks_walker:
            raise FootfallError(
                "The controller and the interaction controller were trained for different bodies, so they "
                "cannot share a shot: choose two that were trained for the same body"
            )

    @cached_property
    def scene(self) -> WalkScene:
        """Ground and obstacles of the shot, meters, world."""
        return self.request.scene or WalkScene()

    def root(self, situation: "Situation") -> tuple[Array, float]:
        """Return the character's root (2), meters, world, and its yaw, radians, in a situation."""
        state = situation.state
        return (situation.place[:2], situation.yaw) if state is None else (self.scale * state.position, state.yaw)

    def ground_below(self, place: Array, default: float) -> float:
        """Return the ground's height below `place` (3), meters, world, or `default` if there is no ground there."""
        height = float(self.scene.ground.heights(place[None])[0])
        return height if np.isfinite(height) else default


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """The state of the character and the objects between two parts of a shot.

    Attributes:
        state: the state of a moving body; ``None`` if it stands still, or at the end of a shot.
        place: (3) root on the ground, meters, world.
        yaw: facing, radians, zero along +Y; used only if ``state`` is ``None``.
        objects: the objects as they are now, lengths in meters at the controllers' scale.
        used: index of the object that the last task used; -1 for none.
        frame: number of frames of the shot before this situation.
        partner: (2) position of a partner in front of the character, meters, world, if there is one.
        balls: the states of the shot's balls.
    """

    state: BodyState | None
    place: Array
    yaw: float
    objects: tuple[InteractionObject, ...]
    used: int = -1
    frame: int = 0
    partner: Array | None = None
    balls: tuple[BallState, ...] = ()

    @property
    def speed(self) -> float:
        """Speed of the body in the controllers' meters per second; 0 if ``state`` is ``None``."""
        return 0.0 if self.state is None else float(length(self.state.velocity))


@dataclass(frozen=True, slots=True, eq=False)
class Destination:
    """The end of a walk to an activity.

    Attributes:
        stand: (2) end of the walk, meters, world; ``None`` for an activity that can begin anywhere.
        level: height of the ground at the end, meters, world.
        passed: indices of objects that the walk need not avoid.
        faced: (2) point that the character faces at the end, meters, world, if the activity begins from standing;
            ``None`` if it takes over in mid-step.
        is_exact: whether the activity must begin at ``stand`` itself; if not, any point at that distance from ``faced``
            will do.
    """

    stand: Array | None
    level: float
    passed: frozenset[int] = frozenset()
    faced: Array | None = None
    is_exact: bool = False

    @property
    def apart(self) -> float | None:
        """Distance from ``stand`` to ``faced``, meters; ``None`` if either is ``None``."""
        return None if self.stand is None or self.faced is None else float(length(self.stand - self.faced))

    def reached_from(self, place: Array) -> Array | None:
        """Return the end (2), meters, world, of a walk that comes from `place` (2), meters, world.

        ``None`` if the activity can begin anywhere.
        """
        if self.stand is None or self.faced is None or self.is_exact:
            return self.stand
        away, distance = place - self.faced, float(length(self.stand - self.faced))
        far = float(length(away))
        return self.stand if far < 1e-3 else self.faced + distance / far * away


@dataclass(frozen=True, slots=True, eq=False)
class MadePart:
    """The finished motion of an activity.

    Attributes:
        performance: the motion, world.
        end: the situation at its end.
        results: the outcome of each of the activity's beats, by the beat's index; frames count from the motion's start.
        overlap: number of frames at the end during which the next part's motion already begins.
        leaves: frame at which the character begins to leave the place of each beat, by the beat's index.
        acts: the activity's task with its recording.
        settling: objects that still move after the end, such as a door that falls shut; frames count from the end.
        rollout: the roll-out, if it is a walk; a later version of the walk with an equal beginning can continue from
            it.
        hands: the same motion with fingers and weapons, if the controller that strikes has them.
    """

    performance: Performance
    end: Situation
    results: dict[int, BeatResult]
    overlap: int = 0
    leaves: dict[int, int] = field(default_factory=dict)
    acts: tuple[TaskTake, ...] = ()
    settling: tuple[ObjectTrack, ...] = ()
    rollout: WalkRollout | None = None
    hands: Clip | None = None


Step = Draft | int | None
"""A step of making a motion: a draft of it, or the number of its frames so far; ``None`` while it is finished."""
Making = Generator[Step, None, MadePart]
"""Generator that yields the steps of making a motion, and returns the motion."""


class Activity(Protocol):
    """A part of a shot, such as a walk or a task: its motion leads from one situation to the next."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices, in the shot, of the beats that the activity carries out."""
        ...

    @property
    def ball(self) -> int | None:
        """Index of the ball that the character must hold at the start; -1: free hands; ``None``: any ball or none."""
        ...

    def inputs(self, situation: Situation) -> object:
        """Return all inputs that determine the motion, except stage, body, nearby objects and the next activity."""
        ...

    def near(self, situation: Situation, after: "Activity | None") -> tuple[int, ...]:
        """Return the indices of the objects that the activity senses and avoids; `after` is the next activity."""
        ...

    def check(self, situation: Situation) -> None:
        """Raise :class:`~core.errors.FootfallError` if the activity is impossible in a situation."""

    def is_far(self, situation: Situation) -> bool:
        """Return whether the character must first walk to the place of the activity."""
        ...

    def destination(self, situation: Situation) -> Destination | None:
        """Return the end of a walk to the activity; ``None`` if the activity is itself a walk."""
        ...

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the point (2 or 3), meters, world, to which a character at `here` (2), meters, world, heads."""
        ...

    def begin(self, situation: Situation, after: "Activity | None", earlier: MadePart | None = None) -> Making:
        """Make the activity's motion, including the change to the next activity, in steps.

        Args:
            situation: situation in which the activity begins.
            after: the next activity.
            earlier: an earlier version of the part, begun in the same situation, whose equal first frames are reused.

        Raises:
            FootfallError: the activity is impossible.
        """
        ...


def destination_of(after: Activity | None, situation: Situation) -> Destination | None:
    """Return the end of the walk to the activity `after`; ``None`` if there is no activity or it is impossible.

    Also ``None`` if the character must first put down or pick up a ball.
    """
    if after is not None and after.ball not in (None, held_ball(situation.balls)):
        return None
    try:
        if after is not None:
            after.check(situation)
    except FootfallError:
        return None
    return None if after is None else after.destination(situation)
