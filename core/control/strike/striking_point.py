"""The striking point of a network's pose, which hits the target: a joint, or the tip of a weapon's bone."""

import numpy as np
from numpy.typing import NDArray

from ...features.locomotion import pose_rotations
from ...models.model_file import ControllerModel
from ...motion.rotations import Array, rotate
from ...motion.weapons import weapon_role


def striking_point(model: ControllerModel, y: NDArray[np.floating], effector: str) -> Array:
    """Return the point (..., 3), meters, root's frame, with which an end effector hits, for outputs (..., m)."""
    skeleton, layout = model.skeleton, model.output_layout
    joint = skeleton.joint(weapon_role(skeleton, effector))
    number = model.joints.index(skeleton.names[joint])
    place = layout.view(y, "pose.position")[..., number, :].astype(float)
    if joint == skeleton.joint(effector):
        return place
    turn = pose_rotations(y, layout, model.reference_rotations)[..., number, :]
    return place + rotate(turn, np.broadcast_to(skeleton.bone_vectors[joint], place.shape))
