"""A character's place on the ground and its facing direction, as an empty for constraints, cameras and simulations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.labelling.contacts.foot_support import find_foot_support
from ...core.motion import Clip
from ...core.motion.proportions import has_toes
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import Array
from .. import compat
from ..animation.fcurve_io.curves import write_channel, write_curve
from ..animation.layers.animation import scene_frame, uses_action
from ..rig.sole_height import joint_rise
from ..units import meters_per_unit
from .store import read_editable_labels

CURVE_GROUP: Final = "Root"
FOOT_PROPERTIES: Final = {"L": "footfall_foot_contact_L", "R": "footfall_foot_contact_R"}
"""The custom properties for contacts of the feet."""
OWNER_PROPERTY: Final = "footfall_root_of"
"""The custom property of an empty that names the owner of the root."""
EMPTY_SIZE_M: Final = 0.4
"""Size of the empty's axes, meters."""


@dataclass(frozen=True, slots=True, eq=False)
class RootCurves:
    """The root of a character in the scene, over F frames.

    Attributes:
        frames: (F) the scene's frames, ascending.
        positions: (F, 3) on the ground, world, meters.
        yaws: (F) yaws, radians, continuous, counter-clockwise from the world's +Y.
        foot_contacts: (F) whether the foot touches the ground, by side: ``"L"`` and ``"R"``.
    """

    frames: Array
    positions: Array
    yaws: Array
    foot_contacts: Mapping[str, NDArray[np.bool_]]


def action_with_root(armature: bpy.types.Object) -> bpy.types.Action | None:
    """Return the action to read the root from: the last bake if it still plays, else the assigned action."""
    data, baked = armature.animation_data, armature.footfall.baked_action
    if baked is not None and uses_action(data, baked):
        return baked
    return data.action if data else None


def compute_root_curves(
    armature: bpy.types.Object, action: bpy.types.Action, clip: Clip, first_frame: int
) -> RootCurves:
    """Compute the root curves of an action's motion.

    Foot contacts come from the action's labels; without labels, they are detected.

    Args:
        armature: the armature of the action.
        action: the action.
        clip: the action's motion, in the world, at the scene's rate.
        first_frame: the action's frame of the clip's first frame.

    Raises:
        FootfallError: the clip has fewer than two frames, or the skeleton lacks hips or legs.
    """
    track, stance = root_track(clip), find_foot_support(clip)
    higher = joint_rise(armature, "toe" if has_toes(clip.skeleton) else "foot")
    places = np.column_stack([track.positions, stance.ground_height - higher])
    start, end = (scene_frame(armature.animation_data, action, first_frame + frame) for frame in (0, len(clip) - 1))
    down = {side: stance.down[:, column] for column, side in enumerate(FOOT_PROPERTIES)}
    down |= _labeled_foot_contacts(armature, action, clip, first_frame)
    return RootCurves(np.linspace(start, end, len(clip)), places, track.yaws, down)


def _labeled_foot_contacts(
    armature: bpy.types.Object, action: bpy.types.Action, clip: Clip, first_frame: int
) -> dict[str, NDArray[np.bool_]]:
    """Return the contacts (F) of each foot, by side, from an action's labels; empty without labels."""
    if not action.footfall.frame_count:
        return {}
    marks = read_editable_labels(action)
    at = np.arange(first_frame, first_frame + len(clip)) - marks.first_frame
    inside = (at >= 0) & (at < marks.frame_count)
    known = set(marks.contact_feet.values())
    return {
        side: inside & marks.foot_contact_mask(side)[np.clip(at, 0, marks.frame_count - 1)]
        for side in FOOT_PROPERTIES
        if side in known
    }


def write_root(armature: bpy.types.Object, curves: RootCurves, scene: bpy.types.Scene) -> bpy.types.Object:
    """Key the root on every frame of the armature's root empty, which is created if it is missing; return it."""
    empty = _root_empty(armature, scene)
    data = empty.animation_data_create()
    if data.action is None or not data.action.is_editable:
        data.action = bpy.data.actions.new(empty.name)
    action = data.action
    slot = data.action_slot or compat.ensure_slot(action, empty)
    channelbag = compat.ensure_channelbag(action, slot)
    write_channel(
        channelbag, "location", CURVE_GROUP, curves.frames, curves.positions.T / meters_per_unit(scene), "LINEAR"
    )
    write_curve(channelbag, "rotation_euler", 2, CURVE_GROUP, curves.frames, curves.yaws, "LINEAR")
    for side, name in FOOT_PROPERTIES.items():
        _write_foot_contact(empty, channelbag, name, curves.frames, curves.foot_contacts[side])
    data.action_slot = slot
    empty.update_tag()
    return empty


def _root_empty(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object:
    """Return the armature's root empty, upright and in the scene; create one if there is none to edit."""
    empty = next(
        (thing for thing in bpy.data.objects if thing.get(OWNER_PROPERTY) == armature and thing.is_editable), None
    )
    if empty is None:
        empty = bpy.data.objects.new(f"{armature.name} Root", None)
        empty.empty_display_type, empty.empty_display_size = "ARROWS", EMPTY_SIZE_M / meters_per_unit(scene)
        empty[OWNER_PROPERTY] = armature
    if scene.objects.get(empty.name) != empty:
        homes = [home for home in armature.users_collection if home.is_editable]
        (homes or [scene.collection])[0].objects.link(empty)
    empty.rotation_mode, empty.rotation_euler = "XYZ", (0.0, 0.0, 0.0)
    return empty


def _write_foot_contact(
    empty: bpy.types.Object,
    channelbag: bpy.types.ActionChannelbag,
    name: str,
    frames: Array,
    contact: NDArray[np.bool_],
) -> None:
    """Key a foot's contact where it starts and where it ends."""
    empty[name] = 0.0
    empty.id_properties_ui(name).update(
        min=0.0, max=1.0, description="Contact of the foot: 1 on the ground, 0 off the ground"
    )
    changes = np.concatenate([[0], np.flatnonzero(np.diff(contact)) + 1])
    write_curve(channelbag, f'["{name}"]', 0, CURVE_GROUP, frames[changes], contact[changes].astype(float), "CONSTANT")
