"""Own rig: Rigify's human with a body of blocks walks along a path, by the controls that an animator moves."""

from collections.abc import Mapping
from typing import Final

import addon_utils
import bpy
from mathutils import Matrix

from ...blender_addon.rig.clip_reader import read_mapped_action
from ..camera import follow
from ..stage import Colour, draw_path, plain_material
from .bone_parts import add_block, attach
from .film import RATE, Film, Shot, empty_stage

BENDS: Final = ((-3.4, 0.4), (-1.2, -0.5), (1.4, 0.5), (3.6, -0.2))
"""x, y in meters."""
SPEED_M_S: Final = 1.35
LEFT_OUT_S: Final = 0.9
"""Time of the walk before the film begins: the first step."""
SECONDS: Final = 3.6
CLOTH: Final[Colour] = (0.05, 0.27, 0.28, 1.0)
SKIN: Final[Colour] = (0.80, 0.72, 0.60, 1.0)
SPINE_COLOR: Final[Colour] = (0.95, 0.62, 0.02, 1.0)
SIDE_COLORS: Final[Mapping[str, Colour]] = {".L": (0.05, 0.25, 0.90, 1.0), ".R": (0.90, 0.06, 0.04, 1.0)}
WIRE_M: Final = 0.007
"""Radius of a control's lines."""
TRUNK: Final = {
    "spine": (0.30, 0.20, 1.25),
    "spine.001": (0.26, 0.18, 1.2),
    "spine.002": (0.30, 0.20, 1.2),
    "spine.003": (0.33, 0.20, 1.1),
}
LIMBS: Final = {
    "shoulder": (0.10, 0.12, 1.0),
    "upper_arm": (0.095, 0.095, 1.1),
    "forearm": (0.08, 0.08, 1.05),
    "thigh": (0.15, 0.16, 1.05),
    "shin": (0.11, 0.12, 1.05),
    "foot": (0.10, 0.075, 1.5),
    "toe": (0.10, 0.04, 1.5),
}
BARE: Final = {"spine.004": (0.11, 0.11, 2.6), "spine.006": (0.17, 0.21, 1.2)}
HAND: Final = (0.05, 0.09, 2.0)
"""Width and depth, meters, and share of the bone's length, of a block; as in the tables above."""
CONTROLS: Final = ("torso", "chest", "hips", *(f"{one}_ik{side}" for one in ("hand", "foot") for side in SIDE_COLORS))
LENS_MM: Final = 41.0
"""Of the camera: the rig is 1.97 m tall."""


def build() -> Film:
    """Return the film."""
    scene, _ = empty_stage()
    path = draw_path([(x, y, False) for x, y in BENDS])
    rig = _generate()
    _add_body(rig)
    for name in CONTROLS:
        _add_control(rig, name)
    rig.footfall.path, rig.footfall.speed = path, SPEED_M_S
    bpy.context.view_layer.objects.active = rig
    bpy.ops.footfall.bake_shot()
    clip, begin = read_mapped_action(rig, rig.animation_data.action, scene)
    first = begin + round(LEFT_OUT_S * RATE)
    camera = follow(scene, clip, begin)
    camera.data.lens = LENS_MM
    return Film(scene, (Shot(camera, first, first + round(SECONDS * RATE) - 1, lambda _: "On your own rig: Rigify"),))


def _generate() -> bpy.types.Object:
    """Return the rig that Rigify makes of its human metarig."""
    addon_utils.enable("rigify", default_set=True)
    bpy.ops.object.armature_human_metarig_add()
    metarig = bpy.context.object
    bpy.ops.pose.rigify_generate()
    rig = bpy.context.object
    bpy.data.objects.remove(metarig)
    return rig


def _add_body(rig: bpy.types.Object) -> None:
    cloth, skin = plain_material("Cloth", CLOTH), plain_material("Skin", SKIN)
    for parts, material in ((TRUNK, cloth), (BARE, skin)):
        for bone, (width, depth, share) in parts.items():
            add_block(rig, f"ORG-{bone}", (width, depth), material, share)
    for side in SIDE_COLORS:
        for bone, (width, depth, share) in LIMBS.items():
            add_block(rig, f"ORG-{bone}{side}", (width, depth), cloth, share)
        add_block(rig, f"ORG-hand{side}", HAND[:2], skin, HAND[2])


def _add_control(rig: bpy.types.Object, name: str) -> None:
    """Add the lines of a control's shape, which Blender draws in the viewport alone."""
    bone = rig.pose.bones[name]
    color = SIDE_COLORS.get(name[-2:], SPINE_COLOR)
    size = bone.bone.length if bone.use_custom_shape_bone_size else 1.0
    shape = Matrix.LocRotScale(
        bone.custom_shape_translation, bone.custom_shape_rotation_euler, size * bone.custom_shape_scale_xyz
    )
    mesh = bone.custom_shape.data
    data = bpy.data.curves.new(f"Control {name}", "CURVE")
    data.dimensions, data.bevel_depth = "3D", WIRE_M
    for edge in mesh.edges:
        spline = data.splines.new("POLY")
        spline.points.add(1)
        for point, vertex in zip(spline.points, edge.vertices, strict=True):
            point.co = (*(shape @ mesh.vertices[vertex].co), 1.0)
    data.materials.append(plain_material(data.name, color))
    shown = bone.custom_shape_transform or bone
    attach(rig, shown.name, bpy.data.objects.new(data.name, data), Matrix())
