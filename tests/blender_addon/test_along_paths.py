"""See in_blender/along_paths.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_along_paths(blender) -> None:
    blender(IN_BLENDER / "along_paths.py")
