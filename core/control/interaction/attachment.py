"""Boxes on their way into somebody's hands, in them, and out of them."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...motion.root_frame import yaw_of
from ...motion.rotations import Array, about_up, multiply, rotate, slerp
from ...scene.interaction_object import Thing

HANDING: Final = 0.5
"""Seconds in which a box goes over into the hands, and from them to its place (NSM's released code)."""


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """A box in somebody's hands: where it was when they took it, and where it is to be in them."""

    thing: int
    box: Thing
    position: Array
    rotation: Array
    since: int

    @staticmethod
    def of(number: int, box: Thing, hands: Array, frame: int) -> "Carried":
        turn = about_up(-_across(hands))
        position = rotate(turn, box.position - hands.mean(axis=0))
        return Carried(number, box, position, multiply(turn, box.rotation), frame)

    def at(self, hands: Array, seconds: float) -> Thing:
        """The box in the hands (2, 3): after half a second its grips are where the hands are."""
        share = _eased(seconds / HANDING)
        turn = about_up(_across(hands))
        # The box comes to the hands' middle; it turns with them as it was taken, upright.
        centred = -rotate(self.rotation, self.box.middle)
        position = hands.mean(axis=0) + rotate(turn, (1 - share) * self.position + share * centred)
        upright = about_up(yaw_of(rotate(self.rotation, np.array([0.0, 1.0, 0.0]))[:2]))
        rotation = multiply(turn, slerp(self.rotation, upright, np.array(share)))
        return Thing(self.box.name, self.box.kind, self.box.collider, position, rotation, self.box.seat, self.box.grips)


@dataclass(frozen=True, slots=True, eq=False)
class LetGo:
    """A box on its way out of somebody's hands to where it is put."""

    thing: int
    held: Thing
    put: Thing
    since: int

    def at(self, seconds: float) -> Thing:
        """The box so many seconds later; after half a second it lies still."""
        share = _eased(seconds / HANDING)
        position = self.held.position + share * (self.put.position - self.held.position)
        return replace(
            self.put, position=position, rotation=slerp(self.held.rotation, self.put.rotation, np.array(share))
        )


def _eased(share: float) -> float:
    """From 0 to 1 without a jerk at either end."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def _across(hands: Array) -> Array:
    """The yaw of who holds something between their hands (2, 3), left and right."""
    line = hands[1] - hands[0]
    return yaw_of(np.array([-line[1], line[0]]))
