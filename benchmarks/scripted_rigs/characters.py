"""Characters of every rig type with a skin, as used by animators."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import bpy
import numpy as np

from ...blender_addon.rig.character import make_body
from ...blender_addon.rig.store import mapped_skeleton, rig_map_of
from ...core.body import BodyType, body_mesh
from ...core.errors import FootfallError
from ...tools.build.folders import SHARED
from .auto_rig import auto_rig_pro
from .game import mixamo
from .generated import metarig, rigify
from .models import mmd, unreal_5, vroid

BODIES: Final = SHARED / "data" / "characters" / "rocketbox_mit"
"""Folder of real bodies, as FBX files; Microsoft Rocketbox, MIT."""


def own_figure() -> bpy.types.Object:
    """Return the character of the add-on."""
    bpy.ops.footfall.add_character()
    return bpy.context.object


def skinned(make: Callable[[], bpy.types.Object]) -> bpy.types.Object:
    """Return a rig with bones that deform a body."""
    armature = make()
    rig_map = rig_map_of(armature)
    skeleton = mapped_skeleton(armature, rig_map)
    mesh = body_mesh(skeleton, BodyType.MASCULINE)
    hips = np.array(armature.matrix_world @ armature.data.bones[rig_map.bones["hips"]].head_local)
    body = make_body(armature, skeleton, mesh, hips)
    body.matrix_parent_inverse = armature.matrix_world.inverted()
    bpy.context.collection.objects.link(body)
    if not all(armature.data.bones[group.name].use_deform for group in body.vertex_groups):
        body.modifiers.clear()
        body.vertex_groups.clear()
        _select(body, armature)
        bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    return armature


def real_body(name: str) -> bpy.types.Object:
    """Return a body of the shared data.

    Raises:
        FootfallError: its file is missing.
    """
    file = BODIES / f"{name}.fbx"
    if not file.is_file():
        raise FootfallError("The body '{file}' is not there", file=file)
    bpy.ops.import_scene.fbx(filepath=str(file))
    return next(one for one in bpy.data.objects if one.type == "ARMATURE")


CHARACTERS: Final[Mapping[str, Callable[[], bpy.types.Object]]] = {
    "Footfall": own_figure,
    "Rigify metarig": partial(skinned, metarig),
    "Rigify": partial(skinned, rigify),
    "Mixamo": partial(skinned, mixamo),
    "VRM": partial(skinned, vroid),
    "Unreal 5": partial(skinned, unreal_5),
    "MMD": partial(skinned, mmd),
    "Auto-Rig Pro": partial(skinned, auto_rig_pro),
    "Rocketbox man": partial(real_body, "Male_Adult_01"),
    "Rocketbox woman": partial(real_body, "Female_Adult_01"),
    "Rocketbox child": partial(real_body, "Female_Child_01"),
}
"""Functions that add a character to the scene, by its name."""
MORE_BODIES: Final = {
    name: partial(real_body, name)
    for name in ("Business_Female_01", "Fire_Male_03", "Male_Adult_08", "Medical_Male_02", "Male_Child_01")
}
"""Functions for further real bodies, by file name."""


def put_character(make: Callable[[], bpy.types.Object]) -> bpy.types.Object:
    """Return a new character, selected and active, without an action of its own."""
    armature = make()
    if armature.animation_data is not None:
        armature.animation_data.action = None
    _select(armature)
    bpy.context.view_layer.update()
    return armature


def _select(*things: bpy.types.Object) -> None:
    """Select only these objects; the last one is active."""
    for one in bpy.context.selected_objects:
        one.select_set(False)
    for one in things:
        one.select_set(True)
    bpy.context.view_layer.objects.active = things[-1]
