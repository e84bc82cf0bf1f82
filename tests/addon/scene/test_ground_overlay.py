"""In Blender, without a window: what the overlay of the ground shows, and when it is found."""

import bpy
import numpy as np

from footfall.blender_addon.scene.ground_overlay import drawing, finding
from footfall.blender_addon.scene.ground_overlay.profile import GroundProfile
from footfall.blender_addon.scene.ground_tags import set_tag
from footfall.tests.addon.support.scenes import add_box, add_curve, add_mesh, add_plane

STRAIGHT = [(0, 0, 0), (3, 0, 0), (6, 0, 0)]


def add_walker(points=STRAIGHT) -> bpy.types.Object:
    armature = bpy.data.objects.new("Walker", bpy.data.armatures.new("Walker"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.footfall.path = add_curve("POLY", points)
    return armature


def lie_of(armature: bpy.types.Object) -> GroundProfile:
    bpy.context.view_layer.update()
    lie, trouble = finding.compute_profile(armature, bpy.context)
    assert lie is not None, trouble
    assert lie.samples.shape[1:] == (3, 3) and lie.has_ground.shape == lie.samples.shape[:2]
    return lie


def test_level_ground() -> None:
    lie = lie_of(add_walker([(0, 0, 0.3), (6, 0, 0.3)]))
    np.testing.assert_allclose(lie.samples[..., 2], 0.3, atol=1e-6)
    np.testing.assert_allclose(lie.samples[:, :, 1], np.tile([0.25, 0.0, -0.25], (len(lie.samples), 1)), atol=1e-6)
    np.testing.assert_allclose(lie.samples[[0, -1], 1, 0], [0.0, 6.0], atol=1e-6)
    assert lie.has_ground.all() and np.isinf(lie.ceilings).all() and not lie.jumps.any() and not lie.notes


def test_the_ground_left_and_right_of_the_path() -> None:
    slope = add_mesh("Slope", [(-1, -2, -0.4), (8, -2, -0.4), (8, 2, 0.4), (-1, 2, 0.4)], [(0, 1, 2, 3)])
    set_tag(slope, "walkable")
    lie = lie_of(add_walker())
    np.testing.assert_allclose(lie.samples[..., 2], np.tile([0.05, 0, -0.05], (len(lie.samples), 1)), atol=1e-4)


def test_places_without_ground() -> None:
    set_tag(add_box("Plank", (3, 0.1, -0.1), (8, 0.5, 0.2)), "walkable")
    lie = lie_of(add_walker())
    assert lie.has_ground[:, :2].all() and not lie.has_ground[:, 2].any(), "the plank ends 15 cm right of the path"
    assert np.isfinite(lie.samples).all()
    places, colours = drawing.sample_points(lie)
    assert len(places) == len(colours) == 3 * len(lie.samples)
    assert (np.linalg.norm(colours[2::3] - drawing.MISSING_GROUND_COLOR, axis=1) < 1e-6).all()


def test_ceilings_and_jumps_are_named() -> None:
    set_tag(add_plane(30.0), "walkable")
    set_tag(add_box("Slab", (4.5, 0, 1.4), (1.5, 2, 0.2)), "ceiling")
    set_tag(add_box("Hurdle", (1.5, 0, 0.15), (0.3, 2, 0.3)), "jump over")
    lie = lie_of(add_walker())
    x = lie.samples[:, 1, 0]
    np.testing.assert_allclose(lie.ceilings[(x > 3.9) & (x < 5.1)], 1.3, atol=1e-4)
    assert np.isinf(lie.ceilings[(x < 3.6) | (x > 5.4)]).all()
    assert lie.jumps[(x > 1.4) & (x < 1.6)].all() and not lie.jumps[(x < 1.2) | (x > 1.8)].any()
    assert sorted(text for text, _ in drawing.texts(lie)) == ["1.30 m of headroom", "jump"]


def test_the_way_round_a_wall() -> None:
    set_tag(add_box("Wall", (3, 1, 1.1), (0.15, 3, 2.2)), "obstacle")
    lie = lie_of(add_walker())
    assert lie.samples[:, 1, 1].min() < -0.6, "round its nearer end"
    assert len(lie.unwalked_segments) and len(lie.notes) == 1 and "walking around" in lie.notes[0][0]
    assert (
        1.0 < lie.notes[0][1][0] < 3.0
        and lie.unwalked_segments[..., 0].min() > 1.0
        and lie.unwalked_segments[..., 0].max() < 5.0
    )
    drawn = [*drawing.line_segments(lie)]
    assert all(pieces.shape[1:] == (2, 3) and np.isfinite(pieces).all() for pieces, _ in drawn)
    assert sum(len(pieces) for pieces, colour in drawn if colour == drawing.MISSING_GROUND_COLOR) == len(
        lie.unwalked_segments
    )


def test_why_there_is_nothing_to_show() -> None:
    armature = add_walker()
    armature.footfall.path.data.splines.clear()
    assert finding.compute_profile(armature, bpy.context) == (
        None,
        "Path 'Path' has fewer than two points: draw a curve to walk along",
    )
    armature.footfall.path = None
    assert "Choose a path" in finding.compute_profile(armature, bpy.context)[1]


def test_it_is_found_outside_of_drawing_and_after_changes_alone() -> None:
    armature = add_walker()
    box = add_box("Box", (3, 0, -0.5), (20, 20, 1))
    bpy.context.view_layer.update()
    assert finding.get_profile(armature) == (None, "") and finding.task.is_pending
    finding.task.cancel()
    assert finding.task.on_timer() is None
    lie, _ = finding.get_profile(armature)
    assert lie is not None and not finding.task.is_pending
    armature.location.x += 1.0
    bpy.context.view_layer.update()
    assert finding.get_profile(armature)[0] is lie and not finding.task.is_pending
    set_tag(box, "walkable")
    box.location.z += 0.2
    bpy.context.view_layer.update()
    assert finding.get_profile(armature)[0] is lie and finding.task.is_pending, "until it is known anew"
    finding.task.cancel()
    finding.task.run()
    lie, _ = finding.get_profile(armature)
    assert lie is not None and np.allclose(lie.samples[..., 2], 0.2, atol=1e-5)
    finding.cancel_and_clear()
