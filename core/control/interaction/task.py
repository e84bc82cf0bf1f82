"""One item of a character's list of interactions, and whether a controller has learned it."""

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
        action: one of :data:`footfall.core.control.interaction.actions.ACTION_SPECS`.
        object_index: index of the object; -1 without one.
        position: (3) destination of walking and running, of an object that is carried or pushed, or of the hips of a
            body that lies or sits on the ground, meters, world.
        direction: (2) direction to face at the destination, from the hips of a lying body to its head, or the front of
            an object that is put down.
        stand_direction: (2) from an object that is put down to its bearer; used where ``direction`` is ``None``.
        duration: time to stay, seconds.
    """

    action: str
    object_index: int = -1
    position: Array | None = None
    direction: Array | None = None
    stand_direction: Array | None = None
    duration: float = 0.0


THIS_CONTROLLER: Final = Message("The controller")
"""A controller without a name."""


def require_known_actions(
    tasks: Sequence[InteractionTask], known: Collection[str], controller: str = THIS_CONTROLLER
) -> None:
    """Check that a controller knows the actions of all tasks.

    Args:
        tasks: what is to be done.
        known: the actions that can be a goal of the controller.
        controller: what it is called in the message, in quotes where it is a name.

    Raises:
        FootfallError: it was trained without one of them.
    """
    for task in tasks:
        if motion_of(task.action) not in known:
            raise FootfallError("{reason}", reason=unknown_action(task.action, controller))


def unknown_action(action: str, controller: str) -> Message:
    """Return why a controller cannot do an action, and what to do."""
    return Message(
        "{controller} was not trained to {action}: choose another controller, or train one with such clips",
        controller=controller,
        action=ACTION_TABLE[action].phrase or action,
    )


def action_by_itself(action: str) -> Message:
    """Return why no controller that ships can do an action among other ones, and what to do."""
    return Message(
        "No controller that ships can {action} and perform the other tasks, too: move them to a bake of their own",
        action=ACTION_TABLE[action].phrase or action,
    )
