"""From a curve or a grease pencil object to a character's path in the world."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise

import bpy
import numpy as np
import scipy
from mathutils.geometry import interpolate_bezier
from numpy.typing import NDArray

from ...core.errors import FootfallError
from ...core.message import Message
from ...core.motion.polyline import arc_lengths_of
from ...core.motion.rotations import Array
from ..ui.operator_base import require_in_scene
from ..units import world_matrix
from .strokes import read_strokes

CURVE_RESOLUTION = 64
MIN_PATH_LENGTH_M = 0.1
NEAREST_TOLERANCE_M = 0.05
"""Tolerance for equally near positions of a path to a point of its curve, meters."""


@dataclass(frozen=True)
class WorldPath:
    """A path on the ground.

    Attributes:
        points: (N, 2) points, meters, in the order of the curve; a closed curve repeats its start.
        heights: (N) heights of the points, meters.
        warnings: sentences for the user.
        point_radii: (K, 2) arc lengths, meters, and the curve's radii there; empty for strokes.
    """

    points: Array
    heights: Array
    warnings: tuple[str, ...]
    point_radii: Array | None = None

    @property
    def places(self) -> Array:
        """Points of the path with their heights (N, 3), meters."""
        return np.column_stack([self.points, self.heights])

    @property
    def mean_height(self) -> float:
        """Mean height of the curve's control points, meters; used as ground level if no object is walkable."""
        return float(self.heights.mean())

    @property
    def rise(self) -> float:
        """Height difference between the lowest and the highest point, meters."""
        return float(np.ptp(self.heights))

    @property
    def length(self) -> float:
        """Length from end to end, meters."""
        return float(self.arc_lengths[-1])

    @property
    def arc_lengths(self) -> Array:
        """Arc length at each point (N), meters."""
        return arc_lengths_of(self.points)


def is_path(obj: bpy.types.Object | None) -> bool:
    """Return whether there is an object, of a type that can serve as a path."""
    return obj is not None and obj.type in ("CURVE", "GREASEPENCIL")


def read_path(obj: bpy.types.Object, from_edit_mode: bool = False) -> WorldPath:
    """Return the path along a curve (with any splines and modifiers) or along the strokes of a grease pencil.

    Several splines or strokes are joined in order.

    Args:
        obj: the object.
        from_edit_mode: whether the object is being edited; if so, the file is not touched, and curves other than plain
            Bezier or poly curves are read at their displayed resolution.

    Raises:
        FootfallError: there is no line to walk along, or the object was deleted.
    """
    require_in_scene(obj, bpy.context.scene)
    if not is_path(obj):
        raise FootfallError("'{name}' is not a curve: draw the path with a curve or a grease pencil", name=obj.name)
    lines = read_strokes(obj) if obj.type == "GREASEPENCIL" else _spline_lines(obj, from_edit_mode)
    lines = [line for line in lines if len(line) > 1]
    if not lines:
        raise FootfallError("Path '{name}' has fewer than two points: draw a curve to walk along", name=obj.name)
    line = np.concatenate(lines)
    kept = _is_distinct(line[:, :2])
    path = WorldPath(line[kept, :2], line[kept, 2], tuple(_warnings(obj.name, lines)))
    if len(path.points) < 2 or path.length < MIN_PATH_LENGTH_M:
        raise FootfallError(
            "Path '{name}' is only {length} m long on the ground: draw a longer curve",
            name=obj.name,
            length=f"{path.length:.2f}",
        )
    return replace(path, point_radii=_point_radii(obj, path)) if obj.type == "CURVE" else path


def _warnings(name: str, lines: Sequence[Array]) -> Iterator[str]:
    if len(lines) > 1:
        gaps = [float(np.linalg.norm(two[0] - one[-1])) for one, two in pairwise(lines)]
        yield (
            Message(
                "The path '{name}' has {count} separate parts: the character walks along them in order, "
                "straight across gaps of up to {gap} m",
                name=name,
                count=len(lines),
                gap=f"{max(gaps):.1f}",
            )
        )


def _is_distinct(points: Array) -> NDArray[np.bool_]:
    """Return a mask of points (N, 2) that differ from the previous point."""
    return np.concatenate([[True], np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-6])


def _point_radii(curve: bpy.types.Object, path: WorldPath) -> Array:
    """Return the arc lengths and radii (K, 2) of a curve's control points, at their nearest positions on the path."""
    world = world_matrix(curve)
    owned = [point for spline in curve.data.splines for point in (*spline.bezier_points, *spline.points)]
    places = (np.array([point.co[:3] for point in owned], dtype=float) @ world[:3, :3].T + world[:3, 3])[:, :2]
    lengths, tree, reached, paces = path.arc_lengths, scipy.spatial.KDTree(path.points), 0, []
    nearest = tree.query_ball_point(places, tree.query(places)[0] + NEAREST_TOLERANCE_M)
    for near, point in zip(nearest, owned, strict=True):
        reached = min((index for index in near if index >= reached), default=reached)
        paces.append((lengths[reached], point.radius))
    return np.array(paces)


