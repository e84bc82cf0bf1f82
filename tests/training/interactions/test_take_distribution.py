"""Counting the frames of takes by action and origin."""

import numpy as np

from footfall.core.features.interaction import ACTIONS
from footfall.tests.training.interactions.walker_takes import carried_take, walker_take
from footfall.training.interactions.take_distribution import (
    action_labels,
    add_distributions,
    frame_distribution,
    in_per_cent,
)


def test_carrying_is_combined_with_standing_or_walking() -> None:
    actions = np.zeros((4, len(ACTIONS)))
    actions[0, ACTIONS.index("idle")] = actions[1:3, ACTIONS.index("walk")] = 1.0
    actions[3, ACTIONS.index("sit")] = 1.0
    actions[2, ACTIONS.index("carry")] = 0.9
    actions[1, ACTIONS.index("carry")] = 0.4
    labels, names = action_labels(actions)
    assert labels.tolist() == ["idle", "walk", "carry+walk", "sit"]
    assert set(labels) <= set(names)


def test_every_frame_counts_once() -> None:
    takes = [walker_take(0), carried_take(1)]
    total = add_distributions([frame_distribution(take) for take in takes])
    frames = sum(len(take.clip) for take in takes)
    assert sum(total["actions"].values()) == sum(total["origins"].values()) == frames
    assert total["origins"]["composed"] == sum(len(take.clip) // 3 for take in takes)
    shares = in_per_cent(total["actions"])
    assert shares["walk"] == 100.0 and abs(sum(shares.values()) - 100.0) < 0.5
