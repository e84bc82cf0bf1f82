"""The shipped interaction controller takes the body of a driven character, and gives it back."""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.drive import live_task
from footfall.core.control.drive.driver import DrivenFrame, Driver
from footfall.core.control.drive.live_task import LiveTask, rest_ahead
from footfall.core.control.drive.wish import DriveWish
from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import ACTIONS
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import Array, from_axis_angle, length, rotate, rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.tests.support.walker import person
from footfall.training.interactions.props.doors import Door
from footfall.training.interactions.props.seats import Chair
from footfall.training.interactions.props.tables import Box

CONTROLLERS = Path(__file__).parents[4] / "presets" / "controllers"
AHEAD, ASIDE, NOWHERE = np.array([0.0, 1.3]), np.array([-1.3, 0.0]), np.zeros(2)
MOST_CM = 3.0, 4.0
"""Moves of hips and head in a frame at 60 Hz; a walk at 1.3 m/s moves its hips by up to 2.6 cm."""
LONGEST_S = 40.0
RESTS = InteractionTask("sit", 0, duration=np.inf)


@pytest.fixture(scope="module")
def acts() -> ControllerModel:
    return load_model(CONTROLLERS / "interactions" / "everyday.safetensors")


def placed(kind: str, at: tuple[float, float], turn: float = 0.0) -> InteractionObject:
    """A chair, a box, a crate or a door's leaf."""
    door = Door(width=0.92)
    meshes = {"seat": Chair(seat_height=0.45).mesh(), "box": Box(0.4, 0.3, 0.3).mesh(), "door": door.leaf_mesh()}
    mesh = Box(0.6, 0.6, 0.8).mesh() if kind == "crate" else meshes[kind]
    handle = door.affordance() if kind == "door" else None
    where, turned = np.append(at, 0.0), rotation_about_up(np.array(turn))
    return InteractionObject(
        kind, "box" if kind == "crate" else kind, Collider.from_mesh(*mesh), where, turned, handle=handle
    )


@dataclass
class Play:
    """A drive: it walks, is told a task, and walks again."""

    driver: Driver
    frames: list[DrivenFrame]

    @staticmethod
    def begin(name: str, velocity: Array = AHEAD, seconds: float = 1.5) -> "Play":
        play = Play(Driver(load_model(CONTROLLERS / f"{name}.safetensors"), np.zeros(3), 0.0), [])
        play.walk(velocity, seconds)
        return play

    def walk(self, velocity: Array, seconds: float) -> None:
        self.frames += [self.driver.step(DriveWish(velocity)) for _ in range(round(60 * seconds))]

    def act(self, live: LiveTask, seconds: float, way: Array = NOWHERE) -> None:
        """Act for a time, or until it walks again."""
        for _ in range(round(60 * seconds)):
            if live.is_over:
                return
            self.frames.append(live.step(way))

    def moves_cm(self) -> tuple[float, float]:
        """The largest moves of hips and head in a frame."""
        positions = np.concatenate([frame.pose.positions for frame in self.frames])
        moves = 100 * length(np.diff(positions, axis=0)).max(axis=0)
        joint = self.frames[0].pose.skeleton.joint
        return float(moves[joint("hips")]), float(moves[joint("head")])


@pytest.mark.parametrize("name", ["locomotion", "locomotion_small", "phase_system"])
def test_a_walking_character_sits_until_it_is_sent_off_and_never_jumps(acts: ControllerModel, name: str) -> None:
    play = Play.begin(name)
    live = LiveTask(play.driver, acts, [placed("seat", (1.0, 4.0), 2.0)], RESTS)
    play.act(live, 16.0)
    assert live.is_done and not live.is_over, "it stays"
    assert play.frames[-1].pose.root_positions[0, 2] < 0.65
    live.end()
    play.act(live, LONGEST_S, ASIDE)
    assert live.is_over and live.task.duration > 2.0
    live.hand_back()
    play.walk(ASIDE, 2.0)
    went = play.frames[-1].moment.root - play.frames[-90].moment.root
    assert went[0] < -1.2, "it walks where it is steered"
    assert all(move < most for move, most in zip(play.moves_cm(), MOST_CM, strict=True)), play.moves_cm()


