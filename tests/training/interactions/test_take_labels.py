"""Goals of takes: commanded early or late."""

from itertools import pairwise

import numpy as np
import pytest

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.training.interactions import take_labels
from footfall.training.interactions.take_labels import TakeAction

COUNT, BEGINS, BENDS, COMMANDED = 600, 200, 400, 40


def acting(name: str, put_down_frame: int | None = None) -> TakeAction:
    """Return an action that rises from a frame on."""
    actions = np.zeros((COUNT, len(ACTIONS)))
    actions[:, ACTIONS.index(name)] = np.clip((np.arange(COUNT) - BEGINS + 1) / 30, 0.0, 1.0)
    still, origins = np.zeros((COUNT, 5)), np.zeros(COUNT, dtype=np.intp)
    return TakeAction(name, name, COUNT, actions, still, np.zeros(COUNT), origins, put_down_frame=put_down_frame)


def drawn(action: TakeAction, seed: int) -> list[tuple[str, int]]:
    """Return the goal's actions in turn, and how many frames each lasts."""
    columns = action.draw_goal_actions(COMMANDED, np.random.default_rng(seed))
    bounds = [0, *(np.flatnonzero(np.diff(columns)) + 1), COUNT]
    return [(GOAL_ACTIONS[columns[start]], int(stop - start)) for start, stop in pairwise(bounds)]


@pytest.mark.parametrize("name", ["sit", "lie", "push"])
def test_an_action_is_commanded_all_the_time_or_shortly_before_it_begins(name: str) -> None:
    late = 0
    for seed in range(200):
        goals = drawn(acting(name), seed)
        if goals == [(name, COUNT)]:
            continue
        (first, walks), (second, _) = goals
        assert (first, second) == ("walk", name)
        assert take_labels.TUNING.command_lead[0] <= BEGINS - walks < take_labels.TUNING.command_lead[1]
        late += 1
    assert late / 200 == pytest.approx(take_labels.TUNING.commanded_late_share, abs=0.1)


def test_a_held_object_is_put_down_by_a_command_to_idle() -> None:
    kinds = {tuple(name for name, _ in drawn(acting("carry", BENDS), seed)) for seed in range(50)}
    assert kinds == {("carry",), ("walk", "carry", "idle")}
    for seed in range(50):
        goals = drawn(acting("carry", BENDS), seed)
        if len(goals) == 3:
            assert (
                take_labels.TUNING.command_lead[0] <= BENDS - (COUNT - goals[2][1]) < take_labels.TUNING.command_lead[1]
            )
