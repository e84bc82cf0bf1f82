"""Leaves that open to one side: what their objects say is what characters find."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from footfall.blender_addon.scene.objects import read_interaction_object


def leaf(size: tuple[float, float, float], turn: float) -> bpy.types.Object:
    """A leaf whose origin is at its hinge, turned about it."""
    mesh = bpy.data.meshes.new("leaf")
    x, y, z = size
    corners = [(a * x, (b - 0.5) * y, c * z) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    if y > x:
        corners = [((a - 0.5) * x, b * y, c * z) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    obj = bpy.data.objects.new("leaf", mesh)
    bpy.context.collection.objects.link(obj)
    obj.matrix_world = Matrix.Translation((1.0, 2.0, 0.0)) @ Matrix.Rotation(turn, 4, "Z")
    bpy.context.view_layer.update()
    return obj


@pytest.mark.parametrize("turn", [0.0, 0.7])
@pytest.mark.parametrize(("size", "front"), [((0.9, 0.04, 2.0), (0.0, 1.0, 0.0)), ((0.04, 0.9, 2.0), (-1.0, 0.0, 0.0))])
def test_a_door_opens_toward_the_side_that_its_object_says(
    size: tuple[float, float, float], front: tuple[float, float, float], turn: float
) -> None:
    obj = leaf(size, turn)
    ahead = np.array(Matrix.Rotation(turn, 3, "Z") @ Vector(front))
    for opening, pulled in (("both", None), ("front", 1.0), ("back", -1.0)):
        obj.footfall_door_opening = opening
        door = read_interaction_object(obj, "open").interaction_object
        for side in (0, 2):
            seen = door.facing_side(side)
            assert seen.handle is not None
            toward = float(seen.front_direction @ ahead[:2])
            assert abs(toward) == pytest.approx(1.0, abs=1e-6)
            assert seen.handle.is_pulled == (pulled is not None and toward * pulled > 0)


def test_a_door_of_an_older_file_opens_both_ways() -> None:
    obj = leaf((0.9, 0.04, 2.0), 0.0)
    assert obj.footfall_door_opening == "both"
    door = read_interaction_object(obj, "open").interaction_object
    assert door.handle is not None and door.handle.opens_toward is None