def test_a_box_is_put_at_its_place_and_the_body_is_given_back_straight(acts: ControllerModel) -> None:
    play = Play.begin("locomotion_small")
    task = InteractionTask("carry", 0, np.array([-1.5, 3.0, 0.0]), stand_direction=np.array([1.0, 0.0]))
    live = LiveTask(play.driver, acts, [placed("box", (1.0, 4.0), 0.5)], task)
    play.act(live, LONGEST_S)
    assert live.is_over and live.is_done and not live.has_failed
    assert live.task.position is not None
    np.testing.assert_allclose(live.task.position, [-1.5, 3.0, 0.0], atol=1e-6)
    live.hand_back()
    play.walk(ASIDE, 2.0)
    assert all(move < most for move, most in zip(play.moves_cm(), MOST_CM, strict=True)), play.moves_cm()


def test_what_is_carried_is_put_down_on_the_floor_when_the_task_is_ended(acts: ControllerModel) -> None:
    play = Play.begin("locomotion_small", NOWHERE, 0.5)
    task = InteractionTask("carry", 0, np.array([0.0, 9.0, 0.0]), stand_direction=np.array([0.0, -1.0]))
    live = LiveTask(play.driver, acts, [placed("box", (0.0, 2.0))], task)
    while not live.holds:
        play.act(live, 0.5)
    play.act(live, 1.0)
    live.end()
    play.act(live, LONGEST_S)
    assert live.is_over and live.is_done
    assert live.task.position is not None
    assert live.task.position[2] == pytest.approx(0.0, abs=1e-6) and live.task.position[1] < 7.0


def test_it_goes_through_a_door_and_on(acts: ControllerModel) -> None:
    play = Play.begin("locomotion", AHEAD, 1.0)
    live = LiveTask(play.driver, acts, [placed("door", (0.0, 4.0), np.pi)], InteractionTask("open", 0))
    play.act(live, LONGEST_S)
    assert live.is_over and live.is_done
    live.hand_back()
    play.walk(AHEAD, 1.0)
    assert play.frames[-1].moment.root[1] > 5.0
    assert all(move < most for move, most in zip(play.moves_cm(), MOST_CM, strict=True)), play.moves_cm()


def test_a_crate_is_pushed_to_its_place_and_the_body_goes_on(acts: ControllerModel) -> None:
    play = Play.begin("locomotion_small")
    live = LiveTask(
        play.driver, acts, [placed("crate", (0.5, 4.0))], InteractionTask("push", 0, np.array([0.5, 5.5, 0.0]))
    )
    play.act(live, LONGEST_S)
    assert live.is_over and live.is_done and live.task.position is not None
    np.testing.assert_allclose(live.task.position, live.sequencer.current_objects[0].position)
    np.testing.assert_allclose(live.task.direction, [0.0, 1.0], atol=1e-6)
    assert length(live.task.position - [0.5, 5.5, 0.0]) < 0.3
    live.hand_back()
    play.walk(ASIDE, 2.0)
    assert all(move < most for move, most in zip(play.moves_cm(), MOST_CM, strict=True)), play.moves_cm()


def test_what_is_pushed_is_let_go_of_when_the_task_is_ended(acts: ControllerModel) -> None:
    play = Play.begin("locomotion_small", NOWHERE, 0.5)
    live = LiveTask(
        play.driver, acts, [placed("crate", (0.0, 2.5))], InteractionTask("push", 0, np.array([0.0, 9.0, 0.0]))
    )
    while not live.holds:
        play.act(live, 0.5)
    play.act(live, 1.5)
    live.end()
    play.act(live, LONGEST_S)
    assert live.is_over and live.is_done and live.task.position is not None
    assert 2.6 < live.task.position[1] < 6.0


