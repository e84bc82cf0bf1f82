"""In Blender 5.2, which draws off-screen without a window: the pixels of the plot and of a previewed body."""

from types import SimpleNamespace

import bpy
import gpu
import numpy as np
import pytest
from mathutils import Matrix, Vector

from footfall.blender_addon.train import runs
from footfall.blender_addon.train.plot import drawing
from footfall.blender_addon.train.preview.draw import RunPreview
from footfall.blender_addon.train.preview.rollout import PreviewWalk
from footfall.blender_addon.train.run_curves import RunCurves
from footfall.core.motion.bvh import read_bvh
from footfall.tests.addon.support.clips import WALK, needs_clips

pytestmark = [needs_clips, pytest.mark.usefixtures("graphics")]


WIDTH, HEIGHT = 800, 400


def shot(draw, view: Matrix, projection: Matrix) -> np.ndarray:
    """What something draws: rows from the bottom, RGB."""
    screen = gpu.types.GPUOffScreen(WIDTH, HEIGHT)
    with screen.bind():
        frame = gpu.state.active_framebuffer_get()
        frame.clear(color=(0.0, 0.0, 0.0, 1.0), depth=1.0)
        with gpu.matrix.push_pop():
            gpu.matrix.load_matrix(view)
            gpu.matrix.load_projection_matrix(projection)
            draw()
        pixels = np.array(frame.read_color(0, 0, WIDTH, HEIGHT, 4, 0, "FLOAT").to_list())
    screen.free()
    return pixels.reshape(HEIGHT, WIDTH, 4)[..., :3]


def viewport(**regions: int) -> SimpleNamespace:
    """A context with a 3D viewport; the widths or heights of what lies over it."""
    region = SimpleNamespace(width=WIDTH, height=HEIGHT, x=0)
    others = [
        SimpleNamespace(type=kind, width=size, height=size, x=0 if kind == "TOOLS" else WIDTH)
        for kind, size in regions.items()
    ]
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0), themes=bpy.context.preferences.themes)
    return SimpleNamespace(
        window_manager=bpy.context.window_manager,
        preferences=preferences,
        region=region,
        area=SimpleNamespace(regions=others),
    )


def plot(context: SimpleNamespace) -> np.ndarray:
    to_screen = Matrix.Translation((-1, -1, 0)) @ Matrix.Diagonal((2 / WIDTH, 2 / HEIGHT, 1, 1))
    return shot(lambda: drawing.draw(context), to_screen, Matrix.Identity(4))


def watched_run(name: str = "walker") -> RunCurves:
    session = bpy.context.window_manager.footfall
    session.training_runs.clear()
    session.training_runs.add().name = name
    session.active_training_run, session.show_curves = 0, True
    watch = runs.watches[name] = runs.RunWatch()
    for number in range(200):
        watch.curves.add({"time": 6.0 * number, "loss": 0.5 * 0.99**number, "validation_loss": 0.6 * 0.99**number})
    return watch.curves


def test_the_curves_are_drawn_in_the_corner() -> None:
    watched_run()
    pixels = plot(viewport())
    first = np.linalg.norm(pixels - np.array(drawing.colors_on((0, 0, 0))["first"][:3]), axis=-1) < 0.15
    second = np.linalg.norm(pixels - np.array(drawing.colors_on((0, 0, 0))["second"][:3]), axis=-1) < 0.15
    for found in (first, second):
        rows, columns = np.nonzero(found)
        assert len(rows) > 300, len(rows)
        assert columns.max() < 16 + 630 and rows.max() < 16 + 300
    rows, columns = np.nonzero(first[: int(HEIGHT * 0.6)])
    assert np.polyfit(columns, rows, 1)[0] < -0.2, "a loss that falls"
    assert pixels[320:, 660:].max() == 0.0, "nothing beside it"


def test_it_makes_room_for_what_lies_over_the_viewport() -> None:
    watched_run()
    left = np.nonzero(plot(viewport(TOOLS=60)).max(axis=(0, 2)))[0].min()
    assert left == 16 + 60
    assert plot(viewport(UI=640)).max() == 0.0, "too little room"


def test_it_is_drawn_where_it_is_wanted() -> None:
    watched_run()
    session = bpy.context.window_manager.footfall
    session.show_curves = False
    assert plot(viewport()).max() == 0.0
    session.show_curves = True
    session.training_runs.clear()
    assert plot(viewport()).max() == 0.0


def test_the_body_stands_where_the_clip_has_it() -> None:
    clip = read_bvh(WALK)
    way = clip.positions[:, 0].copy()
    way[:, 2] = 0.0
    showing = RunPreview(PreviewWalk("walker", clip, way, ""))
    showing.frame_at = lambda now: 0
    reach = 1.1  # meters from the hips to the upper edge
    view = Matrix.Rotation(-np.pi / 2, 4, "X") @ Matrix.Translation(-Vector(clip.positions[0, 0].tolist()))
    projection = Matrix.Diagonal((HEIGHT / WIDTH / reach, 1 / reach, -1 / 10, 1))
    pixels = shot(showing.draw_scene, view, projection)
    rows, columns = np.nonzero(pixels.max(axis=-1) > 0.15)
    assert len(rows) > 4000, "a body nearly as high as the picture"
    assert abs(np.median(columns) - WIDTH / 2) < 30 and 10 < rows.min() < 60 < 280 < rows.max() < 360
    blue = (pixels[..., 2] > pixels[..., 0] + 0.1).sum()
    assert blue > 4000, "a ghost has one color"
