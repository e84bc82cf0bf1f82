"""What a controller said of its own errands, as labels: contacts of hips, hands and feet, gaits, actions."""

from typing import Final

import numpy as np

from ...core.control.refine.interaction_refinement import RefinedInteraction
from ...core.features.interaction import ACTIONS, CONTACTS
from ...core.labelling import Labels
from ...core.labelling.phase.phase import find_strikes
from ...core.labelling.semantics import actions
from ...core.motion.roles import JOINTS
from ...core.motion.rotations import Array

GAITS: Final = ("stand", "walk", "run")


def labels_of_errands(performed: RefinedInteraction, ground: float) -> Labels:
    """The labels of what was performed, at its own rate, on ground of a height in metres."""
    rate = performed.clip.rate
    feet = performed.contacts[:, [CONTACTS.index(joint) for joint in JOINTS]]
    left, right = (find_strikes(foot.max(axis=1) > 0.5, rate) for foot in (feet[:, :2], feet[:, 2:]))
    shares = np.clip(performed.actions, 0.0, 1.0)
    return Labels(
        rate,
        CONTACTS,
        performed.contacts,
        performed.phase,
        GAITS,
        _gaits(shares),
        left,
        right,
        ground,
        actions=_actions(shares),
    )


def _gaits(shares: Array) -> Array:
    """Gaits (F, 3) from the shares of actions (F, 7): who neither walks nor runs stands, whatever else they do."""
    moving = shares[:, [ACTIONS.index("walk"), ACTIONS.index("run")]]
    moving = moving / np.maximum(moving.sum(axis=1, keepdims=True), 1.0)
    return np.column_stack([1.0 - moving.sum(axis=1), moving])


def _actions(shares: Array) -> Array:
    """Labels' actions (F, 8) from shares of which two may be full: who carries and walks carries."""
    result = np.zeros((len(shares), len(actions.NAMES)))
    handled = [name for name in ACTIONS if name in actions.INTERACTIONS]
    for names in (handled, [name for name in ACTIONS if name not in handled]):
        left = 1.0 - result.sum(axis=1, keepdims=True)
        own = shares[:, [ACTIONS.index(name) for name in names]]
        most = np.maximum(own.sum(axis=1, keepdims=True), 1.0)
        result[:, [actions.NAMES.index(name) for name in names]] = left * own / most
    result[:, actions.NAMES.index("idle")] += 1.0 - result.sum(axis=1)
    return result