def test_a_character_lies_down_ahead_and_gets_up(acts: ControllerModel) -> None:
    play = Play.begin("locomotion_small", NOWHERE, 0.5)
    task = InteractionTask("lie", position=np.array([0.0, 1.4, 0.0]), direction=np.array([0.0, 1.0]), duration=np.inf)
    live = LiveTask(play.driver, acts, [], task)
    play.act(live, 14.0)
    assert live.is_done and not live.is_over, "it stays"
    assert play.frames[-1].pose.root_positions[0, 2] < 0.3
    live.end()
    play.act(live, LONGEST_S, AHEAD)
    assert live.is_over and 2.0 < live.task.duration < 14.0
    reached = live.sequencer.recording.event_frame("reached", 0)
    assert reached is not None and live.task.position is not None
    np.testing.assert_allclose(live.task.position[:2], live.sequencer.frames[reached].position[0])
    assert 0.0 < length(live.task.position - task.position) < 0.4, "it is recorded where it lay, not where it was told"
    live.hand_back()
    play.walk(AHEAD, 2.0)
    assert all(move < most for move, most in zip(play.moves_cm(), MOST_CM, strict=True)), play.moves_cm()


def test_a_task_that_is_ended_on_the_way_gives_the_body_back_at_once_and_is_not_done(acts: ControllerModel) -> None:
    play = Play.begin("locomotion_small")
    live = LiveTask(play.driver, acts, [placed("seat", (0.0, 7.0), np.pi)], RESTS)
    play.act(live, 1.0)
    live.end()
    before = len(play.frames)
    play.act(live, LONGEST_S, ASIDE)
    assert live.is_over and not live.is_done and len(play.frames) - before < 10


def test_two_controllers_of_different_bodies_are_refused(acts: ControllerModel) -> None:
    quadruped = load_model(CONTROLLERS / "quadruped.safetensors")
    with pytest.raises(FootfallError, match="move different bodies"):
        LiveTask(Driver(quadruped, np.zeros(3), 0.0), acts, [placed("seat", (0.0, 3.0))], RESTS)


# --- The parts of it, of a sequencer that is written down


class Sequencer:
    """The part of a sequencer that a task reads: a character at (1, 2) that faces an angle, some frames on."""

    def __init__(
        self, action: str, yaw: float = 0.0, seated: bool = False, frames: int = 0, weight: float = 0.0
    ) -> None:
        model = SimpleNamespace(skeleton=person(), joints=person().names, rate=60.0)
        actions = np.zeros((1, len(ACTIONS)))
        actions[0, ACTIONS.index(action)] = weight
        standing = np.zeros((1, len(person()), 3))
        standing[0, person().joint("hips")] = [0.0, 0.0, 1.0]
        standing[0, person().joint("head")] = [0.0, 0.1, 1.6]
        state = SimpleNamespace(seated=np.array([seated]), pose=standing)
        self.model, self.tasks, self.task_index = model, [InteractionTask(action, 0)], 0
        self.runtime = SimpleNamespace(position=np.array([[1.0, 2.0]]), yaw=np.array([yaw]), state=state)
        self.frames = [SimpleNamespace(actions=actions)] * frames
        self.scene = SimpleNamespace(held_indices=[], used_indices=[])
        self.events: list[SimpleNamespace] = []
        self.next_tasks: list[InteractionTask] = []
        self.reached: int | None = None
        self.recording = self

    def do_next(self, task: InteractionTask) -> None:
        self.next_tasks.append(task)

    def event_frame(self, kind: str, task: int) -> int | None:
        return self.reached

    def seconds_since(self, frame: int) -> float:
        return (len(self.frames) - frame) / 60.0

    def __len__(self) -> int:
        return len(self.frames)


def told(sequencer: Sequencer, left: int | None = None) -> LiveTask:
    """The task of a sequencer, which was left at a frame."""
    live = LiveTask.__new__(LiveTask)
    live.sequencer, live._left, live.is_ending = cast("Any", sequencer), left, False
    live._standing = sequencer.runtime.state.pose[0].copy()
    return live


