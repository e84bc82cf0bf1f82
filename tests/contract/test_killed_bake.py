"""A bake by the command line that is killed while it saves: the file is as it was, or whole and baked."""

import sys
from pathlib import Path

import pytest

WALK = "mocap/cmu_asfamc/walk/02_01.bvh"
SHOT = Path(__file__).with_name("command_shot.py")
KILLED = Path(__file__).with_name("killed_bake.py")
CHANGES = 40
"""More than a bake makes."""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="faults are injected on Linux alone")
@pytest.mark.all_only("a bake on a full disk is tried, and files that are killed while they are replaced")
def test_the_file_is_whole_wherever_the_bake_is_killed(blender, shared_data: Path, tmp_path: Path) -> None:
    blender(SHOT, shared_data / WALK, tmp_path)
    shot = tmp_path / "shot.blend"
    old, seen = shot.read_bytes(), set()
    for number in range(CHANGES):
        shot.write_bytes(old)
        child = blender(KILLED, shot, number, check=False)
        seen.add(child.returncode)
        found = shot.read_bytes()
        assert found == old or (found.startswith((b"BLENDER", b"\x28\xb5\x2f\xfd")) and len(found) > 0.9 * len(old))
        if child.returncode == 0:
            break
    assert seen == {-9, 0}
    assert list(tmp_path.glob(".*.part*")) == []
