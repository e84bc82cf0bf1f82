"""The thickness of a rig's skin: measured once, shown, edited, and measured again when the mesh is another one."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from footfall.blender_addon.rig import panel as panel_rig
from footfall.blender_addon.rig.skin import skin_of
from footfall.blender_addon.rig.sole_height import floor_height, joint_rise
from footfall.blender_addon.rig.store import rig_map_of
from footfall.tests.addon.support.panel_layout import drawn


def character() -> tuple[bpy.types.Object, bpy.types.Object]:
    """A character and its body."""
    bpy.ops.footfall.add_character()
    armature = bpy.context.object
    bpy.context.view_layer.update()
    return armature, next(one for one in bpy.data.objects if one.type == "MESH")


def raise_skin(body: bpy.types.Object, height: float) -> None:
    """Move a body's vertices, and not its bones."""
    for vertex in body.data.vertices:
        vertex.co.z += height


def test_a_lower_skin_is_thicker_by_as_much() -> None:
    armature, body = character()
    before = skin_of(armature)
    assert armature.footfall.rig.skin_source == "MESH" and set(before.palms) == set("LR")
    raise_skin(body, -0.02)
    after = skin_of(armature)
    assert before.sole is not None and after.sole == pytest.approx(before.sole + 0.02, abs=1e-4)
    assert before.seat is not None and after.seat is not None and after.seat > before.seat
    assert after.palms["L"].thickness > before.palms["L"].thickness + 0.005, "the fingers are lower, too"


def test_the_pose_does_not_matter_and_stays() -> None:
    armature, _ = character()
    before = skin_of(armature)
    thigh = armature.pose.bones[rig_map_of(armature).bones["thigh.L"]]
    thigh.rotation_mode = "XYZ"
    thigh.rotation_euler.x = -1.2
    bpy.ops.footfall.guess_rig()
    assert bpy.ops.footfall.measure_skin() == {"FINISHED"}
    assert skin_of(armature).seat == pytest.approx(before.seat, abs=1e-6)
    assert armature.data.pose_position == "POSE" and thigh.rotation_euler.x == pytest.approx(-1.2)


def test_what_is_entered_stays_until_it_is_measured() -> None:
    armature, body = character()
    bpy.ops.footfall.guess_rig()
    measured = skin_of(armature).seat
    armature.footfall.rig.seat_thickness = 0.2
    raise_skin(body, -0.02)
    assert skin_of(armature).seat == pytest.approx(0.2) and armature.footfall.rig.skin_source == "EDITED"
    assert "The distances to the skin were entered by hand" in " ".join(drawn(panel_rig.FOOTFALL_PT_rig_skin))
    raise_skin(body, 0.02)
    assert bpy.ops.footfall.measure_skin() == {"FINISHED"}
    assert skin_of(armature).seat == pytest.approx(measured, abs=1e-6)


def test_the_palms_turn_with_the_armature() -> None:
    armature, _ = character()
    before = skin_of(armature).palms["L"].along
    armature.rotation_euler.z = np.pi / 2
    bpy.context.view_layer.update()
    turned = skin_of(armature).palms["L"].along
    np.testing.assert_allclose(turned, [-before[1], before[0], before[2]], atol=1e-3)


def test_an_origin_at_the_hips_is_no_floor() -> None:
    """As in files of other programs."""
    armature, body = character()
    assert floor_height(armature) == pytest.approx(0.0, abs=1e-9)
    for one in (armature.data, body.data):
        one.transform(Matrix.Translation((0.0, 0.0, -0.9)))
    armature.location.z += 0.9
    bpy.context.view_layer.update()
    assert floor_height(armature) == pytest.approx(0.0, abs=5e-3)


def test_soles_below_the_rigs_own_ground_raise_it() -> None:
    armature, body = character()
    before = joint_rise(armature, "toe")
    raise_skin(body, -0.02)
    assert joint_rise(armature, "toe") == pytest.approx(before + 0.02, abs=2e-3)
