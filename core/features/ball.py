"""A ball as features of a system of local motion phases: its past, control weights, pivots, contacts and their phases.

Starke et al. 2020, section 4 and Appendix A. A control weight, 0 to 1, says how far the network minds the ball; a pivot
is the smoothed position about which the ball is dribbled. The ball of a frame belongs to the pose of that frame: inputs
contain it up to the previous frame, outputs at the frame itself, both in the root's frame.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..ball.ball_track import BallTrack
from ..labelling import Labels
from ..labelling.phase.local_phases import find_local_phases
from ..motion import Clip
from ..motion.root_frame import into_frame, root_track
from ..motion.rotations import Array, inverse, log, multiply
from ..motion.signals import velocities
from .locomotion import ROOT_SMOOTHING_S
from .phase_system import AHEAD_OFFSETS_FRAMES, PAST_OFFSETS_FRAMES, SAMPLE_OFFSETS_FRAMES

BALL_SENSOR: Final = "ball"
"""Name of the sensor for the ball's contact with the ground."""
HAND_SENSORS: Final = ("hand.L", "hand.R")
"""Names of the sensors for the hands' contacts with a ball or other objects."""
BALL_SENSORS: Final = (*HAND_SENSORS, BALL_SENSOR)
"""Names of the sensors whose contacts and phases depend on a ball."""
BALL_PARTS: Final = ("interaction", "ball")
"""Parts of a phase system, see ``phase_system.PARTS``, that describe a ball."""
GROUND_DISTANCE_M: Final = 0.2
"""Height of a ball's center above the ground below which the ball counts as touching it (Appendix A.3)."""
FULL_CONTROL_RADIUS_M: Final = 1.5
"""Distance of the ball from the root up to which its control weight is 1."""
CONTROL_RADIUS_M: Final = 2.5
"""Distance of the ball from the root beyond which its control weight is 0, so that the network ignores it."""
PIVOT_SMOOTHING_S: Final = 0.35
"""Standard deviation of the Gaussian that removes single dribbles from the ball's position around the character."""

Conditions = Mapping[str, tuple[Array | None, Array | None]]
"""Values (N, ...) of optional groups by name, in x and in y; ``None`` if x or y lacks the group."""


def control_weights(positions: Array) -> Array:
    """Return control weights (...) of balls at ``positions`` (..., 3), root's frame, meters: 1 near, 0 far away."""
    beyond = np.linalg.norm(positions[..., :2], axis=-1) - FULL_CONTROL_RADIUS_M
    return np.clip(1.0 - beyond / (CONTROL_RADIUS_M - FULL_CONTROL_RADIUS_M), 0.0, 1.0)


def ball_labels(labels: Labels, track: BallTrack) -> Labels:
    """Return labels with a ball's contacts with hands and ground, and its local phase, added.

    Contacts of the hands with other objects are kept.

    Args:
        labels: labels of the clip.
        track: the ball of the clip, F frames.
    """
    touching = np.column_stack([track.contacts, track.positions[:, 2] < GROUND_DISTANCE_M]).astype(float)
    speeds = np.linalg.norm(velocities(track.positions, track.rate), axis=-1)
    phases = find_local_phases(touching[:, 2:], speeds[:, None], track.rate).vectors
    names = [*labels.contact_joints, *(name for name in BALL_SENSORS if name not in labels.contact_joints)]
    contacts = np.pad(labels.contacts, ((0, 0), (0, len(names) - len(labels.contact_joints))))
    columns = [names.index(name) for name in BALL_SENSORS]
    contacts[:, columns] = np.maximum(contacts[:, columns], touching)
    confidence = np.ones_like(contacts)
    confidence[:, : len(labels.contact_joints)] = labels.confidence
    return replace(
        labels,
        contact_joints=tuple(names),
        contacts=contacts,
        confidence=confidence,
        local_phase_joints=(*labels.local_phase_joints, BALL_SENSOR),
        local_phases=np.concatenate([labels.local_phases, phases], axis=1),
    )


