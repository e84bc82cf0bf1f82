"""a scene's meshes as ground. Levels, slopes and storeys with closed forms; instances; moving things."""

import math

import bpy
import numpy as np
from mathutils import Euler, Matrix

from footfall.blender_addon.scene.mesh_ground import Clock, SceneGeometry, SceneGround
from footfall.core.terrain.ground import Scene
from footfall.tests.addon.support.scenes import add_box, add_mesh, add_plane, instancing_nodes

EVERYTHING = ("walkable",)
UP = np.array([0.0, 0.0, 1.0])


def scenery(clock: Clock | None = None) -> SceneGeometry:
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return SceneGeometry(bpy.context.scene, depsgraph, lambda _owner, _source: "walkable", clock)


def ground(clock: Clock | None = None) -> SceneGround:
    return SceneGround(scenery(clock), EVERYTHING)


def at(x: float, y: float, z: float) -> np.ndarray:
    return np.array([x, y, z], dtype=float)


def test_level_ground_and_its_edge() -> None:
    add_plane(size=4.0, at=(1.0, 0.0, 0.5))
    found: Scene = ground()
    points = np.array([[[1, 0, 3], [2.9, 1.9, 0.6]], [[3.2, 0, 3], [1, 0, 0.4]]])
    heights = found.heights(points)
    assert heights.shape == (2, 2) and np.allclose(heights[0], 0.5) and np.isnan(heights[1]).all()
    assert np.allclose(found.normals(points), [0, 0, 1])
    assert np.allclose(found.ceilings(points)[1], [np.inf, 0.5]) and np.isinf(found.ceilings(points)[0]).all()


def test_a_point_on_a_surface_stands_on_it() -> None:
    add_plane(size=4.0, at=(0.0, 0.0, 0.7))
    found = ground()
    for above in (0.0, 5e-5, -5e-5):
        point = at(0.3, 0.2, 0.7 + above)
        assert abs(found.heights(point) - 0.7) < 1e-6 and np.isinf(found.ceilings(point))


def test_slopes_in_any_place_turn_and_scale() -> None:
    random = np.random.default_rng(5)
    plane = add_plane(size=20.0)
    for _ in range(20):
        turn = Euler(random.uniform(-1.0, 1.0, 3) * (0.9, 0.9, 3.0))
        scale = random.uniform(0.5, 2.0, 3) * random.choice((-1, 1), 3)
        plane.matrix_world = Matrix.LocRotScale(random.uniform(-3, 3, 3), turn, scale)
        found = ground()
        normal = np.array(turn.to_matrix())[:, 2]
        normal *= np.sign(normal[2])
        points = np.column_stack([random.uniform(-1, 1, (30, 2)) + np.array(plane.location)[:2], np.full(30, 40.0)])
        away = points[:, :2] - np.array(plane.location)[:2]
        wanted = plane.location.z - away @ normal[:2] / normal[2]
        np.testing.assert_allclose(found.heights(points), wanted, atol=1e-4)
        np.testing.assert_allclose(found.normals(points), np.tile(normal, (30, 1)), atol=1e-5)


def test_the_ground_is_the_first_surface_under_the_foot_not_the_roof() -> None:
    add_plane(size=10.0)
    add_box("Roof", (0, 0, 2.1), (4, 4, 0.2))
    found = ground()
    below, above, beside = at(0, 0, 1.0), at(0, 0, 3.0), at(4, 0, 1.0)
    assert np.allclose(found.heights(np.array([below, above, beside])), [0.0, 2.2, 0.0], atol=1e-6)
    assert np.allclose(found.ceilings(np.array([below, above, beside])), [2.0, np.inf, np.inf], atol=1e-6)


def test_rays_through_vertices_and_edges_do_not_slip_through() -> None:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=40, y_subdivisions=40, size=8.0)
    grid = bpy.context.object
    points = np.empty(len(grid.data.vertices) * 3, dtype=np.float32)
    grid.data.vertices.foreach_get("co", points)
    points = points.reshape(-1, 3)
    points[:, 2] = 0.2 * np.sin(3 * points[:, 0]) * np.cos(2 * points[:, 1])
    grid.data.vertices.foreach_set("co", points.ravel())
    grid.data.update()
    inner = points[(np.abs(points[:, :2]) < 3.9).all(axis=1)].astype(float)
    edges = (inner[:-1] + inner[1:])[np.linalg.norm(np.diff(inner, axis=0), axis=1) < 0.5] / 2
    found = ground()
    np.testing.assert_allclose(found.heights(inner + UP), inner[:, 2], atol=1e-4)
    assert np.isfinite(found.heights(edges + UP)).all()


