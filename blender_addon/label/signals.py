"""Cache of motion signals while Blender is open, so that the phase of actions follows an edit at once."""

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.labelling.labeller import hand_speed
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ..rig.clip_reader import read_mapped_action


@dataclass(frozen=True, eq=False)
class MotionSignals:
    """Heights of the hips over the ground (F), meters, and speeds of the faster hand relative to the hips (F), m/s."""

    hips_height: Array
    hand_speed: Array

    @staticmethod
    def of(clip: Clip, ground: float) -> "MotionSignals":
        """Return the signals of a clip over ground of a given height."""
        return MotionSignals(clip.positions[:, 0, 2] - ground, hand_speed(clip))


_cache: dict[int, MotionSignals] = {}


def cache_signals(action: bpy.types.Action, signals: MotionSignals) -> None:
    """Keep an action's signals for as long as Blender is open."""
    _cache[action.session_uid] = signals


def clear_signals() -> None:
    """Drop all signals."""
    _cache.clear()


def get_signals(armature: bpy.types.Object, action: bpy.types.Action, frames: int) -> MotionSignals | None:
    """Return an action's signals, computed from the motion the first time; ``None`` if it cannot be read."""
    known = _cache.get(action.session_uid)
    if known is None or len(known.hips_height) != frames:
        try:
            clip, _ = read_mapped_action(armature, action, bpy.context.scene)
        except FootfallError:
            return None
        known = MotionSignals.of(clip, float(np.percentile(clip.positions[..., 2].min(axis=1), 20)))
        cache_signals(action, known)
    return known if len(known.hips_height) == frames else None
