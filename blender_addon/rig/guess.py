"""Guesses of the roles of an armature's bones, cached for each armature in its current state."""

import zlib

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.rig.rig_guess import RigGuess, RigTree, guess_map
from ..animation.controls.channels import has_free_location
from ..animation.fcurve_io import Rig, read_rig
from ..ui.memo import Memo

_guesses: Memo[RigGuess] = Memo()


def guess_rig(armature: bpy.types.Object) -> RigGuess:
    """Guess the rig map from an armature's current state.

    Raises:
        FootfallError: the armature does not look like a body.
    """
    rig = read_rig(armature)
    deform = np.array([armature.data.bones[name].use_deform for name in rig.names], dtype=bool)
    movable = np.array([has_free_location(armature.pose.bones[name]) for name in rig.names], dtype=bool)
    key = _cache_key(rig, deform, movable)
    tree = RigTree(rig.names, rig.parents, rig.heads, rig.to_world(rig.tails), deform, movable)
    return _guesses.get(key, lambda: guess_map(tree))


def _cache_key(rig: Rig, *flags: NDArray[np.bool_]) -> int:
    total = zlib.crc32("\n".join(rig.names).encode())
    for numbers in (np.array(rig.parents), rig.rest_matrices, rig.tails, rig.world_matrix, *flags):
        total = zlib.crc32(np.ascontiguousarray(numbers).tobytes(), total)
    return total
