"""The weights of crouching that lower a head, and the plan that asks for them."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.path.crouch_response import CrouchResponse
from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, CueSpan
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import TUNING as VELOCITY_PROFILE_TUNING
from footfall.core.control.path.velocity_profile import Timing, plan_timing
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import roof

LEARNED = CrouchResponse(np.array([0.02, 0.1, 0.25]), np.array([0.2, 0.28, 0.36]))
NONE = CrouchResponse(np.zeros(0), np.zeros(0))
GAITS = ("stand", "walk", "run", "crouch", "sneak")
CROUCH, SNEAK = 3, 4
LINE = Path(np.array([[0.0, 0.0], [12.0, 0.0]]))
TALL = 1.8


def test_who_never_learned_it_does_not_crouch() -> None:
    assert not NONE.is_learned
    assert NONE.style_weight == 0.0
    np.testing.assert_array_equal(NONE.weights_at(np.linspace(0.0, 1.0, 5)), 0.0)


def under_roof(height: float, crouch: CrouchResponse | None, speed: float = 1.4, **more) -> Timing:
    """The timing of a walk under a roof from 4 to 8 m."""
    profile = TerrainProfile.from_path(LINE, WalkScene(roof(height, begin=4.0, end=8.0)), 0.0)
    return plan_timing(LINE, speed, 60.0, profile, TALL, gaits=GAITS, crouch=crouch, **more)


def at(timing: Timing, place: float) -> int:
    """The frame at which a place is planned."""
    return int(np.searchsorted(timing.distances, place))


class TestRoof:
    def test_under_it_crouching_is_commanded_as_deep_as_it_is_low(self) -> None:
        deepest = [under_roof(height, LEARNED).style_weights[:, CROUCH].max() for height in (2.2, 1.62, 1.55, 1.2)]
        assert deepest[0] == 0.0
        assert 0.0 < deepest[1] < deepest[2] < deepest[3] == pytest.approx(0.25)

    @pytest.mark.parametrize("crouch", [NONE, None])
    def test_who_never_learned_it_goes_as_ever(self, crouch: CrouchResponse | None) -> None:
        timing = under_roof(1.5, crouch)
        np.testing.assert_array_equal(timing.style_weights, 0.0)


class TestSlope:
    @staticmethod
    def planned(rise: float, crouch: CrouchResponse = LEARNED, speed: float = 1.4) -> Timing:
        """The timing of a walk up a slope."""
        level = TerrainProfile.from_path(LINE, WalkScene(), 0.0)
        profile = replace(level, heights=np.linspace(0.0, rise, len(level.heights)))
        return plan_timing(LINE, speed, 60.0, profile, TALL, gaits=GAITS, crouch=crouch)

    def test_a_low_body_is_raised_all_along_it(self) -> None:
        np.testing.assert_allclose(self.planned(2.0).style_weights[:, CROUCH], -VELOCITY_PROFILE_TUNING.rise_weight)


class TestEvent:
    @staticmethod
    def planned(*spans: CueSpan, style: str = "", speed: float = 1.4) -> Timing:
        """A timing on open ground."""
        return plan_timing(LINE, speed, 60.0, cues=Cues(spans), gaits=GAITS, style=style, crouch=LEARNED)

    def test_a_crouch_is_a_stretch_and_slow(self) -> None:
        timing = self.planned(CueSpan(4.0, 8.0, style="crouch"))
        here = at(timing, 6.0)
        assert timing.style_weights[here, CROUCH] == pytest.approx(LEARNED.style_weight)
        assert timing.speeds[here] == pytest.approx(VELOCITY_PROFILE_TUNING.max_crouch_speed)
        assert timing.speeds[at(timing, 2.5)] == pytest.approx(1.4)
