"""The meshes deformed by an armature, as points that follow the joints of the mapped body."""

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.body.bound_skin import BoundSkin
from ...core.body.skinned_mesh import rest_positions
from ...core.motion import Skeleton
from ...core.motion.rotations import Array
from ..animation.fcurve_io import read_rig
from ..units import world_matrix

MAX_VERTICES: Final = 40_000
"""Largest number of vertices read from a mesh; of a denser mesh, every second, third and so on is read."""


@dataclass(frozen=True, slots=True, eq=False)
class PosedSkin:
    """The skin of a character in its current pose.

    Attributes:
        vertices: (V, 3) vertices, meters, world.
        joints: (V, K) joints that a vertex follows, the strongest first.
        weights: (V, K) weights of these joints, which sum to 1.
        keeps_volume: (V) whether the mesh's armature modifier preserves volume.
    """

    vertices: Array
    joints: NDArray[np.intp]
    weights: Array
    keeps_volume: NDArray[np.bool_]


def skin_meshes(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the visible meshes in the scene that an armature deforms or that are parented to its bones."""
    return [one for one in bpy.context.scene.objects if one.type == "MESH" and _follows(one, armature)]


def _follows(mesh: bpy.types.Object, armature: bpy.types.Object) -> bool:
    return mesh.visible_get() and (_modifier(mesh, armature) is not None or _carrier(mesh, armature) != "")


def _modifier(mesh: bpy.types.Object, armature: bpy.types.Object) -> bpy.types.Modifier | None:
    """Return the modifier with which an armature deforms a mesh; ``None`` without one."""
    found = (one for one in mesh.modifiers if one.type == "ARMATURE" and one.object == armature and one.show_viewport)
    return next(found, None)


def _carrier(mesh: bpy.types.Object, armature: bpy.types.Object) -> str:
    """Return the name of the armature's bone to which a mesh is parented; empty if there is none."""
    return mesh.parent_bone if mesh.parent == armature and mesh.parent_type == "BONE" else ""


def skin_key(armature: bpy.types.Object, body: Skeleton) -> str:
    """Return a text that changes whenever the meshes, the body or its size change."""
    print_of = zlib.crc32(np.round(body.offsets, 5).tobytes())
    for mesh in skin_meshes(armature):
        points = np.empty(3 * len(mesh.data.vertices), dtype=np.float32)
        mesh.data.vertices.foreach_get("co", points)
        described = f"{mesh.name_full}|{[(one.type, one.show_viewport) for one in mesh.modifiers]}"
        print_of = zlib.crc32(points.tobytes(), zlib.crc32(described.encode(), print_of))
    return f"{print_of:08x}"


def read_bound_skin(armature: bpy.types.Object, body: Skeleton) -> BoundSkin | None:
    """Return an armature's skin in the rest pose; ``None`` if it has no skin."""
    with _at_rest(armature):
        skin = read_posed_skin(armature, body)
    if skin is None:
        return None
    rig = read_rig(armature)
    root = rig.heads[rig.index[body.names[0]]]
    return BoundSkin(skin.vertices - root, skin.joints, skin.weights, skin.keeps_volume)


@contextmanager
def _at_rest(armature: bpy.types.Object) -> Iterator[None]:
    """Show an armature in its rest pose while the body runs."""
    shown = armature.data.pose_position
    armature.data.pose_position = "REST"
    bpy.context.view_layer.update()
    try:
        yield
    finally:
        armature.data.pose_position = shown
        bpy.context.view_layer.update()


def read_posed_skin(armature: bpy.types.Object, body: Skeleton) -> PosedSkin | None:
    """Return an armature's skin in the current pose; ``None`` if it has no skin."""
    joint_of = _joints_of_bones(armature, body)
    parts = [part for mesh in skin_meshes(armature) if (part := _read_mesh(mesh, armature, joint_of)) is not None]
    if not parts:
        return None
    most = max(part.joints.shape[1] for part in parts)
    return PosedSkin(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([np.pad(part.joints, ((0, 0), (0, most - part.joints.shape[1]))) for part in parts]),
        np.concatenate([np.pad(part.weights, ((0, 0), (0, most - part.weights.shape[1]))) for part in parts]),
        np.concatenate([part.keeps_volume for part in parts]),
    )


def _read_mesh(mesh: bpy.types.Object, armature: bpy.types.Object, joint_of: dict[str, int]) -> PosedSkin | None:
    """Return the vertices of a mesh that follow bones; ``None`` if there are none."""
    evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    data = evaluated.to_mesh()
    try:
        points = np.empty(3 * len(data.vertices), dtype=np.float32)
        data.vertices.foreach_get("co", points)
        chosen = range(0, len(data.vertices), max(-(-len(data.vertices) // MAX_VERTICES), 1))
        carrier, modifier = _carrier(mesh, armature), _modifier(mesh, armature)
        if modifier is None or not modifier.use_vertex_groups:
            shares = [{joint_of[carrier]: 1.0} if carrier in joint_of else {} for _ in chosen]
        else:
            joints = {group.index: joint_of[group.name] for group in mesh.vertex_groups if group.name in joint_of}
            shares = [_shares(data.vertices[number].groups, joints) for number in chosen]
    finally:
        evaluated.to_mesh_clear()
    kept = [number for number, one in enumerate(shares) if one]
    if not kept:
        return None
    matrix = world_matrix(evaluated)
    places = points.reshape(-1, 3)[list(chosen)][kept] @ matrix[:3, :3].T + matrix[:3, 3]
    joints, weights = _table([shares[number] for number in kept])
    keeps = np.full(len(kept), modifier is not None and modifier.use_deform_preserve_volume)
    return PosedSkin(places, joints, weights, keeps)


def _shares(groups: Sequence[bpy.types.VertexGroupElement], joints: dict[int, int]) -> dict[int, float]:
    """Return the weights of a vertex, by joint."""
    found: dict[int, float] = {}
    for element in groups:
        if element.weight > 0.0 and element.group in joints:
            joint = joints[element.group]
            found[joint] = found.get(joint, 0.0) + element.weight
    return found


def _table(shares: Sequence[dict[int, float]]) -> tuple[NDArray[np.intp], Array]:
    """Return the joints (V, K) of each vertex and their shares (V, K), largest first; the shares sum to 1."""
    most = max(map(len, shares))
    joints, weights = np.zeros((len(shares), most), dtype=np.intp), np.zeros((len(shares), most))
    for row, one in enumerate(shares):
        ordered = sorted(one.items(), key=lambda item: -item[1])
        joints[row, : len(ordered)] = [joint for joint, _ in ordered]
        weights[row, : len(ordered)] = [weight for _, weight in ordered]
    return joints, weights / weights.sum(axis=1, keepdims=True)


def _joints_of_bones(armature: bpy.types.Object, body: Skeleton) -> dict[str, int]:
    """Return the joint of each deforming bone: its own if it is mapped, else that of the nearest bone at rest."""
    rig, joints = read_rig(armature), {name: joint for joint, name in enumerate(body.names)}
    rest = rest_positions(body) + rig.heads[rig.index[body.names[0]]]
    starts, ways, owners = _segments(body, rest)
    lengths = np.maximum(np.sum(ways**2, axis=1), 1e-12)
    tails = rig.to_world(rig.tails)
    found: dict[str, int] = {}
    for number, name in enumerate(rig.names):
        if name in joints:
            found[name] = joints[name]
        elif armature.data.bones[name].use_deform:
            middle = (rig.heads[number] + tails[number]) / 2
            along = np.clip(np.sum((middle - starts) * ways, axis=1) / lengths, 0.0, 1.0)
            away = np.linalg.norm(middle - starts - along[:, None] * ways, axis=1)
            found[name] = int(owners[int(away.argmin())])
    return {name: joint for name, joint in found.items() if armature.data.bones[name].use_deform}


def _segments(body: Skeleton, rest: Array) -> tuple[Array, Array, NDArray[np.intp]]:
    """Return start (S, 3), vector (S, 3) and joint (S) of each bone of a body at rest; meters, world."""
    rows = [(rest[joint], body.tips[joint], joint) for joint in range(len(body)) if not body.children[joint]]
    rows += [(rest[joint], body.offsets[child], joint) for joint in range(len(body)) for child in body.children[joint]]
    starts, ways, owners = zip(*rows, strict=True)
    return np.array(starts), np.array(ways), np.array(owners)
