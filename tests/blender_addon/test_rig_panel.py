"""See in_blender/rig_panel.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_rig_panel(blender) -> None:
    blender(IN_BLENDER / "rig_panel.py")
