"""Labeling settings of the user: stored with the scene, and in presets."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import bpy
from bl_operators.presets import AddPresetBase

from ...core.errors import FootfallError
from ...core.labelling.presets import BIPED_PRESET, LabellingPreset, load_preset, shipped_presets
from ...core.labelling.semantics import actions
from ...core.labelling.sensors import AGAINST_GROUND, JOINT_PREFIX, OBJECT_PREFIX, Sensor
from ...core.message import Message
from ..ui.operator_base import FootfallOperator
from ..ui.plain import choice, collection, flag, integer, number, text
from ..ui.translations import CONTEXT, translate_interface
from .titles import title_of

CONTACT_WITH_ITEMS: Final = (
    ("GROUND", "Ground", "Ground under the contact point"),
    ("OBJECT", "Object", "Bounding box of a scene object"),
    ("JOINT", "Bone", "Another bone of the same armature"),
)
CONTACT_WITH_PREFIXES: Final = {"OBJECT": OBJECT_PREFIX, "JOINT": JOINT_PREFIX}
FOOT_ITEMS: Final = (
    ("NONE", "None", "Not a foot: hands, hips, the tip of a sword"),
    ("L", "Left", "Left foot, or the left hind foot of a quadruped"),
    ("R", "Right", "Right foot, or the right hind foot of a quadruped"),
    ("FL", "Front Left", "Left front foot of a quadruped"),
    ("FR", "Front Right", "Right front foot of a quadruped"),
)
POINT_ITEMS: Final = (
    ("joint", "Head", "Head of the bone"),
    ("tip", "Tip", "Tail of the bone, such as fingertips or the point of a sword"),
    ("heel", "Heel", "Heel of a foot, behind and below the ankle"),
)
PRESET_SUBFOLDER: Final = "footfall/labelling"


class FOOTFALL_PG_labelling_sensor(bpy.types.PropertyGroup):
    """A point of the body whose contacts are found; lengths and speeds are those of an adult."""

    name: text("Name", "Name of the contact point")
    joint: text("Bone", "Bone of the contact point, or a body part of any rig such as hand.R")
    against_kind: choice("Contact With", "Object or ground that the contact point may touch", CONTACT_WITH_ITEMS)
    against_name: text("Name", "Object or bone that the contact point may touch")
    at: choice("Point on Bone", "Position of the contact point on the bone", POINT_ITEMS, translation_context=CONTEXT)
    offset: bpy.props.FloatVectorProperty(
        name="Offset",
        description="Offset of the contact point from its Point on Bone, in bone space",
        size=3,
        subtype="TRANSLATION",
    )
    height: number(
        "Max Distance",
        "Distance below which a resting point counts as touching",
        0.05,
        0.001,
        soft_max=0.3,
        unit="LENGTH",
    )
    speed: number(
        "Max Speed",
        "Speed below which a touching point counts as a contact. 0 ignores speed",
        0.45,
        0.0,
        soft_max=3.0,
        unit="VELOCITY",
    )
    sharpness: number(
        "Sharpness",
        "Rate at which the contact probability falls beyond the distance and speed limits",
        4.0,
        0.1,
        soft_max=20.0,
    )
    shortest: number(
        "Minimum Duration",
        "Duration below which contacts and gaps between them are removed",
        0.06,
        0.001,
        soft_max=0.5,
        unit="TIME_ABSOLUTE",
    )
    foot: choice("Foot", "Foot to which the contact point belongs, for detecting steps", FOOT_ITEMS)
    local_phase: flag("Local Phase", "Compute a separate phase for this contact point")


def _first_foot(settings: "FOOTFALL_PG_labelling") -> Sensor | FOOTFALL_PG_labelling_sensor:
    feet = [sensor for sensor in settings.sensors if sensor.foot != "NONE"]
    return feet[0] if feet else BIPED_PRESET.sensors[0]


def _foot_threshold(attribute: str) -> dict:
    """Return getter and setter of the first foot's threshold; setting it scales those of the other feet."""

    def get(settings: "FOOTFALL_PG_labelling") -> float:
        return getattr(_first_foot(settings), attribute)

    def set_all(settings: "FOOTFALL_PG_labelling", value: float) -> None:
        if not settings.sensors:
            apply_preset(settings, to_preset(settings))
        factor = value / max(getattr(_first_foot(settings), attribute), 1e-6)
        for sensor in settings.sensors:
            if sensor.foot != "NONE":
                setattr(sensor, attribute, factor * getattr(sensor, attribute))

    return {"get": get, "set": set_all}


