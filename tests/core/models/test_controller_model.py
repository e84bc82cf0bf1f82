"""Actions that a controller was taught, by the means of its inputs."""

from dataclasses import replace

import numpy as np
import pytest

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


def test_a_controller_whose_means_tell_of_no_goal_is_believed(model: ControllerModel) -> None:
    layout = among_things().inputs
    silent = replace(model, input_layout=layout, x_mean=np.zeros(layout.size, dtype=np.float32), gaits=ACTIONS)
    assert silent.taught_goals == GOAL_ACTIONS
