"""Sparse keys as Blender evaluates them."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_sparse_keys_in_blender(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "sparse_keys.py", shared_data / "mocap/cmu_asfamc/walk/16_32.bvh")
