"""Links into the manual: *Online Manual* in the context menu, and the question marks of panels.

The manual is part of the extension, as web pages, for machines without a network; in the source it is text.
"""

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

import bpy

from ...core.errors import FootfallError
from .operator_base import FootfallOperator

MANUAL_FOLDER: Final = Path(__file__).parents[2] / "docs" / "manual"
"""Folder of the manual: ``PAGE.html`` and ``at/PAGE-HEADING.html`` in the extension, ``PAGE.md`` in the source."""
MANUAL_URL: Final = ""
"""The address of the manual on the web, ending with ``/``, used without local files; empty if there is none."""
START_PAGE: Final = "README"
TOPICS: Final = (
    ("bpy.types.footfall_preferences.runs_folder", "train#training-runs"),
    ("bpy.types.footfall_preferences.show_training_tools", "blender#motion-capture"),
    ("bpy.types.footfall_preferences.*cache_folder", "troubleshooting#where-things-are"),
    ("bpy.types.footfall_preferences.threads", "troubleshooting#where-things-are"),
    ("bpy.types.footfall_preferences.*", "train#training-environment"),
    ("bpy.types.footfall_pt_label_overlays", "label#in-the-viewport"),
    ("bpy.types.footfall_pg_label_overlays.show_strip", "label#the-strip"),
    ("bpy.types.footfall_pg_label_overlays.*", "label#in-the-viewport"),
    ("bpy.types.footfall_pt_label_edit", "label#correcting-with-buttons-and-markers"),
    ("bpy.types.footfall_pt_label_settings", "label#what-is-looked-for"),
    ("bpy.types.footfall_pt_label_batch", "label#batch"),
    ("bpy.types.footfall_pt_label_root_motion", "animals#root-motion-from-stance"),
    ("bpy.types.footfall_pt_terrain", "train#terrain"),
    ("bpy.types.footfall_p[gt]_label*", "label"),
    ("bpy.types.footfall_pg_segment.*", "label#what-a-label-means"),
    ("bpy.types.footfall_pt_train_coverage", "train#coverage"),
    ("bpy.types.footfall_pt_training_runs", "train#training-runs"),
    ("bpy.types.footfall_pt_train_generator", "train#generator"),
    ("bpy.types.footfall_pg_training.generator_*", "train#generator"),
    ("bpy.types.footfall_pt_train", "train"),
    ("bpy.types.footfall_pg_training.*", "train"),
    ("bpy.types.footfall_pg_clip*", "train"),
    ("bpy.types.footfall_pt_motion_capture", "blender#motion-capture"),
    ("bpy.types.footfall_p[gt]_rig*", "rig"),
    ("bpy.types.footfall_pt_retarget", "rig#retarget-motion"),
    ("bpy.types.footfall_pg_ik_limb.*", "rig"),
    ("bpy.types.scene.footfall_show_rig_issues", "rig#when-a-bone-is-wrong"),
    ("bpy.types.footfall_p[gt]_ground*", "ground"),
    ("bpy.types.*.footfall_show_ground", "ground"),
    ("bpy.types.footfall_pg_output.*", "directing#where-a-bake-goes"),
    ("bpy.types.footfall_pt_output", "directing#where-a-bake-goes"),
    ("bpy.types.footfall_pt_variation", "directing#variation"),
    ("bpy.types.footfall_pt_ball", "ball#dribble-along-a-path"),
    ("bpy.types.footfall_pg_character.ball*", "ball#dribble-along-a-path"),
    ("bpy.types.footfall_pt_edits", "directing#edits"),
    ("bpy.types.footfall_pt_bake_*", "after-the-bake"),
    ("bpy.types.footfall_pt_more", "blender#more"),
    ("bpy.types.footfall_pg_session.show_beats", "sit-and-carry#beats"),
    ("bpy.types.footfall_p[gt]_interaction*", "sit-and-carry#beats"),
    ("bpy.types.footfall_pg_character.interaction_controller_file", "sit-and-carry#beats"),
    ("bpy.types.footfall_pg_character.attachment", "sit-and-carry#beats"),
    ("bpy.types.object.footfall_door_opening", "sit-and-carry#beats"),
    ("bpy.types.footfall_pt_fit_props", "sit-and-carry#fit-props"),
    ("bpy.types.footfall_pg_session.show_object_contacts", "sit-and-carry#fit-props"),
    ("bpy.types.footfall_pg_session.show_curves", "train#training-runs"),
    ("bpy.types.footfall_pg_session.show_takes", "directing#takes"),
    ("bpy.types.footfall_pg_session.show_key_poses", "directing#key-poses"),
    ("bpy.types.footfall_pg_session.live_preview", "directing#live-preview"),
    ("bpy.types.footfall_pg_session.*", "label"),
    ("bpy.types.footfall_p[gt]_path_event*", "directing#path-events"),
    ("bpy.types.footfall_p[gt]_waypoint*", "directing#waypoints"),
    ("bpy.types.footfall_p[gt]_take*", "directing#takes"),
    ("bpy.types.footfall_pg_character.active_take", "directing#takes"),
    ("bpy.types.footfall_p[gt]_inserted_clip*", "directing#inserted-clips"),
    ("bpy.types.footfall_pg_character.active_inserted_clip", "directing#inserted-clips"),
    ("bpy.types.footfall_p[gt]_edited_step*", "directing#edited-steps"),
    ("bpy.types.footfall_pg_character.active_edited_step", "directing#edited-steps"),
    ("bpy.types.footfall_p[gt]_retimed_stretch*", "directing#retiming"),
    ("bpy.types.footfall_pg_character.active_retimed_stretch", "directing#retiming"),
    ("bpy.types.footfall_p[gt]_key_pose*", "directing#key-poses"),
    ("bpy.types.footfall_pg_character.active_key_pose", "directing#key-poses"),
    ("bpy.types.footfall_pg_character.control_variation", "directing#variation"),
    ("bpy.types.footfall_pg_character.generator*", "directing#variation"),
    ("bpy.types.footfall_pg_character.performer_share", "directing#variation"),
    ("bpy.types.footfall_pg_character.seed", "directing#variation"),
    ("bpy.types.footfall_pg_character.dance*", "dance#in-blender"),
    ("bpy.types.footfall_pg_character.strike*", "combat#in-blender"),
    ("bpy.types.footfall_pg_character.combination", "combat#in-blender"),
    ("bpy.types.footfall_pt_strike*", "combat#in-blender"),
    ("bpy.types.footfall_p[gt]_*", "directing"),
    ("bpy.ops.footfall.*_edit", "label#correcting-with-the-mouse"),
    ("bpy.ops.footfall.edit_labels", "label#correcting-with-the-mouse"),
    ("bpy.ops.footfall.*_label_issue", "label#what-may-be-wrong"),
    ("bpy.ops.footfall.*_contact", "label#correcting-with-buttons-and-markers"),
    ("bpy.ops.footfall.*_foot_strike", "label#correcting-with-buttons-and-markers"),
    ("bpy.ops.footfall.*_segment*", "label#correcting-with-buttons-and-markers"),
    ("bpy.ops.footfall.set_walk_surface", "ground"),
    ("bpy.ops.footfall.set_*", "label#correcting-with-buttons-and-markers"),
    ("bpy.ops.footfall.*labelling_preset", "label#presets"),
    ("bpy.ops.footfall.*_sensor", "label#what-is-looked-for"),
    ("bpy.ops.footfall.fit_ball", "ball#fit-ball-to-clip"),
    ("bpy.ops.footfall.learn_from_corrections", "label#learning-from-corrections"),
    ("bpy.ops.footfall.label_folder", "label#batch"),
    ("bpy.ops.footfall.*load_labels", "label#batch"),
    ("bpy.ops.footfall.*save_labels", "label#batch"),
    ("bpy.ops.footfall.*_terrain_patch*", "train#terrain"),
    ("bpy.ops.footfall.*label*", "label"),
    ("bpy.ops.footfall.*_rig_preset", "rig#presets"),
    ("bpy.ops.footfall.capture_reference_pose", "rig#reference-pose"),
    ("bpy.ops.footfall.use_active_bone", "rig#when-a-bone-is-wrong"),
    ("bpy.ops.footfall.*_rig*", "rig"),
    ("bpy.ops.footfall.*_ik_limb", "rig"),
    ("bpy.ops.footfall.analyze_clips", "train#coverage"),
    ("bpy.ops.footfall.edit_step", "directing#edited-steps"),
    ("bpy.ops.footfall.*_edited_step", "directing#edited-steps"),
    ("bpy.ops.footfall.*retime*_stretch", "directing#retiming"),
    ("bpy.ops.footfall.insert_clip", "directing#inserted-clips"),
    ("bpy.ops.footfall.*_inserted_clip", "directing#inserted-clips"),
    ("bpy.ops.footfall.*_clip*", "train"),
    ("bpy.ops.footfall.start_training", "train"),
    ("bpy.ops.footfall.*_training", "train#training-runs"),
    ("bpy.ops.footfall.*_run", "train#training-runs"),
    ("bpy.ops.footfall.use_controller", "train#training-runs"),
    ("bpy.ops.footfall.*_generator", "train#generator"),
    ("bpy.ops.footfall.*_environment", "train#training-environment"),
    ("bpy.ops.footfall.check_training_setup", "train#training-environment"),
    ("bpy.ops.footfall.bake_*takes", "directing#takes"),
    ("bpy.ops.footfall.*_interaction*", "sit-and-carry#beats"),
    ("bpy.ops.footfall.fit_prop", "sit-and-carry#fit-props"),
    ("bpy.ops.footfall.adapt_motion", "sit-and-carry#fit-props"),
    ("bpy.ops.footfall.retarget_motion", "rig#retarget-motion"),
    ("bpy.ops.footfall.*_path_event", "directing#path-events"),
    ("bpy.ops.footfall.*_waypoint", "directing#waypoints"),
    ("bpy.ops.footfall.*_strike*", "combat#in-blender"),
    ("bpy.ops.footfall.*_beat", "sit-and-carry#beats"),
    ("bpy.ops.footfall.*_take", "directing#takes"),
    ("bpy.ops.footfall.takes_to_nla", "directing#takes"),
    ("bpy.ops.footfall.drive*", "directing#drive"),
    ("bpy.ops.footfall.keep_pose", "directing#key-poses"),
    ("bpy.ops.footfall.*_key_pose", "directing#key-poses"),
    ("bpy.ops.footfall.draw_path", "directing#paths"),
    ("bpy.ops.footfall.path_from_annotation", "directing#paths"),
    ("bpy.ops.footfall.update_bake", "directing#update-a-bake"),
    ("bpy.ops.footfall.bake_crowd", "directing#several-characters"),
    ("bpy.ops.footfall.open_folder", "troubleshooting#where-things-are"),
    ("bpy.ops.footfall.empty_cache", "troubleshooting#where-things-are"),
    ("bpy.ops.footfall.show_worst_frame*", "after-the-bake"),
    ("bpy.ops.footfall.add_root*", "after-the-bake"),
    ("bpy.ops.footfall.root_motion_from_stance", "animals#root-motion-from-stance"),
    ("bpy.ops.footfall.revert_bake", "directing#where-a-bake-goes"),
    ("bpy.ops.footfall.open_manual", "README"),
    ("bpy.ops.footfall.*", "directing"),
)
"""Blender's names in small letters (the first pattern that fits counts), and the page and its heading."""


