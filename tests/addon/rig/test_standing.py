"""Controllers stand level on rigs, trunk and soles, whatever rest poses do; what does not stand is told."""

import bpy
import numpy as np
import pytest

from footfall.benchmarks.scripted_rigs import RIGS
from footfall.blender_addon.controllers import library
from footfall.blender_addon.rig import check
from footfall.blender_addon.rig.store import calibrate_to_model
from footfall.core.control.runtime.pose_decoder import standing_rotations
from footfall.core.motion.rotations import rotate
from footfall.core.retarget.retarget import map_rotations
from footfall.core.retarget.trunk import spine_joints


def tilts(armature: bpy.types.Object, controller: str) -> dict[str, float]:
    """Angles, degrees, of body parts from their rest on the rig where the controller stands."""
    armature.footfall.controller = controller
    _, model = library.load(controller, "")
    stands = standing_rotations(model)
    assert stands is not None
    found = calibrate_to_model(armature, model)
    world = map_rotations(found, stands[None])[0]
    roles = found.target.roles
    joints = {role: roles[role] for role in ("hips", "head", "foot.L", "foot.R")} | {
        "chest": spine_joints(found.target)[-1]
    }
    ups = {role: rotate(world[joint], np.array([0.0, 0.0, 1.0])) for role, joint in joints.items()}
    return {role: float(np.degrees(np.arccos(np.clip(up[2], -1.0, 1.0)))) for role, up in ups.items()}


@pytest.mark.parametrize("controller", ["preset:locomotion", "preset:dribble"])
@pytest.mark.parametrize("name", ["mixamo", "unreal", "rigify_metarig", "auto_rig_pro"])
def test_a_controller_stands_level(empty_file: None, name: str, controller: str) -> None:
    """The one that dribbles was learned on ACCAD's skeleton, whose bones lie along one axis at rest."""
    found = tilts(RIGS[name](), controller)
    assert max(found[role] for role in ("hips", "chest", "head")) < 5.0, found
    assert max(found[role] for role in ("foot.L", "foot.R")) < 3.0, found


def test_a_rig_that_lies_at_rest_is_not_called_aligned(empty_file: None) -> None:
    armature = RIGS["mixamo"]()
    bpy.context.view_layer.objects.active = armature
    armature.footfall.controller = "preset:locomotion"
    check.update_check(armature)
    assert armature.footfall.rig.check_passed
    bpy.ops.object.mode_set(mode="EDIT")
    spine = next(bone for bone in armature.data.edit_bones if bone.name.endswith("Spine"))
    hips = spine.head.copy()
    for bone in [spine, *spine.children_recursive]:
        for end in ("head", "tail"):
            place = getattr(bone, end) - hips
            setattr(bone, end, hips + type(place)((place.x, -place.z, place.y)))
    bpy.ops.object.mode_set(mode="OBJECT")
    check.update_check(armature)
    assert not armature.footfall.rig.check_passed
    assert "Aligned" not in armature.footfall.rig.check_result
