"""Tasks of a scripted network that goes straight to its goal and does there what is commanded."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from footfall.core.control.interaction.door import TUNING as DOOR_TUNING
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TUNING as TASK_RUN_TUNING
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import (
    ACTIONS,
    CONTACT_JOINTS,
    GOAL_ACTIONS,
    SAMPLE_OFFSETS_FRAMES,
    input_layout,
    output_layout,
)
from footfall.core.motion.root_frame import facing_direction, yaw_of
from footfall.core.motion.rotations import rotation_about_up
from footfall.core.scene.affordances import Handle
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.core.control.conftest import HIPS
from footfall.tests.support.walker import person

SKELETON = person()
JOINTS = SKELETON.names
IN, OUT = input_layout(JOINTS), output_layout(JOINTS)
NOW, AHEAD = SAMPLE_OFFSETS_FRAMES.index(0), SAMPLE_OFFSETS_FRAMES.index(10)
SPEED, NEAR, REACHED = 1.2, 0.45, 0.3
STOPS = {"push": 0.9, "lie": 1.2, "lean": 0.55}
"""Distances, meters, from other goals at which it stops: before a face or an edge, a body's length before a place."""
STILL = np.array([1.0, 0.0, 0.0, 0.0])


def rest_pose() -> np.ndarray:
    """Return joints (J, 3) of a body that stands with its arms out, in the root's frame, meters."""
    places = np.zeros((len(JOINTS), 3))
    for joint, parent in enumerate(SKELETON.parents[1:], start=1):
        places[joint] = places[parent] + SKELETON.offsets[joint]
    # At rest the person looks along -Y; the root's frame has forwards along +Y.
    return places * [-1.0, -1.0, 1.0] + [0.0, 0.0, HIPS]


REST = rest_pose()


class Puppet:
    """A network that walks to the goal, stops near it and acts; its hands are before its chest."""

    def begin(self, count: int) -> tuple[()]:
        return ()

    def step(self, x: np.ndarray, phase: ArrayLike, memory: tuple[()]) -> tuple[np.ndarray, tuple[()]]:
        y = np.zeros((len(x), OUT.size), dtype=np.float32)
        goal = IN.view(x, "goal.position")[:, AHEAD, :2]
        wanted = IN.view(x, "goal.action")[:, AHEAD]
        away = np.linalg.norm(goal, axis=-1, keepdims=True)
        stops = np.array([STOPS.get(action, NEAR) for action in GOAL_ACTIONS])
        near = away < stops[wanted.argmax(axis=1), None]
        OUT.view(y, "root.velocity")[:] = np.where(near, 0.0, SPEED * goal / np.maximum(away, 1e-6))
        OUT.view(y, "root.angular_velocity")[:, 0] = np.where(near[:, 0], 0.0, np.clip(3.0 * yaw_of(goal), -2.0, 2.0))
        actions = OUT.view(y, "trajectory.action")
        doing = np.eye(len(ACTIONS))[[ACTIONS.index(GOAL_ACTIONS[number]) for number in wanted.argmax(axis=1)]]
        walking = np.eye(len(ACTIONS))[np.full(len(x), ACTIONS.index("walk"))]
        actions[:] = np.where(near, doing, walking)[:, None]
        handled = [GOAL_ACTIONS.index(action) for action in ("carry", "open", "push", "lean")]
        hands = near & np.isin(wanted.argmax(axis=1), handled)[:, None]
        OUT.view(y, "contact")[:, [CONTACT_JOINTS.index("hand.L"), CONTACT_JOINTS.index("hand.R")]] = (
            hands | self.holds(x)
        )
        pose = OUT.view(y, "pose.position")
        pose[:] = REST
        for side, sign in (("L", -1), ("R", 1)):
            pose[:, JOINTS.index(SKELETON.names[SKELETON.joint(f"hand.{side}")])] = (0.25 * sign, REACHED, 0.9)
        OUT.view(y, "contact")[:, 3:] = near
        OUT.view(y, "contact")[:, [CONTACT_JOINTS.index("hips")]] = near
        OUT.view(y, "trajectory.direction")[..., 1] = OUT.view(y, "goal_trajectory.direction")[..., 1] = 1.0
        return y, memory

    def holds(self, x: np.ndarray) -> np.ndarray:
        """Return whether hands go on holding: a carried object is no longer where the sensor sees it."""
        return (IN.view(x, "trajectory.action")[:, NOW, ACTIONS.index("carry")] > 0.5)[:, None] | (
            IN.view(x, "goal.action")[:, AHEAD, GOAL_ACTIONS.index("carry")] > 0.5
        )[:, None]


class Model:
    """The part of a controller that the sequencer needs."""

    rate, input_layout, output_layout, skeleton, joints = 60.0, IN, OUT, SKELETON, JOINTS
    x_mean = y_mean = 0.0
    x_std = y_std = 1.0
    is_interaction_controller = turns_left = True
    actions, goal_actions, taught_goals = ACTIONS, GOAL_ACTIONS, GOAL_ACTIONS
    reference_rotations = np.tile(rotation_about_up(np.array(np.pi)), (len(JOINTS), 1))
    start = {
        "position": REST,
        "rotation": np.tile(rotation_about_up(np.array(np.pi)), (len(JOINTS), 1)),
        "velocity": np.zeros((len(JOINTS), 3)),
        "phase": np.float32(0.0),
    }

    def network(self) -> Puppet:
        return Puppet()


