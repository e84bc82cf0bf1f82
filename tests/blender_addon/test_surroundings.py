"""See in_blender/surroundings.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_surroundings(blender) -> None:
    blender(IN_BLENDER / "surroundings.py")
