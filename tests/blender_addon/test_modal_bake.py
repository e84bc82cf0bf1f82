"""See in_blender/modal_bake.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_modal_bake(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "modal_bake.py", shared_data / "mocap/cmu_asfamc/walk/02_01.bvh")
