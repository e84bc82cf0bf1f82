"""See in_blender/exporters.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_bakes_survive_blenders_own_exporters(blender) -> None:
    print(blender(IN_BLENDER / "exporters.py", timeout=290).stdout)
