"""From a clip on a rig's body to keys on the rig, the way its output settings ask for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.utils import escape_identifier
from mathutils import Matrix

from ...core.motion import Clip
from ...core.motion import rotations as rot
from ...core.motion.rotations import Array
from ...core.retarget.contacts import THRESHOLD
from ...core.retarget.root_motion import RootAxes
from ...core.rig.rig_map import RigMap
from ...core.rig.rig_map import roles as rig_roles
from .controls import Limbs, control_tracks
from .controls.control import IN_LIMB
from .fcurve_io.sparse_writer import SparseWriter
from .fcurve_io.tracks import Track
from .layers import BakeRecord, Destination, gives_way, revert, root_motion, write
from .layers.animation import animated_by_action
from .layers.track_writer import Writer, write_tracks


@dataclass(frozen=True, slots=True)
class Output:
    """What became of a bake: its record, and what the user should know."""

    record: BakeRecord
    warnings: tuple[str, ...]


def start_frame(armature: bpy.types.Object, usual: int) -> int:
    """The scene's frame at which a bake starts: the range's first one, else the usual one."""
    output = armature.footfall.output
    return output.first if output.destination == "RANGE" else usual


def first_frame(armature: bpy.types.Object, scene: bpy.types.Scene) -> int:
    """The scene's frame at which a walk of a character starts, as its settings say."""
    usual = scene.frame_current if armature.footfall.start == "CURRENT" else scene.frame_start
    return start_frame(armature, usual)


def write_output(
    armature: bpy.types.Object,
    rig_map: RigMap,
    clip: Clip,
    start: int,
    name: str,
    contacts: Mapping[str, Array],
    ground: float = 0.0,
) -> Output:
    """Puts a clip on the rig. The last bake gives way where it went to the same place and nobody edited it.

    Args:
        armature: the armature object.
        rig_map: its map.
        clip: motion (F frames) on the map's body, at the scene's rate, in the world.
        start: the scene's frame of the clip's first one.
        name: what a new action is called.
        contacts: probabilities (F) that a joint touches something, by its name.
        ground: the height of the ground at the start, metres.

    Raises:
        FootfallError: something stands in the way; nothing was changed.
    """
    settings = armature.footfall.output
    destination = destination_of(settings, start, len(clip))
    replaces = gives_way(armature, destination, start, len(clip))
    tracks, warnings = _tracks(armature, rig_map, clip, ground)
    if replaces:
        stood = armature.matrix_world.copy()
        revert(armature, untouched=True)
        bpy.context.view_layer.update()
        # The bake that is gone may have moved the object, and keyed what is the user's to key: switches of IK.
        if rig_map.ik or stood != armature.matrix_world:
            tracks, warnings = _tracks(armature, rig_map, _for_object(clip, stood, armature.matrix_world), ground)
    writer: Writer = write_tracks
    if settings.sparse:
        touched = touching(rig_map, contacts, settings.limbs)
        by_ik = rig_map if settings.limbs == "IK" else None
        writer = SparseWriter(armature, settings.error, touched, float(start), by_ik)
    record = write(armature, tracks, start, destination, name, writer, switches_of(rig_map))
    return Output(record, warnings)


def _tracks(
    armature: bpy.types.Object, rig_map: RigMap, clip: Clip, ground: float
) -> tuple[list[Track], tuple[str, ...]]:
    """What to key so that the rig moves as the clip, carried by what the settings say; and what to mind."""
    settings = armature.footfall.output
    bone = rig_map.bones.get("root")
    axes = RootAxes(*settings.travel, yaw=settings.turns)
    root = root_motion.root_motion(bone, clip, settings.carrier, axes, ground)
    # In an action that is changed in part, keys on other bones are the animator's; other destinations lie over them.
    spared = animated_by_action(armature.animation_data) if settings.destination == "RANGE" else ()
    controls = control_tracks(armature, rig_map, root_motion.under(armature, clip, root), settings.limbs, root, spared)
    return [*controls.tracks, *root_motion.tracks(armature, root, bone)], controls.warnings


def _for_object(clip: Clip, stood: Matrix, stands: Matrix) -> Clip:
    """The same motion of an armature that stands otherwise now: its joints' zero pose has been turned with it."""
    turn = np.array((stood.to_quaternion() @ stands.to_quaternion().inverted())[:])
    back, own = rot.inverse(turn), clip.skeleton
    skeleton = replace(own, offsets=rot.rotate(back, own.offsets), tips=rot.rotate(back, own.tips))
    rotations = rot.multiply(clip.rotations, turn)
    rotations[:, 1:] = rot.multiply(back, rotations[:, 1:])
    return replace(clip, skeleton=skeleton, rotations=rotations)


def touching(rig_map: RigMap, contacts: Mapping[str, Array], limbs: Limbs) -> dict[str, Array]:
    """Whether (F) bones touch something that are keyed for the joints of contacts, probabilities (F) by joint."""
    result: dict[str, Array] = {}
    for role, probability in contacts.items():
        if role not in rig_map.bones:
            continue
        limb = rig_map.ik.get(role) if limbs == "IK" else None
        result[limb.control if limb else rig_map.control(role)] = np.asarray(probability > THRESHOLD, dtype=float)
    return result


def destination_of(settings: bpy.types.PropertyGroup, start: int, frames: int) -> Destination:
    """Where the settings have a bake of so many frames go; a range ends where the bake does, at the latest."""
    if settings.destination == "ACTION":
        return Destination()
    if settings.destination == "STRIP":
        return Destination("STRIP", settings.blend_in, settings.blend_out)
    last = min(settings.last, start + frames - 1)
    return Destination("RANGE", settings.blend_in, settings.blend_out, settings.first, last)


def switches_of(rig_map: RigMap) -> dict[str, tuple[str, ...]]:
    """The data paths of the map's IK/FK switches, and the bones that each chooses between."""
    result: dict[str, tuple[str, ...]] = {}
    for role, limb in rig_map.ik.items():
        if limb.switch is None:
            continue
        part, _, side = rig_roles.split(role)
        chain = [rig_roles.join(name, 1, side) for name in IN_LIMB[part]]
        by_fk = [rig_map.control(name) for name in chain if name in rig_map.bones]
        by_ik = [bone for bone in (limb.control, limb.pole, limb.toe) if bone]
        bone, name = map(escape_identifier, (limb.switch.bone, limb.switch.property))
        result[f'pose.bones["{bone}"]["{name}"]'] = (*by_fk, *by_ik)
    return result
