"""From a clip on a rig's body to keys on the rig, as its output settings request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.utils import escape_identifier
from mathutils import Matrix

from ...core.errors import FootfallError
from ...core.message import Message
from ...core.motion import Clip
from ...core.motion import rotations as rot
from ...core.motion.contacts import CONTACT_THRESHOLD
from ...core.motion.rotations import Array
from ...core.retarget.root_motion import RootAxes
from ...core.rig.rig_map import RigMap
from ...core.rig.rig_map import roles as rig_roles
from .controls import LimbMode, solve_control_tracks
from .controls.control import LIMB_CHAINS
from .fcurve_io.sparse_writer import ReducedKeyWriter
from .fcurve_io.tracks import PropertyTrack
from .layers import BakeRecord, BakeSource, Destination, companions_of, replaced_bake, revert, root_motion, write
from .layers.animation import animated_by_action
from .layers.bake_record import PreviousState, note_source, own_records, source_of, span_of
from .layers.strip_replacement import main_strip, take_out
from .layers.track_writer import TrackWriter, write_tracks
from .moving_parent import carrier_of, without_carrier


@dataclass(frozen=True, slots=True)
class BakeOutput:
    """The result of a bake: its record, warnings for the user, and the objects moved by its last version."""

    record: BakeRecord
    warnings: tuple[str, ...]
    moved_before: tuple[bpy.types.Object, ...] = ()


def bake_start_frame(armature: bpy.types.Object, default_frame: int) -> int:
    """Return the scene frame at which a bake starts: the first frame of its range, else the default frame."""
    output = armature.footfall.output
    return output.frame_start if output.destination == "RANGE" else default_frame


def walk_start_frame(armature: bpy.types.Object, scene: bpy.types.Scene, again: BakeSource | None = None) -> int:
    """Return the scene frame at which a character's walk starts, according to its settings.

    Args:
        armature: the character.
        scene: the scene.
        again: source of an existing bake whose start the walk keeps, unless the setting was changed.
    """
    setting = armature.footfall.start
    usual = scene.frame_current if setting == "CURRENT" else scene.frame_start
    if again is not None:
        before = _start_before(armature, again, setting)
        usual = usual if before is None else before
    return bake_start_frame(armature, usual)


def _start_before(armature: bpy.types.Object, source: BakeSource, setting: str) -> int | None:
    """Return the start frame of the bake's last version; ``None`` if the bake has no place of its own."""
    kind = armature.footfall.output.destination
    for _, entry in own_records(armature):
        span = span_of(entry)
        if entry.destination != kind or source_of(entry) != source or span is None:
            continue
        if PreviousState.from_json(entry.previous_state).start != setting:
            return None
        if kind == "STRIP":
            strip = main_strip(armature.animation_data, entry)
            if strip is not None:
                return round(strip.frame_start)
        elif setting == "CURRENT":
            return span[0]
    return None


def walk_source(armature: bpy.types.Object) -> BakeSource:
    """Return the source to record for a character's walk: its path, or its waypoints."""
    path = armature.footfall.path
    return BakeSource("WALK", "" if path is None else path.name_full)


def write_output(
    armature: bpy.types.Object,
    rig_map: RigMap,
    clip: Clip,
    start_frame: int,
    name: str,
    contacts: Mapping[str, Array],
    source: BakeSource,
    ground_height: float = 0.0,
    beside: Sequence[PropertyTrack] = (),
    is_carried: bool = False,
) -> BakeOutput:
    """Write a clip to the rig; if the bake's last version is unedited, it is replaced.

    Args:
        armature: the armature object.
        rig_map: the armature's rig map.
        clip: motion (F frames) on the map's body, at the scene's rate, in the world.
        start_frame: scene frame of the clip's first frame.
        name: name of a new action.
        contacts: contact probabilities (F) by joint name.
        source: source of the bake.
        ground_height: the height of the ground at the start, meters.
        beside: tracks of other bones over the same frames, such as fingers.
        is_carried: whether a moving parent carries the motion.

    Raises:
        FootfallError: the bake is impossible; nothing was changed.
    """
    settings = armature.footfall.output
    destination = make_destination(settings, start_frame, len(clip))
    number = replaced_bake(armature, source, destination, start_frame, len(clip))
    standing = clip if is_carried else without_carrier(armature, clip, start_frame)
    tracks, warnings = _tracks(armature, rig_map, standing, ground_height)
    taken, moved = None, ()
    if number is not None:
        stood, moved = armature.matrix_world.copy(), tuple(companions_of(armature, number))
        if destination.kind == "STRIP":
            taken = take_out(armature, number)
        else:
            revert(armature, known_untouched=True)
        bpy.context.view_layer.update()
        # The replaced bake may have moved the object, and keyed the user's own properties, such as IK switches.
        if rig_map.ik or stood != armature.matrix_world:
            turned = _with_object_transform(standing, stood, armature.matrix_world)
            tracks, warnings = _tracks(armature, rig_map, turned, ground_height)
    carrier = carrier_of(armature)
    if standing is not clip and carrier is not None:
        names = {"parent": carrier.name, "name": armature.name}
        made_up = Message("'{parent}' moves its child '{name}', and the bake compensates for that motion", **names)
        warnings = (*warnings, made_up)
    writer: TrackWriter = write_tracks
    if settings.reduce_keys:
        touched = contact_masks(rig_map, contacts, settings.controls)
        by_ik = rig_map if settings.controls == "IK" else None
        writer = ReducedKeyWriter(armature, settings.max_error, touched, float(start_frame), by_ik)
    switches = ik_fk_switches(rig_map)
    record = write(armature, [*tracks, *beside], start_frame, destination, name, writer, switches, taken)
    note_source(armature, record.action, source, armature.footfall.start)
    return BakeOutput(record, warnings, moved)


