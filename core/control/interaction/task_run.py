"""The task in progress, for the rules of its action: the character, the scene and the task's progress."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...actions import motion_of
from ...features.interaction import ACTIONS, CONTACT_JOINTS
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array
from ...scene.interaction_object import InteractionObject
from ...tuning import Tuning, tuned
from ..navigation.approach_pose import blocking_penalty, shortest_way
from ..navigation.flow_field import FlowField
from ..runtime.interaction_runtime import InteractionFrame, InteractionRuntime
from .recording import EventKind, InteractionRecording
from .scene_state import SceneState
from .task import InteractionTask


@dataclass(frozen=True, slots=True)
class TaskRunTuning(Tuning):
    still_speed: float = tuned(0.12, "m/s", 0.01, 0.5)
    """Speed of the root below which a character counts as still."""
    still_duration: float = tuned(0.25, "s", 0.0, 2.0)
    """Duration of stillness after which a character counts as standing still."""
    begun_weight: float = tuned(0.3, "1", 0.0, 1.0)
    """Weight of an action above which the action counts as begun."""
    near: float = tuned(0.2, "m", 0.05, 1.0)
    """Distance from the starting position of an action within which a standing character is ready to act."""
    farther: float = tuned(1.0, "m", 0.2, 3.0)
    """Limit in place of ``near`` for a character that has stood still for ``long_stand``."""
    long_stand: float = tuned(2.0, "s", 0.5, 10.0)
    """Duration of standing still after which a character is not expected to come nearer."""
    telling: float = tuned(2.0, "s", 0.2, 10.0)
    """Time after which a character that is ready to act, but does not, is commanded again."""
    max_tellings: int = tuned(2, "1", 1, 10)
    """Number of unsuccessful commands after which a character steps back and approaches again."""
    lingering: float = tuned(8.0, "s", 1.0, 60.0)
    """Time near the starting position after which a character that neither stands nor acts goes back."""
    going_back: float = tuned(2.5, "s", 0.5, 10.0)
    """Time for which a character steps back."""
    settled_distance: float = tuned(0.04, "m", 0.001, 0.2)
    """Distance below which a point, such as a hand near a grip, counts as arrived."""
    min_progress: float = tuned(0.005, "m", 0.0005, 0.05)
    """Smallest decrease of a point's distance from its target that counts as progress."""
    stall: float = tuned(1.0, "s", 0.1, 10.0)
    """Time without progress after which a point that approaches its target is not expected to come nearer."""
    timeout: float = tuned(35.0, "s", 5.0, 600.0)
    """Time after which a task is given up."""
    side_choice_distance: float = tuned(0.5, "m", 0.2, 2.0)
    """Distance from each side of an object at which a character needs room to stand."""


TUNING: Final = TaskRunTuning()


