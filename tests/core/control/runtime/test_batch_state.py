"""The state of a batch: selecting, copying and joining characters, and one frame in closed form."""

from dataclasses import dataclass

import numpy as np
import pytest

from footfall.core.control.runtime.batch_state import BatchState
from footfall.core.errors import FootfallError
from footfall.core.features.interaction import TimeSeries
from footfall.core.features.layout import Group, Layout
from footfall.core.motion.rotations import Array

LAYOUT = Layout(
    (
        Group("root.velocity", (2,), "m/s", "root"),
        Group("root.angular_velocity", (1,), "rad/s", "up"),
        Group("phase.rate", (1,), "1/s", "none"),
        Group("pose.position", (2, 3), "m", "root"),
        Group("pose.velocity", (2, 3), "m/s", "root"),
    )
)


@dataclass(eq=False)
class SampledState(BatchState):
    """A state with nested samples and an optional array."""

    samples: TimeSeries
    extra: Array | None


def state(count: int, offset: float = 0.0) -> SampledState:
    """Characters whose numbers say which row they are of."""
    rows = offset + np.arange(count, dtype=float)
    samples = TimeSeries(np.tile(rows[:, None, None], (1, 3, 2)), np.ones((count, 3, 2)), np.zeros((count, 3, 7)))
    pose = np.tile(rows[:, None, None], (1, 2, 3))
    memory = (rows[:, None].astype(np.float32),)
    return SampledState(np.column_stack([rows, rows]), rows, rows / 10, pose, pose.copy(), memory, samples, None)


def test_selected_rows_are_those_characters_in_every_array() -> None:
    chosen = state(4).take(np.array([3, 1]))
    assert isinstance(chosen, SampledState) and len(chosen) == 2
    for array in (chosen.position[:, 0], chosen.yaw, chosen.pose[:, 1, 2], chosen.memory[0][:, 0]):
        np.testing.assert_array_equal(array, [3.0, 1.0])
    np.testing.assert_array_equal(chosen.samples.positions[:, 2, 1], [3.0, 1.0])
    assert chosen.extra is None


def test_a_copy_shares_no_array() -> None:
    one = state(2)
    twin = one.copy()
    one.position[:] = one.pose[:] = one.memory[0][:] = one.samples.positions[:] = -1.0
    assert min(part.min() for part in (twin.position, twin.pose, twin.memory[0], twin.samples.positions)) == 0.0


def test_a_frame_moves_the_root_along_its_yaw_and_turns_the_phase_on() -> None:
    one = state(2)
    output = np.zeros((2, LAYOUT.size), dtype=np.float32)
    LAYOUT.view(output, "root.velocity")[:] = [0.0, 1.5]
    LAYOUT.view(output, "root.angular_velocity")[:] = 0.5
    LAYOUT.view(output, "phase.rate")[:] = [[2.0], [-2.0]]
    LAYOUT.view(output, "pose.position")[:] = 7.0
    before = one.position.copy()
    one.advance(LAYOUT, output, np.array([1.0, 0.0]), 0.5)
    np.testing.assert_allclose(one.position - before, [[0.0, 0.75], [0.0, 0.0]])
    np.testing.assert_allclose(one.yaw, [0.25, 1.0])
    np.testing.assert_allclose(one.phase, [0.0, 0.1], atol=1e-12)
    assert (one.pose == 7.0).all() and (one.velocity == 0.0).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e30, 2e4])
def test_numbers_that_no_motion_has_end_the_walk_with_a_sentence(value: float) -> None:
    """Two of 981 controllers with extreme weights gave a clip that was not a number."""
    output = np.zeros((2, LAYOUT.size), dtype=np.float32)
    output[1, 3] = value
    with pytest.raises(FootfallError, match="produced invalid motion"):
        state(2).advance(LAYOUT, output, np.ones(2), 0.5)
