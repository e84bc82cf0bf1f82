"""Moving objects of a scene: identified before the walk, then evaluated at the scene's frames."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import bpy

from ....core.errors import FootfallError
from .reading import ShapeCache, ShapeInstance, UseLookup, read_instances

LOOKAHEAD_FRAMES: Final = 32
"""Number of frames evaluated together, since making a scene for them takes longer than a frame in it."""
MAX_CACHED_TRIANGLES: Final = 4_000_000
"""Largest number of cached triangles of meshes that change from frame to frame."""
SIMULATION_MODIFIERS: Final = frozenset(
    (
        "BUILD", "CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "MESH_CACHE", "MESH_SEQUENCE_CACHE", "OCEAN",
        "PARTICLE_INSTANCE", "PARTICLE_SYSTEM", "SOFT_BODY", "WAVE",
    )
)  # fmt: skip
TIME_DEPENDENT_NODES: Final = ("GeometryNodeInputSceneTime", "GeometryNodeSimulationInput")


def possibly_moving_data() -> set[bpy.types.ID]:
    """Return all data-blocks that may change over time: animated and simulated ones, and what uses them."""
    users = bpy.data.user_map()
    result = {block for block in users if _moves_by_itself(block)}
    pending = list(result)
    while pending:
        for user in users.get(pending.pop(), ()):
            # Objects in one scene are not necessarily used together, and colors move nothing.
            if user not in result and not isinstance(user, bpy.types.Scene | bpy.types.Material):
                result.add(user)
                pending.append(user)
    return result


def _moves_by_itself(block: bpy.types.ID) -> bool:
    data = getattr(block, "animation_data", None)
    if data is not None and (data.action or data.drivers or any(not track.mute for track in data.nla_tracks)):
        return not isinstance(block, bpy.types.Scene | bpy.types.Material)
    if isinstance(block, bpy.types.CacheFile):
        return True
    if isinstance(block, bpy.types.Object):
        return any(modifier.type in SIMULATION_MODIFIERS for modifier in block.modifiers)
    if isinstance(block, bpy.types.GeometryNodeTree):
        return any(node.bl_idname in TIME_DEPENDENT_NODES for node in block.nodes)
    return False


def is_moved_by_physics(obj: bpy.types.Object) -> bool:
    """Return whether rigid-body physics moves an object; such motion plays only in the object's own scene."""
    body = obj.rigid_body
    return body is not None and body.type == "ACTIVE" and body.enabled and not body.kinematic


class MovingInstances:
    """The instances of possibly moving objects at the scene's frames, evaluated on demand.

    They are evaluated in a separate scene, without changes to the user's scene or evaluation of other objects.
    """

    def __init__(self, scene: bpy.types.Scene, objects: Iterable[bpy.types.Object], use_of: UseLookup) -> None:
        self._scene = scene.name_full
        self._objects = {thing.session_uid: thing.name_full for thing in objects}
        self._use_of = use_of
        self._frames: OrderedDict[int, list[ShapeInstance]] = OrderedDict()
        self._weights: dict[int, int] = {}

    def __bool__(self) -> bool:
        return bool(self._objects)

    def instances_at(self, frame: int) -> list[ShapeInstance]:
        """Return the instances of moving objects at a scene frame.

        Raises:
            FootfallError: an object was deleted.
        """
        if frame not in self._frames:
            self._read_ahead(frame)
        return self._frames[frame]

    def _read_ahead(self, first: int) -> None:
        known, shapes = set[int](), ShapeCache()
        with _temporary_scene(self._scene, self._read_instances()) as stage, _track_geometry_changes(stage) as changes:
            for frame in range(first, first + LOOKAHEAD_FRAMES):
                if frame in self._frames:
                    continue
                stage.frame_set(frame)
                shapes.begin_moment(changes.pop())
                instances = read_instances(stage.view_layers[0].depsgraph, self._use_of, shapes).instances
                fresh = {id(one.shape): one.shape.triangles for one in instances if id(one.shape) not in known}
                self._frames[frame] = instances
                self._weights[frame] = sum(fresh.values()) if known else 0
                known.update(fresh)
                if self._evict_oldest(first):
                    return

    def _read_instances(self) -> list[bpy.types.Object]:
        things = {thing.session_uid: thing for thing in bpy.data.objects}
        gone = [name for uid, name in self._objects.items() if uid not in things]
        if gone:
            raise FootfallError("The object '{name}' was deleted during the bake: nothing was baked", name=gone[0])
        return [things[uid] for uid in self._objects]

    def _evict_oldest(self, wanted: int) -> bool:
        """Drop the oldest cached frames except ``wanted`` while too many meshes are held; return whether any was."""
        full = False
        while len(self._frames) > 1 and sum(self._weights.values()) > MAX_CACHED_TRIANGLES:
            full = True
            oldest = next(frame for frame in self._frames if frame != wanted)
            del self._frames[oldest], self._weights[oldest]
        return full


@contextmanager
def _track_geometry_changes(stage: bpy.types.Scene) -> Iterator[list[set[int]]]:
    """Yield a list that receives, each time the scene is set to a frame, the identifiers of changed objects."""
    changes: list[set[int]] = []

    def note(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        if scene == stage:
            changes.append({one.id.original.session_uid for one in depsgraph.updates if one.is_updated_geometry})

    bpy.app.handlers.frame_change_post.append(note)
    try:
        yield changes
    finally:
        bpy.app.handlers.frame_change_post.remove(note)


@contextmanager
def _temporary_scene(scene: str, objects: Iterable[bpy.types.Object]) -> Iterator[bpy.types.Scene]:
    """Yield a temporary scene that contains the given objects and has their own scene's frame rate."""
    stage = bpy.data.scenes.new("Footfall")
    try:
        like = bpy.data.scenes.get(scene)
        if like is not None:
            stage.render.fps, stage.render.fps_base = like.render.fps, like.render.fps_base
        for thing in objects:
            stage.collection.objects.link(thing)
        yield stage
    finally:
        bpy.data.scenes.remove(stage)
