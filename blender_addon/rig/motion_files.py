"""Motion files as clips: BVH by the core, FBX through Blender's importer in a temporary scene."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.jobs.bounded_files import ContentError, open_regular
from ...core.jobs.file_names import disk_key, safe_file_name
from ...core.jobs.found_files import files_below
from ...core.motion import Clip
from ...core.motion.bvh import read_bvh
from .. import compat
from ..animation.fcurve_io.curves import CurveMap, curves_of
from ..animation.fcurve_io.reader import scene_rate
from .clip_reader import read_mapped_action
from .clips import ArmatureAction
from .fbx_names import names_in_file, own_names
from .key_times import are_finite, own_rate, put_on_frames

MOTION_SUFFIXES: Final = (".bvh", ".fbx")
UNREAD_SUFFIXES: Final = (".glb", ".gltf")
"""Suffixes of files with motion that cannot be read."""


@dataclass(frozen=True, slots=True)
class FileMotion:
    """One motion of a file: that of a person in a take.

    Attributes:
        name: name of the person and the take, as far as the file holds several; empty for the only motion of a file.
        path: the file; for one of several motions, the path that a file of its own would have, beside which labels lie.
    """

    name: str
    path: Path
    clip: Clip


@dataclass(frozen=True, slots=True)
class MotionFile:
    """The motions of a file, at least one.

    Attributes:
        motions: the readable motions.
        unread: errors of the other motions, by name.
    """

    motions: tuple[FileMotion, ...]
    unread: dict[str, str]

    @property
    def names(self) -> list[str]:
        return [*(motion.name for motion in self.motions), *self.unread]


def find_files(folder: Path) -> list[Path]:
    """Return the motion files in a folder and its subfolders; see :func:`files_below`."""
    return files_below(folder, MOTION_SUFFIXES)


def read_motions(path: Path) -> MotionFile:
    """Read a motion file; raise :class:`FootfallError` if it is damaged or contains no armature motion."""
    if path.suffix.lower() == ".bvh":
        return MotionFile((FileMotion("", path, read_bvh(path)),), {})
    return _read_fbx(path)


def _read_fbx(path: Path) -> MotionFile:
    try:
        open_regular(path).close()
    except (OSError, ContentError) as error:
        raise FootfallError(
            "The file '{path}' cannot be read ({error}): export it again", path=path, error=error
        ) from error
    with temporary_scene() as scene:
        before = set(bpy.data.actions)
        try:
            compat.import_fbx(str(path))
        except RuntimeError as error:
            said = str(error).strip().removeprefix("Error: ").splitlines()
            raise FootfallError(
                "The file '{path}' cannot be read ({error}): export it again",
                path=path,
                error=said[0] if said else "damaged",
            ) from error
        takes = _imported_takes(scene, [action for action in bpy.data.actions if action not in before])
        if not takes:
            raise FootfallError(
                "The file '{path}' contains no motion of an armature: export it with its animation", path=path
            )
        rate, clips, unread = scene_rate(scene), {}, {}
        for name, take in _named(takes, path).items():
            try:
                clips[name] = _read_take(path, take, scene, rate)
            except FootfallError as error:
                if len(takes) == 1:
                    raise
                unread[name] = str(error)
        if not clips:
            first = next(iter(unread.values()))
            raise FootfallError(
                "None of the motions in the file '{path}' can be read: {reason}", path=path, reason=first
            )
        return MotionFile(tuple(_file_motions(path, clips, len(takes) == 1)), unread)


def _imported_takes(scene: bpy.types.Scene, actions: list[bpy.types.Action]) -> list[ArmatureAction]:
    """Return the takes imported into a scene, armature by armature."""
    return [
        (armature, action)
        for armature in scene.objects
        if armature.type == "ARMATURE"
        for action in actions
        if any(path.startswith("pose.") for path, _ in _curves(armature, action))
    ]


def _curves(armature: bpy.types.Object, action: bpy.types.Action) -> CurveMap:
    """Return the curves by which an action moves this armature rather than another one with the same bones."""
    data = armature.animation_data
    assigned = data.action_slot if data is not None and data.action == action else None
    slot = assigned or action.slots.get(f"OB{armature.name}")
    return curves_of(action, slot) if slot else {}


def _named(takes: list[ArmatureAction], path: Path) -> dict[str, ArmatureAction]:
    """Return the takes sorted by name; the name consists of person and take, as far as these differ in the file."""
    armatures = own_names({armature.name for armature, _ in takes}, names_in_file(path, "Model"))
    actions = own_names({action.name for _, action in takes}, names_in_file(path, "AnimStack"))
    found: dict[str, ArmatureAction] = {}
    for armature, action in takes:
        person = armatures[armature.name]
        take = actions[action.name].removeprefix(f"{person}|")
        own = sum(other == armature for other, _ in takes)
        parts = [*([person] if len(armatures) > 1 else []), *([take] if own > 1 else [])]
        name = " ".join(parts) or take
        found[name if name not in found else f"{name} {action.name}"] = armature, action
    return dict(sorted(found.items()))


def _read_take(path: Path, take: ArmatureAction, scene: bpy.types.Scene, file_rate: float) -> Clip:
    """Return the motion of a take at its own frame rate."""
    armature, action = take
    curves = _curves(armature, action)
    damaged = FootfallError(
        "The file '{path}' contains bone positions that are not numbers: export it again", path=path
    )
    if not are_finite(curves.values()):
        raise damaged
    rate = own_rate(curves.values(), file_rate)
    put_on_frames(curves.values(), rate / file_rate)
    scene.render.fps = max(int(np.ceil(rate - 1e-6)), 1)
    scene.render.fps_base = scene.render.fps / rate
    clip, _ = read_mapped_action(armature, action, scene)
    if not (np.isfinite(clip.root_positions).all() and np.isfinite(clip.rotations).all()):
        raise damaged
    return replace(clip, rate=rate)


def _file_motions(path: Path, clips: dict[str, Clip], is_only: bool) -> Iterator[FileMotion]:
    """Yield the motions in a file, each with a path of its own."""
    if is_only:
        yield from (FileMotion("", path, clip) for clip in clips.values())
        return
    taken: set[str] = set()
    for name, clip in clips.items():
        safe, number = safe_file_name(name), 2
        own = path.with_name(f"{path.stem}.{safe}{path.suffix}")
        while disk_key(own) in taken:
            own, number = path.with_name(f"{path.stem}.{safe}-{number}{path.suffix}"), number + 1
        taken.add(disk_key(own))
        yield FileMotion(name, own, clip)


@contextmanager
def temporary_scene() -> Iterator[bpy.types.Scene]:
    """Yield a scene to import into; afterward remove it together with everything created in the meantime."""
    before = {block.session_uid for block in bpy.data.user_map()}
    scene = bpy.data.scenes.new("Footfall Import")
    layer = scene.view_layers[0]
    try:
        with bpy.context.temp_override(scene=scene, view_layer=layer, collection=scene.collection):
            yield scene
    finally:
        bpy.data.batch_remove([block for block in bpy.data.user_map() if block.session_uid not in before])
