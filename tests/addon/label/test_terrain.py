"""Patches of ground are made, and the one that fits is put under a clip."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from footfall.blender_addon.label.labels import read_labels
from footfall.blender_addon.label.terrain import patches
from footfall.blender_addon.label.terrain.operators import TERRAIN_COLLECTION
from footfall.blender_addon.label.terrain.patches import make_patches
from footfall.blender_addon.rig.clip_reader import read_mapped_action
from footfall.blender_addon.train import operators
from footfall.core.terrain.foot_points import FootTracks
from footfall.core.terrain.heightfield import Heightfield
from footfall.core.terrain.patches import PatchDatabase
from footfall.core.terrain.stride_segments import stride_segments
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of

pytestmark = needs_clips

COUNT = 160


@pytest.fixture
def use_folder(preferences: bpy.types.AddonPreferences) -> Callable[[Path], None]:
    """Choose a folder of patches."""

    def use(folder: Path) -> None:
        preferences.terrain_patches_folder = str(folder)

    return use


@pytest.fixture(scope="module")
def module_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("patches") / "patches"


@pytest.fixture
def made(module_folder: Path, use_folder: Callable[[Path], None]) -> PatchDatabase:
    """The patches of the folder in use, which are made once."""
    use_folder(module_folder)
    if not patches.have_patches():
        assert bpy.ops.footfall.make_terrain_patches(count=COUNT) == {"FINISHED"}
    return patches.open_patches()


def walker() -> bpy.types.Object:
    armature = import_bvh(WALK)
    bpy.context.scene.frame_set(60)
    return armature


def shown() -> tuple[bpy.types.Object, Heightfield]:
    thing = bpy.data.collections[TERRAIN_COLLECTION].objects[0]
    points = np.array([point.co for point in thing.data.vertices])
    size = round(len(points) ** 0.5)
    assert size == 126 and np.isfinite(points).all()
    return thing, Heightfield(points[:, 2].reshape(size, size), 0.04, points[0, :2])


def contacts_about(armature: bpy.types.Object, frame: int) -> np.ndarray:
    clip, first = read_mapped_action(armature, armature.animation_data.action, bpy.context.scene)
    labels = read_labels(armature, armature.animation_data.action, clip, first)
    start, stop = next(part for part in stride_segments(labels).tolist() if part[1] > frame - first)
    return FootTracks.of(clip, labels).points(start, stop).contacts


def test_patches_are_made(use_folder: Callable[[Path], None], tmp_path: Path) -> None:
    use_folder(tmp_path / "patches")
    assert not patches.have_patches()
    armature = walker()
    assert armature and "press Make Terrain Patches" in refusal_of(
        lambda: bpy.ops.footfall.show_terrain_patch(source_terrain="ROUGH")
    )
    assert bpy.ops.footfall.make_terrain_patches(count=100) == {"FINISHED"}
    database = patches.open_patches()
    assert database.count == 100 and database.folder == tmp_path / "patches"


def test_making_can_be_given_up(made: PatchDatabase) -> None:
    kept = made.folder
    making = make_patches(kept, 4000)
    assert next(making) == 0.0
    making.close()
    assert patches.open_patches().count == COUNT, "the old ones stay"


def test_a_folder_that_cannot_be_written_is_told(use_folder: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    use_folder(tmp_path / "file" / "patches")
    assert "is not a folder but a file, or lies inside one" in refusal_of(
        bpy.ops.footfall.make_terrain_patches, count=100
    )


def test_a_walk_on_level_ground_keeps_it(made: PatchDatabase) -> None:
    walker()
    assert "captured on level ground" in refusal_of(bpy.ops.footfall.show_terrain_patch)
    assert TERRAIN_COLLECTION not in bpy.data.collections


def test_the_patch_that_fits_lies_under_the_feet(made: PatchDatabase) -> None:
    armature = walker()
    assert bpy.ops.footfall.show_terrain_patch(source_terrain="ROUGH") == {"FINISHED"}
    thing, field = shown()
    assert thing.name == f"Ground of {armature.animation_data.action.name}"
    contacts = contacts_about(armature, 60)
    off = np.abs(field.heights_at(contacts[:, :2]) - contacts[:, 2])
    assert np.median(off) < 0.005, off
    assert bpy.ops.footfall.show_terrain_patch(source_terrain="ROUGH", deform=False, rank=2) == {"FINISHED"}
    other, raw = shown()
    assert len(bpy.data.collections[TERRAIN_COLLECTION].objects) == 1 and len(bpy.data.meshes) == 1, other
    assert np.median(np.abs(raw.heights_at(contacts[:, :2]) - contacts[:, 2])) > np.median(off)
    assert "only 160 terrain patches" in refusal_of(
        lambda: bpy.ops.footfall.show_terrain_patch(source_terrain="ROUGH", rank=500)
    )


def test_other_grounds_can_be_shown(made: PatchDatabase) -> None:
    walker()
    for source in ("ORIGINAL", "DEFORMED_PLANE"):
        assert bpy.ops.footfall.show_terrain_patch(terrain=source, source_terrain="ROUGH") == {"FINISHED"}
        _, field = shown()
        assert np.ptp(field.grid) < 0.5, source
    assert bpy.ops.footfall.show_terrain_patch(source_terrain="BEAM") == {"FINISHED"}


def test_one_step_takes_it_back(made: PatchDatabase) -> None:
    walker()
    bpy.ops.ed.undo_push(message="walk")
    assert bpy.ops.footfall.show_terrain_patch("EXEC_DEFAULT", True, source_terrain="ROUGH") == {"FINISHED"}
    bpy.ops.ed.undo()
    assert TERRAIN_COLLECTION not in bpy.data.collections


def test_the_trainer_is_told_of_the_patches(made: PatchDatabase) -> None:
    assert operators.terrain_arguments(False) == []
    folder = made.folder
    told = operators.terrain_arguments(True)
    assert told[:3] == ["--set", "terrain=fitted", "--set"]
    name, _, value = told[3].partition("=")
    assert name == "patches" and tomllib.loads(f"value = {value}")["value"] == str(folder)


def told(capfd: pytest.CaptureFixture[str], **options: object) -> tuple[int, int, float]:
    """The first and last frame under which a ground is shown, and how far off the contacts are, meters."""
    capfd.readouterr()
    assert bpy.ops.footfall.show_terrain_patch(source_terrain="ROUGH", **options) == {"FINISHED"}
    said = capfd.readouterr().out
    found = re.search(r"frames (\d+) to (\d+): the contacts are ([\d.]+) mm away", said)
    assert found, said
    return int(found[1]), int(found[2]), float(found[3]) / 1000


@pytest.mark.parametrize("begin", [1, 301])
def test_the_stride_at_the_current_frame_is_told(
    made: PatchDatabase, capfd: pytest.CaptureFixture[str], begin: int
) -> None:
    bpy.ops.import_anim.bvh(filepath=str(WALK), global_scale=0.01, frame_start=begin, update_scene_fps=True)
    armature = bpy.context.object
    clip, first = read_mapped_action(armature, armature.animation_data.action, bpy.context.scene)
    segments = stride_segments(read_labels(armature, armature.animation_data.action, clip, first)).tolist()
    assert first == begin and len(segments) > 1
    for start, stop in segments[:2]:
        bpy.context.scene.frame_set(begin + (start + stop) // 2)
        assert told(capfd, terrain="DEFORMED_PLANE")[:2] == (begin + start, begin + stop - 1)


def test_a_lower_rank_fits_less_and_the_last_one_is_shown(
    made: PatchDatabase, capfd: pytest.CaptureFixture[str]
) -> None:
    contacts = contacts_about(walker(), 60)
    errors = []
    for rank in (1, 2, COUNT):
        _, _, off = told(capfd, deform=False, rank=rank)
        _, field = shown()
        errors.append(np.sqrt(np.mean((field.heights_at(contacts[:, :2]) - contacts[:, 2]) ** 2)))
        assert off == pytest.approx(errors[-1], rel=0.5), "in millimeters"
    assert errors[0] < errors[1] < errors[2]


def test_the_shown_ground_faces_upward(made: PatchDatabase) -> None:
    walker()
    assert bpy.ops.footfall.show_terrain_patch(source_terrain="ROUGH") == {"FINISHED"}
    assert min(face.normal.z for face in shown()[0].data.polygons) > 0.0
