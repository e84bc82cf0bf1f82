"""Weapons of a shot: what strikes at targets and in fights, and the motion of weapons that hands hold."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import bpy
import numpy as np

from ....core.control.duel.rig_duel import RigWeapon
from ....core.control.performance import ObjectTrack
from ....core.control.shot.outcome import BeatResult
from ....core.errors import FootfallError
from ....core.motion import Clip, Skeleton
from ....core.motion.fingers import without_hand_bones
from ....core.motion.rotations import Array
from ....core.motion.weapons import weapon_role
from ....core.retarget.calibration import Calibration
from ....core.rig.rig_map.roles import role_phrase
from ...rig.store import calibrate_armature
from ...ui.operator_base import require_editable
from ..strike.end_effectors import HeldWeapon, along_blade, limb_tip, nearer_hand, read_weapon, weapon_track
from .properties import EFFECTOR_ROLES

LENGTH_DIGITS: Final = 4
"""Decimals of a weapon's length, meters, so that a keyed weapon is read with its previous length."""


@dataclass(eq=False)
class ShotWeapons:
    """The weapons of a character's beats, as its hands hold them in the scene's current frame.

    Attributes:
        armature: the character.
        context: the context.
        body: the body that moves, with a weapon's bone if the controller that strikes moves it.
        learned: skeleton of the controller that strikes; ``None`` if no beat needs one.
        held: the weapons by full name, each with its tip (3) in the frame of the hand's joint, meters.
    """

    armature: bpy.types.Object
    context: bpy.types.Context
    body: Skeleton
    learned: Skeleton | None
    held: dict[str, tuple[HeldWeapon, Array]] = field(default_factory=dict)

    def tip(self, item: bpy.types.PropertyGroup) -> Array:
        """Return the point (3) that strikes in a beat, in the frame of the end effector's joint, meters.

        Raises:
            FootfallError: the weapon is not in the hand, or is in both hands, or the rig lacks a weapon's bone.
        """
        role = EFFECTOR_ROLES[item.effector]
        if role not in self.body.roles:
            return np.zeros(3)  # the beat is left out with a sentence
        if self._has_weapon_bone(role, item.weapon is None) or item.weapon is None or role.startswith("foot"):
            return limb_tip(self.body, role)
        return self._read(item.weapon, role)[1]

    def of_fight(self, item: bpy.types.PropertyGroup) -> RigWeapon | None:
        """Return the weapon of both hands in a fight; ``None`` without one.

        Raises:
            FootfallError: the weapon is not in a hand.
        """
        if item.weapon is None:
            return None
        weapon, tip = self._read(item.weapon, nearer_hand(item.weapon, self.armature, self.context))
        blade = tip - self._hand_end(weapon.role)
        length = round(float(np.linalg.norm(blade)), LENGTH_DIGITS)
        return RigWeapon(weapon.role, length, blade if weapon.hangs else None)

    def tracks(
        self, clip: Clip, items: Sequence[bpy.types.PropertyGroup], beats: Sequence[BeatResult]
    ) -> list[ObjectTrack]:
        """Return the motion of the origin of each weapon that does not follow its hand by itself.

        Args:
            clip: motion of the rig.
            items: the beats.
            beats: their outcome: weapons of fights are turned along the line through both hands.
        """
        blades = {
            item.weapon.name_full: one.blade
            for item, one in zip(items, beats, strict=False)
            if item.weapon is not None and one.blade is not None
        }
        found = []
        for name, (weapon, tip) in self.held.items():
            if not weapon.hangs:
                blade = blades.get(name)
                turned = weapon if blade is None else along_blade(weapon, tip, self._hand_end(weapon.role), blade)
                found.append(weapon_track(turned, clip))
        return found

    def _read(self, thing: bpy.types.Object, role: str) -> tuple[HeldWeapon, Array]:
        """Return a weapon in a hand, and its tip (3) in the frame of the hand's joint, meters."""
        name = thing.name_full
        if name not in self.held:
            weapon, tip = read_weapon(thing, role, self.armature, self.context)
            if not weapon.hangs:
                require_editable(thing, "Object")
            self.held[name] = weapon, tip
        if self.held[name][0].role != role:
            raise FootfallError(
                "'{name}' is chosen as the weapon of the left and of the right hand: choose it for one hand only",
                name=thing.name,
            )
        return self.held[name]

    def _hand_end(self, role: str) -> Array:
        """Return the end (3) of a hand's bone in the frame of the hand's joint, meters."""
        return self.body.bone_vectors[self.body.joint(role)]

    def _has_weapon_bone(self, role: str, is_bare: bool) -> bool:
        """Return whether a limb strikes with a weapon's bone; raise :class:`FootfallError` if the rig lacks it."""
        own, learned = weapon_role(self.body, role), role if self.learned is None else weapon_role(self.learned, role)
        if learned != role and own == role and is_bare:
            raise FootfallError(
                "The controller strikes with a weapon, but the rig of '{name}' has no bone for {weapon}: choose one "
                "in the panel Rig, or choose an object as the weapon of the strike",
                name=self.armature.name,
                weapon=role_phrase(learned),
            )
        return own != role


def with_hands_target(armature: bpy.types.Object, skeleton: Skeleton) -> Calibration | None:
    """Return the calibration of a striking controller's skeleton to a rig; ``None`` without fingers and weapons."""
    is_bare = without_hand_bones(skeleton) is skeleton
    return None if is_bare else calibrate_armature(armature, skeleton, controller="SOURCE")