def sent(action: str, way: Array, seated: bool = False) -> Array:
    """The direction (2) in which a character that faces north is sent, times the distance."""
    sequencer = Sequencer(action, seated=seated)
    told(sequencer)._send_off(way)
    (task,) = sequencer.next_tasks
    assert task.action == "walk" and task.position is not None and task.position[2] == 0.0
    return task.position[:2] - [1.0, 2.0]


NORTH, SOUTH, EAST = np.array([0.0, 1.2]), np.array([0.0, -1.2]), np.array([1.2, 0.0])
NORTHEAST = 1.2 * np.array([np.sqrt(1 - 0.21**2), 0.21])


def test_a_character_is_sent_off_by_a_meter_and_a_fifth_to_where_the_driver_wishes_or_ahead() -> None:
    for action in ("carry", "open", "sit"):
        for way in (NORTH, SOUTH, EAST, 0.01 * EAST, 9.0 * SOUTH):
            np.testing.assert_allclose(sent(action, way), 1.2 * way / length(way))
        np.testing.assert_allclose(sent(action, NOWHERE), NORTH)


def test_a_seated_character_gets_up_to_the_front_of_its_seat() -> None:
    """Not farther aside than an angle whose cosine is a fifth."""
    for way in (SOUTH, EAST, NOWHERE):
        np.testing.assert_allclose(sent("sit", way, seated=True), NORTH, atol=1e-9)
    np.testing.assert_allclose(sent("sit", NORTHEAST, seated=True), NORTHEAST)


def test_a_character_that_leans_leaves_backward() -> None:
    for way in (NORTH, NORTHEAST, NOWHERE):
        np.testing.assert_allclose(sent("lean", way), SOUTH, atol=1e-9)
    for way in (EAST, SOUTH):
        np.testing.assert_allclose(sent("lean", way), way)


def test_a_task_is_done_once_its_object_is_reached_or_put() -> None:
    for kind, done, failed in (("reached", True, False), ("put", True, False), ("gave up", False, True)):
        sequencer = Sequencer("sit")
        live = told(sequencer)
        assert not live.is_done and not live.has_failed
        sequencer.events = [SimpleNamespace(kind="other"), SimpleNamespace(kind=kind)]
        assert (live.is_done, live.has_failed) == (done, failed)


def test_a_door_is_done_once_it_is_left_unless_it_is_given_up() -> None:
    assert not told(Sequencer("open")).is_done
    live = told(Sequencer("open"), left=10)
    assert live.is_done
    live.is_ending = True
    assert not live.is_done
    live.is_ending = False
    live.sequencer.events.append(cast("Any", SimpleNamespace(kind="gave up")))
    assert not live.is_done


@pytest.mark.parametrize(
    ("reached", "left", "seconds"), [(None, None, 0.0), (30, None, 1.5), (30, 90, 1.0), (90, 30, 0.0), (0, 120, 2.0)]
)
def test_a_character_has_stayed_since_it_came_until_it_left(
    reached: int | None, left: int | None, seconds: float
) -> None:
    sequencer = Sequencer("sit", frames=120)
    sequencer.reached = reached
    assert told(sequencer, left).seconds_stayed == pytest.approx(seconds)


def over(left: int | None = 50, **changes: Any) -> bool:
    """Return whether a task is over that was left at a frame, of 60."""
    sequencer = Sequencer("sit", **({"frames": 60} | changes))
    return told(sequencer, left).is_over


def test_a_task_is_over_once_it_is_left_and_its_action_has_faded() -> None:
    assert over() and not over(left=None) and not over(left=60) and over(left=59)
    assert over(weight=0.19) and not over(weight=0.21)
    assert not over(seated=True)


def test_a_task_is_over_six_seconds_after_it_was_left_whatever_the_body_does() -> None:
    assert not over(left=0, frames=360, seated=True) and over(left=0, frames=361, seated=True)


def test_a_task_is_not_over_while_something_is_held_or_used() -> None:
    for name in ("held_indices", "used_indices"):
        sequencer = Sequencer("sit", frames=60)
        setattr(sequencer.scene, name, [0])
        assert not told(sequencer, 50).is_over
        if name == "held_indices":
            sequencer.frames *= 10
            assert told(sequencer, 50).holds and not told(sequencer, 50).is_over


