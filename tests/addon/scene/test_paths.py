"""Paths: curves, annotations and drawn lines as ways to go."""

import math

import bpy
import numpy as np
import pytest

from footfall.blender_addon.scene.freehand_curve import fit_bezier_curve
from footfall.blender_addon.scene.path_reader import read_path
from footfall.tests.addon.support.refusals import refusal_of, refused
from footfall.tests.addon.support.scenes import add_curve

CORNERS = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 3.0, 0.0)]


def test_paths_keep_order_and_place() -> None:
    curve = add_curve("POLY", CORNERS)
    curve.location, curve.scale, curve.rotation_euler = (1.0, 2.0, 0.3), (2.0, 2.0, 2.0), (0.0, 0.0, math.pi / 2)
    path = read_path(curve)
    assert np.allclose(path.points[0], (1, 2), atol=1e-5) and np.allclose(path.points[-1], (-5, 6), atol=1e-5)
    assert abs(path.length - 10.0) < 1e-4 and abs(path.mean_height - 0.3) < 1e-6 and not path.warnings


def test_closed_bezier_and_nurbs_paths() -> None:
    circle = [(math.cos(a), math.sin(a), 0.0) for a in np.linspace(0, 2 * math.pi, 8, endpoint=False)]
    path = read_path(add_curve("BEZIER", circle, cyclic=True))
    assert np.allclose(path.points[0], path.points[-1]) and abs(path.length - 2 * math.pi) < 0.05
    assert np.allclose(path.points[0], (1, 0), atol=1e-5), "starts at the first point"
    assert path.points[5][1] > 0, "goes on to the second"
    assert abs(read_path(add_curve("POLY", circle, cyclic=True)).length - 16 * math.sin(math.pi / 8)) < 1e-4
    nurbs = read_path(add_curve("NURBS", [*CORNERS, (5.0, 3.0, 0.0)]))
    assert np.allclose(nurbs.points[0], (0, 0), atol=1e-4) and np.allclose(nurbs.points[-1], (5, 3), atol=1e-4)


def test_thick_curves_and_modifiers() -> None:
    thick = add_curve("POLY", CORNERS)
    thick.data.bevel_depth, thick.data.extrude = 0.1, 0.2
    count = len(bpy.data.curves), len(bpy.data.objects), len(bpy.data.meshes)
    assert abs(read_path(thick).length - 5.0) < 1e-4
    assert (len(bpy.data.curves), len(bpy.data.objects), len(bpy.data.meshes)) == count, "nothing is left behind"
    bent = add_curve("POLY", CORNERS)
    bent.modifiers.new("Mirror", "SIMPLE_DEFORM").deform_method = "STRETCH"
    assert read_path(bent).length > 1.0
    bent.data.bevel_depth = 0.1
    assert "thickness" in refused(lambda: read_path(bent))


def test_paths_that_are_none() -> None:
    assert "fewer than two points" in refused(lambda: read_path(add_curve("POLY", CORNERS[:1])))
    assert "draw a longer curve" in refused(lambda: read_path(add_curve("POLY", [(0, 0, 0), (0, 0, 3.0)])))
    empty = bpy.data.objects.new("Empty", bpy.data.curves.new("Empty", "CURVE"))
    bpy.context.collection.objects.link(empty)
    assert "fewer than two points" in refused(lambda: read_path(empty))
    steep = read_path(add_curve("POLY", [(0, 0, 0), (3, 0, 1.0)]))
    assert steep.mean_height == 0.5 and steep.rise == 1.0 and not steep.warnings


def test_several_splines_are_walked_one_after_another() -> None:
    curve = add_curve("POLY", [(0, 0, 0), (2, 0, 0)])
    spline = curve.data.splines.new("POLY")
    spline.points.add(1)
    for point, at in zip(spline.points, [(3, 0, 0, 1), (3, 2, 0, 1)], strict=True):
        point.co = at
    path = read_path(curve)
    assert (
        abs(path.length - 5.0) < 1e-4 and "2 separate parts" in path.warnings[0] and "up to 1.0 m" in path.warnings[0]
    )


def test_an_annotation_becomes_a_path() -> None:
    bpy.ops.footfall.add_character(controller="preset:locomotion")
    assert not bpy.ops.footfall.path_from_annotation.poll()
    if not hasattr(bpy.data, "annotations"):
        pytest.skip("strokes of annotations cannot be made without a window before Blender 5.0")
    notes = bpy.context.scene.annotation = bpy.data.annotations.new("Notes")
    stroke = notes.layers.new("Note").frames.new(1).strokes.new()
    stroke.display_mode = "3DSPACE"
    stroke.points.add(40)
    for number, point in enumerate(stroke.points):
        point.co = (0.1 * number, 0.3 * math.sin(0.2 * number), 0.0)
    assert bpy.ops.footfall.path_from_annotation() == {"FINISHED"}
    path = read_path(bpy.context.object.footfall.path)
    assert np.allclose(path.points[[0, -1]], [(0, 0), (3.9, 0.3 * math.sin(7.8))], atol=0.02)


def test_a_drawn_line_becomes_a_curve_that_is_easy_to_edit() -> None:
    steps = np.linspace(0.0, 6.0, 300)
    trembling = 0.01 * np.random.default_rng(0).normal(size=(300, 3)) * (1, 1, 0)
    line = np.column_stack([steps, np.sin(steps), 0 * steps]) + trembling
    curve = fit_bezier_curve(line, "Drawn", bpy.context.collection)
    assert len(curve.data.splines[0].bezier_points) < 14
    path = read_path(curve)
    off = np.abs(path.points[:, 1] - np.sin(path.points[:, 0]))
    assert off.max() < 0.06, off.max()
    assert curve.data.dimensions == "2D", "its points stay on the ground as they are moved"
    assert "drag farther" in refused(fit_bezier_curve, line[:2], "Short", bpy.context.collection)


def test_a_line_that_is_drawn_at_a_height_keeps_it_and_one_up_a_hill_is_a_3d_curve() -> None:
    line = np.column_stack([np.linspace(0.0, 3.0, 50), np.zeros(50), np.full(50, 1.4)])
    floor = read_path(fit_bezier_curve(line, "Floor", bpy.context.collection))
    np.testing.assert_allclose(floor.heights, 1.4, atol=1e-6)
    line[:, 2] = 0.3 * line[:, 0]
    curve = fit_bezier_curve(line, "Hill", bpy.context.collection)
    assert curve.data.dimensions == "3D" and read_path(curve).rise == pytest.approx(0.9, abs=0.02)


def test_a_script_cannot_draw_a_path_with_the_mouse() -> None:
    bpy.ops.footfall.add_character()
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(window=window, area=area):
        assert "'Draw Path' needs the mouse and the keyboard" in refusal_of(bpy.ops.footfall.draw_path)
        assert "'Drive' needs the mouse and the keyboard" in refusal_of(bpy.ops.footfall.drive)
