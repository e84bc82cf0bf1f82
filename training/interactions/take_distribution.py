"""Number of frames of takes that show each action (NSM table 1), and that come from each origin of motion."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...core.features.interaction import ACTIONS
from ...core.motion.rotations import Array
from .take import ORIGINS, InteractionTake

LOCOMOTION = ACTIONS[:3]
"""Idle, walk and run: every label contains one of these, combined with other actions."""


def action_labels(actions: Array) -> tuple[NDArray[np.str_], list[str]]:
    """Return a label of each frame (F), such as *walk* or *carry+walk*, by action weights (F, A), and all labels.

    An action with objects gives the frame its label if its weight is at least one half; carrying is combined with idle,
    walk or run.
    """
    moving = np.array(LOCOMOTION)[actions[:, : len(LOCOMOTION)].argmax(axis=1)]
    others = actions[:, len(LOCOMOTION) :]
    acting = np.array(ACTIONS[len(LOCOMOTION) :])[others.argmax(axis=1)]
    joined = np.where(acting == "carry", np.char.add("carry+", moving), acting)
    labels = [*LOCOMOTION, *(one for one in ACTIONS[len(LOCOMOTION) :] if one != "carry")]
    labels += [f"carry+{one}" for one in LOCOMOTION]
    return np.where(others.max(axis=1) >= 0.5, joined, moving), labels


def frame_distribution(take: InteractionTake) -> dict[str, dict[str, int]]:
    """Return the number of frames of a take for each action label (``actions``) and each origin (``origins``)."""
    labels, names = action_labels(take.actions)
    origins = np.bincount(take.origins, minlength=len(ORIGINS)).tolist()
    return {
        "actions": {name: int((labels == name).sum()) for name in names},
        "origins": dict(zip(ORIGINS, origins, strict=True)),
    }


def add_distributions(distributions: list[Mapping[str, Mapping[str, int]]]) -> dict[str, dict[str, int]]:
    """Return the sum of frame counts of several takes, label by label and origin by origin."""
    total: dict[str, Counter[str]] = {}
    for one in distributions:
        for name, frames in one.items():
            total.setdefault(name, Counter()).update(frames)
    return {name: dict(frames) for name, frames in total.items()}


def in_per_cent(frames: Mapping[str, int]) -> dict[str, float]:
    """Return the frame count of each label as a percentage of all frames, rounded to a tenth."""
    total = max(sum(frames.values()), 1)
    return {name: round(100 * count / total, 1) for name, count in frames.items()}