def _spline_lines(curve: bpy.types.Object, from_edit_mode: bool) -> list[Array]:
    """Return the world points (N, 3) of each spline; a closed spline repeats its start at the end."""
    if curve.mode == "EDIT":
        curve.update_from_editmode()
    if not from_edit_mode:
        bpy.context.view_layer.update()
    if _is_defined_by_points(curve):
        world = world_matrix(curve)
        return [_spline_points(spline) @ world[:3, :3].T + world[:3, 3] for spline in curve.data.splines]
    with _made_visible(curve) if from_edit_mode else _bare_line_object(curve) as line:
        mesh = line.to_mesh()
        if mesh is None:  # a curve without splines
            return []
        try:
            vertices = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
            mesh.vertices.foreach_get("co", vertices)
            edges = np.empty(len(mesh.edges) * 2, dtype=np.int32)
            mesh.edges.foreach_get("vertices", edges)
            faces = len(mesh.polygons)
        finally:
            line.to_mesh_clear()
    if faces:
        raise FootfallError(
            "Path '{name}' has thickness as well as modifiers: set its bevel and extrusion to zero, "
            "or remove the modifiers",
            name=curve.name,
        )
    world = world_matrix(curve)
    places = vertices.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]
    return [places[order] for order in edge_chains(edges.reshape(-1, 2))]


def _is_defined_by_points(curve: bpy.types.Object) -> bool:
    """Return whether a curve's line depends on nothing but its control points."""
    data = curve.data
    return (
        not any(modifier.show_viewport for modifier in curve.modifiers)
        and data.shape_keys is None
        and not data.offset
        and all(spline.type in ("BEZIER", "POLY") for spline in data.splines)
    )


def _spline_points(spline: bpy.types.Spline) -> Array:
    """Return the points (N, 3) of a Bezier or poly spline, in the curve's local space."""
    if spline.type == "POLY":
        points = np.array([point.co[:3] for point in spline.points], dtype=float).reshape(-1, 3)
        return np.concatenate([points, points[:1]]) if spline.use_cyclic_u else points
    knots = list(spline.bezier_points)
    pairs = pairwise([*knots, knots[0]] if spline.use_cyclic_u else knots)
    pieces = [
        np.array(interpolate_bezier(one.co, one.handle_right, two.handle_left, two.co, CURVE_RESOLUTION + 1))[
            :CURVE_RESOLUTION
        ]
        for one, two in pairs
    ]
    last = knots[0] if spline.use_cyclic_u else knots[-1]
    return np.concatenate([*pieces, [last.co[:]]]).astype(float)


@contextmanager
def _made_visible(curve: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield a curve as evaluated by Blender."""
    yield curve.evaluated_get(bpy.context.evaluated_depsgraph_get())


def edge_chains(edges: NDArray[np.int32]) -> list[list[int]]:
    """Return the ordered vertices of each line formed by edges (E, 2), sorted by smallest vertex index.

    A line starts at its end with the smaller index; a closed line starts at its smallest index, and repeats it.
    """
    neighbours: dict[int, list[int]] = {}
    for a, b in edges.tolist():
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    lines: list[list[int]] = []
    unseen = set(neighbours)
    for vertex in sorted(neighbours):
        if vertex in unseen:
            part = _connected_vertices(vertex, neighbours)
            unseen -= part
            ends = [one for one in part if len(neighbours[one]) == 1]
            line = _follow_edges(min(ends or part), neighbours)
            lines.append(line if ends else [*line, line[0]])
    return lines


def _connected_vertices(start: int, neighbors: dict[int, list[int]]) -> set[int]:
    part, pending = {start}, [start]
    while pending:
        for vertex in neighbors[pending.pop()]:
            if vertex not in part:
                part.add(vertex)
                pending.append(vertex)
    return part


def _follow_edges(start: int, neighbors: dict[int, list[int]]) -> list[int]:
    order, seen = [start], {start}
    while True:
        following = [vertex for vertex in sorted(neighbors[order[-1]]) if vertex not in seen]
        if not following:
            return order
        order.append(following[0])
        seen.add(following[0])


@contextmanager
def _bare_line_object(curve: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield an object whose mesh is the bare line of a curve: evaluated with modifiers, else a finer copy."""
    if any(modifier.show_viewport for modifier in curve.modifiers):
        yield curve.evaluated_get(bpy.context.evaluated_depsgraph_get())
        return
    data = curve.data.copy()
    copy = bpy.data.objects.new(curve.name, data)
    try:
        data.bevel_depth = data.extrude = data.offset = 0.0
        data.bevel_object = data.taper_object = None
        data.dimensions, data.fill_mode = ("3D", "FULL") if data.dimensions == "3D" else ("2D", "NONE")
        for spline in data.splines:
            spline.resolution_u = max(spline.resolution_u, CURVE_RESOLUTION)
        data.resolution_u = max(data.resolution_u, CURVE_RESOLUTION)
        yield copy
    finally:
        bpy.data.objects.remove(copy)
        bpy.data.curves.remove(data)
