"""Assistance: rules beside an interaction network, which a runtime can leave out to measure the network alone."""

from dataclasses import dataclass, fields
from typing import Self


@dataclass(frozen=True, slots=True)
class Assistance:
    """Select the rules that help an interaction controller's network in the roll-out; by default all of them.

    Attributes:
        steers: the trajectory of far goals is bent onto the planned path.
        tells_actions: a character that stands at its starting position and does not begin is commanded again to act,
            and then to go back and to come again; a character that holds an object before its destination is commanded
            to put it down. Without this rule, the action is the goal all the time.
        rests_seated: the phase ends on a seat, and the fed-back pose comes to rest.
        pushes_out: the root is pushed out of colliders.
        paces_body: motion of hips and head per frame is limited to human speeds.
    """

    steers: bool = True
    tells_actions: bool = True
    rests_seated: bool = True
    pushes_out: bool = True
    paces_body: bool = True

    @classmethod
    def none(cls) -> Self:
        """Return no assistance: the network alone, with bidirectional control (NSM section 4.2)."""
        return cls(**{field.name: False for field in fields(cls)})


FULL_ASSISTANCE = Assistance()
"""All rules, as in the shipped roll-out."""
