"""Partners in a character's beats: the characters of its cast, and their beats as input for core."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import bpy
import numpy as np

from ....core.control.duel.rig_duel import RigWeapon
from ....core.control.pair.choreography import DANCE_SPEED_M_S
from ....core.control.shot.beats import AnswerBeat, Attack, BeatTime, DanceBeat, FightBeat, PartnerBeat, PassBeat
from ....core.errors import FootfallError
from ....core.jobs.steps import finished
from ....core.motion import Clip
from ...animation.fcurve_io.body_reader import is_posed_by_keys_only, read_body
from ...animation.fcurve_io.reader import scene_rate
from ...animation.layers import BakeSource
from ...animation.output import walk_start_frame
from ...rig.clip_reader import read_mapped_action
from ...rig.store import rig_map_of
from ...scene.path_reader import is_path, read_path
from ...ui.operator_base import require_in_scene
from .properties import ANSWERS_TO_PARTNER, DANCE, EFFECTOR_ROLES, PASS_BALL, TYPES_WITH_PARTNER

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


def passed_balls(armatures: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """Return the balls that characters throw to partners."""
    items = (item for one in armatures for item in one.footfall.interaction_tasks if item.type == PASS_BALL)
    return [*dict.fromkeys(item.object for item in items if item.object is not None)]


def recorded_partners(armatures: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """Return the partners without beats whose actions are answered."""
    items = (item for one in armatures for item in one.footfall.interaction_tasks if item.type in ANSWERS_TO_PARTNER)
    found = dict.fromkeys(item.partner for item in items if item.partner is not None)
    return [one for one in found if not one.footfall.interaction_tasks and _action_of(one) is not None]


def recorded_motion(partner: bpy.types.Object, scene: bpy.types.Scene, start_frame: int, rate: float) -> Clip:
    """Return the motion of a partner's action from a frame of the scene on, resampled to a rate, Hz.

    Before its first frame, the partner stays as at that frame.

    Raises:
        FootfallError: the action cannot be read, or ends before that frame.
    """
    action = _action_of(partner)
    assert action is not None
    clip, first = finished(read_body(partner, action, scene, rig_map_of(partner)))
    last = first + len(clip) - 1
    if last <= start_frame:
        raise FootfallError(
            "The motion of '{name}' ends at frame {last}, before the shot begins: make the motion longer, or "
            "start the shot earlier",
            name=partner.name,
            last=last,
        )
    times = start_frame - first + np.arange(int((last - start_frame) * rate / clip.rate) + 1) * clip.rate / rate
    return replace(clip.at(np.clip(times, 0.0, len(clip) - 1.0)), rate=rate)


def _action_of(armature: bpy.types.Object) -> bpy.types.Action | None:
    return None if armature.animation_data is None else armature.animation_data.action


def partner_beat(
    item: bpy.types.PropertyGroup, time: BeatTime, scene: bpy.types.Scene, weapon: RigWeapon | None, ball: int = -1
) -> PartnerBeat:
    """Return a beat with a partner for core, given the weapon in a fight, or the index of the ball that is thrown.

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
        goal = None if item.target is None else np.array(item.target.matrix_world.translation[:2])
        return AnswerBeat(
            partner, item.type, float(item.distance), time=time, speed=float(item.circle_speed), goal=goal
        )
    is_drawn = item.type == DANCE and item.target is not None and is_path(item.target)
    path = read_path(item.target).points if is_drawn else None
    place = None if item.target is None or path is not None else np.array(item.target.matrix_world.translation[:2])
    if item.type == PASS_BALL:
        return PassBeat(partner, ball, place, float(item.pass_distance), time)
    if item.type == DANCE:
        speed = item.speed or DANCE_SPEED_M_S
        return DanceBeat(partner, float(item.duration), place, item.leads, time, path, speed)
    attack = Attack(EFFECTOR_ROLES[item.effector], item.part, item.side, item.answer) if item.attacks else None
    return FightBeat(partner, attack, place, time.end, weapon)


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
