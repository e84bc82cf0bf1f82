"""A character's strikes, stored with its armature: each with its frame, its target and its end effector."""

from typing import Final

import bpy

from ...animation.fcurve_io.reader import scene_rate
from ...ui import plain
from ...ui.overridable import OVERRIDABLE, choice, collection, flag, integer, pointer, text
from ...ui.translations import CONTEXT
from ..interaction.properties import EFFECTOR_ITEMS
from .combination import apply_combination, write_combination

PLACE_ITEMS: Final = (
    ("ORIGIN", "Origin", "The object's own origin"),
    ("VERTEX", "Vertex", "A vertex of the mesh, by its index"),
    ("SURFACE", "Surface Point", "The point of the surface that was picked in the viewport"),
)
"""Places of a mesh that can be struck."""


def _is_mesh(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "MESH"


class FOOTFALL_PG_strike(bpy.types.PropertyGroup):
    """One strike."""

    frame: integer("Frame", "Scene frame at which the strike hits its target", 60)
    effector: choice(
        "With",
        "The part of the body that strikes: knuckles, or the middle of the foot",
        EFFECTOR_ITEMS,
        translation_context=CONTEXT,
    )
    weapon: pointer(
        bpy.types.Object,
        "Weapon",
        "Object in the hand, such as a sword. It strikes with its vertex farthest from the hand",
        poll=_is_mesh,
    )
    both_hands: flag("Both Hands", "Cut with a weapon held in both hands")
    target: pointer(bpy.types.Object, "Target", "Target to strike: an empty, a bone of another character, or a mesh")
    bone: text("Bone", "Bone of the other character that the strike hits")
    place: choice("Place", "Point of the mesh to strike", PLACE_ITEMS)
    vertex: integer("Vertex", "Index of the vertex to strike", low=0)
    corners: bpy.props.IntVectorProperty(
        override=OVERRIDABLE, description="Vertices of the triangle of a surface point", size=3
    )
    shares: bpy.props.FloatVectorProperty(
        override=OVERRIDABLE,
        description="Weights of these vertices in the surface point",
        size=3,
        default=(1.0, 0.0, 0.0),
    )


def _get_combination(settings: bpy.types.PropertyGroup) -> str:
    return write_combination(settings, scene_rate(bpy.context.scene))


def _set_combination(settings: bpy.types.PropertyGroup, text: str) -> None:
    apply_combination(settings, text, bpy.context.scene)


class FOOTFALL_PG_combat(bpy.types.PropertyGroup):
    """The strikes of a character, and the controller that makes them."""

    strikes: collection(FOOTFALL_PG_strike)
    active_strike: integer("Active Strike", "Index of the active item in the list", low=0)
    controller_file: text(
        "Controller", "Controller trained on attacks. Leave empty to use the shipped one", subtype="FILE_PATH"
    )
    weapon: pointer(
        bpy.types.Object,
        "Weapon",
        "Object in both hands in a duel. Its vertex farthest from the hand is its tip",
        poll=_is_mesh,
    )
    leaves: pointer(
        bpy.types.Object, "Walk Away To", "Object to walk to after the last strike. Leave empty to stay on guard"
    )
    combination: plain.text(
        "Combination",
        "Saved strikes and their timing, without targets and weapons",
        get=_get_combination,
        set=_set_combination,
    )
    baked_action: pointer(bpy.types.Action)


class FOOTFALL_UL_strikes(bpy.types.UIList):
    """The strikes, by their frames."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one strike."""
        row = layout.row(align=True)
        picture = next(picture for kind, _, _, picture, _ in EFFECTOR_ITEMS if kind == item.effector)
        row.prop(item, "effector", text="", icon=picture, emboss=False)
        row.prop(item, "target", text="")
        row.prop(item, "frame", text="", emboss=False)

    def filter_items(self, context, data, property_name) -> tuple[list[int], list[int]]:
        """Show the strikes in order of time, whatever their order in the list."""
        items = getattr(data, property_name)
        by_frame = sorted(range(len(items)), key=lambda index: items[index].frame)
        places = [0] * len(items)
        for place, index in enumerate(by_frame):
            places[index] = place
        return [], places


CLASSES: Final = (FOOTFALL_PG_strike, FOOTFALL_PG_combat, FOOTFALL_UL_strikes)
