"""Free lateral distance on either side of a path: up to walls, edges and avoided obstacles."""

import numpy as np
import pytest

from footfall.core.control.navigation.corridor_width import SAMPLE_SPACING_M, corridor_widths
from footfall.core.control.path.path import Path
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_size import PATH_HALF_WIDTH_M
from footfall.core.terrain.ground import Plane, Scene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import FLOOR, Boxes, relief, slope, stairs

EAST = Path(np.array([[0.0, 0.0], [10.0, 0.0]]))
MOST = 1.2


def room(ground: Scene, avoid: Scene | None = None, path: Path = EAST, scale: float = 1.0) -> Array | None:
    surroundings = WalkScene(ground, avoid)
    return corridor_widths(
        path, TerrainProfile.from_path(path, surroundings, 0.0, scale), surroundings, scale, MOST * scale
    )


def beside(found: Array | None, x: float, path: Path = EAST) -> tuple[float, float]:
    """Return the left and right width at the path point nearest to x."""
    assert found is not None and found.shape == path.points.shape
    left, right = found[np.argmin(np.abs(path.points[:, 0] - x))]
    return float(left), float(right)


@pytest.mark.parametrize("ground", [Plane(), Plane(3.0), relief(lambda xy: 0.0 * xy[..., 0]), slope(15.0), stairs()])
def test_open_ground_is_free_on_both_sides(ground: Scene) -> None:
    assert room(ground) is None


@pytest.mark.parametrize("gap", [0.5, 0.8, 1.1])
def test_a_wall_beside_the_way_leaves_room_for_half_a_body(gap: float) -> None:
    fence = Boxes([FLOOR, ((4.0, gap, 0.0), (6.0, gap + 0.2, 2.0))])
    found = room(fence)
    left, right = beside(found, 5.0)
    assert gap - PATH_HALF_WIDTH_M - SAMPLE_SPACING_M <= left <= gap - PATH_HALF_WIDTH_M + 1e-9 and right == MOST
    assert beside(found, 1.0) == beside(found, 9.0) == (MOST, MOST)


def test_what_is_kept_away_from_counts_on_either_side() -> None:
    pond = Boxes([((3.0, -1.5, -0.1), (5.0, -0.7, 0.1))])
    left, right = beside(room(Plane(), pond), 4.0)
    assert left == MOST and 0.7 - PATH_HALF_WIDTH_M - SAMPLE_SPACING_M <= right <= 0.7 - PATH_HALF_WIDTH_M + 1e-9


def test_nobody_goes_over_an_edge() -> None:
    pier = Boxes([((-2.0, -0.9, -1.0), (12.0, 0.9, 0.0))])
    found = room(pier)
    assert found is not None
    assert (found <= 0.9 - PATH_HALF_WIDTH_M + 1e-9).all() and (
        found >= 0.9 - PATH_HALF_WIDTH_M - SAMPLE_SPACING_M
    ).all()


def test_a_way_between_two_walls_has_none_left_where_it_is_narrow() -> None:
    gate = Boxes([FLOOR, ((4.9, 0.3, 0.0), (5.1, 3.0, 2.0)), ((4.9, -3.0, 0.0), (5.1, -0.3, 2.0))])
    assert beside(room(gate), 5.0) == (0.0, 0.0)


def test_smaller_bodies_find_the_same_room_in_meters_of_their_own() -> None:
    def fence(scale: float) -> Boxes:
        corners = np.array([*FLOOR, (4.0, 0.8, 0.0), (6.0, 1.0, 2.0)]) * scale
        return Boxes([(tuple(corners[0]), tuple(corners[1])), (tuple(corners[2]), tuple(corners[3]))])

    half = EAST.scaled(0.5)
    whole = beside(room(fence(1.0)), 5.0)
    assert np.array(beside(room(fence(0.5), path=half, scale=0.5), 2.5, half)) == pytest.approx(np.array(whole) / 2)


FENCE = ((3.9, 0.7, -1.0), (6.1, 1.5, 3.0))


def test_the_sides_are_those_of_the_path() -> None:
    west = Path(EAST.points[::-1])
    left, right = (beside(room(Plane(), Boxes([FENCE]), path), 5.0, path) for path in (EAST, west))
    assert left == right[::-1] == (pytest.approx(0.35), MOST)


@pytest.mark.parametrize(
    "low, high, counts",
    [(-1.0, -0.31, False), (-1.0, -0.29, True), (0.0, 0.1, True), (1.89, 2.5, True), (1.91, 2.5, False)],
)
def test_what_is_avoided_counts_from_under_the_knee_to_the_head(low: float, high: float, counts: bool) -> None:
    pond = Boxes([((4.0, 0.7, low), (6.0, 5.0, high))])
    assert (room(Plane(), pond) is not None) == counts


@pytest.mark.parametrize(
    "low, high, counts", [(0.1, 0.29, False), (0.1, 0.31, True), (0.9, 1.1, True), (1.1, 2.0, False)]
)
def test_walls_are_met_by_knees_and_chest(low: float, high: float, counts: bool) -> None:
    rail = Boxes([FLOOR, ((4.0, 0.7, low), (6.0, 0.72, high))])
    assert (room(rail) is not None) == counts


@pytest.mark.parametrize("length", [0.05, 0.29, 0.31])
def test_a_short_path_has_widths(length: float) -> None:
    path = Path(np.array([[4.5, 0.0], [4.5 + length, 0.0]]))
    found = room(Plane(), Boxes([FENCE]), path)
    assert found is not None
    np.testing.assert_allclose(found, np.tile([0.35, 1.2], (len(found), 1)))
