"""The panel Train in real Blenders with the real trainer, at a tiny size: an animal, a phase system, a generator."""

import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]
SCRIPT = Path(__file__).with_name("train_in_blender.py")
WALK = Path("mocap/cmu_asfamc/walk/02_01.bvh")


@pytest.mark.parametrize("what", ["quadruped", "local_phase_system_small", "generator"])
def test_what_is_trained_from_the_panel_walks(blender, what: str, shared_data: Path) -> None:
    pytest.importorskip("torch", reason="training needs torch")
    blender(SCRIPT, what, sys.executable, shared_data / WALK)
