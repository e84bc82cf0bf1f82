"""Clips for act beats: any actor's motion, fitted to the body that moves, with its soles on level ground."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...labelling import Labels, label_clip
from ...motion import Clip
from ...motion.blending import smooth_step
from ...motion.contacts import FootContacts
from ...motion.proportions import ADULT_LEG_LENGTH_M, TOE_JOINT_HEIGHT_M, leg_length, scale_between
from ...motion.rotations import length
from ...retarget.calibration import Calibration
from ...retarget.retarget import retarget
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class ActClipTuning(Tuning):
    """Tuned numbers of clips for act beats."""

    shortest: float = tuned(1.0, "s", 0.1, 5.0)
    """Duration of the shortest clip, which leaves time to blend in and out."""
    still: float = tuned(0.01, "m", 0.0, 0.1)
    """Largest movement of an adult's joints in a clip without motion."""
    ease: float = tuned(0.8, "s", 0.0, 2.0)
    """Time to speed up at a moving beginning of a clip, and to slow down at a moving end."""
    moving_speed: float = tuned(0.4, "m/s", 0.0, 2.0)
    """Lowest speed of an adult's hips or ankles at a moving beginning or end."""
    speed_over: float = tuned(0.1, "s", 0.02, 0.5)
    """Time over which that speed is measured."""


TUNING: Final = ActClipTuning()


@dataclass(frozen=True, slots=True, eq=False)
class ActClip:
    """A clip on the body that moves, ready to be played anywhere.

    Attributes:
        motion: the motion (F frames) at the controllers' rate, meters, over the plane z = 0, on soles of usual height.
        contacts: contacts of its heels and balls.
    """

    motion: Clip
    contacts: FootContacts

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.motion)

    def from_rest_to_rest(self, longest: int | None = None) -> "ActClip":
        """Return the clip slowed down where it begins or ends in motion, since the body comes from rest and stops.

        Args:
            longest: largest number of frames; the end is cut off. At least :attr:`ActClipTuning.shortest` is kept.
        """
        made = self._eased(len(self))
        if longest is None or len(made) <= longest:
            return made
        least = round(TUNING.shortest * self.motion.rate)
        made = self._eased(max(longest, least))
        return made if len(made) <= longest else self._eased(max(2 * longest - len(made), least))

    def _eased(self, frames: int) -> "ActClip":
        """Return the first frames, slowed down at the beginning and at the end if they are in motion there."""
        clip = self.motion.cut(0, frames)
        reach, rate = max(round(TUNING.speed_over * clip.rate), 1), clip.rate
        begins, ends = (_speed(clip.cut(*span)) for span in ((0, reach + 1), (len(clip) - 1 - reach, len(clip))))
        size = leg_length(clip.skeleton) / ADULT_LEG_LENGTH_M
        slow = smooth_step((np.arange(round(TUNING.ease * rate)) + 0.5) / (TUNING.ease * rate))
        first, last = (slow if speed > TUNING.moving_speed * size else np.ones(0) for speed in (begins, ends))
        even = np.ones(max(len(clip) - 1 - round(float(first.sum() + last.sum())), 0))
        times = np.concatenate([[0.0], np.cumsum(np.concatenate([first, even, last[::-1]]))])
        times = np.minimum(times, len(clip) - 1.0)
        held = np.array([np.interp(times, np.arange(len(clip)), one) for one in self.contacts.probabilities[:frames].T])
        return ActClip(clip.at(times), FootContacts(held.T))


def fit_act_clip(clip: Clip, calibration: Calibration, rate: float, labels: Labels | None = None) -> ActClip:
    """Return a clip of any actor fitted to the body that moves.

    Args:
        clip: the actor's motion, world.
        calibration: calibration from the actor to the body that moves.
        rate: frames per second of the controllers.
        labels: labels of the clip; detected by default.

    Raises:
        FootfallError: the clip is too short or without motion.
    """
    require_playable(clip)
    found = label_clip(clip) if labels is None else labels
    contacts = dict(zip(found.contact_joints, found.contacts.T, strict=True))
    size = leg_length(clip.skeleton) / ADULT_LEG_LENGTH_M
    floor = scale_between(clip.skeleton, calibration.target) * (found.ground - TOE_JOINT_HEIGHT_M * size)
    made = retarget(clip, calibration, contacts).resampled(rate)
    made = replace(made, root_positions=made.root_positions - np.array([0.0, 0.0, floor]))
    return ActClip(made, found.resampled(rate, len(made)).foot_contacts)


def _speed(clip: Clip) -> float:
    """Return the largest mean speed of hips and ankles over a clip, m/s."""
    joints = [clip.skeleton.joint(role) for role in ("hips", "foot.L", "foot.R")]
    moved = length(clip.positions[-1, joints] - clip.positions[0, joints])
    return float(moved.max()) * clip.rate / (len(clip) - 1)


def require_playable(clip: Clip) -> None:
    """Raise :class:`FootfallError` if a clip of any actor is too short or without motion."""
    if len(clip) < TUNING.shortest * clip.rate:
        raise FootfallError(
            "The clip '{name}' is {seconds} s long, too short to blend in and out: choose at least one second of it",
            name=clip.name,
            seconds=f"{clip.duration:.1f}",
        )
    size = leg_length(clip.skeleton) / ADULT_LEG_LENGTH_M
    if float(length(clip.positions - clip.positions[0]).max()) <= TUNING.still * size:
        raise FootfallError("The clip '{name}' has no motion: choose another one", name=clip.name)