def _tracks(
    armature: bpy.types.Object, rig_map: RigMap, clip: Clip, ground_height: float
) -> tuple[list[PropertyTrack], tuple[str, ...]]:
    """Return the tracks that make the rig, with the carrier in the settings, follow a clip, and any warnings."""
    settings = armature.footfall.output
    bone = rig_map.bones.get("root")
    axes = RootAxes(*settings.root_axes, yaw=settings.root_rotation)
    root = root_motion.root_motion(bone, clip, settings.root_motion, axes, ground_height)
    # In a partly changed action, keys on other bones are the animator's; other destinations are above them.
    spared = animated_by_action(armature.animation_data) if settings.destination == "RANGE" else ()
    controls = solve_control_tracks(
        armature, rig_map, root_motion.remove_object_motion(armature, clip, root), settings.controls, root, spared
    )
    tracks = [*controls.tracks, *root_motion.root_tracks(armature, root, bone)]
    if len(clip) > 1 and not any(len(track.values) > 1 for track in tracks):
        raise FootfallError(
            "All bones of '{name}' that would be keyed are locked: unlock their location and rotation in the "
            "sidebar, under Item",
            name=armature.name,
        )
    return tracks, controls.warnings


def _with_object_transform(clip: Clip, previous_matrix: Matrix, current_matrix: Matrix) -> Clip:
    """Return the motion converted to an armature whose object was moved; the joints' zero pose turns with it."""
    turn = np.array((previous_matrix.to_quaternion() @ current_matrix.to_quaternion().inverted())[:])
    back, own = rot.inverse(turn), clip.skeleton
    skeleton = replace(own, offsets=rot.rotate(back, own.offsets), tips=rot.rotate(back, own.tips))
    rotations = rot.multiply(clip.rotations, turn)
    rotations[:, 1:] = rot.multiply(back, rotations[:, 1:])
    return replace(clip, skeleton=skeleton, rotations=rotations)


def contact_masks(rig_map: RigMap, contacts: Mapping[str, Array], limb_mode: LimbMode) -> dict[str, Array]:
    """Convert contact probabilities (F) by joint to contact masks (F) by keyed bone."""
    result: dict[str, Array] = {}
    for role, probability in contacts.items():
        if role not in rig_map.bones:
            continue
        limb = rig_map.ik.get(role) if limb_mode == "IK" else None
        result[limb.control if limb else rig_map.control(role)] = np.asarray(
            probability > CONTACT_THRESHOLD, dtype=float
        )
    return result


def make_destination(settings: bpy.types.PropertyGroup, start: int, frames: int) -> Destination:
    """Return the destination in the settings; a frame range is cut to the end of the bake."""
    if settings.destination == "ACTION":
        return Destination()
    if settings.destination == "STRIP":
        return Destination("STRIP", settings.blend_in, settings.blend_out)
    last = min(settings.frame_end, start + frames - 1)
    return Destination("RANGE", settings.blend_in, settings.blend_out, settings.frame_start, last)


def ik_fk_switches(rig_map: RigMap) -> dict[str, tuple[str, ...]]:
    """Return the data paths of the map's IK/FK switches, each with the bones it affects."""
    result: dict[str, tuple[str, ...]] = {}
    for role, limb in rig_map.ik.items():
        if limb.switch is None:
            continue
        part, _, side = rig_roles.split_role(role)
        chain = [rig_roles.join_role(name, 1, side) for name in LIMB_CHAINS[part]]
        by_fk = [rig_map.control(name) for name in chain if name in rig_map.bones]
        by_ik = [bone for bone in (limb.control, limb.pole, limb.toe) if bone]
        bone, name = map(escape_identifier, (limb.switch.bone, limb.switch.property))
        result[f'pose.bones["{bone}"]["{name}"]'] = (*by_fk, *by_ik)
    return result
