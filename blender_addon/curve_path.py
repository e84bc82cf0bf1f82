"""From a curve object to the line in the world that a character walks along."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import FootfallError
from ..core.motion.rotations import Array

FINE = 64
SHORTEST = 0.1


@dataclass(frozen=True)
class WorldPath:
    """A path on the ground.

    Attributes:
        points: (N, 2), metres, in the order of the curve; a closed curve ends where it began.
        heights: (N) of the points, metres.
        warnings: sentences for the user.
    """

    points: Array
    heights: Array
    warnings: tuple[str, ...]

    @property
    def ground(self) -> float:
        """The mean height of the curve's own points, metres: of level ground, where there is nothing to walk on."""
        return float(self.heights.mean())

    @property
    def rise(self) -> float:
        """Metres from the lowest point to the highest."""
        return float(np.ptp(self.heights))

    @property
    def length(self) -> float:
        """Metres from end to end."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())


def read_path(curve: bpy.types.Object) -> WorldPath:
    """The line of a curve object: of any type of spline, in the world, with its modifiers.

    Of several splines the first is taken. Raises :class:`FootfallError` where there is no line to walk along.
    """
    if curve.type != "CURVE":
        raise FootfallError(f"'{curve.name}' is not a curve: draw the path with a Bezier, NURBS or poly curve.")
    line, splines = _first_line(curve)
    if len(line) < 2:
        raise FootfallError(f"Path '{curve.name}' has fewer than two points: draw a curve to walk along.")
    kept = _distinct(line[:, :2])
    path = WorldPath(line[kept, :2], line[kept, 2], tuple(_warnings(curve.name, splines)))
    if len(path.points) < 2 or path.length < SHORTEST:
        raise FootfallError(f"Path '{curve.name}' is only {path.length:.2f} m long on the ground: draw a longer curve.")
    return path


def _warnings(name: str, splines: int) -> Iterator[str]:
    if splines > 1:
        yield f"path '{name}' has {splines} splines: only the first is walked"


def _distinct(points: Array) -> NDArray[np.bool_]:
    """Which of the points (N, 2) are another place than the one before."""
    return np.concatenate([[True], np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-6])


def _first_line(curve: bpy.types.Object) -> tuple[Array, int]:
    """World points (N, 3) of the first spline, closed ones ending where they began, and their number."""
    with _line_object(curve) as line:
        mesh = line.to_mesh()
        if mesh is None:  # a curve without splines
            return np.zeros((0, 3)), 0
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
            f"Path '{curve.name}' has thickness as well as modifiers: set its bevel and extrusion to zero, "
            "or remove the modifiers."
        )
    order, lines = chain(edges.reshape(-1, 2))
    world = np.array(curve.matrix_world, dtype=float)
    return vertices.reshape(-1, 3).astype(float)[order] @ world[:3, :3].T + world[:3, 3], lines


def chain(edges: NDArray[np.int32]) -> tuple[list[int], int]:
    """The vertices of the first line in their order, and how many separate lines the edges (E, 2) make.

    A line runs from its end with the smaller index; a closed line from its smallest index on, which it repeats.
    """
    neighbours: dict[int, list[int]] = {}
    for a, b in edges.tolist():
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    first: list[int] = []
    lines = 0
    unseen = set(neighbours)
    while unseen:
        part = _connected(min(unseen), neighbours)
        unseen -= part
        lines += 1
        if not first:
            ends = [vertex for vertex in part if len(neighbours[vertex]) == 1]
            first = _walk(min(ends or part), neighbours)
            if not ends:
                first.append(first[0])
    return first, lines


def _connected(start: int, neighbours: dict[int, list[int]]) -> set[int]:
    part, pending = {start}, [start]
    while pending:
        for vertex in neighbours[pending.pop()]:
            if vertex not in part:
                part.add(vertex)
                pending.append(vertex)
    return part


def _walk(start: int, neighbours: dict[int, list[int]]) -> list[int]:
    order, seen = [start], {start}
    while True:
        following = [vertex for vertex in sorted(neighbours[order[-1]]) if vertex not in seen]
        if not following:
            return order
        order.append(following[0])
        seen.add(following[0])


@contextmanager
def _line_object(curve: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """An object whose mesh is the bare line: the evaluated curve if it has modifiers, else a fine bare copy."""
    if curve.mode == "EDIT":
        curve.update_from_editmode()
    bpy.context.view_layer.update()
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
            spline.resolution_u = max(spline.resolution_u, FINE)
        data.resolution_u = max(data.resolution_u, FINE)
        yield copy
    finally:
        bpy.data.objects.remove(copy)
        bpy.data.curves.remove(data)
