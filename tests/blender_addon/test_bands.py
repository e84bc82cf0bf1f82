"""See in_blender/bands.py."""

from pathlib import Path

import pytest

IN_BLENDER = Path(__file__).with_name("in_blender")
NO_GRAPHICS = 77


def test_bands(blender, shared_data: Path) -> None:
    if blender.version < "5.2":
        pytest.skip(f"Blender {blender.version} cannot draw without a window")
    script, clip = IN_BLENDER / "bands.py", shared_data / "mocap/cmu_asfamc/walk/02_01.bvh"
    child = blender(script, clip, check=False)
    if child.returncode == NO_GRAPHICS:
        pytest.skip(f"no graphics, not even in software: {child.stdout}")
    assert child.returncode == 0, child.stdout + child.stderr
