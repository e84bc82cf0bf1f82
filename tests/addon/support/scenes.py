"""Small things to put into a scene."""

from collections.abc import Sequence

import bpy

Point = Sequence[float]


def add_mesh(
    name: str, points: Sequence[Point], faces: Sequence[Sequence[int]], collection: bpy.types.Collection | None = None
) -> bpy.types.Object:
    """A mesh object of points and faces."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    thing = bpy.data.objects.new(name, mesh)
    (collection or bpy.context.collection).objects.link(thing)
    return thing


def add_plane(size: float, at: Point = (0.0, 0.0, 0.0), name: str = "Plane") -> bpy.types.Object:
    """A level square."""
    half = size / 2
    points = [(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)]
    plane = add_mesh(name, points, [(0, 1, 2, 3)])
    plane.location = at
    return plane


def add_box(name: str, at: Point, size: Point, collection: bpy.types.Collection | None = None) -> bpy.types.Object:
    """A closed box about a point."""
    points = [(x * size[0] / 2, y * size[1] / 2, z * size[2] / 2) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    box = add_mesh(name, points, faces, collection)
    box.location = at
    return box


def add_curve(kind: str, points, cyclic: bool = False, name: str = "Path") -> bpy.types.Object:
    """A curve of one spline through points."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new(kind)
    if kind == "BEZIER":
        spline.bezier_points.add(len(points) - 1)
        for point, at in zip(spline.bezier_points, points, strict=True):
            point.co = at
            point.handle_left_type = point.handle_right_type = "AUTO"
    else:
        spline.points.add(len(points) - 1)
        for point, at in zip(spline.points, points, strict=True):
            point.co = (*at, 1.0)
        spline.use_endpoint_u = True
    spline.use_cyclic_u = cyclic
    curve = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(curve)
    bpy.context.view_layer.update()
    return curve


def instancing_nodes(thing: bpy.types.Object) -> bpy.types.NodeTree:
    """Geometry nodes that put an object on each point instead of it."""
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    kinds = ("NodeGroupInput", "GeometryNodeObjectInfo", "GeometryNodeInstanceOnPoints", "NodeGroupOutput")
    given, info, spread, made = (tree.nodes.new(kind) for kind in kinds)
    info.inputs["Object"].default_value = thing
    info.inputs["As Instance"].default_value = True
    info.transform_space = "ORIGINAL"
    tree.links.new(given.outputs[0], spread.inputs["Points"])
    tree.links.new(info.outputs["Geometry"], spread.inputs["Instance"])
    tree.links.new(spread.outputs[0], made.inputs[0])
    return tree
