"""The keys with which a character is driven; they are chosen in Blender's keymap preferences."""

from typing import Final

import bpy

from ...ui.translations import CONTEXT

KEYMAP: Final = "Footfall Drive"
"""Name of the keymap; no editor is called so, and its keys act in a drive alone."""
OPERATOR: Final = "footfall.drive_key"
ACTIONS: Final = (
    ("FORWARD", "Forward", "Move away from the viewer", "W"),
    ("BACKWARD", "Backward", "Move toward the viewer", "S"),
    ("LEFT", "Left", "Move to the left of the view", "A"),
    ("RIGHT", "Right", "Move to the right of the view", "D"),
    ("FASTER", "Run", "Run while the key is held", "LEFT_SHIFT"),
    ("SLOWER", "Slow", "Walk slowly while the key is held", "LEFT_CTRL"),
    ("CROUCH", "Crouch", "Crouch while the key is held", "C"),
    ("JUMP", "Jump", "Make the character jump", "SPACE"),
    (
        "STRAFE",
        "Strafe",
        "Side-step, facing away from the viewer, while the key is held",
        "LEFT_ALT",
    ),
    ("USE", "Use", "Use the seat, box or door ahead of the character, or stop using it", "E"),
    ("LIE", "Lie Down", "Lie down on the ground ahead of the character, or get up", "L"),
    ("SIT_GROUND", "Sit on Ground", "Sit down on the ground, if the controller has learned to, or get up", "G"),
    ("HAND", "Other Hand", "Switch the hand that dribbles the ball", "B"),
    ("CAMERA", "Follow", "Switch between a view that follows the character and a fixed view", "F"),
)
"""Identifier, name, description and usual key of each action."""


class FOOTFALL_OT_drive_key(bpy.types.Operator):
    """Key that triggers a command while you drive a character"""

    bl_idname = OPERATOR
    bl_label = "Drive Key"
    bl_options = {"INTERNAL"}

    action: bpy.props.EnumProperty(
        name="Action",
        description="Command that the key triggers",
        items=[item[:3] for item in ACTIONS],
        translation_context=CONTEXT,
    )

    def execute(self, _context: bpy.types.Context) -> set[str]:
        return {"CANCELLED"}


def register() -> None:
    """Add the keymap with the default keys, unless Blender runs without windows."""
    configuration = bpy.context.window_manager.keyconfigs.addon
    if configuration is None:
        return
    keymap = configuration.keymaps.new(name=KEYMAP, space_type="EMPTY")
    for action, _, _, key in ACTIONS:
        keymap.keymap_items.new(OPERATOR, key, "PRESS", any=True).properties.action = action


def unregister() -> None:
    """Remove the keymap."""
    configuration = bpy.context.window_manager.keyconfigs.addon
    keymap = configuration.keymaps.get(KEYMAP) if configuration else None
    if keymap is not None:
        configuration.keymaps.remove(keymap)


def actions_by_key() -> dict[str, str]:
    """Return the action of each key, including the user's changes to the keymap."""
    configuration = bpy.context.window_manager.keyconfigs.user
    keymap = configuration.keymaps.get(KEYMAP) if configuration else None
    if keymap is None:
        return {key: action for action, _, _, key in ACTIONS}
    items = [item for item in keymap.keymap_items if item.idname == OPERATOR and item.active]
    return {item.type: item.properties.action for item in items}


def draw_keys(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the keys in the preferences, where the user can change them."""
    import rna_keymap_ui

    configuration = context.window_manager.keyconfigs.user
    keymap = configuration.keymaps.get(KEYMAP) if configuration else None
    if keymap is None:
        return
    box = layout.box()
    box.label(text="Drive Keys", icon="EVENT_W")
    for item in keymap.keymap_items:
        if item.idname == OPERATOR:
            rna_keymap_ui.draw_kmi([], configuration, keymap, item, box, 0)


CLASSES = (FOOTFALL_OT_drive_key,)