def test_what_is_in_the_way() -> None:
    wall = add_box("Wall", (0, 2, 1.0), (2, 0.1, 2))
    wall.rotation_euler.z = 0.3
    add_plane(size=20.0)
    found = ground()
    starts = np.array([at(0, 0, 1), at(0, 0, 2.5), at(3, 0, 1), at(0, 0, 1), at(0, 0, 1), at(0, 0, 1)])
    ends = np.array([at(0, 4, 1), at(0, 4, 2.5), at(3, 4, 1), at(0, 1.8, 1), at(0, 0, -1), at(0, 0, 1)])
    assert found.blocked(starts, ends).tolist() == [True, False, False, False, True, False]
    assert found.blocked(starts.reshape(2, 3, 3), ends.reshape(2, 3, 3)).shape == (2, 3)
    assert found.blocked(at(0, 0, 1), at(0, 4, 1)).item()


def test_modifiers_curves_and_texts() -> None:
    stairs = add_box("Step", (0, 0, 0.05), (1, 1, 0.1))
    array = stairs.modifiers.new("Array", "ARRAY")
    array.count, array.relative_offset_displace = 3, (1.0, 0.0, 1.0)
    rail = bpy.data.curves.new("Rail", "CURVE")
    rail.dimensions, rail.bevel_depth = "3D", 0.1
    rail.splines.new("POLY").points.add(1)
    rail.splines[0].points[0].co, rail.splines[0].points[1].co = (0, 5, 0, 1), (4, 5, 0, 1)
    thing = bpy.data.objects.new("Rail", rail)
    thing.location.z = 1.0
    bpy.context.collection.objects.link(thing)
    found = ground()
    points = np.array([at(x, 0, 5) for x in (0, 1, 2)] + [at(2, 5, 5)])
    np.testing.assert_allclose(found.heights(points), [0.1, 0.2, 0.3, 1.1], atol=1e-3)


