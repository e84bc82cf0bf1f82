"""Writing of the finished motion of one of two characters."""

import bpy

from ....core.control.walk.finished_walk import Walk
from ....core.control.walk.walk_performance import walk_performance
from ....core.message import Message
from ...shot.write import BakeJob, write_performance


def write_walk(
    armature: bpy.types.Object, walk: Walk, gait_names: tuple[str, ...], scene: bpy.types.Scene, job: BakeJob
) -> list[str]:
    """Write one character's motion with :func:`write_performance`; return sentences for the report.

    Args:
        armature: the rig.
        walk: world motion of the rig's body, standing on the rig's own soles.
        gait_names: names of the motion's gaits.
        scene: the scene.
        job: subject of the bake.
    """
    performance = walk_performance(walk, gait_names, job.floor).raised(-job.rise)
    written = write_performance(armature, scene, performance, job)
    armature.footfall.partner.baked_action = written.record.action
    return [Message("'{name}': {note}", name=armature.name, note=note) for note in written.notes]
