"""What is kept of motions while Blender is open, so that the phase of actions follows an edit at once."""

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.errors import FootfallError
from ...core.labelling.labeller import hand_speed
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ..rig.clip_reader import read_take


@dataclass(frozen=True, eq=False)
class Signals:
    """Heights of the hips over the ground (F), metres, and speeds of the faster hand about the hips (F), m/s."""

    hips_height: Array
    hand_speed: Array

    @staticmethod
    def of(clip: Clip, ground: float) -> "Signals":
        """The signals of a clip over a ground of some height."""
        return Signals(clip.positions[:, 0, 2] - ground, hand_speed(clip))


_known: dict[int, Signals] = {}


def remember(action: bpy.types.Action, signals: Signals) -> None:
    """Keeps an action's signals for as long as Blender is open."""
    _known[action.session_uid] = signals


def forget_all() -> None:
    """Drops all signals, as the end of Blender does."""
    _known.clear()


def signals_of(armature: bpy.types.Object, action: bpy.types.Action, frames: int) -> Signals | None:
    """An action's signals, from the motion itself the first time; ``None`` where it cannot be read."""
    known = _known.get(action.session_uid)
    if known is None or len(known.hips_height) != frames:
        try:
            clip, _ = read_take(armature, action, bpy.context.scene)
        except FootfallError:
            return None
        known = Signals.of(clip, float(np.percentile(clip.positions[..., 2].min(axis=1), 20)))
        remember(action, known)
    return known if len(known.hips_height) == frames else None