def test_instances_share_one_shape() -> None:
    library = bpy.data.collections.new("Library")
    box = add_box("Rock", (0, 0, 0.15), (0.4, 0.4, 0.3), library)
    for number in range(5):
        empty = bpy.data.objects.new(f"Rocks {number}", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", library
        empty.location = (2.0 * number, 0, 0)
        bpy.context.collection.objects.link(empty)
    add_mesh("Scattered", [(0, 3, 0), (2, 3, 0)], [])
    scattered = bpy.data.objects["Scattered"]
    scattered.modifiers.new("Nodes", "NODES").node_group = instancing_nodes(box)
    read = scenery()
    assert len(read.static_instances) == 7 and len({id(one.shape) for one in read.static_instances}) == 1
    found = SceneGround(read, EVERYTHING)
    points = np.array([at(x, 0, 1) for x in (0, 2, 4, 6, 8, 1)] + [at(x, 3, 1) for x in (0, 2, 1)])
    wanted = [0.3] * 5 + [np.nan] + [0.15] * 2 + [np.nan]  # nodes leave out where the object itself is
    np.testing.assert_allclose(found.heights(points), wanted, atol=1e-6)
    again = scenery()
    assert again.static_instances[0].shape is read.static_instances[0].shape, (
        "a mesh that is as it was is not built again"
    )


def test_nested_instances_and_mirrored_ones() -> None:
    inner, outer = bpy.data.collections.new("Inner"), bpy.data.collections.new("Outer")
    wedge = [(0, 0, 0), (1, 0, 0), (1, 1, 1), (0, 1, 1)]
    add_mesh("Wedge", wedge, [(0, 1, 2, 3)], inner)
    for collection, holder, place in ((inner, outer, (0, 1, 1)), (outer, bpy.context.collection, (5, 0, 0))):
        empty = bpy.data.objects.new("Empty", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", collection
        empty.location = place
        holder.objects.link(empty)
    bpy.data.objects["Empty.001"].scale.y = -1.0
    found = ground()
    assert abs(found.heights(at(5.5, -1.25, 9)) - 1.25) < 1e-4
    normal = found.normals(at(5.5, -1.25, 9))
    np.testing.assert_allclose(normal, np.array([0, 1, 1]) / math.sqrt(2), atol=1e-6)


def lift(frames: int = 41, rise: float = 2.0) -> bpy.types.Object:
    """A platform that rises evenly from frame 1 on."""
    platform = add_box("Lift", (0, 0, -0.05), (2, 2, 0.1))
    for frame, height in ((1, -0.05), (frames, rise - 0.05)):
        platform.location.z = height
        platform.keyframe_insert("location", frame=frame)
    set_linear(platform)
    return platform


def set_linear(thing: bpy.types.Object) -> None:
    animation = thing.animation_data
    for curve in animation.action.layers[0].strips[0].channelbag(animation.action_slot).fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def test_moving_ground_is_where_it_is_at_each_frame() -> None:
    lift()
    add_plane(size=20.0, at=(0, 0, -1.0))
    bpy.context.scene.frame_set(20)
    scenes, names = len(bpy.data.scenes), sorted(thing.name for thing in bpy.data.objects)
    read = scenery(Clock(start=1.0, step=24 / 60))
    found = SceneGround(read, EVERYTHING)
    assert read.moving_names == {"Lift"}
    for frame in (0, 25, 50, 1, 2, 100, 7.5, 3):
        wanted = min(2.0 * frame * 0.4 / 40, 2.0)
        assert abs(found.heights(at(0.2, 0.3, 5), frame) - wanted) < 1e-5, (frame, wanted)
        assert abs(found.heights(at(5, 0, 5), frame) + 1.0) < 1e-6
        assert abs(found.ceilings(at(0.2, 0.3, -0.5), frame) - wanted + 0.1) < 1e-5
    assert bpy.context.scene.frame_current == 20 and len(bpy.data.scenes) == scenes
    assert sorted(thing.name for thing in bpy.data.objects) == names
    side = at(-3, 0, 0.5), at(3, 0, 0.5)
    assert not found.blocked(*side, 0) and found.blocked(*side, 26) and not found.blocked(*side, 60)
    carried = found.move_with_ground(np.array([at(0.5, 0, 0.0), at(5, 0, -1.0)]), 0, 50)
    np.testing.assert_allclose(carried, [at(0.5, 0, 1.0), at(5, 0, -1.0)], atol=1e-5)


def test_turntables_parents_and_constraints() -> None:
    pivot = bpy.data.objects.new("Pivot", None)
    bpy.context.collection.objects.link(pivot)
    for frame, angle in ((1, 0.0), (241, math.pi)):
        pivot.rotation_euler.z = angle
        pivot.keyframe_insert("rotation_euler", frame=frame)
    set_linear(pivot)
    plank = add_box("Plank", (2, 0, 0.25), (1, 0.4, 0.5))
    plank.parent = pivot
    follower = add_box("Follower", (0, 0, 5), (0.5, 0.5, 0.5))
    follower.constraints.new("COPY_LOCATION").target = plank
    still = add_box("Still", (8, 0, 0.5), (1, 1, 1))
    read = scenery(Clock(start=1.0, step=0.5))
    assert read.moving_names == {"Plank", "Follower"} and still.name in read.used_names
    found = SceneGround(read, EVERYTHING)
    for frame in range(0, 480, 37):
        angle = math.pi * frame * 0.5 / 240
        point = at(2 * math.cos(angle), 2 * math.sin(angle), 3)
        assert abs(found.heights(point, frame) - 0.5) < 1e-4, frame
        np.testing.assert_allclose(found.move_with_ground(at(2, 0.1, 0.5), 0, frame)[2], 0.5, atol=1e-6)
        ride = found.move_with_ground(at(2, 0, 0.5), 0, frame)
        np.testing.assert_allclose(ride, (*point[:2], 0.5), atol=1e-4)  # between frames by a chord


def test_meshes_that_change_their_shape() -> None:
    plane = add_plane(size=4.0, name="Wave")
    plane.shape_key_add(name="Basis")
    up = plane.shape_key_add(name="Up")
    for point in up.data:
        point.co.z = 1.0
    for frame, value in ((1, 0.0), (11, 1.0)):
        up.value = value
        up.keyframe_insert("value", frame=frame)
    curves = plane.data.shape_keys.animation_data
    for curve in curves.action.layers[0].strips[0].channelbag(curves.action_slot).fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    found = ground(Clock(start=1.0, step=0.25))
    for frame in (0, 1, 2, 3, 4, 20, 39, 60):
        assert abs(found.heights(at(0, 0, 3), frame) - min(frame / 40, 1.0)) < 1e-5, frame


def test_still_things_are_not_taken_for_moving_ones() -> None:
    box = add_box("Box", (0, 0, 0.5), (1, 1, 1))
    armature = bpy.data.objects.new("Walker", bpy.data.armatures.new("Walker"))
    bpy.context.collection.objects.link(armature)
    armature.keyframe_insert("location", frame=1)
    material = bpy.data.materials.new("Glow")
    material.diffuse_color = (1, 0, 0, 1)
    material.keyframe_insert("diffuse_color", frame=1)
    box.data.materials.append(material)
    bpy.context.scene.keyframe_insert("gravity", frame=1)
    assert not scenery().moving_names


def test_what_cannot_be_used_is_told() -> None:
    broken = add_plane(size=1.0, name="Broken")
    broken.data.vertices[0].co.x = math.nan
    flat = add_box("Flat", (3, 0, 0), (1, 1, 1))
    flat.scale.z = 0.0
    add_mesh("Wire", [(0, 0, 0), (1, 0, 0)], [])
    pushed = add_box("Crate", (6, 0, 0.5), (1, 1, 1))
    bpy.context.view_layer.objects.active = pushed
    bpy.ops.rigidbody.object_add()
    read = scenery()
    assert "invalid positions" in read.warnings["Broken"] and "scaled" in read.warnings["Flat"]
    assert "physics" in read.warnings["Crate"] and "Wire" not in read.used_names
    assert np.isnan(SceneGround(read, EVERYTHING).heights(at(0, 0, 9)))
