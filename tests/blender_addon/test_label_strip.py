"""See the scripts in in_blender/."""

from pathlib import Path

import pytest

IN_BLENDER = Path(__file__).with_name("in_blender")
NO_GRAPHICS = 77


def test_layout_and_gestures(blender) -> None:
    blender(IN_BLENDER / "label_strip.py")


def test_editing_and_overlays(blender, shared_data: Path) -> None:
    clip = shared_data / "mocap/cmu_asfamc/walk/02_01.bvh"
    blender(IN_BLENDER / "label_strip_editing.py", clip)
    blender(IN_BLENDER / "label_overlay.py", clip)


def test_drawing(blender, shared_data: Path) -> None:
    if blender.version < "5.2":
        pytest.skip(f"Blender {blender.version} cannot draw without a window")
    clip = shared_data / "mocap/cmu_asfamc/walk/02_01.bvh"
    child = blender(IN_BLENDER / "label_strip_drawing.py", clip, check=False)
    if child.returncode == NO_GRAPHICS:
        pytest.skip(f"no graphics, not even in software: {child.stdout}")
    assert child.returncode == 0, child.stdout + child.stderr
