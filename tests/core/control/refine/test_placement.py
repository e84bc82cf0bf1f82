"""Bodies that go through doors beside their middle, lie beside their place, or reach for boxes from beside them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from footfall.core.control.interaction.actions.open_door import TUNING as OPEN_DOOR_TUNING
from footfall.core.control.interaction.placing import TUNING as PLACING_TUNING
from footfall.core.control.interaction.placing import stepping_time_from
from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import decode_interaction, refine_interaction
from footfall.core.control.refine.placement import place_body
from footfall.core.motion.root_frame import root_track
from footfall.core.motion.rotations import Array
from footfall.core.scene.interaction_object import Handle
from footfall.tests.core.control.interaction import test_sequencer
from footfall.tests.core.control.interaction.test_sequencer import BOX, STOOL, Model, block, play

PLACE, AHEAD = np.array([0.0, 2.0, 0.0]), np.array([0.0, 1.0])


def tracks(done: InteractionSequencer, scale: float = 1.0) -> tuple[Array, Array]:
    """Return the roots of a puppet as it went, and as it is placed."""
    clip = decode_interaction(done.recording)
    return root_track(clip).positions, root_track(place_body(done.recording, clip, scale)).positions


def through_door(aside: float, handle_side: float = 1.0) -> InteractionSequencer:
    """Return a puppet that goes through a door on a line beside the middle of it."""
    handle = Handle(np.array([0.35 * handle_side, 0, 1.0]), np.array([0.0, -1.0]), np.array([-0.4 * handle_side, 0, 0]))
    door = block("door", "door", (0.8, 0.04, 2.0), (0.0, 1.2, 0.0), handle=handle)
    model: Any = Model()
    errands = [InteractionTask("open", 0), InteractionTask("idle", duration=4.0)]
    done = InteractionSequencer(model, [door], errands, np.array([aside, -1.0]))
    while done.advance(1):
        if done.task_index == 0 and done.runtime.position[0, 1] > 0.6:
            done.runtime.position[0, 1] += 0.015  # the puppet would stop before its goal, which is the door
        done.runtime.position[0, 0] = aside
    return done


@pytest.mark.parametrize(("aside", "handle_side"), [(-0.25, 1.0), (0.0, -1.0), (0.3, 1.0)])
def test_a_body_goes_through_a_door_on_the_side_of_its_handle(aside: float, handle_side: float) -> None:
    done = through_door(aside, handle_side)
    before, after = tracks(done)
    crossing = np.abs(after[:, 1] - 1.2) < 0.15
    assert crossing.any()
    np.testing.assert_allclose(after[crossing, 0], handle_side * OPEN_DOOR_TUNING.handle_side, atol=0.01)
    far = before[:, 1] < -0.6
    np.testing.assert_allclose(after[far], before[far], atol=0.02)
    assert np.abs(np.diff(after - before, axis=0)).max() < 0.02, "it is led there over some steps"


@pytest.mark.parametrize("stops", [0.2, 0.35])
def test_a_body_lies_at_its_place(monkeypatch: pytest.MonkeyPatch, stops: float) -> None:
    monkeypatch.setitem(test_sequencer.STOPS, "lie", stops)
    done = play([], InteractionTask("lie", position=PLACE, direction=AHEAD, duration=2.0))
    before, after = tracks(done)
    reached = next(event.frame for event in done.events if event.kind == "reached")
    assert np.linalg.norm(before[reached] - PLACE[:2]) > 0.1
    np.testing.assert_allclose(after[reached + 60], PLACE[:2], atol=0.02)
    refined = refine_interaction(done.recording)
    np.testing.assert_allclose(root_track(refined.clip).positions[reached + 60], PLACE[:2], atol=0.03)
    far = float(np.linalg.norm(before[reached] - PLACE[:2]))
    assert refined.max_corrections["hips"] == pytest.approx(far, abs=0.02)


def test_a_body_sits_over_the_middle_of_its_seat() -> None:
    done = play([STOOL], InteractionTask("sit", 0, duration=2.0))
    before, after = tracks(done)
    reached = next(event.frame for event in done.events if event.kind == "reached")
    seat = STOOL.seat
    assert seat is not None
    middle = (STOOL.position + seat.position)[:2]
    assert np.linalg.norm(before[reached] - middle) > 0.05
    np.testing.assert_allclose(after[reached + 30], middle, atol=0.01)
    assert np.linalg.norm(np.diff(after - before, axis=0), axis=1).max() < 0.01, "it is led there over some steps"


def test_a_body_stands_where_its_hands_take_a_box_and_put_it_down() -> None:
    model: Any = Model()
    tasks = [InteractionTask("carry", 0, position=np.array([3.0, 0.5, 0.75])), InteractionTask("idle")]
    done = InteractionSequencer(model, [BOX], tasks, np.zeros(2))
    while done.advance(60):
        pass
    recording, (before, after) = done.recording, tracks(done)
    refined = refine_interaction(recording)
    for kind, resting in (("took", -1), ("put", 40)):
        frame = next(event.frame for event in done.events if event.kind == kind)
        box = recording.object_states[frame + resting][0]
        grip = box.posed_collider.to_world(box.grip_centre[None])[0, :2]
        beside = grip - recording.wrist_positions(recording.frames[frame]).mean(axis=0)[:2]
        assert np.linalg.norm(beside) > 0.05
        np.testing.assert_allclose(after[frame] - before[frame], beside, atol=0.1 * np.linalg.norm(beside))
        refined_box = refined.objects[frame + resting][0]
        np.testing.assert_allclose(refined_box.position, box.position, atol=0.01)
    assert np.linalg.norm(np.diff(after - before, axis=0), axis=1).max() < 0.01, "it is led there over some steps"


def test_it_comes_there_in_steps_and_does_not_glide() -> None:
    stands = np.ones(600, dtype=bool)
    stands[100:220] = stands[420:560] = False
    away = stepping_time_from(stands, 300, 60.0)
    np.testing.assert_allclose(away[220:300], 0.0)
    assert away[100] == pytest.approx(2.0, abs=0.02), "two seconds of steps before it stood"
    assert away[419] == 0.0 and away[559] == pytest.approx(140 / 60, abs=0.02)
    never = stepping_time_from(np.ones(600, dtype=bool), 300, 60.0)
    assert never[0] == pytest.approx(PLACING_TUNING.placed + PLACING_TUNING.placing, abs=0.02), (
        "without steps it has to glide"
    )
    assert never[-1] == pytest.approx(PLACING_TUNING.placed + PLACING_TUNING.placing, abs=0.02)


def test_a_larger_body_is_placed_in_the_scenes_own_meters() -> None:
    done = through_door(0.3)
    clip = decode_interaction(done.recording)
    once = place_body(done.recording, clip, 1.0).root_positions - clip.root_positions
    larger = replace(clip, root_positions=2.0 * clip.root_positions)
    twice = place_body(done.recording, larger, 2.0).root_positions - larger.root_positions
    assert np.abs(once).max() > 0.1
    np.testing.assert_allclose(twice[:, :2], 2.0 * once[:, :2], atol=0.02)
