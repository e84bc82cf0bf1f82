"""See in_blender/errands.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_errands(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "errands.py", shared_data / "mocap/cmu_asfamc/walk/02_01.bvh")