class FOOTFALL_PG_labelling(bpy.types.PropertyGroup):
    """What is looked for when labelling; without sensors, what the preset for bipeds looks for."""

    preset_name: text("Preset", "Most recently selected preset", BIPED_PRESET.name)
    sensors: collection(FOOTFALL_PG_labelling_sensor)
    active_sensor: integer("Active Contact Point", "Index of the active item in the list", low=0)
    actions: choice(
        "Activities",
        "Activities to detect",
        [(name, title_of(name), "") for name in actions.ACTION_NAMES],
        options={"ENUM_FLAG"},
        default=set(BIPED_PRESET.actions),
        translation_context=CONTEXT,
    )
    feet_height: number(
        "Max Foot Distance",
        "Distance from the ground below which a resting foot counts as planted",
        low=0.001,
        soft_max=0.3,
        unit="LENGTH",
        **_foot_threshold("height"),
    )
    feet_speed: number(
        "Max Foot Speed",
        "Speed below which a foot on the ground counts as planted",
        low=0.01,
        soft_max=3.0,
        unit="VELOCITY",
        **_foot_threshold("speed"),
    )
    feet_shortest: number(
        "Minimum Duration",
        "Duration below which foot contacts and gaps between them are removed",
        low=0.001,
        soft_max=0.5,
        unit="TIME_ABSOLUTE",
        **_foot_threshold("shortest"),
    )


def to_preset(settings: FOOTFALL_PG_labelling) -> LabellingPreset:
    """Convert the settings to a preset of the core; raise :class:`FootfallError` if they are invalid."""
    if not settings.sensors:
        return LabellingPreset(
            BIPED_PRESET.name,
            BIPED_PRESET.description,
            BIPED_PRESET.sensors,
            BIPED_PRESET.feet,
            _in_canonical_order(settings.actions),
            BIPED_PRESET.local_phases,
        )
    feet = {foot: tuple(s.name for s in settings.sensors if s.foot == foot) for foot, *_ in FOOT_ITEMS[1:]}
    if not (feet["FL"] or feet["FR"]):
        feet = {foot: feet[foot] for foot in "LR"}
    for foot, name, *_ in FOOT_ITEMS[1:]:
        if foot in feet and not feet[foot]:
            raise FootfallError(
                "The {foot} foot has no contact point: assign one to it, or choose a preset",
                foot=Message(name.lower()),
            )
    return LabellingPreset(
        settings.preset_name,
        "",
        tuple(map(_to_sensor, settings.sensors)),
        feet,
        _in_canonical_order(settings.actions),
        tuple(sensor.name for sensor in settings.sensors if sensor.local_phase),
    )


def _in_canonical_order(chosen: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in actions.ACTION_NAMES if name in set(chosen))


def _to_sensor(item: FOOTFALL_PG_labelling_sensor) -> Sensor:
    return Sensor(
        item.name,
        item.joint or item.name,
        AGAINST_GROUND
        if item.against_kind == "GROUND"
        else CONTACT_WITH_PREFIXES[item.against_kind] + item.against_name,
        item.at,
        tuple(item.offset),
        item.height,
        item.speed or math.inf,
        item.sharpness,
        item.shortest,
    )


def apply_preset(settings: FOOTFALL_PG_labelling, preset: LabellingPreset) -> None:
    """Set the settings to the values of a preset."""
    feet = {name: foot for foot, names in preset.feet.items() for name in names}
    settings.preset_name, settings.actions = preset.name, set(preset.actions)
    settings.sensors.clear()
    for sensor in preset.sensors:
        item = settings.sensors.add()
        item.name, item.joint = sensor.name, sensor.joint
        kind = next(
            (kind for kind, prefix in CONTACT_WITH_PREFIXES.items() if sensor.against.startswith(prefix)), "GROUND"
        )
        item.against_kind, item.against_name = kind, sensor.against.partition(":")[2]
        item.at, item.offset, item.height = sensor.at, sensor.offset, sensor.height
        item.speed = 0.0 if math.isinf(sensor.speed) else sensor.speed
        item.sharpness, item.shortest = sensor.sharpness, sensor.shortest
        item.foot = feet.get(sensor.name, "NONE")
        item.local_phase = sensor.name in preset.local_phases
    settings.active_sensor = 0


