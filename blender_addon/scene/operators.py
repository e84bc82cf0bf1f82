"""Tags for objects as ground, obstacles and ceilings."""

from typing import Final

import bpy

from ...core.message import Message
from ..ui.operator_base import FootfallOperator
from ..ui.translations import CONTEXT, translate_interface
from .ground_choice import has_surface, invalidate
from .ground_tags import TAGS, list_objects, set_tag

NO_TAG: Final = "NONE"
TAG_ITEMS: Final = [
    *((tag, title, about, icon, number) for number, (tag, (title, about, icon)) in enumerate(TAGS.items())),
    (NO_TAG, "Clear", "Remove the walk surface tag from the selected objects", "X", len(TAGS)),
]


class FOOTFALL_OT_set_walk_surface(FootfallOperator, bpy.types.Operator):
    """Set how walking characters treat the selected objects"""

    bl_idname = "footfall.set_walk_surface"
    bl_label = "Walk Surface"

    surface: bpy.props.EnumProperty(
        items=TAG_ITEMS,
        name="Surface",
        description="Use of the object by walking characters",
        translation_context=CONTEXT,
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return translate_interface(next(about for tag, _, about, _, _ in TAG_ITEMS if tag == properties.surface))

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if _selected_objects(context) else "Select the objects whose walk surface to set"

    def run(self, context: bpy.types.Context) -> str:
        things = _selected_objects(context)
        linked = [thing for thing in things if not thing.is_editable]
        for thing in linked or things:  # a linked object refuses before any change
            set_tag(thing, None if self.surface == NO_TAG else self.surface)
        invalidate()
        who = list_objects(things)
        return (
            Message("The walk surface of {names} was cleared", names=who)
            if self.surface == NO_TAG
            else Message("{who}: {lower}", who=who, lower=TAGS[self.surface][0].lower())
        )


def _selected_objects(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected objects that may have faces, except the active armature."""
    return [thing for thing in context.view_layer.objects.selected if has_surface(thing)]


class FOOTFALL_MT_walk_surface(bpy.types.Menu):
    """What an object is to walking characters"""

    bl_idname = "FOOTFALL_MT_walk_surface"
    bl_label = "Walk Surface"

    def draw(self, _context: bpy.types.Context) -> None:
        for tag, title, _, icon, _ in TAG_ITEMS:
            if tag == NO_TAG:
                self.layout.separator()
            self.layout.operator(FOOTFALL_OT_set_walk_surface.bl_idname, text=title, icon=icon).surface = tag


def _draw_menu(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(FOOTFALL_MT_walk_surface.bl_idname)


CLASSES = (FOOTFALL_OT_set_walk_surface, FOOTFALL_MT_walk_surface)
HOST_MENUS = ("VIEW3D_MT_object_context_menu", "OUTLINER_MT_object")


def register() -> None:
    """Add the menu to Blender's object menus."""
    for name in HOST_MENUS:
        getattr(bpy.types, name).append(_draw_menu)


def unregister() -> None:
    for name in HOST_MENUS:
        getattr(bpy.types, name).remove(_draw_menu)
