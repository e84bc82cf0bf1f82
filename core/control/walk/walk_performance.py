"""Conversion of a finished walk to a performance, with labels from the controller's outputs."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...features.ball import HAND_SENSORS
from ...labelling import Labels
from ...labelling.semantics.actions import ACTION_NAMES
from ...motion.roles import contact_names
from ..performance import Performance
from ..performance.performance import foot_strikes
from .finished_walk import Walk

ACTION_OF_GAIT: Final = {"stand": "idle", "run": "run", "jog": "run"}
"""Action that a gait stands for; every gait that is not listed counts as walking."""


def walk_performance(walk: Walk, gait_names: Sequence[str], ground_height: float) -> Performance:
    """Return a walk converted to a performance.

    Args:
        walk: the walk on the performing body, world.
        gait_names: names of the walk's gaits.
        ground_height: height of the ground at the start, meters, world.
    """
    labels = _labels(walk, tuple(gait_names), ground_height)
    return Performance(walk.clip, labels, walk.standing_clip, ball=walk.ball, waypoint_results=walk.waypoint_results)


def _labels(walk: Walk, gait_names: tuple[str, ...], ground_height: float) -> Labels:
    """Return the labels of a walk, including the contacts of hands with its ball."""
    names, touching = contact_names(walk.clip.skeleton.roles), walk.contacts.probabilities
    done = np.zeros((len(walk.gaits), len(ACTION_NAMES)))
    for gait, share in zip(gait_names, walk.gaits.T, strict=True):
        done[:, ACTION_NAMES.index(ACTION_OF_GAIT.get(gait, "walk"))] += share
    if walk.ball is not None:
        names, touching = (*names, *HAND_SENSORS), np.column_stack([touching, walk.ball.track.contacts.astype(float)])
    left, right = foot_strikes(walk.contacts, walk.clip)
    rate, given = walk.clip.rate, (walk.phase, gait_names, walk.gaits)
    return Labels(rate, names, touching, *given, left, right, ground_height, actions=done)
