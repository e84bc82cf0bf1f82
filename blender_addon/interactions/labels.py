"""Labels from a controller's own outputs for its interactions: contacts of hips, hands and feet, gaits, actions."""

from typing import Final

import numpy as np

from ...core.control.refine.interaction_refinement import RefinedInteraction
from ...core.features.interaction import ACTIONS, CONTACT_JOINTS
from ...core.labelling import Labels
from ...core.labelling.phase.phase import find_strikes
from ...core.labelling.semantics import actions
from ...core.motion.contacts import FootContacts
from ...core.motion.roles import FOOT_CONTACTS
from ...core.motion.rotations import Array

GAIT_NAMES: Final = ("stand", "walk", "run")


def labels_from_interaction(interaction: RefinedInteraction, ground_height: float) -> Labels:
    """Return the labels of an interaction, at its own rate, on ground of a given height in meters."""
    rate = interaction.clip.rate
    feet = FootContacts(interaction.contacts[:, [CONTACT_JOINTS.index(joint) for joint in FOOT_CONTACTS]])
    left, right = (find_strikes(feet.planted(side), rate) for side in "LR")
    shares = np.clip(interaction.actions, 0.0, 1.0)
    return Labels(
        rate,
        CONTACT_JOINTS,
        interaction.contacts,
        interaction.phase,
        GAIT_NAMES,
        _gait_shares(shares),
        left,
        right,
        ground_height,
        actions=_label_action_shares(shares),
    )


def _gait_shares(action_shares: Array) -> Array:
    """Return gait weights (F, 3) from action shares (F, A): a character that neither walks nor runs stands."""
    moving = action_shares[:, [ACTIONS.index("walk"), ACTIONS.index("run")]]
    moving = moving / np.maximum(moving.sum(axis=1, keepdims=True), 1.0)
    return np.column_stack([1.0 - moving.sum(axis=1), moving])


def _label_action_shares(action_shares: Array) -> Array:
    """Return the labels' actions (F, A) from shares, two of which may be 1, such as carry and walk."""
    result = np.zeros((len(action_shares), len(actions.ACTION_NAMES)))
    known = ACTIONS[: action_shares.shape[1]]  # a controller knows the first ones
    handled = [name for name in known if name in actions.INTERACTION_NAMES]
    gaits = [name for name in known if name in actions.ACTION_NAMES and name not in handled]
    for names in (handled, gaits):
        left = 1.0 - result.sum(axis=1, keepdims=True)
        own = action_shares[:, [ACTIONS.index(name) for name in names]]
        most = np.maximum(own.sum(axis=1, keepdims=True), 1.0)
        result[:, [actions.ACTION_NAMES.index(name) for name in names]] = left * own / most
    result[:, actions.ACTION_NAMES.index("idle")] += 1.0 - result.sum(axis=1)
    return result
