"""The partner of a character and what both do, stored with its armature."""

from typing import Final

import bpy

from ..controllers.dances import DANCE_ITEMS, DEFAULT_DANCE
from ..ui.overridable import OVERRIDABLE

DEFAULT_DANCE_SPEED_M_S: Final = 0.15


def _is_other_armature(owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE" and candidate != owner.id_data


class FOOTFALL_PG_partner(bpy.types.PropertyGroup):
    """The partner of a character."""

    character: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        poll=_is_other_armature,
        name="Partner",
        description="The other character: any rig with a body",
    )
    dance: bpy.props.EnumProperty(
        override=OVERRIDABLE, items=DANCE_ITEMS, default=DEFAULT_DANCE, name="Dance", description="What both dance"
    )
    dance_file: bpy.props.StringProperty(
        override=OVERRIDABLE,
        name="File",
        description="The file of a controller of two characters, with its figures (.npz) of the same name beside it",
        subtype="FILE_PATH",
    )
    speed: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Speed",
        description="How fast the middle of the pair goes along the path; captured pairs hardly travel",
        default=DEFAULT_DANCE_SPEED_M_S,
        min=0.03,
        max=0.4,
        unit="VELOCITY",
    )
    seed: bpy.props.IntProperty(
        override=OVERRIDABLE, name="Seed", description="Another number draws other figures", min=0
    )
    baked_action: bpy.props.PointerProperty(override=OVERRIDABLE, type=bpy.types.Action)


CLASSES: Final = (FOOTFALL_PG_partner,)
