"""The strikes of a character as input for core: frames, targets, tips, and the striking body."""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ....core.control.strike.rig_fight import RigBody
from ....core.control.strike.rig_strike import RigStrike
from ....core.errors import FootfallError
from ....core.models.model_file import ControllerModel
from ....core.motion import Skeleton
from ....core.motion.roles import is_quadruped
from ....core.motion.rotations import Array
from ....core.motion.weapons import weapon_role
from ....core.rig.rig_map.roles import role_phrase
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers import BakeSource
from ...animation.output import walk_start_frame
from ...rig.sole_height import rise_after
from ...rig.store import calibrate_armature
from ...ui.operator_base import is_in_scene
from ..interaction.properties import EFFECTOR_ROLES
from .end_effectors import HeldWeapon, limb_tip, read_weapon
from .targets import target_point, why_no_target


@dataclass(frozen=True, slots=True, eq=False)
class StrikeRequest:
    """The requested strikes of a character.

    Attributes:
        body: the rig's body.
        strikes: strikes in order of time; frames from the bake's first frame.
        start: (2) position at the first frame, meters, world.
        end: (2) position to walk to at the end, meters, world.
        start_frame: scene frame of the bake's first frame.
        rate: the scene's frames per second.
        weapons: held weapons, each once.
    """

    body: RigBody
    strikes: tuple[RigStrike, ...]
    start: Array
    end: Array | None
    start_frame: int
    rate: float
    weapons: tuple[HeldWeapon, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """All inputs of the motion except the controller, for comparing requests."""
        calibration, end = self.body.calibration, np.zeros(0) if self.end is None else self.end
        bones = calibration.target.offsets, calibration.target.tips, *calibration.rotation_offsets
        strikes = [(one.frame, one.effector, one.both_hands) for one in self.strikes]
        places = [array for one in self.strikes for array in (one.target, one.tip)]
        numbers = b"".join(np.asarray(array).tobytes() for array in (*bones, *places, self.start, end))
        return (*strikes, self.rate, self.body.rise, self.body.floor, calibration.target.names, numbers)


def read_strikes(
    armature: bpy.types.Object, context: bpy.types.Context, model: ControllerModel, again: BakeSource | None = None
) -> StrikeRequest:
    """Read the strikes of a character; the scene visits their frames and then returns to its current one.

    Args:
        armature: the character.
        context: the context.
        model: the controller.
        again: source of an existing bake whose frames are kept.

    Raises:
        FootfallError: the rig lacks a striking limb, or a strike lacks its target, weapon or time.
    """
    settings, scene = armature.footfall.combat, context.scene
    body = read_body_for(armature, model.skeleton)
    start_frame, rate = walk_start_frame(armature, scene, again), scene_rate(scene)
    place = np.array(armature.matrix_world.translation[:])
    items = sorted(settings.strikes, key=lambda one: one.frame)
    for item in items:
        reason = why_no_target(item, armature, scene)
        if reason is not None:
            raise FootfallError("{reason}", reason=reason)
        if item.frame <= start_frame:
            raise FootfallError(
                "The strike at frame {frame} must come after frame {start}, where the motion begins: move it",
                frame=item.frame,
                start=start_frame,
            )
    weapons, tips = _read_tips(items, armature, context, body)
    strikes, now = [], (scene.frame_current, scene.frame_subframe)
    try:
        for item, tip in zip(items, tips, strict=True):
            scene.frame_set(item.frame)
            target = target_point(item, place)
            strikes.append(
                RigStrike(item.frame - start_frame, target, EFFECTOR_ROLES[item.effector], tip, item.both_hands)
            )
    finally:
        scene.frame_set(now[0], subframe=now[1])
    return StrikeRequest(body, tuple(strikes), place[:2], leaving_place(settings, scene), start_frame, rate, weapons)


def read_body_for(armature: bpy.types.Object, skeleton: Skeleton) -> RigBody:
    """Return the body of a rig, fitted to a controller's skeleton.

    Raises:
        FootfallError: the rig lacks two legs or two hands.
    """
    calibration = calibrate_armature(armature, skeleton, controller="SOURCE")
    roles = calibration.target.roles
    if is_quadruped(roles):
        raise FootfallError("'{name}' has four legs: choose a character with two", name=armature.name)
    lacking = next((role for role in skeleton.roles if _strikes_with(role) and role not in roles), None)
    if lacking is not None:
        raise FootfallError(
            "'{name}' has no bone mapped as {sentence_title}: choose one in the panel Rig",
            name=armature.name,
            sentence_title=role_phrase(lacking),
        )
    rise = rise_after(skeleton, calibration.target, armature)
    return RigBody(calibration, rise, float(armature.matrix_world.translation.z))


def _strikes_with(role: str) -> bool:
    """Return whether a role belongs to an arm or a leg."""
    return role.partition(".")[0] in ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")


def _read_tips(
    items: Sequence[bpy.types.PropertyGroup], armature: bpy.types.Object, context: bpy.types.Context, body: RigBody
) -> tuple[tuple[HeldWeapon, ...], list[Array]]:
    """Return each weapon of the strikes once, and the striking point (3) of each strike."""
    weapons: dict[str, HeldWeapon] = {}
    tips = []
    for item in items:
        role = EFFECTOR_ROLES[item.effector]
        bone = _weapon_bone(role, armature, body, item.weapon is None)
        if bone or item.weapon is None or role.startswith("foot"):
            tips.append(limb_tip(body.calibration.target, role))
            continue
        weapon, tip = read_weapon(item.weapon, role, armature, context)
        held = weapons.setdefault(weapon.name, weapon)
        if held.role != weapon.role:
            raise FootfallError(
                "'{name}' is the weapon of both the left and the right hand: let one hand hold it",
                name=item.weapon.name,
            )
        tips.append(tip)
    return tuple(weapons.values()), tips


def _weapon_bone(role: str, armature: bpy.types.Object, body: RigBody, is_bare: bool) -> bool:
    """Return whether a limb strikes with a weapon's bone; raise :class:`FootfallError` if the rig lacks that bone."""
    learned, own = (weapon_role(one, role) for one in (body.calibration.source, body.calibration.target))
    if learned != role and own == role and is_bare:
        raise FootfallError(
            "The controller strikes with a weapon, but '{name}' has no bone mapped as {weapon}: choose one in the "
            "panel Rig, or choose a weapon for the strike",
            name=armature.name,
            weapon=role_phrase(learned),
        )
    return own != role


def leaving_place(settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> Array | None:
    """Return the position (2) to which a character walks after its last strike, if there is one."""
    if settings.leaves is None:
        return None
    if not is_in_scene(settings.leaves, scene):
        raise FootfallError("'{name}' is no longer in the scene: choose another", name=settings.leaves.name)
    return np.array(settings.leaves.matrix_world.translation[:2])
