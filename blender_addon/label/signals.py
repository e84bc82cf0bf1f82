"""Cache of motion signals while Blender is open, so that the phase of actions follows an edit at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.labelling.labeller import hand_speed
from ...core.labelling.phase.acyclic_phase import (
    acyclic_phase,
    blow_transitions,
    find_labeled_blows,
    find_transitions,
)
from ...core.labelling.semantics.blows import LimbMotion
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ..rig.clip_reader import read_mapped_action


@dataclass(frozen=True, eq=False)
class MotionSignals:
    """Signals of a clip for the detection of its transitions.

    Attributes:
        hips_height: (F) over the ground, meters.
        hand_speed: (F) hand speed of the faster hand relative to the hips, m/s.
        limbs: motion of the hands and the feet.
    """

    hips_height: Array
    hand_speed: Array
    limbs: LimbMotion

    @staticmethod
    def of(clip: Clip, ground: float) -> "MotionSignals":
        """Compute the signals of a clip over ground at a given height."""
        return MotionSignals(clip.positions[:, 0, 2] - ground, hand_speed(clip), LimbMotion.of(clip, ground))

    def action_phase(self, action_names: Sequence[str], weights: Array) -> Array:
        """Return the acyclic phase (F) of transitions between actions with weights (F, A)."""
        rate = self.limbs.frame_rate
        found = find_transitions(action_names, weights, self.hips_height, self.hand_speed, rate)
        blows = blow_transitions(find_labeled_blows(action_names, weights, self.limbs))
        return acyclic_phase([*found, *blows], len(self.hips_height))


_cache: dict[int, MotionSignals] = {}


def cache_signals(action: bpy.types.Action, signals: MotionSignals) -> None:
    """Keep an action's signals until Blender is closed."""
    _cache[action.session_uid] = signals


def get_signals(armature: bpy.types.Object, action: bpy.types.Action, frames: int) -> MotionSignals | None:
    """Return the signals of an action's motion, computed once; ``None`` if the motion cannot be read."""
    known = _cache.get(action.session_uid)
    if known is None or len(known.hips_height) != frames:
        try:
            clip, _ = read_mapped_action(armature, action, bpy.context.scene)
        except FootfallError:
            return None
        known = MotionSignals.of(clip, float(np.percentile(clip.positions[..., 2].min(axis=1), 20)))
        cache_signals(action, known)
    return known if len(known.hips_height) == frames else None
