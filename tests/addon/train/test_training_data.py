"""What to learn from - actions, folders, presets - and what is in it."""

import shutil
from pathlib import Path

import bpy

from footfall.blender_addon.controllers import library
from footfall.blender_addon.train import training_choice
from footfall.blender_addon.train.clips import count_clips, count_folders, unused_path, write_clips
from footfall.blender_addon.train.coverage import SECTION_TITLES, kind_title
from footfall.blender_addon.train.operators import training_arguments
from footfall.blender_addon.train.panel import FOOTFALL_PT_train_coverage
from footfall.blender_addon.ui.translations import ANY_CONTEXT, CONTEXT, catalogues
from footfall.core.evaluation.coverage import COVERAGE_SECTIONS, Coverage
from footfall.core.jobs.training_preset import shipped_presets
from footfall.core.labelling import label_clip
from footfall.core.motion.bvh import read_bvh
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips
from footfall.tests.addon.support.refusals import refusal_of, refused

pytestmark = needs_clips


def session() -> bpy.types.PropertyGroup:
    return bpy.context.window_manager.footfall


def folder_of_clips(tmp_path: Path, name: str = "clips") -> Path:
    """A folder with a labelled clip, and one in a folder below."""
    folder = tmp_path / name
    (folder / "more").mkdir(parents=True)
    shutil.copy(WALK, folder / "walk.bvh")
    shutil.copy(WALK, folder / "more" / "again.bvh")
    label_clip(read_bvh(WALK)).save(folder / "walk.labels.npz")
    return folder


def written(scene: bpy.types.Scene, folder: Path) -> list[Path]:
    """All that the trainer is to learn from."""
    writing = write_clips(scene, folder)
    shares = []
    while True:
        try:
            shares.append(next(writing)[0])
        except StopIteration as done:
            assert shares == sorted(shares) and all(0 <= share < 1 for share in shares)
            return done.value


def minutes(section: str, kind: str) -> float:
    return next((item.minutes for item in session().coverage if (item.section, item.kind) == (section, kind)), 0.0)


def test_folders_are_listed_and_taken_off(tmp_path: Path) -> None:
    folder = folder_of_clips(tmp_path)
    assert "No folder was selected" in refusal_of(bpy.ops.footfall.add_clip_folder)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no BVH or FBX file" in refusal_of(lambda: bpy.ops.footfall.add_clip_folder(directory=str(empty)))
    assert not bpy.ops.footfall.start_training.poll()
    assert "no BVH or FBX file" in refusal_of(lambda: bpy.ops.footfall.add_clip_folder(directory="x" * 300))
    assert bpy.ops.footfall.add_clip_folder(directory=str(folder)) == {"FINISHED"}
    assert "already in the list" in refusal_of(lambda: bpy.ops.footfall.add_clip_folder(directory=str(folder)))
    assert bpy.ops.footfall.start_training.poll(), "there is something to learn from"
    assert "only 1 folders" in refusal_of(lambda: bpy.ops.footfall.remove_clip_folder(index=1))
    assert bpy.ops.footfall.remove_clip_folder(index=0) == {"FINISHED"}
    assert not bpy.context.scene.footfall.clip_folders and folder.is_dir()


def test_what_the_trainer_is_given(tmp_path: Path) -> None:
    scene, folder = bpy.context.scene, folder_of_clips(tmp_path, "given")
    armature = import_bvh(str(WALK))
    action = armature.animation_data.action
    for name in ("walk/1", "walk:1"):  # one name to a file system
        action.copy().name = name
    bpy.ops.footfall.add_clips(all_actions=True)
    bpy.ops.footfall.add_clip_folder(directory=str(folder))
    out = tmp_path / "run" / "clips"
    assert written(scene, out) == [out, folder], "folders are read where they are"
    assert sorted(file.name for file in out.rglob("*.bvh")) == ["02_01.bvh", "walk_1-2.bvh", "walk_1.bvh"]
    scene.footfall.clips.clear()
    assert written(scene, tmp_path / "nothing") == [folder] and not (tmp_path / "nothing").exists()


