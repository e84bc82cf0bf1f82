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

STANDING: Final = 12
"""Frames of standing."""


def pose_clip(model: ControllerModel, turned: Array, places: Array, grounds: Array, yaws: Array) -> Clip:
    """Poses as a clip; ankles are where the network puts them.

    Args:
        model: the controller.
        turned: rotations of its pose joints (F, P, 4) in the root's frame.
        places: their positions (F, P, 3) in the root's frame, metres.
        grounds: the root's places (F, 3), metres, world.
        yaws: its yaws (F), radians.
    """
    skeleton = model.skeleton
    turned = multiply(about_up(yaws)[:, None], turned)
    order = {name: index for index, name in enumerate(model.joints)}
    world = np.empty((len(turned), len(skeleton), 4))
    for joint, name in enumerate(skeleton.names):
        parent = skeleton.parents[joint]
        world[:, joint] = turned[:, order[name]] if name in order else world[:, parent]
    at = grounds[:, None] + out_of_frame(places, yaws[:, None])
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
    if model not in _STANDING:
        _STANDING[model] = _standing(model)
    return _STANDING[model]


_STANDING: Final[WeakKeyDictionary[ControllerModel, Clip]] = WeakKeyDictionary()
"""Those that were made: a crowd has but one."""


def _standing(model: ControllerModel) -> Clip:
    turned = np.repeat(np.asarray(model.start["rotation"], dtype=float)[None], STANDING, axis=0)
    places = np.repeat(np.asarray(model.start["position"], dtype=float)[None], STANDING, axis=0)
    return pose_clip(model, turned, places, np.zeros((STANDING, 3)), np.zeros(STANDING))
