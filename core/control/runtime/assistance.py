"""Assistance: the rules beside an interaction network that a runtime may leave out, so that the network is measured."""

from dataclasses import dataclass, fields
from typing import Self


@dataclass(frozen=True, slots=True)
class Assistance:
    """Select the rules that help the network of an interaction controller in the roll-out; all of them do by default.

    Attributes:
        steers: the trajectory of far goals is bent onto the planned path.
        tells_actions: a character that stands at its place and does not begin is told again to act, and then to go back
            and to come again; one that holds an object before its destination is told to put it down. Without it, the
            goal is the action all the time.
        rests_seated: the phase runs out on a seat, where the fed-back pose comes to rest.
        pushes_out: the root is pushed out of colliders.
        paces_body: steps of hips and head are shortened to what people do.
    """

    steers: bool = True
    tells_actions: bool = True
    rests_seated: bool = True
    pushes_out: bool = True
    paces_body: bool = True

    @classmethod
    def none(cls) -> Self:
        """Return no assistance: the network alone, with bi-directional control (NSM section 4.2)."""
        return cls(**{field.name: False for field in fields(cls)})


FULL_ASSISTANCE = Assistance()
"""All rules, as the roll-out ships."""
