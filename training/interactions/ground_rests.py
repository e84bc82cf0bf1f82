"""Rests of captured bodies: standing, crouching, sitting or lying on the ground."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...core.motion import Clip
from ...core.motion.signals import runs_of
from ...core.tuning import Tuning, tuned

Level = Literal["stand", "crouch", "sit", "lie"]
"""Level of a resting body."""


@dataclass(frozen=True, slots=True)
class GroundRestsTuning(Tuning):
    sitting_hips_ratio: float = tuned(0.3, "1", 0.05, 1.0)
    """Height of the hips, relative to leg length, below which a body with its head up sits on the ground."""
    sitting_head_ratio: float = tuned(0.55, "1", 0.1, 2.0)
    """Height of the head, relative to leg length, above which a body with low hips sits instead of lying."""
    standing_hips_ratio: float = tuned(0.95, "1", 0.5, 1.2)
    """Height of the hips, relative to leg length, above which a body stands."""
    lying_head_ratio: float = tuned(0.5, "1", 0.1, 2.0)
    """Height of the head, relative to leg length, below which a body lies."""
    rest_speed: float = tuned(0.12, "m/s", 0.01, 1.0)
    """Speed of the hips below which a body rests."""
    min_rest: int = tuned(20, "frames", 1, 240)
    """Shortest duration of a rest."""
    cut_rest_speed: float = tuned(0.5, "m/s", 0.01, 2.0)
    """Speed of the hips below which a body on both feet counts as standing at the first or last frame of its clip."""
    speed_smoothing: float = tuned(6.0, "frames", 0.1, 30.0)
    """Standard deviation of the Gaussian that smooths the speed."""


TUNING: Final = GroundRestsTuning()


@dataclass(frozen=True, slots=True)
class GroundPosture:
    """A posture in which a body rests on the ground.

    Attributes:
        action: name of its action in labels, takes and goals.
        trunk: parts of the trunk that are lowered to the ground.
    """

    action: str
    level: Level
    trunk: tuple[str, ...]


LYING: Final = GroundPosture("lie", "lie", ("hips", "spine", "chest"))
SITTING: Final = GroundPosture("sit_ground", "sit", ("hips",))
POSTURES: Final = {one.action: one for one in (LYING, SITTING)}
"""Postures by action."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Frames of a clip, from ``start`` up to, not including, ``stop``, in which the body rests."""

    level: Level
    start: int
    stop: int


def find_rests(clip: Clip, posture: GroundPosture) -> list[Rest]:
    """Return the ranges of frames in which the hips rest, with the level of the body in each.

    Sitting counts only if it is the posture, not on the way to lying.
    """
    leg, positions = clip.skeleton.leg_length, clip.positions
    hips, heads = (positions[:, clip.skeleton.joint(role)] for role in ("hips", "head"))
    speed = gaussian_filter1d(np.linalg.norm(np.gradient(hips, axis=0), axis=1) * clip.rate, TUNING.speed_smoothing)
    sits = (hips[:, 2] < TUNING.sitting_hips_ratio * leg) & (heads[:, 2] > TUNING.sitting_head_ratio * leg)
    sits &= posture.level == "sit"
    rests = []
    for seated in (False, True):
        for start, stop in runs_of((speed < TUNING.rest_speed) & (sits == seated)):
            if stop - start < TUNING.min_rest:
                continue
            low = float(np.median(heads[start:stop, 2])) < TUNING.lying_head_ratio * leg
            high = float(np.median(hips[start:stop, 2])) > TUNING.standing_hips_ratio * leg
            level = "sit" if seated else "lie" if low else "stand" if high else "crouch"
            rests.append(Rest(level, int(start), int(stop)))
    return sorted(rests, key=lambda one: one.start)


def frames_of(rests: Sequence[Rest], level: Level) -> NDArray[np.intp]:
    rows = [np.arange(one.start, one.stop) for one in rests if one.level == level]
    return np.concatenate(rows) if rows else np.zeros(0, dtype=np.intp)


def with_cut_rests(rests: list[Rest], clip: Clip, feet: NDArray[np.bool_]) -> list[Rest]:
    """Return the rests and, at each end of the clip at which the actor stands, an additional rest of one frame.

    Args:
        rests: the rests of a clip of F frames, in order of time.
        clip: the clip.
        feet: (F, 4) whether heels and balls are in contact, in the order of ``motion.roles.FOOT_CONTACTS``.
    """
    hips = clip.positions[:, clip.skeleton.joint("hips")]
    high = hips[:, 2] > TUNING.standing_hips_ratio * clip.skeleton.leg_length
    slow = np.linalg.norm(np.gradient(hips, axis=0), axis=1) * clip.rate < TUNING.cut_rest_speed
    on_feet = feet[:, :2].any(axis=1) & feet[:, 2:].any(axis=1)
    last = len(clip) - 1
    first, end = (Rest("stand", at, at + 1) if (high & slow & on_feet)[at] else None for at in (0, last))
    before = [first] if first and not (rests and rests[0].start == 0) else []
    after = [end] if end and not (rests and rests[-1].stop > last) else []
    return [*before, *rests, *after]
