"""Retiming of a finished motion: ranges of frames are slowed down or sped up, and later frames shift accordingly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ...errors import FootfallError
from ...motion.rotations import Array
from ...terrain.ground import Scene
from ...tuning import Tuning, tuned
from ..performance import Performance


@dataclass(frozen=True, slots=True)
class RetimingTuning(Tuning):
    ease: float = tuned(0.2, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that smooths the change of playback speed at the ends of a stretch."""
    duration_range: tuple[float, float] = tuned((0.4, 3.0), "1", 0.1, 10.0)
    """Smallest and largest ratio of new to old duration; beyond them, bodies seem to drop or to float."""


TUNING: Final = RetimingTuning()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a motion with a new duration.

    Attributes:
        first, last: first and last frame of the stretch, both included.
        ratio: ratio of the new duration to the old.
    """

    first: int
    last: int
    ratio: float


def retime(performance: Performance, stretches: Sequence[Stretch], ground: Scene) -> tuple[Performance, Array]:
    """Return a retimed motion of F' frames, and the original, perhaps fractional, frame (F') of each.

    Args:
        performance: the motion.
        stretches: stretches that do not overlap.
        ground: the ground, at rest.

    Raises:
        FootfallError: a stretch is outside the motion, overlaps another, or has an impossible duration; the ground
            moves; the motion has a ball or waypoints with frames.
    """
    count = len(performance)
    if not stretches:
        return performance, np.arange(count, dtype=float)
    _require_fitting(performance, stretches, ground)
    pace = np.ones(count)
    for stretch in stretches:
        pace[stretch.first : stretch.last + 1] = stretch.ratio
    eased = scipy.ndimage.gaussian_filter1d(pace, TUNING.ease * performance.clip.rate, mode="nearest")
    # Easing moves duration between a stretch and its sides, but loses some at the ends of the motion.
    lasts = np.concatenate([[0.0], np.cumsum((eased[1:] + eased[:-1]) / 2)])
    lasts *= (pace.sum() - (pace[0] + pace[-1]) / 2) / lasts[-1]
    times = np.interp(np.arange(int(lasts[-1] + 1e-9) + 1), lasts, np.arange(count))
    return performance.at(times), times


def _require_fitting(performance: Performance, stretches: Sequence[Stretch], ground: Scene) -> None:
    """Raise :class:`FootfallError` if a motion cannot be retimed."""
    if not ground.is_static:
        raise FootfallError(
            "A walk on moving ground cannot be retimed, as the steps would miss the ground: remove the retimed range"
        )
    if performance.ball is not None:
        raise FootfallError(
            "A walk with a ball cannot be retimed, as the ball would not fall naturally: remove the retimed range"
        )
    if performance.waypoint_results:
        raise FootfallError(
            "A walk that reaches waypoints at set frames cannot be retimed: change the frames of the waypoints instead"
        )
    last = -1
    for stretch in sorted(stretches, key=lambda one: one.first):
        if not 0 <= stretch.first < stretch.last < len(performance):
            raise FootfallError(
                "The retimed range from frame {first} to {last} does not fit in a bake of {count} frames: move "
                "the range",
                first=stretch.first,
                last=stretch.last,
                count=len(performance),
            )
        if stretch.first <= last:
            raise FootfallError("Two retimed ranges overlap at frame {first}: move one of them", first=stretch.first)
        least, most = TUNING.duration_range
        if not least <= stretch.ratio <= most:
            raise FootfallError(
                "A retimed range cannot take {ratio} times its original duration: choose a factor from {least} "
                "to {most}",
                ratio=f"{stretch.ratio:.2f}",
                least=least,
                most=most,
            )
        last = stretch.last
