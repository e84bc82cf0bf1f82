"""Motion files as a folder of them is read: FBX."""

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.rig import motion_files
from footfall.core.errors import FootfallError


@pytest.fixture
def walked(tmp_path: Path) -> Path:
    """An FBX file of a character that moves faster and faster, by a meter in a second."""
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    armature = bpy.context.object
    bpy.context.scene.render.fps = 30
    for frame in range(1, 32):
        armature.pose.bones[0].location = (((frame - 1) / 30) ** 2, 0.0, 0.0)
        armature.pose.bones[0].keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 31
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    file = tmp_path / "walked.fbx"
    bpy.ops.export_scene.fbx(filepath=str(file), use_selection=True, object_types={"ARMATURE"}, add_leaf_bones=False)
    return file


def test_an_fbx_file_is_read_from_its_first_frame_to_its_last(walked: Path) -> None:
    clip = motion_files.read_motion(walked)
    assert clip.duration == pytest.approx(1.0, abs=0.01)
    assert np.isfinite(clip.root_positions).all()
    np.testing.assert_allclose(np.linalg.norm(np.ptp(clip.root_positions, axis=0)), 1.0, atol=1e-3)


def test_an_fbx_file_whose_places_are_no_numbers_is_refused(walked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender reads damaged curves as they are."""
    read = motion_files.read_action

    def damaged(*told: object) -> tuple[object, int]:
        clip, first = read(*told)  # pyright: ignore[reportArgumentType]
        roots = clip.root_positions.copy()
        roots[3, 1] = np.nan
        return replace(clip, root_positions=roots), first

    monkeypatch.setattr(motion_files, "read_action", damaged)
    with pytest.raises(FootfallError, match="moves bones to places that are not numbers"):
        motion_files.read_motion(walked)
