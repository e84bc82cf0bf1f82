"""Leaning: which objects, where a body stands, and when it leans."""

import numpy as np
import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import frame_of, put, record, stand_still, task_run

TABLE = block("table", "surface", (2.0, 0.8, 0.9), (0.0, 2.0, 0.0))
LEAN = InteractionTask("lean", 0)
SPEC = ACTION_SPECS["lean"]
STAND = np.array([0.0, 2.0 - 0.4 + 0.07 - 0.51])
"""On a top 90 cm high, palms are 7 cm behind its edge, and hips stand 51 cm before them."""


@pytest.mark.parametrize(
    ("weight", "touching", "still", "leans"),
    [
        (0.81, ("hand.L", "hand.R"), True, True),
        (0.79, ("hand.L", "hand.R"), True, False),
        (0.81, ("hand.L",), True, False),
        (0.81, ("hand.R",), True, False),
        (0.81, ("hand.L", "hand.R"), False, False),
    ],
)
def test_it_leans_where_it_is_still_on_both_hands(
    weight: float, touching: tuple[str, ...], still: bool, leans: bool
) -> None:
    run = task_run(LEAN, TABLE)
    record(run, frame_of(run, {"lean": weight}, touching))
    if still:
        stand_still(run)
    SPEC.update(run, run.recording.frames[-1])
    assert (run.recording.event_frame("reached", 0) is not None) == leans


def test_palms_hold_from_when_both_touch_for_good_to_the_end() -> None:
    run = task_run(LEAN, TABLE)
    assert list(SPEC.hand_holds(run.recording, (0, 9, 0))) == []
    put(run, STAND)
    for touching in ((), ("hand.L", "hand.R"), ("hand.L",), ("hand.L", "hand.R"), ("hand.L", "hand.R")):
        record(run, frame_of(run, touching=touching))
    run.record("reached")
    record(run, frame_of(run), 3)
    left, right = SPEC.hand_holds(run.recording, (0, 8, 0))
    assert [(hold.hand, hold.start, hold.stop) for hold in (left, right)] == [("L", 3, 8), ("R", 3, 8)]
    assert left.wrist[0] < 0.0 < right.wrist[0], "seen from the side at -Y"
    assert [hold.stop for hold in SPEC.hand_holds(run.recording, (0, 2, 0))] == [4, 4], "a frame at least"
