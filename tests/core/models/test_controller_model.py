"""Actions that a controller was taught, by the means of its inputs."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.features import strikes
from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.models.controller_model import ControllerModel
from footfall.tests.support.mixtures import among_things


@pytest.mark.parametrize("missing", [(), ("mount",), ("lie", "push")])
def test_what_was_never_commanded_in_training_was_not_taught(model: ControllerModel, missing: tuple[str, ...]) -> None:
    layout = among_things().inputs
    means = np.zeros(layout.size, dtype=np.float32)
    commanded = layout.view(means, "goal.action")
    commanded[:] = 0.1
    commanded[:, [GOAL_ACTIONS.index(action) for action in missing]] = 0.0
    taught = replace(model, input_layout=layout, x_mean=means, gaits=ACTIONS)
    assert taught.goal_actions == GOAL_ACTIONS
    assert taught.taught_goals == tuple(action for action in GOAL_ACTIONS if action not in missing)


def test_a_controller_of_paths_has_no_goals_and_attacks_nothing(model: ControllerModel) -> None:
    assert not model.is_interaction_controller and not model.is_strike_controller
    assert model.actions == () == model.goal_actions


def test_a_controller_saw_rough_ground_if_its_heights_have_means(model: ControllerModel) -> None:
    layout = model.input_layout
    means = np.zeros(layout.size, dtype=np.float32)
    assert not replace(model, x_mean=means).trained_on_terrain
    layout.view(means, "terrain.height")[0, 1] = -0.01
    assert replace(model, x_mean=means).trained_on_terrain
    blind = strikes.input_layout(model.joints)
    assert not replace(model, input_layout=blind, x_mean=np.ones(blind.size, np.float32)).trained_on_terrain


def test_its_task_has_its_layouts_its_feet_and_its_rate(model: ControllerModel) -> None:
    skeleton = replace(model.skeleton, roles={"foot.L": 1, "toe.R": 2, "foot.R": 3})
    task = replace(model, skeleton=skeleton, rate=30.0).task
    assert (task.inputs, task.outputs, task.rate) == (model.input_layout, model.output_layout, 30.0)
    assert task.foot_joints == (1, 2), "the left hand is no joint of the pose"
    assert model.network() is model.network(), "all callers share it"
