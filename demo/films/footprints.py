"""Footprints of a baked walk, from its labels: blue for the left foot, orange for the right one."""

import math
from collections.abc import Callable

import bmesh
import bpy
import numpy as np

from ...blender_addon.rig.character import COLORS
from ...core.body import Material
from ...core.motion.rotations import Array
from ..stage import plain_material
from ..walk import Baked
from .film import shown_from

LENGTH_M, WIDTH_M, LIFT_M = 0.26, 0.1, 0.006
BALL_M = 0.08
"""Distance of a print's middle behind the ball of the foot."""


def add_footprints(
    scene: bpy.types.Scene, walk: Baked, first: int, last: int, heights: Callable[[Array], Array]
) -> None:
    """Add a print for each contact of a foot, which appear one by one between two frames.

    Args:
        scene: the scene for the prints.
        walk: the walk with the labels.
        first, last: scene frames.
        heights: heights of the ground under points (N, 2), meters.
    """
    action = walk.armature.animation_data.action
    contacts = [one for one in action.footfall.segments if one.kind == "CONTACT" and one.name[:-2] == "toe"]
    contacts.sort(key=lambda one: one.start)
    shapes = {side: _shape(side) for side in "LR"}
    for contact, frame in zip(contacts, np.linspace(first, last, len(contacts)).round().astype(int), strict=True):
        side = contact.name[-1]
        at = int((contact.start + contact.end) / 2) - walk.first
        joints = [walk.clip.skeleton.joint(f"{part}.{side}") for part in ("foot", "toe")]
        ankle, ball = walk.clip.positions[at, joints]
        way = ball - ankle
        print_ = bpy.data.objects.new("Footprint", shapes[side])
        middle = ball - BALL_M * way / np.linalg.norm(way[:2])
        print_.location = (middle[0], middle[1], float(heights(middle[None, :2])[0]) + LIFT_M)
        print_.rotation_euler.z = math.atan2(way[1], way[0])
        scene.collection.objects.link(print_)
        shown_from(print_, int(frame))


def _shape(side: str) -> bpy.types.Mesh:
    """Return a flat oval along X."""
    form, mesh = bmesh.new(), bpy.data.meshes.new(f"Footprint {side}")
    bmesh.ops.create_circle(form, cap_ends=True, segments=24, radius=0.5)
    bmesh.ops.scale(form, vec=(LENGTH_M, WIDTH_M, 1.0), verts=form.verts)
    form.to_mesh(mesh)
    form.free()
    mesh.materials.append(plain_material(mesh.name, COLORS[Material.of_side(side)]))
    return mesh
