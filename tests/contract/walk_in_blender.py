"""Inside Blender: the whole line, as an animator goes it, with the installed extension.

Arguments: the zip, a Python that has torch, BVH files of walks by CMU.
"""

import importlib
import sys
import tempfile
import time
from pathlib import Path

import bpy
from mathutils import Vector

MODULE = "bl_ext.user_default.footfall"
ARCHIVE, TRAINER, *CLIPS = sys.argv[1:]
TEMPORARY = Path(tempfile.mkdtemp())
SECONDS = 240


def install() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.extensions.package_install_files(filepath=ARCHIVE, repo="user_default", enable_on_install=True)
    bpy.context.preferences.addons[MODULE].preferences.training_python = TRAINER
    assert bpy.ops.footfall.check_training_setup() == {"FINISHED"}
    said = [(finding.level, finding.text) for finding in bpy.context.window_manager.footfall.setup_findings]
    assert not any(level == "error" for level, _ in said), said


def addon(name: str):
    return importlib.import_module(f"{MODULE}.blender_addon.{name}")


def import_and_label() -> list[bpy.types.Object]:
    armatures = []
    for clip in CLIPS:
        bpy.ops.import_anim.bvh(filepath=clip, global_scale=0.01, update_scene_fps=True)
        armatures.append(bpy.context.object)
        assert bpy.ops.footfall.detect_labels() == {"FINISHED"}
        action = bpy.context.object.animation_data.action
        assert {"Foot Strike L", "Foot Strike R"} <= {marker.name for marker in action.pose_markers}
    return armatures


def run_until(name: str, reached) -> bpy.types.PropertyGroup:
    """Polls the runs as the add-on's timer does, until one of them is as wished."""
    until = time.time() + SECONDS
    while True:
        addon("train.runs").poll_runs(time.time())
        run = next(run for run in bpy.context.window_manager.footfall.training_runs if run.name == name)
        if reached(run):
            return run
        assert time.time() < until and run.status not in ("failed", "interrupted"), f"{run.status}: {run.message}"
        time.sleep(0.2)


def train_stop_resume() -> str:
    scene = bpy.context.scene
    assert bpy.ops.footfall.add_clips(all_actions=True) == {"FINISHED"}
    assert len(scene.footfall.clips) == len(CLIPS)
    assert bpy.ops.footfall.analyze_clips() == {"FINISHED"}
    assert (
        f"in {len(CLIPS)} clips, of which {len(CLIPS)} are labeled"
        in bpy.context.window_manager.footfall.coverage_summary
    )
    scene.footfall.training_preset, scene.footfall.run_name = "quick", "end to end"
    assert bpy.ops.footfall.start_training() == {"FINISHED"}
    name = "end_to_end"
    run = run_until(name, lambda run: run.losses)
    print("watched:", run.status, run.progress, run.losses)
    run_until(name, lambda run: run.has_network)
    assert bpy.ops.footfall.preview_training_run() == {"FINISHED"}, "also while it is at work"
    if run.status != "finished":
        assert bpy.ops.footfall.stop_training() == {"FINISHED"}
        run_until(name, lambda run: run.status in ("stopped", "finished"))
    if run.status != "finished":
        addon("train.runs").clear()  # as a restart of Blender does
        assert bpy.ops.footfall.resume_training() == {"FINISHED"}
    run = run_until(name, lambda run: run.status == "finished")
    assert run.fraction == 1.0
    assert f"run:{name}" in [item[0] for item in addon("controllers.library").enum_items(None, None)]
    assert bpy.ops.footfall.use_controller() == {"FINISHED"}
    return f"own:{name}"


def draw_path() -> bpy.types.Object:
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(2)
    for point, at in zip(spline.bezier_points, [(0, 0, 0), (2, 1, 0), (4, 0, 0)], strict=True):
        point.co = at
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(curve)
    return curve


def settled(armature: bpy.types.Object, curve: bpy.types.Object, controller: str) -> None:
    settings = armature.footfall
    settings.controller, settings.path, settings.speed = controller, curve, 1.2
    bpy.context.view_layer.objects.active = armature


def hips_at(armature: bpy.types.Object, frame: float):
    bpy.context.scene.frame_set(int(frame))
    return (armature.matrix_world @ armature.pose.bones[0].head).xy


def walks_to_the_end(armature: bpy.types.Object) -> None:
    start, end = armature.animation_data.action.frame_range
    assert hips_at(armature, start).length < 0.3 and (hips_at(armature, end) - Vector((4, 0))).length < 0.3
    assert abs(hips_at(armature, (start + end) / 2).y - 1) < 0.3, "by way of the bend"


def bake_with_own_controller(controller: str, curve: bpy.types.Object) -> None:
    """Seconds of training on three clips make no walker, but a controller like any other."""
    assert bpy.ops.footfall.add_character(controller=controller) == {"FINISHED"}
    settled(bpy.context.object, curve, controller)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    assert len(bpy.context.object.animation_data.action.footfall.segments) > 2


def bake_undo_redo_again(controller: str, curve: bpy.types.Object) -> str:
    assert bpy.ops.footfall.add_character(controller=controller) == {"FINISHED"}
    armature = bpy.context.object
    settled(armature, curve, controller)
    name = armature.name
    bpy.ops.ed.undo_push(message="ready")
    assert bpy.ops.footfall.bake_shot("EXEC_DEFAULT", True) == {"FINISHED"}
    walks_to_the_end(armature)
    print("character:", armature.footfall.quality_summary)
    baked = armature.animation_data.action.name
    bpy.ops.ed.undo()
    assert baked not in bpy.data.actions, "one step takes all of it back"
    bpy.ops.ed.redo()
    armature = bpy.data.objects[name]
    assert armature.animation_data.action.name == baked
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    assert armature.animation_data.action.name == baked
    return name


def main() -> None:
    install()
    imported = import_and_label()[0].name
    trained = train_stop_resume()
    shipped = addon("controllers.library").enum_items(None, None)[0][0]
    assert shipped.startswith("preset:"), "a controller ships with Footfall"
    bake_with_own_controller(trained, draw_path())
    character = bake_undo_redo_again(shipped, bpy.data.objects["Path"])
    armature = bpy.data.objects[imported]
    mocap = armature.animation_data.action.name
    settled(armature, bpy.data.objects["Path"], shipped)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    walks_to_the_end(armature)
    print("imported armature:", armature.footfall.quality_summary)

    path = TEMPORARY / "walk.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    for name in (character, imported):
        armature = bpy.data.objects[name]
        walks_to_the_end(armature)
        assert armature.animation_data.action.footfall.segments and armature.footfall.baked_action
    tracks = bpy.data.objects[imported].animation_data.nla_tracks
    assert [strip.action.name for track in tracks for strip in track.strips] == [mocap], "the old action is kept"
    assert [run.name for run in bpy.context.window_manager.footfall.training_runs] == ["end_to_end"], (
        "and the run is found"
    )
    bpy.context.view_layer.objects.active = bpy.data.objects[character]
    assert bpy.ops.footfall.update_bake() == {"FINISHED"}
    print(f"done in Blender {bpy.app.version[0]}.{bpy.app.version[1]}")


main()
