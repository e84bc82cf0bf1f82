"""The duel of a scene as input for core: characters with their rigs, and beats in frames of the bake."""

from dataclasses import dataclass, replace
from typing import Final

import bpy
import numpy as np

from ....core.control.duel.beats import Beat, Duelist, require_beats
from ....core.control.duel.rig_duel import FRAME_FIELDS, RigDuelist, RigWeapon, at_rate
from ....core.control.strike.rig_fight import RigBody
from ....core.errors import FootfallError
from ....core.features.locomotion import FEATURE_RATE_HZ
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion.fingers import without_hand_bones
from ....core.motion.rotations import Array
from ....core.rig.rig_map.roles import role_phrase
from ...animation.fcurve_io.reader import scene_rate
from ...ui.operator_base import is_in_scene
from ..interaction.properties import EFFECTOR_ROLES
from ..strike.end_effectors import HeldWeapon, nearer_hand, read_weapon
from ..strike.request import leaving_place, read_body_for

LENGTH_DIGITS: Final = 4
"""Decimals of a weapon's length, meters, so that a keyed weapon is read with its previous length."""


@dataclass(frozen=True, slots=True, eq=False)
class DuelRequest:
    """The requested duel of a scene's characters.

    Attributes:
        armatures: full names of the characters' objects, in the order of ``duelists``.
        duelists: the characters.
        beats: beats in order of time; frames from the bake's first frame.
        start_frame: scene frame of the bake's first frame.
        rate: the scene's frames per second.
        weapons: held weapons by names of the characters, each with its tip (3) from the hand's joint in its frame,
            meters.
    """

    armatures: tuple[str, ...]
    duelists: tuple[RigDuelist, ...]
    beats: tuple[Beat, ...]
    start_frame: int
    rate: float
    weapons: dict[str, tuple[HeldWeapon, Array]]


def why_no_duel(scene: bpy.types.Scene) -> str | None:
    """Return the reason why the beats of a scene cannot be baked; ``None`` if they can."""
    beats = scene.footfall_duel.beats
    if not beats:
        return "Add a beat: select two characters first"
    for beat in beats:
        for one, lacks in (
            (beat.striker, Message("The beat at frame {frame} has no striker", frame=beat.frame)),
            (beat.receiver, Message("The beat at frame {frame} has no receiver", frame=beat.frame)),
        ):
            if one is None:
                return lacks
            if not is_in_scene(one, scene):
                return Message(
                    "'{name}', used by the beat at frame {frame}, was deleted: choose another",
                    name=one.name,
                    frame=beat.frame,
                )
            if not one.is_editable:
                return Message("'{name}' is linked from another file: make a library override first", name=one.name)
            if one.mode == "EDIT":
                return "Leave Edit Mode first"
        if beat.frame <= scene.frame_start:
            return Message(
                "The beat at frame {frame} must come after frame {start}, where the duel begins: move it",
                frame=beat.frame,
                start=scene.frame_start,
            )
    ratio, start = FEATURE_RATE_HZ / scene_rate(scene), scene.frame_start
    own = [replace(beat, frame=round(beat.frame * ratio)) for beat in read_beats(scene, start)]
    try:
        require_beats([Duelist(one.name, np.zeros(2)) for one in characters(scene)], own)
    except FootfallError as error:
        return str(in_words(at_rate(error, 1 / ratio), start))
    return None


def characters(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return each character in a scene's beats once, ordered by the time of its first beat."""
    beats = sorted(scene.footfall_duel.beats, key=lambda beat: beat.frame)
    return list(dict.fromkeys(one for beat in beats for one in (beat.striker, beat.receiver)))


def read_beats(scene: bpy.types.Scene, start_frame: int) -> list[Beat]:
    """Return the beats of a scene in order of time, with frames counted from ``start_frame``."""
    return [
        Beat(
            beat.frame - start_frame,
            beat.striker.name,
            beat.receiver.name,
            beat.part,
            EFFECTOR_ROLES[beat.effector],
            beat.side,
            beat.answer,
        )
        for beat in sorted(scene.footfall_duel.beats, key=lambda beat: beat.frame)
    ]


def read_duel(context: bpy.types.Context, model: ControllerModel) -> DuelRequest:
    """Read the duel in the context's scene.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """
    scene = context.scene
    reason = why_no_duel(scene)
    if reason is not None:
        raise FootfallError("{reason}", reason=reason)
    armatures, start = characters(scene), scene.frame_start
    weapons, duelists = {}, []
    for one in armatures:
        body, weapon = read_body_for(one, without_hand_bones(model.skeleton)), one.footfall.combat.weapon
        if weapon is not None:
            weapons[one.name] = read_weapon(weapon, nearer_hand(weapon, one, context), one, context)
        place, end = np.array(one.matrix_world.translation[:2]), leaving_place(one.footfall.combat, scene)
        duelists.append(RigDuelist(one.name, body, place, end, _rig_weapon(body, *weapons.get(one.name, (None, None)))))
    names = tuple(one.name_full for one in armatures)
    return DuelRequest(names, tuple(duelists), tuple(read_beats(scene, start)), start, scene_rate(scene), weapons)


def _rig_weapon(body: RigBody, weapon: HeldWeapon | None, tip: Array | None) -> RigWeapon | None:
    """Return a rig's weapon in the form that core needs; ``None`` without a weapon."""
    if weapon is None or tip is None:
        return None
    blade = tip - hand_end(body, weapon.role)
    length = round(float(np.linalg.norm(blade)), LENGTH_DIGITS)
    return RigWeapon(weapon.role, length, blade if weapon.hangs else None)


def hand_end(body: RigBody, role: str) -> Array:
    """Return the end (3) of a hand's bone in the frame of the hand's joint, meters."""
    skeleton = body.calibration.target
    return skeleton.bone_vectors[skeleton.joint(role)]


def in_words(error: FootfallError, start_frame: int) -> FootfallError:
    """Return an error about a beat, reworded with scene frames and the name of the end effector."""
    fields = dict(error.fields)
    for name in FRAME_FIELDS & fields.keys():
        fields[name] += start_frame
    if "effector" in fields:
        fields["effector"] = role_phrase(fields["effector"])
    return FootfallError(error.template, **fields)
