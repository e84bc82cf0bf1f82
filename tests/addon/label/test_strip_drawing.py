"""In Blender 5.2, which draws off-screen without a window: the strip's pixels."""

from types import SimpleNamespace

import bpy
import gpu
import numpy as np
import pytest
from mathutils import Matrix

import footfall
from footfall.blender_addon.label.strip import drawing, reading
from footfall.blender_addon.label.strip.state import EditState
from footfall.tests.addon.support.armatures import import_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips

pytestmark = [needs_clips, pytest.mark.usefixtures("graphics")]

WIDTH, HEIGHT = 343, 160


def pixels_of(armature: bpy.types.Object, height: int) -> tuple[np.ndarray, drawing.StripView]:
    """What a Timeline of one pixel a frame shows, rows from the bottom, and where its rows are."""
    view = SimpleNamespace(region_to_view=lambda x, y: (x + 0.5, y))  # frame 1 is the first pixel
    space, region = SimpleNamespace(mode="TIMELINE"), SimpleNamespace(view2d=view, width=WIDTH, height=height)
    context = SimpleNamespace(
        object=armature,
        scene=bpy.context.scene,
        region=region,
        space_data=space,
        area=SimpleNamespace(as_pointer=lambda: 1),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0), themes=bpy.context.preferences.themes),
    )
    screen = gpu.types.GPUOffScreen(WIDTH, height)
    with screen.bind():
        frame = gpu.state.active_framebuffer_get()
        frame.clear(color=(0.0, 0.0, 0.0, 1.0))
        with gpu.matrix.push_pop():
            to_screen = Matrix.Diagonal((2 / WIDTH, 2 / height, 1, 1))
            gpu.matrix.load_matrix(Matrix.Translation((-1, -1, 0)) @ to_screen)
            gpu.matrix.load_projection_matrix(Matrix.Identity(4))
            drawing.draw(context)
        shot = np.array(frame.read_color(0, 0, WIDTH, height, 4, 0, "FLOAT").to_list()).reshape(height, WIDTH, 4)
    screen.free()
    scene = drawing.strip_view(context, space, region)
    assert scene is not None
    return shot[..., :3], scene


@pytest.fixture
def labelled() -> bpy.types.Object:
    drawing.free_gpu_resources()
    EditState.forget_mouse()
    armature = import_bvh(WALK)
    bpy.ops.footfall.detect_labels()
    return armature


def line_of(shot: np.ndarray, scene: drawing.StripView, joint: str) -> np.ndarray:
    """The pixels (WIDTH, 3) along the lower part of a joint's row, under its triangles."""
    row = next(row for row in scene.layout.rows if joint in row.names)
    return shot[int(scene.layout.y(row.low + 0.2))]


def test_bars_are_drawn_where_the_contacts_are(labelled: bpy.types.Object) -> None:
    armature = labelled
    shot, scene = pixels_of(armature, HEIGHT)
    assert len(scene.layout.rows) >= 7
    for joint, channel in (("foot.L", 2), ("toe.R", 0)):
        down = np.zeros(WIDTH, dtype=bool)
        for span in reading.read_strip_labels(armature, armature.animation_data.action).spans:
            if span.name == joint:
                down[span.start - 1 : span.end] = True
        drawn = line_of(shot, scene, joint)[:, channel] > 0.3
        titles = 45  # pixels at the left that names may cover
        assert 0.1 < down.mean() < 0.9 and (drawn == down)[titles:].mean() > 0.97, joint


def test_a_low_timeline_shows_the_feet(labelled: bpy.types.Object) -> None:
    shot, scene = pixels_of(labelled, 30)
    assert [row.title for row in scene.layout.rows] == ["L foot", "R foot"]
    left, right = (line_of(shot, scene, joint) for joint in ("foot.L", "foot.R"))
    assert (left[:, 2] > 0.5).any() and (right[:, 0] > 0.5).any()


def test_the_drawing_follows_an_edit_and_an_undo(labelled: bpy.types.Object) -> None:
    armature = labelled
    bpy.ops.ed.undo_push(message="Before")
    before, scene = pixels_of(armature, HEIGHT)
    footfall.blender_addon.label.edits.erase_contact(armature, armature.animation_data.action, "foot.L", 1, WIDTH)
    bpy.ops.ed.undo_push(message="Erased")
    after, _ = pixels_of(armature, HEIGHT)
    assert (line_of(before, scene, "foot.L")[60:, 2] > 0.5).any()
    assert not (line_of(after, scene, "foot.L")[60:, 2] > 0.5).any()
    bpy.ops.ed.undo()
    again, _ = pixels_of(bpy.context.object, HEIGHT)
    assert np.array_equal(again, before)


def test_the_image_is_what_was_drawn(labelled: bpy.types.Object) -> None:
    armature = labelled
    painted, scene = pixels_of(armature, HEIGHT)
    bpy.app.timers.unregister(drawing.render_images)
    drawing.render_images()
    for _ in range(2):
        shown, _ = pixels_of(armature, HEIGHT)
        assert np.abs(shown - painted).max() < 0.02, "but for rounding"
    footfall.blender_addon.label.edits.erase_contact(armature, armature.animation_data.action, "foot.L", 1, WIDTH)
    after, _ = pixels_of(armature, HEIGHT)
    assert not (line_of(after, scene, "foot.L")[60:, 2] > 0.5).any()


def test_it_can_be_switched_off(labelled: bpy.types.Object) -> None:
    armature = labelled
    bpy.context.scene.footfall_label_overlays.show_strip = False
    shot, _ = pixels_of(armature, HEIGHT)
    assert shot.max() == 0.0
