"""Recordings: events, intervals of tasks, contacts of feet, and joints in the world."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.recording import replace_at
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.tests.core.control.interaction.test_sequencer import BOX, HIPS, STOOL, Model
from footfall.tests.support.task_runs import frame_of, record, task_run

CARRY = InteractionTask("carry", 1, position=np.zeros(3))


def recorded(frames: int) -> TaskRun:
    run = task_run(
        InteractionTask("walk", position=np.array([1.0, 0.0, 0.0])), STOOL, BOX, at=(2.0, 1.0), yaw=np.pi / 2
    )
    record(run, frame_of(run), frames)
    return run


def test_time_is_counted_from_a_frame_to_the_end() -> None:
    recording = recorded(90).recording
    assert len(recording) == 90
    assert recording.seconds_since(30) == 1.0 and recording.seconds_since(90) == 0.0


def test_the_first_event_of_a_kind_of_a_task_is_found() -> None:
    run = recorded(5)
    run.recording.record_event("took", 2)
    record(run, frame_of(run), 3)
    run.recording.record_event("took", 0)
    run.recording.record_event("took", 2)
    assert run.recording.event_frame("took", 2) == 5 and run.recording.event_frame("took", 0) == 8
    assert run.recording.event_frame("put", 2) is None and run.recording.event_frame("took", 1) is None


def test_tasks_without_a_frame_are_left_out_and_the_ending_belongs_to_none() -> None:
    run = recorded(4)
    recording = run.recording
    recording.record_event("began", 1)
    recording.record_event("began", 2)
    record(run, frame_of(run), 6)
    assert list(recording.task_intervals()) == [(0, 4, 0), (4, 10, 2)]
    recording.ending_frame = 7
    assert list(recording.task_intervals()) == [(0, 4, 0), (4, 7, 2)]


def test_an_object_is_carried_once_it_was_taken() -> None:
    recording = recorded(1).recording
    recording.tasks = (CARRY, InteractionTask("sit", 0))
    recording.record_event("reached", 1)
    assert not recording.is_carried(0) and not recording.is_carried(1)
    recording.record_event("took", 0)
    assert recording.is_carried(1) and not recording.is_carried(0)
    assert recording.task_object(0) is BOX and recording.task_object(1) is STOOL


def test_an_object_is_replaced_in_all_frames() -> None:
    recording = recorded(3).recording
    moved = replace(BOX, position=np.ones(3))
    recording.replace_object(1, moved)
    assert recording.objects == (STOOL, moved) and set(recording.object_states) == {(STOOL, moved)}
    assert replace_at((STOOL, BOX, STOOL), 0, moved) == (moved, BOX, STOOL)
    assert replace_at((STOOL, BOX, STOOL), 2, moved) == (STOOL, BOX, moved)


@pytest.mark.parametrize(
    ("touching", "stands"),
    [
        (("foot.L", "foot.R"), True),
        (("foot.L", "toe.R"), True),
        (("foot.L", "toe.L"), False),
        (("toe.R", "foot.R"), False),
        (("hips", "hand.L", "hand.R"), False),
    ],
)
def test_it_stands_where_heel_or_ball_of_both_feet_are_down(touching: tuple[str, ...], stands: bool) -> None:
    run = recorded(0)
    record(run, frame_of(run, touching=touching))
    record(run, frame_of(run))
    assert run.recording.stands.tolist() == [stands, False]
    assert run.recording.contacts.shape == (2, 7) and run.recording.phase.shape == (2,)
    assert run.recording.actions.shape == (2, len(Model.actions))


def test_joints_are_in_the_world() -> None:
    run = recorded(1)
    frame = frame_of(run, wrists=np.array([[-0.2, 0.5, 1.0], [0.3, 0.6, 1.1]]), lifted=0.2)
    # Facing -X, what is to the right is ahead along +Y, and what is ahead is at -X.
    np.testing.assert_allclose(
        run.recording.wrist_positions(frame), [[2.0 - 0.5, 1.0 - 0.2, 1.0], [2.0 - 0.6, 1.0 + 0.3, 1.1]], atol=1e-6
    )
    assert run.recording.hip_height(frame) == pytest.approx(HIPS + 0.2)
    ankles = run.recording.ankle_positions(frame)
    np.testing.assert_allclose(ankles, [[2.0, 0.9, 0.28], [2.0, 1.1, 0.28]], atol=1e-6)
