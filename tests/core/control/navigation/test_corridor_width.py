"""Free lateral distance on either side of a path: up to walls, edges and avoided obstacles."""

import numpy as np
import pytest

from footfall.core.control.navigation.corridor_width import TUNING as CORRIDOR_WIDTH_TUNING
from footfall.core.control.navigation.corridor_width import corridor_widths
from footfall.core.control.path.path import Path
from footfall.core.control.path.terrain_profile import TerrainProfile
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_size import PATH_HALF_WIDTH_M
from footfall.core.terrain.ground import Plane, Scene
from footfall.core.terrain.walk_scene import WalkScene
from footfall.tests.support.terrain_scenes import FLOOR, Boxes

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


@pytest.mark.parametrize("gap", [0.5, 0.8, 1.1])
def test_a_wall_beside_the_way_leaves_room_for_half_a_body(gap: float) -> None:
    fence = Boxes([FLOOR, ((4.0, gap, 0.0), (6.0, gap + 0.2, 2.0))])
    found = room(fence)
    left, right = beside(found, 5.0)
    assert (
        gap - PATH_HALF_WIDTH_M - CORRIDOR_WIDTH_TUNING.sample_spacing <= left <= gap - PATH_HALF_WIDTH_M + 1e-9
        and right == MOST
    )
    assert beside(found, 1.0) == beside(found, 9.0) == (MOST, MOST)


def test_what_is_kept_away_from_counts_on_either_side() -> None:
    pond = Boxes([((3.0, -1.5, -0.1), (5.0, -0.7, 0.1))])
    left, right = beside(room(Plane(), pond), 4.0)
    assert (
        left == MOST
        and 0.7 - PATH_HALF_WIDTH_M - CORRIDOR_WIDTH_TUNING.sample_spacing <= right <= 0.7 - PATH_HALF_WIDTH_M + 1e-9
    )


def test_nobody_goes_over_an_edge() -> None:
    pier = Boxes([((-2.0, -0.9, -1.0), (12.0, 0.9, 0.0))])
    found = room(pier)
    assert found is not None
    assert (found <= 0.9 - PATH_HALF_WIDTH_M + 1e-9).all() and (
        found >= 0.9 - PATH_HALF_WIDTH_M - CORRIDOR_WIDTH_TUNING.sample_spacing
    ).all()
