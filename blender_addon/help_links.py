"""Links into the manual: *Online Manual* in the menu of the right mouse button, and the question marks of panels.

The manual comes with the extension, as web pages, so that a machine without network has it; the source has it as text.
"""

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

import bpy

from ..core.errors import FootfallError
from .guard import FootfallOperator

FOLDER: Final = Path(__file__).parent.parent / "docs"
"""Where the manual lies: ``PAGE.html`` and ``at/PAGE-HEADING.html`` in the extension, ``PAGE.md`` in the source."""
WEBSITE: Final = ""
"""The address of the manual on the web, ending with ``/``, for where it does not lie beside; empty: there is none."""
START: Final = "blender"
TOPICS: Final = (
    ("bpy.types.footfall_preferences.runs_folder", "blender#runs"),
    ("bpy.types.footfall_preferences.*", "blender#the-trainers-python"),
    ("bpy.types.footfall_pt_overlays", "blender#in-the-viewport"),
    ("bpy.types.footfall_pg_overlays.show_strip", "blender#the-strip"),
    ("bpy.types.footfall_pg_overlays.*", "blender#in-the-viewport"),
    ("bpy.types.footfall_pt_label_correct", "blender#correcting-with-buttons-and-markers"),
    ("bpy.types.footfall_pt_label_settings", "blender#what-is-looked-for"),
    ("bpy.types.footfall_pt_label_batch", "blender#batch"),
    ("bpy.types.footfall_pt_label_terrain", "blender#terrain"),
    ("bpy.types.footfall_p[gt]_label*", "blender#label"),
    ("bpy.types.footfall_pg_segment.*", "labelling#what-a-label-means"),
    ("bpy.types.footfall_pt_train_data", "blender#what-is-in-it"),
    ("bpy.types.footfall_pt_train_runs", "blender#runs"),
    ("bpy.types.footfall_pt_trainer", "blender#the-trainers-python"),
    ("bpy.types.footfall_pt_train", "blender#train"),
    ("bpy.types.footfall_pg_training.*", "blender#train"),
    ("bpy.types.footfall_pg_clip*", "blender#train"),
    ("bpy.types.footfall_p[gt]_rig*", "blender#rig"),
    ("bpy.types.scene.footfall_rig_overlay", "blender#when-a-bone-is-wrong"),
    ("bpy.types.footfall_p[gt]_ground*", "blender#ground"),
    ("bpy.types.*.footfall_ground_*", "blender#ground"),
    ("bpy.types.footfall_pg_output.*", "blender#where-a-bake-goes"),
    ("bpy.types.footfall_pt_direct_report", "blender#after-the-bake"),
    ("bpy.types.footfall_p[gt]_errand*", "blender#errands"),
    ("bpy.types.footfall_pg_character.interaction_file", "blender#errands"),
    ("bpy.types.footfall_pg_character.carried_by", "blender#errands"),
    ("bpy.types.footfall_pt_object_fits", "blender#objects-in-clips"),
    ("bpy.types.footfall_pg_session.show_contacts", "blender#objects-in-clips"),
    ("bpy.types.footfall_pg_session.preview_shows", "blender#errands"),
    ("bpy.types.footfall_pg_session.show_curves", "blender#runs"),
    ("bpy.types.footfall_pg_session.*", "blender#label"),
    ("bpy.types.footfall_p[gt]_*", "blender#direct"),
    ("bpy.ops.footfall.*_edit", "blender#correcting-with-the-mouse"),
    ("bpy.ops.footfall.edit_labels", "blender#correcting-with-the-mouse"),
    ("bpy.ops.footfall.*_spot", "blender#what-may-be-wrong"),
    ("bpy.ops.footfall.*_contact", "blender#correcting-with-buttons-and-markers"),
    ("bpy.ops.footfall.*_strike", "blender#correcting-with-buttons-and-markers"),
    ("bpy.ops.footfall.*_segment*", "blender#correcting-with-buttons-and-markers"),
    ("bpy.ops.footfall.set_*", "blender#correcting-with-buttons-and-markers"),
    ("bpy.ops.footfall.*labelling_preset", "labelling#presets"),
    ("bpy.ops.footfall.*_sensor", "blender#what-is-looked-for"),
    ("bpy.ops.footfall.learn_labels", "labelling#learning-from-corrections"),
    ("bpy.ops.footfall.label_folder", "blender#batch"),
    ("bpy.ops.footfall.*load_labels", "blender#batch"),
    ("bpy.ops.footfall.*save_labels", "blender#batch"),
    ("bpy.ops.footfall.*_patch*", "blender#terrain"),
    ("bpy.ops.footfall.*label*", "blender#label"),
    ("bpy.ops.footfall.*_rig_preset", "blender#presets"),
    ("bpy.ops.footfall.take_rig_pose", "blender#calibrate-by"),
    ("bpy.ops.footfall.pick_role_bone", "blender#when-a-bone-is-wrong"),
    ("bpy.ops.footfall.*_rig*", "blender#rig"),
    ("bpy.ops.footfall.look_at_data", "blender#what-is-in-it"),
    ("bpy.ops.footfall.*_clip*", "blender#train"),
    ("bpy.ops.footfall.start_training", "blender#train"),
    ("bpy.ops.footfall.*_training", "blender#runs"),
    ("bpy.ops.footfall.*_run", "blender#runs"),
    ("bpy.ops.footfall.use_controller", "blender#runs"),
    ("bpy.ops.footfall.*_environment", "blender#the-trainers-python"),
    ("bpy.ops.footfall.doctor", "blender#the-trainers-python"),
    ("bpy.ops.footfall.tag_ground", "blender#ground"),
    ("bpy.ops.footfall.*_errand*", "blender#errands"),
    ("bpy.ops.footfall.*_preview", "blender#errands"),
    ("bpy.ops.footfall.*_object", "blender#objects-in-clips"),
    ("bpy.ops.footfall.retarget", "blender#bring-motion-here"),
    ("bpy.ops.footfall.show_worst*", "blender#after-the-bake"),
    ("bpy.ops.footfall.add_root*", "blender#after-the-bake"),
    ("bpy.ops.footfall.revert_bake", "blender#where-a-bake-goes"),
    ("bpy.ops.footfall.open_manual", "blender"),
    ("bpy.ops.footfall.*", "blender#direct"),
)
"""Blender's names in small letters (the first pattern that fits counts), and the page and its heading."""


