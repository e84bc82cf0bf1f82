"""Captured clips of any source on one skeleton."""

from pathlib import Path

import pytest

from footfall.benchmarks.captured import captured_clip
from footfall.benchmarks.setup import Setup
from footfall.core.errors import FootfallError
from footfall.core.evaluation.extremes import largest_lean


def test_a_source_whose_zero_pose_does_not_stand_stands_on_the_controller(shared_data: Path) -> None:
    model = Setup(shared_data / "mocap").model()
    clip = captured_clip(shared_data / "mocap", "accad_male1/idle/Male1_A1_Stand", model.skeleton, 30.0)
    assert clip.skeleton is model.skeleton and clip.rate == 30.0
    assert largest_lean(clip).value < 15
    with pytest.raises(FootfallError, match="not there"):
        captured_clip(shared_data / "mocap", "accad_male1/idle/nothing", model.skeleton, 30.0)
