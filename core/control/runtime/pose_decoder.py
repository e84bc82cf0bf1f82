"""Conversion of a network's poses to clips on the rigid bones of its skeleton."""

from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from ...models.model_file import ControllerModel
from ...motion import Clip, Skeleton
from ...motion.chain_ik import solve_chain_ik
from ...motion.kinematics import local_rotations, world_positions
from ...motion.limb_ik import Leg, solve_leg_ik, within_soft_reach
from ...motion.paws import leg_chains
from ...motion.roles import is_quadruped
from ...motion.root_frame import out_of_frame
from ...motion.rotations import Array, multiply, normalize, rotation_about_up
from ..passes.spike_filter import remove_height_jolts, remove_spikes

LEG_PARTS: Final = ("thigh", "shin", "foot", "toe")
STANDING_CLIP_FRAMES: Final = 12
"""Number of frames of a standing clip."""


def decode_poses(
    model: ControllerModel,
    joint_rotations: Array,
    joint_positions: Array,
    root_positions: Array,
    yaws: Array,
    without_spikes: bool = True,
) -> Clip:
    """Return poses as a clip on rigid bones; IK brings ankles or paws to the network's positions.

    Spikes in rotations of the upper body and jolts of the hips' height are smoothed away.

    Args:
        model: the controller.
        joint_rotations: (F, P, 4) rotations of the P pose joints in the root's frame.
        joint_positions: (F, P, 3) positions of the pose joints in the root's frame, meters.
        root_positions: (F, 3) root positions, meters, world.
        yaws: (F) yaws of the root, radians.
        without_spikes: whether to remove spikes; false for strikes, in which arms are as fast as spikes.
    """
    skeleton = model.skeleton
    joint_rotations = multiply(rotation_about_up(yaws)[:, None], joint_rotations)
    order = {name: index for index, name in enumerate(model.joints)}
    world = np.empty((len(joint_rotations), len(skeleton), 4))
    for joint, name in enumerate(skeleton.names):
        parent = skeleton.parents[joint]
        world[:, joint] = joint_rotations[:, order[name]] if name in order else world[:, parent]
    joints = root_positions[:, None] + out_of_frame(joint_positions, yaws[:, None])
    roots = joints[:, order[skeleton.names[0]]]
    roots[:, 2] = remove_height_jolts(roots[:, 2], model.rate)
    world = normalize(world)
    if without_spikes:
        world = _without_spikes(skeleton, world, model.rate)
    positions = world_positions(skeleton, roots, world)
    if is_quadruped(skeleton.roles):
        for chain in leg_chains(skeleton):
            if chain.paw is not None and skeleton.names[chain.paw] in order:
                solve_chain_ik(positions, world, chain, joints[:, order[skeleton.names[chain.paw]]])
        return Clip.from_world_rotations(skeleton, model.rate, roots, world, "walk")
    for side in "LR":
        leg = Leg.of(skeleton, side)
        ankle = joints[:, order[skeleton.names[leg.foot]]]
        hip = positions[:, leg.thigh]
        # A network's ankles are often millimeters out of reach of rigid legs, which would make the knees pop.
        solve_leg_ik(skeleton, positions, world, leg, within_soft_reach(hip, ankle, leg.length(skeleton)))
    return Clip.from_world_rotations(skeleton, model.rate, roots, world, "walk")


def _without_spikes(skeleton: Skeleton, world: Array, rate: float) -> Array:
    """Return world rotations (F, J, 4) without spikes in the upper body; hips and legs are unchanged."""
    roles = [f"{fore}{part}.{side}" for fore in ("", "front_") for part in LEG_PARTS for side in "LR"]
    lower = {0, *(skeleton.roles[role] for role in roles if role in skeleton.roles)}
    upper = [joint for joint in range(len(skeleton)) if joint not in lower]
    local = local_rotations(skeleton, world)[:, upper]
    smooth = remove_spikes(local, rate)
    if smooth is local:
        return world
    world = world.copy()
    for column, joint in enumerate(upper):
        world[:, joint] = multiply(world[:, skeleton.parents[joint]], smooth[:, column])
    return world


def standing_clip(model: ControllerModel) -> Clip | None:
    """Return a short clip of a controller's standing pose; ``None`` if the controller's file lacks its rotations."""
    if "rotation" not in model.start:
        return None
    if model not in _STANDING_CLIPS:
        _STANDING_CLIPS[model] = _make_standing_clip(model)
    return _STANDING_CLIPS[model]


def standing_rotations(model: ControllerModel) -> Array | None:
    """Return the world rotations (J, 4) of a controller's standing pose; ``None`` if the controller's file has none."""
    clip = standing_clip(model)
    return None if clip is None else clip.world[1][0]


_STANDING_CLIPS: Final[WeakKeyDictionary[ControllerModel, Clip]] = WeakKeyDictionary()
"""Cached standing clips by controller, shared by all characters."""


def _make_standing_clip(model: ControllerModel) -> Clip:
    """Return a clip that holds the controller's standing pose."""
    rotations = np.repeat(np.asarray(model.start["rotation"], dtype=float)[None], STANDING_CLIP_FRAMES, axis=0)
    positions = np.repeat(np.asarray(model.start["position"], dtype=float)[None], STANDING_CLIP_FRAMES, axis=0)
    return decode_poses(
        model, rotations, positions, np.zeros((STANDING_CLIP_FRAMES, 3)), np.zeros(STANDING_CLIP_FRAMES)
    )