def block(
    name: str, kind: str, size: tuple[float, float, float], at: tuple[float, float, float], **more: Any
) -> InteractionObject:
    x, y, z = size
    collider = Collider(np.array([[-x / 2, -y / 2, 0.0]]), np.array([[x / 2, y / 2, z]]))
    return InteractionObject(name, kind, collider, np.array(at), STILL, **more)


STOOL = block("stool", "seat", (0.4, 0.4, 0.45), (0.0, 3.0, 0.0))
BOX = block("box", "box", (0.5, 0.3, 0.3), (0.0, 2.0, 0.7))


def play(things: list[InteractionObject], *errands: InteractionTask, frames: int = 1200) -> InteractionSequencer:
    model: Any = Model()
    result = InteractionSequencer(model, things, errands, np.zeros(2))
    while result.advance(60) and len(result.frames) < frames:
        pass
    return result


def happened(done: InteractionSequencer) -> list[tuple[str, int]]:
    return [(event.kind, event.task_index) for event in done.events]


def test_a_task_of_sitting_for_a_second_takes_a_second_and_ends() -> None:
    there = np.array([2.0, 0.0, 0.0])
    done = play([STOOL], InteractionTask("sit", 0, duration=1.0), InteractionTask("walk", position=there))
    assert done.done and happened(done) == [("began", 0), ("reached", 0), ("began", 1), ("reached", 1)]
    reached, left = done.events[1].frame, done.events[2].frame
    assert left - reached == 60
    assert np.linalg.norm(done.frames[reached].position[0] - STOOL.position[:2]) < NEAR
    assert np.linalg.norm(done.frames[-1].position[0] - there[:2]) < NEAR


def test_a_box_moves_with_the_hands_and_stays_where_it_is_put() -> None:
    desk = np.array([3.0, 0.5, 0.75])
    front = facing_direction(np.array(np.pi / 2))
    done = play([BOX, STOOL], InteractionTask("carry", 0, position=desk, direction=front))
    assert [kind for kind, _ in happened(done)] == ["began", "took", "put"]
    taken, put = done.events[1].frame, done.events[2].frame
    heights = np.array([things[0].position for things in done.recording.object_states])
    assert np.ptp(heights[:taken], axis=0).max() == 0.0, "it lies still until it is taken"
    assert np.linalg.norm(np.diff(heights, axis=0), axis=1)[: put - 2].max() < 0.05, "and does not jump"
    for frame in range(taken + 30, put - 1):
        hands = done.recording.wrist_positions(done.frames[frame]).mean(axis=0)
        box = done.recording.object_states[frame][0]
        np.testing.assert_allclose(box.posed_collider.to_world(box.grip_centre[None])[0], hands, atol=1e-6)
    np.testing.assert_allclose(done.current_objects[0].position, desk)
    np.testing.assert_allclose(done.current_objects[0].front_direction, front, atol=1e-9)


def test_a_door_opens_during_the_passage_and_falls_shut() -> None:
    handle = Handle(np.array([0.35, 0.0, 1.0]), np.array([0.0, -1.0]), np.array([-0.4, 0.0, 0.0]))
    door = block("door", "door", (0.8, 0.04, 2.0), (0.0, 1.2, 0.0), handle=handle)
    model: Any = Model()
    done = InteractionSequencer(
        model, [door], [InteractionTask("open", 0), InteractionTask("idle", duration=4.0)], np.zeros(2)
    )
    while done.advance(1):
        if done.task_index == 0 and 0.6 < done.runtime.position[0, 1] < 1.2 + DOOR_TUNING.passed_distance:
            done.runtime.position[0, 1] += 0.015  # the puppet would stop before its goal, which is the door
    angles = np.unwrap([float(yaw_of(things[0].front_direction)) for things in done.recording.object_states])
    assert angles[0] == 0.0 and np.radians(70) < angles.max() < np.radians(91), "it swings away from who comes"
    assert np.abs(np.diff(angles)).max() < 0.3
    assert ("opened", 0) in happened(done) and abs(angles[-1]) < 0.1
    for acted, things in zip(done.frames, done.recording.object_states, strict=True):
        offset = acted.position[0] - door.position[:2]
        if 0 < offset[1] < 0.6:  # beyond, the opened leaf ends beside the body
            leaf = things[0].posed_collider.to_world(handle.position[None])[0]
            assert leaf[1] > acted.position[0, 1] + 0.1, "the leaf is ahead of the body"


