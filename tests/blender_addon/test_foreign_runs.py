"""See the script in in_blender/."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_foreign_runs(blender) -> None:
    blender(IN_BLENDER / "foreign_runs.py")
