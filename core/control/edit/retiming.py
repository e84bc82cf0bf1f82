"""Retiming of a finished walk: stretches of it take longer or less time, and what follows comes later or earlier."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from ...errors import FootfallError
from ...motion.contacts import FootContacts
from ...motion.rotations import Array
from ...terrain.ground import Scene
from ..walk.finished_walk import Walk

EASE_S: Final = 0.2
"""Deviation of the Gaussian over which the pace changes at the ends of a stretch."""
DURATION_RANGE: Final = (0.4, 3.0)
"""Least and largest ratio of the new duration to the old: beyond it bodies seem to fall or to float."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Frames of a walk that take another time.

    Attributes:
        first, last: its frames; both count.
        ratio: of the new duration to the old.
    """

    first: int
    last: int
    ratio: float


def retime(walk: Walk, stretches: Sequence[Stretch], ground: Scene) -> tuple[Walk, Array]:
    """Return a walk whose stretches take other times, and the frame (F') of the walk at each of its frames.

    Args:
        walk: the walk.
        stretches: they do not overlap.
        ground: the ground, at rest.

    Raises:
        FootfallError: a stretch lies outside of the walk, overlaps another, or takes a time that no body does; the
            ground moves; the walk has a ball or waypoints at frames.
    """
    count = len(walk.clip)
    if not stretches:
        return walk, np.arange(count, dtype=float)
    _require_fitting(walk, stretches, ground)
    pace = np.ones(count)
    for stretch in stretches:
        pace[stretch.first : stretch.last + 1] = stretch.ratio
    eased = scipy.ndimage.gaussian_filter1d(pace, EASE_S * walk.clip.rate, mode="nearest")
    # What easing takes from a stretch it has given to its sides, but for its ends.
    lasts = np.concatenate([[0.0], np.cumsum((eased[1:] + eased[:-1]) / 2)])
    lasts *= (pace.sum() - (pace[0] + pace[-1]) / 2) / lasts[-1]
    times = np.interp(np.arange(int(lasts[-1] + 1e-9) + 1), lasts, np.arange(count))
    return _at_times(walk, times), times


def _require_fitting(walk: Walk, stretches: Sequence[Stretch], ground: Scene) -> None:
    """Raise a :class:`FootfallError` for what cannot be retimed."""
    if not ground.is_static:
        raise FootfallError("On ground that moves nothing can be retimed: the ground would not wait")
    if walk.ball is not None:
        raise FootfallError("A walk with a ball cannot be retimed: the ball would not fall as balls do")
    if walk.waypoint_results:
        raise FootfallError("A walk that meets waypoints at frames cannot be retimed: move the waypoints' frames")
    last = -1
    for stretch in sorted(stretches, key=lambda one: one.first):
        if not 0 <= stretch.first < stretch.last < len(walk.clip):
            raise FootfallError(
                "Frames {first} to {last} cannot be retimed in a walk of {len} frames: move the stretch",
                first=stretch.first,
                last=stretch.last,
                len=len(walk.clip),
            )
        if stretch.first <= last:
            raise FootfallError("Two retimed stretches overlap at frame {first}: move one of them", first=stretch.first)
        least, most = DURATION_RANGE
        if not least <= stretch.ratio <= most:
            raise FootfallError(
                "A stretch cannot take {ratio} times its time: choose from {least} to {most}",
                ratio=f"{stretch.ratio:.2f}",
                least=least,
                most=most,
            )
        last = stretch.last


def _at_times(walk: Walk, times: Array) -> Walk:
    """Return a walk at times (F'), in frames of the walk."""
    before = np.minimum(times.astype(int), len(walk.clip) - 2)
    share, nearest = times - before, np.rint(times).astype(int)
    phase = np.unwrap(walk.phase, period=1.0)
    return replace(
        walk,
        clip=walk.clip.at(times),
        contacts=FootContacts(walk.contacts.probabilities[nearest]),
        phase=(phase[before] + share * (phase[before + 1] - phase[before])) % 1.0,
        gaits=walk.gaits[before] + share[:, None] * (walk.gaits[before + 1] - walk.gaits[before]),
    )
