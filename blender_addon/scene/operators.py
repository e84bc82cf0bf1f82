"""Tagging objects as ground, obstacles and ceilings."""

from typing import Final

import bpy

from ..ui.operator_base import FootfallOperator
from ..ui.translations import CONTEXT, shown
from .ground_choice import forget, has_surface
from .ground_tags import TAGS, in_words, set_tag

NOTHING: Final = "NONE"
ITEMS: Final = [
    *((tag, title, about, icon, number) for number, (tag, (title, about, icon)) in enumerate(TAGS.items())),
    (NOTHING, "No Tag", "Take the tag away", "X", len(TAGS)),
]


class FOOTFALL_OT_tag_ground(FootfallOperator, bpy.types.Operator):
    """Say what the selected objects are to walking characters"""

    bl_idname = "footfall.tag_ground"
    bl_label = "Tag for Walks"

    tag: bpy.props.EnumProperty(
        items=ITEMS, name="Tag", description="What it is to a walk", translation_context=CONTEXT
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return shown(next(about for tag, _, about, _, _ in ITEMS if tag == properties.tag))

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None if _selected(context) else "Select the objects to tag"

    def run(self, context: bpy.types.Context) -> str:
        things = _selected(context)
        linked = [thing for thing in things if not thing.is_editable]
        for thing in linked or things:  # a linked one refuses, before anything is changed
            set_tag(thing, None if self.tag == NOTHING else self.tag)
        forget()
        who = in_words(things)
        return f"{who}: no tag" if self.tag == NOTHING else f"{who}: {TAGS[self.tag][0].lower()}"


def _selected(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The selected objects that may have faces: the character may be selected along with what it walks on."""
    return [thing for thing in context.view_layer.objects.selected if has_surface(thing)]


class FOOTFALL_MT_ground_tags(bpy.types.Menu):
    """What an object is to walking characters"""

    bl_idname = "FOOTFALL_MT_ground_tags"
    bl_label = "Tag for Walks"

    def draw(self, _context: bpy.types.Context) -> None:
        for tag, title, _, icon, _ in ITEMS:
            if tag == NOTHING:
                self.layout.separator()
            self.layout.operator(FOOTFALL_OT_tag_ground.bl_idname, text=title, icon=icon).tag = tag


def _draw_menu(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(FOOTFALL_MT_ground_tags.bl_idname)


CLASSES = (FOOTFALL_OT_tag_ground, FOOTFALL_MT_ground_tags)
MENUS = ("VIEW3D_MT_object_context_menu", "OUTLINER_MT_object")


def register() -> None:
    """Puts the menu into the menus of objects."""
    for name in MENUS:
        getattr(bpy.types, name).append(_draw_menu)


def unregister() -> None:
    """Takes everything back that :func:`register` did."""
    for name in MENUS:
        getattr(bpy.types, name).remove(_draw_menu)
