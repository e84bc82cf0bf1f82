"""Settings of labelling and training, kept with the scene."""

import bpy

from ..controllers import library
from ..controllers.generators import DEFAULT_GENERATOR, KIND_ITEMS
from ..label.presets import FOOTFALL_PG_labelling
from ..ui.translations import CONTEXT
from . import training_choice


def _get_preset(training: bpy.types.PropertyGroup) -> int:
    return training_choice.number_of(training.training_preset)


def _set_preset(training: bpy.types.PropertyGroup, number: int) -> None:
    training.training_preset = training_choice.identifier_of(number)


def _get_origin(training: bpy.types.PropertyGroup) -> int:
    return library.number_of(training.base_controller)


def _set_origin(training: bpy.types.PropertyGroup, number: int) -> None:
    training.base_controller = library.identifier_of(number)


class FOOTFALL_PG_clip(bpy.types.PropertyGroup):
    """One action of the training list, and the armature whose motion it is: actors differ in their bones' lengths."""

    action: bpy.props.PointerProperty(type=bpy.types.Action)
    armature: bpy.props.PointerProperty(type=bpy.types.Object)


class FOOTFALL_PG_clip_folder(bpy.types.PropertyGroup):
    """One folder of the training list."""

    path: bpy.props.StringProperty(
        name="Folder", description="All BVH and FBX files in it and below", subtype="DIR_PATH"
    )


class FOOTFALL_PG_training(bpy.types.PropertyGroup):
    """Settings of labeling and of training, kept with the scene."""

    labelling: bpy.props.PointerProperty(type=FOOTFALL_PG_labelling)

    clips: bpy.props.CollectionProperty(type=FOOTFALL_PG_clip)
    active_clip: bpy.props.IntProperty(name="Active Action", description="Index of the active item in the list")
    clip_folders: bpy.props.CollectionProperty(type=FOOTFALL_PG_clip_folder)
    # Presets come and go with files, so the file keeps the name and the drop-down only shows it.
    training_preset: bpy.props.StringProperty(
        name="Preset",
        description="The preset: the name of one that ships, or own: and the name of one of yours",
        default=training_choice.DEFAULT_PRESET,
    )
    training_preset_choice: bpy.props.EnumProperty(
        items=training_choice.enum_items,
        get=_get_preset,
        set=_set_preset,
        name="Preset",
        description="What kind of network to train, how long and how thoroughly",
        translation_context=CONTEXT,
    )
    fine_tune: bpy.props.BoolProperty(
        name="Fine-Tune",
        description="Teach a controller that is there what is new in these clips, within minutes, instead of "
        "beginning from nothing; it keeps what it could do",
    )
    base_controller: bpy.props.StringProperty(
        name="Controller", description="The controller to go on from: preset:, own: or run: and its name, or file"
    )
    base_controller_choice: bpy.props.EnumProperty(
        items=library.enum_items,
        get=_get_origin,
        set=_set_origin,
        name="Controller",
        description="What to go on from",
    )
    base_controller_file: bpy.props.StringProperty(name="File", description="File of a controller", subtype="FILE_PATH")
    new_style: bpy.props.StringProperty(
        name="New Style",
        description="What to call a way of moving that is new to the controller, such as sneak; empty: the clips are "
        "in gaits that it knows",
    )
    fit_terrain: bpy.props.BoolProperty(
        name="Fit Terrain",
        description="Put fitted patches of ground under clips that were not captured on level ground, so "
        "that the controller learns to walk over it",
    )
    generator_kind: bpy.props.EnumProperty(
        items=KIND_ITEMS, default=DEFAULT_GENERATOR, name="Kind", description="What kind of generator to train"
    )
    generator_file: bpy.props.StringProperty(
        name="Trained Generator", description="The generator that was trained last", subtype="FILE_PATH"
    )
    run_name: bpy.props.StringProperty(
        name="Name", description="What to call the controller; empty: the first action's name"
    )
