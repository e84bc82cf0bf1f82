"""Gaps between a baked character's skin and objects: under a seated body, and at the palms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ....core.body.skin_thickness import LOWEST_PERCENT, MOSTLY
from ....core.control.interaction.actions import ACTION_SPECS
from ....core.control.interaction.recording import InteractionRecording
from ....core.control.performance import Performance
from ....core.evaluation.quality import MEASURE_LIMITS, MeasureTrace
from ....core.motion import Skeleton
from ....core.motion.rotations import Array
from ...rig.skin_reader import read_posed_skin
from ...scene.evaluated_mesh import EvaluatedMesh
from ...shot.clock import BakeClock

MARGIN_S: Final = 0.5
"""Time at the beginning and the end of a contact that is left out, since hands and hips still come and go."""
MOMENTS: Final = 3
"""Number of measurements of the gap in each contact."""
SEAT_RADIUS_RATIO: Final = 0.2
"""Radius of the contact area around the middle of a seat, as a share of the leg length."""
SEAT_LAYER_RATIO: Final = 0.3
"""Search range above and below the skin for the seat, as a share of the leg length."""
MIN_HOLD_S: Final = 0.3
"""Shortest touch of a hand that is measured."""
BEHIND_COSINE: Final = 0.1
"""Least cosine of the angle to the inward normal at which a point is behind a surface; beside an edge it is 0."""
LEVEL_NORMAL: Final = 0.5
"""Vertical part of a normal, up or down, from which a face is no side."""


@dataclass(frozen=True, slots=True)
class Touch:
    """An interval in which a part of the body touches an object.

    Attributes:
        measure: ``"seat_gap"`` or ``"palm_gap"``.
        role: of the joint: ``"hips"``, or a hand.
        object_index: index of the object in the recording.
        start: first frame of the contact.
        stop: frame after its last one.
    """

    measure: str
    role: str
    object_index: int
    start: int
    stop: int

    def moments(self, rate: float, count: int = MOMENTS) -> list[int]:
        """Return some frames of the recording at which the contact is measured, at a rate in frames per second."""
        margin = min(round(MARGIN_S * rate), (self.stop - self.start) // 3)
        return np.linspace(self.start + margin, self.stop - 1 - margin, count).round().astype(int).tolist()


def touches(recording: InteractionRecording) -> list[Touch]:
    """Return the contacts of the recorded body with the objects that it uses."""
    found: list[Touch] = []
    for interval in recording.task_intervals():
        task, (_, stop, _) = recording.tasks[interval[2]], interval
        spec = ACTION_SPECS[task.action]
        contact = spec.seat_contact(recording, interval)
        if contact is not None and task.object_index >= 0:
            found.append(Touch("seat_gap", "hips", task.object_index, contact.start, stop))
        for hold in spec.hand_holds(recording, interval):
            if hold.surface is not None and hold.stop - hold.start > MIN_HOLD_S * recording.model.rate:
                found.append(Touch("palm_gap", f"hand.{hold.hand}", task.object_index, hold.start, hold.stop))
    return found


def gap_traces(
    armature: bpy.types.Object,
    body: Skeleton,
    recordings: Sequence[tuple[int, InteractionRecording, Sequence[str]]],
    edited: Performance,
    clock: BakeClock,
) -> list[MeasureTrace]:
    """Return the gaps of a bake's skin, centimeters, as measures; none for a character without a mesh.

    Args:
        armature: the character, with its bake.
        body: its mapped skeleton.
        recordings: of the tasks, each with its first frame in the performance and its objects' full names.
        edited: the performance that was made of it, F frames; touches that an edit has cut out are not measured.
        clock: when the bake begins, and its rates.
    """
    scene, shown = bpy.context.scene, bpy.context.scene.frame_current
    values: dict[str, dict[str, Array]] = {}
    moments = [
        (touch, first + at, names[touch.object_index])
        for first, recording, names in recordings
        for touch in touches(recording)
        for at in touch.moments(recording.model.rate)
    ]
    try:
        for touch, moment, name in moments:
            frame = edited.frame_from(moment)
            if frame is None:
                continue
            scene.frame_set(clock.scene_frame(frame))
            found_gap = gap(armature, body, touch, scene.objects.get(name))
            if found_gap is not None:
                empty = np.full(len(edited), np.nan)
                values.setdefault(touch.measure, {}).setdefault(touch.role, empty)[frame] = 100.0 * found_gap
    finally:
        scene.frame_set(shown)
    return [_trace(measure, columns) for measure, columns in values.items()]


def _trace(measure: str, columns: dict[str, Array]) -> MeasureTrace:
    sizes = np.abs(np.column_stack(list(columns.values())))
    return MeasureTrace(measure, tuple(columns), sizes, MEASURE_LIMITS[measure])


def gap(armature: bpy.types.Object, body: Skeleton, touch: Touch, thing: bpy.types.Object | None) -> float | None:
    """Return the gap between skin and an object in the scene's current frame, meters; negative inside the object.

    Hips that are farther from any seat than it is searched for have the gap of that range.
    """
    skin = read_posed_skin(armature, body)
    if skin is None or thing is None:
        return None
    roles = ("hips", "thigh.L", "thigh.R") if touch.measure == "seat_gap" else (touch.role,)
    joints = [body.joint(role) for role in roles]
    shares = np.where(np.isin(skin.joints, joints), skin.weights, 0.0).sum(axis=1)
    points, surface = skin.vertices[shares > MOSTLY], _surface(thing)
    if not len(points):
        return None
    if touch.measure == "palm_gap":
        return min(_signed_distances(points, surface), default=None)
    thighs = [_head(armature, body.names[body.joint(f"thigh.{side}")]) for side in "LR"]
    middle, size = np.mean(thighs, axis=0), body.leg_length
    near = np.linalg.norm((points - middle)[:, :2], axis=1) < SEAT_RADIUS_RATIO * size
    layer = SEAT_LAYER_RATIO * size
    return float(np.percentile(list(_heights_above(points[near], surface, layer)) or [layer], LOWEST_PERCENT))


def _head(armature: bpy.types.Object, bone: str) -> Array:
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(evaluated.matrix_world @ evaluated.pose.bones[bone].head)


def _surface(thing: bpy.types.Object) -> BVHTree:
    """Return the evaluated mesh of an object in the world."""
    mesh = EvaluatedMesh.of(thing)
    matrix = np.array(thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
    places = mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3]
    return BVHTree.FromPolygons(places.tolist(), mesh.triangles.tolist())


def _signed_distances(points: Array, surface: BVHTree) -> Iterator[float]:
    """Yield the distances of points (N, 3) from a surface, meters; negative behind it."""
    for point in points:
        place, normal, _, distance = surface.find_nearest(Vector(point))
        if place is not None:
            is_behind = (Vector(point) - place).dot(normal) < -BEHIND_COSINE * distance
            yield -distance if is_behind else distance


def _heights_above(points: Array, surface: BVHTree, layer: float) -> Iterator[float]:
    """Yield the heights, meters, of points (N, 3) over the surface below them; negative inside the object.

    A point is inside if the way up from it leaves the object through a face that looks up. Points inside that are
    nearest to a side, such as that of a backrest, have no height. A part above the point, such as a slat, is ignored.

    Args:
        points: meters, world.
        surface: the object.
        layer: depth of the search below the points, meters; above them it is half of that.
    """
    up = Vector((0.0, 0.0, 1.0))
    for point in points:
        _, normal, _, depth = surface.ray_cast(Vector(point), up, layer / 2)
        if normal is not None and normal.z > 0.0:
            _, nearest, _, _ = surface.find_nearest(Vector(point))
            if abs(nearest.z) > LEVEL_NORMAL:
                yield -depth
            continue
        _, normal, _, height = surface.ray_cast(Vector(point), -up, layer)
        if normal is not None and normal.z > 0.0:
            yield height
