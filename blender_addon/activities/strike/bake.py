"""The bake of a character's strikes: its motion, and keys of weapons that do not follow its hands by themselves."""

from collections.abc import Generator
from typing import Final

import bpy

from ....core.control.strike.rig_fight import RigFight, make_rig_fight
from ....core.control.strike.strike_error import StrikeError
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.rig.rig_map.roles import role_phrase
from ...animation.layers import BakeSource
from ...controllers.strikes import load_fighter
from ...ui.modal_operator import WorkSteps, part_of_work
from ...ui.operator_base import require_editable, require_present
from .request import StrikeRequest, read_strikes
from .weapon_keys import key_weapon, present_weapon
from .written_fight import write_fight

SOURCE: Final = BakeSource("STRIKES")
KEPT_FIGHTS: Final = 4
"""Number of fights kept in memory, so that a bake after a preview takes no time."""
_fights: dict[tuple[object, ...], RigFight] = {}


class StrikeBake:
    """The bake of a character's strikes; the file is only changed at the end.

    Args:
        armature: the character.
        context: the context.
        again: whether to keep the frames of an existing bake.

    Raises:
        FootfallError: something is missing or does not fit; the message is one sentence.
    """

    def __init__(self, armature: bpy.types.Object, context: bpy.types.Context, again: bool = False) -> None:
        require_editable(armature, "Armature")
        settings = armature.footfall.combat
        if not settings.strikes:
            raise FootfallError("There is nothing to strike: add a strike")
        self.armature_name = armature.name_full
        self.controller, self.fighter = load_fighter(settings.controller_file)
        self.request: StrikeRequest = read_strikes(armature, context, self.fighter.strikes, SOURCE if again else None)

    def make(self) -> Generator[float, None, RigFight]:
        """Generate the motion, yielding the share done; an earlier result is returned at once.

        Raises:
            FootfallError: a strike cannot be met; the message says by how much.
        """
        request, fighter = self.request, self.fighter
        key = (fighter.strikes, fighter.walks, *request.key)
        if key not in _fights:
            making = make_rig_fight(fighter, request.body, request.strikes, request.start, request.end, request.rate)
            try:
                made = yield from making
            except StrikeError as error:
                raise in_scene(error, request.start_frame) from error
            while len(_fights) >= KEPT_FIGHTS:
                del _fights[next(iter(_fights))]
            _fights[key] = made
        return _fights[key]

    def work(self, scene: bpy.types.Scene) -> WorkSteps:
        """Yield the share done and the current activity; write the motion at the end."""
        fight = yield from part_of_work(self.make(), 0.0, 1.0, Message("strikes"))
        return self.write(fight, scene)

    def write(self, fight: RigFight, scene: bpy.types.Scene) -> str:
        """Write a motion to the destination in the settings, and key the weapons; return the report."""
        armature, body = require_present(self.armature_name, scene), self.request.body
        weapons = [(weapon, present_weapon(weapon, scene)) for weapon in self.request.weapons if not weapon.hangs]
        name, start = f"{armature.name}_{self.controller}", self.request.start_frame
        made = fight.clip, fight.labels
        written = write_fight(armature, made, body, self.fighter.strikes, scene, start, name, SOURCE)
        armature.footfall.combat.baked_action = written.record.action
        for weapon, thing in weapons:
            key_weapon(thing, weapon, written.clip, start, armature)
        count, far = len(fight.misses), f"{1000 * max(fight.misses):.1f}"
        said = [
            Message("1 strike hits its target to within {far} mm", far=far)
            if count == 1
            else Message("{count} strikes hit their targets to within {far} mm", count=count, far=far),
            *(Message("'{name}' moves with the hand", name=thing.name) for _, thing in weapons),
            *written.notes,
        ]
        return Message.joined("; ", said)


def in_scene(error: StrikeError, start_frame: int) -> StrikeError:
    """Return an error about a strike, reworded with scene frames and the name of the end effector."""
    fields: dict[str, object] = {"frame": start_frame + error.fields["frame"]}
    if "effector" in error.fields:
        fields["effector"] = role_phrase(error.fields["effector"])
    return error.retold(**fields)