def test_fbx_files_are_written_for_the_trainer(tmp_path: Path) -> None:
    folder = tmp_path / "fbx"
    folder.mkdir()
    import_bvh(str(WALK))
    bpy.context.scene.frame_end = 60
    if "fbx" not in dir(bpy.ops.export_scene):
        import addon_utils

        addon_utils.enable("io_scene_fbx")
    bpy.ops.export_scene.fbx(filepath=str(folder / "taken.fbx"), add_leaf_bones=False, bake_anim=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.footfall.add_clip_folder(directory=str(folder))
    out = tmp_path / "of fbx"
    assert written(bpy.context.scene, out) == [out]
    assert len(read_bvh(out / "fbx" / "taken.bvh")) > 30


def test_names_that_are_taken(tmp_path: Path) -> None:
    folder = tmp_path / "names"
    folder.mkdir()
    assert unused_path(folder, "walk", ".bvh") == folder / "walk.bvh"
    for name in ("walk.bvh", "walk-2.bvh"):
        (folder / name).write_text("")
    assert unused_path(folder, "walk", ".bvh") == folder / "walk-3.bvh"


def test_the_data_is_counted(tmp_path: Path) -> None:
    folder = folder_of_clips(tmp_path, "counted")
    assert not bpy.ops.footfall.analyze_clips.poll()
    import_bvh(str(WALK))
    bpy.ops.footfall.add_clips()
    assert bpy.ops.footfall.analyze_clips() == {"FINISHED"}
    clip = read_bvh(WALK)
    assert abs(minutes("Gaits", "walk") - len(clip) / clip.rate / 60) < 0.01
    assert session().coverage_summary == "3 seconds of motion in 1 clip, of which 0 are labeled"
    assert "The clips show no running" in session().coverage_missing.splitlines()
    assert session().coverage_key == "1 actions, 0 folders"
    bpy.ops.footfall.detect_labels()
    bpy.ops.footfall.add_clip_folder(directory=str(folder))
    (folder / "broken.bvh").write_text("HIERARCHY")
    assert bpy.ops.footfall.analyze_clips() == {"FINISHED"}
    assert session().coverage_summary.endswith("in 3 clips, of which 2 are labeled")
    assert session().coverage_errors.startswith("broken.bvh: ")
    rows = session().coverage
    assert max(item.share for item in rows if item.section == "Gaits") == 1.0
    assert len({(item.section, item.kind) for item in rows}) == len(rows), "each kind once"


def test_one_of_a_kind_is_said_in_the_singular() -> None:
    assert [count_clips(1), count_clips(2)] == ["1 clip", "2 clips"]
    assert [count_folders(1), count_folders(0)] == ["1 folder", "0 folders"]


def test_all_that_is_counted_has_a_title_in_german() -> None:
    kinds = [kind for section in COVERAGE_SECTIONS for kind, _ in Coverage().rows(section)]
    titles = [*((title, ANY_CONTEXT) for title in SECTION_TITLES.values()), *map(kind_title, kinds)]
    german = catalogues()["de"]
    assert not [title for title, context in titles if (context, title) not in german]
    assert kind_title("walk") == ("Walk", CONTEXT) and german[CONTEXT, "Walk"] == "Gehen"
    assert german[ANY_CONTEXT, kind_title("in curves")[0]] == "Sanfte Kurven"


def test_labels_of_an_action_are_what_is_counted() -> None:
    armature = import_bvh(str(WALK))
    bpy.ops.footfall.detect_labels()
    end = int(armature.animation_data.action.frame_range[1])
    bpy.ops.footfall.set_gait(gait="run", start=1, end=end)
    bpy.ops.footfall.add_clips()
    bpy.ops.footfall.analyze_clips()
    assert minutes("Gaits", "run") > 0.9 * minutes("Speeds", "0.8 to 1.8 m/s") > 0.0, "the user knows best"


def test_a_list_of_which_nothing_is_left() -> None:
    import_bvh(str(WALK))
    bpy.ops.footfall.add_clips()
    bpy.data.actions.remove(bpy.data.actions[0])
    assert not bpy.ops.footfall.analyze_clips.poll()
    assert FOOTFALL_PT_train_coverage.bl_parent_id == "FOOTFALL_PT_train"


def test_presets_that_ship_and_of_ones_own() -> None:
    settings = bpy.context.scene.footfall
    assert settings.training_preset == "quick" and settings.training_preset_choice == "quick"
    names = [item[0] for item in training_choice.enum_items(None, None)]
    assert names == ["quick", "standard", "paper", "nsm", "research"]
    research = {item[0] for item in training_choice.research_items(None, None)}
    shipped = {preset.name for preset in shipped_presets()}
    assert shipped - {*names, *research} == {"fine_tune"}, "that is chosen by a controller"
    settings.training_preset_choice = "research"
    assert settings.training_preset in research and settings.research_preset_choice == settings.training_preset
    settings.research_preset_choice = "mann"
    settings.training_preset_choice = "research"
    assert settings.training_preset == "mann", "what was chosen of them stays"
    assert "two cores" in training_choice.description_of("quick")
    settings.training_preset_choice = "standard"
    assert settings.training_preset == "standard" and training_choice.preset_argument("standard") == "standard"
    training_choice.user_presets_folder().mkdir(parents=True)
    own = training_choice.user_presets_folder() / "ours.toml"
    own.write_text("# For the film.\nhidden = 24\n")
    training_choice.refresh()
    settings.training_preset_choice = "own:ours"
    assert settings.training_preset == "own:ours" and training_choice.preset_argument("own:ours") == str(own)
    assert training_choice.description_of("own:ours") == "For the film"
    own.unlink()
    assert "'ours' no longer exists" in refused(training_choice.preset_argument, "own:ours")
    assert settings.training_preset_choice == "quick", "the first, where what was chosen is gone"


def test_how_the_trainer_is_told_to_train() -> None:
    settings = bpy.context.scene.footfall
    assert training_arguments(settings) == ["--preset", "quick"]
    settings.fine_tune = True
    shipped = library.find("", "")[1]
    assert training_arguments(settings) == ["--base", str(shipped)]
    settings.new_style = "sneak"
    assert training_arguments(settings)[2:] == ["--style", "sneak"]
    settings.base_controller_choice = "file"
    assert "No controller is selected" in refused(training_arguments, settings)
    settings.base_controller_file = "/controllers/ours.safetensors"
    assert training_arguments(settings)[:2] == ["--base", "/controllers/ours.safetensors"]
