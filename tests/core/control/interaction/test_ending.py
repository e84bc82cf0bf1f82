"""Endings of recordings: a character turns away or comes to a stand, for a moment at least and not for long."""

import numpy as np
import pytest

from footfall.core.control.interaction.ending import Ending
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.interaction.task_run import TaskRun
from footfall.tests.support.task_runs import frame_of, put, record, stand_still, task_run

FEET = ("foot.L", "toe.L", "foot.R", "toe.R")


def ended(frames: int = 20) -> TaskRun:
    run = task_run(InteractionTask("idle"), at=(1.0, 2.0), yaw=np.pi / 2)
    record(run, frame_of(run), frames)
    return run


def test_it_turns_away_from_what_it_has_put_down() -> None:
    command = Ending(ended(), True).goal_command()
    assert command.action == "walk"
    # It faces -X: 70 cm behind it is at +X.
    np.testing.assert_allclose(command.position, [1.7, 2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(command.direction, [1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("frames", [1, 2, 20])
def test_it_idles_where_it_comes_to_a_stand_in_three_tenths_of_a_second(frames: int) -> None:
    run = ended(0)
    for frame in range(frames):
        # Roots before each step, at 0.6 m/s along +Y, up to where it is.
        record(run, frame_of(run, at=(1.0, 2.0 - 0.01 * (frames - frame))))
    command = Ending(run, False).goal_command()
    assert command.action == "idle"
    np.testing.assert_allclose(command.position, [1.0, 2.0 + 0.3 * 0.6, 0.0], atol=1e-9)
    np.testing.assert_allclose(command.direction, [-1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize(
    ("frames", "still", "feet", "over"),
    [
        (78, True, FEET, True),
        (77, True, FEET, False),
        (78, False, FEET, False),
        (78, True, FEET[:3], False),
        (78, True, FEET[1:], False),
        (209, False, (), False),
        (210, False, (), True),
    ],
)
def test_it_is_over_on_both_feet_after_13_tenths_of_a_second_or_anyhow_after_35(
    frames: int, still: bool, feet: tuple[str, ...], over: bool
) -> None:
    run = ended()
    stand_still(run)
    ending = Ending(run, False)
    assert run.still_frames == 0, "it counts anew"
    record(run, frame_of(run), frames)
    if still:
        stand_still(run)
    frame = frame_of(run, touching=feet)
    if not still:
        put(run, (5.0, 2.0))
    assert ending.is_over(frame) == over
