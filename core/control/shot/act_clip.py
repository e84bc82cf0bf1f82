"""Clips for act beats: any actor's motion, fitted to the body that moves, with its soles on level ground."""

from dataclasses import dataclass, replace

import numpy as np

from ...errors import FootfallError
from ...labelling import Labels, label_clip
from ...motion import Clip
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
    """Largest displacement of any joint, for an adult, up to which a clip counts as without motion."""


TUNING: ActClipTuning = ActClipTuning()


@dataclass(frozen=True, slots=True, eq=False)
class ActClip:
    """A clip on the body that moves, ready to be played anywhere.

    Attributes:
        motion: the motion (F frames) at the controllers' rate, meters, over the plane z = 0, on soles of usual height.
        contacts: contacts of its heels and balls.
    """

    motion: Clip
    contacts: FootContacts


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
