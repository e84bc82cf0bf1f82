"""See in_blender/bake_report.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_what_a_bake_is_like(blender) -> None:
    blender(IN_BLENDER / "bake_report.py")
