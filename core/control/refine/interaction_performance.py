"""A refined interaction converted to a performance, with labels from the controller's own outputs."""

from dataclasses import replace
from typing import Final

import numpy as np

from ...features.interaction import ACTIONS, CONTACT_JOINTS
from ...labelling import Labels
from ...labelling.semantics import actions
from ...motion.contacts import FootContacts
from ...motion.roles import FOOT_CONTACTS
from ...motion.rotations import Array
from ..performance import Performance
from ..performance.performance import foot_strikes
from .interaction_refinement import RefinedInteraction

GAIT_NAMES: Final = ("stand", "walk", "run")


def interaction_performance(interaction: RefinedInteraction, ground_height: float) -> Performance:
    """Return an interaction as a performance on level ground at a given height, without its objects.

    Args:
        interaction: the refined interaction.
        ground_height: height of the ground, meters, world.
    """
    own = interaction.clip
    clip = replace(own, root_positions=own.root_positions + np.array([0.0, 0.0, ground_height]))
    left, right = foot_strikes(FootContacts(interaction.contacts[:, -len(FOOT_CONTACTS) :]), clip)
    shares = np.clip(interaction.actions, 0.0, 1.0)
    labels = Labels(
        clip.rate,
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
    return Performance(clip, labels)


def _gait_shares(action_shares: Array) -> Array:
    """Return gait weights (F, 3) made from action shares (F, A); what is neither walk nor run is *stand*."""
    moving = action_shares[:, [ACTIONS.index("walk"), ACTIONS.index("run")]]
    moving = moving / np.maximum(moving.sum(axis=1, keepdims=True), 1.0)
    return np.column_stack([1.0 - moving.sum(axis=1), moving])


def _label_action_shares(action_shares: Array) -> Array:
    """Return label actions (F, A) made from action shares, two of which may be 1, such as carry and walk."""
    result = np.zeros((len(action_shares), len(actions.ACTION_NAMES)))
    known = ACTIONS[: action_shares.shape[1]]  # A controller knows only the first of all actions.
    handled = [name for name in known if name in actions.INTERACTION_NAMES]
    gaits = [name for name in known if name in actions.ACTION_NAMES and name not in handled]
    for names in (handled, gaits):
        left = 1.0 - result.sum(axis=1, keepdims=True)
        own = action_shares[:, [ACTIONS.index(name) for name in names]]
        most = np.maximum(own.sum(axis=1, keepdims=True), 1.0)
        result[:, [actions.ACTION_NAMES.index(name) for name in names]] = left * own / most
    result[:, actions.ACTION_NAMES.index("idle")] += 1.0 - result.sum(axis=1)
    return result
