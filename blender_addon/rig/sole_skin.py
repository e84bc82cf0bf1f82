"""The skin of a rig's soles at rest: the lowest points of the meshes that it deforms, under its feet."""

from collections.abc import Iterator
from typing import Final

import bpy
import numpy as np

from ...core.motion import Skeleton
from ...core.motion.proportions import ADULT_LEG_LENGTH_M
from ...core.motion.roles import is_quadruped
from ...core.motion.rotations import Array
from ...core.retarget.rest_pose import bone_vector, rest_position
from ..units import world_matrix

BEHIND_RATIO, AHEAD_RATIO, ASIDE_RATIO = 0.8, 2.2, 0.6
"""Extent of a foot behind and ahead of the ankle and aside of it, as shares of the way from the ankle to the ball."""
MAX_DEPTH_M: Final = 0.2
"""Largest distance of a sole below an adult's ankle."""
SOLE_THICKNESS_M: Final = 0.02
"""Height of the skin above an adult's lowest point up to which it belongs to the sole."""
CELL_RATIO: Final = 0.2
"""Size of the cells in which the lowest point is taken, as a share of the way from the ankle to the ball."""


def sole_skin(armature: bpy.types.Object, body: Skeleton, root: Array) -> dict[str, Array]:
    """Return the points (K, 3) of the soles at rest, meters, world axes, from the joints of the feet; by their roles.

    Feet without skin, and the paws of animals, have none.

    Args:
        armature: the rig.
        body: its mapped skeleton.
        root: (3) world position of the skeleton's root at rest.
    """
    if is_quadruped(body.roles):
        return {}
    skins = [_rest_points(thing) for thing in skins_of(armature)]
    points = np.concatenate(skins) if skins else np.zeros((0, 3))
    size = body.leg_length / ADULT_LEG_LENGTH_M
    feet = {role: body.roles[role] for role in ("foot.L", "foot.R") if role in body.roles}
    found = {
        role: _sole_of(points - root - rest_position(body, joint), bone_vector(body, joint, role), size)
        for role, joint in feet.items()
    }
    return {role: sole for role, sole in found.items() if len(sole)}


def skins_of(armature: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the meshes that an armature deforms."""
    for thing in bpy.data.objects:
        if thing.type == "MESH" and any(
            modifier.type == "ARMATURE" and modifier.object == armature for modifier in thing.modifiers
        ):
            yield thing


def _rest_points(thing: bpy.types.Object) -> Array:
    """Return the vertices (V, 3) of a mesh, undeformed, in the world."""
    flat = np.empty(3 * len(thing.data.vertices), dtype=np.float32)
    thing.data.vertices.foreach_get("co", flat)
    matrix = world_matrix(thing)
    return flat.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]


def _sole_of(points: Array, bone: Array, size: float) -> Array:
    """Return the points (K, 3) of a sole among those of the skin (V, 3), both from the ankle.

    Args:
        points: of the whole skin.
        bone: (3) way from the ankle to the ball.
        size: of the body as a share of an adult's.
    """
    length = float(np.linalg.norm(bone[:2]))
    if length < 1e-6 or not len(points):
        return np.zeros((0, 3))
    ahead = bone[:2] / length
    along, aside = points[:, :2] @ ahead / length, points[:, :2] @ np.array([-ahead[1], ahead[0]]) / length
    inside = (along > -BEHIND_RATIO) & (along < AHEAD_RATIO) & (np.abs(aside) < ASIDE_RATIO)
    inside &= (points[:, 2] < 0.0) & (points[:, 2] > -MAX_DEPTH_M * size)
    foot, cells = points[inside], np.floor(np.column_stack([along, aside])[inside] / CELL_RATIO)
    if not len(foot):
        return foot
    order = np.argsort(foot[:, 2], kind="stable")
    _, lowest = np.unique(cells[order], axis=0, return_index=True)
    sole = foot[order[lowest]]
    return sole[sole[:, 2] < sole[:, 2].min() + SOLE_THICKNESS_M * size]
