"""See in_blender/scene_ground.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_scene_ground(blender) -> None:
    print(blender(IN_BLENDER / "scene_ground.py").stdout)
