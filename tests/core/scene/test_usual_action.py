"""The usual action of an object follows from its shape."""

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.scene.usual_action import usual_action
from footfall.training.interactions.props.doors import Door
from footfall.training.interactions.props.seats import Chair
from footfall.training.interactions.props.tables import Box


@pytest.mark.parametrize(
    ("name", "mesh", "action"),
    [
        ("chair", Chair(seat_height=0.45).mesh(), "sit"),
        ("box", Box(0.4, 0.3, 0.3).mesh(), "carry"),
        ("block at the height of a seat", Box(0.5, 0.4, 0.45).mesh(), "carry"),
        ("crate", Box(0.6, 0.6, 0.8).mesh(), "push"),
        ("wide crate", Box(0.9, 0.9, 0.9).mesh(), "push"),
        ("high box", Box(0.4, 0.4, 0.6).mesh(), "carry"),
        ("bench", Box(1.4, 0.4, 0.45).mesh(), "sit"),
        ("leaf", Door(width=0.92).leaf_mesh(), "open"),
    ],
)
def test_a_leaf_is_opened_a_block_is_carried_or_pushed_and_a_seat_is_sat_on(
    name: str, mesh: tuple, action: str
) -> None:
    assert usual_action(name, *mesh) == action


def test_a_pillar_is_used_for_nothing() -> None:
    vertices, triangles = Box(0.4, 0.4, 3.0).mesh()
    with pytest.raises(FootfallError, match="'Pillar' is nothing to sit on, carry, push or open"):
        usual_action("Pillar", np.asarray(vertices), triangles)
