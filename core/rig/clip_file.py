"""Reader of clip files whose joints get roles from a rig map, else from joint names, else from joint positions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..motion import Clip, bvh
from ..motion.axes import UpAxis
from ..motion.bvh_target import BvhTarget
from ..motion.paws import require_whole_legs
from ..motion.roles import LOCOMOTION_ROLES, is_quadruped
from ..motion.rotations import rotate
from .rig_guess import RigTree, guess_map
from .rig_map import load_rig_map, with_mapped_roles

RIG_MAP_FILE_NAME: Final = "rig.toml"
"""Name of the rig map that applies to the clips of its folder and the folders below."""
SEARCHED_FOLDER_COUNT: Final = 3
"""Number of folders, from the clip's own upward, that are searched for a rig map."""


def find_rig_map(clip: Path) -> Path | None:
    """Return the nearest ``rig.toml`` in the clip's folder or the two above it; ``None`` if there is none."""
    folders = list(clip.absolute().parents)[:SEARCHED_FOLDER_COUNT]
    return next((folder / RIG_MAP_FILE_NAME for folder in folders if (folder / RIG_MAP_FILE_NAME).is_file()), None)


def read_clip(path: Path, *, unit: float | None = None, up: UpAxis | None = None) -> Clip:
    """Read a BVH file, with the joint roles of the rig map that applies to the file.

    Args:
        path: the file.
        unit: meters per unit of the file; estimated from the body's size by default.
        up: the file's up axis; estimated from the body's motion by default.

    Raises:
        FootfallError: the clip or its rig map cannot be read, or the map has front legs but not all four legs.
    """
    return read_target(path, unit=unit, up=up).clip


def read_target(path: Path, *, unit: float | None = None, up: UpAxis | None = None) -> BvhTarget:
    """Read a BVH file as the target of retargeting, with the joint roles of the rig map that applies to it.

    Unit, up axis and errors are those of :func:`read_clip`.
    """
    rig_map = find_rig_map(path)
    target = bvh.read_target(path, unit=unit, up=up, find_roles=lambda first: _roles_of(first, rig_map))
    if rig_map is not None:
        require_whole_legs(target.skeleton)
    return target


def _roles_of(first: Clip, rig_map: Path | None) -> Mapping[str, int]:
    """Return a file's joints by role: from a rig map, from names, or from names and the first frame's shape.

    Names suffice if they give all roles that locomotion needs. Callers report missing roles.
    """
    if rig_map is not None:
        return with_mapped_roles(first.skeleton, load_rig_map(rig_map)).roles
    roles = first.skeleton.roles
    if set(LOCOMOTION_ROLES) <= set(roles) and not is_quadruped(roles):
        return roles
    try:
        return with_mapped_roles(first.skeleton, guess_map(_rig_tree_of(first)).rig_map).roles
    except FootfallError:
        return roles


def _rig_tree_of(clip: Clip) -> RigTree:
    """Return the skeleton as posed in the clip's first frame, which is standing more often than the rest pose."""
    skeleton, heads = clip.skeleton, clip.positions[0]
    tails = heads + rotate(clip.world[1][0], skeleton.bone_vectors)
    return RigTree(skeleton.names, skeleton.parents, heads, tails, np.ones(len(skeleton), dtype=bool))
