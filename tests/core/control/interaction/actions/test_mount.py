"""Climbing: where it begins, and when the phase has come to the top."""

import pytest

from footfall.core.control.interaction.actions import ACTION_SPECS
from footfall.core.control.interaction.task import InteractionTask
from footfall.tests.core.control.interaction.test_sequencer import block
from footfall.tests.support.task_runs import frame_of, record, task_run

LADDER = block("ladder", "climb", (0.5, 0.3, 2.0), (0.0, -2.0, 0.0))
MOUNT = InteractionTask("mount", 0)
SPEC = ACTION_SPECS["mount"]


@pytest.mark.parametrize(
    ("before", "after", "weight", "lifted", "ends"),
    [
        (0.5, 0.96, 0.9, 0.6, True),
        (0.5, 0.94, 0.9, 0.6, False),
        (0.76, 0.24, 0.9, 0.6, True),
        (0.74, 0.24, 0.9, 0.6, False),
        (0.76, 0.26, 0.9, 0.6, False),
        (0.5, 0.96, 0.81, 0.6, True),
        (0.5, 0.96, 0.79, 0.6, False),
        (0.5, 0.96, 0.9, 0.18, True),
        (0.5, 0.96, 0.9, 0.16, False),
    ],
)
def test_it_has_come_to_the_top_where_the_phase_runs_out_off_the_floor(
    before: float, after: float, weight: float, lifted: float, ends: bool
) -> None:
    run = task_run(MOUNT, LADDER)
    frame = frame_of(run, {"mount": weight}, phase=before, lifted=lifted)
    assert float(run.recording.ankle_positions(frame)[0, 2]) == pytest.approx(0.08 + lifted)
    record(run, frame)
    run.runtime.state.phase[:] = after
    SPEC.update(run, frame)
    assert run.is_aligned == ends
    assert run.runtime.phase[0] == pytest.approx(0.0 if ends else after)
    assert (run.recording.event_frame("reached", 0) is not None) == ends
    run.runtime.state.phase[:] = 0.4
    SPEC.update(run, frame_of(run, phase=0.4))
    assert run.runtime.phase[0] == pytest.approx(0.0 if ends else 0.4), "it rests there"
