"""One item of a character's list of interactions."""

from dataclasses import dataclass

from ...motion.rotations import Array


@dataclass(frozen=True, slots=True, eq=False)
class InteractionTask:
    """One interaction: an action with its object, its destination and its duration.

    Attributes:
        action: ``"walk"``, ``"run"``, ``"idle"``, ``"sit"``, ``"carry"`` or ``"open"``.
        object_index: index of the object; -1 without one.
        position: (3) destination of walking and running, or of a carried object, meters, world.
        direction: (2) direction to face at the destination, or the front of an object that is put down.
        stand_direction: (2) from an object that is put down to its bearer; used where ``direction`` is ``None``.
        duration: time to stay, seconds.
    """

    action: str
    object_index: int = -1
    position: Array | None = None
    direction: Array | None = None
    stand_direction: Array | None = None
    duration: float = 0.0
