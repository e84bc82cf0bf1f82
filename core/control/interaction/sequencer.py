"""Errands one after the other: walk there, sit for three seconds, take the box, put it on the desk, leave by the door.

The controller goes for one goal at a time; this says which, and sees when it is reached. What is carried goes with the
hands from when both hold it (over half a second, so that nothing jumps), and lies still where it is put.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...features.interaction import ACTIONS, CONTACT_JOINTS
from ...models.model_file import ControllerModel
from ...motion.root_frame import facing_direction, out_of_frame
from ...motion.rotations import Array, rotate, rotation_about_up
from ...scene.collider_pose import PosedCollider
from ...scene.interaction_object import InteractionObject
from ..navigation.approach_pose import approach_position, blocking_penalty
from ..navigation.flow_field import FlowField
from ..runtime.interaction_runtime import GoalCommand, InteractionFrame, InteractionRuntime
from .attachment import HANDOVER_S, Attachment, Release
from .door import CLOSING_S, OPEN_ANGLE_RAD, PASSED_DISTANCE_M, push_door, pushing_joints

ARRIVAL_RADIUS_M: Final = 0.25
"""Metres from where somebody walks to at which they stop."""
STILL_SPEED_M_S: Final = 0.12
"""Metres a second, of the root, below which somebody is still."""
ACTION_DONE_THRESHOLD: Final = 0.8
"""Share of an action from which it is done, and not begun."""
STILL_DURATION_S: Final = 0.25
"""Seconds for which somebody is still before they are taken to be there."""
GRASP_DISTANCE_M: Final = 0.35
"""Metres between the hands' middle and the box's at which it is taken."""
NO_GRASP_DISTANCE_M: Final = 0.8
"""Metres between them from which nobody can be taking it yet."""
START_DISTANCES_M: Final = {"sit": 0.36, "carry": 0.42}
"""Metres before a seat's middle, or a box's, where one stands who begins to sit down, or to take it."""
NEAR_OBJECT_RADIUS_M: Final = 0.95
"""Metres within which somebody is near to what they came for; ..."""
NUDGE_DELAY_S, NUDGE_SHARE = 0.8, 0.5
"""... after so many seconds they are brought to where they begin, by this share of the full way."""
GRASP_RAMP_S: Final = 0.9
"""Seconds from when hands go down until they take hold."""
BOX_OFFSET_RANGE_M, BOX_FACING_RANGE_RAD = (0.1, 0.25), (0.35, 0.8)
"""Metres to the side, and radians, by which somebody may be off before a box to take it, and from which they do not."""
HAND_HEIGHT_RANGE_M: Final = (0.05, 0.2)
"""Metres from hands down to a box at which somebody has bent for it, and at which they have not."""
ACTION_BEGUN_THRESHOLD: Final = 0.3
"""Share of an action from which somebody is brought to the very place where it is done."""
RELEASE_DISTANCE_M: Final = 0.45
"""Metres between a box and its place at which it may be put down; ..."""
SETTLED_DISTANCE_M, MIN_PROGRESS_M, STALL_S = 0.04, 0.005, 1.0
"""... taken or put it is when it is this near, or has come no nearer, by so much, for so many seconds."""
FACING_TIMEOUT_S: Final = 4.0
"""Seconds after which something is put by who does not get to face its place."""
CONTACT_THRESHOLD: Final = 0.5
TASK_TIMEOUT_S: Final = 25.0
"""Seconds after which an errand is given up."""
APPROACH_DISTANCES_M: Final = {"sit": 0.6, "carry": 0.5, "open": -1.5}
"""Metres before a thing, by what is done with it, to which a way leads: a way through a door goes on behind it."""
APPROACH_SIDES: Final = {"carry": (0, 1, 2, 3), "open": (0, 2)}
"""The sides from which something can be done, in quarters from the front; all else is done from its front."""
DOOR_APPROACH_M: Final = 1.1
"""Metres before a door at which one is in line with it; ..."""
DOOR_ALIGNMENT_M, DOOR_CENTRING_SHARE = 0.22, 0.5
"""... its middle is so far to the side, at most, and nearer they are brought to it by this share of the full way."""
FAR_GOAL_OFFSET_M: Final = 1.5
"""Metres by which a goal is taken to be farther, so that one is led to where the way to it begins."""
REPLANNING_TOLERANCE: Final = 0.1
"""Metres, or parts of a quaternion, by which things have moved when ways are found anew."""


@dataclass(frozen=True, slots=True, eq=False)
class InteractionTask:
    """One thing to do.

    Attributes:
        action: ``"walk"``, ``"run"``, ``"idle"``, ``"sit"``, ``"carry"`` or ``"open"``.
        thing: number of the thing that it is done with; -1 without one.
        position: (3) where to walk or run; where to put what is carried; metres, world.
        direction: (2) which way to face there; the front of what is put down.
        stand: (2) the side of what is put down on which its bearer stands, where no ``direction`` is asked for.
        seconds: how long to stay.
    """

    action: str
    object_index: int = -1
    position: Array | None = None
    direction: Array | None = None
    stand_direction: Array | None = None
    duration: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class InteractionEvent:
    """Something that happened.

    Attributes:
        frame: when.
        kind: ``"began"``, ``"reached"``, ``"took"``, ``"put"``, ``"opened"`` or ``"gave up"``.
        errand: number of the errand.
    """

    frame: int
    kind: str
    task_index: int


@dataclass(eq=False)
class InteractionSequencer:
    """An actor on their errands; the frames that are made so far are in ``frames``, one for each.

    Attributes:
        model: a controller that interacts.
        things: all that is about, as it is at first.
        errands: what to do, in order.
        position: (2) where they begin, metres, world.
        yaw: radians, which way they face; zero is +Y.
        both: see :class:`InteractionRuntime`.

    Raises:
        FootfallError: an errand cannot be done with its thing; one sentence says why.
    """

    model: ControllerModel
    objects: Sequence[InteractionObject]
    tasks: Sequence[InteractionTask]
    position: Array
    yaw: float = 0.0
    bidirectional: bool = True
    frames: list[InteractionFrame] = field(default_factory=list)
    object_states: list[tuple[InteractionObject, ...]] = field(default_factory=list)
    events: list[InteractionEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.model.is_interaction_controller:
            raise FootfallError("This controller walks along paths and knows no goals: choose one that interacts.")
        for errand in self.tasks:
            validate_task(errand, self.objects)
        self.runtime = InteractionRuntime(self.model, self.position[None], [self.yaw], self.bidirectional)
        self.objects = tuple(self.objects)
        self.current_objects = self.objects
        self._hand_joints = [
            self.model.joints.index(self.model.skeleton.names[self.model.skeleton.joint(f"hand.{side}")])
            for side in "LR"
        ]
        self._pushing_joints = pushing_joints(self.model)
        self.task_index, self._task_start, self._stay_start, self._still_frames, self._door_aligned = 0, 0, 0, 0, False
        self._attachment: Attachment | None = None
        self._release: Release | None = None
        self._door_angles = dict.fromkeys(range(len(self.objects)), 0.0)
        self.approach_sides: list[int] = []
        self._flow_field: tuple[Array, FlowField] | None = None
        self._begin_task(0)

    @property
    def done(self) -> bool:
        """Whether all errands are done."""
        return self.task_index >= len(self.tasks)

    def advance(self, count: int) -> bool:
        """Makes some frames; false once all errands are done."""
        for _ in range(count):
            if self.done:
                return False
            self._advance_frame()
        return not self.done

    def move_object(self, object_index: int, moved_object: InteractionObject) -> None:
        """Has a thing be elsewhere, as if it had always been: somebody has moved it. What somebody carries, or has
        carried, is not theirs to move.
        """
        if any(
            self.tasks[event.task_index].object_index == object_index for event in self.events if event.kind == "took"
        ):
            return
        self.objects = (*self.objects[:object_index], moved_object, *self.objects[object_index + 1 :])
        self.object_states = [
            (*now[:object_index], moved_object, *now[object_index + 1 :]) for now in self.object_states
        ]
        self._set_object(object_index, moved_object)

    def _advance_frame(self) -> None:
        errand = self.tasks[self.task_index]
        # Who sits down minds their seat alone; a desk before it is no reason to go away again.
        minds = (
            {errand.object_index}
            if errand.action == "sit" and self._action_share("sit") > 0
            else range(len(self.current_objects))
        )
        around = [
            self.current_objects[number].posed_collider
            for number in minds
            if not (self._attachment and number == self._attachment.object_index)
        ]
        solid = [
            one.posed_collider
            for number, one in enumerate(self.current_objects)
            if number != errand.object_index and not (self._attachment and number == self._attachment.object_index)
        ]
        acted = self.runtime.step([self.goal_command(errand)], around, [self._carry_limits(errand)], solid)
        self.frames.append(acted)
        hands = self.wrist_positions(acted)
        if self._release is not None:
            self._set_object(
                self._release.object_index, self._release.object_at(self._seconds_since(self._release.start_frame))
            )
        elif self._attachment is not None:
            self._set_object(
                self._attachment.object_index,
                self._attachment.object_at(hands, self._seconds_since(self._attachment.start_frame)),
            )
        self._update_doors(errand, acted)
        self.object_states.append(self.current_objects)
        speed = float(np.linalg.norm(self.runtime.position[0] - acted.position[0])) * self.model.rate
        self._still_frames = self._still_frames + 1 if speed < STILL_SPEED_M_S else 0
        self._update_task(errand, acted, hands)

    def _carry_limits(self, task: InteractionTask) -> tuple[float, float]:
        """How far somebody is carrying, at least and at most: the nearer their hands are to what they fetch, the more
        they can be; the farther what they have is from where it shall be, or they from facing that, the more they are.
        """
        if task.action != "carry" or not self.frames:
            return 0.0, 1.0
        thing, hands = self.current_objects[task.object_index], self.wrist_positions(self.frames[-1]).mean(axis=0)
        if self._attachment is not None:
            thing = self._object_at_destination(task, thing)
        away = float(np.linalg.norm(thing.posed_collider.to_world(thing.grip_centre[None])[0] - hands))
        far = float(np.interp(away, (GRASP_DISTANCE_M, NO_GRASP_DISTANCE_M), (0.0, 1.0)))
        if self._attachment is not None:
            return max(far, 1.0 - self._box_alignment(thing.facing_side(self.approach_side))), 1.0
        # Who stands right and still does not begin begins; who does not stand right does not.
        most = min(1.0 - far, self._box_alignment(thing.facing_side(self.approach_side)))
        waited = self._seconds_since(self._near_since) - 2 * NUDGE_DELAY_S
        return float(np.clip(min(waited / GRASP_RAMP_S, most), 0.0, 1.0)), most

    def _box_alignment(self, box: InteractionObject) -> float:
        """How well (0 to 1) somebody stands before a box, in the middle of it and facing it."""
        offset = self.runtime.position[0] - box.position[:2]
        aside = abs(float(offset @ np.array([box.front_direction[1], -box.front_direction[0]])))
        turned = float(np.arccos(np.clip(-facing_direction(self.runtime.yaw[0]) @ box.front_direction, -1.0, 1.0)))
        return float(
            min(np.interp(aside, BOX_OFFSET_RANGE_M, (1.0, 0.0)), np.interp(turned, BOX_FACING_RANGE_RAD, (1.0, 0.0)))
        )

    def goal_command(self, task: InteractionTask) -> GoalCommand:
        """What the controller goes for now."""
        if task.object_index < 0:
            place = np.zeros(3) if task.position is None else task.position
            away = float(np.linalg.norm(place[:2] - self.runtime.position[0]))
            action = task.action if away > ARRIVAL_RADIUS_M else "idle"
            ahead = place[:2] - self.runtime.position[0]
            direction = task.direction if task.direction is not None else ahead / max(away, 1e-6)
            return GoalCommand(action, place, direction, flow_field=self._flow_field_to(place[:2], task))
        thing = self.current_objects[task.object_index]
        if task.action == "carry" and self._attachment is not None:
            thing = self._object_at_destination(task, thing)
        elif task.action == "open":
            thing = self.objects[task.object_index]
        seen = thing.facing_side(self.approach_side)
        before = APPROACH_DISTANCES_M[task.action]
        if task.action == "open" and not self._check_door_alignment(seen):
            return GoalCommand(
                "open",
                seen.position,
                seen.front_direction,
                seen.interaction_volume,
                self._flow_field_to(self._door_approach_point(seen), task),
                FAR_GOAL_OFFSET_M,
            )
        place = seen.position[:2] + before * seen.front_direction
        if task.action == "sit" and (seat := seen.seat) is not None:
            ahead = rotate(seen.rotation, np.append(seat.direction, 0.0))[:2]
            over = seen.posed_collider.to_world(seat.position[None])[0, :2]
            rest = over, ahead, self._action_share("sit")
            if rest[2] == 0.0:
                rest = over + START_DISTANCES_M["sit"] * ahead, ahead, self._nudge_weight(over)
            place = approach_position(
                over, ahead, before, START_DISTANCES_M["sit"], self.runtime.position[0], self._other_colliders(task)
            )
        else:
            rest = self._box_root_target(seen) if task.action == "carry" else self._door_root_target(seen)
        waits = 0.0 if task.action == "open" or self._action_share(task.action) > 0 else min(rest[2] / NUDGE_SHARE, 1.0)
        return GoalCommand(
            task.action,
            seen.position,
            seen.front_direction,
            seen.interaction_volume,
            self._flow_field_to(place, task),
            before,
            rest,
            waits,
        )

    def _action_share(self, action: str) -> float:
        """How far (0 to 1) an action is done now; nothing where it has hardly begun."""
        share = float(self.frames[-1].actions[0, ACTIONS.index(action)]) if self.frames else 0.0
        return share if share > ACTION_BEGUN_THRESHOLD else 0.0

    def _nudge_weight(self, object_position: Array) -> float:
        """How much (0 to 1) somebody is brought to where one begins, who has been near to what they came for (2) for a
        while and does not begin.
        """
        if np.linalg.norm(self.runtime.position[0] - object_position) > NEAR_OBJECT_RADIUS_M:
            self._near_since = len(self.frames)
        return NUDGE_SHARE * float(np.clip(self._seconds_since(self._near_since) - NUDGE_DELAY_S, 0.0, 1.0))

    def _box_root_target(self, box: InteractionObject) -> tuple[Array, Array, float]:
        """Where somebody stands whose hands are about a box where it is taken, or put; see :attr:`GoalCommand.rest`."""
        position = self.runtime.position[0]
        if self._action_share("carry") == 0.0:
            return (
                box.position[:2] + START_DISTANCES_M["carry"] * box.front_direction,
                -box.front_direction,
                self._nudge_weight(box.position[:2]),
            )
        off = box.posed_collider.to_world(box.grip_centre[None])[0] - self.wrist_positions(self.frames[-1]).mean(axis=0)
        near = float(np.interp(np.linalg.norm(off[:2]), (GRASP_DISTANCE_M, NO_GRASP_DISTANCE_M), (1.0, 0.0)))
        # Who has not bent yet comes to where one bends.
        bent = float(np.interp(-off[2], HAND_HEIGHT_RANGE_M, (1.0, 0.0)))
        place = bent * (position + off[:2]) + (1 - bent) * (
            box.position[:2] + START_DISTANCES_M["carry"] * box.front_direction
        )
        return place, -box.front_direction, near * self._action_share("carry")

    def _door_root_target(self, door: InteractionObject) -> tuple[Array, Array, float]:
        """The middle of a door's way abreast of somebody who goes through it; see :attr:`GoalCommand.rest`."""
        offset = self.runtime.position[0] - door.position[:2]
        ahead = float(offset @ door.front_direction)
        share = DOOR_CENTRING_SHARE * float(np.interp(abs(ahead), (DOOR_APPROACH_M / 2, DOOR_APPROACH_M), (1.0, 0.0)))
        return door.position[:2] + ahead * door.front_direction, -door.front_direction, share

    def _check_door_alignment(self, door: InteractionObject) -> bool:
        """Whether somebody has come before a door, so that they can go straight through."""
        offset = self.runtime.position[0] - door.position[:2]
        ahead, aside = (
            float(offset @ door.front_direction),
            abs(float(offset @ np.array([door.front_direction[1], -door.front_direction[0]]))),
        )
        self._door_aligned = self._door_aligned or (
            aside < DOOR_ALIGNMENT_M and ahead < DOOR_APPROACH_M + 2 * DOOR_ALIGNMENT_M
        )
        return self._door_aligned

    @staticmethod
    def _door_approach_point(door: InteractionObject) -> Array:
        """Where (2) one comes before a door."""
        return door.position[:2] + DOOR_APPROACH_M * door.front_direction

    def _object_at_destination(self, task: InteractionTask, held_object: InteractionObject) -> InteractionObject:
        """What is carried where it shall be put."""
        assert task.position is not None
        front = held_object.front_direction if task.direction is None else task.direction
        if task.direction is None and task.stand_direction is not None:
            front = rotate(
                rotation_about_up(np.array(-self.approach_side * np.pi / 2)), np.append(task.stand_direction, 0.0)
            )[:2]
        return held_object.place_at(task.position, front)

    @property
    def approach_side(self) -> int:
        """From which side the errand's thing is gone for, in quarters from its front."""
        return self.approach_sides[self.task_index]

    def _flow_field_to(self, goal_position: Array, task: InteractionTask) -> FlowField:
        """The ways to a place (2), found anew when it, or something that stands about, has moved."""
        around = [
            thing.posed_collider
            for number, thing in enumerate(self.current_objects)
            if not (self._attachment and number == self._attachment.object_index)
            and not (task.action == "open" and number == task.object_index)
        ]
        state = np.concatenate([goal_position, *(part for one in around for part in (one.position, one.rotation))])
        known = self._flow_field
        if known is None or len(known[0]) != len(state) or np.abs(known[0] - state).max() > REPLANNING_TOLERANCE:
            known = self._flow_field = state, FlowField.build(goal_position, self.runtime.position[0], around)
        return known[1]

    def wrist_positions(self, frame: InteractionFrame) -> Array:
        """Where the wrists are (2, 3), left and right, metres, world."""
        return self._joint_positions(frame, self._hand_joints)

    def _joint_positions(self, frame: InteractionFrame, joints: list[int]) -> Array:
        """Where some joints of the pose are (N, 3), metres, world."""
        pose = self.model.output_layout.view(frame.output[0], "pose.position").astype(float)[joints]
        return out_of_frame(pose, np.full(len(joints), frame.yaw[0])) + np.append(frame.position[0], 0.0)

    def _update_task(self, task: InteractionTask, frame: InteractionFrame, hands: Array) -> None:
        action = frame.actions[0, ACTIONS.index(task.action)]
        still = self._still_frames > STILL_DURATION_S * self.model.rate
        if self._seconds_since(self._task_start) > TASK_TIMEOUT_S and self._stay_start == 0:
            self._record_event("gave up")
            self._begin_next_task()
        elif task.action == "carry":
            self._update_carrying(task, frame, hands)
        elif task.action == "open":
            if self._has_passed_door(task, frame):
                self._begin_next_task()
        elif task.action == "sit":
            touches = frame.contacts[0, CONTACT_JOINTS.index("hips")] > CONTACT_THRESHOLD
            self._update_stay(task, bool(still and action > ACTION_DONE_THRESHOLD and touches))
        else:
            away = 0.0 if task.position is None else float(np.linalg.norm(task.position[:2] - frame.position[0]))
            self._update_stay(
                task,
                away < (2 * ARRIVAL_RADIUS_M if still else ARRIVAL_RADIUS_M) and (still or not self._is_last_task()),
            )

    def _update_stay(self, task: InteractionTask, arrived: bool) -> None:
        """Stays as long as the errand says once somebody is there."""
        if self._stay_start == 0 and arrived:
            self._record_event("reached")
            self._stay_start = len(self.frames)
        if self._stay_start and self._seconds_since(self._stay_start) >= task.duration:
            self._begin_next_task()

    def _update_carrying(self, task: InteractionTask, frame: InteractionFrame, hands: Array) -> None:
        thing, middle = self.current_objects[task.object_index], hands.mean(axis=0)
        holding = (
            frame.contacts[0, [CONTACT_JOINTS.index("hand.L"), CONTACT_JOINTS.index("hand.R")]].min()
            > CONTACT_THRESHOLD
        )
        if self._attachment is None:
            away = float(np.linalg.norm(thing.posed_collider.to_world(thing.grip_centre[None])[0] - middle))
            if self._has_settled(away, GRASP_DISTANCE_M) and holding:
                self._record_event("took")
                self._attachment = Attachment.attach(task.object_index, thing, hands, len(self.frames))
                self._task_start, self._closest_approach = len(self.frames), (np.inf, len(self.frames))
            return
        if self._release is not None:
            if self._seconds_since(self._release.start_frame) >= HANDOVER_S:
                self._attachment = self._release = None
                self._begin_next_task()
            return
        assert task.position is not None
        away = float(np.linalg.norm(thing.position - task.position))
        faces = self._box_alignment(self._object_at_destination(task, thing).facing_side(self.approach_side)) > 0.0
        if self._has_settled(away, RELEASE_DISTANCE_M) and (
            faces or self._seconds_since(self._closest_approach[1]) > FACING_TIMEOUT_S
        ):
            self._record_event("put")
            self._release = Release(
                task.object_index, thing, self._object_at_destination(task, thing), len(self.frames) - 1
            )

    def _has_settled(self, distance: float, max_distance: float) -> bool:
        """Whether something is as near, metres, as it gets: it is there, or near enough and comes no nearer."""
        if distance < self._closest_approach[0] - MIN_PROGRESS_M:
            self._closest_approach = distance, len(self.frames)
        return distance < SETTLED_DISTANCE_M or (
            distance < max_distance and self._seconds_since(self._closest_approach[1]) > STALL_S
        )

    def _update_doors(self, task: InteractionTask, frame: InteractionFrame) -> None:
        """Doors are pushed by who goes through, and fall shut by themselves."""
        for number, thing in enumerate(self.objects):
            if thing.handle is None:
                continue
            if task.action == "open" and task.object_index == number and not self._has_passed_door(task, frame):
                self._door_angles[number] = self._pushed_angle(thing, frame, self._door_angles[number])
                told = any(one.task_index == self.task_index and one.kind == "opened" for one in self.events)
                if abs(self._door_angles[number]) > OPEN_ANGLE_RAD and not told:
                    self._record_event("opened")
            else:
                self._door_angles[number] *= 0.1 ** (1 / (CLOSING_S * self.model.rate))
            self._set_object(number, thing.swing_open(self._door_angles[number]))

    def _pushed_angle(self, door: InteractionObject, frame: InteractionFrame, angle: float) -> float:
        """How far a door is open, radians, that somebody goes through, who had opened it so far."""
        joints, thick = self._pushing_joints
        return push_door(
            door.facing_side(self.approach_side), frame.position[0], self._joint_positions(frame, joints), thick, angle
        )

    def _has_passed_door(self, task: InteractionTask, frame: InteractionFrame) -> bool:
        thing = self.objects[task.object_index]
        beyond = (frame.position[0] - thing.position[:2]) @ thing.front_direction
        begun = (self._start_position - thing.position[:2]) @ thing.front_direction
        assert thing.handle is not None
        return bool(beyond * np.sign(begun) < -thing.handle.hinge_distance - PASSED_DISTANCE_M)

    def _set_object(self, object_index: int, new_object: InteractionObject) -> None:
        self.current_objects = (
            *self.current_objects[:object_index],
            new_object,
            *self.current_objects[object_index + 1 :],
        )

    def _record_event(self, kind: str) -> None:
        self.events.append(InteractionEvent(len(self.frames), kind, self.task_index))

    def _begin_next_task(self) -> None:
        self._begin_task(self.task_index + 1)

    def _begin_task(self, task_index: int) -> None:
        self.task_index, self._task_start, self._stay_start, self._still_frames = task_index, len(self.frames), 0, 0
        self._near_since = len(self.frames)
        self._door_aligned, self._closest_approach = False, (np.inf, len(self.frames))
        self._start_position = self.runtime.position[0].copy()
        if not self.done:
            self.approach_sides.append(self._nearest_side(self.tasks[task_index]))
            self._record_event("began")

    def _nearest_side(self, task: InteractionTask) -> int:
        """The side of an errand's thing that is nearest, of those where somebody can stand."""
        if task.object_index < 0 or task.action not in APPROACH_SIDES:
            return 0
        thing = self.current_objects[task.object_index]
        others = self._other_colliders(task)

        def far(side: int) -> float:
            stand = thing.position[:2] + APPROACH_DISTANCES_M["carry"] * thing.facing_side(side).front_direction
            return float(np.linalg.norm(stand - self.runtime.position[0])) + blocking_penalty(stand, others)

        return min(APPROACH_SIDES[task.action], key=far)

    def _other_colliders(self, task: InteractionTask) -> list[PosedCollider]:
        """What else is about, than what an errand is done with."""
        return [one.posed_collider for number, one in enumerate(self.current_objects) if number != task.object_index]

    def _is_last_task(self) -> bool:
        return self.task_index == len(self.tasks) - 1

    def _seconds_since(self, start_frame: int) -> float:
        return (len(self.frames) - start_frame) / self.model.rate


def validate_task(task: InteractionTask, objects: Sequence[InteractionObject]) -> None:
    """Raises :class:`FootfallError` where an errand cannot be done."""
    needed = task.action in ("sit", "carry", "open")
    if not needed:
        return
    if not 0 <= task.object_index < len(objects):
        raise FootfallError(f"Nothing is chosen to {task.action}: choose an object.")
    thing = objects[task.object_index]
    if task.action == "sit" and thing.seat is None:
        raise FootfallError(f"Nobody can sit on '{thing.name}': it has no level place of a seat's size and height.")
    if task.action == "carry" and thing.grips is None:
        raise FootfallError(f"'{thing.name}' is too wide to be held between two hands.")
    if task.action == "carry" and task.position is None:
        raise FootfallError(f"It is not said where '{thing.name}' is to be put: choose a place for it.")
    if task.action == "open" and thing.handle is None:
        raise FootfallError(f"'{thing.name}' has no handle: say where its handle and its hinge are.")
