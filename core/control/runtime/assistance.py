"""Assistance: rules that help an interaction network; each can be switched off, to measure the network alone."""

from dataclasses import dataclass, fields
from typing import Self


@dataclass(frozen=True, slots=True)
class Assistance:
    """Selection of the rules that help an interaction controller's network in the roll-out; by default all of them.

    Attributes:
        steers: whether the trajectory toward a far goal is bent onto the planned path.
        tells_actions: whether a character that stands at its starting position without acting is commanded again to
            act, and then to step back and approach again, and one that holds an object at its destination is commanded
            to put it down; otherwise, the action is commanded all the time.
        rests_seated: whether, on a seat, the phase runs to its end and the fed-back pose comes to rest.
        pushes_out: whether the root is pushed out of colliders.
        mirrors: whether the network moves a character's mirror image where it would turn the long way around to sit
            down.
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
        """Return a selection with every rule off: only the network, with bidirectional control (NSM section 4.2)."""
        return cls(**{field.name: False for field in fields(cls)})


FULL_ASSISTANCE = Assistance()
"""All rules on: the usual roll-out."""
