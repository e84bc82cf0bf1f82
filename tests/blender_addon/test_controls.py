"""See in_blender/controls.py."""

from pathlib import Path

IN_BLENDER = Path(__file__).with_name("in_blender")
CLIP = "mocap/cmu_asfamc/walk/02_01.bvh"


def test_clips_go_to_the_controls_of_rigs(blender) -> None:
    clip = IN_BLENDER.parents[3] / "shared" / "data" / CLIP
    blender(IN_BLENDER / "controls.py", *([clip] if clip.is_file() else []))