@dataclass(eq=False)
class TaskRun:
    """A task in progress.

    Attributes:
        runtime: the character's runtime.
        recording: the character's frames so far.
        scene: the objects in their current states.
        task_index: index of the task.
        approach_side: side from which the task's object is approached, in quarter turns from the object's front.
        start_position: (2) root at the start of the task, meters, world.
        start_frame: frame from which ``TUNING.timeout`` counts.
        there_frame: frame of the latest command to act; ``None`` while the character is not in position to act.
        tellings: number of commands to act in this approach.
        near_frame: frame since which the character has been near the starting position; ``None`` if it is not near.
        back_frame: frame since which the character has been going back to approach again; ``None`` if it is not.
        back_position: (2) root at ``back_frame``, meters, world.
        returns: number of times that the character has gone back.
        approach_position: (2) root at the start of the approach, or later when the character came near, meters, world.
        came_near: whether the character has come near in this approach.
        stay_frame: frame at which the character arrived and its stay began; 0 if it has not arrived yet.
        still_frames: number of frames for which the root has been still.
        closest_approach: smallest distance so far of a point that :meth:`has_settled` follows, meters, and its frame.
        is_aligned: whether the character is ready for the main part of its action: in line with a passage, at the
            handle that it pulls, with its back to a seat, or at the top of a climb.
        has_given_up: whether the task has taken too long; a held object is then put down.
    """

    runtime: InteractionRuntime
    recording: InteractionRecording
    scene: SceneState
    task_index: int
    approach_side: int = 0
    start_position: Array = field(init=False)
    start_frame: int = field(init=False)
    there_frame: int | None = field(init=False)
    tellings: int = field(init=False)
    near_frame: int | None = field(init=False)
    back_frame: int | None = field(init=False)
    back_position: Array = field(init=False)
    returns: int = 0
    approach_position: Array = field(init=False)
    came_near: bool = field(init=False)
    stay_frame: int = 0
    still_frames: int = 0
    closest_approach: tuple[float, int] = field(init=False)
    is_aligned: bool = False
    has_given_up: bool = False

    def __post_init__(self) -> None:
        self.start_frame = len(self.recording)
        self.restart_approach()
        self.start_position = self.runtime.position[0].copy()

    @property
    def task(self) -> InteractionTask:
        """The task that is in progress."""
        return self.recording.tasks[self.task_index]

    @property
    def is_last(self) -> bool:
        """True if this is the last task."""
        return self.task_index == len(self.recording.tasks) - 1

    @property
    def task_object(self) -> InteractionObject:
        """The task's object in its current state."""
        return self.scene.current_objects[self.task.object_index]

    @property
    def initial_object(self) -> InteractionObject:
        """The task's object in its state at the start of the recording."""
        return self.recording.objects[self.task.object_index]

    @property
    def position(self) -> Array:
        """Root position (2) of the character, meters, world."""
        return self.runtime.position[0]

    @property
    def yaw(self) -> Array:
        """Yaw of the character's root, radians, as an array without axes."""
        return self.runtime.yaw[0]

    @property
    def action_weight(self) -> float:
        """Weight, 0 to 1, of the task's action in the last frame; 0 while the action has not begun."""
        if not self.recording.frames:
            return 0.0
        weight = float(self.recording.frames[-1].actions[0, ACTIONS.index(motion_of(self.task.action))])
        return weight if weight > TUNING.begun_weight else 0.0

    @property
    def is_still(self) -> bool:
        """True once the character has stood still for ``TUNING.still_duration``."""
        return self.still_frames > TUNING.still_duration * self.recording.model.rate

    @property
    def has_stood_long(self) -> bool:
        """True once the character has stood still for ``TUNING.long_stand``."""
        return self.still_frames > TUNING.long_stand * self.recording.model.rate

    @property
    def has_come_down(self) -> bool:
        """True once the body has settled on its seat or on the ground, with any acyclic phase at its end."""
        runtime = self.runtime
        has_run_out = runtime.phase[0] == 0.0 or not runtime.assistance.rests_seated
        return bool(runtime.state.seated[0] and has_run_out)

    @property
    def hands_touch(self) -> bool:
        """True if both hands were in contact in the last frame."""
        if not self.recording.frames:
            return False
        hands = [CONTACT_JOINTS.index(f"hand.{side}") for side in "LR"]
        return bool(self.recording.frames[-1].contacts[0, hands].min() > CONTACT_THRESHOLD)

    @property
    def is_timed_out(self) -> bool:
        """True once the task has taken longer than ``TUNING.timeout`` without the character's arrival."""
        return self.seconds_since(self.start_frame) > TUNING.timeout and self.stay_frame == 0

    def seconds_since(self, frame: int) -> float:
        """Return the time since a frame, seconds."""
        return self.recording.seconds_since(frame)

    def record(self, kind: EventKind) -> None:
        """Record an event of the task."""
        self.recording.record_event(kind, self.task_index)

    def wrist_positions(self) -> Array:
        """Return the wrist positions (2, 3) in the last frame, left and right, meters, world."""
        return self.recording.wrist_positions(self.recording.frames[-1])

    def count_still_frames(self, frame: InteractionFrame) -> None:
        """Count the frame if the root hardly moves in it; restart the count of still frames otherwise."""
        speed = float(np.linalg.norm(self.runtime.position[0] - frame.position[0])) * self.recording.model.rate
        self.still_frames = self.still_frames + 1 if speed < TUNING.still_speed else 0

    def choose_side(self, sides: Sequence[int]) -> None:
        """Choose the side from which to approach the object: the nearest of the given sides with room to stand."""
        if len(sides) == 1:
            self.approach_side = sides[0]
            return
        target, others = self.task_object, self.scene.colliders({self.task.object_index})

        def approach_cost(side: int) -> float:
            stand = target.position[:2] + TUNING.side_choice_distance * target.facing_side(side).front_direction
            return float(np.linalg.norm(stand - self.position)) + blocking_penalty(stand, others)

        self.approach_side = sides[shortest_way([approach_cost(side) for side in sides])]

    def flow_field_to(self, goal_position: Array, passes_object: bool = False) -> FlowField:
        """Return the flow field to a goal (2), meters, world; with `passes_object`, through the task's object."""
        excluded = {self.task.object_index} if passes_object else ()
        return self.scene.flow_field(goal_position, self.position, excluded)

    def stands_near(self, place: Array) -> bool:
        """Return whether the character stands near a place (2), meters, world; a long stand may be a little farther."""
        return self.is_still and bool(
            np.linalg.norm(self.position - place) < (TUNING.farther if self.has_stood_long else TUNING.near)
        )

    def seconds_there(self, is_there: bool) -> float:
        """Return the time, seconds, since the latest command to act; after ``TUNING.telling`` a new command is due.

        Args:
            is_there: whether the character is at a position from which it can act.

        Returns:
            Zero if a command is due in this frame; infinity while the character is not in position.
        """
        if self.there_frame is not None and self.seconds_since(self.there_frame) > TUNING.telling:
            self.there_frame = None
        if self.there_frame is None and is_there:
            self.there_frame, self.tellings = len(self.recording), self.tellings + 1
        return np.inf if self.there_frame is None else self.seconds_since(self.there_frame)

    def goes_back(self, place: Array) -> bool:
        """Return whether the character should step back to approach again, after vain commands to act or lingering.

        Args:
            place: (2) starting position of the root, meters, world.
        """
        if self.back_frame is not None:
            if self.seconds_since(self.back_frame) > TUNING.going_back:
                self.restart_approach()
            return self.back_frame is not None
        if np.linalg.norm(self.position - place) > TUNING.farther:
            self.near_frame = None
        elif self.near_frame is None:
            self.near_frame = len(self.recording)
        lingers = self.near_frame is not None and self.seconds_since(self.near_frame) > TUNING.lingering
        if lingers or self.tellings > TUNING.max_tellings:
            self.back_frame, self.back_position = len(self.recording), self.position.copy()
            self.returns += 1
        return self.back_frame is not None

    def restart_approach(self) -> None:
        """Begin a new approach: reset the closest distance, and whether the character is near or in position to act."""
        self.closest_approach, self.there_frame, self.tellings = (np.inf, len(self.recording)), None, 0
        self.near_frame = self.back_frame = None
        self.approach_position, self.came_near = self.position.copy(), False

    def turn_in_mirror(self, faced: Array) -> None:
        """Let the body turn toward a direction (2) by the short way, as its mirror image if its network would not."""
        runtime = self.runtime
        if runtime.assistance.mirrors:
            ahead = facing_direction(self.yaw)
            turns_left = float(ahead[0] * faced[1] - ahead[1] * faced[0]) > 0.0
            runtime.mirror(0, turns_left != runtime.model.turns_left)

    def hip_descent(self, frame: InteractionFrame) -> float:
        """Return the height, meters, by which the hips are below those of a standing body in a frame."""
        model = self.recording.model
        standing = float(np.asarray(model.start["position"])[model.skeleton.joint("hips"), 2])
        return standing - self.recording.hip_height(frame)

    def has_settled(self, distance: float, max_distance: float, stall_s: float = TUNING.stall) -> bool:
        """Return whether a point, such as a hand, has arrived, or is near enough and no longer comes nearer.

        Args:
            distance: current distance of the point from its target, meters.
            max_distance: largest distance at which the point counts as near enough, meters.
            stall_s: time without progress after which the point no longer comes nearer, seconds.
        """
        if distance < self.closest_approach[0] - TUNING.min_progress:
            self.closest_approach = distance, len(self.recording)
        return distance < TUNING.settled_distance or (
            distance < max_distance and self.seconds_since(self.closest_approach[1]) > stall_s
        )

    def stay(self, arrived: bool) -> bool:
        """Record the arrival if `arrived` is true, and return whether the task's duration has passed since then."""
        if self.stay_frame == 0 and arrived:
            self.record("reached")
            self.stay_frame = len(self.recording)
        return bool(self.stay_frame and self.seconds_since(self.stay_frame) >= self.task.duration)
