"""Still copies of the mannequin, like a photograph with multiple flashes."""

from collections.abc import Iterable

import bpy

from .walk import Baked


def leave_copies(scene: bpy.types.Scene, baked: Baked, frames: Iterable[int]) -> None:
    """Add a copy of the body in its pose at each of the frames, and hide the body itself."""
    body = baked.body
    for frame in frames:
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        posed = body.evaluated_get(graph)
        mesh = bpy.data.meshes.new_from_object(posed, depsgraph=graph)
        copy = bpy.data.objects.new(f"Pose {frame}", mesh)
        copy.matrix_world = posed.matrix_world.copy()
        scene.collection.objects.link(copy)
    body.hide_render = True
