"""Finished motion of one of several characters that were rolled out together, on level ground."""

import numpy as np

from ...features.locomotion import pose_rotations
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.rotations import Array
from ...terrain.ground import Plane
from ..feet.bearing import bearing_contacts
from ..feet.foot_lock import lock_feet, locked_contacts
from ..runtime.joint_jumps import bridge_jumps
from ..runtime.locomotion_runtime import RuntimeFrames
from ..runtime.pose_decoder import decode_poses, standing_clip
from .finished_walk import Walk


def finish_frames(model: ControllerModel, frames: RuntimeFrames, row: int, gaits: Array) -> Walk:
    """Return the motion of one character on the controller's skeleton, with locked feet.

    Args:
        model: the controller.
        frames: of all characters (F, B).
        row: row of the character.
        gaits: (F, G) its commanded gaits.
    """
    clip = bridge_jumps(decoded_frames(model, frames, row))
    standing = standing_clip(model)
    contacts = locked_contacts(clip, FootContacts(frames.contacts[:, row]), Plane(), standing)
    clip = lock_feet(clip, contacts, Plane(), standing)
    contacts = bearing_contacts(clip, contacts, Plane(), standing)
    return Walk(clip, contacts, frames.phase[:, row], gaits, standing)


def decoded_frames(model: ControllerModel, frames: RuntimeFrames, row: int) -> Clip:
    """Return the motion of one character as the network has it; arguments as of :func:`finish_frames`."""
    output = frames.output[:, row].astype(float)
    rotations = pose_rotations(output, model.output_layout, model.reference_rotations)
    positions = model.output_layout.view(output, "pose.position")
    roots = np.column_stack([frames.position[:, row], frames.height[:, row]])
    return decode_poses(model, rotations, positions, roots, frames.yaw[:, row])
