"""A scene file built in Blender: its parts as tagged objects in a collection, and its path."""

from typing import Final

import bpy

from ..blender_addon.scene.ground_tags import CEILING, JUMP_OVER, OBSTACLE, WALKABLE, set_tag
from .scene_file import Part, SceneFile
from .stage import Colour, draw_path, plain_material

COLLECTION: Final = "Set"
COLOURS: Final[dict[str, Colour]] = {
    WALKABLE: (0.52, 0.50, 0.46, 1.0),
    JUMP_OVER: (0.80, 0.42, 0.12, 1.0),
    OBSTACLE: (0.45, 0.20, 0.17, 1.0),
    CEILING: (0.30, 0.36, 0.42, 1.0),
}


def build_scene(scene: bpy.types.Scene, described: SceneFile) -> bpy.types.Object:
    """Add the tagged parts to the scene; return the path."""
    collection = bpy.data.collections.new(COLLECTION)
    scene.collection.children.link(collection)
    for part in described.parts:
        collection.objects.link(_add(part))
    return draw_path([(x, y, False) for x, y in described.path.tolist()])


def _add(part: Part) -> bpy.types.Object:
    points: list[list[float]] = []
    faces: list[list[int]] = []
    for solid in part.solids:
        faces += [[len(points) + corner for corner in face] for face in solid.faces]
        points += solid.points.tolist()
    mesh = bpy.data.meshes.new(part.name.capitalize())
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(bpy.data.materials.get(part.tag) or plain_material(part.tag, COLOURS[part.tag]))
    thing = bpy.data.objects.new(mesh.name, mesh)
    set_tag(thing, part.tag)
    return thing
