"""Clip files with roles: from their rig map, else from the joints' names, else from the joints' positions."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..motion import Clip
from ..motion.bvh import read_bvh
from ..motion.paws import require_whole_legs
from ..motion.roles import is_quadruped
from ..motion.rotations import rotate
from .rig_guess import RigTree, guess_map
from .rig_map import RigMap, load_rig_map, with_mapped_roles

RIG_MAP_FILE_NAME: Final = "rig.toml"
"""Name of the rig map that applies to the clips of its folder and the folders below."""
SEARCHED_FOLDER_COUNT: Final = 3
"""Number of folders, from the clip's own upward, that are searched for a rig map."""


def find_rig_map(clip: Path) -> Path | None:
    """Return the nearest ``rig.toml`` of the clip's folder or the two above; ``None`` if there is none."""
    folders = list(clip.absolute().parents)[:SEARCHED_FOLDER_COUNT]
    return next((folder / RIG_MAP_FILE_NAME for folder in folders if (folder / RIG_MAP_FILE_NAME).is_file()), None)


def read_clip(path: Path) -> Clip:
    """Read a BVH file, with the roles of the rig map that applies to it.

    Raises:
        FootfallError: one of the two files cannot be understood, or the map has a front leg, but not all four legs.
    """
    clip, rig_map = read_bvh(path), find_rig_map(path)
    if rig_map is not None:
        mapped = _with_roles(clip, load_rig_map(rig_map))
        require_whole_legs(mapped.skeleton)
        return mapped
    roles = clip.skeleton.roles
    if any(role.startswith("thigh") for role in roles) and not is_quadruped(roles):
        return clip
    try:
        return _with_roles(clip, guess_map(_rig_tree_of(clip)).rig_map)
    except FootfallError:
        return clip  # Callers that need roles report the missing ones.


def _with_roles(clip: Clip, rig_map: RigMap) -> Clip:
    """Return the clip with the roles of a rig map."""
    return replace(clip, skeleton=with_mapped_roles(clip.skeleton, rig_map))


def _rig_tree_of(clip: Clip) -> RigTree:
    """Return the skeleton in the clip's first frame, which is a standing pose more often than its rest pose is."""
    skeleton, heads = clip.skeleton, clip.positions[0]
    tails = heads + rotate(clip.world[1][0], skeleton.bone_vectors)
    return RigTree(skeleton.names, skeleton.parents, heads, tails, np.ones(len(skeleton), dtype=bool))
