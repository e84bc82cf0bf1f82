"""A trial of a controller's crouching: a short walk at several weights of the gait, which finds what it learned."""

from dataclasses import replace
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...terrain.ground import Plane, StaticScene
from ...terrain.walk_scene import WalkScene
from ..path.crouch_response import CrouchResponse
from ..path.path import Path
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import Timing
from .path_following import FollowerPlan, PathFollower

TRIAL_WEIGHTS: Final = (0.0, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0)
"""Weights of crouching that are tried; most of the range of captured crouched walking is below 0.3."""
TRIAL_SPEED_M_S: Final = 0.8
"""Speed of the trial, at which people walk crouched."""
TRIAL_S: Final = 5.0
"""Time of the trial."""
SETTLING_S: Final = 2.5
"""Time at the beginning that is not measured."""
MIN_HEAD_DROP_RATIO: Final = 0.05
"""Least sinking of the head, relative to its upright height, that is a crouch."""
MIN_FOOT_LIFT_RATIO: Final = 0.8
"""Least lift of the feet, relative to that in upright walking, at which a character steps and does not slide."""

_responses: WeakKeyDictionary[ControllerModel, CrouchResponse] = WeakKeyDictionary()


def crouch_response(model: ControllerModel) -> CrouchResponse:
    """Return the crouches in which a controller walks, tried once for each controller that is loaded."""
    if model not in _responses:
        _responses[model] = _try_crouching(model)
    return _responses[model]


def _try_crouching(model: ControllerModel) -> CrouchResponse:
    """Return the crouches in which a controller walks."""
    none = CrouchResponse(np.zeros(0), np.zeros(0))
    roles = model.skeleton.roles
    if "crouch" not in model.gaits or not {"head", "foot.L", "foot.R"} <= set(roles):
        return none
    names = [model.skeleton.names[roles[role]] for role in ("head", "foot.L", "foot.R")]
    if not set(names) <= set(model.joints):
        return none
    heights = _trial_heights(model, [model.joints.index(name) for name in names])
    heads, lifts = heights[..., 0].mean(axis=0), np.ptp(heights[..., 1:], axis=0).mean(axis=-1)
    drops = heads[0] - heads
    steps = lifts >= MIN_FOOT_LIFT_RATIO * lifts[0]
    # Weights beyond the first at which feet slide are not walked with, nor are those that no longer lower the head.
    walked = int(np.argmin(steps)) if not steps.all() else len(steps)
    kept: list[int] = []
    for trial in range(1, walked):
        if drops[trial] > (drops[kept[-1]] if kept else MIN_HEAD_DROP_RATIO * heads[0]):
            kept.append(trial)
    return CrouchResponse(np.array(TRIAL_WEIGHTS)[kept], drops[kept])


def _trial_heights(model: ControllerModel, joints: list[int]) -> Array:
    """Return heights (F, W, J), meters, of joints at each of the trial's weights, after it settled."""
    frames = round(TRIAL_S * model.rate)
    distances = TRIAL_SPEED_M_S / model.rate * np.arange(2 * frames)
    path = Path(np.array([[0.0, 0.0], [0.0, distances[-1]]]))
    ground = StaticScene(Plane())
    profile = TerrainProfile.from_path(path, WalkScene(Plane()), 0.0)
    timing = Timing.without_cues(distances, np.full(len(distances), TRIAL_SPEED_M_S), len(model.gaits), model.rate)
    plans = []
    for weight in TRIAL_WEIGHTS:
        styles = np.zeros_like(timing.style_weights)
        styles[:, model.gaits.index("crouch")] = weight
        plans.append(FollowerPlan(path, profile, replace(timing, style_weights=styles), TRIAL_SPEED_M_S, ground, 0))
    follower = PathFollower(model, plans)
    follower.advance(frames)
    first = round(SETTLING_S * model.rate)
    outputs = np.stack([follower.trace(row, first).frames.output for row in range(len(plans))], axis=1)
    return model.output_layout.view(outputs, "pose.position")[..., joints, 2].astype(float)
