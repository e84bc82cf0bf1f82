"""Armatures and actions as skeletons and clips, and back."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_the_bridge_agrees_with_blender(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "clip_bridge.py", shared_data / "mocap/cmu_asfamc/walk/02_01.bvh")
