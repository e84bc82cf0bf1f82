"""Tasks that take too long are given up, and what is held then is let go of."""

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TUNING as TASK_RUN_TUNING
from footfall.tests.core.control.interaction.test_sequencer import block, happened, play


def test_a_task_out_of_reach_is_given_up() -> None:
    far = block("far", "seat", (0.4, 0.4, 0.45), (0.0, 60.0, 0.0))
    done = play([far], InteractionTask("sit", 0), frames=round(60 * TASK_RUN_TUNING.timeout) + 100)
    assert happened(done)[-1] == ("gave up", 0) and done.done


@pytest.mark.all_only("other tasks are given up")
def test_a_box_that_cannot_be_put_down_is_let_go_of_beside_its_bearer() -> None:
    box = block("box", "box", (0.4, 0.3, 0.25), (0.0, 1.2, 0.6))
    off = InteractionTask("walk", position=np.array([-1.0, 0.0, 0.0]))
    done = play([box], InteractionTask("carry", 0, position=np.array([0.0, 60.0, 0.6])), off, frames=5000)
    kinds = [kind for kind, task in happened(done) if task == 0]
    assert kinds == ["began", "took", "gave up"] and done.done
    gave_up = done.recording.event_frame("gave up", 0)
    assert gave_up is not None
    last = done.recording.object_states[-1][0]
    assert abs(last.position[2]) < 1e-6, "it lies on the ground"
    assert np.linalg.norm(last.position[:2] - done.frames[gave_up].position[0]) > 0.3
    assert done.scene.attachment is None
