"""See in_blender/layers.py and in_blender/carriers.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_layers(blender) -> None:
    blender(IN_BLENDER / "layers.py")


def test_carriers(blender) -> None:
    blender(IN_BLENDER / "carriers.py")
