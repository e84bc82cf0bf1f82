"""Partners in a character's beats: the characters of its cast, and their beats as input for core."""

from collections.abc import Mapping, Sequence

import bpy
import numpy as np

from ....core.control.shot.beats import AnswerBeat, Attack, BeatTime, DanceBeat, FightBeat, PartnerBeat
from ....core.errors import FootfallError
from ...ui.operator_base import require_in_scene
from .properties import ANSWERS_TO_PARTNER, EFFECTOR_ROLES, FIGHT, TYPES_WITH_PARTNER


def cast_of(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return a character's partners, and in turn their partners, that have beats of their own."""
    found = [armature]
    for one in found:
        items = (item for item in one.footfall.interaction_tasks if item.type in TYPES_WITH_PARTNER)
        partners = dict.fromkeys(item.partner for item in items if item.partner not in (None, *found))
        found += [partner for partner in partners if partner.footfall.interaction_tasks]
    return found[1:]


def partner_beat(item: bpy.types.PropertyGroup, time: BeatTime, scene: bpy.types.Scene) -> PartnerBeat:
    """Return a beat with a partner as input for core.

    Raises:
        FootfallError: the beat has no partner, or one in another scene.
    """
    if item.partner is None:
        raise FootfallError("A beat of the shot has no partner: choose one")
    for one in (item.partner, item.target):
        if one is not None:
            require_in_scene(one, scene)
    partner = item.partner.name_full
    if item.type in ANSWERS_TO_PARTNER:
        return AnswerBeat(partner, item.type, float(item.distance), time=time)
    place = None if item.target is None else np.array(item.target.matrix_world.translation[:2])
    if item.type != FIGHT:
        return DanceBeat(partner, float(item.duration), place, item.leads, time)
    attack = Attack(EFFECTOR_ROLES[item.effector], item.part, item.side, item.answer) if item.attacks else None
    return FightBeat(partner, attack, place, time.end)


def require_one_start(starts: Mapping[str, int]) -> None:
    """Raise :class:`FootfallError` unless all characters of a cast, given by name, begin at the same frame."""
    (name, start), *others = starts.items()
    for other, frame in others:
        if frame != start:
            raise FootfallError(
                "'{name}' begins at frame {start} and '{other}' at frame {frame}: let both shots begin at the same "
                "frame",
                name=name,
                start=start,
                other=other,
                frame=frame,
            )


def require_own_balls(balls: Mapping[str, Sequence[str]]) -> None:
    """Raise :class:`FootfallError` if a ball is in the shots of two characters of a cast, given by name."""
    owners: dict[str, str] = {}
    for name, own in balls.items():
        for ball in own:
            if ball in owners:
                raise FootfallError(
                    "'{first}' and '{second}' both play with '{ball}': give each shot a ball of its own",
                    first=owners[ball],
                    second=name,
                    ball=ball,
                )
            owners[ball] = name
