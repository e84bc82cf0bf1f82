"""One item of a character's list of interactions, and the check that a controller has learned its action."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from ...actions import ACTION_TABLE, motion_of
from ...errors import FootfallError
from ...message import Message
from ...motion.rotations import Array


@dataclass(frozen=True, slots=True, eq=False)
class InteractionTask:
    """One interaction: an action with its object, its destination and its duration.

    Attributes:
        action: name of the action, one of :data:`.actions.ACTION_SPECS`.
        object_index: index of the object; -1 without one.
        position: (3) destination, meters, world: of the root in a walk or run, of a carried or pushed object, or of the
            hips of a body that rests on the ground.
        direction: (2) direction to face at the destination; for a lying body, the direction from hips to head; for a
            carried object, the final direction of its front.
        stand_direction: (2) direction from a carried object at its destination to its bearer; used if ``direction`` is
            ``None``.
        duration: time to stay after arriving, such as to remain seated, seconds.
    """

    action: str
    object_index: int = -1
    position: Array | None = None
    direction: Array | None = None
    stand_direction: Array | None = None
    duration: float = 0.0


THIS_CONTROLLER: Final = Message("The controller")
"""Words in messages for a controller that has no name."""


def require_known_actions(
    tasks: Sequence[InteractionTask], known: Collection[str], controller: str = THIS_CONTROLLER
) -> None:
    """Raise :class:`FootfallError` if a controller does not know the action of a task.

    Args:
        tasks: the tasks.
        known: the goal actions that the controller knows.
        controller: the controller's name in quotes, or ``THIS_CONTROLLER``, for the message.

    Raises:
        FootfallError: the controller was trained without one of the actions.
    """
    for task in tasks:
        if motion_of(task.action) not in known:
            raise FootfallError("{reason}", reason=unknown_action(task.action, controller))


def unknown_action(action: str, controller: str) -> Message:
    """Return the message that a controller cannot do an action, with a remedy.

    Args:
        action: name of the action.
        controller: the controller's name in quotes, or ``THIS_CONTROLLER``.
    """
    return Message(
        "{controller} was not trained to {action}: choose another controller, or train one with such clips",
        controller=controller,
        action=ACTION_TABLE[action].phrase or action,
    )


def action_by_itself(action: str) -> Message:
    """Return the message that no shipped controller combines an action with others, with a remedy."""
    return Message(
        "No shipped controller can both {action} and perform the other beats: bake the other beats separately",
        action=ACTION_TABLE[action].phrase or action,
    )
