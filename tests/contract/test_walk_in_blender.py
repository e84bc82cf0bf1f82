"""The whole line in real Blenders with the packaged zip: from mocap to a walk along a drawn path."""

import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow, pytest.mark.timeout(900)]
SCRIPT = Path(__file__).with_name("walk_in_blender.py")
CLIPS = ("walk/07_01.bvh", "walk/08_01.bvh", "walk/02_01.bvh")


def test_from_mocap_to_a_baked_walk(blender, packaged_zip: Path, shared_data: Path) -> None:
    pytest.importorskip("torch", reason="training needs torch")
    clips = [shared_data / "mocap/cmu_asfamc" / clip for clip in CLIPS]
    output = blender(SCRIPT, packaged_zip, sys.executable, *clips, timeout=600).stdout
    assert f"done in Blender {blender.version}" in output
