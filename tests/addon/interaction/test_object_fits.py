"""Objects put under captured motion, motion adapted to them."""

from functools import partial

import bpy
import numpy as np
from mathutils import Matrix

from footfall.blender_addon.activities.interaction import object_fits
from footfall.blender_addon.activities.interaction import overlay as contact_overlay
from footfall.blender_addon.animation.fcurve_io.body_reader import read_body
from footfall.blender_addon.rig import store
from footfall.core.jobs.steps import finished
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import LIFT, SIT, needs_clips
from footfall.tests.addon.support.refusals import refusal_of

pytestmark = needs_clips


def block(size: tuple[float, float, float]) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    thing = bpy.context.object
    thing.matrix_world = Matrix.LocRotScale((5.0, 5.0, size[2] / 2), None, size)
    bpy.context.view_layer.update()
    return thing


def beside(file: str, thing: bpy.types.Object) -> bpy.types.Object:
    """Somebody who moves as captured, active; the thing is selected, too."""
    armature = import_bvh(file)
    bpy.ops.object.select_all(action="DESELECT")
    thing.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    return armature


def hips(armature: bpy.types.Object) -> np.ndarray:
    """Their way (F, 3) in the armature's action."""
    action = armature.animation_data.action
    clip, _ = finished(read_body(armature, action, bpy.context.scene, store.rig_map_of(armature)))
    return clip.positions[:, clip.skeleton.joint("hips")]


def feet(armature: bpy.types.Object) -> np.ndarray:
    """The same of a foot."""
    action = armature.animation_data.action
    clip, _ = finished(read_body(armature, action, bpy.context.scene, store.rig_map_of(armature)))
    return clip.positions[:, clip.skeleton.joint("foot.L")]


def test_a_seat_comes_under_the_hips_and_the_motion_follows_it() -> None:
    seat = block((0.5, 0.5, 0.42))
    armature = beside(SIT, seat)
    source = armature.animation_data.action
    before, low = hips(armature), feet(armature)
    assert not bpy.ops.footfall.adapt_motion.poll(), "nothing is fitted yet"
    assert bpy.ops.footfall.fit_prop(interaction="sit") == {"FINISHED"}
    place = np.array(seat.matrix_world.translation)
    near = np.linalg.norm(before[:, :2] - place[:2], axis=1)
    assert near.min() < 0.2, near.min()
    points = object_fits.contact_empties(seat)
    assert "hips" in points and points["hips"].parent == seat
    lines = list(contact_overlay.contact_lines(bpy.context.scene))
    assert len(lines) == len(points)
    # The seat is lower, and moved a little; its points have come along.
    seat.matrix_world = Matrix.Translation((0.0, 0.1, -0.08)) @ seat.matrix_world
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.adapt_motion() == {"FINISHED"}
    assert armature.animation_data.action != source and source.name in bpy.data.actions
    after = hips(armature)
    seated = near < 0.1
    assert np.abs(feet(armature)[:, 2] - low[:, 2]).max() < 0.02, "feet stay on the floor"
    moved = np.median((after - before)[seated], axis=0)
    np.testing.assert_allclose(moved, [0.0, 0.1, -0.08], atol=0.02)
    # A point that is moved by hand counts.
    points["hips"].matrix_world = Matrix.Translation((0.0, 0.0, 0.05)) @ points["hips"].matrix_world
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.adapt_motion() == {"FINISHED"}
    np.testing.assert_allclose(np.median((hips(armature) - after)[seated], axis=0), [0.0, 0.0, 0.05], atol=0.02)


def test_a_box_goes_with_the_hands() -> None:
    box = block((0.45, 0.3, 0.3))
    armature = beside(LIFT, box)
    assert bpy.ops.footfall.fit_prop(interaction="carry") == {"FINISHED"}
    first, last = map(int, box.animation_data.action.frame_range)
    heights = []
    for frame in (first, last):
        bpy.context.scene.frame_set(frame)
        heights.append(box.matrix_world.translation.z)
    assert heights[1] > heights[0] + 0.3, heights
    assert {"hand.L", "hand.R"} <= set(object_fits.contact_empties(box))
    box.scale.x *= 1.3
    bpy.context.view_layer.update()
    assert bpy.ops.footfall.adapt_motion() == {"FINISHED"}
    assert armature.animation_data.action.name.endswith("_on_Cube")


def test_what_is_missing_is_said() -> None:
    seat = block((3.0, 3.0, 0.05))
    armature = beside(SIT, seat)
    assert "has no seat" in refusal_of(partial(bpy.ops.footfall.fit_prop, interaction="sit"))
    seat.select_set(False)
    assert not bpy.ops.footfall.fit_prop.poll()
    seat.select_set(True)
    seat[object_fits.FIT_PROPERTY] = "{damaged"
    assert "select that armature" in refusal_of(bpy.ops.footfall.adapt_motion)
    seat[object_fits.FIT_PROPERTY] = (
        f'{{"armature": "{armature.name_full}", "action": "{armature.animation_data.action.name}", "kind": "sit"}}'
    )
    assert "is damaged" in refusal_of(bpy.ops.footfall.adapt_motion)
    assert len(bpy.data.actions) == 1
