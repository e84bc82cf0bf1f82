"""Where a character is on the ground and which way it faces, as an empty: for constraints, cameras and simulations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.labelling.contacts.foot_support import stance_of
from ...core.motion import Clip
from ...core.motion.proportions import has_toes
from ...core.motion.root_frame import root_track
from ...core.motion.rotations import Array
from .. import compat
from ..animation.fcurve_io.curves import write, write_curve
from ..animation.layers.animation import scene_frame, uses
from ..rig.sole_height import rise
from .store import read_marks

GROUP: Final = "Root"
FEET: Final = {"L": "footfall_foot_L", "R": "footfall_foot_R"}
"""The custom properties that say whether a foot is down."""
OWNER: Final = "footfall_root_of"
"""The custom property of an empty that says whose root it is."""
SIZE: Final = 0.4
"""Metres of the empty's axes."""


@dataclass(frozen=True, slots=True, eq=False)
class RootCurves:
    """The root of a character in the scene, over F frames.

    Attributes:
        frames: (F) the scene's, ascending.
        places: (F, 3) on the ground, metres, world.
        yaws: (F) radians, continuous; at 0 it faces the world's +Y.
        down: whether (F) the left and the right foot touch the ground, by side.
    """

    frames: Array
    places: Array
    yaws: Array
    down: Mapping[str, NDArray[np.bool_]]


def action_with_root(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The action that the root is taken from: the last bake, where the armature still plays it, else the assigned."""
    data, baked = armature.animation_data, armature.footfall.baked
    if baked is not None and uses(data, baked):
        return baked
    return data.action if data else None


def root_curves(armature: bpy.types.Object, action: bpy.types.Action, clip: Clip, first: int) -> RootCurves:
    """The root of an action's motion; feet are down where its labels say so, without labels where they are seen to be.

    Args:
        armature: whose action.
        action: the action.
        clip: its motion, in the world, at the scene's rate; ...
        first: ... and the action's frame of the clip's first one.

    Raises:
        FootfallError: the clip has fewer than two frames, or the skeleton lacks hips or legs.
    """
    track, stance = root_track(clip), stance_of(clip)
    higher = rise(armature, "toe" if has_toes(clip.skeleton) else "foot")
    places = np.column_stack([track.positions, stance.level - higher])
    start, end = (scene_frame(armature.animation_data, action, first + frame) for frame in (0, len(clip) - 1))
    down = {side: stance.down[:, column] for column, side in enumerate(FEET)}
    down |= _labelled(armature, action, clip, first)
    return RootCurves(np.linspace(start, end, len(clip)), places, track.yaws, down)


def _labelled(
    armature: bpy.types.Object, action: bpy.types.Action, clip: Clip, first: int
) -> dict[str, NDArray[np.bool_]]:
    """Which feet are down (F) by an action's labels; nothing where it has none."""
    if not action.footfall.count:
        return {}
    marks = read_marks(armature, action)
    at = np.arange(first, first + len(clip)) - marks.first
    inside = (at >= 0) & (at < marks.count)
    known = set(marks.sensors.values())
    return {side: inside & marks.down(side)[np.clip(at, 0, marks.count - 1)] for side in FEET if side in known}


def write_root(armature: bpy.types.Object, curves: RootCurves, scene: bpy.types.Scene) -> bpy.types.Object:
    """Keys the root at every frame on the armature's root empty, which is made where there is none."""
    empty = _empty_of(armature, scene)
    data = empty.animation_data_create()
    if data.action is None or not data.action.is_editable:
        data.action = bpy.data.actions.new(empty.name)
    action = data.action
    slot = data.action_slot or compat.ensure_slot(action, empty)
    channelbag = compat.ensure_channelbag(action, slot)
    write(channelbag, "location", GROUP, curves.frames, curves.places.T, "LINEAR")
    write_curve(channelbag, "rotation_euler", 2, GROUP, curves.frames, curves.yaws, "LINEAR")
    for side, name in FEET.items():
        _write_foot(empty, channelbag, name, curves.frames, curves.down[side])
    data.action_slot = slot
    empty.update_tag()
    return empty


def _empty_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object:
    """The armature's root empty, upright and in the scene; made where there is none that can be changed."""
    empty = next((thing for thing in bpy.data.objects if thing.get(OWNER) == armature and thing.is_editable), None)
    if empty is None:
        empty = bpy.data.objects.new(f"{armature.name} Root", None)
        empty.empty_display_type, empty.empty_display_size = "ARROWS", SIZE
        empty[OWNER] = armature
    if scene.objects.get(empty.name) != empty:
        homes = [home for home in armature.users_collection if home.is_editable]
        (homes or [scene.collection])[0].objects.link(empty)
    empty.rotation_mode, empty.rotation_euler = "XYZ", (0.0, 0.0, 0.0)
    return empty


def _write_foot(
    empty: bpy.types.Object,
    channelbag: bpy.types.ActionChannelbag,
    name: str,
    frames: Array,
    down: NDArray[np.bool_],
) -> None:
    """Keys of a foot where it comes down and leaves."""
    empty[name] = 0.0
    empty.id_properties_ui(name).update(min=0.0, max=1.0, description="Whether the foot touches the ground")
    changes = np.concatenate([[0], np.flatnonzero(np.diff(down)) + 1])
    write_curve(channelbag, f'["{name}"]', 0, GROUP, frames[changes], down[changes].astype(float), "CONSTANT")
