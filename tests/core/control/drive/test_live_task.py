"""The shipped interaction controller takes the body of a driven character, and gives it back."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.drive.driver import DrivenFrame, Driver
from footfall.core.control.drive.live_task import LiveTask
from footfall.core.control.drive.wish import DriveWish
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import Array, length, rotation_about_up
from footfall.core.scene.collider import Collider
from footfall.core.scene.interaction_object import InteractionObject
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
    with pytest.raises(
        FootfallError, match="The controller and the interaction controller were trained for different bodies"
    ):
        LiveTask(Driver(quadruped, np.zeros(3), 0.0), acts, [placed("seat", (0.0, 3.0))], RESTS)
