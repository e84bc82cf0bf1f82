"""Rigs whose pelvis carries the legs alone, beside the spine, as MMD's: what a walk makes of them."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from footfall.tests.addon.support.person import EditBones, make_person, path_along

_LEFT = {
    "shoulder": "左肩",
    "upper_arm": "左腕",
    "forearm": "左ひじ",
    "hand": "左手首",
    "thigh": "左足",
    "shin": "左ひざ",
    "foot": "左足首",
    "toe": "左足先EX",
}
NAMES = {"hips": "下半身", "spine": "上半身", "chest": "上半身2", "neck": "首", "head": "頭"} | {
    f"{part}.{side}": name if side == "L" else name.replace("左", "右") for part, name in _LEFT.items() for side in "LR"
}
CARRIERS = (("センター", 0.65), ("グルーブ", 0.7), ("腰", 1.08))


def mmd(above: tuple[tuple[str, float], ...], is_locked: bool) -> bpy.types.Object:
    """Return an MMD figure: its pelvis begins at the waist and points down; most bones can only be rotated."""

    def extra(bones: bpy.types.ArmatureEditBones, made: EditBones) -> None:
        parent = None
        for name, height in (("全ての親", 0.0), *above):
            bone = bones.new(name)
            bone.head, bone.tail, bone.parent = (0.0, 0.0, height), (0.0, 0.0, height + 0.1), parent
            parent = bone
        waist = made["spine"].head.copy()
        made["hips"].tail, made["hips"].head = made["hips"].head - Vector((0.0, 0.0, 0.05)), waist
        made["hips"].parent = made["spine"].parent = parent

    armature = make_person(NAMES, extra=extra)
    for bone in armature.pose.bones:
        bone.lock_location = (is_locked and bone.name not in ("全ての親", "センター", "グルーブ"),) * 3
    return armature


@pytest.mark.every_blender
@pytest.mark.parametrize(
    ("above", "is_locked"), [(CARRIERS[:1], True), (CARRIERS[:2], False), (CARRIERS, True), (CARRIERS, False)]
)
def test_thighs_and_spine_stay_on_the_pelvis(above: tuple[tuple[str, float], ...], is_locked: bool) -> None:
    armature = mmd(above, is_locked)
    armature.footfall.path = path_along((0, 0), (0, 2), (1, 3))
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    bones, pose = armature.data.bones, armature.pose.bones
    pelvis, others = "下半身", ("左足", "右足", "上半身")
    rest = {name: bones[pelvis].matrix_local.inverted() @ bones[name].head_local for name in others}
    last = int(armature.animation_data.action.frame_range[1])
    places = []
    for frame in range(1, last, 7):
        bpy.context.scene.frame_set(frame)
        for name in others:
            off = pose[pelvis].matrix.inverted() @ pose[name].head - rest[name]
            assert off.length < 0.001, (frame, name)
        places.append(np.array(pose[pelvis].head))
    assert np.linalg.norm(places[-1][:2] - (1, 3)) < 0.3, "the body travels"
    assert np.ptp([place[2] for place in places]) < 0.1
