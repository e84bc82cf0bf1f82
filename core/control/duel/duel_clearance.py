"""Clearance between the characters of a duel: overlapping bodies are moved apart."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.hand_holds import HAND_PAIRS
from ...motion.signals import runs_of, velocities
from ...scene.body_overlap import deepest_overlap
from ...tuning import Tuning, tuned
from ..passes.partner_clearance import keep_apart
from ..strike.strike_takes import with_part
from . import body_contact


@dataclass(frozen=True, slots=True)
class DuelClearanceTuning(Tuning):
    near: float = tuned(2.0, "m", 0.5, 5.0)
    """Largest distance between two characters' hips at which their bodies can touch."""
    span: float = tuned(0.5, "s", 0.05, 3.0)
    """Time over which bodies move apart before an overlap, and back after it."""
    standing_speed: float = tuned(0.2, "m/s", 0.01, 1.0)
    """Speed of an ankle below which its foot counts as standing."""


TUNING: Final = DuelClearanceTuning()


def overlapping_spans(first: Clip, second: Clip) -> NDArray[np.intp]:
    """Return the frame ranges (R, 2), first frame and frame after the last, in which two bodies overlap too much."""
    apart = np.linalg.norm(first.root_positions - second.root_positions, axis=-1)
    deep = np.zeros(len(first), dtype=bool)
    for start, stop in runs_of(apart < TUNING.near):
        deep[start:stop] = deepest_overlap(first.cut(start, stop), second.cut(start, stop)) > body_contact.TUNING.flesh
    reach = 2 * round(TUNING.span * first.rate) + 1
    return runs_of(scipy.ndimage.maximum_filter1d(deep, reach))


def give_way(first: Clip, second: Clip, start: int, stop: int) -> tuple[Clip, Clip]:
    """Return two motions with the bodies moved apart in the frames from `start` to before `stop`."""
    one, other = first.cut(start, stop), second.cut(start, stop)
    holds = np.zeros((stop - start, len(HAND_PAIRS)), dtype=bool)
    one, other = keep_apart(one, other, holds, (_standing(one), _standing(other)))
    return with_part(first, start, one), with_part(second, start, other)


def _standing(clip: Clip) -> FootContacts:
    """Return the foot contacts of a clip, in which feet that hardly move count as standing."""
    feet = clip.positions[:, [clip.skeleton.joint(f"foot.{side}") for side in "LR"]]
    speeds = np.linalg.norm(velocities(feet, clip.rate), axis=-1)
    return FootContacts(np.repeat(speeds < TUNING.standing_speed, 2, axis=1).astype(float))
