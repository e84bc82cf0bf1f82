"""The partner of a character and the activity of both, stored with its armature."""

from typing import Final

import bpy

from ....core.control.pair.relation import TUNING as RELATION_TUNING
from ...controllers.dances import DANCE_ITEMS, DEFAULT_DANCE
from ...ui.overridable import OVERRIDABLE
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

    character: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        poll=_is_other_armature,
        name="Partner",
        description="Other character, any rig with a body",
    )
    relation: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=RELATION_ITEMS,
        default=DANCE,
        name="Relation",
        description="How this character relates to its partner",
        translation_context=CONTEXT,
    )
    distance: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Distance",
        description="Distance to keep from the partner",
        default=1.2,
        min=RELATION_TUNING.distance_range[0],
        max=RELATION_TUNING.distance_range[1],
        unit="LENGTH",
    )
    circle_speed: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Circle Speed",
        description="Speed around the partner. Negative values go the other way",
        default=0.6,
        min=-1.2,
        max=1.2,
        unit="VELOCITY",
    )
    goal: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        name="Goal",
        description="Goal to defend: an empty or any object",
    )
    dance: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=DANCE_ITEMS,
        default=DEFAULT_DANCE,
        name="Dance",
        description="Dance of both characters",
    )
    dance_file: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="File",
        description="File of a controller of two characters, with its figures beside it under the same name",
        subtype="FILE_PATH",
    )
    speed: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Speed",
        description="Speed of the middle of the pair along the path. Captured pairs hardly travel",
        default=DEFAULT_DANCE_SPEED_M_S,
        min=0.03,
        max=0.4,
        unit="VELOCITY",
    )
    seed: bpy.props.IntProperty(
        override=OVERRIDABLE, name="Seed", description="Varies the figures, or their beginning", min=0
    )
    baked_action: bpy.props.PointerProperty(override=OVERRIDABLE, type=bpy.types.Action)


CLASSES: Final = (FOOTFALL_PG_partner,)
