"""The set: a tiled ground that makes sliding feet visible, a soft sky, a sun, and the path as a thin line."""

from collections.abc import Sequence
from typing import Final

import bpy

Colour = tuple[float, float, float, float]

SKY: Final[Colour] = (0.62, 0.71, 0.80, 1.0)
TILES: Final[tuple[Colour, Colour]] = ((0.36, 0.37, 0.38, 1.0), (0.43, 0.44, 0.45, 1.0))
LINE: Final[Colour] = (0.93, 0.72, 0.16, 1.0)
TILE: Final = 0.5
GROUND: Final = 400.0
HAZE: Final = (9.0, 45.0)
LINE_RADIUS: Final = 0.012
SUN_TILT: Final = (0.75, 0.25, 0.6)

# x, y in meters, and whether the path has a corner there; the other points are bends.
POINTS: Final = (
    (-4.4, -1.6, False),
    (-1.9, -0.3, False),
    (0.9, -1.5, False),
    (4.2, -0.5, True),
    (2.6, 2.2, False),
    (-0.4, 2.2, False),
    (-2.6, 3.0, False),
)


def draw_path(points: Sequence[tuple[float, float, bool]] = POINTS) -> bpy.types.Object:
    """Return a Bezier curve on the ground through points (x, y, whether it is a corner), drawn as a thin line."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    data.bevel_depth = LINE_RADIUS
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    for point, (x, y, corner) in zip(spline.bezier_points, points, strict=True):
        point.co = (x, y, 0.0)
        point.handle_left_type = point.handle_right_type = "VECTOR" if corner else "AUTO"
    data.materials.append(plain_material("Path", LINE))
    curve = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(curve)
    return curve


def build_set(scene: bpy.types.Scene) -> bpy.types.Object:
    """Add ground, sky and sun; return the ground."""
    mesh = bpy.data.meshes.new("Ground")
    half = GROUND / 2
    mesh.from_pydata([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [], [(0, 1, 2, 3)])
    mesh.materials.append(_tile_material())
    ground = bpy.data.objects.new("Ground", mesh)
    scene.collection.objects.link(ground)

    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle, light.color = 3.2, 0.12, (1.0, 0.95, 0.88)
    sun = bpy.data.objects.new("Sun", light)
    sun.rotation_euler = SUN_TILT
    scene.collection.objects.link(sun)

    scene.world = bpy.data.worlds.new("Sky")
    scene.world.use_nodes = True
    background = _node(scene.world.node_tree, "BACKGROUND")
    background.inputs["Color"].default_value = SKY
    background.inputs["Strength"].default_value = 0.9
    return ground


def plain_material(name: str, colour: Colour) -> bpy.types.Material:
    """Return a matte material of one color."""
    material = bpy.data.materials.new(name)
    material.diffuse_color = colour
    material.use_nodes = True
    surface = _node(material.node_tree, "BSDF_PRINCIPLED")
    surface.inputs["Base Color"].default_value = colour
    surface.inputs["Roughness"].default_value = 0.8
    return material


def _tile_material() -> bpy.types.Material:
    """Return a material of two grays in squares that fade into the sky far away, without a hard horizon."""
    material = plain_material("Ground", TILES[0])
    tree = material.node_tree
    surface, output = _node(tree, "BSDF_PRINCIPLED"), _node(tree, "OUTPUT_MATERIAL")
    place = tree.nodes.new("ShaderNodeTexCoord")
    tiles = tree.nodes.new("ShaderNodeTexChecker")
    tiles.inputs["Scale"].default_value = 1 / TILE
    tiles.inputs["Color1"].default_value, tiles.inputs["Color2"].default_value = TILES
    tree.links.new(place.outputs["Object"], tiles.inputs["Vector"])
    tree.links.new(tiles.outputs["Color"], surface.inputs["Base Color"])

    camera = tree.nodes.new("ShaderNodeCameraData")
    haze = tree.nodes.new("ShaderNodeMapRange")
    haze.inputs["From Min"].default_value, haze.inputs["From Max"].default_value = HAZE
    sky = tree.nodes.new("ShaderNodeEmission")
    sky.inputs["Color"].default_value = SKY
    sky.inputs["Strength"].default_value = 0.9
    mixed = tree.nodes.new("ShaderNodeMixShader")
    tree.links.new(camera.outputs["View Distance"], haze.inputs["Value"])
    tree.links.new(haze.outputs["Result"], mixed.inputs[0])
    tree.links.new(surface.outputs[0], mixed.inputs[1])
    tree.links.new(sky.outputs[0], mixed.inputs[2])
    tree.links.new(mixed.outputs[0], output.inputs["Surface"])
    return material


def _node(tree: bpy.types.NodeTree, kind: str) -> bpy.types.Node:
    return next(node for node in tree.nodes if node.type == kind)
