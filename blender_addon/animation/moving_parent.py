"""Armatures carried by a parent or a constraint: a bake in the world compensates this motion."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.motion import Clip
from ...core.motion import rotations as rot
from ...core.motion.rotations import Array

MAX_SIZE_RATIO: Final = 1e-3
"""Largest relative change of scale by a carrier."""
STILL_TOLERANCE: Final = 1e-5
"""Largest change of a matrix's elements for a carrier at rest."""


def carrier_of(armature: bpy.types.Object) -> bpy.types.Object | None:
    """Return the object that carries an armature, as its parent or by a constraint; ``None`` without one."""
    if armature.parent is not None:
        return armature.parent
    active = (one for one in armature.constraints if not one.mute and one.influence > 0.0)
    return next((target for one in active if (target := getattr(one, "target", None)) is not None), None)


def rides_along(armature: bpy.types.Object, other: bpy.types.Object | None) -> bool:
    """Return whether another object, such as a path, is also carried by the armature's parent."""
    above = other.parent if other is not None else None
    while above is not None and above != armature.parent:
        above = above.parent
    return above is not None


def without_carrier(armature: bpy.types.Object, clip: Clip, start_frame: int) -> Clip:
    """Return the motion relative to the armature's moving carrier, so that it can be keyed on the armature.

    Args:
        armature: the armature.
        clip: motion (F frames) in the world, at the scene's rate.
        start_frame: scene frame of the first frame.

    Returns:
        The clip itself if the armature has no moving carrier.

    Raises:
        FootfallError: the carrier changes the armature's size.
    """
    carrier = carrier_of(armature)
    if carrier is None:
        return clip
    now, places = _carrier_matrices(armature, range(start_frame, start_frame + len(clip)))
    if np.abs(places - now).max() < STILL_TOLERANCE:
        return clip
    back = now @ np.linalg.inv(places)
    sizes = np.linalg.norm(back[:, :3, :3], axis=1)
    if np.abs(sizes - 1.0).max() > MAX_SIZE_RATIO:
        raise FootfallError(
            "'{parent}' changes the size of its child '{name}' over time: clear the parent, or remove the "
            "scale keys of '{parent}'",
            parent=carrier.name,
            name=armature.name,
        )
    turns = rot.unroll(rot.from_matrix(back[:, :3, :3] / sizes[:, None]))
    rotations = clip.rotations.copy()
    rotations[:, 0] = rot.unroll(rot.multiply(turns, rotations[:, 0]))
    return replace(clip, root_positions=rot.rotate(turns, clip.root_positions) + back[:, :3, 3], rotations=rotations)


def _carrier_matrices(armature: bpy.types.Object, frames: range) -> tuple[Array, Array]:
    """Return the current matrix (4, 4) of an armature's carrier, and its matrices (F, 4, 4) at scene frames."""
    places = np.empty((len(frames), 4, 4))
    with _isolated_probe(armature) as (scene, probe):

        def place_at(frame: int) -> Array:
            scene.frame_set(frame)
            return np.array(probe.evaluated_get(scene.view_layers[0].depsgraph).matrix_world, dtype=float)

        now = place_at(bpy.context.scene.frame_current)
        for row, frame in enumerate(frames):
            places[row] = place_at(frame)
    return now, places


@contextmanager
def _isolated_probe(armature: bpy.types.Object) -> Iterator[tuple[bpy.types.Scene, bpy.types.Object]]:
    """Yield a temporary scene with an empty that has the armature's place and carrier."""
    scene, probe = bpy.data.scenes.new("Footfall"), bpy.data.objects.new("Footfall", None)
    try:
        like = bpy.context.scene
        scene.render.fps, scene.render.fps_base = like.render.fps, like.render.fps_base
        scene.collection.objects.link(probe)
        probe.parent, probe.parent_type, probe.parent_bone = armature.parent, armature.parent_type, armature.parent_bone
        probe.matrix_parent_inverse = armature.matrix_parent_inverse.copy()
        probe.matrix_basis = armature.matrix_basis.copy()
        for constraint in armature.constraints:
            probe.constraints.copy(constraint)
        yield scene, probe
    finally:
        bpy.data.objects.remove(probe)
        bpy.data.scenes.remove(scene)
