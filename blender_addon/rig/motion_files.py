"""Motion files as clips: BVH by the core, FBX through Blender's importer in a temporary scene."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.jobs.bounded_files import ContentError, open_regular
from ...core.jobs.found_files import files_below
from ...core.motion import Clip
from ...core.motion.bvh import read_bvh
from .. import compat
from ..animation.fcurve_io import read_action
from ..animation.fcurve_io.curves import CurveMap, curves_of
from ..animation.fcurve_io.slots import slot_for

MOTION_SUFFIXES: Final = (".bvh", ".fbx")
IMPORT_RATE_HZ: Final = 120
"""Frames a second at which FBX files are read; the usual rates of 24, 30 and 60 divide it."""
MIN_FILE_RATE_HZ: Final = 20.0
SPARSE_RATE_HZ: Final = 30.0
"""Frames per second of files with keys too sparse to tell."""


def find_files(folder: Path) -> list[Path]:
    """Return the motion files in a folder and its subfolders, as :func:`files_below` does."""
    return files_below(folder, MOTION_SUFFIXES)


def read_motion(path: Path) -> Clip:
    """Read a motion file; raise :class:`FootfallError` if it is damaged or has no motion of an armature."""
    return read_bvh(path) if path.suffix.lower() == ".bvh" else _read_fbx(path)


def _read_fbx(path: Path) -> Clip:
    try:
        open_regular(path).close()
    except (OSError, ContentError) as error:
        raise FootfallError("{path} cannot be read ({damaged}): export it again", path=path, damaged=error) from error
    with temporary_scene() as scene:
        try:
            compat.import_fbx(str(path))
        except RuntimeError as error:
            said = str(error).strip().removeprefix("Error: ").splitlines()
            raise FootfallError(
                "{path} cannot be read ({damaged}): export it again", path=path, damaged=said[0] if said else "damaged"
            ) from error
        for armature in (thing for thing in scene.objects if thing.type == "ARMATURE"):
            data = armature.animation_data
            if data is not None and data.action is not None:
                clip, _ = read_action(armature, data.action, scene)
                if not (np.isfinite(clip.root_positions).all() and np.isfinite(clip.rotations).all()):
                    raise FootfallError("{path} moves bones to places that are not numbers: export it again", path=path)
                slot = slot_for(armature, data.action)
                rate = _file_rate(curves_of(data.action, slot) if slot else {})
                return clip.resampled(rate)
        raise FootfallError("{path} contains no armature motion: export it with its animation", path=path)


def _file_rate(curves: CurveMap) -> float:
    """Return the frame rate of the file, frames per second, from the spacing of its keys."""
    steps = [np.median(np.diff(_key_times(curve))) for curve in curves.values() if len(curve.keyframe_points) > 2]
    rate = IMPORT_RATE_HZ / min(steps, default=IMPORT_RATE_HZ)
    return round(rate, 2) if rate >= MIN_FILE_RATE_HZ else SPARSE_RATE_HZ


def _key_times(curve: bpy.types.FCurve) -> np.ndarray:
    keys = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", keys)
    return keys[0::2]


@contextmanager
def temporary_scene() -> Iterator[bpy.types.Scene]:
    """Yield a scene to import into; remove it afterwards with everything created meanwhile."""
    before = {block.session_uid for block in bpy.data.user_map()}
    scene = bpy.data.scenes.new("Footfall Import")
    scene.render.fps, scene.render.fps_base = IMPORT_RATE_HZ, 1.0
    layer = scene.view_layers[0]
    try:
        with bpy.context.temp_override(scene=scene, view_layer=layer, collection=scene.collection):
            yield scene
    finally:
        bpy.data.batch_remove([block for block in bpy.data.user_map() if block.session_uid not in before])
