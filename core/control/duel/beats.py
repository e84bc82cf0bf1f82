"""Beats of a duel: attacker, receiver, frame, end effector and target of a strike, and the receiver's answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...features.strikes import EFFECTORS
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from ..strike.strike_error import by_frames
from .weapon import Weapon

ANSWERS: Final = ("hit", "parry", "dodge")
"""Answers to a strike: the receiver is hit, parries with its nearer hand, or dodges."""
SIDES: Final = ("straight", "left", "right", "above", "below")
"""Sides from which a strike comes, as its striker sees them; *straight* means any side."""
HANDS: Final = ("hand.L", "hand.R")
"""Hands that can be the upper hand on a weapon; the other hand is behind it, farther from the tip."""


@dataclass(frozen=True, slots=True)
class BeatsTuning(Tuning):
    weapon_lengths: tuple[float, float] = tuned((0.3, 1.4), "m", 0.05, 4.0)
    """Smallest and largest length of a weapon, from the upper hand to the tip."""
    min_apart: int = tuned(20, "frames", 1, 240)
    """Smallest number of frames between two beats of one character."""


TUNING: Final = BeatsTuning()

STRUCK_PARTS: Final = (
    "head",
    "chest",
    "hips",
    *(f"{part}.{side}" for part in ("upper_arm", "forearm", "thigh", "shin") for side in "LR"),
)
"""Roles of the bones that can be struck."""


@dataclass(frozen=True, slots=True, eq=False)
class Beat:
    """One strike of one character at another.

    Attributes:
        frame: frame of the duel at which the strike meets its receiver, at the controllers' rate.
        striker: name of the striking character.
        receiver: name of the struck character.
        part: role of the struck bone, one of :data:`STRUCK_PARTS`.
        effector: role of the end effector that strikes, one of ``features.strikes.EFFECTORS``.
        side: side from which the strike comes, one of :data:`SIDES`.
        answer: the receiver's answer to the strike, one of :data:`ANSWERS`.
        point: (3) struck point, as an offset from the part's joint in the receiver's rest pose: right, ahead and up,
            meters at the controllers' scale; ``None`` for the point of the part nearest to the striker.
    """

    frame: int
    striker: str
    receiver: str
    part: str = "head"
    effector: str = "hand.R"
    side: str = "straight"
    answer: str = "hit"
    point: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Duelist:
    """A character of a duel.

    Attributes:
        name: name of the character.
        start: (2) position at frame 0, meters, world.
        end: (2) destination after the last beat, meters, world; ``None`` to stay in guard.
        weapon: weapon that both hands hold throughout; the upper hand strikes with it.
    """

    name: str
    start: Array
    end: Array | None = None
    weapon: Weapon | None = None

    def weapon_of(self, effector: str) -> Weapon | None:
        """Return the weapon with which an end effector strikes; ``None`` if it strikes without one."""
        return self.weapon if self.weapon is not None and self.weapon.hand == effector else None


def require_beats(duelists: Sequence[Duelist], beats: Sequence[Beat]) -> None:
    """Raise :class:`FootfallError` unless beats name known characters, have valid values and are far enough apart."""
    if not beats:
        raise FootfallError("The duel has no beats: add at least one in which a character strikes another")
    names = [duelist.name for duelist in duelists]
    for name in names:
        if names.count(name) > 1:
            raise FootfallError("Two characters are named '{name}': give each its own name", name=name)
    for duelist in duelists:
        places = duelist.start if duelist.end is None else np.concatenate([duelist.start, duelist.end])
        if not np.isfinite(places).all():
            raise FootfallError("The character {name} has no valid position: move it", name=duelist.name)
        _require_weapon(duelist)
    for beat in beats:
        _require_beat(beat, names)
        _require_armed(beat, {duelist.name: duelist.weapon for duelist in duelists})
    _require_single(beats)


def _require_weapon(duelist: Duelist) -> None:
    """Raise :class:`FootfallError` if a character's weapon is in no hand or its length is out of range."""
    weapon = duelist.weapon
    if weapon is None:
        return
    if weapon.hand not in HANDS:
        raise FootfallError(
            "The weapon of {name} is in '{hand}', which is not a hand: choose one of {names}",
            name=duelist.name,
            hand=weapon.hand,
            names=", ".join(HANDS),
        )
    if not TUNING.weapon_lengths[0] <= weapon.length <= TUNING.weapon_lengths[1]:
        raise FootfallError(
            "The weapon of {name} is {length} m long: choose one that is {shortest} to {longest} m long",
            name=duelist.name,
            length=f"{weapon.length:.2f}",
            shortest=TUNING.weapon_lengths[0],
            longest=TUNING.weapon_lengths[1],
        )


