"""The animator's own rig in real Blenders with the packaged zip: a generated Rigify human walks along a path."""

from pathlib import Path

import pytest

from footfall.tools.build.folders import SHARED

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.without_shared_data,
]
SCRIPT = Path(__file__).with_name("rig_in_blender.py")
CLIP = SHARED / "data/mocap/cmu_asfamc/walk/07_01.bvh"


@pytest.mark.every_blender
@pytest.mark.all_only("rigs are baked in tests/addon")
def test_a_rigify_human_walks_by_its_controls(blender, packaged_zip: Path) -> None:
    clips = [CLIP] if CLIP.is_file() else []
    output = blender(SCRIPT, packaged_zip, *clips, timeout=300).stdout
    assert f"done in Blender {blender.version}" in output
