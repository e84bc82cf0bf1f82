"""The shipped controller, driven."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.drive.driver import DrivenFrame, Driver
from footfall.core.control.drive.wish import DriveWish
from footfall.core.control.path.velocity_profile import RUN_FROUDE_NUMBER, WALK_FROUDE_NUMBER
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.rotations import Array, length
from footfall.core.terrain.ground import Plane
from footfall.core.terrain.walk_scene import WalkScene

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
