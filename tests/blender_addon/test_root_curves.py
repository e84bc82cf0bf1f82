"""See in_blender/root_curves.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_the_root_as_an_empty(blender) -> None:
    blender(IN_BLENDER / "root_curves.py")
