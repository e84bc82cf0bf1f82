"""Interactions that occur in a clip, according to its labels."""

from typing import Final

from ..actions import actions_that
from ..motion.signals import runs_of
from .labels import Labels

TAKE_ACTIONS: Final = actions_that(lambda one: one.needs_clips)
"""Interactions whose training takes need captured clips; others are synthesized."""
MIN_SHOWN_S: Final = 0.5
"""Shortest duration of an action to count as shown."""
SHOWN_WEIGHT: Final = 0.5
"""Weight above which a frame belongs to an action."""


def action_ranges(labels: Labels, action: str) -> list[tuple[int, int]]:
    """Return the frame ranges [start, stop) labeled with an action that last at least :data:`MIN_SHOWN_S`."""
    if action not in labels.action_names:
        return []
    runs = runs_of(labels.actions[:, labels.action_names.index(action)] > SHOWN_WEIGHT)
    return [(int(start), int(stop)) for start, stop in runs if stop - start >= MIN_SHOWN_S * labels.frame_rate]


def shown_interactions(labels: Labels) -> tuple[str, ...]:
    """Return the interactions that need captured clips (:data:`TAKE_ACTIONS`) and occur in the labels."""
    return tuple(action for action in TAKE_ACTIONS if action_ranges(labels, action))


def main_interaction(labels: Labels) -> tuple[str, ...]:
    """Return the one of :data:`TAKE_ACTIONS` with the longest time in the labels, in a tuple; empty if none occurs.

    Detection mistakes the bent arms of a climbing or resting body for carrying, but not for long.
    """
    frames = {
        action: sum(stop - start for start, stop in action_ranges(labels, action))
        for action in shown_interactions(labels)
    }
    return (max(frames, key=lambda action: frames[action]),) if frames else ()
