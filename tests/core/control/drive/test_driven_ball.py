"""The shipped dribbler is driven: its ball bounces beside it, and changes hands by a wish."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.ball.palms import palm_centers
from footfall.core.control.drive.driven_ball import DrivenBall
from footfall.core.control.drive.driver import DrivenFrame, Driver
from footfall.core.control.drive.recording import path_of
from footfall.core.control.drive.wish import DriveWish
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.root_frame import facing_direction
from footfall.core.motion.rotations import Array

DRIBBLE = Path(__file__).parents[4] / "presets" / "controllers" / "dribble.safetensors"
AHEAD = np.array([0.0, 1.3])


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    return load_model(DRIBBLE)


def drive(driver: Driver, seconds: float, changes_hand: bool = False) -> list[DrivenFrame]:
    """Frames ahead; the first may wish for the other hand."""
    count = round(seconds * driver.model.rate)
    return [driver.step(DriveWish(AHEAD, changes_hand=changes_hand and frame == 0)) for frame in range(count)]


def sides(frames: list[DrivenFrame]) -> Array:
    """Distances (F) of the ball to the right of the root, meters."""
    found = []
    for frame in frames:
        assert frame.ball is not None
        right = facing_direction(np.array(frame.moment.yaw - np.pi / 2))
        found.append((frame.ball - frame.moment.root)[:2] @ right)
    return np.array(found)


def test_the_ball_bounces_beside_the_hand_that_dribbles_and_goes_to_the_other_by_a_wish(model: ControllerModel) -> None:
    driver = Driver(model, np.zeros(3), 0.0, ball=DrivenBall(model))
    frames = drive(driver, 6.0)
    heights = np.array([frame.ball[2] for frame in frames[60:] if frame.ball is not None])
    assert heights.min() < 0.18 and 0.7 < heights.max() < 1.5, "from the floor to the hand"
    low = (heights[1:-1] < heights[:-2]) & (heights[1:-1] <= heights[2:]) & (heights[1:-1] < 0.25)
    assert 3 <= low.sum() <= 10, "it bounces about once a second or quicker"
    assert np.median(sides(frames[60:])) > 0.1 and frames[-1].moment.hand == "right"
    changed = drive(driver, 5.0, changes_hand=True)
    assert np.median(sides(changed[150:])) < -0.1 and changed[-1].moment.hand == "left"
    moves = np.linalg.norm(np.diff([frame.ball for frame in [*frames, *changed]], axis=0), axis=1)
    assert moves.max() < 0.2, "it never jumps"
    path = path_of([frame.moment for frame in [*frames, *changed]], model.rate)
    (span,) = [one for one in path.spans if one.hand]
    assert span.hand == "left" and 5.0 < span.start < 10.0 and span.end > 11.0


def test_a_ball_that_was_left_is_in_the_hand_again_as_it_is_picked_up(model: ControllerModel) -> None:
    ball = DrivenBall(model)
    driver = Driver(model, np.zeros(3), 0.0, ball=ball)
    drive(driver, 3.0)
    ball.pick_up()
    (frame,) = drive(driver, 1 / model.rate)
    assert frame.ball is not None
    assert np.linalg.norm(palm_centers(frame.pose)[0] - frame.ball, axis=-1).min() < 0.15
