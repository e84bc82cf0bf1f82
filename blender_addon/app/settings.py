"""State of Footfall: settings of a character, stored with its object, and state of the session."""

from typing import Final

import bpy

from ...core.ball.ball_track import BASKETBALL_RADIUS_M
from ...core.control.walk.plan import SPEED_RANGE_M_S, model_styles
from ...core.errors import FootfallError
from ...core.models.generator_kinds import DEFAULT_VARIATION
from ...core.models.model_file import ControllerModel
from ..activities.interaction.properties import FOOTFALL_PG_interaction_task
from ..activities.strike.combination import apply_combination, write_combination
from ..activities.walk.live_preview.operators import update_live_preview
from ..activities.walk.path_event_properties import FOOTFALL_PG_path_event
from ..activities.walk.waypoint_properties import FOOTFALL_PG_waypoint
from ..animation.bake_results import BakeResults
from ..animation.output_settings import FOOTFALL_PG_output
from ..controllers import library
from ..controllers.dances import DANCE_ITEMS, DEFAULT_DANCE
from ..controllers.generators import DEFAULT_GENERATOR, GENERATOR_ITEMS
from ..label.store import LABEL_KINDS
from ..rig.chosen_controller import chosen_controller
from ..rig.clips import SCOPES
from ..rig.properties import FOOTFALL_PG_rig
from ..scene.path_reader import is_path
from ..scene.properties import FOOTFALL_PG_ground
from ..shot.inserts.properties import FOOTFALL_PG_inserted_clip
from ..shot.key_poses.properties import FOOTFALL_PG_key_pose
from ..shot.steps.properties import FOOTFALL_PG_edited_step, FOOTFALL_PG_retimed_stretch
from ..shot.takes.properties import FOOTFALL_PG_take
from ..train.coverage import FOOTFALL_PG_coverage_row
from ..train.run_sources import update_source_table
from ..ui import plain
from ..ui.operator_base import active_armature
from ..ui.overridable import choice, collection, flag, integer, number, pointer, share, text
from ..ui.redraw import tag_redraw_all
from ..ui.translations import CONTEXT

BALL_ITEMS: Final = (
    ("NONE", "No Ball", "Walk without a ball"),
    ("RIGHT", "Right Hand", "Dribble with the right hand, except where an event sets the left one"),
    ("LEFT", "Left Hand", "Dribble with the left hand, except where an event sets the right one"),
)
START_ITEMS: Final = (
    ("SCENE", "Scene Start", "Start at the first frame of the scene"),
    ("CURRENT", "Current Frame", "Start at the current frame"),
)


def _is_path(_owner: bpy.types.PropertyGroup, candidate: bpy.types.Object) -> bool:
    return is_path(candidate)


def _get_choice(owner: bpy.types.PropertyGroup) -> int:
    return library.number_of(chosen_controller(owner)[0])


def _set_choice(owner: bpy.types.PropertyGroup, number: int) -> None:
    owner.controller = library.identifier_of(number)


def _chosen_model(character: bpy.types.PropertyGroup) -> ControllerModel | None:
    """Return the controller that a character uses, loaded when a field is clicked; ``None`` if it is unreadable."""
    try:
        return library.load(*chosen_controller(character))[1]
    except FootfallError:
        return None


def _search_styles(character: bpy.types.PropertyGroup, _context: bpy.types.Context, _text: str) -> list[str]:
    return list(model_styles(model)) if (model := _chosen_model(character)) else []


def _search_performers(character: bpy.types.PropertyGroup, _context: bpy.types.Context, _text: str) -> list[str]:
    model = _chosen_model(character)
    return list(model.performers) if model else []


