"""The bake of a duel: the motions of all its characters; only changed ones are written."""

import hashlib
import json
from typing import Final

import bpy
import numpy as np

from ....core.control.duel.rig_duel import DuelMemory, RigDuel, make_rig_duel
from ....core.control.strike.strike_error import StrikeError
from ....core.message import Message
from ....core.motion import Clip
from ...animation.layers import BakeSource
from ...animation.layers.revert import is_untouched
from ...controllers.strikes import load_fighter
from ...shot.staleness import edits_checksum
from ...ui.modal_operator import WorkSteps, part_of_work
from ...ui.operator_base import require_editable, require_present
from ..strike.end_effectors import HeldWeapon, along_blade
from ..strike.weapon_keys import key_weapon, present_weapon
from ..strike.written_fight import write_fight
from .request import DuelRequest, hand_end, in_words, read_duel

SOURCE: Final = BakeSource("DUEL")
DIGEST_PROPERTY: Final = "footfall_duel"
"""Custom property of a baked action: a digest of its motion and output settings."""
_MEMORY: Final = DuelMemory()
"""Memory of the last duel, so that staging restarts at the first changed beat."""


class DuelBake:
    """The bake of a scene's duel; nothing in the file changes before the end.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    def __init__(self, context: bpy.types.Context) -> None:
        self.controller, self.fighter = load_fighter("")
        self.request: DuelRequest = read_duel(context, self.fighter.strikes)
        for name in self.request.armatures:
            require_editable(require_present(name, context.scene), "Armature")

    def work(self, scene: bpy.types.Scene) -> WorkSteps:
        """Yield the share done and the current activity; write the motions at the end.

        Raises:
            FootfallError: a beat cannot be met; the message says by how much.
        """
        request = self.request
        making = make_rig_duel(self.fighter, request.duelists, request.beats, request.rate, _MEMORY)
        try:
            duel = yield from part_of_work(making, 0.0, 1.0, Message("fights"))
        except StrikeError as error:
            raise in_words(error, request.start_frame) from error
        return self._write(duel, scene)

    def _write(self, duel: RigDuel, scene: bpy.types.Scene) -> str:
        """Write the motions that have changed; return the report."""
        request = self.request
        armatures = [require_present(name, scene) for name in request.armatures]
        weapons = self._free_weapons(duel)
        things = {name: present_weapon(weapon, scene) for name, weapon in weapons.items()}
        kept, notes, written = [], [], 0
        for armature, one in zip(armatures, request.duelists, strict=True):
            clip = duel.clips[one.name]
            digest = _digest(armature, clip, request.start_frame, weapons.get(one.name))
            if _is_baked(armature, digest):
                kept.append(Message("'{name}' was not changed", name=armature.name))
                continue
            made, name = (clip, duel.labels[one.name]), f"{armature.name}_duel"
            bake = write_fight(armature, made, one.body, self.fighter.strikes, scene, request.start_frame, name, SOURCE)
            notes += [Message("'{name}': {note}", name=armature.name, note=note) for note in bake.notes]
            bake.record.action[DIGEST_PROPERTY] = digest
            if one.name in things:
                key_weapon(things[one.name], weapons[one.name], bake.clip, request.start_frame, armature)
            written += 1
        scene.footfall_duel.is_baked = True
        met = len(duel.distances)
        said = [
            Message("1 beat met") if met == 1 else Message("{count} beats met", count=met),
            Message("{count} characters baked", count=written),
            *kept,
            *notes,
        ]
        return Message.joined("; ", said)

    def _free_weapons(self, duel: RigDuel) -> dict[str, HeldWeapon]:
        """Return the weapons that are not attached to a hand and must be keyed, by the names of their characters."""
        bodies = {one.name: one.body for one in self.request.duelists}
        return {
            name: along_blade(weapon, tip, hand_end(bodies[name], weapon.role), duel.blades[name])
            for name, (weapon, tip) in self.request.weapons.items()
            if not weapon.hangs
        }


def is_of_duel(armature: bpy.types.Object) -> bool:
    """Return whether the action of a character was baked by a duel."""
    data = armature.animation_data
    return data is not None and data.action is not None and DIGEST_PROPERTY in data.action


def _is_baked(armature: bpy.types.Object, digest: str) -> bool:
    """Return whether the motion with this digest is already baked on a character and unedited."""
    return is_of_duel(armature) and armature.animation_data.action[DIGEST_PROPERTY] == digest and is_untouched(armature)


def _digest(armature: bpy.types.Object, clip: Clip, start_frame: int, weapon: HeldWeapon | None) -> str:
    """Return a text that identifies a motion together with its edits, its output settings and its weapon."""
    output = armature.footfall.output
    settings = [str(getattr(output, name)) for name in sorted(output.bl_rna.properties.keys()) if name != "rna_type"]
    numbers = np.ascontiguousarray(np.concatenate([clip.root_positions.ravel(), clip.rotations.ravel()]).round(6))
    told = [*settings, edits_checksum(armature), None if weapon is None else weapon.name]
    text = json.dumps([start_frame, clip.rate, *told])
    return hashlib.sha256(numbers.tobytes() + text.encode()).hexdigest()
