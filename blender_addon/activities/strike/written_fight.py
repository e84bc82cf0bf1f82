"""Writing of the finished motion of a fighter."""

import bpy

from ....core.control.performance import Performance
from ....core.control.strike.rig_fight import RigBody
from ....core.labelling import Labels
from ....core.models.controller_model import ControllerModel
from ....core.motion import Clip
from ....core.terrain.ground import Plane
from ...animation.fcurve_io.rig import read_rig
from ...animation.layers import BakeSource
from ...rig.finger_bones import with_fingers
from ...rig.store import rig_map_of
from ...shot.write import BakeJob, WrittenBake, write_performance


def write_fight(
    armature: bpy.types.Object,
    fight: tuple[Clip, Labels],
    body: RigBody,
    model: ControllerModel,
    scene: bpy.types.Scene,
    start_frame: int,
    name: str,
    source: BakeSource,
) -> WrittenBake:
    """Write a fighter's motion with :func:`write_performance`, and return the bake.

    Args:
        armature: the rig.
        fight: world motion of the rig's body at the scene's rate, with its labels.
        body: the rig's body.
        model: the controller that generated the strikes.
        scene: the scene.
        start_frame: scene frame of the motion's first frame.
        name: name of a new action.
        source: source of the bake.
    """
    clip, labels = fight
    rig_map = with_fingers(armature, read_rig(armature), rig_map_of(armature), clip.skeleton.roles)
    job = BakeJob(
        source,
        name,
        start_frame,
        ground=Plane(body.floor),
        floor=body.floor,
        rig_map=rig_map,
        rise=body.rise,
        calibration=body.calibration,
        model=model,
    )
    return write_performance(armature, scene, Performance(clip, labels).raised(-body.rise), job)
