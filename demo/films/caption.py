"""A caption in a camera's picture: dark letters at the lower left."""

from typing import Final

import bpy

INK: Final = (0.012, 0.016, 0.022, 1.0)
DISTANCE_M: Final = 0.2
"""Distance from the camera, in front of everything else."""
SIZE: Final = 0.062
MARGIN: Final = 0.06
"""Height of a line, and distance from the edges, as shares of the picture's height."""


class Caption:
    """The caption of a scene, in front of the camera in use."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        self.text = bpy.data.curves.new("Caption", "FONT")
        self.thing = bpy.data.objects.new("Caption", self.text)
        self.text.materials.append(_ink())
        for ray in ("shadow", "diffuse", "glossy", "transmission"):
            setattr(self.thing, f"visible_{ray}", False)
        scene.collection.objects.link(self.thing)

    def show(self, words: str, camera: bpy.types.Object, aspect: float) -> None:
        """Write words into the picture of a camera with a width of ``aspect`` times its height."""
        height = DISTANCE_M * camera.data.sensor_height / camera.data.lens
        self.text.body, self.text.size = words, SIZE * height
        self.thing.parent = camera
        self.thing.location = (height * (MARGIN - aspect / 2), height * (MARGIN - 0.5), -DISTANCE_M)


def _ink() -> bpy.types.Material:
    material = bpy.data.materials.new("Ink")
    material.use_nodes = True
    tree = material.node_tree
    light = tree.nodes.new("ShaderNodeEmission")
    light.inputs["Color"].default_value = INK
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    tree.links.new(light.outputs[0], output.inputs["Surface"])
    return material
