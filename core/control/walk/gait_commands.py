"""Gait commands: the gait weights that a plan commands, computed from speeds, styles and jumps."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...features.rest import REST_GAITS, TURN_IN_PLACE_RAD
from ...models.model_file import ControllerModel
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .path_tables import PlanSamples


@dataclass(frozen=True, slots=True)
class GaitCommandsTuning(Tuning):
    risen_drop: float = tuned(0.05, "1", 0.0, 0.5)
    """Drop of the head from its standing height, as a share of the leg length, up to which a body counts as upright."""
    low_drop: float = tuned(0.3, "1", 0.05, 1.0)
    """Drop of the head, as a share of the leg length, from which a body is commanded to rise with full weight."""
    turn_change: float = tuned(0.2, "s", 0.02, 2.0)
    """Shortest duration of a change between standing and turning on the spot."""


TUNING: Final = GaitCommandsTuning()


class GaitCommands:
    """The gait commands of one controller."""

    def __init__(self, model: ControllerModel) -> None:
        self._names, self._legs, self._rate = model.gaits, model.skeleton.leg_length, model.rate
        name = model.skeleton.names[model.skeleton.roles["head"]] if "head" in model.skeleton.roles else ""
        self._head = model.joints.index(name) if name in model.joints else None
        self._start = model.start["position"]
        self._rests = np.array([name in REST_GAITS for name in model.gaits])

    def turning(self, before: Array, yaws: Array) -> Array:
        """Return by how much (B), 0 to 1, characters turn within the next second, which makes them step on the spot.

        Where a path turns back sharply, the future yaws change from one frame to the next; the rate of change is
        limited, since steps on the spot begin gradually.

        Args:
            before: (B) result for the previous frame.
            yaws: (B, S) commanded yaws, radians.
        """
        turning = np.minimum(np.abs(yaws[:, -1] - yaws[:, 0]) / TURN_IN_PLACE_RAD, 1.0)
        largest = 1 / (TUNING.turn_change * self._rate)
        return before + np.minimum(np.maximum(turning - before, -largest), largest)

    def weights(
        self, plans: PlanSamples, turning: Array, jumps: Array, slow_speeds: Array, pose: Array
    ) -> tuple[Array, Array]:
        """Return the gait weights (B, S, G) and the weights of moving (B, S), which change smoothly.

        Args:
            plans: the plan at the samples.
            turning: (B) result of :meth:`turning`.
            jumps: (B, S) weights of jumping.
            slow_speeds: (B) speed, m/s, from which each character counts wholly as moving.
            pose: (B, P, 3) joint positions of the previous frame, meters.
        """
        names, speeds = self._names, plans.speeds
        still, going = (slow_speeds / 4)[:, None], (slow_speeds * 3 / 4)[:, None]
        moving = np.maximum(np.minimum((speeds - still) / (going - still), 1), turning[:, None])
        running = plans.run_shares
        gaits = np.zeros((*speeds.shape, len(names)))
        for name, value in (("stand", 1 - moving), ("walk", moving * (1 - running)), ("run", moving * running)):
            gaits[..., names.index(name)] = value
        if plans.style_weights.any():
            styles, rests = self._split(self.raised(plans.style_weights, pose))
            plain_weight = 1 - styles.sum(axis=-1)
            for name in ("walk", "run"):
                gaits[..., names.index(name)] *= plain_weight
            gaits[..., names.index("stand")] *= 1 - rests.sum(axis=-1)
            gaits += moving[..., None] * styles + (1 - moving)[..., None] * rests
        if "jump" in names:
            gaits *= 1 - jumps[..., None]
            gaits[..., names.index("jump")] = jumps
        return gaits, moving

    def _split(self, styles: Array) -> tuple[Array, Array]:
        """Return style weights (B, S, G) split into those of moving styles and those of resting styles."""
        return np.where(self._rests, 0.0, styles), np.where(self._rests, styles, 0.0)

    def raised(self, styles: Array, pose: Array) -> Array:
        """Return style weights (B, S, G) whose negative ones, which raise a body, are scaled by how low the body is."""
        if self._head is None or (styles >= 0).all():
            return styles
        drops = float(self._start[self._head, 2]) - pose[:, self._head, 2]
        low = np.clip((drops / self._legs - TUNING.risen_drop) / (TUNING.low_drop - TUNING.risen_drop), 0.0, 1.0)
        return np.where(styles < 0, styles * low[:, None, None], styles)
