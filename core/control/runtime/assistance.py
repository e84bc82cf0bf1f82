"""Assistance: rules that help an interaction network, which can be switched off to measure the network alone."""

from dataclasses import dataclass, fields
from typing import Self


@dataclass(frozen=True, slots=True)
class Assistance:
    """Selection of the rules that help an interaction controller's network in the roll-out; by default all of them.

    Attributes:
        steers: whether the trajectory toward a far goal is bent onto the planned path.
        tells_actions: whether a character that stands at its starting position without acting is commanded again to
            act, and then to go back and approach again, and one that holds an object at its destination is commanded to
            put it down; otherwise, the action is the goal all the time.
        rests_seated: whether the phase ends on a seat, and the fed-back pose comes to rest.
        pushes_out: whether the root is pushed out of colliders.
        mirrors: whether a character is moved as its mirror image where the network would turn the long way to sit down.
        paces_body: whether hips and head are limited to human speeds.
    """

    steers: bool = True
    tells_actions: bool = True
    rests_seated: bool = True
    pushes_out: bool = True
    mirrors: bool = True
    paces_body: bool = True

    @classmethod
    def none(cls) -> Self:
        """Return a selection of no rules: the network alone, with bidirectional control (NSM section 4.2)."""
        return cls(**{field.name: False for field in fields(cls)})


FULL_ASSISTANCE = Assistance()
"""All rules on, as in the shipped roll-out."""
