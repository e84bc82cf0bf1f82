"""Old names of stored properties, and their current names."""

from collections.abc import Mapping
from typing import Final

from ..scene.ground_tags import OLD_TAG_PROPERTY, TAG_PROPERTY

RENAMED_PROPERTIES: Final[Mapping[str, Mapping[str, str]]] = {
    "FOOTFALL_PG_character": {
        "variation": "performer_share",
        "cues": "path_events",
        "active_cue": "active_path_event",
        "speed_by_radius": "speed_from_radius",
        "marks": "waypoints",
        "active_mark": "active_waypoint",
        "interaction_file": "interaction_controller_file",
        "errands": "interaction_tasks",
        "active_errand": "active_interaction_task",
        "carried_by": "attachment",
        "bakes": "bake_records",
        "baked": "baked_action",
        "quality": "quality_summary",
        "report": "quality_report",
    },
    "FOOTFALL_PG_path_event": {
        "kind": "type",
        "unit": "range_type",
        "start": "start_distance",
        "end": "end_distance",
        "first": "start_frame",
        "last": "end_frame",
        "first_marker": "start_marker",
        "last_marker": "end_marker",
        "turn": "angle",
        "seconds": "duration",
    },
    "FOOTFALL_PG_waypoint": {"spot": "empty", "faces": "match_rotation", "foot": "planted_foot", "met": "result"},
    "FOOTFALL_PG_interaction_task": {"action": "type", "thing": "object", "place": "target", "seconds": "duration"},
    "FOOTFALL_PG_output": {
        "limbs": "controls",
        "first": "frame_start",
        "last": "frame_end",
        "sparse": "reduce_keys",
        "error": "max_error",
        "carrier": "root_motion",
        "travel": "root_axes",
        "turns": "root_rotation",
    },
    "FOOTFALL_PG_bake_record": {
        "kind": "destination",
        "previous": "previous_action",
        "underneath": "base_action",
        "unseen": "unblended_action",
        "state": "previous_state",
    },
    "FOOTFALL_PG_rig": {
        "shown": "list_filter",
        "carrier": "translation_bone",
        "carrier_joint": "translation_joint",
        "method": "reference_pose",
        "checked": "checked_controller",
        "verdict": "check_result",
        "fits": "check_passed",
    },
    "FOOTFALL_PG_rig_role": {
        "known_bone": "previous_bone",
        "known_control": "previous_control",
        "chosen": "is_manual",
        "residual": "alignment_error",
        "doubt": "issue",
        "posed": "reference_rotation",
        "posed_bone": "reference_bone",
    },
    "FOOTFALL_PG_ik_limb": {
        "switch_key": "switch_property",
        "ik": "ik_value",
        "fk": "fk_value",
        "known_bones": "previous_bones",
    },
    "FOOTFALL_PG_rig_setting": {"key": "property_name"},
    "FOOTFALL_PG_labels": {
        "first": "first_frame",
        "count": "frame_count",
        "rate": "frame_rate",
        "sensors": "contacts",
        "active": "active_segment",
        "strikes": "foot_strikes",
        "spots": "issues",
        "active_spot": "active_issue",
        "following_spot": "following_issue",
        "touched": "has_manual_edits",
    },
    "FOOTFALL_PG_segment": {"settled_start": "applied_start", "settled_end": "applied_end"},
    "FOOTFALL_PG_correction": {"on": "is_present"},
    "FOOTFALL_PG_training": {
        "folders": "clip_folders",
        "preset": "training_preset",
        "origin": "base_controller",
        "origin_file": "base_controller_file",
        "style": "new_style",
    },
    "FOOTFALL_PG_labelling": {"label": "preset_name"},
    "FOOTFALL_PG_label_overlays": {"show_dials": "show_phase_dials"},
}
"""By property group: what its properties were called before, and what they are called now."""
RENAMED_ITEMS: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("FOOTFALL_PG_path_event", "type"): {"TURN": "STRAFE", "LOOK": "FACE_TARGET"},
    ("FOOTFALL_PG_path_event", "range_type"): {"METRES": "DISTANCE"},
    ("FOOTFALL_PG_waypoint", "planted_foot"): {"ANY": "EITHER"},
    ("FOOTFALL_PG_character", "attachment"): {"KEYS": "KEYFRAMES"},
    ("FOOTFALL_PG_rig", "list_filter"): {"CHECK": "ISSUES"},
}
"""Enum items by group and property, for texts: .blend files keep their numbers."""
OWNERS: Final = (
    ("objects", "Object", {"footfall": "footfall"}),
    ("actions", "Action", {"footfall": "footfall"}),
    ("scenes", "Scene", {"footfall": "footfall", "footfall_overlays": "footfall_label_overlays"}),
)
"""Collections of data-blocks, their type, and their property groups by the names before and now."""
RENAMED_VALUES: Final = {
    "objects": {"footfall_ground_tag": "footfall_walk_surface_text"},
    "scenes": {"footfall_rig_overlay": "footfall_show_rig_issues", "footfall_ground_overlay": "footfall_show_ground"},
}
"""Properties of data-blocks that are no groups."""
FIT_PROPERTY: Final = ("footfall_fit", "footfall_prop_fit")
RENAMED_CUSTOM_PROPERTIES: Final = dict(
    [
        (OLD_TAG_PROPERTY, TAG_PROPERTY),
        FIT_PROPERTY,
        ("footfall_mark", "footfall_waypoint"),
        ("footfall_foot_L", "footfall_foot_contact_L"),
        ("footfall_foot_R", "footfall_foot_contact_R"),
    ]
)
"""Custom properties of objects."""
RENAMED_MARKERS: Final = {"Strike L": "Foot Strike L", "Strike R": "Foot Strike R"}
RENAMED_CONSTRAINTS: Final = {"Footfall Carried": "Footfall Attachment"}
RENAMED_PREFERENCES: Final = {
    "trainer_python": "training_python",
    "index": "package_index",
    "patches_folder": "terrain_patches_folder",
}
