"""Tasks in words: what a controller was not trained to do is told in one sentence."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import (
    InteractionTask,
    action_by_itself,
    require_known_actions,
    unknown_action,
)
from footfall.core.errors import FootfallError


def test_a_task_is_of_no_object_and_no_time_unless_told() -> None:
    task = InteractionTask("walk", position=np.zeros(3))
    assert (task.object_index, task.duration) == (-1, 0.0)
    assert task.direction is None and task.stand_direction is None


@pytest.mark.parametrize(
    ("action", "words"), [("push", "push"), ("sit_ground", "sit on the ground"), ("lean", "lean on an object")]
)
def test_actions_are_told_in_words(action: str, words: str) -> None:
    assert str(unknown_action(action, "'everyday'")) == (
        f"'everyday' was not trained to {words}: choose another controller, or train one with such clips"
    )
    assert str(action_by_itself(action)) == (
        f"No controller that ships can {words} and perform the other tasks, too: move them to a bake of their own"
    )


def test_the_first_unknown_action_is_told() -> None:
    require_known_actions([], [])
    require_known_actions([InteractionTask("sit"), InteractionTask("walk")], ["walk", "sit"])
    with pytest.raises(FootfallError, match=r"^The controller was not trained to sit: choose another controller"):
        require_known_actions([InteractionTask("walk"), InteractionTask("sit"), InteractionTask("lean")], ["walk"])
