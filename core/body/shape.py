"""Measures of adult bodies of 1.75 m, meters: the differences between a feminine and a masculine body."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class BodyType(StrEnum):
    """The body type of a new character, which sets its proportions."""

    FEMININE = "FEMININE"
    MASCULINE = "MASCULINE"


@dataclass(frozen=True, slots=True)
class TrunkRing:
    """A cross-section of an adult's trunk.

    Attributes:
        rise: height above the hip joints, as a share of the distance from there to the shoulder joints.
        side: half width, meters.
        front: depth in front of the middle, meters.
        back: depth behind the middle, meters.
        exponent: exponent of the superellipse.
    """

    rise: float
    side: float
    front: float
    back: float
    exponent: float = 2.3


@dataclass(frozen=True, slots=True)
class LimbRing:
    """A cross-section of an adult's limb.

    Attributes:
        along: position along the bone, 0 at its head, 1 at its tail.
        side: half width, meters; for an arm, away from the body.
        front: depth in front of the bone, meters; for an arm, toward the thumb.
        back: depth behind the bone, meters.
        weight: skin weight of this bone's joint, relative to its parent.
    """

    along: float
    side: float
    front: float
    back: float
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Shape:
    """The measures of an adult's body; lengths are in meters.

    Attributes:
        trunk: rings from the groin to the armpits.
        shoulder_side: half widths of the four rings of the shoulders, from the armpit to the top.
        chest_front: depth of these rings in front of the middle.
        chest_back: depth of these rings behind the middle.
        bust: protrusion of the chest on each side.
        neck: half width of the neck.
        arm: scale of the arms' thickness.
        hand: scale of hands and feet.
        jaw: scale of the jaw's width.
        brow: protrusion of the brow.
    """

    trunk: tuple[TrunkRing, ...]
    shoulder_side: tuple[float, float, float, float]
    chest_front: tuple[float, float, float, float]
    chest_back: tuple[float, float, float, float]
    bust: float
    neck: float
    arm: float
    hand: float
    jaw: float
    brow: float


SHAPES: Final = {
    BodyType.MASCULINE: Shape(
        trunk=(
            TrunkRing(0.00, 0.176, 0.092, 0.120),
            TrunkRing(0.17, 0.168, 0.104, 0.112),
            TrunkRing(0.33, 0.149, 0.100, 0.088),
            TrunkRing(0.49, 0.138, 0.098, 0.078),
            TrunkRing(0.64, 0.152, 0.114, 0.090),
        ),
        shoulder_side=(0.166, 0.176, 0.180, 0.166),
        chest_front=(0.122, 0.117, 0.092, 0.052),
        chest_back=(0.100, 0.108, 0.106, 0.088),
        bust=0.006,
        neck=0.061,
        arm=1.0,
        hand=1.0,
        jaw=1.0,
        brow=0.004,
    ),
    BodyType.FEMININE: Shape(
        trunk=(
            TrunkRing(0.00, 0.182, 0.090, 0.128),
            TrunkRing(0.17, 0.170, 0.098, 0.116),
            TrunkRing(0.33, 0.141, 0.094, 0.082),
            TrunkRing(0.49, 0.121, 0.086, 0.070),
            TrunkRing(0.64, 0.130, 0.096, 0.080),
        ),
        shoulder_side=(0.146, 0.158, 0.166, 0.156),
        chest_front=(0.110, 0.104, 0.080, 0.048),
        chest_back=(0.088, 0.094, 0.092, 0.078),
        bust=0.030,
        neck=0.051,
        arm=0.86,
        hand=0.92,
        jaw=0.90,
        brow=0.0,
    ),
}
