"""Partners of a character's beats: the characters of its cast, and their beats for core."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ....core.control.duel.rig_duel import RigWeapon
from ....core.control.pair.choreography import DANCE_SPEED_M_S
from ....core.control.shot.beats import AnswerBeat, Attack, BeatTime, DanceBeat, FightBeat, PartnerBeat
from ....core.errors import FootfallError
from ....core.jobs.steps import finished
from ....core.motion import Clip
from ...animation.fcurve_io.body_reader import read_body
from ...rig.store import rig_map_of
from ...scene.path_reader import is_path, read_path
from ...ui.operator_base import require_in_scene
from .properties import ANSWERS_TO_PARTNER, EFFECTOR_ROLES, FIGHT, TYPES_WITH_PARTNER


def cast_of(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the partners of a character, and their partners, as far as they have beats."""
    found = [armature]
    for one in found:
        items = (item for item in one.footfall.interaction_tasks if item.type in TYPES_WITH_PARTNER)
        partners = dict.fromkeys(item.partner for item in items if item.partner not in (None, *found))
        found += [partner for partner in partners if partner.footfall.interaction_tasks]
    return found[1:]


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
            "The motion of '{name}' ends at frame {last}, before the shot begins: move one of them",
            name=partner.name,
            last=last,
        )
    times = start_frame - first + np.arange(int((last - start_frame) * rate / clip.rate) + 1) * clip.rate / rate
    return replace(clip.at(np.clip(times, 0.0, len(clip) - 1.0)), rate=rate)


def _action_of(armature: bpy.types.Object) -> bpy.types.Action | None:
    return None if armature.animation_data is None else armature.animation_data.action


def partner_beat(
    item: bpy.types.PropertyGroup, time: BeatTime, scene: bpy.types.Scene, weapon: RigWeapon | None
) -> PartnerBeat:
    """Return a beat with a partner for core, given the weapon in a fight.

    Raises:
        FootfallError: the beat has no partner, or one in another scene.
    """
    if item.partner is None:
        raise FootfallError("A beat has no partner: choose one")
    for one in (item.partner, item.target):
        if one is not None:
            require_in_scene(one, scene)
    partner = item.partner.name_full
    if item.type in ANSWERS_TO_PARTNER:
        goal = None if item.target is None else np.array(item.target.matrix_world.translation[:2])
        return AnswerBeat(
            partner, item.type, float(item.distance), time=time, speed=float(item.circle_speed), goal=goal
        )
    path = None if item.type == FIGHT or not is_path(item.target) else read_path(item.target).points
    place = None if item.target is None or path is not None else np.array(item.target.matrix_world.translation[:2])
    if item.type != FIGHT:
        speed = item.speed or DANCE_SPEED_M_S
        return DanceBeat(partner, float(item.duration), place, item.leads, time, path, speed)
    attack = Attack(EFFECTOR_ROLES[item.effector], item.part, item.side, item.answer) if item.attacks else None
    return FightBeat(partner, attack, place, time.end, weapon)


def require_one_start(starts: Mapping[str, int]) -> None:
    """Raise :class:`FootfallError` unless all characters of a cast, by name, begin at one frame."""
    (name, start), *others = starts.items()
    for other, frame in others:
        if frame != start:
            raise FootfallError(
                "'{name}' begins at frame {start} and '{other}' at frame {frame}: let both begin at one frame",
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
