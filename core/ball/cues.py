"""Cues: features of the hands' motion that predict the contacts, positions and velocities of a ball.

All cues are in the frame of the hand or of the trunk, mirrored for the right hand, so that both hands, and mirrored
motions, have equal cues.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..motion.rotations import UP, Array, normalize
from .hands import HandMotion, velocities

CONTACT_OFFSETS_FRAMES: Final = (-18, -12, -6, -3, 0, 3, 6, 12, 18)
"""Frames, relative to the current one, at which contact cues sample the motion."""
VELOCITY_OFFSETS_FRAMES: Final = (-12, -8, -4, 0, 4, 8)
"""Frames, relative to a catch or release, at which velocity cues sample the hands."""
USUAL_OFFSET: Final = np.array([0.13, 0.14, 0.10])
"""Usual center of a ball in an adult hand's frame: along the fingers, out of the palm, toward the thumb."""
HEAD_LAG_FRAMES: Final = -8
"""Frame, relative to a catch, at which the gaze is also sampled."""
MIRROR: Final = np.array([-1.0, 1.0, 1.0])
"""Signs that mirror a vector along left, ahead and up."""


def usual_centers(hands: HandMotion) -> Array:
    """Return the usual centers (F, 2, 3) of a ball held in the left or the right hand, world, scaled to an adult."""
    return hands.wrists + hands.out_of_hands(np.broadcast_to(USUAL_OFFSET, hands.wrists.shape))


def contact_cues(hands: HandMotion) -> Array:
    """Return the features (F, 2, N) of each hand's motion from which a model predicts whether it touches a ball."""
    palms, fingers, out = usual_centers(hands), hands.axes[:, :, 0], hands.axes[:, :, 1]
    moving = velocities(palms)
    rate_of_change = velocities(moving, 1.5) / 10.0
    apart = palms[:, ::-1] - palms
    from_hips = hands.into_trunk(palms - hands.hips[:, None])
    from_hips[:, 1, 0] *= -1.0
    to_hand = normalize(palms - hands.head[:, None])
    over_time = [
        hands.into_hands(moving),
        moving[..., 2:],
        rate_of_change[..., 2:],
        np.linalg.norm(rate_of_change, axis=-1, keepdims=True),
        hands.into_hands(np.broadcast_to(UP, palms.shape)),
        3.0 * hands.into_hands(apart),
        3.0 * np.linalg.norm(apart, axis=-1, keepdims=True),
        (out * out[:, ::-1]).sum(axis=-1, keepdims=True),
        3.0 * from_hips,
        2.0 * (hands.gaze[:, None] * to_hand).sum(axis=-1, keepdims=True),
    ]
    now = [
        hands.into_hands(out[:, ::-1]),
        hands.into_hands(fingers[:, ::-1]),
        palms[..., 2:],
        hands.into_hands(normalize(hands.elbows - hands.wrists)),
    ]
    return np.concatenate([*(_over_time(cue, CONTACT_OFFSETS_FRAMES) for cue in over_time), *now], axis=-1)


def single_hold_cues(hands: HandMotion) -> Array:
    """Return the features (F, 2, N) of each hand's motion that predict the place of a ball held only in that hand."""
    moving = velocities(hands.wrists, 1.5)
    return np.concatenate(
        [
            hands.into_hands(np.broadcast_to(UP, moving.shape)),
            hands.into_hands(moving),
            hands.into_hands(velocities(moving, 1.5)) / 10.0,
            hands.into_hands(normalize(hands.elbows - hands.wrists)),
        ],
        axis=-1,
    )


def double_hold_cues(hands: HandMotion) -> Array:
    """Return the features (F, 2, N) of each hand's motion that predict the place of a ball held in both hands."""
    others = [hands.into_hands(hands.axes[:, ::-1, axis]) for axis in range(3)]
    return np.concatenate(
        [
            4.0 * hands.into_hands(hands.wrists[:, ::-1] - hands.wrists),
            *others,
            hands.into_hands(np.broadcast_to(UP, hands.wrists.shape)),
            hands.into_hands(normalize(hands.elbows - hands.wrists)),
        ],
        axis=-1,
    )


def velocity_cues(hands: HandMotion, mask: Sequence[bool]) -> Array:
    """Return K vectors (F, K, 3), in the trunk's frame, that predict the velocity of a ball caught or released.

    Args:
        hands: the motion of the hands.
        mask: whether the left and the right hand hold the ball.
    """
    touching = np.flatnonzero(mask)
    centers = usual_centers(hands)[:, touching].mean(axis=1)
    moving = velocities(usual_centers(hands))[:, touching].mean(axis=1)
    tracks = [
        *(_shifted(moving, offset) for offset in VELOCITY_OFFSETS_FRAMES),
        hands.axes[:, touching, 1].mean(axis=1),
        hands.axes[:, touching, 0].mean(axis=1),
        centers - hands.hips,
        hands.gaze,
        _shifted(hands.gaze, HEAD_LAG_FRAMES),
        velocities(hands.hips, 2.0),
        # The number of hands, as a vertical vector, which a mirror image preserves.
        np.broadcast_to((len(touching) - 1.5) * UP, moving.shape),
    ]
    return hands.into_trunk(np.stack(tracks, axis=1))


def _shifted(values: Array, offset: int) -> Array:
    """Shift values (F, ...) by ``offset`` frames, repeating the value at the end."""
    return values[np.clip(np.arange(len(values)) + offset, 0, len(values) - 1)]


def _over_time(values: Array, offsets: Sequence[int]) -> Array:
    """Sample values (F, 2, K) at several offsets, and return all samples as one array (F, 2, K times offsets)."""
    return np.concatenate([_shifted(values, offset) for offset in offsets], axis=-1)