@cache
def topic_of(name: str) -> str | None:
    """Return the manual page and heading about Blender's identifier ``name``; ``None`` if it is not Footfall's."""
    name = name.lower()
    return next((topic for pattern, topic in TOPICS if fnmatchcase(name, pattern)), None)


def manual_file(topic: str, folder: Path = MANUAL_FOLDER) -> Path | None:
    """Return the file of a manual page, including its heading, in a folder; ``None`` if there is no manual.

    Each heading has a separate file that redirects to it, since Windows can open files but not places in them.
    """
    page, _, heading = topic.partition("#")
    names = (f"at/{page}-{heading}.html" if heading else f"{page}.html", f"{page}.md")
    return next((folder / name for name in names if (folder / name).is_file()), None)


def manual_address(topic: str) -> str:
    """Return the web address of a manual page; empty if there is none."""
    file = manual_file(topic)
    if file is not None:
        return file.as_uri()
    page, hash_sign, heading = topic.partition("#")
    return f"{MANUAL_URL}{page}.html{hash_sign}{heading}" if MANUAL_URL else ""


def _manual_map() -> tuple[str, list[tuple[str, str]]]:
    """Return the map for Blender's *Online Manual*: a common prefix, and patterns with the rest of each address."""
    addresses = ((pattern, manual_address(topic)) for pattern, topic in TOPICS)
    return "", [(pattern, address) for pattern, address in addresses if address]


