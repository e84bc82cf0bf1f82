"""Reader of the beats with a partner in a shot file."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..core.control.duel.beats import ANSWERS, SIDES, STRUCK_PARTS
from ..core.control.pair.relation_kinds import RELATIONS
from ..core.control.shot.beats import AnswerBeat, Attack, DanceBeat, FightBeat, PartnerBeat
from ..core.features.strikes import EFFECTORS
from ..core.message import Message
from ..core.motion.rotations import Array
from .scene_file import MAX_DURATION_S, SceneReader

FIGHT, DANCE = "fight", "dance"
MAX_DANCE_POINTS: Final = 500
"""Largest number of places of a dance's path."""
ANSWER_FIELDS: Final = {
    "action": str,
    "partner": str,
    "distance": float,
    "duration": float,
    "speed": float,
    "goal": list[float],
}
FIGHT_FIELDS: Final = {
    "action": str,
    "partner": str,
    "effector": str,
    "part": str,
    "side": str,
    "answer": str,
    "place": list[float],
    "time": float,
}
DANCE_FIELDS: Final = {
    "action": str,
    "partner": str,
    "duration": float,
    "place": list[float],
    "leads": bool,
    "path": list[list[float]],
    "speed": float,
}
PARTNER_FIELDS: Final = {**dict.fromkeys(RELATIONS, ANSWER_FIELDS), FIGHT: FIGHT_FIELDS, DANCE: DANCE_FIELDS}
"""Fields of a beat, by action with a partner."""
ATTACK_CHOICES: Final = {"effector": EFFECTORS, "part": STRUCK_PARTS, "side": SIDES, "answer": ANSWERS}
"""Allowed values of each field of an attack."""


def partner_beat(reader: SceneReader, entry: Mapping[str, Any], where: Message) -> PartnerBeat:
    """Return the beat with a partner that an entry of a shot file describes; ``where`` names the entry in errors."""
    action = entry["action"]
    reader.check_fields(entry, PARTNER_FIELDS[action], where)
    partner = entry.get("partner", "")
    if not partner:
        raise reader.error(where, Message("'{action}' needs '{name}'", action=action, name="partner"))
    for name in ("duration", "time"):
        if name in entry and not 0.0 < entry[name] <= MAX_DURATION_S:
            raise reader.error(
                where, Message("'{name}' is not between 0 and {most} s", name=name, most=f"{MAX_DURATION_S:g}")
            )
    given: dict[str, Any] = {"partner": partner}
    given |= {name: reader.point(entry[name], where)[:2] for name in ("place", "goal") if name in entry}
    if "path" in entry:
        given["path"] = np.array([reader.point(place, where)[:2] for place in entry["path"]])
    given |= {name: float(entry[name]) for name in ("time", "distance", "speed") if name in entry}
    if "duration" in entry:
        given["seconds"] = float(entry["duration"])
    if action == FIGHT:
        return FightBeat(attack=_attack(reader, entry, where), **given)
    if action == DANCE:
        return DanceBeat(leads=entry.get("leads", False), path=_path(reader, entry, where), **given)
    return AnswerBeat(kind=action, **given)


def _path(reader: SceneReader, entry: Mapping[str, Any], where: Message) -> Array | None:
    """Return the path (N, 2) of a dance, meters; ``None`` for a dance in place."""
    if "path" not in entry:
        return None
    if not 2 <= len(entry["path"]) <= MAX_DANCE_POINTS:
        raise reader.error(where, Message("'path' needs from 2 to {most} places", most=MAX_DANCE_POINTS))
    return np.array([reader.point(place, where)[:2] for place in entry["path"]])


def _attack(reader: SceneReader, entry: Mapping[str, Any], where: Message) -> Attack | None:
    """Return the attack of a fight; ``None`` if the character only answers."""
    given = {name: entry[name] for name in ATTACK_CHOICES if name in entry}
    for name, value in given.items():
        if value not in ATTACK_CHOICES[name]:
            known = ", ".join(ATTACK_CHOICES[name])
            raise reader.error(where, Message("'{name}' is not one of {known}", name=name, known=known))
    if given and "effector" not in given:
        raise reader.error(where, Message("'{action}' needs '{name}'", action="fight", name="effector"))
    return Attack(**given) if given else None


def action_of_partner_beat(beat: PartnerBeat) -> str:
    """Return the name, in a shot file, of the action of a beat with a partner."""
    if isinstance(beat, AnswerBeat):
        return beat.kind
    return FIGHT if isinstance(beat, FightBeat) else DANCE