@pytest.mark.parametrize(("height", "upright"), [(0.91, True), (0.89, False)])
def test_a_body_is_upright_from_nine_tenths_of_its_height_on(height: float, upright: bool) -> None:
    sequencer = Sequencer("sit")
    live = told(sequencer)
    sequencer.runtime.state.pose[0, :, 2] += height - 1.0
    assert live._is_upright == upright


@pytest.mark.parametrize(("degrees", "upright"), [(11.9, True), (-11.9, True), (12.1, False), (-12.1, False)])
def test_a_body_is_upright_that_leans_by_less_than_twelve_degrees(degrees: float, upright: bool) -> None:
    sequencer = Sequencer("sit")
    live = told(sequencer)
    hips, head = (person().joint(role) for role in ("hips", "head"))
    pose = sequencer.runtime.state.pose[0]
    lean = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(degrees))
    pose[head] = pose[hips] + rotate(lean, pose[head] - pose[hips])
    assert live._is_upright == upright


@pytest.mark.parametrize("action", ["lie", "sit_ground"])
def test_a_character_rests_a_step_ahead_until_it_is_ended(action: str) -> None:
    ahead = facing_direction(np.array(0.7))
    task = rest_ahead(action, np.array([1.0, 2.0]), 0.7)
    assert task.position is not None and task.position[2] == 0.0 and task.duration == np.inf
    far = task.position[:2] - [1.0, 2.0]
    assert far @ ahead == pytest.approx(0.3 + ACTION_SPECS[action].reach_m)  # type: ignore[attr-defined]
    assert length(far) == pytest.approx(far @ ahead)
    np.testing.assert_allclose(task.direction, ahead)


# --- A frame of it


class Played(Sequencer):
    """A sequencer whose character goes on by 2 cm a frame, and which may have done all of its tasks."""

    def __init__(self, action: str = "sit", done: bool = False, frames: int = 0) -> None:
        super().__init__(action, frames=frames)
        self.done, self.put_down = done, 0

    def put_down_here(self) -> None:
        self.put_down += 1

    def advance(self, frames: int) -> bool:
        for _ in range(frames):
            here = self.runtime.position.copy()
            self.frames.append(
                SimpleNamespace(position=here, yaw=np.array([0.7]), output=None, contacts=np.arange(6.0)[None])
            )
            self.runtime.position = here + np.array([[0.02, 0.0]])
        return True


class Shows:
    """A driver that keeps what it is shown and given back."""

    def __init__(self) -> None:
        self.shown: list[tuple[Any, ...]] = []
        self.given: list[tuple[Any, ...]] = []

    def show(self, *parts: Any) -> None:
        self.shown.append(parts)

    def take_back(self, *parts: Any) -> None:
        self.given.append(parts)


def played(monkeypatch: pytest.MonkeyPatch, sequencer: Played) -> tuple[LiveTask, Shows]:
    monkeypatch.setattr(live_task, "decoded", lambda *parts: parts[2:])
    live, driver = told(sequencer), Shows()
    live._driver, live._level = cast("Any", driver), 0.3
    return live, driver