@cache
def topic_of(name: str) -> str | None:
    """The page and the heading about something that Blender calls ``name``; ``None`` for what is not Footfall's."""
    name = name.lower()
    return next((topic for pattern, topic in TOPICS if fnmatchcase(name, pattern)), None)


def file_of(topic: str, folder: Path = FOLDER) -> Path | None:
    """The file that opens at a page and its heading; ``None`` where the manual does not lie in the folder.

    For headings the extension has files of their own that lead on to them: Windows opens files, not places in files.
    """
    page, _, heading = topic.partition("#")
    names = (f"at/{page}-{heading}.html" if heading else f"{page}.html", f"{page}.md")
    return next((folder / name for name in names if (folder / name).is_file()), None)


def address_of(topic: str) -> str:
    """The address that a browser opens; empty where there is none."""
    file = file_of(topic)
    if file is not None:
        return file.as_uri()
    page, hash_sign, heading = topic.partition("#")
    return f"{WEBSITE}{page}.html{hash_sign}{heading}" if WEBSITE else ""


def _manual_map() -> tuple[str, list[tuple[str, str]]]:
    """What Blender looks up for *Online Manual*: a common beginning, and patterns with how addresses go on."""
    addresses = ((pattern, address_of(topic)) for pattern, topic in TOPICS)
    return "", [(pattern, address) for pattern, address in addresses if address]


class FOOTFALL_OT_open_manual(FootfallOperator, bpy.types.Operator):
    """Open the manual in the web browser, at the page about this"""

    bl_idname = "footfall.open_manual"
    bl_label = "Footfall Manual"
    bl_options = {"REGISTER"}

    topic: bpy.props.StringProperty(
        name="Topic", description="A page and a heading, such as blender#rig", default=START, options={"HIDDEN"}
    )

    @classmethod
    def why_not(cls, context: bpy.types.Context) -> str | None:
        return None

    def run(self, context: bpy.types.Context) -> str:
        address = address_of(self.topic)
        if not address:
            raise FootfallError("This copy of Footfall came without its manual: read docs/ of its source.")
        bpy.ops.wm.url_open(url=address)
        return "The manual is opened in the web browser"


def draw_question_mark(layout: bpy.types.UILayout, panel: str) -> None:
    """The button in a panel's header that opens the page about it."""
    topic = topic_of(f"bpy.types.{panel}")
    layout.operator(FOOTFALL_OT_open_manual.bl_idname, text="", icon="HELP", emboss=False).topic = topic or START


CLASSES = (FOOTFALL_OT_open_manual,)


def register() -> None:
    """Has Blender ask for our pages when *Online Manual* is chosen."""
    bpy.utils.register_manual_map(_manual_map)


def unregister() -> None:
    """Takes everything back that :func:`register` did."""
    bpy.utils.unregister_manual_map(_manual_map)
