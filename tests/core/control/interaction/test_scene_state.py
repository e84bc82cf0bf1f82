"""Scenes as they are now: what is held, doors that fall shut, and paths that are planned anew where something moved."""

from dataclasses import replace

import numpy as np

from footfall.core.control.interaction.scene_state import SceneState
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.scene.affordances import Handle
from footfall.tests.core.control.interaction.test_sequencer import BOX, STOOL, block
from footfall.tests.support.task_runs import frame_of, record, task_run

HANDLE = Handle(np.array([0.4, 0.0, 1.0]), np.array([0.0, -1.0]), np.array([-0.4, 0.0, 0.0]))
DOOR = block("door", "door", (0.8, 0.04, 2.0), (5.0, 3.0, 0.0), handle=HANDLE)
HANDS = np.array([[-0.25, 1.5, 0.8], [0.25, 1.5, 0.8]])


def scene() -> SceneState:
    return task_run(InteractionTask("idle"), STOOL, BOX, DOOR).scene


def test_a_held_object_goes_with_the_hands_then_to_its_place() -> None:
    run = task_run(InteractionTask("idle"), STOOL, BOX)
    state = run.scene
    state.move_held_object(HANDS)
    assert state.current_objects[1] is BOX
    state.attach(1, HANDS)
    record(run, frame_of(run), 60)
    state.move_held_object(HANDS + np.array([0.0, 0.0, 0.2]))
    held = state.current_objects[1]
    np.testing.assert_allclose(held.posed_collider.to_world(held.grip_centre[None])[0], [0.0, 1.5, 1.0], atol=1e-9)
    placed = replace(BOX, position=np.array([3.0, 3.0, 0.0]))
    state.begin_release(1, placed)
    assert state.release is not None and state.release.start_frame == 59
    record(run, frame_of(run), 14)
    state.move_held_object(HANDS)
    np.testing.assert_allclose(state.current_objects[1].position, (held.position + placed.position) / 2)


def test_an_object_is_left_where_the_character_is_clear_of_it() -> None:
    state = scene()
    state.begin_leaving(-1)
    assert state.used_indices == set()
    state.begin_leaving(0)
    state.begin_leaving(1)
    state.leave_objects(STOOL.position[:2])
    assert 0 in state.used_indices
    state.leave_objects(np.array([0.0, -5.0]))
    assert state.used_indices == set()
