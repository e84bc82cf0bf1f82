"""The usual action of an object follows from its shape."""

import pytest

from footfall.core.scene.usual_action import usual_action
from footfall.training.interactions.props.doors import Door
from footfall.training.interactions.props.seats import Chair, Sofa
from footfall.training.interactions.props.tables import Box, Table


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
        ("sofa whose back is high enough to lean on", Sofa().mesh(), "sit"),
        ("table", Table(height=0.74).mesh(), "lean"),
        ("counter", Box(2.0, 0.6, 0.9).mesh(), "lean"),
        ("wall", Box(3.0, 0.2, 2.4).mesh(), "lean"),
        ("leaf", Door(width=0.92).leaf_mesh(), "open"),
    ],
)
def test_leaves_are_opened_blocks_carried_or_pushed_seats_sat_on_and_tables_leaned_on(
    name: str, mesh: tuple, action: str
) -> None:
    assert usual_action(name, *mesh) == action


@pytest.mark.parametrize(
    ("size", "action"),
    [
        ((0.7, 0.7, 0.56), "push"),
        ((0.7, 0.7, 0.54), "carry"),
        ((0.8, 0.8, 0.54), "sit"),
        ((0.8, 0.8, 0.56), "push"),
        ((0.7, 0.7, 1.39), "push"),
        ((0.36, 0.7, 0.7), "push"),
        ((0.34, 0.7, 0.7), "carry"),
        ((1.48, 0.7, 0.7), "push"),
        ((1.52, 0.7, 0.7), "lean"),
        ((0.7, 1.52, 0.7), "lean"),
        ((0.7, 0.34, 0.7), "carry"),
        ((0.5, 0.5, 0.62), "push"),
        ((0.5, 0.5, 0.58), "carry"),
    ],
)
def test_a_block_is_pushed_that_is_neither_low_nor_narrow_nor_long_nor_light(
    size: tuple[float, float, float], action: str
) -> None:
    assert usual_action("block", *Box(*size).mesh()) == action