@pytest.mark.parametrize(
    ("errand", "words"),
    [
        (InteractionTask("sit"), "There is no object to sit"),
        (InteractionTask("sit", 1), "'box' has no seat"),
        (InteractionTask("carry", 1), "'box' has no target"),
        (InteractionTask("open", 1), "'box' has no handle"),
        (InteractionTask("carry", 2, position=np.zeros(3)), "'wardrobe' is too wide"),
        (InteractionTask("carry", 1, position=np.zeros(3)), "m above the floor, too high for two bent arms"),
    ],
)
def test_a_task_that_cannot_be_done_is_refused_at_the_start(errand: InteractionTask, words: str) -> None:
    high = block("box", "box", (0.3, 0.3, 0.15), (0.0, 2.0, 1.4))
    wardrobe = block("wardrobe", "obstacle", (2.0, 1.5, 2.0), (0.0, 5.0, 0.0))
    with pytest.raises(FootfallError, match=words):
        play([STOOL, high, wardrobe], errand)


def test_a_seat_that_was_sat_on_becomes_solid_where_the_character_has_left_it() -> None:
    seat = block("seat", "seat", (0.5, 0.5, 0.45), (0.0, 1.5, 0.0))
    away = InteractionTask("walk", position=np.array([0.0, -1.5, 0.0]))
    done = play([seat], InteractionTask("sit", 0, duration=0.3), away, frames=900)
    assert done.done and not done.scene.used_indices
    roots = np.stack([frame.position[0] for frame in done.frames])
    assert np.linalg.norm(np.diff(roots, axis=0), axis=1).max() < 0.045


def test_a_recording_does_not_end_bent_over_what_was_put_down() -> None:
    desk = np.array([3.0, 0.5, 0.75])
    done = play([BOX, STOOL], InteractionTask("carry", 0, position=desk))
    ending = done.recording.ending_frame
    assert ending is not None and 1.0 <= (len(done.frames) - ending) / 60 <= 3.5
    assert [stop for _, stop, _ in done.recording.task_intervals()] == [ending], "the hands let go"
    moved = [things[0].position for things in done.recording.object_states[ending:]]
    assert np.ptp(moved, axis=0).max() == 0.0
    assert np.linalg.norm(done.frames[-1].position[0] - done.frames[-2].position[0]) * 60 < 0.12


WALK = InteractionTask("walk", position=np.array([2.0, 0.0, 0.0]))


def begun(*errands: InteractionTask, things: tuple[InteractionObject, ...] = (BOX, STOOL)) -> InteractionSequencer:
    model: Any = Model()
    return InteractionSequencer(model, things, errands, np.zeros(2), 0.3, seed=5)


def test_a_controller_of_walks_is_refused() -> None:
    class Walking(Model):
        is_interaction_controller = False

    model: Any = Walking()
    with pytest.raises(FootfallError, match="This controller can only walk along paths: choose an interaction"):
        InteractionSequencer(model, [], [WALK], np.zeros(2))


def test_another_task_takes_the_place_of_those_that_were_to_follow() -> None:
    second, other = InteractionTask("sit", 1), InteractionTask("walk", position=np.array([0.0, -1.0, 0.0]))
    own = begun(WALK, second, second)
    own.advance(5)
    own.do_next(other)
    assert own.tasks == (WALK, other) and own.task_index == 1 and own.run.task is other
    assert happened(own) == [("began", 0), ("began", 1)] and own.events[1].frame == 5
    own.do_next(second)
    assert own.tasks == (WALK, other, second) and own.task_index == 2
    with pytest.raises(FootfallError, match="There is no object to sit"):
        own.do_next(InteractionTask("sit", 7))
    assert len(own.tasks) == 3


def test_what_is_carried_is_put_down_before_the_feet() -> None:
    second = InteractionTask("sit", 1)
    carry = InteractionTask("carry", 0, position=np.array([8.0, 0.0, 0.7]), stand_direction=np.array([0.0, 1.0]))
    own = begun(carry, second)
    own.put_down_here()
    assert own.tasks[0] is carry, "it holds nothing yet"
    own.scene.attach(0, np.array([[-0.25, 0.4, 0.85], [0.25, 0.4, 0.85]]))
    own.run.tellings = 2
    own.put_down_here()
    here, after = own.tasks
    assert after is second and here.stand_direction is None and own.run.tellings == 0
    assert here.position is not None and here.position[2] == 0.0
    assert 0.4 < np.linalg.norm(here.position[:2]) < 0.8
    assert here.direction is not None
    np.testing.assert_allclose(here.direction, BOX.front_direction)


def test_one_that_gives_up_comes_to_a_stand() -> None:
    far = block("far", "seat", (0.4, 0.4, 0.45), (0.0, 60.0, 0.0))
    own = begun(InteractionTask("sit", 0), WALK, things=(far,))
    own.run.start_frame = -round(60 * TASK_RUN_TUNING.timeout) - 1
    own.advance(1)
    assert happened(own)[-2:] == [("gave up", 0), ("began", 1)] and own.task_index == 1
    alone = begun(InteractionTask("sit", 0), things=(far,))
    alone.run.start_frame = -round(60 * TASK_RUN_TUNING.timeout) - 1
    alone.advance(1)
    assert not alone.done and alone.recording.ending_frame == 1, "it is still on its way"
    assert alone.goal_command().action == "idle"
    while alone.advance(60):
        pass
    assert 1.3 <= (len(alone.frames) - 1) / 60 <= 3.5
