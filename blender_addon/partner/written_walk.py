"""Writing of the finished motion of one of two characters: keys, labels and quality."""

import bpy

from ...core.control.walk.finished_walk import Walk
from ...core.evaluation.quality import measure_traces
from ...core.message import Message
from ...core.terrain.ground import Plane, Scene
from ..animation.bake_report import store_quality
from ..animation.fcurve_io.reader import scene_rate
from ..animation.layers import BakeSource
from ..animation.output import write_output
from ..direct.bake import format_quality, labels_from_walk
from ..direct.staleness import forget_inputs
from ..label.labels import write_labels
from ..rig.store import rig_map_of
from ..ui.translations import translate_interface


def write_walk(
    armature: bpy.types.Object,
    walk: Walk,
    gait_names: tuple[str, ...],
    start_frame: int,
    floor: float,
    name: str,
    scene: bpy.types.Scene,
    source: BakeSource,
    ground: Scene | None = None,
) -> list[str]:
    """Write a motion to the destination of a rig's settings, keep the previous animation, and measure the result.

    Args:
        armature: the rig.
        walk: motion on the rig's body, in the world.
        gait_names: names of its gaits.
        start_frame: the scene's frame of its first one.
        floor: height of the ground where the motion begins, meters.
        name: name of a new action.
        scene: the scene.
        source: source of the bake.
        ground: in meters of the world; level at `floor` if not given.

    Returns:
        Sentences for the report.
    """
    rate = scene_rate(scene)
    clip = walk.clip.resampled(rate)
    labels = labels_from_walk(walk, gait_names, floor)
    marks = labels.resampled(rate, len(clip))
    contacts = dict(zip(marks.contact_joints, marks.contacts.T, strict=True))
    made = write_output(armature, rig_map_of(armature), clip, start_frame, name, contacts, source, floor)
    record, settings = made.record, armature.footfall
    if record.kind != "RANGE":
        write_labels(armature, record.action, marks, start_frame)
        scene.frame_end = max(scene.frame_end, start_frame + len(clip) - 1)
    found = measure_traces(walk.clip, walk.contacts, ground or Plane(floor), level_ground_clip=walk.standing_clip)
    stored = store_quality(armature, found, walk.clip.rate, start_frame, len(clip), rate)
    sliding = next((row.mean for row in stored if row.measure == "foot_sliding"), None)
    settings.likeness_report = ""  # of walks
    forget_inputs(armature)
    settings.baked_action = settings.partner.baked_action = record.action
    settings.quality_summary = translate_interface(format_quality({"skate_mean_cm_s": sliding}))
    told = [record.message, *made.warnings]
    return [Message("'{name}': {note}", name=armature.name, note=note) for note in told if note]
