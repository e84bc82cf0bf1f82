"""The interactions that labels name."""

import numpy as np

from footfall.core.labelling import Labels
from footfall.core.labelling.semantics.actions import ACTION_NAMES
from footfall.core.labelling.shown_interactions import action_ranges, shown_interactions


def labels(**ranges: tuple[int, int]) -> Labels:
    """A second at 60 Hz for each action that is named, idle besides."""
    actions = np.tile(np.eye(len(ACTION_NAMES))[0], (240, 1))
    for name, (start, stop) in ranges.items():
        actions[start:stop] = np.eye(len(ACTION_NAMES))[ACTION_NAMES.index(name)]
    none: np.ndarray = np.zeros(0, dtype=np.intp)
    feet = ("foot.L", "toe.L", "foot.R", "toe.R")
    return Labels(
        60.0, feet, np.zeros((240, 4)), np.zeros(240), ("stand",), np.ones((240, 1)), none, none, 0.0, actions=actions
    )


def test_lasting_actions_are_shown() -> None:
    assert shown_interactions(labels()) == ()
    assert shown_interactions(labels(carry=(10, 90), sit=(120, 200))) == ("sit", "carry")
    assert shown_interactions(labels(open=(10, 90), walk=(100, 200))) == (), "doors need no clip"
    assert shown_interactions(labels(lie=(10, 90), climb=(120, 200))) == ("lie", "climb")
    assert shown_interactions(labels(sit=(10, 30))) == (), "a third of a second is no sitting"


def test_ranges_are_those_of_the_labels() -> None:
    assert action_ranges(labels(sit=(10, 90)), "sit") == [(10, 90)]
    assert action_ranges(labels(sit=(10, 90)), "carry") == []
    assert action_ranges(labels(), "wave") == []
