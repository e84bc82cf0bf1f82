"""Footholds: on planes as they slope, off edges and holes, never in the ground; at every size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footfall.core.control.feet import foothold
from footfall.core.control.feet.foothold import SHIFTS_ACROSS_M, SHIFTS_ALONG_M, Foothold, LegReach, find_foothold
from footfall.core.motion.rotations import Array
from footfall.core.terrain.ground import Ground
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
    along = np.linspace(-LENGTH, foothold.TUNING.toe_length, finely) * scale
    across = np.linspace(-foothold.TUNING.sole_half_width, foothold.TUNING.sole_half_width, 9) * scale
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
        assert np.abs(hold.position[1]) <= 0.05 - foothold.TUNING.sole_half_width + 1e-9

    @pytest.mark.parametrize("hole", [np.nan, -2.0])
    def test_no_foot_is_put_over_a_hole(self, hole: float) -> None:
        holed = relief(lambda xy: np.where(np.abs(xy[..., 0]) < 0.1, hole, 0.0))
        for x in (-0.12, -0.05, 0.0, 0.2, 0.3):
            hold = found(holed, (x, 0.0, 0.03))
            assert hold.height == pytest.approx(0.0, abs=1e-9)
            np.testing.assert_allclose(hold.gradient, 0.0, atol=1e-9)
            carried = holed.heights(sole(hold, 0.0))
            assert (carried == 0.0).mean() > 0.5


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
