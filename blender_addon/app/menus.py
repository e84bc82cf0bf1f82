"""The menu Footfall: all operators of the sidebar tab, for F3 search and the keyboard.

Blender's search finds the content of menus. Operators of buttons for a row of a list are not in a menu, and are marked
``INTERNAL``.
"""

from collections.abc import Callable
from typing import Final

import bpy

from ..activities.walk.operators import FOOTFALL_OT_add_character
from ..rig.preset_operators import FOOTFALL_MT_rig_presets
from ..ui.manual_links import FOOTFALL_OT_open_manual
from ..ui.registry import PACKAGE_PREFIX, registered_classes
from ..ui.translations import CONTEXT

DEFAULT_GROUP: Final = "DIRECT"
GROUP_MODULES: Final = {
    "LABEL": (
        "label.presets",
        "label.operators",
        "label.ball_operators",
        "label.edit_operators",
        "label.batch_operators",
        "label.stance_operators",
        "label.strip",
    ),
    "TRAIN": ("train", "label.terrain"),
    "RIG": ("rig",),
    "MORE": ("activities.interaction.fit_operators",),
}
"""The rooms and modules of the operators in each menu except Direct, which has all others."""
MENU_ENUM_PROPERTIES: Final = {
    "footfall.add_contact": "contact",
    "footfall.remove_contact": "contact",
    "footfall.set_gait": "gait",
    "footfall.set_action": "action",
    "footfall.add_foot_strike": "side",
    "footfall.remove_foot_strike": "side",
    "footfall.labelling_preset": "preset",
    "footfall.add_rig_role": "role",
    "footfall.add_ik_limb": "limb",
    "footfall.fit_prop": "interaction",
    "footfall.set_walk_surface": "surface",
}
"""Operators without use before a choice of one of their properties."""


def group_of(operator: type) -> str:
    """Return the name of the menu to which an operator belongs."""
    module = operator.__module__.removeprefix(PACKAGE_PREFIX)
    return next(
        (group for group, rooms in GROUP_MODULES.items() if f"{module}.".startswith(prefixes(rooms))), DEFAULT_GROUP
    )


def prefixes(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the module name prefixes of the named packages."""
    return tuple(f"{name}." for name in names)


def group_operators(group: str) -> list[type]:
    """Return the operators that belong to a menu."""
    return [
        operator
        for operator in registered_classes(bpy.types.Operator)
        if "INTERNAL" not in getattr(operator, "bl_options", ())
        and operator is not FOOTFALL_OT_open_manual
        and group_of(operator) == group
    ]


class OperatorMenu:
    """A menu of operators."""

    bl_translation_context = CONTEXT
    group = DEFAULT_GROUP

    def draw(self, _context: bpy.types.Context) -> None:
        for operator in group_operators(self.group):
            choice = MENU_ENUM_PROPERTIES.get(operator.bl_idname)
            if choice:
                self.layout.operator_menu_enum(operator.bl_idname, choice)
            else:
                self.layout.operator(operator.bl_idname)


class FOOTFALL_MT_direct(OperatorMenu, bpy.types.Menu):
    """Characters, and what they are to do"""

    bl_label = "Shot"


class FOOTFALL_MT_more(OperatorMenu, bpy.types.Menu):
    """Props"""

    bl_label = "More"
    group = "MORE"


class FOOTFALL_MT_label(OperatorMenu, bpy.types.Menu):
    """What the motion is doing"""

    bl_label = "Label"
    group = "LABEL"


class FOOTFALL_MT_train(OperatorMenu, bpy.types.Menu):
    """A controller from actions and folders"""

    bl_label = "Train"
    group = "TRAIN"


class FOOTFALL_MT_rig(OperatorMenu, bpy.types.Menu):
    """Which bone is which"""

    bl_label = "Rig"
    group = "RIG"

    def draw(self, context: bpy.types.Context) -> None:
        super().draw(context)
        self.layout.menu(FOOTFALL_MT_rig_presets.__name__)


class FOOTFALL_MT_main(bpy.types.Menu):
    """Everything that Footfall does"""

    bl_label = "Footfall"
    bl_translation_context = CONTEXT

    def draw(self, _context: bpy.types.Context) -> None:
        for menu in SUBMENUS:
            self.layout.menu(menu.__name__)
        self.layout.separator()
        self.layout.operator(FOOTFALL_OT_open_manual.bl_idname, icon="HELP")


SUBMENUS: Final = (FOOTFALL_MT_direct, FOOTFALL_MT_more, FOOTFALL_MT_label, FOOTFALL_MT_train, FOOTFALL_MT_rig)


def _draw_main(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(FOOTFALL_MT_main.__name__)


def _draw_label(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.separator()
    menu.layout.menu(FOOTFALL_MT_label.__name__, text="Footfall")


def _draw_character(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    menu.layout.operator_context = "INVOKE_REGION_WIN"
    menu.layout.operator(FOOTFALL_OT_add_character.bl_idname, text="Footfall Character", icon="OUTLINER_OB_ARMATURE")


MenuDraw = Callable[[bpy.types.Menu, bpy.types.Context], None]
HOST_MENUS: Final[tuple[tuple[str, MenuDraw], ...]] = (
    ("VIEW3D_MT_object", _draw_main),
    ("VIEW3D_MT_pose", _draw_main),
    ("VIEW3D_MT_edit_curve", _draw_main),
    ("DOPESHEET_MT_key", _draw_label),
    ("VIEW3D_MT_armature_add", _draw_character),
)
"""Blender's menus that contain Footfall's; the search covers those of the editor under the mouse."""
CLASSES: Final = (*SUBMENUS, FOOTFALL_MT_main)


def register() -> None:
    """Add Footfall's menus to Blender's menus."""
    for host, draw in HOST_MENUS:
        getattr(bpy.types, host).append(draw)


def unregister() -> None:
    for host, draw in HOST_MENUS:
        getattr(bpy.types, host).remove(draw)
