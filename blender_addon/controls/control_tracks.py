"""From a clip on an armature's body to what is keyed on its controls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from bpy.utils import escape_identifier

from ...core.errors import FootfallError
from ...core.motion import Clip
from ...core.retarget.rig_map import RigMap, Setting
from ..clip_bridge import Rig, read_rig
from ..clip_bridge.tracks import Track
from ..guard import require_editable
from .channels import Keyed, can_move, keyed
from .control import Control, Limbs, Plan, plan
from .goals import Goals
from .probing import Found, probe
from .spaces import FIXED
from .stage import Stage

LOOSE: Final = 1e-4
"""Metres: a bone that its carrier does not bring nearer to its joint is moved itself, where it can be."""


@dataclass(frozen=True, eq=False)
class ControlTracks:
    """What a bake of a clip keys.

    Attributes:
        tracks: the channels of the controls, and the switches, whose rows are the clip's frames.
        warnings: what the user should know, each a sentence without its full stop.
    """

    tracks: tuple[Track, ...]
    warnings: tuple[str, ...]


def control_tracks(armature: bpy.types.Object, rig_map: RigMap, clip: Clip, limbs: Limbs) -> ControlTracks:
    """What to key on an armature so that its body moves as a clip does. Nothing in the file changes.

    Args:
        armature: an armature object.
        rig_map: which bone plays which role; its bones are called as the armature's.
        clip: motion on the map's body, at the scene's rate, in the world.
        limbs: ``"FK"``, or ``"IK"`` for those that the map says how to pose by it.

    Raises:
        FootfallError: a bone or property of the map is missing, or the armature cannot be keyed.
    """
    require_editable(armature, "Armature")
    rig = read_rig(armature)
    what = plan(rig_map, clip.skeleton.roles.keys(), limbs)
    _require(armature, rig_map, what)
    goals = Goals(rig, clip)
    with Stage(armature) as stage:
        for setting in what.settings:
            stage.set_property(setting.bone, setting.property, setting.value)
        found = probe(stage, what.bones, _size(rig))
    made, warnings = _body(armature, what, goals, found)
    tracks = [track for bone in made.values() for track in bone.tracks]
    return ControlTracks((*map(_setting_track, what.settings), *tracks), tuple(warnings))


def _body(armature: bpy.types.Object, what: Plan, goals: Goals, found: Found) -> tuple[dict[str, Keyed], list[str]]:
    """The channels of all controls that move with the body, by bone."""
    warnings: list[str] = []
    made: dict[str, Keyed] = {}
    wanted = {control.bone: goals.pose(control) for control in what.controls}
    still = np.broadcast_to(np.eye(4), (len(goals.clip), 4, 4))
    ideal = {FIXED: still} | {
        carrier: wanted[bone] @ np.linalg.inv(found.base[bone])
        for carrier, bone in enumerate(found.bones, start=1)
        if bone in wanted
    }
    reached = {FIXED: still}
    for control in _carriers_first(what.controls, found):
        bone = armature.pose.bones[control.bone]
        carried = found.carried[control.bone]
        if carried is None:
            raise FootfallError(f"What bone {control.bone!r} of armature {armature.name!r} hangs on cannot be told.")
        loose = np.linalg.norm(carried.space(ideal).origin - wanted[control.bone][:, :3, 3], axis=-1).max()
        moves = control.moves or bool(loose * goals.rig.scale > LOOSE)
        if moves and not can_move(bone):
            warnings.append(_stuck(bone, control))
        made[control.bone] = keyed(bone, carried.space(reached), wanted[control.bone], moves)
        reached[found.bones.index(control.bone) + 1] = made[control.bone].pose @ np.linalg.inv(found.base[control.bone])
    return made, warnings


def _carriers_first(controls: Sequence[Control], found: Found) -> list[Control]:
    """The controls in an order in which each comes after those that carry it."""
    by_bone = {control.bone: control for control in controls}
    result: dict[str, Control] = {}

    def add(bone: str, above: frozenset[str]) -> None:
        carried = found.carried[bone]
        if bone in result or carried is None:
            return
        for carrier in sorted(carried.carriers - {FIXED}):
            other = found.bones[carrier - 1]
            if other in by_bone and other not in above:
                add(other, above | {other})
        result[bone] = by_bone[bone]

    for control in controls:
        add(control.bone, frozenset({control.bone}))
    return list(result.values())


def _stuck(bone: bpy.types.PoseBone, control: Control) -> str:
    why = "its location is locked" if all(bone.lock_location) else "it is connected to its parent"
    what = "the body does not travel" if control.moves else "it is not where the motion has it"
    return f"bone '{bone.name}' cannot be moved, since {why}: {what}"


def _require(armature: bpy.types.Object, rig_map: RigMap, what: Plan) -> None:
    """Raises a :class:`FootfallError` where the armature lacks what is to be keyed."""
    bones = armature.pose.bones
    for name in (*what.bones, *(setting.bone for setting in what.settings)):
        if name not in bones:
            raise FootfallError(
                f"The rig map '{rig_map.name}' speaks of the control '{name}', which armature '{armature.name}' "
                "does not have: map it anew."
            )
    for setting in what.settings:
        if setting.property not in bones[setting.bone]:
            raise FootfallError(
                f"Bone '{setting.bone}' of armature '{armature.name}' has no property '{setting.property}', which the "
                f"rig map '{rig_map.name}' sets: map it anew."
            )


def _size(rig: Rig) -> float:
    ends = np.concatenate([rig.rest[:, :3, 3], rig.tails])
    return float(np.ptp(ends, axis=0).max())


def _setting_track(setting: Setting) -> Track:
    path = f'pose.bones["{escape_identifier(setting.bone)}"]["{escape_identifier(setting.property)}"]'
    return Track(path, setting.bone, np.array([[setting.value]]), "CONSTANT")
