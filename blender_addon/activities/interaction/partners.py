"""Partners in a character's beats: the characters of its cast, and their beats as input for core."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ....core.control.shot.beats import AnswerBeat, Attack, BeatTime, DanceBeat, FightBeat, PartnerBeat
from ....core.errors import FootfallError
from ....core.motion import Clip
from ...animation.fcurve_io.body_reader import is_posed_by_keys_only
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers import BakeSource
from ...animation.output import walk_start_frame
from ...rig.clip_reader import read_mapped_action
from ...scene.path_reader import is_path, read_path
from ...ui.operator_base import require_in_scene
from .properties import ANSWERS_TO_PARTNER, EFFECTOR_ROLES, FIGHT, TYPES_WITH_PARTNER

SOURCE: Final = BakeSource("SHOT")
"""Source of all bakes of shots."""


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
    if item.type != FIGHT and item.target is not None and is_path(item.target):
        path = read_path(item.target).points
        return DanceBeat(partner, float(item.duration), leads=item.leads, time=time, path=path)
    place = None if item.target is None else np.array(item.target.matrix_world.translation[:2])
    if item.type != FIGHT:
        return DanceBeat(partner, float(item.duration), place, item.leads, time)
    attack = Attack(EFFECTOR_ROLES[item.effector], item.part, item.side, item.answer) if item.attacks else None
    return FightBeat(partner, attack, place, time.end)


def common_start(cast: Sequence[bpy.types.Object], scene: bpy.types.Scene, again: bool) -> int:
    """Return the frame at which all characters of a cast begin.

    Characters that join baked ones begin with them, at the earliest of their frames.

    Args:
        cast: the characters.
        scene: the scene.
        again: whether baked characters keep their frames.

    Raises:
        FootfallError: none of them is baked, and their frames differ, or one of them has a range of its own.
    """
    baked = {one.name_full for one in cast if again and one.footfall.baked_action is not None}
    starts = {one.name_full: walk_start_frame(one, scene, SOURCE if one.name_full in baked else None) for one in cast}
    start = min((starts[name] for name in baked), default=next(iter(starts.values())))
    ranged = {one.name_full for one in cast if one.footfall.output.destination == "RANGE"}
    for other, frame in starts.items():
        if frame != start and (not baked or other in ranged):
            name = next(name for name, at in starts.items() if at == start)
            raise FootfallError(
                "'{name}' begins at frame {start} and '{other}' at frame {frame}: let both shots begin at the same "
                "frame",
                name=name,
                start=start,
                other=other,
                frame=frame,
            )
    return start


def bystanders_of(cast: Sequence[bpy.types.Object], scene: bpy.types.Scene, start: int, rate: float) -> dict[str, Clip]:
    """Return the baked motion of the scene's other characters by name, world, from a scene frame on.

    Only plain armatures that play their baked action are read, since others must be evaluated frame by frame.

    Args:
        cast: the characters that are baked.
        scene: the scene.
        start: the scene frame.
        rate: frames per second of the motion.
    """
    found: dict[str, Clip] = {}
    for one in scene.objects:
        if one.type != "ARMATURE" or one in cast or not one.visible_get() or not is_posed_by_keys_only(one):
            continue
        action = one.footfall.baked_action
        if action is None or one.animation_data is None or one.animation_data.action != action:
            continue
        try:
            clip, first = read_mapped_action(one, action, scene)
        except FootfallError:  # changed so much that it no longer has the body of a character
            continue
        clip = clip.resampled(rate)
        ahead = round((start - first) / scene_rate(scene) * rate)
        at = np.clip(np.arange(max(len(clip) - ahead, 1)) + ahead, 0, len(clip) - 1)
        found[one.name_full] = replace(clip, root_positions=clip.root_positions[at], rotations=clip.rotations[at])
    return found


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
