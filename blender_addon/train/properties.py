"""Settings of labelling and training, kept with the scene."""

import bpy

from ..controllers import library
from ..controllers.generators import DEFAULT_GENERATOR, KIND_ITEMS
from ..label.presets import FOOTFALL_PG_labelling
from ..ui.plain import choice, collection, flag, integer, pointer, text
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

    action: pointer(bpy.types.Action)
    armature: pointer(bpy.types.Object)


class FOOTFALL_PG_clip_folder(bpy.types.PropertyGroup):
    """One folder of the training list."""

    path: text("Folder", "Folder whose BVH and FBX files, also in subfolders, are training clips", subtype="DIR_PATH")


class FOOTFALL_PG_training(bpy.types.PropertyGroup):
    """Settings of labeling and of training, kept with the scene."""

    labelling: pointer(FOOTFALL_PG_labelling)

    clips: collection(FOOTFALL_PG_clip)
    active_clip: integer("Active Clip", "Index of the active item in the list", low=0)
    clip_folders: collection(FOOTFALL_PG_clip_folder)
    # Presets come and go with files, so the file keeps the name and the drop-down only shows it.
    training_preset: text(
        "Preset",
        "Preset: the name of a shipped one, or 'own:' followed by the name of yours",
        training_choice.DEFAULT_PRESET,
    )
    training_preset_choice: choice(
        "Preset",
        "Type of network, and how long and thoroughly to train it",
        training_choice.enum_items,
        get=_get_preset,
        set=_set_preset,
        translation_context=CONTEXT,
    )
    research_preset_choice: choice(
        "Network",
        "Network or body to train, mostly for comparison with the shipped controller",
        training_choice.research_items,
        get=_get_research_preset,
        set=_set_research_preset,
        translation_context=CONTEXT,
    )
    fine_tune: flag(
        "Fine-Tune", "Continue training an existing controller on these clips instead of starting from scratch"
    )
    base_controller: text(
        "Controller", "Controller to continue from: 'preset:', 'own:' or 'run:' followed by its name, or 'file'"
    )
    base_controller_choice: choice(
        "Controller", "Controller from which training continues", library.enum_items, get=_get_origin, set=_set_origin
    )
    base_controller_file: text("File", "File of the controller from which training continues", subtype="FILE_PATH")
    new_style: text("New Style", "Name of a style to teach the controller. Leave empty if the clips show known gaits")
    fit_terrain: flag(
        "Fit Terrain", "Put terrain patches under clips captured on uneven ground, to train walking on terrain"
    )
    generator_kind: choice("Type", "Type of generator to train", KIND_ITEMS, default=DEFAULT_GENERATOR)
    generator_file: text("Trained Generator", "Most recently trained generator", subtype="FILE_PATH")
    run_name: text("Name", "Name of the controller. Leave empty to use the name of the first clip")
