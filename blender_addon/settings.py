"""What Footfall remembers: of a character with its object, of the runs for as long as Blender is open."""

from pathlib import Path
from typing import Final

import bpy

from . import controllers
from .ground_settings import FOOTFALL_PG_ground
from .label_store import KINDS
from .labelling_presets import FOOTFALL_PG_labelling
from .layers.bake_record import FOOTFALL_PG_bake
from .output_settings import FOOTFALL_PG_output
from .overridable import OVERRIDABLE, OVERRIDABLE_LIST
from .rig_settings import FOOTFALL_PG_rig
from .run_sources import show_sources
from .takes import SCOPES

TRAINING_PRESETS: Final = Path(__file__).parent.parent / "presets" / "training"
DESCRIBED: Final = {
    "quick": ("Quick", "A first controller in minutes"),
    "standard": ("Standard", "A good controller; an hour or two, less on a GPU"),
    "paper": ("Paper", "As published; for a GPU and a long night"),
}
STARTS: Final = (
    ("SCENE", "Scene Start", "The walk starts at the scene's first frame"),
    ("CURRENT", "Current Frame", "The walk starts at the current frame"),
)


def _preset_items() -> list[tuple[str, str, str]]:
    found = {file.stem for file in TRAINING_PRESETS.glob("*.toml")}
    named = [(stem, *DESCRIBED[stem]) for stem in DESCRIBED if stem in found]
    return named + [(stem, stem.capitalize(), "") for stem in sorted(found - DESCRIBED.keys())]


def _is_curve(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "CURVE"


def _get_choice(owner: bpy.types.PropertyGroup) -> int:
    return controllers.number_of(owner.controller)


def _set_choice(owner: bpy.types.PropertyGroup, number: int) -> None:
    owner.controller = controllers.identifier_of(number)


def _run_marked(session: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    show_sources(session)


class FOOTFALL_PG_clip(bpy.types.PropertyGroup):
    """One action of the training list, and the armature whose motion it is: actors differ in their bones' lengths."""

    action: bpy.props.PointerProperty(type=bpy.types.Action)
    armature: bpy.props.PointerProperty(type=bpy.types.Object)


class FOOTFALL_PG_training(bpy.types.PropertyGroup):
    """What to label and to train, kept with the scene."""

    labelling: bpy.props.PointerProperty(type=FOOTFALL_PG_labelling)

    clips: bpy.props.CollectionProperty(type=FOOTFALL_PG_clip)
    active_clip: bpy.props.IntProperty(name="Active Action")
    preset: bpy.props.EnumProperty(
        items=_preset_items(), name="Preset", description="How long and how thoroughly to train"
    )
    fit_terrain: bpy.props.BoolProperty(
        name="Fit Terrain",
        description="Put fitted patches of ground under clips that were not captured on level ground, so "
        "that the controller learns to walk over it",
    )
    run_name: bpy.props.StringProperty(
        name="Name", description="What to call the controller; empty: the first action's name"
    )


class FOOTFALL_PG_character(bpy.types.PropertyGroup):
    """A character's settings, kept with its armature so that baking again needs one click."""

    # Dropped items change the numbers in a list, so the file keeps the identifier and the drop-down only shows it.
    controller: bpy.props.StringProperty(override=OVERRIDABLE, name="Controller")
    controller_choice: bpy.props.EnumProperty(
        override=OVERRIDABLE,
        items=controllers.enum_items,
        get=_get_choice,
        set=_set_choice,
        name="Controller",
        description="Who walks: a controller that ships with Footfall, one trained here, or a file",
    )
    controller_file: bpy.props.StringProperty(
        override=OVERRIDABLE, name="File", description="A controller's file", subtype="FILE_PATH"
    )
    path: bpy.props.PointerProperty(
        override=OVERRIDABLE,
        type=bpy.types.Object,
        poll=_is_curve,
        name="Path",
        description="The curve to walk along, from its first point",
    )
    speed: bpy.props.FloatProperty(
        override=OVERRIDABLE,
        name="Speed",
        description="How fast to go; people stroll at 0.8, walk at 1.3 and run from 2.2 m/s on",
        default=1.2,
        min=0.1,
        max=10.0,
        soft_max=4.0,
        unit="VELOCITY",
    )
    seed: bpy.props.IntProperty(
        override=OVERRIDABLE, name="Variation", description="Another number steps off a little differently", min=0
    )
    start: bpy.props.EnumProperty(override=OVERRIDABLE, items=STARTS, name="Starts At")

    rig: bpy.props.PointerProperty(type=FOOTFALL_PG_rig, override=OVERRIDABLE)

    ground: bpy.props.PointerProperty(override=OVERRIDABLE, type=FOOTFALL_PG_ground)
    output: bpy.props.PointerProperty(override=OVERRIDABLE, type=FOOTFALL_PG_output)
    bakes: bpy.props.CollectionProperty(type=FOOTFALL_PG_bake, override=OVERRIDABLE_LIST)
    baked: bpy.props.PointerProperty(override=OVERRIDABLE, type=bpy.types.Action)
    quality: bpy.props.StringProperty(override=OVERRIDABLE, name="Quality of the last bake")


class FOOTFALL_PG_run(bpy.types.PropertyGroup):
    """A training run as it was when its folder was last read."""

    name: bpy.props.StringProperty()
    status: bpy.props.StringProperty()
    fraction: bpy.props.FloatProperty()
    progress: bpy.props.StringProperty()
    losses: bpy.props.StringProperty()
    message: bpy.props.StringProperty()


class FOOTFALL_PG_source(bpy.types.PropertyGroup):
    """One source of the marked run's data set, as :class:`core.source_table.SourceRow` has it."""

    name: bpy.props.StringProperty()
    clips: bpy.props.IntProperty()
    residual: bpy.props.FloatProperty()
    role: bpy.props.StringProperty()
    left_out: bpy.props.IntProperty()
    reasons: bpy.props.StringProperty()


class FOOTFALL_PG_session(bpy.types.PropertyGroup):
    """What is going on now; not saved with the file."""

    runs: bpy.props.CollectionProperty(type=FOOTFALL_PG_run)
    active_run: bpy.props.IntProperty(name="Active Run", update=_run_marked)
    sources: bpy.props.CollectionProperty(type=FOOTFALL_PG_source)
    sources_of: bpy.props.StringProperty(description="Of which run, and as of when, the sources are")
    trouble: bpy.props.StringProperty(description="Why the runs cannot be read")
    work_fraction: bpy.props.FloatProperty(default=-1.0)
    work_progress: bpy.props.StringProperty()
    label_trouble: bpy.props.StringProperty(description="Why a mark that was moved by hand went back")
    label_scope: bpy.props.EnumProperty(items=SCOPES, name="Label", description="Which actions to label")
    segment_kind: bpy.props.EnumProperty(
        items=(("ALL", "All", "Every segment"), *KINDS), name="Show", description="Which segments to list"
    )
