"""The shipped controller, driven."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.core.control.drive.driver import DrivenFrame, Driver
from footfall.core.control.drive.wish import DriveWish
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


# --- Of a controller that answers with constants


def stiff(**known: Any) -> Driver:
    """A driven character at the origin that goes straight on at 1.2 m/s if it moves."""
    return Driver(answering((0.0, 1.2)), np.zeros(3), 0.0, **known)


def test_a_driver_goes_and_turns_with_the_ground_below() -> None:
    """The ground goes to the east by a centimeter a frame, and is known to do so from the second frame on."""
    ride = Carrier(Boxes([FLOOR]), Boxes([((-9.0, -9.0, -1.0), (9.0, 9.0, 0.2))]), velocity=(0.01, 0.0, 0.0))
    driver, still = Driver(answering(), np.array([0.0, 0.0, 0.2]), 0.0, WalkScene(ride)), stiff()
    for frame in range(5):
        places = [one.step(DriveWish(np.zeros(2))).moment.root for one in (driver, still)]
        np.testing.assert_allclose(places[0] - places[1], [0.01 * frame, 0.0, 0.2], atol=1e-6)
