"""See in_blender/rig_guess.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")
DATA = IN_BLENDER.parents[3] / "shared" / "data"


def test_real_armatures_are_guessed(blender) -> None:
    blender(IN_BLENDER / "rig_guess.py", DATA)
