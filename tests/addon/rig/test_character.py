"""New characters: a skinned body that stands idle, and Blender deforms it as core does."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.rig.character import COLORS, add_character
from footfall.core.body import BodyType, body_mesh
from footfall.core.control.runtime.pose_decoder import standing_rotations
from footfall.core.models.model_file import load_model
from footfall.core.motion.kinematics import world_positions
from footfall.core.motion.rotations import Array, multiply, rotation_about_up
from footfall.tests.addon.support.cmu_person import cmu_person

pytestmark = pytest.mark.every_blender

CONTROLLERS = Path(__file__).parents[3] / "presets" / "controllers"


def add(body_type: str = "MASCULINE", controller: str = "locomotion") -> bpy.types.Object:
    operator = bpy.ops.footfall.add_character
    assert operator(controller=f"preset:{controller}", body_type=body_type) == {"FINISHED"}
    return bpy.context.object


def evaluated_points(armature: bpy.types.Object) -> Array:
    body = armature.children[0]
    bpy.context.view_layer.update()
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([body.matrix_world @ vertex.co for vertex in evaluated.data.vertices])


def heights(armature: bpy.types.Object, *bones: str) -> list[float]:
    return [(armature.matrix_world @ armature.pose.bones[bone].head).z for bone in bones]


@pytest.mark.parametrize("body_type", ["MASCULINE", "FEMININE"])
def test_a_new_character_stands_idle_on_the_ground(body_type: str) -> None:
    bpy.context.scene.cursor.location = (2.0, 1.0, 0.5)
    armature = add(body_type)
    points = evaluated_points(armature)
    assert points[:, 2].min() == pytest.approx(0.5, abs=1e-3) and 1.7 < np.ptp(points[:, 2]) < 1.9
    shoulder, hand = heights(armature, "LeftUpperArm", "LeftHand")
    assert shoulder - hand > 0.45, "arms hang"
    assert np.ptp(points[:, 0]) < 0.6, "nothing is splayed"
    visor = armature.children[0].data.polygons
    face = next(polygon.center for polygon in visor if polygon.material_index == list(COLORS).index(3))
    assert face.y < 0.0, "it looks along -Y"
    assert armature.footfall.rig.body_type == body_type


def test_without_a_controller_s_standing_pose_arms_hang() -> None:
    armature = add_character(bpy.context, cmu_person(), "Person")
    bpy.context.view_layer.update()
    shoulder, hand = heights(armature, "lhumerus", "lwrist")
    assert shoulder - hand > 0.45
    assert evaluated_points(armature)[:, 2].min() == pytest.approx(0.0, abs=1e-3)


def test_blender_deforms_the_body_as_core_does() -> None:
    armature = add("FEMININE")
    model = load_model(CONTROLLERS / "locomotion.safetensors")
    skin, stance = body_mesh(model.skeleton, BodyType.FEMININE), standing_rotations(model)
    assert stance is not None
    turned = multiply(rotation_about_up(np.pi), stance)
    expected = skin.posed(model.skeleton, world_positions(model.skeleton, np.zeros(3), turned), turned)
    expected[:, 2] -= expected[:, 2].min()
    np.testing.assert_allclose(evaluated_points(armature), expected, atol=2e-3)


def test_skinning_is_smooth_and_keeps_volume() -> None:
    body = add().children[0]
    assert body.modifiers["Armature"].use_deform_preserve_volume
    groups = [[group.weight for group in vertex.groups] for vertex in body.data.vertices]
    assert max(map(len, groups)) <= 4
    np.testing.assert_allclose([sum(weights) for weights in groups], 1.0, atol=1e-5)
    assert [slot.material.name for slot in body.material_slots] == [f"Footfall {part.name.title()}" for part in COLORS]


def test_an_animal_stands_as_at_rest() -> None:
    points = evaluated_points(add(controller="quadruped"))
    assert 0.5 < points[:, 2].max() < 1.0 and abs(points[:, 2].min()) < 0.05
