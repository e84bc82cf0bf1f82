"""Cues: faster here, in another style there, facing a target, waiting: told in meters or seconds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.cli.walk import shipped_controller
from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, CueSpan, Facing, Wait
from footfall.core.control.path.velocity_profile import TUNING as VELOCITY_PROFILE_TUNING
from footfall.core.control.path.velocity_profile import plan_timing
from footfall.core.control.walk.path_walk import begin_walk
from footfall.core.control.walk.plan import WalkRequest
from footfall.core.models.model_file import ControllerModel, load_model

LINE = Path(np.array([[0.0, 0.0], [0.0, 20.0]]))
RATE = 60.0


@pytest.fixture(scope="module")
def model() -> ControllerModel:
    """The one that ships."""
    return load_model(shipped_controller())


def planned(*stretches: CueSpan, waits: tuple[Wait, ...] = (), paces=None, path: Path = LINE):
    return plan_timing(path, 1.2, RATE, cues=Cues(stretches, waits, paces), gaits=("stand", "walk", "run", "sneak"))


def speeds_at(timing, *places: float) -> list[float]:
    return [float(np.interp(place, timing.distances, timing.speeds)) for place in places]


def test_a_stretch_is_walked_at_its_own_speed() -> None:
    timing = planned(CueSpan(5.0, 10.0, speed=0.7))
    assert speeds_at(timing, 3.0, 7.0, 14.0) == pytest.approx([1.2, 0.7, 1.2], abs=1e-6)


def test_paces_multiply_the_speed_between_their_places() -> None:
    timing = planned(paces=np.array([[0.0, 1.0], [10.0, 0.5], [20.0, 0.5]]))
    assert speeds_at(timing, 5.0, 15.0) == pytest.approx([0.9, 0.6], abs=0.01)


@given(st.floats(2.0, 18.0), st.floats(0.0, 4.0))
def test_who_waits_stands_where_and_as_long_as_told(at: float, seconds: float) -> None:
    timing = planned(waits=(Wait(at, seconds),))
    still = np.flatnonzero((timing.speeds < 1e-9) & (np.abs(timing.distances - at) < 0.03))
    assert len(still) == pytest.approx(seconds * RATE, abs=2)
    without = planned()
    # Stopping and starting again take time of their own: v/2a each.
    assert len(timing) >= len(without) + seconds * RATE


def test_who_looks_aside_goes_no_faster_than_people_do() -> None:
    timing = plan_timing(LINE, 3.0, RATE, cues=Cues((CueSpan(5.0, 15.0, facing=Facing(np.pi / 2)),)))
    assert timing.speeds[np.abs(timing.distances - 10.0) < 2.0].max() <= VELOCITY_PROFILE_TUNING.max_strafe_speed + 1e-9


def test_a_target_is_looked_at_from_everywhere() -> None:
    target = np.array([[3.0, 10.0]])
    timing = planned(CueSpan(2.0, 18.0, facing=Facing(target=target)))
    for place in (5.0, 10.0, 15.0):
        frame = int(np.searchsorted(timing.distances, place))
        to = target[0] - LINE.position_at(place)
        assert timing.yaw_offsets[frame] == pytest.approx(np.arctan2(-to[0], to[1]), abs=0.1)


def test_styles_come_and_go() -> None:
    timing = planned(CueSpan(5.0, 10.0, style="sneak"))
    shares = [timing.style_weights[np.searchsorted(timing.distances, place), 3] for place in (3.0, 7.5, 13.0)]
    assert shares == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)


def test_a_walk_side_steps_and_walks_backwards(model: ControllerModel) -> None:
    cues = Cues((CueSpan(2.0, 5.0, facing=Facing(np.pi / 2)), CueSpan(5.0, 8.0, facing=Facing(np.pi))))
    walk = begin_walk(model, WalkRequest(Path(np.array([[0.0, 0.0], [0.0, 10.0]])), 0.9, cues=cues))
    while walk.advance(600):
        pass
    steps = walk.trace.frames
    for place, turn in ((1.5, 0.0), (3.8, np.pi / 2), (6.8, np.pi), (9.5, 2 * np.pi)):
        frame = int(np.searchsorted(steps.position[:, 1], place))
        assert np.cos(steps.yaw[frame] - turn) > np.cos(0.35), place
    assert np.abs(steps.position[:, 0]).max() < 0.07, "on its way, but for the weight that shifts before the first step"
