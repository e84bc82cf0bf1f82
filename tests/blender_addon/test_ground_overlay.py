"""See in_blender/ground_overlay.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_ground_overlay(blender) -> None:
    blender(IN_BLENDER / "ground_overlay.py")
