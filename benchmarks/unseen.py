"""Unseen objects: the models of ../shared/data/objects, scaled to real sizes."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from ..core.errors import FootfallError
from ..core.motion.root_frame import yaw_of
from ..core.motion.rotations import rotation_about_up
from ..core.scene.affordances import Seat
from ..core.scene.collider import Collider
from ..core.scene.interaction_object import InteractionObject
from ..core.scene.mesh_files import Mesh, read_mesh_file
from ..core.scene.seat_detection import snap_seat_to_mesh
from ..training.interactions.props.tables import Table

SEATS: Final = (
    "kenney_chair",
    "kenney_desk_chair",
    "kenney_desk_chairStool",
    "kenney_loungeChair",
    "quaternius_Chair_1",
)
SEAT_HEIGHT: Final = 0.45
"""Real height of seats, meters: packs of models have their own sizes."""
BOXES: Final = {
    "kenney_box": 0.3,
    "kenney_cardboardBoxClosed": 0.36,
    "kenney_cardboardBoxOpen": 0.34,
    "kenney_trashcan": 0.36,
    "quaternius_Crate": 0.28,
}
"""Boxes and their heights, meters."""


def life_size(mesh: Mesh, height: float) -> Mesh:
    """Return a mesh scaled to a height, meters, on the floor, with the middle of its outline at the origin."""
    vertices, triangles = mesh
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    return (vertices - middle) * height / (high[2] - low[2]), triangles


def seat(objects: Path, name: str) -> InteractionObject:
    """Return a model as a seat with its middle over the origin, facing +Y."""
    path, size = objects / "chairs" / f"{name}.glb", 1.0
    thing = _thing(name, "seat", *life_size(read_mesh_file(path), size))
    for _ in range(2):
        size *= SEAT_HEIGHT / float(found_seat(thing).position[2])
        thing = _thing(name, "seat", *life_size(read_mesh_file(path), size))
    vertices, triangles = life_size(read_mesh_file(path), size)
    where = found_seat(thing)
    turn = -float(yaw_of(where.direction))
    cosine, sine = np.cos(turn), np.sin(turn)
    moved = vertices - np.array([*where.position[:2], 0.0])
    turned = moved @ np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    made = _thing(name, "seat", turned, triangles)
    return replace(made, seat_override=snap_seat_to_mesh(found_seat(made), turned, triangles))


def found_seat(thing: InteractionObject) -> Seat:
    """Return the seat of an object; raise :class:`FootfallError` if sitting on it is impossible."""
    if thing.seat is None:
        raise FootfallError(f"Nobody can sit on '{thing.name}'.")
    return thing.seat


def box(objects: Path, name: str) -> InteractionObject:
    """Return a model as a box at the origin."""
    return _thing(name, "box", *life_size(read_mesh_file(objects / "boxes" / f"{name}.glb"), BOXES[name]))


def table(height: float, width: float = 0.9, depth: float = 0.55) -> InteractionObject:
    """Return a procedural table at the origin, of a size unseen in training."""
    return _thing("table", "surface", *Table(height=height, width=width, depth=depth).mesh())


def _thing(name: str, kind: str, vertices: np.ndarray, triangles: np.ndarray) -> InteractionObject:
    return InteractionObject(
        name, kind, Collider.from_mesh(vertices, triangles), np.zeros(3), rotation_about_up(np.array(0.0))
    )
