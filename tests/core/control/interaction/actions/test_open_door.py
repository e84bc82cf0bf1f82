"""Walking through doors: in line first, through, onward, and a hand on the handle while the leaf opens."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS, open_door
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.errors import FootfallError
from footfall.core.motion.rotations import Array
from footfall.core.scene.affordances import Handle
from footfall.tests.core.control.interaction.test_sequencer import BOX, block
from footfall.tests.support.task_runs import frame_of, put, record, task_run

HANDLE = Handle(np.array([0.4, 0.0, 1.0]), np.array([0.0, -1.0]), np.array([-0.4, 0.0, 0.0]))
DOOR = block("door", "door", (0.8, 0.04, 2.0), (0.0, 3.0, 0.0), handle=HANDLE)
"""A door that opens both ways, come to along +Y; its handle is at +X."""
OPEN = InteractionTask("open", 0)
SPEC = ACTION_SPECS["open"]


@pytest.fixture
def paths(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[float, float], bool]]:
    """Ends of the paths that are planned, and whether they pass through the door."""
    told: list[tuple[tuple[float, float], bool]] = []

    def to(run: TaskRun, goal: Array, passes_object: bool = False) -> None:
        told.append((tuple(np.round(goal, 9)), passes_object))

    monkeypatch.setattr(TaskRun, "flow_field_to", to)
    return told


Paths = list[tuple[tuple[float, float], bool]]


@pytest.mark.parametrize(
    ("aside", "ahead", "aligned"),
    [
        (0.21, 1.0, True),
        (-0.21, 1.0, True),
        (0.23, 1.0, False),
        (-0.23, 1.0, False),
        (0.0, 1.53, True),
        (0.0, 1.55, False),
        (0.0, -0.3, True),
    ],
)
def test_it_gets_in_line_before_it_goes_through(paths: Paths, aside: float, ahead: float, aligned: bool) -> None:
    run = task_run(OPEN, DOOR)
    put(run, (aside, 3.0 - ahead))
    command = SPEC.goal_command(run)
    assert paths == [((0.0, 4.5), True) if aligned else ((0.0, 1.9), True)]
    assert command.path_end_offset == (0.5 if aligned else 1.5) and command.action == "open"
    put(run, (2.0, 0.0))
    SPEC.goal_command(run)
    assert paths[1] == paths[0], "once in line, it goes on"


@pytest.mark.parametrize(("beyond", "onward"), [(0.34, False), (0.36, True)])
def test_one_that_is_through_walks_on_beyond_the_opened_leaf(paths: Paths, beyond: float, onward: bool) -> None:
    run = task_run(OPEN, DOOR)
    put(run, (0.0, 3.0 + beyond))
    run.is_aligned = True
    command = SPEC.goal_command(run)
    assert command.action == ("walk" if onward else "open")
    if onward:
        np.testing.assert_allclose(command.position, [0.0, 3.0 + 0.8 + 1.0, 0.0], atol=1e-9)
        np.testing.assert_allclose(command.direction, [0.0, 1.0], atol=1e-9)
        assert paths[-1] == ((0.0, 4.8), True)


@pytest.mark.parametrize(("beyond", "passed"), [(1.14, False), (1.16, True)])
def test_a_door_is_passed_beyond_its_leaf_opened_at_a_right_angle(beyond: float, passed: bool) -> None:
    run = task_run(OPEN, DOOR)
    frame = frame_of(run, at=(0.0, 3.0 + beyond))
    assert SPEC.update(run, frame) == passed
    assert SPEC.push_object(run, frame) != passed
    other = task_run(OPEN, DOOR, at=(0.0, 6.0))
    assert SPEC.update(other, frame_of(other, at=(0.0, 3.0 - beyond))) == passed


@pytest.mark.parametrize(
    ("beyond", "opened", "passed"), [(0.34, True, False), (0.36, True, True), (0.36, False, False)]
)
def test_a_pulled_door_is_passed_a_step_beyond_it(beyond: float, opened: bool, passed: bool) -> None:
    pulled = replace(DOOR, handle=replace(HANDLE, opens_toward=np.array([0.0, -1.0])))
    run = task_run(OPEN, pulled)
    if opened:
        run.record("opened")
    assert SPEC.update(run, frame_of(run, at=(0.0, 3.0 + beyond))) == passed


@pytest.mark.parametrize(("moved", "angle", "after"), [(1.0, 0.0, 140.0), (-1.0, 0.0, -140.0), (0.03, 0.0, None)])
def test_a_leaf_turns_no_faster_than_it_may(
    monkeypatch: pytest.MonkeyPatch, moved: float, angle: float, after: float | None
) -> None:
    monkeypatch.setattr(open_door, "push_door", lambda *told: moved)
    run = task_run(OPEN, DOOR)
    run.scene.door_angles[0] = angle
    assert SPEC.push_object(run, frame_of(run))
    expected = moved if after is None else np.radians(after) / 60
    assert run.scene.door_angles[0] == pytest.approx(angle + expected)


def test_a_pulled_leaf_is_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_door, "pulled_angle", lambda *told: 1.0)
    run = task_run(OPEN, replace(DOOR, handle=replace(HANDLE, opens_toward=np.array([0.0, -1.0]))))
    assert SPEC.push_object(run, frame_of(run))
    assert run.scene.door_angles[0] == pytest.approx(np.radians(70.0) / 60)


@pytest.mark.parametrize(("degrees", "opened"), [(69.0, False), (71.0, True), (-71.0, True)])
def test_it_is_open_from_seventy_degrees_once(monkeypatch: pytest.MonkeyPatch, degrees: float, opened: bool) -> None:
    monkeypatch.setattr(open_door, "push_door", lambda *told: np.radians(degrees))
    run = task_run(OPEN, DOOR)
    run.scene.door_angles[0] = np.radians(degrees)
    for _ in range(2):
        SPEC.push_object(run, frame_of(run))
    assert [event.kind for event in run.recording.events] == ["began", *(["opened"] if opened else [])]


def test_a_door_needs_a_handle() -> None:
    with pytest.raises(FootfallError, match="'box' has no handle: set its handle and its hinge"):
        SPEC.validate(OPEN, [BOX])


@pytest.mark.parametrize(
    ("along", "beside", "weight"),
    [
        (0.0, 0.0, 1.0),
        (0.7, 0.2, 1.0),
        (-0.7, -0.2, 1.0),
        (1.1, 0.0, 0.5),
        (-1.5, 0.0, 0.0),
        (0.0, 0.45, 1.0),
        (0.0, -0.675, 0.5),
        (0.0, 0.9, 0.0),
        (1.1, 0.675, 0.25),
    ],
)
def test_a_body_goes_through_ten_centimeters_to_the_side_of_the_handle(
    along: float, beside: float, weight: float
) -> None:
    run = task_run(OPEN, DOOR)
    record(run, frame_of(run))
    track = np.array([[0.1 + beside, 3.0 + along]])
    assert SPEC.misplacement(run.recording, (0, 1, 0), track) is None, "it was not opened"
    run.record("opened")
    found = SPEC.misplacement(run.recording, (0, 1, 0), track)
    assert found is not None
    np.testing.assert_allclose(found[0], [[beside, 0.0]], atol=1e-9)
    np.testing.assert_allclose(found[1], [weight], atol=1e-9)


def opened(degrees: list[float]) -> TaskRun:
    """A character that stands before a leaf that opens by some angles."""
    run = task_run(OPEN, DOOR)
    put(run, (0.2, 2.6))
    for angle in degrees:
        run.scene.replace_object(0, DOOR.swing_open(np.radians(angle)))
        record(run, frame_of(run))
    return run


def test_the_hand_is_on_the_handle_from_when_it_is_ajar_to_half_a_degree_before_its_widest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(open_door, "_while_in_reach", lambda recording, hold, index: hold)
    run = opened([0.0, 0.4, 0.6, 5.0, 20.0, 30.0, 39.4, 39.6, 40.0, 40.0, 39.0, 20.0])
    (hold,) = SPEC.hand_holds(run.recording, (0, 12, 0))
    assert (hold.start, hold.stop) == (2, 7)
    seen = DOOR.facing_side(run.approach_side).handle
    assert seen is not None and hold.hand == seen.pushing_hand
    (later,) = SPEC.hand_holds(run.recording, (2, 12, 0))
    assert (later.start, later.stop) == (2, 7)


def test_no_hand_is_on_a_door_that_stays_shut() -> None:
    assert list(SPEC.hand_holds(opened([0.0, 0.3, 0.2]).recording, (0, 3, 0))) == []
