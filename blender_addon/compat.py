"""All differences between the Blender versions that Footfall supports (4.5 LTS to 5.2 LTS).

Actions are slotted in all of them, but each version adds its own helpers; the calls used here exist in all.
"""

import bpy


def ensure_slot(action: bpy.types.Action, owner: bpy.types.ID) -> bpy.types.ActionSlot:
    """Return the action's slot with its owner's name; create it if it is missing."""
    identifier = f"OB{owner.name}"
    return action.slots.get(identifier) or action.slots.new(id_type="OBJECT", name=owner.name)


def find_channelbag(action: bpy.types.Action, slot: bpy.types.ActionSlot) -> bpy.types.ActionChannelbag | None:
    """Return the channelbag of a slot, or ``None`` if it has none."""
    for layer in action.layers:
        for strip in layer.strips:
            channelbag = strip.channelbag(slot)
            if channelbag is not None:
                return channelbag
    return None


def ensure_channelbag(action: bpy.types.Action, slot: bpy.types.ActionSlot) -> bpy.types.ActionChannelbag:
    """Return the channelbag of a slot; create it, with its layer and strip, if it is missing."""
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True)


def replace_curve(channelbag: bpy.types.ActionChannelbag, path: str, index: int, group: str) -> bpy.types.FCurve:
    """Replace the F-curve with this path and index with a new, empty one in a named group; return it.

    The group is assigned, since ``fcurves.new`` and ``ensure`` accept its name only from Blender 5.0 on.
    """
    old = channelbag.fcurves.find(path, index=index)
    if old is not None:
        channelbag.fcurves.remove(old)
    curve = channelbag.fcurves.new(path, index=index)
    curve.group = channelbag.groups.get(group) or channelbag.groups.new(group)
    return curve


def import_fbx(path: str) -> None:
    """Import an FBX file into the context's scene, with Blender's own importer or else the add-on's.

    Raises:
        RuntimeError: the file is damaged, or there is no importer.
    """
    if "fbx_import" in dir(bpy.ops.wm):
        bpy.ops.wm.fbx_import(filepath=path)
    elif "fbx" in dir(bpy.ops.import_scene):
        bpy.ops.import_scene.fbx(filepath=path)
    else:
        raise RuntimeError("This Blender has no FBX importer: enable the add-on 'FBX format' in the preferences")


def annotation_data(scene: bpy.types.Scene) -> bpy.types.ID | None:
    """Return a scene's annotations, which were stored as a grease pencil before Blender 5.0."""
    return scene.annotation if hasattr(scene, "annotation") else scene.grease_pencil