class FOOTFALL_OT_open_manual(FootfallOperator, bpy.types.Operator):
    """Open the manual page about this panel in the web browser"""

    bl_idname = "footfall.open_manual"
    bl_label = "Footfall Manual"
    bl_options = {"REGISTER"}

    topic: bpy.props.StringProperty(
        name="Topic",
        description="Manual page and heading to open, such as blender#rig",
        default=START_PAGE,
        options={"HIDDEN"},
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    def run(self, context: bpy.types.Context) -> str:
        address = manual_address(self.topic)
        if not address:
            raise FootfallError("This copy of Footfall has no manual: read the folder docs of Footfall's source code")
        bpy.ops.wm.url_open(url=address)
        return "The manual opens in the web browser"


def draw_help_button(layout: bpy.types.UILayout, panel: str) -> None:
    """Draw the button in a panel's header that opens the panel's manual page."""
    topic = topic_of(f"bpy.types.{panel}")
    layout.operator(FOOTFALL_OT_open_manual.bl_idname, text="", icon="HELP", emboss=False).topic = topic or START_PAGE


CLASSES = (FOOTFALL_OT_open_manual,)


def register() -> None:
    """Register the manual pages with Blender's *Online Manual*."""
    bpy.utils.register_manual_map(_manual_map)


def unregister() -> None:
    bpy.utils.unregister_manual_map(_manual_map)
