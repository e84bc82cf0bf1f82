"""Retargeting of a ball with its clip to another body: at the new hands in contact, on the floor at bounces."""

from dataclasses import replace

import numpy as np

from ..motion import Clip
from ..motion.root_frame import into_frame, out_of_frame, root_track
from ..motion.rotations import Array
from ..motion.signals import Mask
from .ball_track import BallTrack
from .hands import read_hands
from .spin import ball_rotations


def retarget_ball(track: BallTrack, source: Clip, target: Clip, floor: float = 0.0) -> BallTrack:
    """Return a ball's motion, adapted to the same motion of another body over the ground z = 0.

    The ball keeps its position relative to the root, in leg lengths. During contacts it keeps its position relative to
    the hands; between contacts, this correction blends from one contact to the next, and to zero at the floor.

    Args:
        track: ball of the source motion.
        source: the motion that the ball was captured with or inferred from.
        target: the same F frames on another body, possibly along another path.
        floor: height of the source's floor, meters.

    Raises:
        FootfallError: one of the bodies has no hands.
    """
    scale = target.skeleton.leg_length / source.skeleton.leg_length
    roots = [root_track(source), root_track(target)]

    def carried(points: Array) -> Array:
        from_root = points - np.column_stack([roots[0].positions, np.full(len(points), floor)])
        placed = out_of_frame(scale * into_frame(from_root, roots[0].yaws), roots[1].yaws)
        return placed + np.column_stack([roots[1].positions, np.zeros(len(points))])

    positions, radius = carried(track.positions), scale * track.radius
    wrong = np.stack(
        [
            target.positions[:, target.skeleton.joint(role)] - carried(source.positions[:, source.skeleton.joint(role)])
            for role in ("hand.L", "hand.R")
        ],
        axis=1,
    )
    positions = _lead_to_hands(positions, wrong, track.contacts, radius)
    hands = read_hands(target)
    rotations = ball_rotations(hands, hands.from_clip(positions), track.contacts, target.rate, radius / hands.scale)
    return replace(track, radius=radius, positions=positions, rotations=rotations)


def _lead_to_hands(positions: Array, corrections: Array, contacts: Mask, radius: float) -> Array:
    """Return the ball's positions (F, 3) with the touching hands' corrections, never below the floor.

    Args:
        positions: (F, 3) positions of the center, meters.
        corrections: (F, 2, 3) displacement that puts the ball into each hand, meters.
        contacts: (F, 2) whether left and right hand touch the ball.
        radius: radius of the ball, meters.
    """
    touched, frames = np.flatnonzero(contacts.any(axis=1)), np.arange(len(positions))
    if not len(touched):
        return np.maximum(positions, [-np.inf, -np.inf, radius])
    shares = contacts[touched] / contacts[touched].sum(axis=1, keepdims=True)
    held = (shares[..., None] * corrections[touched]).sum(axis=1)
    correction = np.column_stack([np.interp(frames, touched, axis) for axis in held.T])
    heights = np.interp(frames, touched, np.maximum(positions[touched, 2], 2.0 * radius))
    correction[:, 2] *= np.clip((positions[:, 2] - radius) / (heights - radius), 0.0, 1.0)
    return np.maximum(positions + correction, [-np.inf, -np.inf, radius])
