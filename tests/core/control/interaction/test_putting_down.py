"""The place where a carried object is put down on another one."""

import numpy as np
import pytest

from footfall.core.control.interaction.putting_down import TUNING as PUTTING_DOWN_TUNING
from footfall.core.control.interaction.putting_down import find_put_down
from footfall.core.scene.interaction_object import InteractionObject
from footfall.core.scene.object_placement import place_object
from footfall.tests.support.meshes import box


def thing(name: str, size: tuple[float, float, float], at: tuple[float, float], action: str = "") -> InteractionObject:
    x, y, z = size
    mesh = box((-x / 2, -y / 2, 0.0), (x / 2, y / 2, z))
    return place_object(name, *mesh, np.array([*at, 0.0]), 0.0, action).interaction_object


TABLE = thing("table", (1.2, 0.6, 0.713), (0.0, 0.0))
CRATE = thing("crate", (0.3, 0.3, 0.3), (0.0, 3.0), "carry")


def test_it_is_the_edge_nearest_to_the_carried_object_at_the_exact_height_of_the_mesh() -> None:
    place, side = find_put_down(TABLE, CRATE, [TABLE.posed_collider])
    assert place[2] == pytest.approx(0.713 + PUTTING_DOWN_TUNING.placement_gap, abs=1e-6)
    np.testing.assert_allclose(side, [0.0, 1.0], atol=1e-9)
    assert place[0] == pytest.approx(0.0, abs=0.05) and place[1] == pytest.approx(
        0.15 - PUTTING_DOWN_TUNING.edge_clearance, abs=0.05
    )


def test_it_is_another_edge_where_nothing_can_stand_before_the_nearest() -> None:
    wall = thing("wall", (3.0, 0.1, 2.0), (0.0, 0.7))
    _, side = find_put_down(TABLE, CRATE, [TABLE.posed_collider, wall.posed_collider])
    assert side[1] < 0.5
