"""A network's poses on the rigid bones of its skeleton."""

from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.kinematics import world_positions
from ...motion.limb_ik import Leg, reach
from ...motion.root_frame import out_of_frame
from ...motion.rotations import Array, about_up, multiply, normalize

STANDING_CLIP_FRAMES: Final = 12
"""Frames of standing."""


def decode_poses(
    model: ControllerModel, joint_rotations: Array, joint_positions: Array, root_positions: Array, yaws: Array
) -> Clip:
    """Poses as a clip; ankles are where the network puts them.

    Args:
        model: the controller.
        joint_rotations: rotations of its pose joints (F, P, 4) in the root's frame.
        joint_positions: their positions (F, P, 3) in the root's frame, metres.
        root_positions: the root's places (F, 3), metres, world.
        yaws: its yaws (F), radians.
    """
    skeleton = model.skeleton
    joint_rotations = multiply(about_up(yaws)[:, None], joint_rotations)
    order = {name: index for index, name in enumerate(model.joints)}
    world = np.empty((len(joint_rotations), len(skeleton), 4))
    for joint, name in enumerate(skeleton.names):
        parent = skeleton.parents[joint]
        world[:, joint] = joint_rotations[:, order[name]] if name in order else world[:, parent]
    at = root_positions[:, None] + out_of_frame(joint_positions, yaws[:, None])
    roots = at[:, order[skeleton.names[0]]]
    world = normalize(world)
    positions = world_positions(skeleton, roots, world)
    for side in "LR":
        leg = Leg.of(skeleton, side)
        reach(skeleton, positions, world, leg, at[:, order[skeleton.names[leg.foot]]])
    return Clip.of_world(skeleton, model.rate, roots, world, "walk")


def standing_clip(model: ControllerModel) -> Clip | None:
    """The controller's standing pose on level ground, for a moment; ``None`` where its file does not know it whole."""
    if "rotation" not in model.start:
        return None
    if model not in _STANDING_CLIPS:
        _STANDING_CLIPS[model] = _make_standing_clip(model)
    return _STANDING_CLIPS[model]


_STANDING_CLIPS: Final[WeakKeyDictionary[ControllerModel, Clip]] = WeakKeyDictionary()
"""Those that were made: a crowd has but one."""


def _make_standing_clip(model: ControllerModel) -> Clip:
    turned = np.repeat(np.asarray(model.start["rotation"], dtype=float)[None], STANDING_CLIP_FRAMES, axis=0)
    places = np.repeat(np.asarray(model.start["position"], dtype=float)[None], STANDING_CLIP_FRAMES, axis=0)
    return decode_poses(model, turned, places, np.zeros((STANDING_CLIP_FRAMES, 3)), np.zeros(STANDING_CLIP_FRAMES))
