"""Exact strikes: time warping and IK bring an end effector to its target at the ordered frame."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...labelling.semantics.blows import Blow
from ...motion import Clip
from ...motion.blending import smooth_falloff
from ...motion.rotations import Array
from ...tuning import Tuning, tuned
from .strike_error import StrikeError, by_frames
from .strike_rollout import Attack, StrikeMotion
from .tip_retargeting import retarget_strike


@dataclass(frozen=True, slots=True)
class ExactStrikeTuning(Tuning):
    max_warp: float = tuned(0.15, "1", 0.01, 0.5)
    """Largest relative change of playback speed by the time warp."""
    min_warp: int = tuned(8, "frames", 1, 60)
    """Smallest number of frames before and after an apex over which the time shift of the apex fades."""
    max_miss: float = tuned(0.02, "m", 0.001, 0.2)
    """Largest distance of an end effector from its target at the ordered frame."""
    spread: tuple[float, float] = tuned((0.35, 0.5), "s", 0.05, 2.0)
    """Longest times before and after the apex over which the correction of the body fades in and out."""


TUNING: Final = ExactStrikeTuning()

FALLOFF_SLOPE: Final = 1.875
"""Steepest slope of ``smooth_falloff``, which falls from 1 to 0 over a unit of its argument."""


@dataclass(frozen=True, slots=True, eq=False)
class ExactStrike:
    """A solved strike.

    Attributes:
        attack: the network's attack.
        blow: first, apex and last frame of the attack in the solved clip; the apex is at the ordered frame.
        warp: largest relative change of playback speed that the ordered timing requires.
        miss: distance of the end effector from the target at the ordered frame, meters.
        is_exact: whether the end effector is at its target, with feet on their paths and joints within their limits.
    """

    attack: Attack
    blow: Blow
    warp: float
    miss: float
    is_exact: bool

    def problem(self) -> StrikeError | None:
        """Return an error with the inexactness of the strike and its cause; ``None`` if the strike is exact."""
        frame, effector = self.attack.order.frame, self.attack.order.effector
        late = self.attack.late
        if self.warp > TUNING.max_warp:
            if late > 0:
                return StrikeError(
                    "The strike with {effector} at frame {frame} comes {frames} too late: move it later by "
                    "that number of frames",
                    effector=effector,
                    frame=frame,
                    **by_frames(late),
                )
            return StrikeError(
                "The strike with {effector} at frame {frame} comes {frames} too early: move it to another frame",
                effector=effector,
                frame=frame,
                **by_frames(-late),
            )
        if self.miss > TUNING.max_miss:
            return StrikeError(
                "The strike with {effector} at frame {frame} falls {miss} cm short of its target: bring the "
                "target closer",
                effector=effector,
                frame=frame,
                miss=f"{100 * self.miss:.1f}",
            )
        if not self.is_exact:
            return StrikeError(
                "The strike with {effector} at frame {frame} reaches its target only with feet or joints out "
                "of place: bring the target closer",
                effector=effector,
                frame=frame,
            )
        return None


def solve_strikes(motion: StrikeMotion) -> tuple[Clip, tuple[ExactStrike, ...]]:
    """Return the motion in which each end effector is at its target at the ordered frame, and the solved strikes.

    Args:
        motion: the network's motion, with the apex of each attack near the frame of its order.
    """
    times = warped_times(motion)
    clip = warped(motion.clip, times)
    speeds = np.abs(np.diff(times, append=times[-1:] + 1.0) - 1.0)
    solved = []
    for attack in motion.attacks:
        frame = attack.order.frame
        near = _warp_frames(attack.late)
        warp = float(speeds[max(frame - near, 0) : frame + near].max(initial=0.0))
        if not 0 < frame < len(clip) - 1:
            solved.append(ExactStrike(attack, replace(attack.blow, apex=frame), np.inf, np.inf, False))
            continue
        before, after = (round(seconds * clip.rate) for seconds in TUNING.spread)
        start, stop = max(attack.blow.start, frame - before), min(attack.blow.stop, frame + after, len(clip))
        blow = Blow(attack.order.effector, min(start, frame - 1), frame, max(stop, frame + 2))
        made = retarget_strike(clip, blow, attack.order.target_at(frame)[None])
        first = blow.apex - made.blow.apex
        roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
        roots[first : first + len(made.own)] = made.root_positions[0]
        rotations[first : first + len(made.own)] = made.rotations[0]
        exact = warp <= TUNING.max_warp and bool(made.reached[0])
        if exact:
            clip = Clip(clip.skeleton, clip.rate, roots, rotations, clip.name)
        solved.append(ExactStrike(attack, blow, warp, float(made.misses[0]), exact))
    return clip, tuple(solved)


def warped_times(motion: StrikeMotion) -> Array:
    """Return the source time, in frames, of each frame (F) of a motion retimed so that apexes are at ordered frames.

    The time shift at an apex fades out on both sides, before the neighboring apexes or the ends of the motion.
    """
    frames = np.arange(len(motion.clip), dtype=float)
    wanted = [attack.order.frame for attack in motion.attacks]
    times = frames.copy()
    for attack, last, following in zip(motion.attacks, [0, *wanted], [*wanted[1:], len(frames) - 1], strict=False):
        frame, shift = attack.order.frame, attack.late
        wide = _warp_frames(shift)
        width = np.where(frames < frame, min(wide, frame - last), min(wide, following - frame))
        times += shift * smooth_falloff(np.abs(frames - frame) / np.maximum(width, 1))
    return np.maximum.accumulate(times)


def warped(clip: Clip, times: Array) -> Clip:
    """Return the clip resampled at times (F), given in frames."""
    at = np.clip(times, 0, len(clip) - 1)
    return clip if np.array_equal(at, np.arange(len(clip))) else clip.at(at)


def _warp_frames(shift: int) -> int:
    """Return how many frames before and after an apex a time shift, in frames, needs for at most the largest warp."""
    return max(int(np.ceil(FALLOFF_SLOPE * abs(shift) / TUNING.max_warp)), TUNING.min_warp)
