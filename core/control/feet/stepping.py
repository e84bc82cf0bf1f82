"""Small steps instead of slides: a foot held at one position and then at another gets the time to step between them.

A network's feet creep while it turns on the spot or gets up. Each is held until it has drifted too far, and would then
slide to its next position within a few frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import Array, length
from ...motion.signals import runs_of
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class Stepping(Tuning):
    distances: tuple[float, float] = tuned((0.03, 0.6), "m", 0.0, 1.0)
    """Smallest and largest distance between two held positions of a foot that is covered by a small step."""
    least: float = tuned(0.2, "s", 0.05, 1.0)
    """Duration of a small step of zero length."""
    speed: float = tuned(2.0, "m/s", 0.2, 5.0)
    """Length of a small step over the time that it takes in addition to ``least``."""
    longest: float = tuned(0.4, "s", 0.1, 1.0)
    """Longest duration of a small step; feet that walk swing for as long."""
    shortest_contact: float = tuned(0.1, "s", 0.02, 1.0)
    """Shortest contact that is left before and after a small step."""
    rise: tuple[float, float] = tuned((0.015, 0.045), "m", 0.0, 0.2)
    """Smallest and largest height of a small step."""
    rise_share: float = tuned(0.3, "1", 0.0, 1.0)
    """Height of a small step as a share of its length."""


TUNING: Final = Stepping()


def give_time_to_step(held: NDArray[np.bool_], places: Sequence[Array], rate: float, scale: float) -> None:
    """Shorten consecutive contacts of a foot, in place, to make time for a small step between them.

    A contact so short that a step to it would end after it is left out if the other foot stands: the foot swings on.

    Args:
        held: (F, 4) whether heel and ball of the left, then of the right foot are in contact.
        places: (F, 3) positions of each foot's ball, meters, with the motion of the ground taken out.
        rate: frames per second.
        scale: size of the body relative to an adult.
    """
    for side in range(2):
        own, other = held[:, 2 * side : 2 * side + 2], np.asarray(held[:, 2 - 2 * side : 4 - 2 * side].any(axis=1))
        runs = runs_of(np.asarray(own.any(axis=1)))
        rests = [np.median(places[side][start:stop, :2], axis=0) for start, stop in runs]
        for number in range(len(runs) - 1):
            (first, stop), (start, last) = runs[number], runs[number + 1]
            away = float(length(rests[number + 1] - rests[number])) / scale
            if TUNING.distances[0] < away < TUNING.distances[1]:
                wanted = round(min(TUNING.least + away / TUNING.speed, TUNING.longest) * rate)
                shortest = round(TUNING.shortest_contact * rate)
                if last - stop < wanted + shortest and other[start:last].all():
                    own[start:last] = False
                    runs[number + 1] = runs[number]
                    rests[number + 1] = rests[number]
                    continue
                runs[number, 1], runs[number + 1, 0] = _shortened(
                    own, other, (first, stop, start, last), wanted, shortest
                )


def _shortened(
    own: NDArray[np.bool_],
    other_stands: NDArray[np.bool_],
    frames: tuple[int, int, int, int],
    wanted: int,
    shortest: int,
) -> tuple[int, int]:
    """Cut frames of two contacts (F, 2), in place, until the gap between them is long enough; return the gap's ends.

    Args:
        own: contacts of heel and ball.
        other_stands: (F) whether the other foot is held.
        frames: first frame and the frame after the last of both contacts.
        wanted: frames of the gap.
        shortest: frames that are left of each contact.
    """
    first, stop, start, last = frames
    while start - stop < wanted:
        earlier = stop - first > shortest and bool(other_stands[stop - 1])
        later = last - start > shortest and bool(other_stands[start])
        if not (earlier or later):
            break
        if earlier:
            stop -= 1
            own[stop] = False
        if later:
            own[start] = False
            start += 1
    return stop, start


def step_rise(tips: Array, depths: Array, in_contact: NDArray[np.bool_], scale: float) -> Array:
    """Return the height (F), meters, by which to lift a foot off the ground during its small steps.

    Args:
        tips: (F, 3) tips of the toes, meters.
        depths: (F) depth of the foot in the ground, meters; negative above it.
        in_contact: (F) whether the foot is in contact.
        scale: size of the body relative to an adult.
    """
    result = np.zeros(len(tips))
    for start, stop in runs_of(~in_contact):
        if start == 0 or stop == len(tips):
            continue
        away = float(length(tips[stop, :2] - tips[start - 1, :2]))
        if TUNING.distances[0] * scale < away < TUNING.distances[1] * scale:
            wanted = min(max(TUNING.rise_share * away, scale * TUNING.rise[0]), scale * TUNING.rise[1])
            lacks = wanted - max(float(-depths[start:stop].min()), 0.0)
            share = (np.arange(start, stop) - start + 1.0) / (stop - start + 1.0)
            result[start:stop] = max(lacks, 0.0) * np.sin(np.pi * share) ** 2
    return result
