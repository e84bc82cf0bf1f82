"""The beats of a scene's duel: attacker, target, time, place, weapon and answer of each attack.

Each beat has a marker in the timeline for its frame: dragging the marker moves the beat.
"""

from typing import Final

import bpy

from ...ui.plain import choice, collection, flag, integer, pointer, text
from ...ui.translations import CONTEXT
from ..interaction.properties import ANSWER_ITEMS, EFFECTOR_ITEMS, PART_ITEMS, SIDE_ITEMS


def marker_of(beat: bpy.types.PropertyGroup) -> bpy.types.TimelineMarker | None:
    """Return the marker of a beat; ``None`` if it was deleted or renamed."""
    return beat.id_data.timeline_markers.get(beat.marker) if beat.marker else None


def _get_frame(beat: bpy.types.PropertyGroup) -> int:
    marker = marker_of(beat)
    return beat.kept_frame if marker is None else marker.frame


def _set_frame(beat: bpy.types.PropertyGroup, frame: int) -> None:
    beat.kept_frame, marker = frame, marker_of(beat)
    if marker is not None:
        marker.frame = frame


def _is_armature(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE"


class FOOTFALL_PG_beat(bpy.types.PropertyGroup):
    """One beat."""

    marker: text("Marker", "Timeline marker at the frame of the beat. Drag the marker to retime the beat")
    kept_frame: integer(description="Frame of a beat that has no marker")
    frame: integer("Frame", "Frame of impact. Changing it moves the marker", get=_get_frame, set=_set_frame)
    striker: pointer(bpy.types.Object, "Striker", "The character that strikes", poll=_is_armature)
    receiver: pointer(bpy.types.Object, "Receiver", "The character that is struck", poll=_is_armature)
    part: choice("Part", "The part of the receiver that is struck", PART_ITEMS)
    effector: choice("With", "The part of the body that strikes", EFFECTOR_ITEMS, translation_context=CONTEXT)
    side: choice("From", "Where the strike comes from", SIDE_ITEMS)
    answer: choice("Answer", "How the character reacts to the strike", ANSWER_ITEMS, translation_context=CONTEXT)


class FOOTFALL_PG_duel(bpy.types.PropertyGroup):
    """The duel of a scene."""

    beats: collection(FOOTFALL_PG_beat)
    active_beat: integer("Active Beat", "Index of the active item in the list", low=0)
    is_baked: flag(description="Whether the duel has been baked")


class FOOTFALL_UL_beats(bpy.types.UIList):
    """The beats, by their frames."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0) -> None:
        """Draw the row for one beat."""
        row = layout.row(align=True)
        names = [one.name if one is not None else "-" for one in (item.striker, item.receiver)]
        picture = next(picture for kind, _, _, picture, _ in ANSWER_ITEMS if kind == item.answer)
        row.prop(item, "frame", text="", emboss=False)
        row.label(text=" > ".join(names), icon="MARKER_HLT" if marker_of(item) else "BLANK1", translate=False)
        row.prop(item, "answer", text="", icon=picture, emboss=False)

    def filter_items(self, context, data, property_name) -> tuple[list[int], list[int]]:
        """Show the beats in order of time, whatever their order in the list."""
        items = getattr(data, property_name)
        by_frame = sorted(range(len(items)), key=lambda index: items[index].frame)
        places = [0] * len(items)
        for place, index in enumerate(by_frame):
            places[index] = place
        return [], places


def register() -> None:
    """Add the duel settings to the scene type."""
    bpy.types.Scene.footfall_duel = bpy.props.PointerProperty(type=FOOTFALL_PG_duel)


def unregister() -> None:
    del bpy.types.Scene.footfall_duel


CLASSES: Final = (FOOTFALL_PG_beat, FOOTFALL_PG_duel, FOOTFALL_UL_beats)
