"""A rig whose legs hang on its own IK: the bake switches the IK off, and *Revert Last Bake* gives it back."""

import bpy
import pytest

from footfall.benchmarks.scripted_rigs.models import mmd
from footfall.tests.addon.support.scenes import add_curve


def influences(armature: bpy.types.Object, frame: int) -> list[float]:
    bpy.context.scene.frame_set(frame)
    return [constraint.influence for bone in armature.pose.bones for constraint in bone.constraints]


@pytest.mark.parametrize("destination", ["ACTION", "STRIP", "RANGE"])
def test_the_ik_of_the_legs_is_off_in_the_bake_alone(destination: str) -> None:
    armature = mmd()
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.footfall.guess_rig() == {"FINISHED"}
    foot = armature.pose.bones["左足ＩＫ"]
    for frame, height in ((1, 0.0), (400, 0.1)):
        foot.location.z = height
        foot.keyframe_insert("location", frame=frame)
    armature.footfall.path = add_curve("POLY", [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0)])
    output = armature.footfall.output
    output.destination, output.frame_start = destination, 100
    bpy.context.scene.frame_set(100)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert influences(armature, 130) == [0.0, 0.0]
    if destination == "RANGE":
        assert influences(armature, 50) == influences(armature, 390) == [1.0, 1.0], "before and after the range"
    assert bpy.ops.footfall.revert_bake() == {"FINISHED"}
    assert influences(armature, 130) == influences(armature, 390) == [1.0, 1.0]
    keys = armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
    assert {curve.data_path for curve in keys} == {'pose.bones["左足ＩＫ"].location'}
