"""Recorded drives as paths: closed forms."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.drive.driver import DriveMoment
from footfall.core.control.drive.recording import (
    path_of,
)
from footfall.core.errors import FootfallError
from footfall.core.motion.root_frame import yaw_of
from footfall.core.motion.rotations import Array, length

RATE = 60.0


def drive_along(places: Array, styles: str = "") -> list[DriveMoment]:
    """The drive of a character that faces where it goes (F, 2)."""
    steps = np.gradient(places, axis=0) * RATE
    return [
        DriveMoment(np.append(place, 0.0), float(yaw_of(step)), float(length(step)), styles)
        for place, step in zip(places, steps, strict=True)
    ]


def line(speed: float, seconds: float, start: float = 0.0) -> Array:
    along = start + speed * np.arange(round(seconds * RATE)) / RATE
    return np.column_stack([np.zeros(len(along)), along])


def test_a_straight_drive_is_a_straight_path_at_its_speed() -> None:
    path = path_of(drive_along(line(1.4, 5.0)), RATE)
    assert path.speed == pytest.approx(1.4, rel=0.02)
    np.testing.assert_allclose(path.factors, 1.0, atol=0.05)
    np.testing.assert_allclose(path.points[[0, -1], 1], [0.0, 1.4 * (5.0 - 1 / RATE)], atol=0.05)
    assert not path.spans and not path.waits


def test_a_circle_keeps_its_radius() -> None:
    angles = np.arange(600) / RATE * 0.7
    path = path_of(drive_along(2.0 * np.column_stack([np.cos(angles), np.sin(angles)])), RATE)
    np.testing.assert_allclose(length(path.points[3:-3, :2]), 2.0, atol=0.01)


def test_a_stand_on_the_way_is_a_wait_and_those_at_the_ends_are_none() -> None:
    before, after = line(1.2, 3.0), line(1.2, 3.0, start=3.6)
    stand = np.repeat([[0.0, 3.6]], 90, axis=0)
    ends = np.zeros((60, 2))
    places = np.concatenate([ends, before, stand, after, np.repeat(after[-1:], 60, axis=0)])
    path = path_of(drive_along(places), RATE)
    ((where, seconds),) = path.waits
    assert where == pytest.approx(3.6, abs=0.2) and seconds == pytest.approx(1.5, abs=0.1)
    assert path.factors.min() > 0.5, "braking is the bake's"


def test_slow_and_fast_parts_have_their_speeds() -> None:
    slow, fast = line(0.8, 5.0), line(2.4, 5.0, start=4.0)
    path = path_of(drive_along(np.concatenate([slow, fast])), RATE)
    speeds = path.speed * path.factors
    assert speeds[3] == pytest.approx(0.8, rel=0.15) and speeds[-4] == pytest.approx(2.4, rel=0.15)


def test_styles_and_strafes_are_spans() -> None:
    frames = drive_along(line(1.0, 2.0)) + drive_along(line(1.0, 3.0, start=2.0), "crouch")
    aside = [replace(frame, yaw=frame.yaw + np.pi / 2) for frame in drive_along(line(1.0, 3.0, start=5.0))]
    path = path_of(frames + aside, RATE)
    styled, strafed = path.spans
    assert (styled.style, strafed.style) == ("crouch", "")
    np.testing.assert_allclose([styled.start, styled.end, strafed.start], [2.0, 5.0, 5.0], atol=0.15)
    assert strafed.yaw_offset == pytest.approx(np.pi / 2, abs=0.05)


@pytest.mark.parametrize("frames", [[], drive_along(np.zeros((100, 2)))])
def test_who_hardly_moved_has_no_path(frames: list[DriveMoment]) -> None:
    with pytest.raises(FootfallError, match="The character hardly moved"):
        path_of(frames, RATE)


def test_a_jump_is_where_the_hips_are_highest() -> None:
    moments = drive_along(line(1.5, 6.0))
    moments[180] = replace(moments[180], jumps=True)
    moments[216] = replace(moments[216], hip_height=1.2)
    (place,) = path_of(moments, RATE).jumps
    assert place == pytest.approx(1.5 * 216 / RATE, abs=0.05)


def test_a_hand_other_than_the_first_is_a_span() -> None:
    moments = [replace(one, hand="right") for one in drive_along(line(1.0, 6.0))]
    for frame in range(120, 240):
        moments[frame] = replace(moments[frame], hand="left")
    (span,) = path_of(moments, RATE).spans
    assert (span.hand, span.style) == ("left", "")
    np.testing.assert_allclose([span.start, span.end], [2.0, 4.0], atol=0.03)


def test_starts_and_stops_have_the_speed_that_they_lead_to() -> None:
    """It speeds up in half a second, and brakes as long; the path has its usual speed to both ends."""
    ramp = np.clip(np.arange(360) / 30, 0.0, 1.0) * np.clip(np.arange(360)[::-1] / 30, 0.0, 1.0)
    along = np.cumsum(1.2 * ramp) / RATE
    path = path_of(drive_along(np.column_stack([np.zeros(360), along])), RATE)
    assert path.speed == pytest.approx(1.2, abs=0.01)
    np.testing.assert_allclose(path.factors, 1.0, atol=0.03)


def test_a_creeping_character_has_the_lowest_speed_of_a_path() -> None:
    path = path_of(drive_along(line(0.2, 5.0)), RATE)
    assert path.speed == 0.3
    np.testing.assert_allclose(path.factors, 1.0)


# --- The parts of it, frame by frame


def moments(count: int = 100, **changes: object) -> list[DriveMoment]:
    return [replace(one, **changes) for one in drive_along(line(1.2, count / RATE))]  # type: ignore[arg-type]