def _on_run_selected(session: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    update_source_table(session)


def _get_combination(settings: bpy.types.PropertyGroup) -> str:
    return write_combination(settings, bpy.context.scene)


def _set_combination(settings: bpy.types.PropertyGroup, text: str) -> None:
    apply_combination(settings, text, bpy.context.scene)


class FOOTFALL_PG_character(BakeResults, bpy.types.PropertyGroup):
    """A character's settings, kept with its armature so that baking again needs one click."""

    # Dropped items change the numbers in a list, so the file keeps the identifier and the drop-down only shows it.
    controller: text("Controller", "Controller to use: 'preset:', 'own:' or 'run:' followed by its name, or 'file'")
    controller_choice: choice(
        "Controller",
        "Controller that moves the character: shipped, trained on this computer, or from a file",
        library.enum_items,
        get=_get_choice,
        set=_set_choice,
    )
    controller_file: text("File", "File of the controller that moves the character", subtype="FILE_PATH")
    performer: text(
        "Performer",
        "Captured performer whose way of moving the walk imitates. Leave empty for the first one",
        search=_search_performers,
    )
    style: text(
        "Style",
        "Style of the controller, such as crouch. Leave empty for plain walking and running",
        search=_search_styles,
    )
    path: pointer(
        bpy.types.Object,
        "Path",
        "Curve or grease pencil to walk along. Without one, the character walks between waypoints",
        poll=_is_path,
    )
    speed: number(
        "Speed",
        "Speed along the path. Walking is about 1.3 m/s, running starts at 2.2 m/s",
        1.2,
        *SPEED_RANGE_M_S,
        soft_max=4.0,
        unit="VELOCITY",
    )
    seed: integer("Seed", "Number that selects a random variation, and a performer to mix in. 0 varies nothing", low=0)
    performer_share: share(
        "Performer Share", "Share of the second performer, picked by the seed. 0 uses only the chosen performer", 1.0
    )
    control_variation: share(
        "Variation",
        "Strength of the variation between seeds. 0 is none. Higher values follow the path less",
        DEFAULT_VARIATION,
    )
    generator: choice(
        "Generator", "Network that varies the walk from seed to seed", GENERATOR_ITEMS, default=DEFAULT_GENERATOR
    )
    generator_file: text("File", "File of your generator", subtype="FILE_PATH")
    responsiveness: share(
        "Responsiveness",
        "Promptness in following path and speed: 0 is smooth but late, 1 prompt but less natural",
        0.5,
    )
    ball: choice(
        "Ball", "Ball to dribble along the path, with a controller trained for it. Its motion is baked, too", BALL_ITEMS
    )
    ball_radius: number("Radius", "Radius of the ball", BASKETBALL_RADIUS_M, 0.02, 1.0, subtype="DISTANCE")
    start: choice("Start", "Frame at which the walk starts", START_ITEMS)

    path_events: collection(FOOTFALL_PG_path_event)
    active_path_event: integer("Active Event", "Index of the active item in the list", low=0)
    speed_from_radius: flag(
        "Speed from Curve Radius", "Multiply the speed by the radius of the curve points, set with Alt S in Edit Mode"
    )
    waypoints: collection(FOOTFALL_PG_waypoint)
    active_waypoint: integer("Active Waypoint", "Index of the active item in the list", low=0)
    key_poses: collection(FOOTFALL_PG_key_pose)
    active_key_pose: integer("Active Pose", "Index of the active item in the list", low=0)
    takes: collection(FOOTFALL_PG_take)
    active_take: integer("Active Take", "Index of the active item in the list", low=0)
    inserted_clips: collection(FOOTFALL_PG_inserted_clip)
    active_inserted_clip: integer("Active Clip", "Index of the active item in the list", low=0)
    edited_steps: collection(FOOTFALL_PG_edited_step)
    active_edited_step: integer("Active Step", "Index of the active item in the list", low=0)
    retimed_stretches: collection(FOOTFALL_PG_retimed_stretch)
    active_retimed_stretch: integer("Active Range", "Index of the active item in the list", low=0)

    rig: pointer(FOOTFALL_PG_rig)

    interaction_controller_file: text(
        "Controller", "File of a controller for interactions. Leave empty to use the shipped one", subtype="FILE_PATH"
    )
    interaction_tasks: collection(FOOTFALL_PG_interaction_task)
    attachment: choice(
        "Attachment",
        "Method by which a carried object follows the hands",
        (
            ("KEYFRAMES", "Keyframes", "Insert a key on the object at each frame"),
            ("CHILD_OF", "Child Of Constraint", "Constrain the object to the right hand while it is carried"),
        ),
        translation_context=CONTEXT,
    )
    active_interaction_task: integer(low=0)
    strike_controller_file: text(
        "Controller", "Controller trained on attacks. Leave empty to use the shipped one", subtype="FILE_PATH"
    )
    combination: plain.text(
        "Combination",
        "Saved strikes and their timing, without targets and weapons",
        get=_get_combination,
        set=_set_combination,
    )
    dance: choice("Dance", "Dance of the character and its partner", DANCE_ITEMS, default=DEFAULT_DANCE)
    dance_file: text(
        "File",
        "File of a controller for two characters, with its dance figures beside it, named alike",
        subtype="FILE_PATH",
    )

    ground: pointer(FOOTFALL_PG_ground)
    output: pointer(FOOTFALL_PG_output)


class FOOTFALL_PG_training_run(bpy.types.PropertyGroup):
    """A training run as it was when its folder was last read."""

    name: bpy.props.StringProperty()
    status: bpy.props.StringProperty()
    fraction: bpy.props.FloatProperty()
    progress: bpy.props.StringProperty()
    losses: bpy.props.StringProperty()
    test_walk: bpy.props.StringProperty()
    note: bpy.props.StringProperty()
    has_network: bpy.props.BoolProperty()
    message: bpy.props.StringProperty()


class FOOTFALL_PG_training_source(bpy.types.PropertyGroup):
    """One source of the marked run's data set, as :class:`core.source_table.SourceRow` has it."""

    name: bpy.props.StringProperty()
    clips: bpy.props.IntProperty()
    alignment_error: bpy.props.FloatProperty()
    role: bpy.props.StringProperty()
    skipped: bpy.props.IntProperty()
    reasons: bpy.props.StringProperty()


class FOOTFALL_PG_setup_finding(bpy.types.PropertyGroup):
    """One thing that the doctor has found, as :class:`core.trainer_setup.doctor.Finding` has it."""

    level: bpy.props.StringProperty()
    text: bpy.props.StringProperty()
    remedy: bpy.props.StringProperty()


class FOOTFALL_PG_session(bpy.types.PropertyGroup):
    """What is going on now; not saved with the file."""

    @property
    def character(self) -> bpy.types.Object | None:
        """Character shown in the panels; presets access it under this name."""
        return active_armature(bpy.context)

    training_runs: bpy.props.CollectionProperty(type=FOOTFALL_PG_training_run)
    active_training_run: plain.integer(
        "Active Training Run", "Index of the active item in the list", low=0, update=_on_run_selected
    )
    training_sources: bpy.props.CollectionProperty(type=FOOTFALL_PG_training_source)
    training_sources_key: bpy.props.StringProperty(
        description="Training run whose clip sources were last read, and the time of that reading"
    )
    runs_error: bpy.props.StringProperty(description="Reason why the training runs cannot be read")
    show_curves: plain.flag(
        "Show Curves",
        "Draw training losses and the quality of test walks in a corner of the 3D viewport",
        update=lambda _session, _context: tag_redraw_all(),
    )

    coverage: bpy.props.CollectionProperty(type=FOOTFALL_PG_coverage_row)
    coverage_summary: bpy.props.StringProperty()
    coverage_missing: bpy.props.StringProperty(description="Motions that the clips lack, one sentence per line")
    coverage_errors: bpy.props.StringProperty(description="Clips that could not be read, one sentence per line")
    coverage_key: bpy.props.StringProperty(description="Clips on which the coverage is based")

    environment_status: bpy.props.StringProperty(default="missing")
    environment_fraction: bpy.props.FloatProperty()
    environment_step: bpy.props.StringProperty()
    environment_error: bpy.props.StringProperty()
    setup_findings: bpy.props.CollectionProperty(type=FOOTFALL_PG_setup_finding)

    live_preview: plain.flag(
        "Live Preview",
        "Show the walk and its footprints as they would be baked, while you edit the path",
        update=update_live_preview,
    )
    show_takes: plain.flag(
        "Show Side by Side",
        "Draw the other takes beside the character, or only the favorites if there are any",
        update=lambda _session, _context: tag_redraw_all(),
    )
    show_key_poses: plain.flag(
        "Show Poses",
        "Draw the key poses of the active character in the viewport",
        True,
        update=lambda _session, _context: tag_redraw_all(),
    )
    show_beats: plain.flag(
        "Show Beats",
        "Draw the beats in Timeline and Dope Sheet, and their numbers in the 3D viewport",
        True,
        update=lambda _session, _context: tag_redraw_all(),
    )
    show_object_contacts: plain.flag(
        "Show Contacts",
        "Draw lines from the contact points of an object to the bones that touch them",
        update=lambda _session, _context: tag_redraw_all(),
    )
    work_fraction: bpy.props.FloatProperty(default=-1.0)
    work_progress: bpy.props.StringProperty()
    label_error: bpy.props.StringProperty(description="Reason that moving a label was undone")
    label_scope: plain.choice("Label", "Actions to label", SCOPES, translation_context=CONTEXT)
    segment_filter: plain.choice(
        "Show",
        "Type of the label segments to list",
        (("ALL", "All", "List segments of all types"), *LABEL_KINDS),
        translation_context=CONTEXT,
    )
