"""Recorded drives as paths: closed forms."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.drive.driver import DriveMoment
from footfall.core.control.drive.recording import path_of
from footfall.core.control.path.path import Path
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
    np.testing.assert_allclose(path.curve.points[[0, -1], 1], [0.0, 1.4 * (5.0 - 1 / RATE)], atol=0.05)
    assert not path.spans and not path.waits


def test_a_stand_on_the_way_is_a_wait_and_those_at_the_ends_are_none() -> None:
    before, after = line(1.2, 3.0), line(1.2, 3.0, start=3.6)
    stand = np.repeat([[0.0, 3.6]], 90, axis=0)
    ends = np.zeros((60, 2))
    places = np.concatenate([ends, before, stand, after, np.repeat(after[-1:], 60, axis=0)])
    path = path_of(drive_along(places), RATE)
    ((where, seconds),) = path.waits
    assert where == pytest.approx(3.6, abs=0.2)
    assert seconds == pytest.approx(1.1, abs=0.15), "without the time in which it brakes and starts"
    assert path.factors.min() > 0.5, "braking is the bake's"


def test_styles_and_strafes_are_spans() -> None:
    frames = drive_along(line(1.0, 2.0)) + drive_along(line(1.0, 3.0, start=2.0), "crouch")
    aside = [replace(frame, yaw=frame.yaw + np.pi / 2) for frame in drive_along(line(1.0, 3.0, start=5.0))]
    path = path_of(frames + aside, RATE)
    styled, strafed = path.spans
    assert (styled.style, strafed.style) == ("crouch", "")
    np.testing.assert_allclose([styled.start, styled.end, strafed.start], [2.0, 5.0, 5.0], atol=0.15)
    assert strafed.yaw_offset == pytest.approx(np.pi / 2, abs=0.05)


def test_a_hand_other_than_the_first_is_a_span() -> None:
    moments = [replace(one, hand="right") for one in drive_along(line(1.0, 6.0))]
    for frame in range(120, 240):
        moments[frame] = replace(moments[frame], hand="left")
    (span,) = path_of(moments, RATE).spans
    assert (span.hand, span.style) == ("left", "")
    np.testing.assert_allclose([span.start, span.end], [2.0, 4.0], atol=0.03)


def test_the_rounded_path_of_a_drive_that_turns_back_leads_through_its_places() -> None:
    turn = np.linspace(0.0, np.pi, 60)[1:, None]
    ahead, loop = line(1.2, 3.0), np.column_stack([0.12 * (1 - np.cos(turn)), 3.58 + 0.12 * np.sin(turn)])
    back = loop[-1] - line(1.2, 3.0, start=0.02)
    places = np.concatenate([ahead, loop, back])
    path = path_of(drive_along(places), RATE)
    walked = Path(path.curve.line()[:, :2]).points
    off = [length(walked - place).min() for place in places]
    assert max(off) < 0.05 and len(path.curve.points) < 15, "few points, to be edited"
