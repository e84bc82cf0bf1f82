"""Writing of the finished motion of a fighter: keys, labels and quality."""

import bpy

from ...core.evaluation.quality import measure_traces
from ...core.labelling import Labels
from ...core.motion import Clip
from ...core.motion.contacts import FootContacts
from ...core.motion.roles import FOOT_CONTACTS
from ...core.terrain.ground import Plane
from ..animation.bake_report import store_quality
from ..animation.fcurve_io.rig import read_rig
from ..animation.layers import BakeSource
from ..animation.output import write_output
from ..direct.bake import format_quality
from ..direct.staleness import forget_inputs
from ..label.labels import write_labels
from ..rig.finger_bones import with_fingers
from ..rig.store import rig_map_of
from ..ui.translations import translate_interface


def write_fight(
    armature: bpy.types.Object,
    clip: Clip,
    labels: Labels,
    start_frame: int,
    floor: float,
    name: str,
    scene: bpy.types.Scene,
    source: BakeSource,
) -> list[str]:
    """Write a motion to the destination of a rig's settings, keep the previous animation, and measure the result.

    Args:
        armature: the rig.
        clip: motion on the rig's body, in the world, at the scene's rate.
        labels: of the same frames.
        start_frame: the scene's frame of the first one.
        floor: height of the ground, meters.
        name: name of a new action.
        scene: the scene.
        source: source of the bake.

    Returns:
        Sentences for the report.
    """
    contacts = dict(zip(labels.contact_joints, labels.contacts.T, strict=True))
    rig_map = with_fingers(armature, read_rig(armature), rig_map_of(armature), clip.skeleton.roles)
    made = write_output(armature, rig_map, clip, start_frame, name, contacts, source, floor)
    record, settings = made.record, armature.footfall
    if record.kind != "RANGE":
        write_labels(armature, record.action, labels, start_frame)
        scene.frame_end = max(scene.frame_end, start_frame + len(clip) - 1)
    feet = FootContacts(labels.contacts_of(FOOT_CONTACTS))
    rows = store_quality(
        armature, measure_traces(clip, feet, Plane(floor)), clip.rate, start_frame, len(clip), clip.rate
    )
    sliding = next((row.mean for row in rows if row.measure == "foot_sliding"), None)
    quality = format_quality({"skate_mean_cm_s": sliding})
    settings.likeness_report = ""  # of walks
    forget_inputs(armature)
    settings.baked_action = record.action
    settings.quality_summary = translate_interface(quality)
    return [part for part in (quality, record.message, *made.warnings) if part]
