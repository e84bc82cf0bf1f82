"""Post-processing of one character's roll-out: rigid bones, ducking under ceilings, locked feet."""

from collections.abc import Generator
from typing import Final

import numpy as np
import scipy

from ...features.locomotion import pose_rotations
from ...jobs.steps import Stepwise
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.rotations import Array
from ...terrain.ground import Plane, Scene
from ..feet.bearing import bearing_contacts
from ..feet.foot_lock import lock_feet, locked_contacts
from ..passes.duck import duck
from ..passes.joint_jumps import bridge_jumps
from ..runtime.locomotion_runtime import RuntimeFrames
from ..runtime.pose_decoder import decode_poses, standing_clip
from .finished_walk import Walk

HEIGHT_SMOOTHING_S: Final = 0.08
"""Standard deviation, seconds, of the Gaussian that smooths the height of the root over the ground."""
LEVEL_GROUND: Final = Plane()


@Stepwise
def finish_frames(
    model: ControllerModel, frames: RuntimeFrames, gaits: Array, ground: Scene = LEVEL_GROUND
) -> Generator[None, None, Walk]:
    """Return the finished walk of one character on the controller's skeleton, ducked under ceilings, with locked feet.

    Args:
        model: the controller.
        frames: the character's F frames.
        gaits: (F, G) commanded gaits.
        ground: the ground, in meters at the controller's scale.
    """
    clip = bridge_jumps(decoded_frames(model, frames))
    yield
    clip = yield from duck.steps(clip, ground)
    standing = standing_clip(model)
    contacts = yield from locked_contacts.steps(clip, FootContacts(frames.contacts), ground, standing)
    clip = yield from lock_feet.steps(clip, contacts, ground, standing)
    clip = yield from duck.steps(clip, ground)
    contacts = bearing_contacts(clip, contacts, ground, standing)
    return Walk(clip, contacts, frames.phase, gaits, standing)


def decoded_frames(model: ControllerModel, frames: RuntimeFrames) -> Clip:
    """Return the poses of one character's F frames as a clip on rigid bones, with smoothed root heights."""
    output = frames.output.astype(float)
    rotations = pose_rotations(output, model.output_layout, model.reference_rotations)
    positions = model.output_layout.view(output, "pose.position")
    heights = smooth_heights(frames.height, HEIGHT_SMOOTHING_S * model.rate)
    return decode_poses(model, rotations, positions, np.column_stack([frames.position, heights]), frames.yaw)


def smooth_heights(heights: Array, sigma_frames: float) -> Array:
    """Return heights (F), meters, smoothed by a Gaussian, since samples of the ground jump as they cross an edge."""
    pad = min(int(4 * sigma_frames) + 1, len(heights) - 1)
    if pad == 0:
        return heights
    wide = np.pad(heights, pad, mode="reflect", reflect_type="odd")
    return scipy.ndimage.gaussian_filter1d(wide, sigma_frames)[pad:-pad]