def test_a_frame_is_shown_where_the_character_is_on_the_level_at_which_it_began(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the contacts the last four are those of the feet."""
    live, driver = played(monkeypatch, Played(frames=3))
    live.step(NOWHERE)
    ((moment, pose, contacts),) = driver.shown
    np.testing.assert_array_equal(moment.root, [1.0, 2.0, 0.3])
    assert moment.yaw == 0.7 and moment.style == "" and moment.speed == pytest.approx(1.2)
    np.testing.assert_array_equal(pose[0], moment.root)
    assert pose[1] == 0.7 and contacts.tolist() == [2.0, 3.0, 4.0, 5.0]
    assert live._left is None and not cast("Any", live.sequencer).next_tasks


def test_a_task_that_is_ended_is_left_at_once_and_one_that_is_done_when_the_driver_wishes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for task_index, ending, way, left, sent_off in (
        (0, False, EAST, None, 0),
        (0, True, NOWHERE, 4, 1),
        (1, False, NOWHERE, 4, 0),
        (1, False, EAST, 4, 1),
        (2, True, EAST, 4, 1),
    ):
        sequencer = Played(frames=4)
        sequencer.task_index = task_index
        live, _ = played(monkeypatch, sequencer)
        live.is_ending = ending
        live.step(way)
        assert live._left == left and len(sequencer.next_tasks) == sent_off
        live.step(way)
        assert live._left == left and len(sequencer.next_tasks) == sent_off, "once"


def test_who_holds_something_does_not_leave_before_it_is_put_down(monkeypatch: pytest.MonkeyPatch) -> None:
    sequencer = Played(frames=4)
    sequencer.scene.held_indices = [0]
    live, _ = played(monkeypatch, sequencer)
    live.end()
    live.step(EAST)
    assert live.is_ending and live._left is None and sequencer.put_down == 1
    sequencer.scene.held_indices = []
    live.step(EAST)
    assert live._left == 5 and len(sequencer.next_tasks) == 1


def test_a_character_that_has_nothing_to_do_is_sent_on(monkeypatch: pytest.MonkeyPatch) -> None:
    sequencer = Played(done=True)
    live, _ = played(monkeypatch, sequencer)
    live.step(EAST)
    live.step(EAST)
    assert len(sequencer.next_tasks) == 2 and live._left is None
    live.end()
    assert sequencer.put_down == 0, "nothing is held"


def test_the_body_is_handed_back_with_the_frames_that_it_was_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    sequencer = Played(frames=7)
    live, driver = played(monkeypatch, sequencer)
    live.hand_back()
    assert driver.given == [(sequencer.runtime, 7)]


@pytest.mark.parametrize(("task_index", "pushed", "done"), [(0, 1.0, False), (1, 0.5, True), (1, 0.01, False)])
def test_a_thing_is_pushed_from_where_it_was_to_where_it_is_once_it_is_let_go_of(
    task_index: int, pushed: float, done: bool
) -> None:
    sequencer: Any = Played("push")
    sequencer.tasks = [InteractionTask("push", 0, np.array([0.0, 5.0, 0.0]))]
    sequencer.objects, sequencer.task_index = [SimpleNamespace(position=np.array([0.0, 2.0, 0.0]))], task_index
    sequencer.current_objects = [SimpleNamespace(position=np.array([-pushed, 2.0, 0.0]))]
    live = told(sequencer)
    assert live.is_done == done
    task = live.task
    np.testing.assert_allclose(task.position, [-pushed, 2.0, 0.0] if task_index else [0.0, 5.0, 0.0])
    np.testing.assert_allclose(task.direction, [-1.0, 0.0] if task_index else [0.0, 1.0], atol=1e-9)


def test_a_thing_is_carried_to_where_it_is_put_and_faces_as_it_does() -> None:
    sequencer: Any = Played("carry")
    sequencer.tasks = [InteractionTask("carry", 0, stand_direction=np.array([1.0, 0.0]))]
    sequencer.task_index = 1
    sequencer.current_objects = [
        SimpleNamespace(position=np.array([1.0, 2.0, 3.0]), front_direction=np.array([0.0, -1.0]))
    ]
    task = told(sequencer).task
    assert task.position is sequencer.current_objects[0].position and task.stand_direction is None
    np.testing.assert_array_equal(task.direction, [0.0, -1.0])


@pytest.mark.parametrize(("action", "stays"), [("sit", True), ("lean", True), ("lie", True), ("open", False)])
def test_a_task_in_which_a_character_stays_lasts_as_long_as_it_has_stayed(action: str, stays: bool) -> None:
    """One that lies is recorded where it lay when it had come down."""
    sequencer = Played(action)
    sequencer.advance(120)
    sequencer.reached = 60
    task = told(sequencer, left=90).task
    assert task.duration == (pytest.approx(0.5) if stays else 0.0)
    if action == "lie":
        np.testing.assert_allclose(task.position, [1.0 + 0.02 * 60, 2.0, 0.0])
    else:
        assert task.position is None
