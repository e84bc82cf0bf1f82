"""How an actor's feet are turned while they stand flat: what a zero pose that is not somebody standing does not say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..labelling.soles import flat_frames
from ..motion import Clip
from ..motion.limb import Leg
from ..motion.rotations import Array, about_up, mean, multiply, normalize, rotate

FEWEST: Final = 5
LOWEST: Final = 1 / 3
"""Share of an actor's clips, those whose feet fall least, in which feet are flat: in runs they hardly are."""


@dataclass(frozen=True, slots=True, eq=False)
class FlatFoot:
    """A foot that stands flat.

    Attributes:
        turn: the foot joint's world rotation (4), its toes along +Y.
        slope: radians by which the bone falls from ankle to ball.
    """

    turn: Array
    slope: float


FlatFeet = Mapping[str, FlatFoot]
"""By side, ``"L"`` and ``"R"``; a side that is not known is left out."""


def flat_feet(clip: Clip) -> dict[str, FlatFoot]:
    """The clip's feet while they stand flat, each the mean over all such frames; a side without them is left out."""
    result: dict[str, FlatFoot] = {}
    for side in "LR":
        if any(f"{part}.{side}" not in clip.skeleton.roles for part in ("thigh", "shin", "foot", "toe")):
            continue
        leg = Leg.of(clip.skeleton, side)
        assert leg.toe is not None
        flat = flat_frames(clip, leg.foot, leg.toe)
        if len(flat) < FEWEST:
            continue
        ahead = clip.positions[flat, leg.toe] - clip.positions[flat, leg.foot]
        turned = multiply(about_up(-heading_of(ahead)), clip.world[1][flat, leg.foot])
        turn = mean(turned)
        down = rotate(turn, normalize(clip.skeleton.offsets[leg.toe]))
        result[side] = FlatFoot(turn, float(np.arcsin(np.clip(-down[2], -1.0, 1.0))))
    return result


def mean_feet(several: Iterable[FlatFeet]) -> dict[str, FlatFoot]:
    """What several clips of one actor say together."""
    several = tuple(several)
    result: dict[str, FlatFoot] = {}
    for side in "LR":
        known = sorted((feet[side] for feet in several if side in feet), key=lambda foot: foot.slope)
        low = known[: max(round(LOWEST * len(known)), 1)]
        if low:
            turn = mean(np.array([foot.turn for foot in low]))
            result[side] = FlatFoot(turn, float(np.mean([foot.slope for foot in low])))
    return result


def heading_of(directions: Array) -> Array:
    """How far directions (..., 3) are turned about the world's up from +Y, radians."""
    return np.arctan2(-directions[..., 0], directions[..., 1])
