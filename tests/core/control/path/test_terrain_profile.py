"""The ground along a path: heights, steps and pits, ceilings, what is jumped over; at every size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.path.path import Path
from footfall.core.control.path.stair_flights import TUNING as STAIR_FLIGHTS_TUNING
from footfall.core.control.path.terrain_profile import TUNING as TERRAIN_PROFILE_TUNING
from footfall.core.control.path.terrain_profile import TerrainProfile, start_height
from footfall.core.control.path.velocity_profile import TUNING as VELOCITY_PROFILE_TUNING
from footfall.core.control.path.velocity_profile import plan_speeds
from footfall.core.terrain.ground import Scene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import FAR, FLOOR, Boxes, pit, relief, roof, stairs, tilted, wall

EAST = Path(np.array([[0.0, 0.0], [10.0, 0.0]]))
UPRIGHT = 1.75


def profile_of(
    ground: Scene, path: Path = EAST, level: float = 0.0, scale: float = 1.0, **others: Scene
) -> TerrainProfile:
    return TerrainProfile.from_path(path, WalkScene(ground, **others), level, scale)


def ledge(height: float) -> Boxes:
    """A floor that is so much higher, or lower, from x = 4 on."""
    return Boxes([((-FAR, -FAR, -9.0), (4.0, FAR, 0.0)), ((4.0, -FAR, -9.0), (FAR, FAR, height))])


class TestHeights:
    @given(degrees=st.floats(-45, 45), about=st.floats(0, 6.28))
    def test_a_slope_of_any_angle_is_followed(self, degrees: float, about: float) -> None:
        towards = np.array([np.cos(about), np.sin(about)])
        profile = profile_of(tilted(degrees, (towards[0], towards[1])))
        rise = np.tan(np.radians(degrees)) * towards[0]
        np.testing.assert_allclose(profile.heights, rise * profile.arc_lengths, atol=1e-6)
        np.testing.assert_allclose(profile.slope_at(np.linspace(1, 9, 5)), rise, atol=1e-6)
        assert profile.is_walkable.all()
        assert not profile.is_obstacle.any()

    def test_stairs_are_climbed_and_gone_down_step_by_step(self) -> None:
        profile = profile_of(stairs())
        x = profile.arc_lengths
        up, down = (np.clip(np.floor((x - begin) / 0.29) + 1, 0, 8) for begin in (2.0, 6.0))
        np.testing.assert_allclose(profile.heights, 0.17 * (up - down), atol=1e-9)
        assert profile.is_walkable.all()
        # Over two steps and more, stairs are a slope.
        assert profile.slope_at(3.2, span=1.16) == pytest.approx(0.17 / 0.29, abs=0.06)

    @pytest.mark.parametrize(
        "height", [TERRAIN_PROFILE_TUNING.max_step_up - 0.02, 0.3, -0.3, 0.02 - TERRAIN_PROFILE_TUNING.max_step_down]
    )
    def test_a_ledge_within_reach_is_a_step(self, height: float) -> None:
        profile = profile_of(ledge(height))
        assert profile.is_walkable.all()
        np.testing.assert_allclose(profile.height_at([3.9, 4.1]), [0.0, height], atol=1e-9)

    @pytest.mark.parametrize("width", [0.02, 0.1, 0.2])
    def test_a_crack_is_stepped_over(self, width: float) -> None:
        for ground in (pit(width=width), relief(lambda xy: np.where(np.abs(xy[..., 0] - 4) < width / 2, np.nan, 0.0))):
            profile = profile_of(ground)
            assert profile.is_walkable.all()
            np.testing.assert_array_equal(profile.heights, 0.0)

    @pytest.mark.parametrize("width", [TERRAIN_PROFILE_TUNING.max_gap_width + 0.15, 1.0, 4.0])
    def test_a_pit_is_not(self, width: float) -> None:
        profile = profile_of(pit(width=width))
        past_edge = np.abs(profile.arc_lengths - 4.0) - width / 2
        np.testing.assert_array_equal(profile.is_walkable[past_edge > 1e-6], True)
        np.testing.assert_array_equal(profile.is_walkable[past_edge < -1e-6], False)


class TestBeginning:
    """The level, which is where the path is drawn, says on which of several floors it begins."""

    @pytest.mark.parametrize("level, floor", [(0.0, 0.0), (1.2, 0.0), (2.0, 2.3), (2.3, 2.3), (40.0, 2.3), (-5.0, 2.3)])
    def test_on_the_floor_a_step_above_it_or_lower(self, level: float, floor: float) -> None:
        # A path under all that there is was drawn without looking at heights: it is on top.
        storeys = Boxes([((-5.0, -5.0, -0.2), (20.0, 5.0, 0.0)), ((-5.0, -5.0, 2.0), (20.0, 5.0, 2.3))])
        assert start_height(storeys, np.zeros(2), level) == floor
        np.testing.assert_array_equal(profile_of(storeys, level=level).heights, floor)


class TestCeilings:
    def test_under_a_roof_the_room_is_its_height(self) -> None:
        profile = profile_of(roof(1.4, begin=3.0, end=6.0))
        under = (profile.arc_lengths > 3.0 - 1e-6) & (profile.arc_lengths < 6.0 + 1e-6)
        np.testing.assert_allclose(profile.headroom[under], 1.4)
        np.testing.assert_array_equal(profile.headroom[~under], TERRAIN_PROFILE_TUNING.max_headroom)
        np.testing.assert_array_equal(profile.heights, 0.0)

    def test_one_ducks_before_it_and_until_behind_it(self) -> None:
        profile = profile_of(roof(1.2, begin=3.0, end=6.0))
        deepest = float(profile.duck_share_at(4.5, UPRIGHT))
        assert deepest > 0.9
        np.testing.assert_allclose(profile.duck_share_at(np.array([3.0, 6.0]), UPRIGHT), deepest, atol=0.01)
        np.testing.assert_allclose(profile.duck_share_at(np.array([1.5, 7.5]), UPRIGHT), 0.0, atol=0.01)
        before = profile.duck_share_at(np.linspace(1.5, 3.0, 50), UPRIGHT)
        assert (np.diff(before) >= -1e-9).all()

    def test_a_child_goes_upright_where_others_duck(self) -> None:
        profile = profile_of(roof(1.2))
        np.testing.assert_array_equal(profile.duck_share_at(np.linspace(0, 10, 50), 1.0), 0.0)


class TestJumps:
    HURDLE = Boxes([((4.0, -FAR, 0.0), (4.3, FAR, 0.4))])

    def test_one_jumps_from_somewhat_before_to_somewhat_behind(self) -> None:
        profile = profile_of(Boxes([FLOOR, *self.HURDLE.boxes]), jump_over=self.HURDLE)
        np.testing.assert_array_equal(profile.is_obstacle, (profile.arc_lengths >= 4.0) & (profile.arc_lengths <= 4.3))
        np.testing.assert_allclose(profile.jump_share_at(np.array([4.0, 4.15, 4.3])), 1.0, atol=0.01)
        np.testing.assert_allclose(profile.jump_share_at(np.array([2.9, 5.2])), 0.0, atol=0.01)
        assert profile.jump_share_at(3.6) > 0.9

    def test_a_jump_of_a_path_event_is_commanded_before_its_highest_point(self) -> None:
        profile = profile_of(Boxes([FLOOR])).with_jumps([(5.0, 2.0)])
        lengths = np.linspace(0.0, 10.0, 1001)
        commanded = lengths[profile.jump_share_at(lengths) > 0.5]
        np.testing.assert_allclose(commanded[[0, -1]], [5.0 - 2.0 * 0.62, 5.0 - 2.0 * 0.62 + 1.0], atol=0.07)


def test_a_path_goes_over_a_bridge_and_under_it() -> None:
    """Up eight high steps, over the deck, down again, and back under it: the same place at two heights."""
    rise, tread = 0.4, 0.5
    steps = [((x, -1.0, 0.0), (x + tread, 1.0, rise * (n + 1))) for n, x in enumerate(-4.0 + tread * np.arange(7))]
    steps += [((-x - tread, -1.0, 0.0), (-x, 1.0, top)) for (x, _, _), (_, _, top) in steps]
    deck = ((-0.5, -1.0, 2.6), (0.5, 1.0, 2.8))
    bridge = Boxes([FLOOR, *steps, deck])
    path = Path(np.array([[-7.0, 0.0], [7.0, 0.0], [7.0, 5.0], [0.0, 5.0], [0.0, -5.0]]))
    profile = profile_of(bridge, path)
    assert profile.is_walkable.all()
    crossings = np.flatnonzero(np.linalg.norm(path.position_at(profile.arc_lengths), axis=-1) < 0.1)
    over, under = crossings[profile.arc_lengths[crossings] < 10], crossings[profile.arc_lengths[crossings] > 10]
    np.testing.assert_allclose(profile.heights[over], 2.8)
    np.testing.assert_allclose(profile.heights[under], 0.0)
    np.testing.assert_allclose(profile.headroom[under], 2.6)


@pytest.mark.parametrize("scale", [0.3, 0.5, 2.0])
def test_somebody_of_another_size_finds_their_own_stairs_as_an_adult_does(scale: float) -> None:
    # Of places that are right at an edge, rounding would decide.
    path = Path(np.array([[0.013, 0.0], [10.0, 0.0]]))
    profile = profile_of(stairs(), path, level=0.1)
    own = WalkScene(stairs(), obstacles=wall()).scaled(scale)
    scaled = TerrainProfile.from_path(path.scaled(scale), own, 0.1 * scale, scale)
    np.testing.assert_allclose(scaled.arc_lengths, profile.arc_lengths * scale)
    np.testing.assert_allclose(scaled.heights, profile.heights * scale, atol=1e-9)
    np.testing.assert_allclose(scaled.headroom, profile.headroom * scale)
    np.testing.assert_array_equal(scaled.is_walkable, profile.is_walkable)


class TestPlan:
    @pytest.mark.parametrize("degrees", [0.0, 10.0, 20.0, -20.0, 30.0])
    def test_people_are_slower_the_steeper_it_is(self, degrees: float) -> None:
        speeds = plan_speeds(EAST, 1.2, profile_of(tilted(degrees)))
        steep = min(abs(np.tan(np.radians(degrees))) / VELOCITY_PROFILE_TUNING.steepest_slope, 1.0)
        assert speeds[len(speeds) // 2] == pytest.approx(1.2 * (1 - VELOCITY_PROFILE_TUNING.slope_slowdown * steep))

    def test_they_are_slower_on_stairs_and_not_before_or_behind_them(self) -> None:
        path = Path(np.array([[-4.0, 0.0], [14.0, 0.0]]))
        profile = profile_of(stairs(), path)
        speeds = np.interp([2.5, 7.2, 11.2, 15.0], path.arc_lengths, plan_speeds(path, 1.2, profile))
        np.testing.assert_allclose(speeds[[0, 3]], 1.2, atol=0.01)
        # A step for each tread.
        assert STAIR_FLIGHTS_TUNING.cadences_up[0] < speeds[1] / 0.29 < STAIR_FLIGHTS_TUNING.cadences_up[1]
        assert STAIR_FLIGHTS_TUNING.cadences_down[0] < speeds[2] / 0.29 < STAIR_FLIGHTS_TUNING.cadences_down[1]
