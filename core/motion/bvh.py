"""Biovision hierarchy (BVH) files: read from any of the common dialects, written as the CMU clips are.

Ambiguities of the format are resolved here:

- Unit and up axis: see :mod:`.conventions`.
- Position channels are the joint's position relative to its parent, as Blender's importer reads them; or they are
  relative to OFFSET, as in the CMU clips on the CC_Base rig. For the root the reading is taken that brings the lowest
  joint closer to the ground plane on average, absolute in doubt; both agree for the usual OFFSET of zero. For other
  joints it is the reading whose mean is closer to OFFSET.
- Bones do not stretch: position channels of joints other than the root become the bone's offset by their median.
- If the hips are not the root but every known joint descends from them, they become the root, and the joints above are
  folded into them.
"""

import os
from pathlib import Path
from typing import Final

import numpy as np

from .bvh_parser import AXES, BvhJoint, BvhParser, MotionFileError, read_file
from .bvh_writer import write_bvh
from .clip import Clip
from .conventions import UpAxis, find_unit, find_up_axis
from .kinematics import forward_kinematics
from .rotations import Array, from_euler
from .skeleton import Skeleton

__all__ = ["MotionFileError", "read_bvh", "write_bvh"]

MIN_SAMPLED_FRAMES: Final = 30
"""Number of frames, at least, from which up axis and ground are estimated."""


