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
    training.training_preset = training_choice.identifier_of(number, training.training_preset)


def _get_research_preset(training: bpy.types.PropertyGroup) -> int:
    return training_choice.research_number_of(training.training_preset)


def _set_research_preset(training: bpy.types.PropertyGroup, number: int) -> None:
    training.training_preset = training_choice.research_identifier_of(number)


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
        name="Folder", description="BVH and FBX files of the folder and its subfolders", subtype="DIR_PATH"
    )


class FOOTFALL_PG_training(bpy.types.PropertyGroup):
    """Settings of labeling and of training, kept with the scene."""

    labelling: bpy.props.PointerProperty(type=FOOTFALL_PG_labelling)

    clips: bpy.props.CollectionProperty(type=FOOTFALL_PG_clip)
    active_clip: bpy.props.IntProperty(name="Active Clip", description="Index of the active item in the list", min=0)
    clip_folders: bpy.props.CollectionProperty(type=FOOTFALL_PG_clip_folder)
    # Presets depend on files, so the file keeps the name and the drop-down only shows it.
    training_preset: bpy.props.StringProperty(
        name="Preset",
        description="Preset: the name of a shipped one, or own: and the name of one of yours",
        default=training_choice.DEFAULT_PRESET,
    )
    training_preset_choice: bpy.props.EnumProperty(
        items=training_choice.enum_items,
        get=_get_preset,
        set=_set_preset,
        name="Preset",
        description="Type of network, length and thoroughness of the training",
        translation_context=CONTEXT,
    )
    research_preset_choice: bpy.props.EnumProperty(
        items=training_choice.research_items,
        get=_get_research_preset,
        set=_set_research_preset,
        name="Network",
        description="Network or body to train, mostly to compare with the one that ships",
        translation_context=CONTEXT,
    )
    fine_tune: bpy.props.BoolProperty(
        name="Fine-Tune",
        description="Continue training an existing controller on these clips instead of starting from scratch",
    )
    base_controller: bpy.props.StringProperty(
        name="Controller", description="Controller to continue from: preset:, own: or run: and its name, or file"
    )
    base_controller_choice: bpy.props.EnumProperty(
        items=library.enum_items,
        get=_get_origin,
        set=_set_origin,
        name="Controller",
        description="Base controller to continue from",
    )
    base_controller_file: bpy.props.StringProperty(name="File", description="File of a controller", subtype="FILE_PATH")
    new_style: bpy.props.StringProperty(
        name="New Style",
        description="Name of a style that is new to the controller. Leave empty if the clips have known gaits",
    )
    fit_terrain: bpy.props.BoolProperty(
        name="Fit Terrain",
        description="Put terrain patches under clips captured on uneven ground, to train walking on terrain",
    )
    generator_kind: bpy.props.EnumProperty(
        items=KIND_ITEMS, default=DEFAULT_GENERATOR, name="Type", description="Type of generator to train"
    )
    generator_file: bpy.props.StringProperty(
        name="Trained Generator", description="Generator that was trained last", subtype="FILE_PATH"
    )
    run_name: bpy.props.StringProperty(
        name="Name", description="Name of the controller. Leave empty to use the name of the first clip"
    )
