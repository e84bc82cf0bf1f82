"""Footholds: on planes as they slope, off edges and holes, never in the ground; at every size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.feet.foothold import (
    MAX_SOLE_SLOPES_RATIO,
    SHIFTS_ACROSS_M,
    SHIFTS_ALONG_M,
    SOLE_HALF_WIDTH_M,
    TOE_LENGTH_M,
    Foothold,
    LegReach,
    find_foothold,
)
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import Ground, Plane, ScaledScene, StaticScene
from footfall.core.terrain.heightfield import Heightfield
from footfall.tests.support.properties import examples
from footfall.tests.support.terrain_scenes import FLOOR, Boxes, relief, rubble, stairs, tilted

LENGTH = 0.16
angles = st.floats(0.0, 6.28)


UP = np.array([0.0, 0.0, 0.4])


def direction(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle)])


def found(ground: Ground, ball: tuple[float, float, float] = (0.0, 0.0, 0.03), angle: float = 0.0) -> Foothold:
    return find_foothold(ground, np.array(ball), direction(angle), LENGTH, 1.0, 0.4)


def sole(hold: Foothold, angle: float, scale: float = 1.0, finely: int = 60) -> Array:
    """Return points (N, 3) of the sole's plane, from heel to toes and from side to side."""
    ahead = direction(angle)
    along = np.linspace(-LENGTH, TOE_LENGTH_M, finely) * scale
    across = np.linspace(-SOLE_HALF_WIDTH_M, SOLE_HALF_WIDTH_M, 9) * scale
    xy = hold.position + along[:, None, None] * ahead + across[:, None] * np.array([ahead[1], -ahead[0]])
    z = hold.height + (xy - hold.position) @ hold.gradient
    return np.concatenate([xy, z[..., None]], axis=-1).reshape(-1, 3)


def depth(hold: Foothold, ground: Ground, angle: float) -> float:
    """Return the depth of the sole in the ground, meters."""
    points = sole(hold, angle)
    return float((ground.heights(points + UP) - points[:, 2]).max())


class TestPlanes:
    @given(slope=st.floats(-18.0, 18.0), about=angles, ahead=angles)
    def test_a_sole_lies_on_a_slope_where_it_comes_down(self, slope: float, about: float, ahead: float) -> None:
        ground = tilted(slope, (np.cos(about), np.sin(about)))
        hold = found(ground, angle=ahead)
        np.testing.assert_allclose(hold.position, [0.0, 0.0], atol=1e-9)
        assert hold.height == pytest.approx(0.0, abs=1e-9)
        np.testing.assert_allclose(hold.gradient, np.tan(np.radians(slope)) * direction(about), atol=1e-9)
        np.testing.assert_allclose(hold.normal, ground.normals(np.zeros((1, 3)))[0], atol=1e-6)

    @given(height=st.floats(-2.0, 2.0), x=st.floats(-5, 5), y=st.floats(-5, 5), ahead=angles)
    def test_level_ground_changes_nothing(self, height: float, x: float, y: float, ahead: float) -> None:
        hold = found(Plane(height), (x, y, height + 0.03), ahead)
        np.testing.assert_allclose(hold.point, [x, y, height], atol=1e-12)
        np.testing.assert_allclose(hold.normal, [0.0, 0.0, 1.0], atol=1e-12)

    @given(slope=st.floats(32.0, 60.0), about=angles)
    def test_on_a_steeper_slope_the_sole_is_bent_no_farther(self, slope: float, about: float) -> None:
        ground = tilted(slope, (np.cos(about), np.sin(about)))
        hold = found(ground)
        assert (np.abs(hold.gradient) <= np.array(MAX_SOLE_SLOPES_RATIO) + 1e-9).all()
        assert depth(hold, ground, 0.0) < 1e-6

    def test_a_direction_lies_in_the_plane_above_it(self) -> None:
        hold = Foothold(np.zeros(2), 0.0, np.array([0.5, 0.0]), 0)
        np.testing.assert_allclose(hold.tangent(np.array([1.0, 0.0])), np.array([1.0, 0.0, 0.5]) / np.sqrt(1.25))
        np.testing.assert_allclose(hold.tangent(np.array([0.0, 1.0])), [0.0, 1.0, 0.0])
        assert hold.tangent(np.array([0.6, 0.8])) @ hold.normal == pytest.approx(0.0)


@given(seed=st.integers(0, 10_000), ahead=angles)
def test_no_sole_is_in_smooth_ground(seed: int, ahead: float) -> None:
    """Over waves as long as a foot, the ground between the sole's sample points differs by millimeters."""
    chance = np.random.default_rng(seed)
    waves, shifts = chance.uniform(-20, 20, (3, 2)), chance.uniform(0, 6.28, 3)
    ground = relief(lambda xy: 0.02 * np.sin(xy @ waves.T + shifts).sum(axis=-1))
    hold = found(ground, angle=ahead)
    assert depth(hold, ground, ahead) < 0.008


