"""The shipped controller, driven."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from footfall.core.control.drive import driver as driver_module
from footfall.core.control.drive.driver import DrivenFrame, Driver
from footfall.core.control.drive.wish import CommandedMotion, DriveWish
from footfall.core.control.path.velocity_profile import RUN_FROUDE_NUMBER, WALK_FROUDE_NUMBER
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import Array, length
from footfall.core.terrain.ground import Plane
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.core.control.conftest import answering
from footfall.tests.support.terrain_scenes import FLOOR, Boxes, Carrier

SHIPPED = Path(__file__).parents[4] / "presets" / "controllers" / "locomotion_small.safetensors"


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(SHIPPED)


def drive(driver: Driver, seconds: float, velocity: Array, **wish: object) -> list[DrivenFrame]:
    wished = DriveWish(velocity, **wish)  # type: ignore[arg-type]
    return [driver.step(wished) for _ in range(round(seconds * driver.model.rate))]


def test_who_is_not_told_to_go_stands(model: ControllerModel) -> None:
    frames = drive(Driver(model, np.zeros(3), 0.0), 2.0, np.zeros(2))
    assert length(frames[-1].moment.root[:2]) < 0.02


@pytest.mark.parametrize("speed", [0.8, 1.4, 3.0])
def test_it_goes_at_the_wished_speed_and_stops(model: ControllerModel, speed: float) -> None:
    driver = Driver(model, np.zeros(3), 0.0)
    frames = drive(driver, 4.0, np.array([0.0, speed]))
    went = frames[-1].moment.root - frames[-60].moment.root
    assert went[1] == pytest.approx(speed, rel=0.2)
    stopped = drive(driver, 3.0, np.zeros(2))
    assert length(stopped[-1].moment.root - stopped[-30].moment.root) < 0.02


def test_it_turns_where_it_is_steered(model: ControllerModel) -> None:
    driver = Driver(model, np.zeros(3), 0.0)
    drive(driver, 2.0, np.array([0.0, 1.3]))
    frames = drive(driver, 2.0, np.array([1.3, 0.0]))
    assert frames[-1].moment.yaw == pytest.approx(-np.pi / 2, abs=0.25)


def test_it_goes_aside_where_it_is_told_to_face_elsewhere(model: ControllerModel) -> None:
    frames = drive(Driver(model, np.zeros(3), 0.0), 4.0, np.array([0.8, 0.0]), yaw=0.0)
    assert frames[-1].moment.root[0] > 1.5 and abs(frames[-1].moment.yaw) < 0.5


def test_it_starts_where_it_is_placed_on_ground_of_any_height(model: ControllerModel) -> None:
    driver = Driver(model, np.array([3.0, -2.0, 1.5]), 0.6, WalkScene(Plane(1.5)))
    first = drive(driver, 0.1, np.zeros(2))[0]
    np.testing.assert_allclose(first.moment.root, [3.0, -2.0, 1.5], atol=1e-6)
    assert first.pose.positions[0, :, 2].min() > 1.45 and first.moment.yaw == pytest.approx(0.6)


def test_nothing_jumps_from_frame_to_frame(model: ControllerModel) -> None:
    driver = Driver(model, np.zeros(3), 0.0)
    frames = [
        frame
        for velocity in ([0.0, 1.3], [1.3, 0.0], [0.0, -1.3], [0.0, 0.0])
        for frame in drive(driver, 1.5, np.array(velocity))
    ]
    hips = np.concatenate([frame.pose.root_positions for frame in frames])
    assert length(np.diff(hips, axis=0)).max() < 0.05


def test_a_drive_is_repeatable(model: ControllerModel) -> None:
    one, other = (drive(Driver(model, np.zeros(3), 0.0), 2.0, np.array([0.5, 1.0]))[-1] for _ in range(2))
    np.testing.assert_array_equal(one.pose.positions, other.pose.positions)


def test_a_style_that_the_controller_lacks_is_refused(model: ControllerModel) -> None:
    with pytest.raises(FootfallError, match="The controller has no style 'moonwalk'"):
        Driver(model, np.zeros(3), 0.0).step(DriveWish(np.zeros(2), style="moonwalk"))


DT = 1 / 60


def plan(driver: Driver, wish: DriveWish, count: int = 1) -> tuple[Array, Array, Array]:
    """Shares of running (S), weights of styles (S, G) and of jumping (S) of the last of some frames of a wish."""
    for _ in range(count - 1):
        driver._plan(wish, np.zeros(len(driver._times)), DT)
    plans, jumps = driver._plan(wish, np.zeros(len(driver._times)), DT)
    return plans.run_shares[0], plans.style_weights[0], jumps[0]


@pytest.mark.parametrize(("froude", "runs"), [(0.99, False), (1.01, True)])
def test_it_begins_to_run_at_the_froude_number_of_running_and_is_running_in_four_tenths_of_a_second(
    model: ControllerModel, froude: float, runs: bool
) -> None:
    speed = float(np.sqrt(froude * RUN_FROUDE_NUMBER * 9.81 * model.skeleton.leg_length))
    driver = Driver(model, np.zeros(3), 0.0)
    shares, _, _ = plan(driver, DriveWish(np.array([0.0, -speed])))
    np.testing.assert_allclose(shares, np.clip(driver._times / 0.4, 0.0, 1.0) if runs else 0.0)
    later, _, _ = plan(driver, DriveWish(np.array([0.0, -speed])), 12)
    assert later[0] == pytest.approx(12 * DT / 0.4 if runs else 0.0)
    assert plan(driver, DriveWish(np.array([0.0, -speed])), 13)[0][0] == pytest.approx(float(runs))


def test_between_both_numbers_it_runs_on_or_walks_on(model: ControllerModel) -> None:
    legs = 9.81 * model.skeleton.leg_length
    between, fast, slow = (
        np.array([float(np.sqrt(number * legs)), 0.0])
        for number in ((RUN_FROUDE_NUMBER + WALK_FROUDE_NUMBER) / 2, 1.1 * RUN_FROUDE_NUMBER, 0.9 * WALK_FROUDE_NUMBER)
    )
    driver = Driver(model, np.zeros(3), 0.0)
    for velocity, running in ((between, 0.0), (fast, 1.0), (between, 1.0), (slow, 0.0), (between, 0.0)):
        assert plan(driver, DriveWish(velocity), 30)[0][0] == pytest.approx(running)


def test_a_style_comes_and_goes_in_three_tenths_of_a_second(model: ControllerModel) -> None:
    """Ahead in a straight line; from frame to frame by a share of what is missing."""
    driver, style = Driver(model, np.zeros(3), 0.0), model.gaits[-1]
    _, first, _ = plan(driver, DriveWish(np.zeros(2), style=style))
    np.testing.assert_allclose(first[:, -1], np.clip(driver._times / 0.3, 0.0, 1.0))
    np.testing.assert_allclose(first[:, :-1], 0.0)
    _, after, _ = plan(driver, DriveWish(np.zeros(2), style=style), 10)
    assert after[0, -1] == pytest.approx(1 - (1 - DT / 0.3) ** 10)
    _, gone, _ = plan(driver, DriveWish(np.zeros(2)), 200)
    np.testing.assert_allclose(gone, 0.0, atol=1e-4)


def test_a_jump_is_a_quarter_second_after_its_wish_and_takes_less_than_half_a_second(model: ControllerModel) -> None:
    driver, wish, none = Driver(model, np.zeros(3), 0.0), DriveWish(np.zeros(2), jumps=True), DriveWish(np.zeros(2))
    for frame in range(60):
        # A wish amid a jump is none.
        _, _, jumps = plan(driver, wish if frame in (0, 20) else none)
        since = frame * DT + driver._times
        np.testing.assert_array_equal(jumps, (since > 0.25 + 1e-9) & (since < 0.7 - 1e-9))
    assert plan(driver, wish)[2].any(), "the next jump"


def test_without_a_wish_there_is_no_jump(model: ControllerModel) -> None:
    assert not plan(Driver(model, np.zeros(3), 0.0), DriveWish(np.zeros(2)), 100)[2].any()


# --- Of a controller that answers with constants


def stiff(**known: Any) -> Driver:
    """A driven character at the origin that goes straight on at 1.2 m/s if it moves."""
    return Driver(answering((0.0, 1.2)), np.zeros(3), 0.0, **known)


def test_a_moment_has_the_commanded_speed_the_wish_and_the_height_of_the_hips() -> None:
    """The commanded speed comes to the wished one in a quarter of a second."""
    driver = stiff()
    first, second, third = (
        driver.step(DriveWish(np.array([0.0, 1.5]), style="crouch", jumps=frame == 1)).moment for frame in range(3)
    )
    assert first.speed == 0.0 and second.speed == pytest.approx(1.5 * (1 - np.exp(-DT / 0.25)))
    assert [one.jumps for one in (first, second, third)] == [False, True, False]
    assert (first.style, first.hand) == ("crouch", "")
    assert first.hip_height == pytest.approx(1.02, abs=1e-3)


def test_a_driver_goes_and_turns_with_the_ground_below() -> None:
    """The ground goes to the east by a centimeter a frame, and is known to do so from the second frame on."""
    ride = Carrier(Boxes([FLOOR]), Boxes([((-9.0, -9.0, -1.0), (9.0, 9.0, 0.2))]), velocity=(0.01, 0.0, 0.0))
    driver, still = Driver(answering(), np.array([0.0, 0.0, 0.2]), 0.0, WalkScene(ride)), stiff()
    for frame in range(5):
        places = [one.step(DriveWish(np.zeros(2))).moment.root for one in (driver, still)]
        np.testing.assert_allclose(places[0] - places[1], [0.01 * frame, 0.0, 0.2], atol=1e-6)


def test_a_task_takes_the_last_two_outputs_if_there_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[int] = []
    monkeypatch.setattr(driver_module, "hand_to_interaction", lambda walks, outputs, acts: handed.append(len(outputs)))
    for steps in range(4):
        driver = stiff()
        for _ in range(steps):
            driver.step(DriveWish(np.zeros(2)))
        driver.lend(cast("Any", None))
    assert handed == [2, 2]


def test_after_a_task_it_goes_on_at_the_place_in_the_direction_and_at_the_speed_of_the_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The speed is the mean of the last fifth of a second."""
    monkeypatch.setattr(driver_module, "hand_to_locomotion", lambda acts, walks: None)
    picked: list[bool] = []
    driver = stiff()
    driver.ball = cast("Any", SimpleNamespace(pick_up=lambda: picked.append(True)))
    driver._state.running, driver._turning = 0.7, np.ones(1)
    driver.runtime.frame, driver._outputs = 10, (np.zeros((1, 1), np.float32),) * 2
    way = np.zeros((1, 61, 2))
    way[0, -13:, 0] = 0.02 * np.arange(13)
    state = SimpleNamespace(
        position=np.array([[3.0, 4.0]]), yaw=np.array([0.5]), past_samples=SimpleNamespace(positions=way)
    )
    driver.take_back(cast("Any", SimpleNamespace(state=state)), 25)
    np.testing.assert_allclose(driver.place, [3.0, 4.0, 0.0])
    assert driver.runtime.yaw[0] == 0.5 and driver.runtime.frame == 35 and driver._outputs == ()
    np.testing.assert_allclose(driver._motion.velocity, [1.2, 0.0])
    assert driver._motion.yaw == 0.5 and driver._state.running == 0.0 and driver._turning[0] == 0.0
    assert picked == [True]