def _shipped_items(_owner: object, _context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    return _SHIPPED_ITEMS


# Blender keeps pointers to an enum's strings, so they must stay alive.
_SHIPPED_ITEMS: Final = [
    (name, preset.name, preset.description)
    for name, preset in ((name, load_preset(path)) for name, path in shipped_presets().items())
]


class FOOTFALL_OT_labelling_preset(FootfallOperator, bpy.types.Operator):
    """Use the detection settings of this preset for labeling"""

    bl_idname = "footfall.labelling_preset"
    bl_label = "Labeling Preset"

    preset: choice("Preset", "Preset of detection settings", _shipped_items)

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return translate_interface(next(text for name, _, text in _SHIPPED_ITEMS if name == properties.preset))

    def run(self, context: bpy.types.Context) -> str:
        preset = load_preset(shipped_presets()[self.preset])
        apply_preset(context.scene.footfall.labelling, preset)
        return Message("The labeling preset '{name}' is now used", name=preset.name)


class FOOTFALL_OT_save_labelling_preset(AddPresetBase, bpy.types.Operator):
    """Save the detection settings as your own preset, or remove the selected preset"""

    bl_idname = "footfall.save_labelling_preset"
    bl_label = "Save Labeling Preset"
    preset_menu = "FOOTFALL_MT_labelling_presets"
    preset_defines = ["settings = bpy.context.scene.footfall.labelling"]
    preset_values = ["settings.actions", "settings.sensors"]
    preset_subdir = PRESET_SUBFOLDER

    def pre_cb(self, context: bpy.types.Context) -> None:
        settings = context.scene.footfall.labelling
        if not settings.sensors and not self.remove_active:
            apply_preset(settings, to_preset(settings))

    def post_cb(self, context: bpy.types.Context, _filepath: str) -> None:
        if not self.remove_active:
            context.scene.footfall.labelling.preset_name = self.name


class FOOTFALL_OT_add_sensor(FootfallOperator, bpy.types.Operator):
    """Detect the contacts of one more point of the body, such as a hand or the tip of a sword"""

    bl_idname = "footfall.add_sensor"
    bl_label = "Add Contact Point"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    def run(self, context: bpy.types.Context) -> str:
        settings = context.scene.footfall.labelling
        if not settings.sensors:
            apply_preset(settings, to_preset(settings))
        names = {sensor.name for sensor in settings.sensors}
        free = next(name for name in ("hand.R", "hand.L", "hips", *_numbered("sensor")) if name not in names)
        item = settings.sensors.add()
        item.name = item.joint = free
        settings.active_sensor = len(settings.sensors) - 1
        return Message("Added contact point '{name}'", name=free)


def _numbered(word: str) -> Iterable[str]:
    return (f"{word}.{number}" for number in range(1, 1000))


class FOOTFALL_OT_remove_sensor(FootfallOperator, bpy.types.Operator):
    """Remove the active contact point from the list"""

    bl_idname = "footfall.remove_sensor"
    bl_label = "Remove Contact Point"

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        settings = context.scene.footfall.labelling
        return None if settings.active_sensor < len(settings.sensors) else "Select a contact point in the list"

    def run(self, context: bpy.types.Context) -> str:
        settings = context.scene.footfall.labelling
        name = settings.sensors[settings.active_sensor].name
        settings.sensors.remove(settings.active_sensor)
        settings.active_sensor = max(min(settings.active_sensor, len(settings.sensors) - 1), 0)
        return Message("Removed contact point '{name}'", name=name)


class FOOTFALL_MT_labelling_presets(bpy.types.Menu):
    """What to look for: the presets that ship, then your own."""

    bl_label = "Labeling Presets"
    preset_subdir = PRESET_SUBFOLDER
    preset_operator = "script.execute_preset"

    def draw(self, context: bpy.types.Context) -> None:
        for name, label, _ in _SHIPPED_ITEMS:
            self.layout.operator(FOOTFALL_OT_labelling_preset.bl_idname, text=label).preset = name
        folders = bpy.utils.preset_paths(PRESET_SUBFOLDER)
        if folders:
            self.layout.separator()
            self.path_menu(folders, self.preset_operator, filter_ext=lambda ending: ending == ".py")

    @staticmethod
    def post_cb(context: bpy.types.Context, filepath: str) -> None:
        """Update the settings after the user has chosen one of their own presets."""
        context.scene.footfall.labelling.preset_name = bpy.path.display_name(Path(filepath).name, title_case=False)


CLASSES = (
    FOOTFALL_PG_labelling_sensor,
    FOOTFALL_PG_labelling,
    FOOTFALL_OT_labelling_preset,
    FOOTFALL_OT_save_labelling_preset,
    FOOTFALL_OT_add_sensor,
    FOOTFALL_OT_remove_sensor,
    FOOTFALL_MT_labelling_presets,
)