def read_bvh(path: str | os.PathLike[str], *, unit: float | None = None, up: UpAxis | None = None) -> Clip:
    """Read a clip: meters, Blender's world, one rotation per joint relative to its parent.

    Args:
        path: the file.
        unit: meters in one of the file's units; found from the body's size by default.
        up: the file's up axis; found from the body's posture by default.

    Raises:
        MotionFileError: the file is missing, unreadable, damaged or unreasonably large.
    """
    path = Path(path)
    parser = BvhParser(path, read_file(path))
    joints = parser.hierarchy()
    rate, table = parser.motion(joints)
    _replace_position_channels(joints, table)
    skeleton = _skeleton(joints)
    rotations = _rotations(joints, table)
    roots = _root_positions(joints[0], table)
    step = max(len(roots) // MIN_SAMPLED_FRAMES, 1)
    sample = forward_kinematics(skeleton, roots[::step], rotations[::step])[0]
    axis = up or find_up_axis(skeleton, sample)
    if _root_is_relative(joints[0], sample[..., AXES.index(axis)], joints[0].offset[AXES.index(axis)]):
        roots = roots + skeleton.offsets[0]
    skeleton, roots, rotations = _reroot_at_hips(skeleton, roots, rotations)
    unit_m = unit or find_unit(skeleton)
    offsets, tips = skeleton.offsets.copy(), skeleton.tips
    offsets[0] = 0.0
    if axis == "Y":
        offsets, tips, roots, rotations = (
            _to_z_up(offsets),
            _to_z_up(tips),
            _to_z_up(roots),
            _rotations_to_z_up(rotations),
        )
    skeleton = Skeleton(skeleton.names, skeleton.parents, offsets * unit_m, tips * unit_m)
    return Clip(skeleton, rate, roots * unit_m, rotations, path.stem)


def _skeleton(joints: list[BvhJoint]) -> Skeleton:
    """Return the skeleton of the file's joints, in the file's unit and axes."""
    return Skeleton(
        tuple(_unique_names([joint.name for joint in joints])),
        tuple(joint.parent for joint in joints),
        np.array([joint.offset for joint in joints]),
        np.array([joint.tip or [0.0, 0.0, 0.0] for joint in joints]),
    )


def _unique_names(names: list[str]) -> list[str]:
    """Return the names with repeated ones numbered as Blender does."""
    taken = set(names)
    seen: dict[str, int] = {}
    result: list[str] = []
    for name in names:
        unique = name
        while name in seen and (unique == name or unique in taken):
            unique = f"{name}.{seen[name]:03d}"
            seen[name] += 1
        seen.setdefault(name, 1)
        result.append(unique)
    return result


def _replace_position_channels(joints: list[BvhJoint], table: Array) -> None:
    """Turn the position channels of all joints but the root into constant offsets."""
    for joint in joints[1:]:
        columns = joint.columns("position")
        if columns:
            place = np.array(joint.offset)
            axes = [AXES.index(axis) for axis in columns]
            given = np.median(table[:, list(columns.values())], axis=0)
            absolute = np.linalg.norm(given - place[axes]) <= np.linalg.norm(given)
            place[axes] = given if absolute else place[axes] + given
            joint.offset = place.tolist()


def _root_positions(root: BvhJoint, table: Array) -> Array:
    """Return the positions (F, 3) of the root's channels, in the file's unit and axes."""
    positions = np.tile(np.array(root.offset), (len(table), 1))
    for axis, column in root.columns("position").items():
        positions[:, AXES.index(axis)] = table[:, column]
    return positions


def _rotations(joints: list[BvhJoint], table: Array) -> Array:
    """Return rotations (F, J, 4) in the file's axes; a joint does not rotate about axes without a channel."""
    result = np.empty((len(table), len(joints), 4))
    groups: dict[str, list[int]] = {}
    for index, joint in enumerate(joints):
        groups.setdefault("".join(joint.columns("rotation")), []).append(index)
    for order, members in groups.items():
        full = order + "".join(axis for axis in AXES if axis not in order)
        angles = np.zeros((3, len(table), len(members)))
        for place, axis in enumerate(order):
            angles[place] = table[:, [joints[index].columns("rotation")[axis] for index in members]]
        result[:, members] = from_euler(np.moveaxis(np.deg2rad(angles), 0, -1), full)
    return result


def _root_is_relative(root: BvhJoint, heights: Array, offset: float) -> bool:
    """Return whether the root's position channels are relative to its OFFSET, by joint heights (F, J)."""
    if not root.columns("position"):
        return False
    ground = heights.min(axis=1).mean()
    return bool(abs(ground + offset) < abs(ground))


def _reroot_at_hips(skeleton: Skeleton, roots: Array, rotations: Array) -> tuple[Skeleton, Array, Array]:
    """Make the hips the root if every joint with a role descends from them; other branches (helpers) are dropped."""
    hips = skeleton.roles.get("hips", 0)
    kept = [hips]
    for joint, parent in enumerate(skeleton.parents):
        if parent in kept:
            kept.append(joint)
    if hips == 0 or len(skeleton.roles) < 2 or not set(skeleton.roles.values()) <= set(kept):
        return skeleton, roots, rotations
    chain = [hips]
    while chain[0]:
        chain.insert(0, skeleton.parents[chain[0]])
    above = Skeleton(
        tuple(skeleton.names[joint] for joint in chain),
        tuple(range(-1, len(chain) - 1)),
        skeleton.offsets[chain],
        skeleton.tips[chain],
    )
    positions, world_rotations = forward_kinematics(above, roots, rotations[:, chain])
    rotations = rotations[:, kept]
    rotations[:, 0] = world_rotations[:, -1]
    parents = tuple(-1 if joint == hips else kept.index(skeleton.parents[joint]) for joint in kept)
    names = tuple(skeleton.names[joint] for joint in kept)
    return Skeleton(names, parents, skeleton.offsets[kept], skeleton.tips[kept]), positions[:, -1], rotations


def _to_z_up(vectors: Array) -> Array:
    """Return Y-up vectors (..., 3) in Blender's world: (x, y, z) becomes (x, -z, y)."""
    return vectors[..., [0, 2, 1]] * np.array([1.0, -1.0, 1.0])


def _rotations_to_z_up(rotations: Array) -> Array:
    """Return Y-up rotations (..., 4) in Blender's world."""
    return rotations[..., [0, 1, 3, 2]] * np.array([1.0, 1.0, -1.0, 1.0])