@given(seed=st.integers(0, 10_000), ahead=angles)
@settings(max_examples=examples(20))
def test_on_rubble_a_sole_stands_where_most_of_it_is_carried(seed: int, ahead: float) -> None:
    x, y = np.random.default_rng(seed).uniform([1.0, -2.0], [9.0, 2.0])
    hold = found(RUBBLE, (x, y, float(RUBBLE.heights(np.array([x, y, 0.0])))), ahead)
    points = sole(hold, ahead)
    assert np.mean(RUBBLE.heights(points) > points[:, 2] + 0.01) < 0.05, "a corner at most is in the sole"
    assert np.linalg.norm(hold.position - [x, y]) <= np.hypot(SHIFTS_ALONG_M.max(), SHIFTS_ACROSS_M.max()) + 1e-9


RUBBLE = rubble(seed=3)


class TestEdges:
    @pytest.mark.parametrize("beyond", [0.0, 0.03, 0.06])
    def test_a_foot_on_the_edge_of_a_step_is_put_on_one_side_of_it(self, beyond: float) -> None:
        edge = Boxes([FLOOR, ((1.0, -1.0, 0.0), (3.0, 1.0, 0.15))])
        # The ball is over the step, and the heel beside it.
        hold = found(edge, (1.0 + beyond, 0.0, 0.15))
        assert hold.height == pytest.approx(0.15, abs=0.02) or hold.height == pytest.approx(0.0, abs=1e-9)
        assert np.abs(hold.gradient).max() < 0.3
        gaps = sole(hold, 0.0)[:, 2] - edge.heights(sole(hold, 0.0) + UP)
        assert np.median(gaps) < 0.02

    @pytest.mark.parametrize("x", np.linspace(2.05, 2.3, 6))
    def test_on_stairs_the_whole_sole_is_on_one_tread(self, x: float) -> None:
        """Treads of 29 cm carry a sole of 24 cm wherever it comes down."""
        ground = stairs()
        height = float(ground.heights(np.array([x, 0.0, 0.0])))
        hold = found(ground, (float(x), 0.0, height + 0.03))
        points = sole(hold, 0.0)
        np.testing.assert_allclose(hold.gradient, 0.0, atol=1e-9)
        np.testing.assert_allclose(ground.heights(points), hold.height, atol=1e-9)

    def test_a_foot_beside_a_beam_is_put_on_it(self) -> None:
        beam = Boxes([((-5.0, -5.0, -2.1), (5.0, 5.0, -2.0)), ((-5.0, -0.05, -2.0), (5.0, 0.05, 0.0))])
        leg = LegReach(np.array([-0.2, 0.0, 0.85]), 0.95)
        hold = find_foothold(beam, np.array([0.0, 0.06, 0.03]), direction(0.0), LENGTH, 1.0, 0.4, reach=leg)
        assert hold.height == pytest.approx(0.0, abs=1e-9)
        assert np.abs(hold.position[1]) <= 0.05 - SOLE_HALF_WIDTH_M + 1e-9

    @pytest.mark.parametrize("hole", [np.nan, -2.0])
    def test_no_foot_is_put_over_a_hole(self, hole: float) -> None:
        holed = relief(lambda xy: np.where(np.abs(xy[..., 0]) < 0.1, hole, 0.0))
        for x in (-0.12, -0.05, 0.0, 0.2, 0.3):
            hold = found(holed, (x, 0.0, 0.03))
            assert hold.height == pytest.approx(0.0, abs=1e-9)
            np.testing.assert_allclose(hold.gradient, 0.0, atol=1e-9)
            carried = holed.heights(sole(hold, 0.0))
            assert (carried == 0.0).mean() > 0.5

    def test_where_there_is_no_ground_a_foot_stays_where_it_is(self) -> None:
        hold = found(relief(lambda xy: np.full(xy.shape[:-1], np.nan)), (1.0, 2.0, 3.0))
        np.testing.assert_array_equal(hold.point, [1.0, 2.0, 3.0])
        np.testing.assert_array_equal(hold.normal, [0.0, 0.0, 1.0])

    def test_a_table_overhead_is_no_ground(self) -> None:
        table = Boxes([FLOOR, ((-1.0, -1.0, 0.7), (1.0, 1.0, 0.75))])
        assert found(table).height == pytest.approx(0.0)
        assert found(table, (0.0, 0.0, 0.78)).height == pytest.approx(0.75)


