"""Trial of a controller's crouching: short walks at several gait weights show what the controller has learned."""

from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from ...features.locomotion import future_offsets
from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...terrain.ground import Plane
from ...tuning import Tuning, tuned
from ..path.crouch_response import CrouchResponse
from ..runtime.batch_state import BrokenControllerError
from ..runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime


@dataclass(frozen=True, slots=True)
class CrouchTrialTuning(Tuning):
    weights: tuple[float, ...] = tuned(
        (0.0, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0), "1", 0.0, 1.0
    )
    """Weights of crouching that the trial tests; captured crouched walking is mostly below 0.3."""
    speed: float = tuned(0.8, "m/s", 0.2, 2.0)
    """Speed of the trial walk, usual for crouched walking."""
    duration: float = tuned(5.0, "s", 1.0, 60.0)
    """Duration of the trial walk."""
    settling: float = tuned(2.5, "s", 0.0, 30.0)
    """Time at the start of the trial during which nothing is measured."""
    min_head_drop: float = tuned(0.05, "1", 0.0, 0.5)
    """Smallest drop of the head, relative to its upright height, that counts as a crouch."""
    min_foot_lift: float = tuned(0.75, "1", 0.0, 1.0)
    """Smallest lift of the feet, relative to upright walking, that counts as walking; with less, feet slide."""


TUNING: Final = CrouchTrialTuning()


_responses: WeakKeyDictionary[ControllerModel, CrouchResponse] = WeakKeyDictionary()


def crouch_response(model: ControllerModel) -> CrouchResponse:
    """Return the crouches in which a controller can walk, measured by short walks once per loaded controller."""
    if model not in _responses:
        _responses[model] = _try_crouching(model)
    return _responses[model]


def _try_crouching(model: ControllerModel) -> CrouchResponse:
    """Return the crouches in which a controller can walk, as measured by a trial."""
    none = CrouchResponse(np.zeros(0), np.zeros(0))
    roles = model.skeleton.roles
    if not {"crouch", "walk", "stand"} <= set(model.gaits) or not {"head", "foot.L", "foot.R"} <= set(roles):
        return none
    names = [model.skeleton.names[roles[role]] for role in ("head", "foot.L", "foot.R")]
    if not set(names) <= set(model.joints):
        return none
    heights = _trial_heights(model, [model.joints.index(name) for name in names])
    if heights is None:
        return none
    heads, lifts = heights[..., 0].mean(axis=0), np.ptp(heights[..., 1:], axis=0).mean(axis=-1)
    drops = heads[0] - heads
    steps = lifts >= TUNING.min_foot_lift * lifts[0]
    # Neither weights from the first one with sliding feet on are used, nor weights that no longer lower the head.
    walked = int(np.argmin(steps)) if not steps.all() else len(steps)
    kept: list[int] = []
    for trial in range(1, walked):
        if drops[trial] > (drops[kept[-1]] if kept else TUNING.min_head_drop * heads[0]):
            kept.append(trial)
    return CrouchResponse(np.array(TUNING.weights)[kept], drops[kept])


def _trial_heights(model: ControllerModel, joints: list[int]) -> Array | None:
    """Return the heights (F, W, J) of joints at each of the trial's weights, meters; `None` if the controller fails.

    The character walks straight ahead from standing, without corrections to a path.
    """
    offsets = future_offsets(model.input_layout)
    count, samples = len(TUNING.weights), len(offsets)
    none, ground = np.zeros((count, samples)), Plane()
    runtime = LocomotionRuntime(model, np.zeros((count, 2)), np.zeros(count), np.zeros(count), [ground] * count)
    gaits = np.zeros((count, 1 + samples, len(model.gaits)))
    gaits[..., model.gaits.index("crouch")] = np.array(TUNING.weights)[:, None]
    gaits[..., model.gaits.index("walk")] = 1 - np.array(TUNING.weights)[:, None]
    ahead = TUNING.speed * np.array(offsets) / model.rate
    heights: list[Array] = []
    for frame in range(round(TUNING.duration * model.rate)):
        positions = np.stack([none, runtime.position[:, 1:] + ahead], axis=-1)
        command = LocomotionCommand(positions, none, gaits[:, 1:], np.zeros((count, 1 + samples)))
        try:
            made = runtime.step(command, gaits[:, 0])
        except BrokenControllerError:
            return None
        if frame >= TUNING.settling * model.rate:
            heights.append(model.output_layout.view(made.output, "pose.position")[:, joints, 2].astype(float))
    return np.array(heights)
