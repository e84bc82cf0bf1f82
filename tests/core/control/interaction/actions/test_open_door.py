"""Walking through doors: in line first, through, onward, and a hand on the handle while the leaf opens."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.core.errors import FootfallError
from footfall.core.scene.affordances import Handle
from footfall.tests.core.control.interaction.test_sequencer import BOX, block
from footfall.tests.support.task_runs import frame_of, put, record, task_run

HANDLE = Handle(np.array([0.4, 0.0, 1.0]), np.array([0.0, -1.0]), np.array([-0.4, 0.0, 0.0]))
DOOR = block("door", "door", (0.8, 0.04, 2.0), (0.0, 3.0, 0.0), handle=HANDLE)
"""A door that opens both ways, come to along +Y; its handle is at +X."""
OPEN = InteractionTask("open", 0)
SPEC = ACTION_SPECS["open"]


def test_a_door_needs_a_handle() -> None:
    with pytest.raises(FootfallError, match="'box' has no handle: set its handle and its hinge"):
        SPEC.validate(OPEN, [BOX])


def opened(degrees: list[float]) -> TaskRun:
    """A character that stands before a leaf that opens by some angles."""
    run = task_run(OPEN, DOOR)
    put(run, (0.2, 2.6))
    for angle in degrees:
        run.scene.replace_object(0, DOOR.swing_open(np.radians(angle)))
        record(run, frame_of(run))
    return run


def test_no_hand_is_on_a_door_that_stays_shut() -> None:
    assert list(SPEC.hand_holds(opened([0.0, 0.3, 0.2]).recording, (0, 3, 0))) == []
