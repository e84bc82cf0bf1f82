"""The partner of a character and the activity of both, stored with its armature."""

from typing import Final

import bpy

from ....core.control.pair.relation import TUNING as RELATION_TUNING
from ...controllers.dances import DANCE_ITEMS, DEFAULT_DANCE
from ...ui.overridable import choice, integer, number, pointer, text
from ...ui.translations import CONTEXT

DEFAULT_DANCE_SPEED_M_S: Final = 0.15
DANCE: Final = "DANCE"
RELATION_ITEMS: Final = (
    (DANCE, "Dance", "Both dance along the path of this character, which leads"),
    ("FOLLOW", "Follow", "This character follows behind the partner, on its trail"),
    ("FACE", "Face to Face", "This character stays in front of the partner, face to face"),
    ("CIRCLE", "Circle", "This character goes around the partner and faces it"),
    ("DEFEND", "Defend", "This character stays between the partner and a goal"),
)
"""Relations of a character to its partner, as items of a drop-down list."""


def _is_other_armature(owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE" and candidate != owner.id_data


class FOOTFALL_PG_partner(bpy.types.PropertyGroup):
    """The partner of a character."""

    character: pointer(bpy.types.Object, "Partner", "Other character, any rig with a body", poll=_is_other_armature)
    relation: choice(
        "Relation",
        "What this character does with its partner",
        RELATION_ITEMS,
        default=DANCE,
        translation_context=CONTEXT,
    )
    distance: number(
        "Distance", "Distance to keep from the partner", 1.2, *RELATION_TUNING.distance_range, unit="LENGTH"
    )
    circle_speed: number(
        "Circle Speed", "Speed around the partner. Negative values go the other way", 0.6, -1.2, 1.2, unit="VELOCITY"
    )
    goal: pointer(bpy.types.Object, "Goal", "Goal to defend: an empty or any object")
    dance: choice("Dance", "Dance of both characters", DANCE_ITEMS, default=DEFAULT_DANCE)
    dance_file: text(
        "File",
        "File of a controller for two characters, with its dance figures beside it, named alike",
        subtype="FILE_PATH",
    )
    speed: number(
        "Speed",
        "Speed of the pair along the path. Captured pairs hardly travel",
        DEFAULT_DANCE_SPEED_M_S,
        0.03,
        0.4,
        unit="VELOCITY",
    )
    seed: integer("Seed", "Varies which figures are danced, or where they begin", low=0)
    baked_action: pointer(bpy.types.Action)


CLASSES: Final = (FOOTFALL_PG_partner,)