def test_responsiveness_and_performers_are_the_driver_s() -> None:
    model = answering()
    for responsiveness, biases in ((0.0, [0.5, 1.25]), (0.5, [2.0, 5.0]), (1.0, [8.0, 20.0])):
        driver = Driver(model, np.zeros(3), 0.0, responsiveness=responsiveness)
        np.testing.assert_allclose(driver.runtime.state.biases, [biases])


def test_the_network_is_told_the_commanded_motion_ahead_from_where_the_character_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[Any] = []
    driver, wish = stiff(), DriveWish(np.array([0.9, 0.0]), yaw=0.4)
    driver.runtime.state.position = np.array([[2.0, 3.0]])
    step = driver.runtime.step

    def listen(command: Any, gaits: Array, moving: Array) -> object:
        told.append((command, gaits, moving))
        return step(command, gaits, moving)

    monkeypatch.setattr(driver.runtime, "step", listen)
    driver.step(wish)
    ((command, gaits, moving),) = told
    times = np.arange(1, 6) / 6
    offsets, velocities, yaws = CommandedMotion(np.zeros(2), 0.0).ahead(wish, times)
    np.testing.assert_allclose(command.positions[0], offsets + np.array([2.0, 3.0]), atol=1e-9)
    np.testing.assert_allclose(command.yaws[0], yaws)
    np.testing.assert_array_equal(command.levels, np.zeros((1, 6)))
    walking = np.clip((np.linalg.norm(velocities, axis=1) - 0.1) / 0.2, 0.0, 1.0)
    np.testing.assert_allclose(command.gaits[0, :, 1], walking, atol=1e-9)
    assert gaits[0, 0] == pytest.approx(1 - moving[0])
