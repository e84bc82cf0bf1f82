"""Inputs of windows that are not as in the data: goals, plans and a past that a network shall not go by."""

import numpy as np
import pytest
import torch

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.tests.training.losses.take_windows import read_inputs, write_inputs
from footfall.training.data.dataset import Dataset
from footfall.training.data.samples import WindowBatch
from footfall.training.losses.closed_loop import InteractionFeedback
from footfall.training.losses.input_corruption import (
    CURRENT,
    STOOD_SHARE,
    STRAIGHT_PLAN_SHARE,
    STRAY_ACTIONS,
    STRAY_SHARE,
    STRAY_WEIGHT,
    WAITED_SHARE,
    WRONG_PLAN_SHARE,
)

IDLE = [1.0, *[0.0] * (len(ACTIONS) - 1)]
"""Actions of a character that stands."""


def test_goals_that_stand_may_always_have_been_known(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    torch.manual_seed(0)
    layout = take_dataset.input_layout
    changed = take_feedback.corruption.with_old_goals(take_windows.x)
    same = [name for name in layout.slices if name.partition(".")[0] != "goal"]
    for name in same:
        torch.testing.assert_close(changed[..., layout.slices[name]], take_windows.x[..., layout.slices[name]])
    goals = take_feedback.read_goals(changed.flatten(0, 1))
    before = take_feedback.read_goals(take_windows.x.flatten(0, 1))
    torch.testing.assert_close(goals[:, CURRENT:], before[:, CURRENT:], atol=1e-5, rtol=0.0)
    known = (goals[:, : CURRENT + 1] - goals[:, CURRENT, None]).norm(dim=-1).amax(dim=1) < 1e-4
    new = (before[:, 0] - before[:, CURRENT]).norm(dim=-1) > 0.05
    stand = (before[:, CURRENT] - before[:, -1]).norm(dim=-1) < 0.01
    assert not known[new & ~stand].any()
    if (new & stand).any():
        assert known[new & stand].any()


def test_some_characters_plan_to_continue_and_some_to_do_the_action_of_their_goal(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    torch.manual_seed(0)
    x = take_windows.x[:, 0].repeat(40, 1)
    seen = take_feedback.corruption.with_wrong_plans(x)
    at = take_dataset.input_layout.slices["trajectory.action"]
    others = np.setdiff1d(np.arange(x.shape[1]), np.arange(at.start, at.stop))
    torch.testing.assert_close(seen[:, others], x[:, others])
    before, after = (
        read_inputs(take_dataset, x, "trajectory.action"),
        read_inputs(take_dataset, seen, "trajectory.action"),
    )
    torch.testing.assert_close(after[:, : CURRENT + 1], before[:, : CURRENT + 1], atol=1e-4, rtol=0.0)
    goals = torch.zeros_like(before[:, 0])
    goals[:, [ACTIONS.index(name) for name in GOAL_ACTIONS]] = read_inputs(take_dataset, x, "goal.action")[:, CURRENT]
    last = after[:, -1]
    goes_on, wants = ((last - plan).abs().amax(dim=1) < 1e-3 for plan in (before[:, CURRENT], goals))
    planned = (after - before).abs().amax(dim=(1, 2)) > 1e-3
    assert (goes_on | wants)[planned].all()
    assert 0.0 < planned.float().mean() <= WRONG_PLAN_SHARE + 0.1


def test_some_characters_plan_to_go_straight_to_their_place(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    torch.manual_seed(0)
    x = take_windows.x[:, 0].repeat(40, 1)
    walks = read_inputs(take_dataset, x, "goal.action")[:, CURRENT, GOAL_ACTIONS.index("walk")] > 0.5
    assert 0.2 < walks.float().mean() < 0.8
    seen = take_feedback.corruption.with_straight_plans(x)
    before, after = (read_inputs(take_dataset, one, "trajectory.position") for one in (x, seen))
    torch.testing.assert_close(after[:, : CURRENT + 1], before[:, : CURRENT + 1], atol=1e-4, rtol=0.0)
    place = read_inputs(take_dataset, x, "goal.position")[:, CURRENT, :2]
    way, far = torch.nn.functional.normalize(place, dim=1), place.norm(dim=1, keepdim=True)
    ahead = after[:, CURRENT + 1 :]
    aside = (ahead[..., 0] * way[:, None, 1] - ahead[..., 1] * way[:, None, 0]).abs().amax(dim=1)
    planned = (after - before).abs().amax(dim=(1, 2)) > 1e-3
    assert not planned[~walks].any()
    assert planned[walks].float().mean() == pytest.approx(STRAIGHT_PLAN_SHARE, abs=0.1)
    assert (aside[planned] < 1e-3).all()

    # As far along it as the data's way is long, and not beyond the place.
    steps = before[:, CURRENT:].diff(dim=1).norm(dim=-1).cumsum(dim=1)
    along = ahead.norm(dim=-1)
    torch.testing.assert_close(along[planned], torch.minimum(steps, far)[planned], atol=1e-3, rtol=0.0)
    facing = read_inputs(take_dataset, seen, "trajectory.direction")[planned, -1]
    torch.testing.assert_close(facing, way[planned], atol=1e-3, rtol=0.0)


def test_a_standing_character_may_have_stood_for_long(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    torch.manual_seed(0)
    x = take_windows.x[:, 0].repeat(40, 1)

    # Half of the characters stand, with the walk of the data before them.
    stands = torch.arange(len(x)) % 2 == 0
    for name, row in (("trajectory.position", [0.0, 0.0]), ("trajectory.action", IDLE)):
        values = read_inputs(take_dataset, x, name)
        values[stands, : CURRENT + 1] = torch.tensor(row)
        write_inputs(take_dataset, x, name, values)
    seen, stood = take_feedback.corruption.as_standing(x)
    assert not stood[~stands].any()
    assert stood[stands].float().mean() == pytest.approx(STOOD_SHARE, abs=0.1)
    for name in ("trajectory.position", "trajectory.direction", "trajectory.action"):
        before, after = (read_inputs(take_dataset, one, name) for one in (x, seen))
        torch.testing.assert_close(after[~stood], before[~stood])
        still = {"position": [0.0, 0.0], "direction": [0.0, 1.0], "action": IDLE}[name.partition(".")[2]]
        torch.testing.assert_close(after[stood], torch.tensor(still).expand_as(after[stood]), atol=1e-4, rtol=0.0)


@pytest.mark.parametrize(("action", "idle"), [("carry", 1.0), ("sit", 0.0)])
def test_a_character_that_is_about_to_end_an_action_may_have_waited_in_it(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch, action: str, idle: float
) -> None:
    torch.manual_seed(0)
    x = take_windows.x[:, 0].repeat(40, 1)
    values = read_inputs(take_dataset, x, "trajectory.action")
    values[:, : CURRENT + 1, ACTIONS.index(action)] = 1.0
    values[:, CURRENT + 1 :, ACTIONS.index(action)] = 0.0
    write_inputs(take_dataset, x, "trajectory.action", values)
    seen, stood = take_feedback.corruption.as_standing(x)
    assert stood.float().mean() == pytest.approx(WAITED_SHARE, abs=0.1)
    actions = read_inputs(take_dataset, seen, "trajectory.action")[stood]
    for name, value in ((action, 1.0), ("idle", idle), ("walk", 0.0)):
        column = actions[..., ACTIONS.index(name)]
        torch.testing.assert_close(column, torch.full_like(column, value), atol=1e-4, rtol=0.0)


def test_an_action_that_nothing_has_commanded_may_have_begun_a_little(
    take_dataset: Dataset, take_feedback: InteractionFeedback, take_windows: WindowBatch
) -> None:
    torch.manual_seed(0)
    x = take_windows.x[:, 0].repeat(40, 1)
    seen = take_feedback.corruption.with_stray_actions(x)
    at = take_dataset.input_layout.slices["trajectory.action"]
    others = np.setdiff1d(np.arange(x.shape[1]), np.arange(at.start, at.stop))
    torch.testing.assert_close(seen[:, others], x[:, others])
    before, after = (read_inputs(take_dataset, one, "trajectory.action") for one in (x, seen))
    wanted = read_inputs(take_dataset, x, "goal.action").amax(dim=1)
    known = before.amax(dim=1)
    goals = [ACTIONS.index(name) for name in GOAL_ACTIONS]
    known[:, goals] = torch.maximum(known[:, goals], wanted)
    added = after - before
    torch.testing.assert_close(added, added[:, :1].expand_as(added), atol=1e-4, rtol=0.0)
    begun = added[:, 0] > 1e-3
    assert begun.sum(dim=1).max() == 1 and 0.0 < begun.any(dim=1).float().mean() <= STRAY_SHARE + 0.05
    assert not begun[:, : STRAY_ACTIONS.start].any() and not begun[known > 0.999].any()
    assert float(added.max()) <= STRAY_WEIGHT + 1e-4
