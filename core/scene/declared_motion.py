"""Motion that a scene declares for an object, by keys, constraints or a name, and that its mesh does not show."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from ..errors import FootfallError
from ..message import Message

MotionKind = Literal["slides", "moves"]
"""Kind of motion: along a line without a turn (slides), or any other (moves)."""
MIN_SLIDE_M: Final = 0.05
"""Distance traveled above which an object counts as sliding or moving."""
MIN_TURN_RAD: Final = np.radians(2.0)
"""Angle above which an object counts as turning."""
SLIDING_NAMES: Final = ("sliding", "schiebe")
"""Parts of names of doors that slide, in lower case."""
ROCKING_NAMES: Final = ("rocking", "rocker", "swing", "hammock", "schaukel")
"""Parts of names of seats that rock or swing, in lower case."""


@dataclass(frozen=True, slots=True)
class DeclaredMotion:
    """One declaration in the scene that an object moves.

    Attributes:
        kind: kind of motion.
        source: what declares the motion, worded to continue "by ..." in a message to the user.
    """

    kind: MotionKind
    source: Message


def kind_of_ranges(way: float, turn: float) -> MotionKind | None:
    """Return the kind of motion of an object by the travel of its origin, m, and its turn, rad; ``None`` if still."""
    if way < MIN_SLIDE_M and turn < MIN_TURN_RAD:
        return None
    return "slides" if turn < MIN_TURN_RAD else "moves"


def require_usable_motion(name: str, action: str, motions: Iterable[DeclaredMotion], is_hinged: bool = False) -> None:
    """Raise an error if the motion that a scene declares for an object rules out its use.

    Leaves must turn about a hinge, and seats must stay in place.

    Args:
        name: the user's name of the object.
        action: ``"sit"``, ``"open"``, or another action, for which an object may move.
        motions: motions that the scene declares.
        is_hinged: whether the user has set an angle by which the leaf turns, which overrules a name such as *sliding*.

    Raises:
        FootfallError: the motion does not allow the use; the message names the source of the motion and a remedy.
    """
    if action == "open":
        sliding = next((motion for motion in motions if motion.kind == "slides"), None)
        if sliding is not None:
            raise FootfallError(
                "'{name}' slides because of {source}, but only hinged doors can be opened: animate the door by hand, "
                "and use Walk To",
                name=name,
                source=sliding.source,
            )
        if not is_hinged and _is_named(name, SLIDING_NAMES):
            raise FootfallError(
                "'{name}' is named like a sliding door, but only hinged doors can be opened: rename it if it has "
                "a hinge",
                name=name,
            )
    if action == "sit":
        moving = next(iter(motions), None)
        if moving is not None:
            raise FootfallError(
                "'{name}' moves because of {source}: choose a seat that stays still, or mute its animation",
                name=name,
                source=moving.source,
            )
        if _is_named(name, ROCKING_NAMES):
            raise FootfallError(
                "'{name}' is named like a seat that rocks or swings, but seats must stay still: rename it if it "
                "does not move",
                name=name,
            )


def _is_named(name: str, parts: Iterable[str]) -> bool:
    """Return whether a name, in lower case, contains one of ``parts``."""
    return any(part in name.lower() for part in parts)
