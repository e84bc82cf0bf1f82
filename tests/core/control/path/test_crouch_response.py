"""The weights of crouching that lower a head, and the plan that asks for them."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.path.crouch_response import CrouchResponse
from footfall.core.control.path.path import Path
from footfall.core.control.path.path_events import Cues, CueSpan
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.control.path.velocity_profile import MAX_CROUCH_SPEED_M_S, RISE_S, RISE_WEIGHT, Timing, plan_timing
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import roof

LEARNED = CrouchResponse(np.array([0.02, 0.1, 0.25]), np.array([0.2, 0.28, 0.36]))
NONE = CrouchResponse(np.zeros(0), np.zeros(0))
GAITS = ("stand", "walk", "run", "crouch", "sneak")
CROUCH, SNEAK = 3, 4
LINE = Path(np.array([[0.0, 0.0], [12.0, 0.0]]))
TALL = 1.8


def test_what_lies_between_two_crouches_takes_a_weight_between() -> None:
    np.testing.assert_allclose(LEARNED.weights_at(np.array([0.2, 0.24, 0.28, 0.36])), [0.02, 0.06, 0.1, 0.25])
    assert LEARNED.style_weight == pytest.approx(0.1)


def test_a_little_less_than_the_shallowest_crouch_is_that_crouch_and_much_less_is_none() -> None:
    np.testing.assert_allclose(LEARNED.weights_at(np.array([0.0, 0.09, 0.11, 0.19])), [0.0, 0.0, 0.02, 0.02])


def test_nothing_is_deeper_than_the_deepest_crouch() -> None:
    np.testing.assert_allclose(LEARNED.weights_at(np.array([0.5, 1.0])), 0.25)


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

    def test_it_begins_before_the_roof_and_ends_behind_it(self) -> None:
        weights = under_roof(1.5, LEARNED)
        assert [weights.style_weights[at(weights, place), CROUCH] > 0.1 for place in (2.5, 3.9, 6.0, 8.1, 9.5)] == [
            False, True, True, True, False,
        ]  # fmt: skip

    def test_nobody_hurries_crouched(self) -> None:
        timing = under_roof(1.5, LEARNED, speed=3.0)
        crouched = timing.style_weights[:, CROUCH] > 0.05
        assert timing.speeds[crouched].max() < MAX_CROUCH_SPEED_M_S + 0.3
        assert timing.speeds[at(timing, 4.0) : at(timing, 8.0)].max() <= MAX_CROUCH_SPEED_M_S + 1e-9

    def test_behind_it_the_body_is_raised_for_a_moment(self) -> None:
        timing = under_roof(1.5, LEARNED, speed=0.6)
        raising = np.flatnonzero(timing.style_weights[:, CROUCH] < -0.01)
        assert timing.distances[raising[0]] > 8.0
        assert len(raising) / 60 == pytest.approx(RISE_S, abs=0.5)

    @pytest.mark.parametrize("crouch", [NONE, None])
    def test_who_never_learned_it_goes_as_ever(self, crouch: CrouchResponse | None) -> None:
        timing = under_roof(1.5, crouch)
        np.testing.assert_array_equal(timing.style_weights, 0.0)

    def test_a_style_gives_way_to_it(self) -> None:
        timing = under_roof(1.2, LEARNED, style="sneak")
        low, high = timing.style_weights[at(timing, 6.0)], timing.style_weights[at(timing, 2.0)]
        assert low[[CROUCH, SNEAK]] == pytest.approx([0.25, 0.75])
        assert high[[CROUCH, SNEAK]] == pytest.approx([0.0, 1.0])

    def test_a_crouch_that_is_deep_enough_goes_on_as_it_is(self) -> None:
        timing = under_roof(1.62, LEARNED, style="crouch")
        np.testing.assert_allclose(timing.style_weights[:, CROUCH], LEARNED.style_weight)


class TestSlope:
    @staticmethod
    def planned(rise: float, crouch: CrouchResponse = LEARNED, speed: float = 1.4) -> Timing:
        """The timing of a walk up a slope."""
        level = TerrainProfile.from_path(LINE, WalkScene(), 0.0)
        profile = replace(level, heights=np.linspace(0.0, rise, len(level.heights)))
        return plan_timing(LINE, speed, 60.0, profile, TALL, gaits=GAITS, crouch=crouch)

    def test_a_low_body_is_raised_all_along_it(self) -> None:
        np.testing.assert_allclose(self.planned(2.0).style_weights[:, CROUCH], -RISE_WEIGHT)

    def test_level_ground_and_controllers_without_crouching_are_as_ever(self) -> None:
        for timing in (self.planned(0.05), self.planned(2.0, NONE)):
            np.testing.assert_array_equal(timing.style_weights, 0.0)


class TestEvent:
    @staticmethod
    def planned(*spans: CueSpan, style: str = "", speed: float = 1.4) -> Timing:
        """A timing on open ground."""
        return plan_timing(LINE, speed, 60.0, cues=Cues(spans), gaits=GAITS, style=style, crouch=LEARNED)

    def test_a_crouch_is_a_stretch_and_slow(self) -> None:
        timing = self.planned(CueSpan(4.0, 8.0, style="crouch"))
        here = at(timing, 6.0)
        assert timing.style_weights[here, CROUCH] == pytest.approx(LEARNED.style_weight)
        assert timing.speeds[here] == pytest.approx(MAX_CROUCH_SPEED_M_S)
        assert timing.speeds[at(timing, 2.5)] == pytest.approx(1.4)

    def test_a_stretch_of_a_crouched_walk_is_walked_upright_and_as_fast_as_was_asked(self) -> None:
        timing = self.planned(CueSpan(4.0, 8.0, style=""), style="crouch")
        assert timing.speeds[at(timing, 2.5)] == pytest.approx(MAX_CROUCH_SPEED_M_S)
        assert timing.speeds[at(timing, 6.0)] == pytest.approx(1.4)

    def test_between_two_close_crouches_nobody_is_raised_into_the_second(self) -> None:
        timing = self.planned(CueSpan(4.0, 6.0, style="crouch"), CueSpan(6.3, 8.0, style="crouch"))
        assert timing.style_weights[at(timing, 7.0), CROUCH] == pytest.approx(LEARNED.style_weight)
