"""See in_blender/object_fits.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")


def test_object_fits(blender, shared_data: Path) -> None:
    mocap = shared_data / "mocap"
    blender(
        IN_BLENDER / "object_fits.py",
        mocap / "cmu_asfamc/sit/14_31.bvh",
        mocap / "accad_male1/carry/Male1_A5_PickUpBox.bvh",
    )
