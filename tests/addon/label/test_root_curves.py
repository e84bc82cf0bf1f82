"""The root empty of a character, which goes where it is on the ground and turns the way it faces."""

import time

import bpy
import numpy as np

from footfall.benchmarks.scripted_rigs import RIGS
from footfall.blender_addon.animation.fcurve_io import read_action
from footfall.blender_addon.label.labels import clear_labels
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.tests.addon.support.scenes import add_box, add_curve

STRAIGHT = [(0.0, 0.0, 0.2), (3.0, 0.0, 0.2)]


def walked(points=STRAIGHT, armature: bpy.types.Object | None = None) -> bpy.types.Object:
    """A character that has walked by the shipped controller."""
    bpy.context.scene.render.fps, bpy.context.scene.frame_start = 30, 5
    if armature is None:
        bpy.ops.footfall.add_character(controller="preset:locomotion")
        armature = bpy.context.object
    armature.footfall.controller = "preset:locomotion"
    armature.footfall.path = add_curve("POLY", points)
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    return armature


def root_of(armature: bpy.types.Object) -> bpy.types.Object:
    return next(thing for thing in bpy.data.objects if thing.get("footfall_root_of") == armature)


def placed(empty: bpy.types.Object, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Where it is and which way its +Y points, as Blender evaluates it."""
    bpy.context.scene.frame_set(frame)
    matrix = np.array(empty.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
    return matrix[:3, 3], matrix[:3, 1]


def test_it_is_where_the_character_is_and_faces_as_it_does() -> None:
    armature = walked()
    assert bpy.ops.footfall.add_root_empty() == {"FINISHED"}
    empty = root_of(armature)
    assert empty.name == f"{armature.name} Root" and empty.users_collection == armature.users_collection
    assert empty.type == "EMPTY" and empty.animation_data.action_slot is not None
    clip, first = read_action(armature, armature.footfall.baked_action, bpy.context.scene)
    track = root_track(clip)
    for frame in range(0, len(clip), 7):
        place, ahead = placed(empty, first + frame)
        np.testing.assert_allclose(place[:2], track.positions[frame], atol=1e-4)
        np.testing.assert_allclose(ahead[:2], facing_direction(track.yaws[frame]), atol=1e-4)
        assert abs(place[2] - 0.2) < 0.011, (frame, place[2])
    assert placed(empty, first + len(clip) // 2)[1][0] > 0.9, "it goes along X"


def test_feet_are_the_labels_and_without_labels_what_is_seen() -> None:
    armature = walked()
    bpy.ops.footfall.add_root_empty()
    empty, action = root_of(armature), armature.footfall.baked_action
    first, last = map(int, action.frame_range)
    said, seen = [], []
    for frame in range(first, last + 1):
        bpy.context.scene.frame_set(frame)
        said.append([max(armature[f"footfall_contact_{part}_{side}"] for part in ("foot", "toe")) for side in "LR"])
        seen.append([empty[f"footfall_foot_contact_{side}"] for side in "LR"])
    assert np.array_equal(said, seen) and 0.3 < np.mean(seen) < 1.0
    clear_labels(armature, action)
    bpy.ops.footfall.add_root_empty()
    found = []
    for frame in range(first, last + 1):
        bpy.context.scene.frame_set(frame)
        found.append([empty[f"footfall_foot_contact_{side}"] for side in "LR"])
    assert np.mean(np.array(found) == seen) > 0.9


def test_again_it_is_the_same_empty_and_one_step_to_undo() -> None:
    armature = walked()
    bpy.ops.footfall.add_root_empty()
    empty, count = root_of(armature), len(bpy.data.objects)
    empty.name, before = "Dolly", placed(empty, 40)[0]
    empty.keyframe_insert("scale", frame=1)
    armature.footfall.path.location.y = 4.0
    bpy.ops.footfall.update_bake()
    actions = len(bpy.data.actions)
    bpy.ops.ed.undo_push(message="baked again")
    assert bpy.ops.footfall.add_root_empty("EXEC_DEFAULT", True) == {"FINISHED"}
    assert (len(bpy.data.objects), len(bpy.data.actions)) == (count, actions)
    bag = empty.animation_data.action.layers[0].strips[0].channelbags[0]
    assert bag.fcurves.find("scale") is not None, "other keys are the user's"
    assert abs(placed(empty, 40)[0][1] - before[1] - 4.0) < 0.05
    bpy.ops.ed.undo()
    assert abs(placed(bpy.data.objects["Dolly"], 40)[0][1] - before[1]) < 0.05


def test_one_that_was_deleted_is_made_anew_and_a_copy_has_its_own() -> None:
    armature = walked()
    bpy.ops.footfall.add_root_empty()
    bpy.data.objects.remove(root_of(armature))
    bpy.ops.footfall.add_root_empty()
    first = root_of(armature)
    other = armature.copy()
    bpy.context.collection.objects.link(other)
    bpy.context.view_layer.objects.active = other
    assert bpy.ops.footfall.add_root_empty() == {"FINISHED"}
    assert root_of(other) != first and root_of(armature) == first


def test_it_climbs_with_the_character() -> None:
    for name, at, size in (("Floor", (2.0, 0.0, -0.5), (10.0, 4.0, 1.0)), ("Step", (3.5, 0.0, 0.1), (4.0, 4.0, 0.2))):
        add_box(name, at, size)["footfall_walk_surface"] = "walkable"
    bpy.context.view_layer.update()
    armature = walked([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)])
    bpy.ops.footfall.add_root_empty()
    empty = root_of(armature)
    first, last = map(int, armature.footfall.baked_action.frame_range)
    assert abs(placed(empty, first)[0][2]) < 0.015 and abs(placed(empty, last)[0][2] - 0.2) < 0.015
    heights = [placed(empty, frame)[0][2] for frame in range(first, last + 1)]
    assert np.abs(np.diff(heights)).max() < 0.03, "without a jump"


def test_it_follows_strips_and_objects_that_travel() -> None:
    armature = walked()
    armature.footfall.output.destination = "STRIP"
    armature.footfall.output.root_motion = "OBJECT"
    assert bpy.ops.footfall.bake_shot() == {"FINISHED"}
    bpy.ops.footfall.add_root_empty()
    empty, strip = root_of(armature), armature.animation_data.nla_tracks[-1].strips[0]
    place = placed(empty, 40)[0]
    strip.frame_start_ui = strip.frame_start + 50
    bpy.ops.footfall.add_root_empty()
    np.testing.assert_allclose(placed(empty, 90)[0], place, atol=1e-3)


def test_rigs_with_ik_have_one_too() -> None:
    armature = walked(armature=RIGS["auto_rig_pro"]())
    began = time.perf_counter()
    assert bpy.ops.footfall.add_root_empty() == {"FINISHED"}
    print(f"auto_rig_pro: {time.perf_counter() - began:.2f} s")
    empty = root_of(armature)
    start, end = (placed(empty, int(frame))[0] for frame in armature.footfall.baked_action.frame_range)
    assert np.linalg.norm(start[:2]) < 0.3 and np.linalg.norm(end[:2] - (3.0, 0.0)) < 0.3, (start, end)
    assert abs(start[2] - 0.2) < 0.02 and abs(end[2] - 0.2) < 0.02, (start, end)