def ball_conditions(clip: Clip, track: BallTrack, runs: NDArray[np.intp]) -> Conditions:
    """Return the values of all feature groups of a ball for a clip's N samples, for inputs and outputs, by name.

    Args:
        clip: the motion at the rate of features.
        track: the ball of the clip, F frames.
        runs: (N, 2) first frame and frame after the last of each part with a known ball; samples of one part do not see
            the ball of another.
    """
    root, frames, rate = root_track(clip, ROOT_SMOOTHING_S), np.arange(2, len(clip) - 1), clip.rate
    first, last = _known_limits(runs, len(clip))
    ground = np.column_stack([root.positions, np.zeros(len(clip))])
    moving = np.diff(track.positions, axis=0, prepend=track.positions[:1]) * rate
    weights = control_weights(into_frame(track.positions - ground, root.yaws))
    pivots = _pivots(into_frame(track.positions - ground, root.yaws), runs, rate)
    swings = np.gradient(pivots, axis=0) * rate
    pivots, swings = pivots * weights[:, None], swings * weights[:, None]

    def seen(values: Array, at: NDArray[np.intp], yaws: Array) -> Array:
        return into_frame(values[at], yaws) * weights[at][..., None]

    before = np.clip(frames[:, None] + np.array(PAST_OFFSETS_FRAMES) - 1, first[frames, None], last[frames, None])
    yaws, own_yaws = root.yaws[frames, None], root.yaws[frames]
    around = np.clip(frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES), first[frames, None], last[frames, None])
    ahead = np.clip(frames[:, None] + 1 + np.array(AHEAD_OFFSETS_FRAMES), first[frames, None], last[frames, None])
    here = into_frame(track.positions[before] - ground[frames, None], yaws) * weights[before][..., None]
    now = into_frame(track.positions[frames] - ground[frames], own_yaws) * weights[frames, None]
    turns = log(multiply(track.rotations[frames], inverse(track.rotations[frames - 1])))
    return {
        "interaction.position": (pivots[around], pivots[ahead]),
        "interaction.velocity": (swings[around], swings[ahead]),
        "ball.position": (here, now),
        "ball.velocity": (seen(moving, before, yaws), seen(moving, frames, own_yaws)),
        "ball.rotation": (None, into_frame(turns, own_yaws) * weights[frames, None]),
        "ball.weight": (weights[before], weights[frames, None]),
    }


def no_ball(clip: Clip) -> Conditions:
    """Return the values, all zero, of a ball's feature groups for the samples of a clip without a ball."""
    count, around, ahead, past = (
        max(len(clip) - 3, 0),
        len(SAMPLE_OFFSETS_FRAMES),
        len(AHEAD_OFFSETS_FRAMES),
        len(PAST_OFFSETS_FRAMES),
    )
    pivots = np.zeros((count, around, 3)), np.zeros((count, ahead, 3))
    places = np.zeros((count, past, 3)), np.zeros((count, 3))
    return {
        "interaction.position": pivots,
        "interaction.velocity": pivots,
        "ball.position": places,
        "ball.velocity": places,
        "ball.rotation": (None, places[1]),
        "ball.weight": (np.zeros((count, past)), np.zeros((count, 1))),
    }


def _known_limits(runs: NDArray[np.intp], frames: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first and last frame (F) of the part that contains each frame; outside all parts, the frame itself."""
    first, last = np.arange(frames), np.arange(frames)
    for start, stop in runs:
        first[start:stop], last[start:stop] = start, stop - 1
    return first, last


def _pivots(places: Array, runs: NDArray[np.intp], rate: float) -> Array:
    """Return positions (F, 3) around the character, smoothed separately within each part with a known ball."""
    result = places.copy()
    for start, stop in runs:
        result[start:stop] = scipy.ndimage.gaussian_filter1d(
            places[start:stop], PIVOT_SMOOTHING_S * rate, axis=0, mode="nearest"
        )
    return result