class TestRaised:
    """A foot that lands on its ball alone needs room for the heel behind it."""

    WALL = Boxes([FLOOR, ((-3.0, -1.0, 0.0), (-0.05, 1.0, 0.3))])
    HEEL = np.array([-0.13, 0.0, 0.08])

    def landing(self, ground: Ground, ball: float) -> Foothold:
        place = np.array([ball, 0.0, 0.03])
        return find_foothold(ground, place, direction(0.0), 0.0, 1.0, 0.4, raised_offset=self.HEEL)

    @pytest.mark.parametrize("ball", [0.0, 0.02, 0.05])
    def test_a_heel_is_put_before_a_wall_and_not_into_it(self, ball: float) -> None:
        hold = self.landing(self.WALL, ball)
        assert hold.position[0] + self.HEEL[0] >= -0.05 - 1e-9
        assert hold.height == pytest.approx(0.0)

    def test_a_foot_that_is_clear_of_it_stays(self) -> None:
        np.testing.assert_allclose(self.landing(self.WALL, 0.1).position, [0.1, 0.0], atol=1e-9)

    def test_a_step_lower_than_the_heel_is_not_in_the_way(self) -> None:
        step = Boxes([FLOOR, ((-3.0, -1.0, 0.0), (-0.09, 1.0, 0.05))])
        np.testing.assert_allclose(self.landing(step, 0.0).position, [0.0, 0.0], atol=1e-9)

    def test_nothing_is_in_the_way_where_there_is_nothing(self) -> None:
        edge = relief(lambda xy: np.where(xy[..., 0] < -0.1, np.nan, 0.0))
        np.testing.assert_allclose(self.landing(edge, 0.0).position, [0.0, 0.0], atol=1e-9)


class TestReach:
    def test_what_is_out_of_reach_is_left_for_what_is_not(self) -> None:
        """A shelf 5 cm lower, which bears as well but is beyond the leg's reach."""
        shelves = Boxes([((-5.0, -5.0, -1.0), (5.0, 5.0, -0.3)), ((-5.0, -5.0, -1.0), (-0.1, 5.0, 0.0))])
        hip = LegReach(np.array([-0.2, 0.0, 0.85]), 0.9)
        assert found(shelves, (0.08, 0.0, 0.0)).height == pytest.approx(-0.3)
        near = find_foothold(shelves, np.array([0.08, 0.0, 0.0]), direction(np.pi), LENGTH, 1.0, 0.4, reach=hip)
        assert near.height > -0.3

    def test_a_leg_is_too_short_by_what_is_missing(self) -> None:
        missing = LegReach(np.array([0.0, 0.0, 1.0]), 0.9).deficit(
            np.array([[0.0, 0.0], [0.0, 0.3]]), np.array([0.0, 0.5])
        )
        np.testing.assert_allclose(missing, [0.1, 0.0])


@given(x=st.floats(1.0, 9.0), y=st.floats(-2.0, 2.0), ahead=angles, factor=st.sampled_from([0.3, 0.5, 2.0]))
@settings(max_examples=examples(20))
def test_somebody_of_another_size_finds_the_same_footholds(x: float, y: float, ahead: float, factor: float) -> None:
    chance = np.random.default_rng(0)
    hills = Heightfield(chance.uniform(0, 0.2, (60, 120)), 0.1, np.array([-1.0, -3.0]))
    ball = np.array([x, y, float(hills.heights_at(np.array([x, y])))])
    adult = find_foothold(hills, ball, direction(ahead), LENGTH, 1.0, 0.4, 12)
    other = find_foothold(
        ScaledScene(hills, factor), ball * factor, direction(ahead), LENGTH * factor, factor, 0.4 * factor, 12
    )
    np.testing.assert_allclose(other.point, adult.point * factor, atol=1e-6)
    np.testing.assert_allclose(other.gradient, adult.gradient, atol=1e-6)
    assert other.frame == 12


@given(st.floats(-1.0, 1.0), angles, st.floats(0.3, 1.1), st.floats(-0.1, 0.1))
def test_on_level_ground_no_search_finds_anything_else(height: float, angle: float, far: float, raised: float) -> None:
    ball = np.array([0.2, -0.4, height + 0.03])
    hip = ball + np.array([far * 0.6, 0.1, far * 0.8])
    for reach, other in ((None, None), (LegReach(hip, 0.95), np.array([-0.1, 0.05, raised]))):
        asked = ball, direction(angle), LENGTH, 1.0, 0.4, 7, reach, other
        level, searched = find_foothold(Plane(height), *asked), find_foothold(StaticScene(Plane(height)), *asked)
        np.testing.assert_allclose(level.position, searched.position, atol=1e-12)
        np.testing.assert_allclose(level.gradient, searched.gradient, atol=1e-12)
        assert level.height == pytest.approx(searched.height, abs=1e-12) and level.frame == searched.frame == 7


def test_a_heel_is_not_put_down_right_before_the_step_that_it_comes_from() -> None:
    for behind in (0.0, 0.01, 0.03):
        step = ((-2.0, -1.0, -1.0), (-LENGTH - behind, 1.0, 0.16))
        hold = found(Boxes([FLOOR, step]))
        heel = hold.position[0] - LENGTH
        assert heel - (-LENGTH - behind) > 0.039 and abs(hold.position[1]) < 1e-9
    low = ((-2.0, -1.0, -1.0), (-LENGTH - 0.01, 1.0, 0.03))
    np.testing.assert_allclose(found(Boxes([FLOOR, low])).position, [0.0, 0.0], atol=1e-9)
