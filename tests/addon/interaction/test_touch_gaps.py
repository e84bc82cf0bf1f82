"""Gaps between the skin of a character and what it touches."""

import bpy
import pytest

from footfall.blender_addon.activities.interaction.touch_gaps import Touch, gap
from footfall.blender_addon.rig.store import mapped_skeleton, rig_map_of
from footfall.training.interactions.props.mesh_primitives import Mesh, box_mesh, merge_meshes

SITS = Touch("seat_gap", "hips", 0, 0, 1)
SEAT = box_mesh((-0.5, -0.5, 0.3), (0.5, 0.5, 0.4))
BACK_REST = box_mesh((-0.5, 0.02, 0.58), (0.5, 0.5, 1.3))
"""It begins over the seat, and half of the body is within it."""


def gap_to(mesh: Mesh) -> float:
    """Gap between a standing character's thighs and an object, meters."""
    vertices, triangles = mesh
    data = bpy.data.meshes.new("Seat")
    data.from_pydata(vertices.tolist(), [], triangles.tolist())
    thing = bpy.data.objects.new("Seat", data)
    bpy.context.collection.objects.link(thing)
    bpy.context.view_layer.update()
    armature = bpy.context.object
    found = gap(armature, mapped_skeleton(armature, rig_map_of(armature)), SITS, thing)
    assert found is not None
    return found


def test_a_back_rest_is_no_seat() -> None:
    bpy.ops.footfall.add_character()
    alone = gap_to(SEAT)
    assert 0.0 < alone < 0.2
    assert gap_to(merge_meshes([SEAT, BACK_REST])) == pytest.approx(alone, abs=0.01)


@pytest.mark.parametrize("height", [-0.6, 0.45])
def test_a_seat_out_of_reach_is_a_gap_and_not_unknown(height: float) -> None:
    """Hips that float, or that are deep in it, would go unnoticed."""
    bpy.ops.footfall.add_character()
    far = box_mesh((-0.5, -0.5, 0.3 + height), (0.5, 0.5, 0.4 + 2.0 * height if height > 0 else 0.4 + height))
    assert abs(gap_to(far)) > 0.03