def _require_armed(beat: Beat, weapons: Mapping[str, Weapon | None]) -> None:
    """Raise :class:`FootfallError` if a weapon's hand strikes without it, or only one side of a parry has a weapon."""
    own, other = weapons[beat.striker], weapons[beat.receiver]
    if own is not None and beat.effector in HANDS and beat.effector != own.hand:
        raise FootfallError(
            "{name} holds the weapon with both hands at frame {frame}: strike with {effector}, or with a foot",
            name=beat.striker,
            frame=beat.frame,
            effector=own.hand,
        )
    cuts = own is not None and beat.effector == own.hand
    if beat.answer == "parry" and cuts != (other is not None):
        raise FootfallError(
            "{receiver} cannot parry the strike of {striker} at frame {frame}, since only weapons can parry "
            "weapons, and only hands can parry hands and feet: choose a dodge",
            receiver=beat.receiver,
            striker=beat.striker,
            frame=beat.frame,
        )


def _require_beat(beat: Beat, names: Sequence[str]) -> None:
    """Raise :class:`FootfallError` if a beat has an unknown name or choice, a negative frame or an invalid point."""
    for name in (beat.striker, beat.receiver):
        if name not in names:
            raise FootfallError(
                "The character '{name}' of the beat at frame {frame} does not exist: choose one of {names}",
                frame=beat.frame,
                name=name,
                names=", ".join(names),
            )
    if beat.striker == beat.receiver:
        raise FootfallError(
            "In the beat at frame {frame}, {name} strikes itself: let it strike another character",
            frame=beat.frame,
            name=beat.striker,
        )
    if beat.frame < 0:
        raise FootfallError(
            "The beat at frame {frame} is {frames} before the first frame of the duel: move it to a later frame",
            frame=beat.frame,
            **by_frames(-beat.frame),
        )
    choices = (
        ("part", beat.part, STRUCK_PARTS),
        ("end effector", beat.effector, EFFECTORS),
        ("side", beat.side, SIDES),
        ("answer", beat.answer, ANSWERS),
    )
    for what, value, known in choices:
        if value not in known:
            raise FootfallError(
                "The beat at frame {frame} has an unknown value for {setting}, '{value}': choose one of {names}",
                frame=beat.frame,
                setting=what,
                value=value,
                names=", ".join(known),
            )
    if beat.point is not None and not np.isfinite(beat.point).all():
        raise FootfallError("The target of the beat at frame {frame} has no valid position: move it", frame=beat.frame)


def _require_single(beats: Sequence[Beat]) -> None:
    """Raise :class:`FootfallError` if two beats of one character are too close in time."""
    last: dict[str, int] = {}
    for beat in sorted(beats, key=lambda beat: beat.frame):
        for name in (beat.striker, beat.receiver):
            missing = TUNING.min_apart - (beat.frame - last.get(name, -TUNING.min_apart))
            if missing > 0:
                raise FootfallError(
                    "The beats of {name} at frames {before} and {after} are {frames} too close to each other: "
                    "move one of them",
                    name=name,
                    before=last[name],
                    after=beat.frame,
                    **by_frames(missing),
                )
            last[name] = beat.frame
